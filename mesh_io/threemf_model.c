/* Reads model parts of 3MF (3MF Consortium, "3D Manufacturing Format, core specification", 1.3.0, 2021) with the paths
 * of its production extension. Elements of the core have the prefix of the element model, usually none; others are
 * skipped, except those that affect the shape, which are refused. */
#include "mesh_io/threemf_model.h"

#include "mesh_io/mesh_builder.h"
#include "mesh_io/number_scanner.h"
#include "mesh_io/text_encoding.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME_BYTES = 256 };

typedef struct part_pass {
  threemf_model *model;
  const mesh_reading *reading;
  xml_scanner scanner;
  xml_span prefix; /* of the core */
  size_t part;
  threemf_object object; /* being read */
} part_pass;

static bool grow(const part_pass *pass, void *block, size_t *capacity, size_t count, size_t more, size_t element_bytes,
                 const char *what) {
  void *moved;
  memcpy(&moved, block, sizeof moved);
  const bool fits = mesh_builder_grow(pass->reading, &moved, capacity, count, more, element_bytes, what);
  memcpy(block, &moved, sizeof moved);
  return fits;
}

static bool is_core(const part_pass *pass, xml_span name, const char *local) {
  const xml_span prefix = xml_prefix(name);
  return prefix.length == pass->prefix.length && memcmp(prefix.text, pass->prefix.text, prefix.length) == 0 &&
         xml_span_is(xml_local_name(name), local);
}

static bool refuse_value(const part_pass *pass, xml_span name, xml_span value, const char *expected) {
  const mesh_quote attribute = mesh_quote_text(name.text, name.length);
  const mesh_quote quote = mesh_quote_text(value.text, value.length);
  return mesh_fail_at(pass->reading, name.text, "%s is \"%s\", which is not %s", attribute.text, quote.text, expected);
}

/* ---------------------------------------------------------------------------------------------------- values */

static const char *skip_value_blanks(const char *p, const char *end) {
  while (p < end && is_delimiter(*p)) p++;
  return p;
}

/* The quote after a value ends every number in it. */
static const char *scan_value(const char *p, const char *end, double *value_out) {
  p = skip_value_blanks(p, end);
  if (*p == '+' && p[1] != '-') p++;
  const char *const after = p < end ? scan_number(p, value_out) : NULL;
  if (!after || !isfinite(*value_out) || (after < end && !is_delimiter(*after))) return NULL;
  return skip_value_blanks(after, end);
}

static bool read_coordinate(const part_pass *pass, xml_span name, xml_span value, double *value_out) {
  const char *const end = value.text + value.length;
  if (scan_value(value.text, end, value_out) == end) return true;
  return refuse_value(pass, name, value, "a finite number");
}

static bool read_whole(const part_pass *pass, xml_span name, xml_span value, uint32_t *value_out) {
  const char *const end = value.text + value.length;
  const char *const first = skip_value_blanks(value.text, end);
  uint64_t number = 0;
  const char *const after = first < end ? scan_digits(first, &number) : first;
  if (after == first || after - first > 10 || number > INT32_MAX || skip_value_blanks(after, end) != end) {
    return refuse_value(pass, name, value, "a whole number from 0 to 2147483647");
  }
  *value_out = (uint32_t)number;
  return true;
}

/* Four columns of three numbers each; points are rows. */
static bool read_map(const part_pass *pass, xml_span name, xml_span value, affine *map_out) {
  const char *const end = value.text + value.length;
  const char *p = value.text;
  for (int i = 0; p && i < 12; i++) p = scan_value(p, end, &map_out->row[i % 3][i / 3]);
  return p == end || refuse_value(pass, name, value, "12 finite numbers");
}

/* ---------------------------------------------------------------------------------------------------- meshes */

/* Reads three attributes by their names, each once; others are skipped. Returns the found ones as bits; -1 after a
 * message. */
static int take_three(part_pass *pass, const char *const names[3], xml_span names_out[3], xml_span values_out[3]) {
  int found = 0;
  xml_span name, value;
  while (xml_take_attribute(&pass->scanner, &name, &value)) {
    for (int i = 0; i < 3; i++) {
      if (!xml_span_is(name, names[i])) continue;
      if (found & 1 << i) {
        mesh_fail_at(pass->reading, name.text, "attribute %s is repeated", names[i]);
        return -1;
      }
      found |= 1 << i;
      names_out[i] = name;
      values_out[i] = value;
    }
  }
  if (pass->scanner.has_failed) return -1;
  return found;
}

