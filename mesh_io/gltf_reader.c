/* glTF 2.0 (Khronos Group, "glTF 2.0 specification", 2021): .gltf text with its buffers, and binary .glb files. Reads
 * the triangles of every mesh of a node in the scene, placed by the transform of the node.
 *
 * Workload: up to millions of triangles in a few meshes, or thousands of nodes that place one mesh repeatedly. The
 * format repeats a vertex for each of its normals and texture coordinates; such vertices are merged (weld.h) in each
 * placed mesh, because otherwise every edge of a box would look open.
 *
 * The scene is the default one, else the first; without scenes, all nodes. Textures, materials, lights, cameras and
 * animations do not affect the shape and are skipped; points and lines are skipped and counted. Unsupported features
 * that affect the shape are refused by name. */
#include "mesh_io/affine.h"
#include "mesh_io/byte_order.h"
#include "mesh_io/expansion_limit.h"
#include "mesh_io/gltf_buffers.h"
#include "mesh_io/mesh_name.h"
#include "mesh_io/text_encoding.h"
#include "mesh_io/weld.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct gltf_primitive {
  size_t positions;
  uint64_t indices; /* GLTF_ABSENT: vertices in order */
} gltf_primitive;

typedef struct gltf_mesh {
  size_t first_primitive, primitive_count;
  uint64_t triangle_count;
  uint64_t point_count, line_count; /* skipped */
  const char *name;
  bool is_read;
} gltf_mesh;

typedef struct node_visit {
  size_t node;
  affine world; /* of the parent */
} node_visit;

typedef struct gltf_scene {
  gltf_text text;
  gltf_buffers buffers;
  gltf_list mesh_list, node_list, scene_list;
  gltf_mesh *meshes;
  gltf_primitive *primitives;
  size_t primitive_count, primitive_capacity;
  bool *is_reached; /* by node */
  node_visit *visits;
  size_t visit_count;
  uint64_t triangle_count; /* of all meshes placed so far */
  mesh_builder builder;
} gltf_scene;

static bool make_zeroed(const gltf_scene *scene, size_t count, size_t element_bytes, void **block_out) {
  *block_out = NULL;
  if (count == 0) return true;
  if (!mesh_resize(&scene->text.reading->memory, block_out, count, element_bytes)) {
    return mesh_fail(scene->text.reading, "out of memory for %zu nodes or meshes", count);
  }
  memset(*block_out, 0, count * element_bytes);
  return true;
}

static const char *name_of(const gltf_scene *scene, const gltf_place *place) {
  const json_value *name = gltf_member(&scene->text, place, "name");
  return name && name->kind == JSON_STRING ? name->text : "";
}

/* ---------------------------------------------------------------------------------------------------- meshes */

static bool refuse_weights(const gltf_scene *scene, const gltf_place *place) {
  const json_value *weights = gltf_member(&scene->text, place, "weights");
  if (!weights) return true;
  for (size_t i = weights->first; i != 0; i = scene->text.document.values[i].next) {
    if (scene->text.document.values[i].number != 0) {
      return gltf_fail(&scene->text, place, ".weights: morph targets are not supported");
    }
  }
  return true;
}

enum { GLTF_POINTS, GLTF_LINES, GLTF_LINE_LOOP, GLTF_LINE_STRIP, GLTF_TRIANGLES, GLTF_MODES = GLTF_TRIANGLES + 3 };

static bool take_mode(const gltf_scene *scene, const gltf_place *place, uint64_t *mode_out) {
  if (!gltf_take_whole(&scene->text, place, "mode", GLTF_TRIANGLES, GLTF_MODES - 1, mode_out)) return false;
  if (*mode_out <= GLTF_TRIANGLES) return true;
  return gltf_fail(&scene->text, place, ".mode is %d: triangle %s are not supported, only triangles (mode 4)",
                   (int)*mode_out, *mode_out == GLTF_TRIANGLES + 1 ? "strips" : "fans");
}

static bool check_positions(const gltf_scene *scene, size_t number, const gltf_accessor *accessor) {
  const bool is_quantized = accessor->component < GLTF_UINT32;
  if (accessor->width == 3 && (accessor->component == GLTF_FLOAT || is_quantized)) return true;
  return mesh_fail(scene->text.reading,
                   "accessors[%zu] holds positions, but is not a VEC3 of floats or of integers of 8 or 16 bits",
                   number);
}

