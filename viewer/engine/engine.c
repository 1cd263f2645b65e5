/* The calls that the module exports to engine_module.ts. Arguments are numbers and addresses; results are JSON texts,
 * in which lists are [address, count]. A module is one engine, so its state is static. A call that fails returns false
 * or NULL, and engine_last_message returns the error message.
 *
 * Texts and lists remain valid until the next call of the same name. */
#include "viewer/engine/engine_query.h"
#include "viewer/engine/engine_structure.h"

#include "cli/json_writer.h"
#include "cli/pair_table.h"
#include "cli/plain_words.h"
#include "graze/names.h"
#include "mesh_io/element_builder.h"
#include "mesh_io/mesh_format.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define ENGINE_CALL(name) __attribute__((export_name(#name), visibility("default")))

enum { POSE_NUMBERS = 12, ERROR_BYTES = 256 };

static engine_objects all;
static engine_answer answer;
static engine_structure structure;

/* ------------------------------------------------------------------------------------------------ texts */

static char *text;
static size_t text_bytes;

/* Returns NULL if out of memory. */
static FILE *open_text(void) {
  free(text);
  text = NULL;
  FILE *const stream = open_memstream(&text, &text_bytes);
  if (stream == NULL) engine_fail("out of memory for an answer");
  return stream;
}

static const char *close_text(FILE *stream) {
  const bool failed = ferror(stream) != 0;
  if (fclose(stream) == 0 && !failed) return text;
  engine_fail("out of memory for an answer");
  return NULL;
}

static void write_text(json_writer *json, const char *key, const char *value) {
  json_key(json, key);
  json_string(json, value);
}

static void write_number(json_writer *json, const char *key, double value) {
  json_key(json, key);
  json_double(json, value);
}

static void write_count(json_writer *json, const char *key, uint64_t value) {
  json_key(json, key);
  json_unsigned(json, value);
}

static void write_vector(json_writer *json, const char *key, const double value[3]) {
  json_key(json, key);
  json_begin_array(json);
  for (int axis = 0; axis < 3; ++axis) json_double(json, value[axis]);
  json_end_array(json);
}

static void write_list(json_writer *json, const char *key, const void *first, size_t count) {
  json_key(json, key);
  json_begin_array(json);
  json_unsigned(json, (uintptr_t)first);
  json_unsigned(json, first == NULL ? 0 : count);
  json_end_array(json);
}

/* ------------------------------------------------------------------------------------------------ memory and state */

void *engine_allocate(size_t bytes);
ENGINE_CALL(engine_allocate) void *engine_allocate(size_t bytes) {
  return malloc(bytes);
}

void engine_release(void *block);
ENGINE_CALL(engine_release) void engine_release(void *block) {
  free(block);
}

const char *engine_last_message(void);
ENGINE_CALL(engine_last_message) const char *engine_last_message(void) {
  return engine_message();
}

/* Also resets the engine: no objects, and the method "auto". */
bool engine_start(void);
ENGINE_CALL(engine_start) bool engine_start(void) {
  engine_answer_release(&answer);
  engine_structure_release(&structure);
  answer.query = (graze_query){0};
  engine_objects_end(&all);
  return engine_refused(engine_objects_start(&all));
}

const char *engine_state(void);
ENGINE_CALL(engine_state) const char *engine_state(void) {
  FILE *const stream = open_text();
  if (stream == NULL) return NULL;
  json_writer json = {.stream = stream};
  json_begin_object(&json);
  write_text(&json, "version", graze_version());
  write_text(&json, "formats", &(MESH_ENDINGS ", each also with .gz")[1]);
  write_count(&json, "memoryLimit", GRAZE_ENGINE_MEMORY_BYTES);
  write_count(&json, "fileLimit", ENGINE_FILE_BYTES_MAX);
  json_key(&json, "methods");
  json_begin_array(&json);
  for (size_t i = 0; i < graze_enumeration_count(GRAZE_ENUMERATION_METHOD); ++i) {
    json_begin_object(&json);
    write_text(&json, "name", graze_enumeration_name(GRAZE_ENUMERATION_METHOD, (int)i));
    write_text(&json, "description", graze_enumeration_description(GRAZE_ENUMERATION_METHOD, (int)i));
    json_end_object(&json);
  }
  json_end_array(&json);
  json_end_object(&json);
  return close_text(stream);
}

