/* Members of JSON files. Messages quote the actual value, truncated. */
#include "json_members.h"

#include "close_match.h"
#include "complaint.h"
#include "file_bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_BYTES_MOST = 256 << 20, MESSAGE_BYTES = 256, QUOTE_BYTES = 96 };

bool json_file_take(const char *path, const char *bytes, size_t size, json_file *file_out) {
  char message[MESSAGE_BYTES] = "";
  *file_out = (json_file){.path = path};
  if (json_read(bytes, size, &file_out->document, message, sizeof message)) return true;
  return decline("%s:%s", path, message);
}

bool json_file_read(const char *path, const char *words, json_file *file_out) {
  size_t size = 0;
  *file_out = (json_file){.path = path};
  char *bytes = file_bytes_read(path, false, FILE_BYTES_MOST, words, &size);
  const bool read = bytes != NULL && json_file_take(path, bytes, size, file_out);
  free(bytes);
  return read;
}

void json_file_free(json_file *file) {
  json_document_free(&file->document);
}

const json_value *json_member(const json_file *file, const json_value *object, const char *name) {
  if (object->kind != JSON_OBJECT) return NULL;
  for (size_t i = object->first; i != 0; i = file->document.values[i].next)
    if (strcmp(file->document.values[i].key, name) == 0) return &file->document.values[i];
  return NULL;
}

static void quote(const json_value *value, char text[QUOTE_BYTES]) {
  switch (value->kind) {
  case JSON_STRING:
    snprintf(text, QUOTE_BYTES, "\"%.60s\"", value->text);
    break;
  case JSON_NUMBER:
    snprintf(text, QUOTE_BYTES, "%.17g", value->number);
    break;
  case JSON_ARRAY:
    snprintf(text, QUOTE_BYTES, "an array of %zu", value->count);
    break;
  case JSON_OBJECT:
    snprintf(text, QUOTE_BYTES, "an object of %zu members", value->count);
    break;
  case JSON_NULL:
  case JSON_BOOLEAN:
    snprintf(text, QUOTE_BYTES, "%s", value->kind == JSON_NULL ? "null" : value->boolean ? "true" : "false");
    break;
  }
}

bool json_refuse(const json_file *file, const json_value *value, const char *words, const char *wanted) {
  char given[QUOTE_BYTES];
  quote(value, given);
  return decline("%s:%zu: %s must be %s, not %s", file->path, value->line, words, wanted, given);
}

bool json_file_has_format(const json_file *file, const char *format, int version) {
  const json_value *root = json_file_root(file), *name = json_member(file, root, "format"),
                   *number = json_member(file, root, "version");
  if (root->kind != JSON_OBJECT || name == NULL || number == NULL)
    return decline("%s: not a graze file: it must be an object with \"format\": \"%s\" and \"version\": %d", file->path,
                   format, version);
  char wanted[QUOTE_BYTES];
  snprintf(wanted, sizeof wanted, "\"%s\"", format);
  if (name->kind != JSON_STRING || strcmp(name->text, format) != 0)
    return json_refuse(file, name, "\"format\"", wanted);
  snprintf(wanted, sizeof wanted, "%d, which is what this version of graze reads", version);
  return (number->kind == JSON_NUMBER && number->number == version) || json_refuse(file, number, "\"version\"", wanted);
}

static bool refuse_member(const json_file *file, const json_value *member, const char *words,
                          const char *const *names) {
  close_match match = {.wanted = member->key};
  char list[MESSAGE_BYTES] = "";
  for (size_t i = 0; names[i] != NULL; i++) {
    const size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, "%s%s", i == 0 ? "" : ", ", names[i]);
    close_match_offer(&match, names[i]);
  }
  if (match.best != NULL)
    return decline("%s:%zu: %s has no member \"%.60s\"; did you mean \"%s\"?", file->path, member->line, words,
                   member->key, match.best);
  return decline("%s:%zu: %s has no member \"%.60s\"; its members are %s", file->path, member->line, words, member->key,
                 list);
}

bool json_members_are(const json_file *file, const json_value *object, const char *words, const char *const *names) {
  if (object->kind != JSON_OBJECT) return json_refuse(file, object, words, "an object");
  for (size_t i = object->first; i != 0; i = file->document.values[i].next) {
    const json_value *member = &file->document.values[i];
    size_t known = 0;
    while (names[known] != NULL && strcmp(names[known], member->key) != 0) known++;
    if (names[known] == NULL) return refuse_member(file, member, words, names);
    if (json_member(file, object, member->key) == member) continue;
    return decline("%s:%zu: %s has the member \"%s\" twice", file->path, member->line, words, member->key);
  }
  return true;
}

bool json_numbers(const json_file *file, const json_value *array, const char *words, size_t count,
                  double *numbers_out) {
  char wanted[QUOTE_BYTES];
  snprintf(wanted, sizeof wanted, "an array of %zu numbers", count);
  if (array->kind != JSON_ARRAY || array->count != count) return json_refuse(file, array, words, wanted);
  size_t at = array->first;
  for (size_t i = 0; i < count; i++, at = file->document.values[at].next) {
    const json_value *element = &file->document.values[at];
    if (element->kind != JSON_NUMBER) return json_refuse(file, element, words, wanted);
    numbers_out[i] = element->number;
  }
  return true;
}