static bool read_vertex(part_pass *pass) {
  static const char *const axes[3] = {"x", "y", "z"};
  threemf_model *const model = pass->model;
  xml_span names[3], values[3];
  const char *const start = pass->scanner.p;
  const int found = take_three(pass, axes, names, values);
  if (found < 0) return false;
  if (found != 7) return mesh_fail_at(pass->reading, start, "vertex %zu lacks x, y or z", pass->object.vertex_count);
  if (!grow(pass, &model->vertices, &model->vertex_capacity, model->vertex_count, 1, 3 * sizeof(double), "vertices")) {
    return false;
  }
  double *const position = model->vertices + 3 * model->vertex_count;
  for (int i = 0; i < 3; i++) {
    if (!read_coordinate(pass, names[i], values[i], &position[i])) return false;
  }
  model->vertex_count++;
  pass->object.vertex_count++;
  return true;
}

static bool read_triangle(part_pass *pass) {
  static const char *const corners[3] = {"v1", "v2", "v3"};
  threemf_model *const model = pass->model;
  xml_span names[3], values[3];
  const char *const start = pass->scanner.p;
  const int found = take_three(pass, corners, names, values);
  if (found < 0) return false;
  if (found != 7) {
    return mesh_fail_at(pass->reading, start, "triangle %zu lacks v1, v2 or v3", pass->object.triangle_count);
  }
  if (!grow(pass, &model->triangles, &model->triangle_capacity, model->triangle_count, 1, 3 * sizeof(uint32_t),
            "triangles")) {
    return false;
  }
  uint32_t *const triangle = model->triangles + 3 * model->triangle_count;
  for (int i = 0; i < 3; i++) {
    if (!read_whole(pass, names[i], values[i], &triangle[i])) return false;
    if (triangle[i] < pass->object.vertex_count) continue;
    return mesh_fail_at(pass->reading, names[i].text,
                        "triangle %zu refers to vertex %lu, but the mesh has %zu vertices", pass->object.triangle_count,
                        (unsigned long)triangle[i], pass->object.vertex_count);
  }
  model->triangle_count++;
  pass->object.triangle_count++;
  return true;
}

static bool refuse_shape(const part_pass *pass, xml_span name) {
  static const char *const shapes[] = {"beamlattice",           "booleanshape", "displacementmesh",
                                       "displacementtriangles", "levelset",     "alternatives"};
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    if (!xml_span_is(xml_local_name(name), shapes[i])) continue;
    const mesh_quote quote = mesh_quote_text(name.text, name.length);
    return mesh_fail_at(pass->reading, name.text, "%s belongs to an unsupported extension", quote.text);
  }
  return true;
}

static bool read_mesh(part_pass *pass, size_t depth) {
  xml_span name, inner;
  while (xml_next_child(&pass->scanner, depth, &name)) {
    const bool are_vertices = is_core(pass, name, "vertices"), are_triangles = is_core(pass, name, "triangles");
    if (!refuse_shape(pass, name)) return false;
    if (!are_vertices && !are_triangles) continue;
    while (xml_next_child(&pass->scanner, depth + 1, &inner)) {
      if (are_vertices && is_core(pass, inner, "vertex") && !read_vertex(pass)) return false;
      if (are_triangles && is_core(pass, inner, "triangle") && !read_triangle(pass)) return false;
    }
  }
  return !pass->scanner.has_failed;
}

/* ---------------------------------------------------------------------------------------------------- placing */

bool threemf_model_add_part(threemf_model *model, const mesh_reading *text, xml_span path, size_t *part_out) {
  xml_span bare = path;
  if (bare.length > 0 && *bare.text == '/') bare = (xml_span){path.text + 1, path.length - 1};
  zip_entry *const entry = zip_archive_find(model->archive, bare.text, bare.length);
  if (!entry) {
    return mesh_fail(text, "the part \"%s\" is not in the file", mesh_quote_text(path.text, path.length).text);
  }
  if (entry->user == 0) {
    void *block = model->parts;
    const bool fits =
        mesh_builder_grow(text, &block, &model->part_capacity, model->part_count, 1, sizeof(zip_entry *), "parts");
    model->parts = block;
    if (!fits) return false;
    model->parts[model->part_count++] = entry;
    entry->user = model->part_count;
  }
  *part_out = entry->user - 1;
  return true;
}