/* ------------------------------------------------------------------------------------------------ objects */

size_t engine_object_count(void);
ENGINE_CALL(engine_object_count) size_t engine_object_count(void) {
  return all.count;
}

size_t engine_file_count(void);
ENGINE_CALL(engine_file_count) size_t engine_file_count(void) {
  return all.file_count;
}

/* Removes all objects with a number of at least `count`. */
void engine_cut(size_t count, size_t file_count);
ENGINE_CALL(engine_cut) void engine_cut(size_t count, size_t file_count) {
  engine_objects_cut(&all, count, file_count);
}

bool engine_read(const void *bytes, size_t size, const char *name, bool separate);
ENGINE_CALL(engine_read) bool engine_read(const void *bytes, size_t size, const char *name, bool separate) {
  return engine_objects_read(&all, bytes, size, name, separate);
}

static bool has_object(size_t index) {
  if (index < all.count) return true;
  return engine_fail("there is no object %zu: there are %zu, counted from 0", index, all.count);
}

const char *engine_object_text(size_t index);
ENGINE_CALL(engine_object_text) const char *engine_object_text(size_t index) {
  FILE *const stream = has_object(index) ? open_text() : NULL;
  if (stream == NULL) return NULL;
  const engine_object *const object = &all.objects[index];
  const display_mesh *const display = &object->display;
  json_writer json = {.stream = stream};
  json_begin_object(&json);
  write_count(&json, "index", index);
  write_text(&json, "name", object->name);
  write_text(&json, "file", object->file);
  write_text(&json, "kind", graze_kind_text(object->kind, 1));
  write_text(&json, "note", object->note == NULL ? "" : object->note);
  write_count(&json, "vertexCount", object->vertex_count);
  write_count(&json, "primitiveCount", object->primitive_count);
  write_vector(&json, "origin", display->origin);
  write_list(&json, "positions", display->positions, 3 * display->vertex_count);
  write_list(&json, "radii", display->radii, display->radius_count);
  write_list(&json, "triangles", display->triangles, 3 * display->triangle_count);
  write_list(&json, "primitiveOfTriangle", display->primitive_of_triangle, display->triangle_count);
  json_end_object(&json);
  return close_text(stream);
}

/* Releases the display mesh, which the page has copied. */
void engine_object_shown(size_t index);
ENGINE_CALL(engine_object_shown) void engine_object_shown(size_t index) {
  if (index < all.count) display_mesh_release(&all.objects[index].display);
}

/* ------------------------------------------------------------------------------------------------ meshes as arrays */

/* The argument of engine_add. engine_module.ts relies on this layout. */
typedef struct mesh_arrays {
  const double *positions, *radii;
  const uint32_t *elements, *face_sizes, *cell_sizes;
  size_t vertex_count, element_count, face_count, cell_count; /* element_count: corners of all elements */
} mesh_arrays;

static bool fail_sizes(const char *what) {
  return engine_fail("%s of a mesh do not add up", what);
}

static bool check_corners(const mesh_arrays *arrays) {
  for (size_t i = 0; i < arrays->element_count; ++i) {
    if (arrays->elements[i] >= arrays->vertex_count)
      return engine_fail("corner %zu of a mesh is vertex %" PRIu32 ", and there are %zu vertices", i,
                         arrays->elements[i], arrays->vertex_count);
  }
  return true;
}

