/* Times graze through its public header, from an empty scene to the sorted list of pairs.
 *
 * Nothing is kept between calls: rebuilding is the normal case for the library. A moving scene is created once and
 * queried for each pose, as in applications. A later frame begins with new positions or poses from the host and ends
 * with the pairs on the host; on a device, a later frame is always measured. */
#include "bench/bench_call.h"

#include "bench/bench_memory.h"
#include "bench/bench_record.h"
#include "models/mesh_object.h"

#include <stdio.h>
#include <stdlib.h>

const char *bench_question_name(bench_question question) {
  static const char *const names[] = {"pairs", "contacts", "crowding"};
  return names[question];
}

const char *bench_frame_name(bench_frame frame) {
  static const char *const names[] = {"first", "positions", "poses"};
  return names[frame];
}

const char *bench_call_method(const bench_call *call) {
  return call->variant != NULL ? call->variant->name : call->method;
}

graze_result bench_variant_set(const bench_variant *variant_or_null, graze_scene *scene,
                               const graze_method_def *method) {
  const bool own = variant_or_null != NULL && variant_or_null->set != NULL;
  return own ? variant_or_null->set(scene, method) : graze_scene_set_method(scene, method);
}

graze_result bench_variant_find(const bench_variant *variant_or_null, const graze_scene *scene,
                                const graze_query *query, graze_pairs *pairs) {
  const bool own = variant_or_null != NULL && variant_or_null->find != NULL;
  return own ? variant_or_null->find(scene, query, pairs) : graze_scene_find_pairs(scene, query, pairs);
}

typedef struct open_scene {
  graze_scene *scene;
  graze_pairs pairs; /* like the other lists, reused by every frame and freed with the scene */
  graze_contacts contacts;
  graze_crowding crowding;
  graze_object *objects; /* shapes, then bodies; the last gets the call's pose, or is measured */
  size_t object_count;
} open_scene;

static graze_object last_object(const open_scene *open) {
  return open->objects[open->object_count - 1];
}

static graze_result add_shapes(const bench_scene *scene, open_scene *open) {
  for (size_t i = 0; i < scene->shape_count; i++) {
    const bench_shape *const shape = &scene->shapes[i];
    const mesh part = {.positions = shape->positions,
                       .vertex_count = shape->vertex_count,
                       .polygon_count = shape->triangle_count,
                       .triangles = shape->triangles,
                       .triangle_count = shape->triangle_count};
    const graze_result result = mesh_object_add(open->scene, &part, NULL, &open->objects[open->object_count]);
    if (result != GRAZE_OK) return result;
    open->object_count++;
  }
  return GRAZE_OK;
}

static graze_result add_bodies(const bench_scene *scene, open_scene *open) {
  for (size_t i = 0; i < scene->body_count; i++) {
    const graze_result result =
        mesh_object_add(open->scene, &scene->bodies[i], NULL, &open->objects[open->object_count]);
    if (result != GRAZE_OK) return result;
    open->object_count++;
  }
  return GRAZE_OK;
}

/* Sets the positions that the scene already has, as if they were new. */
static graze_result give_positions(const bench_scene *scene, const open_scene *open) {
  graze_result result = GRAZE_OK;
  for (size_t i = 0; i < open->object_count && result == GRAZE_OK; i++) {
    const bool is_shape = i < scene->shape_count;
    const bench_shape *const shape = &scene->shapes[is_shape ? i : 0];
    const mesh *const body = is_shape ? NULL : &scene->bodies[i - scene->shape_count];
    const graze_view positions = {is_shape ? shape->positions : body->positions,
                                  is_shape ? shape->vertex_count : body->vertex_count, 0, GRAZE_FORMAT_DOUBLE3};
    result = graze_object_set_positions(open->scene, open->objects[i], 0, positions);
  }
  return result;
}