/* The attributes of a component or an item. */
static bool read_placing(part_pass *pass, threemf_placing *placing) {
  const char *const start = pass->scanner.p;
  xml_span name, value;
  bool has_object = false;
  *placing = (threemf_placing){{pass->part, 0}, affine_identity()};
  while (xml_take_attribute(&pass->scanner, &name, &value)) {
    if (xml_span_is(name, "objectid")) {
      has_object = true;
      if (!read_whole(pass, name, value, &placing->object.id)) return false;
    } else if (xml_span_is(name, "transform")) {
      if (!read_map(pass, name, value, &placing->map)) return false;
    } else if (xml_prefix(name).length > 0 && xml_span_is(xml_local_name(name), "path")) {
      if (!threemf_model_add_part(pass->model, pass->reading, value, &placing->object.part)) return false;
    }
  }
  if (pass->scanner.has_failed) return false;
  return has_object || mesh_fail_at(pass->reading, start, "a component or item without objectid");
}

static bool read_components(part_pass *pass, size_t depth) {
  threemf_model *const model = pass->model;
  xml_span name;
  while (xml_next_child(&pass->scanner, depth, &name)) {
    if (!is_core(pass, name, "component")) continue;
    if (!grow(pass, &model->components, &model->component_capacity, model->component_count, 1,
              sizeof *model->components, "components") ||
        !read_placing(pass, &model->components[model->component_count])) {
      return false;
    }
    model->component_count++;
    pass->object.placing_count++;
  }
  return !pass->scanner.has_failed;
}

static bool read_build(part_pass *pass, size_t depth) {
  threemf_model *const model = pass->model;
  xml_span name;
  while (xml_next_child(&pass->scanner, depth, &name)) {
    if (!is_core(pass, name, "item")) continue;
    if (!grow(pass, &model->items, &model->item_capacity, model->item_count, 1, sizeof *model->items, "items") ||
        !read_placing(pass, &model->items[model->item_count])) {
      return false;
    }
    model->item_count++;
  }
  return !pass->scanner.has_failed;
}

/* ---------------------------------------------------------------------------------------------------- objects */

static bool keep_name(part_pass *pass, xml_span value) {
  threemf_model *const model = pass->model;
  char name[NAME_BYTES];
  xml_decode(value, name, sizeof name);
  const size_t length = strlen(name) + 1;
  if (!grow(pass, &model->names, &model->name_capacity, model->name_bytes, length + 1, 1, "bytes of names")) {
    return false;
  }
  if (model->name_bytes == 0) model->names[model->name_bytes++] = '\0';
  memcpy(model->names + model->name_bytes, name, length);
  pass->object.name = model->name_bytes;
  model->name_bytes += length;
  return true;
}

static bool read_object_attributes(part_pass *pass) {
  const char *const start = pass->scanner.p;
  bool has_id = false;
  xml_span name, value;
  while (xml_take_attribute(&pass->scanner, &name, &value)) {
    if (xml_span_is(name, "id")) {
      has_id = true;
      if (!read_whole(pass, name, value, &pass->object.self.id)) return false;
    } else if (xml_span_is(name, "name") && pass->object.name == 0) {
      if (!keep_name(pass, value)) return false;
    }
  }
  if (pass->scanner.has_failed) return false;
  return has_id || mesh_fail_at(pass->reading, start, "an object without id");
}

static bool read_object(part_pass *pass, size_t depth) {
  threemf_model *const model = pass->model;
  xml_span name;
  pass->object = (threemf_object){.self = {pass->part, 0},
                                  .first_vertex = model->vertex_count,
                                  .first_triangle = model->triangle_count,
                                  .first_placing = model->component_count};
  if (!read_object_attributes(pass)) return false;
  while (xml_next_child(&pass->scanner, depth, &name)) {
    if (!refuse_shape(pass, name)) return false;
    if (is_core(pass, name, "mesh") && !read_mesh(pass, depth + 1)) return false;
    if (is_core(pass, name, "components") && !read_components(pass, depth + 1)) return false;
  }
  if (pass->scanner.has_failed) return false;
  if (!grow(pass, &model->objects, &model->object_capacity, model->object_count, 1, sizeof *model->objects,
            "objects")) {
    return false;
  }
  model->objects[model->object_count++] = pass->object;
  return true;
}