/* Adds the faces in order. For cells, the faces of each cell are contiguous. */
static bool build_faces(element_builder *builder, const mesh_arrays *arrays, bool cells) {
  size_t corner = 0, cell = 0, cell_end = 0;
  for (size_t face = 0; face < arrays->face_count; ++face) {
    const size_t corner_count = arrays->face_sizes[face];
    if (corner_count < 3 || corner_count > arrays->element_count - corner) return fail_sizes("corners of faces");
    if (cells && face == cell_end) {
      if (cell == arrays->cell_count || arrays->cell_sizes[cell] == 0) return fail_sizes("faces of cells");
      cell_end += arrays->cell_sizes[cell++];
      if (!element_builder_start_polyhedron(builder)) return false;
    }
    const uint32_t *const corners = arrays->elements + corner;
    if (!(cells ? element_builder_add_face(builder, corners, corner_count)
                : mesh_builder_add_polygon(&builder->mesh, corners, corner_count)))
      return false;
    corner += corner_count;
  }
  if (corner != arrays->element_count) return fail_sizes("corners of faces");
  return !cells || (cell == arrays->cell_count && cell_end == arrays->face_count) || fail_sizes("faces of cells");
}

static bool build_simplices(element_builder *builder, const mesh_arrays *arrays, size_t corner_count) {
  if (arrays->element_count % corner_count != 0) return fail_sizes("corners of elements");
  for (size_t i = 0; i < arrays->element_count; i += corner_count) {
    if (!(corner_count == 4 ? element_builder_add(builder, ELEMENT_TETRAHEDRON, arrays->elements + i, 4)
                            : mesh_builder_add_polygon(&builder->mesh, arrays->elements + i, 3)))
      return false;
  }
  return true;
}

static bool build_vertices(element_builder *builder, const mesh_arrays *arrays, bool spheres) {
  for (size_t i = 0; i < arrays->vertex_count; ++i) {
    const double *const p = arrays->positions + 3 * i;
    if (!(spheres ? mesh_builder_add_sphere(&builder->mesh, p, arrays->radii[i])
                  : mesh_builder_add_vertex(&builder->mesh, p[0], p[1], p[2])))
      return false;
  }
  return true;
}

static bool build(element_builder *builder, graze_kind kind, const mesh_arrays *arrays) {
  if (!check_corners(arrays) || !build_vertices(builder, arrays, kind == GRAZE_KIND_SPHERE)) return false;
  switch (kind) {
  case GRAZE_KIND_POLYGON:
    return build_faces(builder, arrays, false);
  case GRAZE_KIND_POLYHEDRON:
    builder->mesh.m.kind = MESH_POLYHEDRA;
    return build_faces(builder, arrays, true);
  case GRAZE_KIND_TETRAHEDRON:
    builder->mesh.m.kind = MESH_TETRAHEDRA;
    return build_simplices(builder, arrays, 4);
  case GRAZE_KIND_SPHERE:
    builder->mesh.m.kind = MESH_SPHERES;
    return true;
  case GRAZE_KIND_TRIANGLE:
    break;
  }
  return build_simplices(builder, arrays, 3);
}

bool engine_add(const char *name, const char *kind_name, const mesh_arrays *arrays);
ENGINE_CALL(engine_add) bool engine_add(const char *name, const char *kind_name, const mesh_arrays *arrays) {
  char error[ERROR_BYTES] = "";
  int kind;
  if (!graze_enumeration_find(GRAZE_ENUMERATION_KIND, kind_name, &kind))
    return engine_fail("there is no kind '%s'", kind_name);
  const mesh_reading place = {.file_name = name,
                              .element_limit = MESH_ELEMENTS_MAX,
                              .memory = mesh_memory_or_default((mesh_memory){NULL, NULL}),
                              .error = error,
                              .error_bytes = sizeof error};
  element_builder builder;
  mesh *built = NULL;
  size_t count = 0;
  (void)engine_fail("%s: out of memory for a mesh", name);
  element_builder_start(&builder, &place);
  if (!build(&builder, (graze_kind)kind, arrays)) {
    element_builder_free(&builder);
    return error[0] == '\0' ? false : engine_fail("%s", error);
  }
  if (!element_builder_finish(&builder, &built, &count)) return engine_fail("%s", error);
  free(built->name);
  built->name = strdup(name);
  const bool added = built->name != NULL && engine_objects_take(&all, built, "", false);
  mesh_list_free(built, count);
  all.file_count += added;
  return added;
}