static bool check_indices(const gltf_scene *scene, size_t number, const gltf_accessor *accessor) {
  const bool is_unsigned =
      accessor->component == GLTF_UINT8 || accessor->component == GLTF_UINT16 || accessor->component == GLTF_UINT32;
  if (accessor->width == 1 && is_unsigned) return true;
  return mesh_fail(scene->text.reading,
                   "accessors[%zu] holds indices, but is not a SCALAR of unsigned integers of 8, 16 or 32 bits",
                   number);
}

/* Finds the accessor of the positions, and that of the indices, GLTF_ABSENT without any. */
static bool take_accessors(const gltf_scene *scene, const gltf_place *place, gltf_primitive *primitive) {
  const gltf_text *text = &scene->text;
  const json_value *attributes = gltf_member(text, place, "attributes");
  const json_value *position = attributes ? json_find_any(&text->document, attributes, "POSITION") : NULL;
  uint64_t number;
  if (!position) return gltf_fail(text, place, ".attributes has no \"POSITION\"");
  if (!gltf_read_reference(text, place, "attributes.POSITION", position, &scene->buffers.accessor_list, &number) ||
      !gltf_take_reference(text, place, "indices", GLTF_ABSENT, &scene->buffers.accessor_list, &primitive->indices)) {
    return false;
  }
  primitive->positions = (size_t)number;
  return true;
}

/* Counts points and lines, whose data is not loaded. */
static bool skip_primitive(const gltf_scene *scene, const gltf_place *place, uint64_t mode, gltf_mesh *m) {
  const gltf_list *list = &scene->buffers.accessor_list;
  gltf_primitive primitive;
  uint64_t count;
  if (!take_accessors(scene, place, &primitive)) return false;
  const bool has_indices = primitive.indices != GLTF_ABSENT;
  const gltf_place corners =
      gltf_list_place(&scene->text, list, has_indices ? (size_t)primitive.indices : primitive.positions);
  if (!gltf_take_whole(&scene->text, &corners, "count", GLTF_NEEDED, MESH_ELEMENTS_MAX, &count)) return false;
  if (mode == GLTF_POINTS)
    m->point_count += count;
  else
    m->line_count += mode == GLTF_LINES ? count / 2 : mode == GLTF_LINE_STRIP && count > 0 ? count - 1 : count;
  return true;
}

static bool read_primitive(gltf_scene *scene, const gltf_place *place, gltf_mesh *m) {
  const gltf_text *text = &scene->text;
  gltf_primitive *const primitive = &scene->primitives[scene->primitive_count];
  uint64_t mode;
  if (!take_mode(scene, place, &mode)) return false;
  if (mode < GLTF_TRIANGLES) return skip_primitive(scene, place, mode, m);
  if (gltf_extension(text, place, "KHR_draco_mesh_compression")) {
    return gltf_fail(text, place, " is compressed by KHR_draco_mesh_compression, which is not supported");
  }
  if (!take_accessors(scene, place, primitive)) return false;
  const gltf_accessor *corners = gltf_buffers_accessor(&scene->buffers, primitive->positions);
  if (!corners || !check_positions(scene, primitive->positions, corners)) return false;
  if (primitive->indices != GLTF_ABSENT) {
    corners = gltf_buffers_accessor(&scene->buffers, (size_t)primitive->indices);
    if (!corners || !check_indices(scene, (size_t)primitive->indices, corners)) return false;
  }
  if (corners->count % 3 != 0) {
    return gltf_fail(text, place, " has %llu corners, which is not a multiple of 3",
                     (unsigned long long)corners->count);
  }
  scene->primitive_count++;
  m->primitive_count++;
  m->triangle_count += corners->count / 3; /* each below 2^32, so that no sum overflows */
  return true;
}

