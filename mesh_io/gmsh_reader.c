/* Reads Gmsh .msh, versions 2.0 to 2.2 and 4.1, ascii and binary of both byte orders, as described in the reference
 * manual of Gmsh. Nodes and elements are read, all other sections skipped; unknown ones are counted.
 *
 * Workload: ascii files of about 70 bytes per node and 30 per element, binary files of 32 and 40. Elements are in
 * blocks of one type. Declared counts allocate nothing: arrays grow with the values that are read. */
#include "mesh_io/element_builder.h"
#include "mesh_io/gmsh_types.h"
#include "mesh_io/node_tags.h"
#include "mesh_io/text_encoding.h"
#include "mesh_io/value_cursor.h"

typedef struct gmsh_file {
  value_cursor cursor;
  element_builder *builder;
  node_tags tags;
  bool is_version_4;
  size_t tag_bytes; /* of tags and counts in binary files of version 4.1; other whole numbers have 4 bytes */
  bool has_nodes;
} gmsh_file;

enum { INT_BYTES = 4, REAL_BYTES = 8 };

/* ---------------------------------------------------------------------------------------------------- header */

static bool read_version(gmsh_file *file) {
  const mesh_reading *reading = file->cursor.reading;
  value_cursor_skip_blanks(&file->cursor);
  const char *const position = file->cursor.p;
  const cursor_word word = value_cursor_take_word(&file->cursor);
  file->is_version_4 = cursor_word_is(word, "4.1");
  if (file->is_version_4 || cursor_word_is(word, "2.2") || cursor_word_is(word, "2.1") || cursor_word_is(word, "2.0") ||
      cursor_word_is(word, "2")) {
    return true;
  }
  const mesh_quote quote = mesh_quote_word(position);
  return mesh_fail_at(reading, position, "Gmsh version \"%s\" is not supported; only 2.0 to 2.2 and 4.1 are",
                      quote.text);
}

/* The number 1 is written in the byte order of the file. */
static bool read_byte_order(gmsh_file *file) {
  value_cursor *cursor = &file->cursor;
  int64_t little, big;
  value_cursor_end_line(cursor);
  cursor->binary = true;
  if (!value_cursor_take_integer(cursor, INT_BYTES, &little)) return value_cursor_expected(cursor, "the number 1");
  cursor->p -= INT_BYTES;
  cursor->big_endian = true;
  value_cursor_take_integer(cursor, INT_BYTES, &big);
  cursor->big_endian = big == 1;
  if (little == 1 || big == 1) return true;
  return mesh_fail(cursor->reading, "the byte-order number is not 1 in either byte order, but %lld or %lld",
                   (long long)little, (long long)big);
}

/* Reads a number that is text in binary files of version 2.2, too. */
static bool take_text_count(gmsh_file *file, const char *what, int64_t *count_out) {
  value_cursor text = file->cursor;
  text.binary = false;
  if (!value_cursor_take_count_between(&text, 0, INT64_MAX, count_out)) {
    return value_cursor_expected(&text, "the number of %s", what);
  }
  file->cursor.p = text.p;
  value_cursor_end_line(&file->cursor);
  return true;
}

static bool take_section_end(gmsh_file *file, const char *name) {
  value_cursor_skip_blanks(&file->cursor);
  const char *const position = file->cursor.p;
  if (cursor_word_is(value_cursor_take_word(&file->cursor), name)) return true;
  file->cursor.p = position;
  value_cursor here = file->cursor;
  here.binary = false;
  return value_cursor_expected(&here, "%s", name);
}

static bool read_header(gmsh_file *file) {
  value_cursor *cursor = &file->cursor;
  int64_t is_binary, data_bytes;
  if (!cursor_word_is(value_cursor_take_word(cursor), "$MeshFormat")) {
    return mesh_fail_at(cursor->reading, cursor->reading->bytes, "the first line is not \"$MeshFormat\"");
  }
  if (!read_version(file)) return false;
  if (!value_cursor_take_count_between(cursor, 0, 1, &is_binary)) {
    return value_cursor_expected(cursor, "0 for ascii or 1 for binary");
  }
  if (!value_cursor_take_count_between(cursor, file->is_version_4 ? 4 : 8, 8, &data_bytes) || data_bytes % 4 != 0) {
    return value_cursor_expected(cursor, "the size 8");
  }
  file->tag_bytes = (size_t)data_bytes;
  file->builder->mesh.unknown.is_binary = is_binary;
  if (is_binary) {
    if (!read_byte_order(file)) return false;
  } else {
    mesh_unify_line_ends(cursor->reading);
  }
  return take_section_end(file, "$EndMeshFormat");
}