static void add_stages(graze_timings *sum, const graze_timings *part) {
#define ADD_STAGE(name, words) sum->name##_ms += part->name##_ms;
  GRAZE_STAGE_LIST(ADD_STAGE)
#undef ADD_STAGE
}

/* Wall clock and processor clock. */
typedef struct stopwatch {
  double wall_ms, processor_ms;
} stopwatch;

static stopwatch stopwatch_start(void) {
  return (stopwatch){bench_milliseconds(), bench_processor_milliseconds()};
}

static void stopwatch_read(const stopwatch *begin, bench_result *result) {
  result->total_ms = bench_milliseconds() - begin->wall_ms;
  result->processor_ms = bench_processor_milliseconds() - begin->processor_ms;
}

static graze_scope scope_of(bench_kind kind) {
  return kind == BENCH_SELF ? GRAZE_SCOPE_WITHIN : kind == BENCH_BOTH ? GRAZE_SCOPE_BOTH : GRAZE_SCOPE_BETWEEN;
}

static graze_result find_all(const bench_call *call, open_scene *open, bench_result *result_out) {
  graze_query query = graze_query_default();
  query.scope = scope_of(call->kind);
  query.test = call->test;
  graze_pairs *const pairs = &open->pairs;
  graze_result result = bench_variant_find(call->variant, open->scene, &query, pairs);
  if (result != GRAZE_OK) return result;
  result_out->pairs = pairs->count;
  result_out->hash = pairs->hash;
  result_out->stages = *pairs->timings;
  result_out->counters = *pairs->counters;
  if (call->question != BENCH_ASK_CONTACTS) return GRAZE_OK;
  graze_contact_options how = graze_contact_options_default();
  how.test = call->test;
  result = graze_scene_make_contacts(open->scene, pairs->pairs, pairs->count, &how, &open->contacts);
  if (result == GRAZE_OK) result_out->stages.contacts_ms = open->contacts.timings->contacts_ms;
  return result;
}

static graze_result measure_crowding(open_scene *open, bench_result *result_out) {
  graze_crowding *const crowding = &open->crowding;
  const graze_result result = graze_scene_measure_crowding(open->scene, last_object(open), crowding);
  if (result != GRAZE_OK) return result;
  result_out->pairs = crowding->k;
  result_out->stages = *crowding->timings;
  result_out->counters = *crowding->counters;
  return GRAZE_OK;
}

static graze_result ask_once(const bench_call *call, open_scene *open, bench_result *result_out) {
  graze_result result = GRAZE_OK;
  if (call->pose != NULL) result = graze_object_set_pose(open->scene, last_object(open), call->pose);
  if (result == GRAZE_OK) result = graze_scene_update(open->scene);
  graze_counters updated = {0};
  if (result == GRAZE_OK) result = graze_scene_get_counters(open->scene, &updated);
  if (result != GRAZE_OK) return result;
  result_out->updated_bytes = updated.scene_bytes;
  const double begin = bench_milliseconds();
  result = call->question == BENCH_ASK_CROWDING ? measure_crowding(open, result_out) : find_all(call, open, result_out);
  result_out->asked_ms = bench_milliseconds() - begin;
  return result;
}

/* Sets a slightly displaced pose. The displacement shrinks from frame to frame and is zero in the last one. */
static graze_result give_pose(const open_scene *open, uint32_t frames_left) {
  graze_pose pose = graze_pose_identity();
  pose.translation[0] = 0.001 * frames_left;
  return graze_object_set_pose(open->scene, last_object(open), &pose);
}

static graze_result ask_later_frame(const bench_call *call, open_scene *open, bench_result *result_out) {
  const bool by_poses = call->frame == BENCH_FRAME_POSES;
  stopwatch begin = {0};
  graze_result result = GRAZE_OK;
  for (uint32_t left = call->earlier > 0 ? call->earlier : 1; result == GRAZE_OK; left--) {
    *result_out = (bench_result){0};
    begin = stopwatch_start();
    result = by_poses ? give_pose(open, left) : give_positions(call->scene, open);
    if (result == GRAZE_OK) result = ask_once(call, open, result_out);
    if (left == 0) break;
  }
  stopwatch_read(&begin, result_out);
  return result;
}