static bool read_primitives(gltf_scene *scene, const gltf_place *place, const json_value *array, gltf_mesh *m) {
  const json_document *document = &scene->text.document;
  size_t number = 0;
  m->first_primitive = scene->primitive_count;
  for (size_t i = array->first; i != 0; i = document->values[i].next, number++) {
    gltf_place inner = *place;
    inner.value = &document->values[i];
    inner.inner = "primitives";
    inner.inner_index = number;
    void *block = scene->primitives;
    const bool fits = mesh_builder_grow(scene->text.reading, &block, &scene->primitive_capacity, scene->primitive_count,
                                        1, sizeof(gltf_primitive), "primitives");
    scene->primitives = block;
    if (!fits || !read_primitive(scene, &inner, m)) return false;
  }
  return true;
}

static bool read_mesh(gltf_scene *scene, size_t number) {
  gltf_mesh *const m = &scene->meshes[number];
  if (m->is_read) return true;
  const gltf_place place = gltf_list_place(&scene->text, &scene->mesh_list, number);
  const json_value *array = gltf_member(&scene->text, &place, "primitives");
  if (!array || array->kind != JSON_ARRAY) return gltf_fail(&scene->text, &place, " has no array \"primitives\"");
  if (!refuse_weights(scene, &place) || !read_primitives(scene, &place, array, m)) return false;
  m->name = name_of(scene, &place);
  m->is_read = true;
  return true;
}

/* ---------------------------------------------------------------------------------------------------- triangles */

/* Integers are plain numbers or, normalized, fractions of the largest (KHR_mesh_quantization). */
static double load_component(const char *p, const gltf_accessor *accessor) {
  double value, largest;
  switch (accessor->component) {
  case GLTF_INT8:
    value = (double)(int8_t)load_bits(p, 1, false);
    largest = 127;
    break;
  case GLTF_UINT8:
    value = (double)load_bits(p, 1, false);
    largest = 255;
    break;
  case GLTF_INT16:
    value = (double)(int16_t)load_bits(p, 2, false);
    largest = 32767;
    break;
  case GLTF_UINT16:
    value = (double)load_bits(p, 2, false);
    largest = 65535;
    break;
  default: {
    const uint32_t bits = (uint32_t)load_bits(p, 4, false);
    float number;
    memcpy(&number, &bits, sizeof number);
    return (double)number;
  }
  }
  if (!accessor->normalized) return value;
  return value < -largest ? -1 : value / largest;
}

static size_t component_step(const gltf_accessor *accessor) {
  return accessor->component <= GLTF_UINT8 ? 1 : accessor->component <= GLTF_UINT16 ? 2 : 4;
}

typedef struct placed_primitive {
  gltf_place node;
  const gltf_primitive *primitive;
  const gltf_accessor *positions, *indices; /* indices NULL: vertices in order */
  affine world;
} placed_primitive;

static bool place_vertex(gltf_scene *scene, weld_table *table, const placed_primitive *placed, uint64_t vertex,
                         uint32_t *number_out) {
  const gltf_accessor *accessor = placed->positions;
  const char *const p = accessor->first + vertex * accessor->stride;
  double local[3], world[3];
  for (size_t axis = 0; axis < 3; axis++) {
    local[axis] = load_component(p + axis * component_step(accessor), accessor);
    if (isfinite(local[axis])) continue;
    return mesh_fail(
        scene->text.reading, "accessors[%zu]: vertex %llu has the %c coordinate %s, which is not a finite number",
        placed->primitive->positions, (unsigned long long)vertex, "xyz"[axis], mesh_quote_number(local[axis]).text);
  }
  affine_apply(&placed->world, local, world);
  for (int axis = 0; axis < 3; axis++) {
    if (isfinite(world[axis])) continue;
    return gltf_fail(&scene->text, &placed->node,
                     " places vertex %llu of accessors[%zu] at the %c coordinate %s, which is not a finite number",
                     (unsigned long long)vertex, placed->primitive->positions, "xyz"[axis],
                     mesh_quote_number(world[axis]).text);
  }
  return weld_vertex(table, &scene->builder, world, number_out);
}