/* ------------------------------------------------------------------------------------------------ changes */

bool engine_set_pose(size_t index, const double numbers[POSE_NUMBERS]);
ENGINE_CALL(engine_set_pose) bool engine_set_pose(size_t index, const double numbers[POSE_NUMBERS]) {
  graze_pose pose;
  memcpy(pose.rotation, numbers, sizeof pose.rotation);
  memcpy(pose.translation, numbers + 9, sizeof pose.translation);
  return has_object(index) && engine_refused(graze_object_set_pose(all.scene, all.objects[index].id, &pose));
}

bool engine_set_positions(size_t index, const double *positions, size_t count);
ENGINE_CALL(engine_set_positions)
bool engine_set_positions(size_t index, const double *positions, size_t count) {
  const graze_view view = {.data = positions, .count = count, .format = GRAZE_FORMAT_DOUBLE3};
  return has_object(index) && engine_refused(graze_object_set_positions(all.scene, all.objects[index].id, 0, view));
}

bool engine_set_method(const char *name, const char *simd_name);
ENGINE_CALL(engine_set_method) bool engine_set_method(const char *name, const char *simd_name) {
  graze_method_def def = graze_method_def_default();
  int simd;
  if (!graze_enumeration_find(GRAZE_ENUMERATION_SIMD, simd_name, &simd))
    return engine_fail("there are no vector instructions '%s'", simd_name);
  def.name = name;
  def.simd = (graze_simd)simd;
  return engine_refused(graze_scene_set_method(all.scene, &def));
}

bool engine_exclude(size_t a, size_t b, bool excluded);
ENGINE_CALL(engine_exclude) bool engine_exclude(size_t a, size_t b, bool excluded) {
  return has_object(a) && has_object(b) &&
         engine_refused(graze_scene_exclude(all.scene, all.objects[a].id, all.objects[b].id, excluded));
}

/* ------------------------------------------------------------------------------------------------ answers */

static void write_name(json_writer *json, const char *key, graze_enumeration what, int value) {
  write_text(json, key, graze_enumeration_name(what, value));
}

static void write_costs(json_writer *json) {
  json_key(json, "timings");
  json_begin_object(json);
  for (size_t i = 0; i < graze_enumeration_count(GRAZE_ENUMERATION_STAGE); ++i) {
    double value = graze_timings_value(answer.pairs.timings, i);
    const char *const name = graze_enumeration_name(GRAZE_ENUMERATION_STAGE, (int)i);
    if (strcmp(name, "contacts") == 0) value = graze_timings_value(answer.contacts.timings, i);
    if (strcmp(name, "regions") == 0) value = graze_timings_value(answer.regions.timings, i);
    write_number(json, name, value);
  }
  json_end_object(json);
  json_key(json, "counters");
  json_begin_object(json);
  for (size_t i = 0; i < graze_enumeration_count(GRAZE_ENUMERATION_COUNTER); ++i)
    write_count(json, graze_enumeration_name(GRAZE_ENUMERATION_COUNTER, (int)i),
                graze_counters_value(answer.pairs.counters, i));
  json_end_object(json);
}

/* Whether objects a and b come before those of the row. */
static bool is_before(uint32_t a, uint32_t b, const pair_row *row) {
  return a < row->object_a || (a == row->object_a && b < row->object_b);
}

/* Advances to the wrench of the row, or beyond it. */
static const graze_wrench *find_wrench(const pair_row *row, size_t *known) {
  for (; *known < answer.wrenches.count; ++*known) {
    const graze_wrench *const wrench = &answer.wrenches.wrenches[*known];
    if (is_before(wrench->object_a, wrench->object_b, row)) continue;
    return wrench->object_a == row->object_a && wrench->object_b == row->object_b ? wrench : NULL;
  }
  return NULL;
}