/* ---------------------------------------------------------------------------------------------------- nodes */

static bool add_tag(gmsh_file *file, int64_t tag) {
  if (tag < 0) return value_cursor_fail(&file->cursor, "a node has the tag %lld, which is negative", (long long)tag);
  return node_tags_add(&file->tags, file->cursor.reading, tag);
}

/* Reads the next position; its tag is known. */
static bool read_position(gmsh_file *file) {
  double position[3];
  const size_t tag = (size_t)node_tags_of_vertex(&file->tags, file->builder->mesh.m.vertex_count);
  return value_cursor_take_position(&file->cursor, REAL_BYTES, tag, position) &&
         mesh_builder_add_vertex(&file->builder->mesh, position[0], position[1], position[2]);
}

static bool read_nodes_2(gmsh_file *file) {
  value_cursor *cursor = &file->cursor;
  int64_t count = 0;
  int64_t tag;
  if (!take_text_count(file, "nodes", &count)) return false;
  for (int64_t i = 0; i < count; i++) {
    if (!value_cursor_take_integer(cursor, INT_BYTES, &tag)) {
      return value_cursor_expected(cursor, "node %lld of %lld", (long long)i + 1, (long long)count);
    }
    if (!add_tag(file, tag) || !read_position(file)) return false;
  }
  return true;
}

/* Reads the dimension and tag of the entity of a block, a third number (whether nodes have parameters, or the type of
 * elements), and the number of nodes or elements that follow. */
static bool take_block_header(gmsh_file *file, const char *what, int64_t *dimension_out, int64_t *third_out,
                              int64_t *count_out) {
  value_cursor *cursor = &file->cursor;
  int64_t entity;
  if (!value_cursor_take_integer(cursor, INT_BYTES, dimension_out) ||
      !value_cursor_take_integer(cursor, INT_BYTES, &entity) ||
      !value_cursor_take_integer(cursor, INT_BYTES, third_out) ||
      !value_cursor_take_integer(cursor, file->tag_bytes, count_out)) {
    return value_cursor_expected(cursor, "the beginning of a block of %s", what);
  }
  if (*count_out < 0 || *dimension_out < 0 || *dimension_out > 3) {
    return value_cursor_fail(cursor, "invalid block: %lld %s on an entity of dimension %lld", (long long)*count_out,
                             what, (long long)*dimension_out);
  }
  return true;
}

static bool read_node_block(gmsh_file *file) {
  value_cursor *cursor = &file->cursor;
  int64_t dimension, is_parametric, count, tag;
  if (!take_block_header(file, "nodes", &dimension, &is_parametric, &count)) return false;
  for (int64_t i = 0; i < count; i++) {
    if (!value_cursor_take_integer(cursor, file->tag_bytes, &tag)) {
      return value_cursor_expected(cursor, "the tag of node %lld of %lld of a block", (long long)i + 1,
                                   (long long)count);
    }
    if (!add_tag(file, tag)) return false;
  }
  /* One parameter for each dimension of the entity. */
  const int64_t extra = is_parametric ? dimension : 0;
  for (int64_t i = 0; i < count; i++) {
    if (!read_position(file)) return false;
    for (int64_t j = 0; j < extra; j++) {
      if (!value_cursor_pass_over(cursor, REAL_BYTES)) return value_cursor_expected(cursor, "a parameter of a node");
    }
  }
  return true;
}

/* Reads the number of blocks and of all nodes or elements, the least and the largest tag. */
static bool take_section_header(gmsh_file *file, const char *what, int64_t *block_count_out, int64_t *count_out) {
  value_cursor *cursor = &file->cursor;
  int64_t least, most;
  if (!value_cursor_take_integer(cursor, file->tag_bytes, block_count_out) ||
      !value_cursor_take_integer(cursor, file->tag_bytes, count_out) ||
      !value_cursor_take_integer(cursor, file->tag_bytes, &least) ||
      !value_cursor_take_integer(cursor, file->tag_bytes, &most)) {
    return value_cursor_expected(cursor, "the number of blocks and of %s", what);
  }
  return true;
}

static bool check_total(const gmsh_file *file, const char *what, uint64_t total, int64_t promised) {
  if (total == (uint64_t)promised) return true;
  return value_cursor_fail(&file->cursor, "the blocks have %llu %s together, but %lld were declared",
                           (unsigned long long)total, what, (long long)promised);
}