static bool place_primitive(gltf_scene *scene, weld_table *table, const placed_primitive *placed) {
  const gltf_accessor *indices = placed->indices;
  const uint64_t corner_count = (indices ? indices : placed->positions)->count;
  const size_t index_bytes = indices ? component_step(indices) : 0;
  const bool is_mirror = affine_is_mirror(&placed->world);
  for (uint64_t i = 0; i < corner_count; i += 3) {
    uint32_t corners[3];
    for (uint64_t j = 0; j < 3; j++) {
      const uint64_t vertex =
          indices ? load_bits(indices->first + (i + j) * indices->stride, index_bytes, false) : i + j;
      if (vertex >= placed->positions->count) {
        return mesh_fail(
            scene->text.reading, "accessors[%llu]: index %llu refers to vertex %llu, but accessors[%zu] has %llu",
            (unsigned long long)placed->primitive->indices, (unsigned long long)(i + j), (unsigned long long)vertex,
            placed->primitive->positions, (unsigned long long)placed->positions->count);
      }
      if (!place_vertex(scene, table, placed, vertex, &corners[j])) return false;
    }
    /* The orientation of a mirrored surface is reversed, so that it does not point inward. */
    const int second = is_mirror ? 2 : 1;
    if (!mesh_builder_add_triangle(&scene->builder, corners[0], corners[second], corners[3 - second])) return false;
  }
  return true;
}

static bool place_mesh(gltf_scene *scene, const gltf_place *node, size_t number, const affine *world) {
  if (!read_mesh(scene, number)) return false;
  const gltf_mesh *const m = &scene->meshes[number];
  scene->builder.elements.skipped[ELEMENT_POINT] += m->point_count;
  scene->builder.elements.skipped[ELEMENT_LINE] += m->line_count;
  if (m->triangle_count == 0) return true;
  const uint64_t file_bytes = scene->text.reading->size + scene->buffers.loaded_bytes;
  scene->triangle_count += m->triangle_count;
  const char *name = name_of(scene, node);
  if (*name == '\0') name = m->name;
  if (!expansion_allows_triangles(scene->text.reading, scene->triangle_count, file_bytes) ||
      !mesh_builder_start_part(&scene->builder, name)) {
    return false;
  }
  weld_table table = {.first_vertex = scene->builder.m.vertex_count};
  bool done = true;
  for (size_t i = 0; done && i < m->primitive_count; i++) {
    const gltf_primitive *primitive = &scene->primitives[m->first_primitive + i];
    const gltf_accessor *indices =
        primitive->indices == GLTF_ABSENT ? NULL : &scene->buffers.accessors[primitive->indices];
    const placed_primitive placed = {*node, primitive, &scene->buffers.accessors[primitive->positions], indices,
                                     *world};
    done = place_primitive(scene, &table, &placed);
  }
  weld_free(&table, &scene->text.reading->memory);
  return done;
}

/* ---------------------------------------------------------------------------------------------------- nodes */

/* A quaternion of any length represents the same rotation. */
static bool rotate(const gltf_scene *scene, const gltf_place *place, const double q[4], affine *map) {
  const double x = q[0], y = q[1], z = q[2], w = q[3];
  const double s = 2 / (x * x + y * y + z * z + w * w);
  if (!isfinite(s) || s == 0) return gltf_fail(&scene->text, place, ".rotation is not a quaternion of length 1");
  const double turn[3][3] = {{1 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w)},
                             {s * (x * y + z * w), 1 - s * (x * x + z * z), s * (y * z - x * w)},
                             {s * (x * z - y * w), s * (y * z + x * w), 1 - s * (x * x + y * y)}};
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) map->row[i][j] = turn[i][j];
  }
  return true;
}

/* A matrix by columns, or a scale, then a rotation, then a translation. */
static bool read_transform(const gltf_scene *scene, const gltf_place *place, affine *map_out) {
  const gltf_text *text = &scene->text;
  double matrix[16], translation[3] = {0, 0, 0}, rotation[4] = {0, 0, 0, 1}, scale[3] = {1, 1, 1};
  bool has_matrix, has_rotation, is_given;
  if (!gltf_take_numbers(text, place, "matrix", 16, matrix, &has_matrix) ||
      !gltf_take_numbers(text, place, "translation", 3, translation, &is_given) ||
      !gltf_take_numbers(text, place, "rotation", 4, rotation, &has_rotation) ||
      !gltf_take_numbers(text, place, "scale", 3, scale, &is_given)) {
    return false;
  }
  *map_out = affine_identity();
  if (has_matrix) {
    if (matrix[3] != 0 || matrix[7] != 0 || matrix[11] != 0 || matrix[15] != 1) {
      return gltf_fail(text, place, ".matrix has the last row %g %g %g %g, not 0 0 0 1", matrix[3], matrix[7],
                       matrix[11], matrix[15]);
    }
    for (int i = 0; i < 12; i++) map_out->row[i % 3][i / 3] = matrix[i / 3 * 4 + i % 3];
    return true;
  }
  if (has_rotation && !rotate(scene, place, rotation, map_out)) return false;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) map_out->row[i][j] *= scale[j];
    map_out->row[i][3] = translation[i];
  }
  return true;
}