/* All lists are sorted by objects. */
static void write_object_pairs(json_writer *json, const pair_table *table) {
  size_t known = 0, known_wrench = 0;
  json_key(json, "objectPairs");
  json_begin_array(json);
  for (size_t i = 0; i < table->count; ++i) {
    const pair_row *const row = &table->rows[i];
    const graze_region_objects *const objects = answer.regions.objects;
    while (known < answer.regions.object_pair_count && is_before(objects[known].object_a, objects[known].object_b, row))
      ++known;
    const bool has_depth = known < answer.regions.object_pair_count && objects[known].object_a == row->object_a &&
                           objects[known].object_b == row->object_b;
    const graze_wrench *const wrench = find_wrench(row, &known_wrench);
    json_begin_object(json);
    write_count(json, "a", row->object_a);
    write_count(json, "b", row->object_b);
    write_count(json, "pairCount", row->count);
    write_number(json, "volume", wrench == NULL ? 0.0 : wrench->volume);
    write_number(json, "depth", has_depth ? objects[known].depth : 0.0);
    write_vector(json, "normal", has_depth ? objects[known].normal : (const double[3]){0.0, 0.0, 0.0});
    json_end_object(json);
  }
  json_end_array(json);
}

static void write_containments(json_writer *json) {
  json_key(json, "containments");
  json_begin_array(json);
  for (size_t i = 0; i < answer.containments.count; ++i) {
    const graze_containment *const one = &answer.containments.containments[i];
    json_begin_object(json);
    write_count(json, "inner", one->inner);
    write_count(json, "outer", one->outer);
    write_count(json, "insideCount", one->inside_count);
    write_count(json, "primitiveCount", one->primitive_count);
    json_end_object(json);
  }
  json_end_array(json);
}

static void write_lists(json_writer *json) {
  const graze_regions *const regions = &answer.regions;
  write_list(json, "pairs", answer.pairs.pairs, 4 * answer.pairs.count);
  write_list(json, "regionPairs", regions->pairs, 4 * regions->pair_count);
  write_list(json, "regionClashes", regions->clashes, regions->pair_count);
  write_list(json, "regionNumbers", answer.region_numbers, ENGINE_REGION_NUMBERS * regions->count);
  write_list(json, "regionIds", answer.region_ids, regions->count);
  write_list(json, "contacts", answer.contact_numbers, ENGINE_CONTACT_NUMBERS * answer.contacts.count);
  write_list(json, "curvePoints", answer.curve_points, 3 * regions->vertex_count);
  write_list(json, "curveStarts", answer.curve_starts, regions->curve_count + 1);
  write_list(json, "curveRegions", answer.curve_regions, regions->curve_count);
  write_list(json, "curveClosed", answer.curve_closed, regions->curve_count);
  write_vector(json, "curveOrigin", answer.curve_origin);
}

/* Returns the name of the kind in singular or plural; "primitive" if kinds are mixed. */
static const char *primitive_word(size_t count) {
  const engine_object *chosen = NULL;
  for (size_t i = 0; i < all.count; ++i) {
    if (all.objects[i].primitive_count == 0) continue;
    if (chosen != NULL && chosen->kind != all.objects[i].kind) return count == 1 ? "primitive" : "primitives";
    chosen = &all.objects[i];
  }
  return graze_kind_text(chosen == NULL ? GRAZE_KIND_TRIANGLE : chosen->kind, count);
}

/* Writes the first line of `graze check`, without the shared volume of solids. */
static void write_verdict(json_writer *json, const pair_table *table) {
  const char *const relation = answer.query.clearance > 0.0 ? "too near" : "intersecting";
  char verdict[512];
  size_t length = 0;
  if (answer.pairs.count == 0) {
    snprintf(verdict, sizeof verdict, "No %s %s of %s", relation, primitive_word(2), counted(all.count, "object").text);
  } else {
    if (answer.regions.count > 0 && answer.pairs.count > 1)
      length = (size_t)snprintf(verdict, sizeof verdict, "%s in ",
                                counted_as(answer.regions.count, "clash", "clashes").text);
    snprintf(verdict + length, sizeof verdict - length, "%s%s of %s %s: %s within one object, %s between two",
             answer.pairs.limit_reached != 0 ? "more than " : "", counted(answer.pairs.count, "pair").text, relation,
             primitive_word(2), counted(table->within, "pair").text, grouped_number(table->between).text);
  }
  write_text(json, "verdict", verdict);
}