static bool read_nodes_4(gmsh_file *file) {
  int64_t block_count, count;
  if (!take_section_header(file, "nodes", &block_count, &count)) return false;
  for (int64_t i = 0; i < block_count; i++) {
    if (!read_node_block(file)) return false;
  }
  return check_total(file, "nodes", file->builder->mesh.m.vertex_count, count);
}

static bool read_nodes(gmsh_file *file) {
  if (file->has_nodes) return value_cursor_fail(&file->cursor, "there is a second section $Nodes");
  file->has_nodes = true;
  value_cursor_end_line(&file->cursor);
  return (file->is_version_4 ? read_nodes_4(file) : read_nodes_2(file)) && take_section_end(file, "$EndNodes") &&
         node_tags_finish(&file->tags, file->cursor.reading);
}

/* ---------------------------------------------------------------------------------------------------- elements */

static bool find_type(const gmsh_file *file, int64_t number, gmsh_type *type_out) {
  *type_out = gmsh_type_of_number(number);
  if (type_out->node_count > 0) return true;
  return value_cursor_fail(&file->cursor, "element type %lld is unknown", (long long)number);
}

static bool read_element_nodes(gmsh_file *file, gmsh_type type, int64_t element, size_t tag_bytes) {
  value_cursor *cursor = &file->cursor;
  uint32_t corners[ELEMENT_CORNERS_MAX];
  for (unsigned i = 0; i < type.node_count; i++) {
    int64_t tag;
    uint32_t vertex;
    if (!value_cursor_take_integer(cursor, tag_bytes, &tag)) {
      return value_cursor_expected(cursor, "node %u of element %lld", i + 1, (long long)element);
    }
    if (!node_tags_find(&file->tags, tag, &vertex)) {
      return value_cursor_fail(cursor, "element %lld refers to node %lld, which the file does not have",
                               (long long)element, (long long)tag);
    }
    if (i < type.corner_count) corners[i] = vertex;
  }
  if (type.node_count > type.corner_count) return element_builder_add_higher_order(file->builder, type.shape, corners);
  return element_builder_add(file->builder, type.shape, corners, type.corner_count);
}

static bool pass_over_tags(gmsh_file *file, int64_t element, int64_t count) {
  for (int64_t i = 0; i < count; i++) {
    if (!value_cursor_pass_over(&file->cursor, INT_BYTES)) {
      return value_cursor_expected(&file->cursor, "a tag of element %lld", (long long)element);
    }
  }
  return true;
}

static bool read_elements_2_text(gmsh_file *file, int64_t count) {
  value_cursor *cursor = &file->cursor;
  for (int64_t i = 0; i < count; i++) {
    int64_t element, number, tag_count;
    gmsh_type type;
    if (!value_cursor_take_count(cursor, &element) || !value_cursor_take_count(cursor, &number) ||
        !value_cursor_take_count(cursor, &tag_count)) {
      return value_cursor_expected(cursor, "element %lld of %lld", (long long)i + 1, (long long)count);
    }
    if (!find_type(file, number, &type) || !pass_over_tags(file, element, tag_count) ||
        !read_element_nodes(file, type, element, INT_BYTES)) {
      return false;
    }
  }
  return true;
}

/* Blocks of one type and one number of tags. Only the total number of elements is declared, not that of blocks. */
static bool read_elements_2_binary(gmsh_file *file, int64_t count) {
  value_cursor *cursor = &file->cursor;
  for (int64_t i = 0; i < count;) {
    int64_t element, number, block_count, tag_count;
    gmsh_type type;
    if (!value_cursor_take_integer(cursor, INT_BYTES, &number) ||
        !value_cursor_take_integer(cursor, INT_BYTES, &block_count) ||
        !value_cursor_take_integer(cursor, INT_BYTES, &tag_count)) {
      return value_cursor_expected(cursor, "element %lld of %lld", (long long)i + 1, (long long)count);
    }
    if (!find_type(file, number, &type)) return false;
    if (block_count < 1 || block_count > count - i) {
      return value_cursor_fail(cursor, "a block has %lld elements, but only %lld are left", (long long)block_count,
                               (long long)(count - i));
    }
    for (const int64_t end = i + block_count; i < end; i++) {
      if (!value_cursor_take_integer(cursor, INT_BYTES, &element)) {
        return value_cursor_expected(cursor, "element %lld of %lld", (long long)i + 1, (long long)count);
      }
      if (!pass_over_tags(file, element, tag_count) || !read_element_nodes(file, type, element, INT_BYTES)) {
        return false;
      }
    }
  }
  return true;
}