static bool reach(gltf_scene *scene, size_t node, const affine *world) {
  if (scene->is_reached[node]) {
    return mesh_fail(scene->text.reading, "nodes[%zu] is reached twice: it has two parents or is its own ancestor",
                     node);
  }
  scene->is_reached[node] = true;
  scene->visits[scene->visit_count++] = (node_visit){node, *world};
  return true;
}

/* Pushes the nodes of an array in reverse order, so that the first is visited first. */
static bool reach_all(gltf_scene *scene, const gltf_place *place, const char *key, const affine *world) {
  const json_document *document = &scene->text.document;
  const json_value *array = gltf_member(&scene->text, place, key);
  const size_t first = scene->visit_count;
  if (!array) return true;
  if (array->kind != JSON_ARRAY) {
    return gltf_fail(&scene->text, place, ".%s is %s, not an array", key, gltf_quote(array).text);
  }
  for (size_t i = array->first; i != 0; i = document->values[i].next) {
    uint64_t node;
    if (!gltf_read_reference(&scene->text, place, key, &document->values[i], &scene->node_list, &node) ||
        !reach(scene, (size_t)node, world)) {
      return false;
    }
  }
  for (size_t a = first, b = scene->visit_count; a + 1 < b; a++) {
    const node_visit visit = scene->visits[a];
    scene->visits[a] = scene->visits[--b];
    scene->visits[b] = visit;
  }
  return true;
}

static bool visit_node(gltf_scene *scene, const node_visit *visit) {
  const gltf_text *text = &scene->text;
  const gltf_place place = gltf_list_place(text, &scene->node_list, visit->node);
  affine local;
  uint64_t mesh_number;
  if (!read_transform(scene, &place, &local) ||
      !gltf_take_reference(text, &place, "mesh", GLTF_ABSENT, &scene->mesh_list, &mesh_number)) {
    return false;
  }
  const affine world = affine_compose(&visit->world, &local);
  if (mesh_number != GLTF_ABSENT) {
    if (gltf_member(text, &place, "skin")) return gltf_fail(text, &place, ".skin: skinned meshes are not supported");
    if (gltf_extension(text, &place, "EXT_mesh_gpu_instancing")) {
      return gltf_fail(text, &place, " has instances by EXT_mesh_gpu_instancing, which is not supported");
    }
    if (!refuse_weights(scene, &place) || !place_mesh(scene, &place, (size_t)mesh_number, &world)) return false;
  }
  return reach_all(scene, &place, "children", &world);
}

static bool visit_reached(gltf_scene *scene) {
  while (scene->visit_count > 0) {
    const node_visit visit = scene->visits[--scene->visit_count];
    if (!visit_node(scene, &visit)) return false;
  }
  return true;
}

/* Marks the children of every node; the others are roots. */
static bool mark_children(const gltf_scene *scene, bool *is_child) {
  const json_document *document = &scene->text.document;
  for (size_t node = 0; node < scene->node_list.count; node++) {
    const gltf_place place = gltf_list_place(&scene->text, &scene->node_list, node);
    const json_value *children = gltf_member(&scene->text, &place, "children");
    for (size_t i = children ? children->first : 0; i != 0; i = document->values[i].next) {
      uint64_t child;
      if (!gltf_read_reference(&scene->text, &place, "children", &document->values[i], &scene->node_list, &child)) {
        return false;
      }
      is_child[child] = true;
    }
  }
  return true;
}