/* A pose that intersects is hashed as a pair of its number with itself. */
static graze_result find_any(const bench_call *call, open_scene *open, bench_result *result_out) {
  graze_query query = graze_query_default();
  query.scope = GRAZE_SCOPE_BETWEEN;
  graze_pair *const meeting = malloc((call->scene->pose_count + 1) * sizeof *meeting);
  if (meeting == NULL) return GRAZE_OUT_OF_MEMORY;
  graze_result result = GRAZE_OK;
  for (uint32_t i = 0; i < call->scene->pose_count && result == GRAZE_OK; i++) {
    const bench_pose *const pose = &call->scene->poses[i];
    result = graze_object_set_pose(open->scene, open->objects[1], pose);
    if (result == GRAZE_OK) result = graze_scene_update(open->scene);
    bool found = false;
    if (result == GRAZE_OK) result = graze_scene_any_pair(open->scene, &query, &found, &open->pairs);
    if (result != GRAZE_OK) break;
    add_stages(&result_out->stages, open->pairs.timings);
    result_out->counters = *open->pairs.counters;
    if (found) meeting[result_out->pairs++] = (graze_pair){0, i, 1, i};
  }
  result_out->hash = graze_pairs_hash(meeting, result_out->pairs);
  free(meeting);
  return result;
}

/* Runs everything from an empty scene to the answer. */
static graze_result run_in_scene(const bench_call *call, open_scene *open, stopwatch begin, bench_result *result_out) {
  graze_method_def method = graze_method_def_default();
  method.name = call->method;
  method.tree_builder = call->tree_builder;
  method.clusters = call->clusters;
  method.axis = call->axis;
  graze_result result = bench_variant_set(call->variant, open->scene, &method);
  if (result == GRAZE_OK) result = add_shapes(call->scene, open);
  if (result == GRAZE_OK) result = add_bodies(call->scene, open);
  const bool later = call->frame != BENCH_FRAME_FIRST || bench_backend_has_devices(&call->backend);
  if (result == GRAZE_OK && later && call->kind != BENCH_MOVING) return ask_later_frame(call, open, result_out);
  if (result == GRAZE_OK)
    result = call->kind == BENCH_MOVING ? find_any(call, open, result_out) : ask_once(call, open, result_out);
  stopwatch_read(&begin, result_out);
  return result;
}

bool bench_call_run(const bench_call *call, bench_result *result_out, char *error, size_t error_bytes) {
  *result_out = (bench_result){0};
  const stopwatch begin = stopwatch_start();
  bench_memory memory;
  bench_memory_start(&memory);
  const graze_allocator allocator = bench_memory_allocator(&memory);
  open_scene open = {.objects =
                         malloc((call->scene->shape_count + call->scene->body_count + 1) * sizeof *open.objects)};
  graze_result result = open.objects != NULL
                            ? bench_backend_scene(&call->backend, call->threads, &allocator, &open.scene)
                            : GRAZE_OUT_OF_MEMORY;
  if (result != GRAZE_OK) {
    snprintf(error, error_bytes, "%s", open.objects != NULL ? graze_error_text() : graze_result_text(result));
    free(open.objects);
    return false;
  }
  result = run_in_scene(call, &open, begin, result_out);
  if (result != GRAZE_OK) snprintf(error, error_bytes, "%s", graze_error_text());
  result_out->peak_bytes = atomic_load(&memory.peak);
  graze_crowding_free(&open.crowding);
  graze_contacts_free(&open.contacts);
  graze_pairs_free(&open.pairs);
  graze_scene_destroy(open.scene);
  free(open.objects);
  return result == GRAZE_OK;
}