static bool read_elements_2(gmsh_file *file) {
  int64_t count = 0;
  if (!take_text_count(file, "elements", &count)) return false;
  return file->cursor.binary ? read_elements_2_binary(file, count) : read_elements_2_text(file, count);
}

static bool read_element_block(gmsh_file *file, uint64_t *total) {
  value_cursor *cursor = &file->cursor;
  int64_t dimension, number, count, element;
  gmsh_type type;
  if (!take_block_header(file, "elements", &dimension, &number, &count) || !find_type(file, number, &type)) {
    return false;
  }
  for (int64_t i = 0; i < count; i++) {
    if (!value_cursor_take_integer(cursor, file->tag_bytes, &element)) {
      return value_cursor_expected(cursor, "element %lld of %lld of a block", (long long)i + 1, (long long)count);
    }
    if (!read_element_nodes(file, type, element, file->tag_bytes)) return false;
  }
  *total += (uint64_t)count;
  return true;
}

static bool read_elements_4(gmsh_file *file) {
  int64_t block_count, count;
  uint64_t total = 0;
  if (!take_section_header(file, "elements", &block_count, &count)) return false;
  for (int64_t i = 0; i < block_count; i++) {
    if (!read_element_block(file, &total)) return false;
  }
  return check_total(file, "elements", total, count);
}

static bool read_elements(gmsh_file *file) {
  if (!file->has_nodes) return value_cursor_fail(&file->cursor, "$Elements comes before $Nodes");
  value_cursor_end_line(&file->cursor);
  return (file->is_version_4 ? read_elements_4(file) : read_elements_2(file)) && take_section_end(file, "$EndElements");
}

/* ---------------------------------------------------------------------------------------------------- sections */

/* Skips to the text after "$End" and the name of the section, across any bytes. */
static bool pass_over_section(gmsh_file *file, cursor_word name) {
  value_cursor *cursor = &file->cursor;
  const size_t length = name.length - 1; /* without the $ */
  for (const char *p = cursor->p; (p = memchr(p, '$', (size_t)(cursor->end - p))) != NULL; p++) {
    if ((size_t)(cursor->end - p) < 4 + length) break;
    if (memcmp(p, "$End", 4) != 0 || memcmp(p + 4, name.text + 1, length) != 0) continue;
    if (!is_delimiter(p[4 + length])) continue;
    cursor->p = p + 4 + length;
    return true;
  }
  const mesh_quote quote = mesh_quote_word(name.text);
  return mesh_fail_at(cursor->reading, name.text, "the section %s has no end", quote.text);
}

/* The other sections of the manual, and $Surface, in which simulators repeat the boundary of a volume. */
static bool is_irrelevant(cursor_word name) {
  static const char *const names[] = {
      "$PhysicalNames",    "$Entities", "$PartitionedEntities", "$Periodic",        "$GhostElements",
      "$Parametrizations", "$NodeData", "$ElementData",         "$ElementNodeData", "$InterpolationScheme",
      "$Comments",         "$Surface",
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (cursor_word_is(name, names[i])) return true;
  }
  return false;
}

static bool read_section(gmsh_file *file) {
  value_cursor *cursor = &file->cursor;
  const char *const position = cursor->p;
  const cursor_word name = value_cursor_take_word(cursor);
  if (name.text[0] != '$' || name.length == 1) {
    const mesh_quote quote = mesh_quote_word(position);
    return mesh_fail_at(cursor->reading, position, "expected a section, found \"%s\"", quote.text);
  }
  if (cursor_word_is(name, "$Nodes")) return read_nodes(file);
  if (cursor_word_is(name, "$Elements")) return read_elements(file);
  if (!is_irrelevant(name)) unknown_lines_add(&file->builder->mesh.unknown, position);
  return pass_over_section(file, name);
}

static bool read_file(gmsh_file *file) {
  if (!read_header(file)) return false;
  while (value_cursor_skip_blanks(&file->cursor)) {
    if (!read_section(file)) return false;
  }
  if (!file->has_nodes) return mesh_fail(file->cursor.reading, "the file has no section $Nodes");
  return true;
}

bool mesh_read_gmsh(const mesh_reading *given, mesh **meshes_out, size_t *mesh_count_out) {
  mesh_reading reading;
  if (!text_encoding_start(given, &reading)) return false;
  element_builder builder;
  element_builder_start(&builder, &reading);
  gmsh_file file = {.cursor = value_cursor_start(&reading, false), .builder = &builder};
  const bool done = read_file(&file);
  node_tags_free(&file.tags, &reading.memory);
  if (done) return element_builder_finish(&builder, meshes_out, mesh_count_out);
  element_builder_free(&builder);
  return false;
}