static bool visit_all_nodes(gltf_scene *scene) {
  const affine identity = affine_identity();
  void *is_child;
  if (!make_zeroed(scene, scene->node_list.count, sizeof(bool), &is_child)) return false;
  bool done = mark_children(scene, is_child);
  for (size_t i = 0; done && i < scene->node_list.count; i++) {
    if (!((const bool *)is_child)[i]) done = reach(scene, i, &identity) && visit_reached(scene);
  }
  mesh_release(&scene->text.reading->memory, is_child);
  for (size_t i = 0; done && i < scene->node_list.count; i++) {
    if (!scene->is_reached[i]) done = mesh_fail(scene->text.reading, "nodes[%zu] is its own ancestor", i);
  }
  return done;
}

static bool visit_scene(gltf_scene *scene) {
  const affine identity = affine_identity();
  const json_document *document = &scene->text.document;
  if (scene->scene_list.count == 0) return visit_all_nodes(scene);
  size_t number = 0;
  const json_value *given = json_find_any(document, &document->values[0], "scene");
  if (given) {
    if (given->kind != JSON_NUMBER || !(given->number >= 0 && given->number < (double)scene->scene_list.count) ||
        given->number != floor(given->number)) {
      return mesh_fail(scene->text.reading, "scene is %s, but there are %zu scenes", gltf_quote(given).text,
                       scene->scene_list.count);
    }
    number = (size_t)given->number;
  }
  const gltf_place place = gltf_list_place(&scene->text, &scene->scene_list, number);
  return reach_all(scene, &place, "nodes", &identity) && visit_reached(scene);
}

/* ---------------------------------------------------------------------------------------------------- the file */

static bool check_version(const gltf_text *text) {
  const json_document *document = &text->document;
  if (document->values[0].kind != JSON_OBJECT) return mesh_fail(text->reading, "the JSON text is not an object");
  const json_value *asset = json_find(document, &document->values[0], "asset", JSON_OBJECT);
  const json_value *version = asset ? json_find(document, asset, "version", JSON_STRING) : NULL;
  if (!version) return mesh_fail(text->reading, "asset.version is missing; this is not a glTF file");
  if (strncmp(version->text, "2.", 2) == 0) return true;
  return mesh_fail(text->reading, "asset.version is %s; only glTF 2.x is supported", gltf_quote(version).text);
}

/* Extensions that a reader must know, but that do not affect the shape. */
static bool is_harmless(const char *extension) {
  static const char *const beginnings[] = {"KHR_materials_", "KHR_texture_", "EXT_texture_", "KHR_lights_",
                                           "KHR_mesh_quantization"};
  for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
    if (strncmp(extension, beginnings[i], strlen(beginnings[i])) == 0) return true;
  }
  return false;
}

static bool check_extensions(const gltf_text *text) {
  const json_document *document = &text->document;
  const json_value *required = json_find(document, &document->values[0], "extensionsRequired", JSON_ARRAY);
  size_t place = 0;
  for (size_t i = required ? required->first : 0; i != 0; i = document->values[i].next, place++) {
    const json_value *name = &document->values[i];
    if (name->kind == JSON_STRING && is_harmless(name->text)) continue;
    return mesh_fail(text->reading, "extensionsRequired[%zu] is %s, an unsupported extension", place,
                     gltf_quote(name).text);
  }
  return true;
}

static bool read_text(gltf_scene *scene, const char *bytes, size_t size) {
  const mesh_reading *reading = scene->text.reading;
  char words[256];
  if (json_read_by(reading->memory, bytes, size, &scene->text.document, words, sizeof words)) {
    return check_version(&scene->text) && check_extensions(&scene->text);
  }
  if (strstr(words, ": out of memory")) return mesh_fail(reading, "%s", strstr(words, "out of memory"));
  const mesh_shown name = mesh_shown_name(reading->file_name);
  if (reading->error_bytes > 0) snprintf(reading->error, reading->error_bytes, "%s:%s", name.text, words);
  return false;
}

