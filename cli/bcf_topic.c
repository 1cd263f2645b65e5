/* BCF topics as XML. Elements are in the order of the schema, which is a sequence. */
#include "bcf_topic.h"

#include "mesh_io/utf8_text.h"

#include <inttypes.h>
#include <stdint.h>
#include <string.h>

static const char declaration[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

/* ------------------------------------------------------------------------------------------------ ids */

/* FNV-1a (Fowler, Noll, Vo) with a given start. The terminating zero is hashed, too, so that words are separated. */
static uint64_t hash_words(const char *const *words, size_t count, uint64_t start) {
  uint64_t hash = start;
  for (size_t i = 0; i < count; i++)
    for (const char *c = words[i];; c++) {
      hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
      if (*c == '\0') break;
    }
  /* FNV-1a changes only low bits for words that differ in their last characters, so the bits are mixed. */
  hash = (hash ^ hash >> 32) * UINT64_C(0x9e3779b97f4a7c15);
  return hash ^ hash >> 32;
}

/* Version 8 of RFC 9562: bits defined by the application. */
bcf_guid bcf_guid_of(const char *const *words, size_t count) {
  const uint64_t high = hash_words(words, count, UINT64_C(0xcbf29ce484222325));
  const uint64_t low = hash_words(words, count, UINT64_C(0x9e3779b97f4a7c15));
  bcf_guid made;
  snprintf(made.text, sizeof made.text, "%08" PRIx64 "-%04" PRIx64 "-8%03" PRIx64 "-%04" PRIx64 "-%012" PRIx64,
           high >> 32, high >> 16 & 0xffff, high & 0xfff, UINT64_C(0x8000) | (low >> 48 & 0x3fff),
           low & UINT64_C(0xffffffffffff));
  return made;
}

/* Writes 22 characters in the alphabet of IFC ids. */
static bool is_ifc_guid(const char *name) {
  static const char alphabet[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_$";
  return strlen(name) == 22 && strspn(name, alphabet) == 22 && name[0] <= '3';
}

/* ------------------------------------------------------------------------------------------------ XML */

/* U+FFFE and U+FFFF, which XML excludes. */
static bool is_noncharacter(const char *text) {
  return strncmp(text, "\xef\xbf\xbe", 3) == 0 || strncmp(text, "\xef\xbf\xbf", 3) == 0;
}

static void write_text(const char *text, FILE *stream) {
  while (*text != '\0') {
    const unsigned char byte = (unsigned char)*text;
    const size_t length = utf8_sequence_length(text);
    if (length == 0 || (byte < 0x20 && byte != '\n') || byte == 0x7f || is_noncharacter(text))
      fputs("\xef\xbf\xbd", stream);
    else if (byte == '&')
      fputs("&amp;", stream);
    else if (byte == '<')
      fputs("&lt;", stream);
    else if (byte == '>')
      fputs("&gt;", stream);
    else if (byte == '"')
      fputs("&quot;", stream);
    else
      fwrite(text, 1, length, stream);
    text += length == 0 ? 1 : length;
  }
}

static void write_element(const char *name, const char *text, FILE *stream) {
  fprintf(stream, "<%s>", name);
  write_text(text, stream);
  fprintf(stream, "</%s>\n", name);
}

static void write_vector(const char *name, const double vector[3], FILE *stream) {
  fprintf(stream, "<%s><X>%.17g</X><Y>%.17g</Y><Z>%.17g</Z></%s>\n", name, vector[0], vector[1], vector[2], name);
}

/* ------------------------------------------------------------------------------------------------ files */

static void write_header(const bcf_topic *topic, FILE *stream) {
  fputs("<Header>\n", stream);
  for (int i = 0; i < BCF_OBJECTS; i++) {
    if (topic->file_names[i] == NULL) continue;
    fputs("<File>", stream);
    write_element("Filename", topic->file_names[i], stream);
    fputs("</File>\n", stream);
  }
  fputs("</Header>\n", stream);
}

void bcf_write_markup(const bcf_topic *topic, FILE *stream) {
  char date[BCF_DATE_BYTES] = "1970-01-01T00:00:00Z";
  struct tm parts;
  if (gmtime_r(&topic->time, &parts) != NULL && parts.tm_year < 8100)
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &parts);
  fputs(declaration, stream);
  fputs("<Markup>\n", stream);
  write_header(topic, stream);
  fprintf(stream, "<Topic Guid=\"%s\" TopicType=\"Clash\" TopicStatus=\"Open\">\n", topic->id.text);
  write_element("Title", topic->title, stream);
  fprintf(stream, "<Index>%zu</Index>\n", topic->index);
  write_element("Labels", topic->label, stream);
  write_element("CreationDate", date, stream);
  write_element("CreationAuthor", "graze", stream);
  write_element("Description", topic->description, stream);
  fputs("</Topic>\n", stream);
  fprintf(stream, "<Viewpoints Guid=\"%s\">\n", topic->viewpoint.text);
  write_element("Viewpoint", BCF_VIEWPOINT, stream);
  if (topic->has_snapshot) write_element("Snapshot", BCF_SNAPSHOT, stream);
  fputs("</Viewpoints>\n</Markup>\n", stream);
}

static void write_component(const char *object, FILE *stream) {
  if (is_ifc_guid(object)) {
    fprintf(stream, "<Component IfcGuid=\"%s\"/>\n", object);
    return;
  }
  fputs("<Component>\n", stream);
  write_element("OriginatingSystem", "graze", stream);
  write_element("AuthoringToolId", object, stream);
  fputs("</Component>\n", stream);
}

void bcf_write_viewpoint(const bcf_topic *topic, FILE *stream) {
  const bcf_camera *camera = &topic->camera;
  fputs(declaration, stream);
  fprintf(stream, "<VisualizationInfo Guid=\"%s\">\n<Components>\n<Selection>\n", topic->viewpoint.text);
  for (int i = 0; i < BCF_OBJECTS; i++)
    if (topic->objects[i] != NULL) write_component(topic->objects[i], stream);
  fputs("</Selection>\n<Visibility DefaultVisibility=\"true\"/>\n</Components>\n<OrthogonalCamera>\n", stream);
  write_vector("CameraViewPoint", camera->eye, stream);
  write_vector("CameraDirection", camera->direction, stream);
  write_vector("CameraUpVector", camera->up, stream);
  fprintf(stream, "<ViewToWorldScale>%.17g</ViewToWorldScale>\n</OrthogonalCamera>\n</VisualizationInfo>\n",
          camera->height);
}

void bcf_write_version(FILE *stream) {
  fputs(declaration, stream);
  fputs("<Version VersionId=\"2.1\">\n<DetailedVersion>2.1</DetailedVersion>\n</Version>\n", stream);
}