static void write_answer(json_writer *json, const pair_table *table) {
  const char *reason = "";
  char hash[24];
  const char *const method = graze_scene_method(all.scene, &reason);
  snprintf(hash, sizeof hash, "%016" PRIx64, answer.pairs.hash);
  json_begin_object(json);
  json_key(json, "found");
  json_boolean(json, answer.pairs.count > 0);
  write_verdict(json, table);
  write_name(json, "scope", GRAZE_ENUMERATION_SCOPE, (int)answer.query.scope);
  write_name(json, "neighbors", GRAZE_ENUMERATION_NEIGHBORS, (int)answer.query.neighbors);
  write_text(json, "method", method);
  write_text(json, "reason", reason);
  write_count(json, "pairCount", answer.pairs.count);
  write_text(json, "hash", hash);
  json_key(json, "limitReached");
  json_boolean(json, answer.pairs.limit_reached != 0);
  write_number(json, "milliseconds", answer.milliseconds);
  write_object_pairs(json, table);
  write_containments(json);
  write_lists(json);
  write_costs(json);
  json_end_object(json);
}

/* A scope or neighbors of -1 selects the default of `graze check`. */
const char *engine_query_text(int scope, int neighbors, int test, unsigned parts, size_t pair_limit, size_t depth_limit,
                              double clearance);
ENGINE_CALL(engine_query_text)
const char *engine_query_text(int scope, int neighbors, int test, unsigned parts, size_t pair_limit, size_t depth_limit,
                              double clearance) {
  engine_question question = {.query = graze_query_default(), .parts = parts, .depth_limit = depth_limit};
  question.own_scope = scope >= 0;
  question.own_neighbors = neighbors >= 0;
  question.query.scope = scope >= 0 ? (graze_scope)scope : GRAZE_SCOPE_BOTH;
  question.query.neighbors = neighbors >= 0 ? (graze_neighbors)neighbors : GRAZE_NEIGHBORS_SKIP;
  question.query.test = (graze_test)test;
  question.query.pair_limit = pair_limit;
  question.query.clearance = clearance;
  pair_table table;
  if (!engine_ask(&all, &question, &answer)) return NULL;
  FILE *const stream = open_text();
  if (stream == NULL) return NULL;
  if (!pair_table_count(answer.pairs.pairs, answer.pairs.count, all.count, &table)) {
    (void)fclose(stream);
    engine_fail("out of memory for an answer");
    return NULL;
  }
  json_writer json = {.stream = stream};
  write_answer(&json, &table);
  pair_table_release(&table);
  return close_text(stream);
}

/* ------------------------------------------------------------------------------------------------ structure */

/* Returns the search structure of the last query. A level of -1 selects all levels. */
const char *engine_structure_text(int level, size_t limit);
ENGINE_CALL(engine_structure_text) const char *engine_structure_text(int level, size_t limit) {
  if (answer.query.struct_bytes == 0) {
    engine_fail("no query has run yet");
    return NULL;
  }
  if (!engine_inspect(&all, &answer.query, level < 0 ? ENGINE_ALL_LEVELS : (uint32_t)level, limit, &structure))
    return NULL;
  FILE *const stream = open_text();
  if (stream == NULL) return NULL;
  const graze_structure *const list = &structure.structure;
  json_writer json = {.stream = stream};
  json_begin_object(&json);
  write_text(&json, "method", list->method);
  write_count(&json, "count", list->count);
  json_key(&json, "levelCounts");
  json_begin_array(&json);
  for (size_t i = 0; i < list->level_count; ++i) json_unsigned(&json, list->level_counts[i]);
  json_end_array(&json);
  write_list(&json, "boxes", structure.boxes, 6 * structure.shown);
  write_list(&json, "levels", structure.levels, structure.shown);
  write_list(&json, "objects", structure.objects, structure.shown);
  write_list(&json, "members", structure.members, structure.shown);
  json_end_object(&json);
  return close_text(stream);
}