/* Binary files: a header, a chunk of JSON text, and an optional chunk of bytes. Others may follow. */
static bool read_chunks(gltf_scene *scene) {
  enum { HEADER_BYTES = 12, CHUNK_HEAD_BYTES = 8, VERSION = 2, JSON_CHUNK = 0x4E4F534A, BYTE_CHUNK = 0x004E4942 };
  const mesh_reading *reading = scene->text.reading;
  char *const bytes = reading->bytes;
  if (reading->size < HEADER_BYTES + CHUNK_HEAD_BYTES)
    return mesh_fail(reading, "%zu bytes are too few for a GLB file", reading->size);
  const uint64_t version = load_bits(bytes + 4, 4, false), length = load_bits(bytes + 8, 4, false);
  if (version != VERSION) return mesh_fail(reading, "GLB version %d is not supported; only version 2 is", (int)version);
  if (length != reading->size) {
    return mesh_fail(reading, "the GLB header declares %llu bytes, but the file has %zu bytes",
                     (unsigned long long)length, reading->size);
  }
  char *text = NULL;
  size_t text_size = 0;
  for (size_t at = HEADER_BYTES, chunk = 0; reading->size - at >= CHUNK_HEAD_BYTES; chunk++) {
    const uint64_t size = load_bits(bytes + at, 4, false), kind = load_bits(bytes + at + 4, 4, false);
    at += CHUNK_HEAD_BYTES;
    if (size > reading->size - at) {
      return mesh_fail(reading, "chunk %zu declares %llu bytes, but %zu are left", chunk, (unsigned long long)size,
                       reading->size - at);
    }
    if (chunk == 0 && kind != JSON_CHUNK) return mesh_fail(reading, "chunk 0 of the GLB file is not JSON");
    if (chunk == 0) {
      text = bytes + at;
      text_size = (size_t)size;
    } else if (chunk == 1 && kind == BYTE_CHUNK) {
      scene->buffers.chunk = bytes + at;
      scene->buffers.chunk_size = size;
    }
    at += (size_t)size;
  }
  while (text_size > 0 && text[text_size - 1] == '\0') text_size--; /* some writers pad with zeros */
  return read_text(scene, text, text_size);
}

static bool read_container(gltf_scene *scene, mesh_reading *text) {
  const mesh_reading *file = scene->text.reading;
  if (file->size >= 4 && memcmp(file->bytes, "glTF", 4) == 0) return read_chunks(scene);
  return text_encoding_start(file, text) && read_text(scene, text->bytes, text->size);
}

static bool read_scene(gltf_scene *scene) {
  void *block;
  scene->buffers.text = &scene->text;
  if (!gltf_buffers_start(&scene->buffers) || !gltf_list_read(&scene->text, "meshes", &scene->mesh_list) ||
      !gltf_list_read(&scene->text, "nodes", &scene->node_list) ||
      !gltf_list_read(&scene->text, "scenes", &scene->scene_list)) {
    return false;
  }
  if (!make_zeroed(scene, scene->mesh_list.count, sizeof(gltf_mesh), &block)) return false;
  scene->meshes = block;
  if (!make_zeroed(scene, scene->node_list.count, sizeof(bool), &block)) return false;
  scene->is_reached = block;
  if (!make_zeroed(scene, scene->node_list.count, sizeof(node_visit), &block)) return false;
  scene->visits = block;
  return visit_scene(scene);
}

static void free_scene(gltf_scene *scene) {
  const mesh_memory *memory = &scene->text.reading->memory;
  if (scene->buffers.text) gltf_buffers_free(&scene->buffers);
  mesh_release(memory, scene->mesh_list.values);
  mesh_release(memory, scene->node_list.values);
  mesh_release(memory, scene->scene_list.values);
  mesh_release(memory, scene->meshes);
  mesh_release(memory, scene->primitives);
  mesh_release(memory, scene->is_reached);
  mesh_release(memory, scene->visits);
  json_document_free(&scene->text.document);
}

bool mesh_read_gltf(const mesh_reading *reading, mesh **meshes_out, size_t *mesh_count_out) {
  gltf_scene scene = {.text = {.reading = reading}};
  mesh_reading text;
  mesh_builder_start(&scene.builder, reading);
  const bool done = read_container(&scene, &text) && read_scene(&scene);
  free_scene(&scene);
  if (done) return mesh_builder_finish(&scene.builder, meshes_out, mesh_count_out);
  mesh_builder_free(&scene.builder);
  return false;
}