/* ---------------------------------------------------------------------------------------------------- the part */

/* Extensions that a reader must know, but that do not affect the shape; and paths, which are supported. */
static bool is_harmless(xml_span uri) {
  static const char *const known[] = {"http://schemas.microsoft.com/3dmanufacturing/production/2015/06",
                                      "http://schemas.microsoft.com/3dmanufacturing/material/2015/02",
                                      "http://schemas.microsoft.com/3dmanufacturing/trianglesets/2021/07"};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (xml_span_is(uri, known[i])) return true;
  }
  return false;
}

/* Resolves a prefix by the attributes of the element that the scanner has just found; returns the prefix itself if it
 * is not declared. */
static xml_span find_namespace(xml_scanner scanner, xml_span prefix) {
  xml_span name, value;
  mesh_reading silent = *scanner.reading;
  silent.error_bytes = 0; /* the main pass refuses a damaged tag */
  scanner.reading = &silent;
  while (xml_take_attribute(&scanner, &name, &value)) {
    const xml_span local = xml_local_name(name);
    if (xml_span_is(xml_prefix(name), "xmlns") && local.length == prefix.length &&
        memcmp(local.text, prefix.text, prefix.length) == 0) {
      return value;
    }
  }
  return prefix;
}

static bool check_extensions(const part_pass *pass, const xml_scanner *at_attributes, xml_span required) {
  enum { EXTENSIONS_MAX = 64 };
  const char *p = required.text;
  const char *const end = p + required.length;
  for (int count = 0;; count++) {
    p = skip_value_blanks(p, end);
    if (p == end) return true;
    const char *after = p;
    while (after < end && !is_delimiter(*after)) after++;
    const xml_span uri = find_namespace(*at_attributes, (xml_span){p, (size_t)(after - p)});
    if (count == EXTENSIONS_MAX || !is_harmless(uri)) {
      char words[128];
      xml_decode(uri, words, sizeof words);
      return mesh_fail_at(pass->reading, p, "the required extension %s is not supported", words);
    }
    p = after;
  }
}

static bool read_model(part_pass *pass) {
  xml_span name, value;
  if (!xml_next_child(&pass->scanner, 0, &name)) {
    return !pass->scanner.has_failed && mesh_fail(pass->reading, "the file has no elements");
  }
  if (!xml_span_is(xml_local_name(name), "model")) {
    return mesh_fail_at(pass->reading, name.text, "expected the element model, found %s",
                        mesh_quote_text(name.text, name.length).text);
  }
  pass->prefix = xml_prefix(name);
  const xml_scanner at_attributes = pass->scanner;
  while (xml_take_attribute(&pass->scanner, &name, &value)) {
    if (xml_span_is(name, "requiredextensions") && !check_extensions(pass, &at_attributes, value)) return false;
  }
  while (xml_next_child(&pass->scanner, 1, &name)) {
    if (is_core(pass, name, "resources")) {
      while (xml_next_child(&pass->scanner, 2, &name)) {
        if (is_core(pass, name, "object") && !read_object(pass, 3)) return false;
      }
    } else if (pass->part == 0 && is_core(pass, name, "build")) {
      if (!read_build(pass, 2)) return false;
    }
  }
  if (!pass->scanner.has_failed && xml_next_child(&pass->scanner, 0, &name)) return false;
  return !pass->scanner.has_failed;
}

bool threemf_model_read_part(threemf_model *model, const mesh_reading *file, size_t part) {
  mesh_reading text;
  if (!text_encoding_start(file, &text)) return false;
  part_pass pass = {.model = model, .reading = &text, .scanner = xml_scanner_start(&text), .part = part};
  return read_model(&pass);
}

void threemf_model_free(threemf_model *model) {
  const mesh_memory *memory = &model->archive->reading->memory;
  mesh_release(memory, model->parts);
  mesh_release(memory, model->objects);
  mesh_release(memory, model->vertices);
  mesh_release(memory, model->triangles);
  mesh_release(memory, model->components);
  mesh_release(memory, model->items);
  mesh_release(memory, model->names);
}
