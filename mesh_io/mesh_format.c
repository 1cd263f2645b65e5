/* Detects formats. Workload: once per file. Names come first, because content is ambiguous: an OBJ file may begin with
 * any comment, and a binary STL file with any 80 bytes. */
#include "mesh_io/mesh_format.h"

#include "mesh_io/mesh_name.h"
#include "mesh_io/sphere_columns.h"
#include "mesh_io/text_encoding.h"

#include <stdio.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------------- content */

static bool begins_with(const format_content *content, const char *mark) {
  return strncmp(content->text, mark, strlen(mark)) == 0;
}

#define BEGINS_WITH(tag, mark)                                                                                         \
  static bool is_##tag(const format_content *content) {                                                                \
    return begins_with(content, mark);                                                                                 \
  }
BEGINS_WITH(gltf, "glTF\2") /* binary; the text form is known only by its name */
BEGINS_WITH(3mf, "PK\3\4")
BEGINS_WITH(gmsh, "$MeshFormat")
BEGINS_WITH(medit, "MeshVersionFormatted")
BEGINS_WITH(vtk, "# vtk DataFile")
BEGINS_WITH(rope, "Vertex ")

static bool is_ply(const format_content *content) {
  return begins_with(content, "ply\n") || begins_with(content, "ply\r");
}

static bool is_sph(const format_content *content) {
  return begins_with(content, "sph ") || begins_with(content, "# rmin rmax");
}

static bool is_csv(const format_content *content) {
  return is_sphere_header(content->text);
}

static bool is_tetgen(const format_content *content) {
  (void)content; /* numbers alone */
  return false;
}

static bool is_off(const format_content *content) {
  const char *p = content->text;
  if (strncmp(p, "ST", 2) == 0) p += 2;
  if (*p == 'C') p++;
  if (*p == 'N') p++;
  return strncmp(p, "OFF", 3) == 0 && (unsigned char)p[3] <= ' ';
}

/* The first bytes of binary files may be any, including those of a byte order mark. */
static bool is_binary_stl(const char *bytes, size_t size) {
  if (size < 84) return false;
  const unsigned char *b = (const unsigned char *)bytes + 80;
  const uint64_t count = (uint64_t)b[0] | (uint64_t)b[1] << 8 | (uint64_t)b[2] << 16 | (uint64_t)b[3] << 24;
  return size == 84 + 50 * count;
}

static bool is_stl(const format_content *content) {
  return is_binary_stl(content->bytes, content->size) || begins_with(content, "solid");
}

/* Looks for a line "v " in the first 64 KiB, after comments and names of materials. */
static bool is_obj(const format_content *content) {
  const size_t size = content->size - (size_t)(content->text - content->bytes);
  const char *end = content->text + (size < 65536 ? size : 65536);
  for (const char *p = content->text; p && p < end;) {
    if (p[0] == 'v' && (p[1] == ' ' || p[1] == '\t')) return true;
    p = memchr(p, '\n', (size_t)(end - p));
    if (p) p++;
  }
  return false;
}

/* ---------------------------------------------------------------------------------------------------- table */

#define READ_ROW(ending, name, tag) {ending, name, is_##tag, mesh_read_##tag, 0, NULL, NULL},
#ifdef GRAZE_MESH_READERS_ONLY /* for the engine of the viewer, which links no writer */
#define WRITTEN_ROW(ending, name, tag, stored_kinds, check) READ_ROW(ending, name, tag)
#else
#define WRITTEN_ROW(ending, name, tag, stored_kinds, check)                                                            \
  {ending, name, is_##tag, mesh_read_##tag, stored_kinds, check, mesh_write_##tag},
#endif
static const mesh_format formats[] = {MESH_FORMAT_LIST(READ_ROW, WRITTEN_ROW)};
enum { FORMAT_COUNT = sizeof formats / sizeof formats[0] };

const mesh_format *mesh_format_at(size_t index) {
  return index < FORMAT_COUNT ? &formats[index] : NULL;
}

const mesh_format *mesh_format_of_name(const char *path, bool *compressed_out) {
  size_t length = strlen(path);
  *compressed_out = mesh_name_ends_in(path, length, ".gz");
  if (*compressed_out) length -= strlen(".gz");
  for (size_t i = 0; i < FORMAT_COUNT; i++)
    if (mesh_name_ends_in(path, length, formats[i].ending)) return &formats[i];
  return NULL;
}

const mesh_format *mesh_format_of_content(const char *bytes, size_t size) {
  const format_content content = {bytes, size, bytes + byte_order_mark_bytes(bytes, size)};
  for (size_t i = 1; i <= FORMAT_COUNT; i++) { /* the first last: OBJ has no mark, and other files may have its lines */
    const mesh_format *format = &formats[i % FORMAT_COUNT];
    if (format->is_content(&content)) return format;
  }
  return NULL;
}

bool mesh_format_is_written(const mesh_format *format_or_null, mesh_kind kind) {
  return format_or_null && (format_or_null->stored_kinds >> kind & 1u) != 0;
}

mesh_endings mesh_endings_storing(uint32_t stored_kinds) {
  mesh_endings endings = {""};
  size_t used = 0, last = FORMAT_COUNT;
  while (last > 0 && (formats[last - 1].stored_kinds & stored_kinds) == 0) last--;
  for (size_t i = 0; i < last && used < sizeof endings.text; i++) {
    if ((formats[i].stored_kinds & stored_kinds) == 0) continue;
    const char *before = used == 0 ? "" : i + 1 == last ? " and " : ", ";
    used += (size_t)snprintf(endings.text + used, sizeof endings.text - used, "%s%s", before, formats[i].ending);
  }
  return endings;
}
