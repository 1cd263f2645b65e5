/* A scene on a device: what it is told, and what comes back. The stages are in src/cuda. */
#include "scene/scene_device.h"

#include "base/float_environment.h"
#include "base/timer.h"
#include "cuda/cuda_backend.h"
#include "cuda/device_state.h"
#include "geometry/bits.h"
#include "scene/pairs_hash.h"

#include <stdio.h>
#include <string.h>

graze_result scene_device_open(graze_scene *scene, int device, device_state **state_out) {
  char error[sizeof scene->error] = "";
  device_operations operations;
  memset(&operations, 0, sizeof operations);
  const graze_result result = cuda_backend_open(device, &operations, error, sizeof error);
  if (result != GRAZE_OK) return error[0] != '\0' ? scene_fail(scene, result, "%s", error) : scene_fail_memory(scene);
  *state_out = memory_allocate(&scene->memory, 1, sizeof **state_out);
  if (*state_out == NULL) {
    operations.close(operations.context);
    return scene_fail_memory(scene);
  }
  device_state_init(*state_out, &scene->memory, &operations);
  return GRAZE_OK;
}

void scene_device_close(graze_scene *scene, device_state *state) {
  if (state == NULL) return;
  device_state_release(state);
  memory_release(&scene->memory, state, 1, sizeof *state);
}

graze_result scene_device_check_method(graze_scene *scene, const method *chosen) {
  if (chosen == NULL || chosen == &method_grid) return GRAZE_OK;
  return scene_fail(scene, GRAZE_UNSUPPORTED, "the backend cuda has the method \"grid\" alone, not \"%.64s\"",
                    chosen->name);
}

size_t scene_device_bytes(const graze_scene *scene) {
  return scene->device != NULL ? scene->device->bytes : 0;
}

/* The device's message, or that of the host where the host ran out. */
static graze_result fail_device(graze_scene *scene, graze_result result) {
  const device_operations *operations = &scene->device->operations;
  const char *error = operations->error(operations->context);
  if (error[0] != '\0') return scene_fail(scene, result, "%s", error);
  if (result == GRAZE_TOO_LARGE)
    return scene_fail(scene, result, "the query has more candidates or pairs than can be numbered");
  return scene_fail_memory(scene);
}

/* ---------------------------------------------------------------------------------------------- update */

static size_t words_of(const array *words) {
  return words->count * (words->element_bytes / sizeof(uint32_t));
}

static object_upload object_upload_of(const scene_object *object) {
  const object_elements *elements = &object->elements;
  const bool there = object->device_positions != NULL;
  object_upload result = {.positions = there ? object->device_positions : object->positions.data,
                          .vertex_count = object->positions.count,
                          .primitive_count = elements->count,
                          .is_double = there ? object->device_is_double : object->is_double,
                          .on_device = there,
                          .stream = object->device_stream,
                          .moved = object->moved,
                          .posed = object->posed,
                          .rule = object->rule,
                          .source = {.first_vertex = object->first_vertex,
                                     .first_primitive = object->first_primitive,
                                     .corner_count = kind_corner_count(elements->kind),
                                     .kind = elements->kind,
                                     .corners = elements->corners.data,
                                     .corner_first = elements->corner_first.data,
                                     .triangulation = elements->triangulation.data,
                                     .triangulation_first = elements->triangulation_first.data,
                                     .repeats = elements->repeats.data},
                          .corner_count = words_of(&elements->corners),
                          .corner_first_count = words_of(&elements->corner_first),
                          .triangulation_count = words_of(&elements->triangulation),
                          .triangulation_first_count = words_of(&elements->triangulation_first),
                          .repeat_count = elements->repeats.count,
                          .erased = object->erased.data,
                          .erased_count = object->erased.count};
  memcpy(result.rotation, object->rotation, sizeof result.rotation);
  memcpy(result.translation, object->translation, sizeof result.translation);
  return result;
}

/* An object whose positions the host does not have; NULL where there is none. */
static const scene_object *object_without_host(const graze_scene *scene) {
  for (size_t i = 0; i < scene_object_slots(scene); i++)
    if (scene_objects(scene)[i].device_positions != NULL) return &scene_objects(scene)[i];
  return NULL;
}

graze_result scene_device_check_host(graze_scene *scene) {
  const scene_object *object = object_without_host(scene);
  if (object == NULL) return GRAZE_OK;
  const uint32_t index = (uint32_t)(object - scene_objects(scene));
  return scene_fail(scene, GRAZE_UNSUPPORTED, "%s: its positions are on the device, and this call runs on the host",
                    scene_label(index, object->name).text);
}

graze_result scene_device_fetch_positions(graze_scene *scene, const scene_object *object, const char *label,
                                          void *positions_out) {
  const size_t bytes = object->positions.count * 3 * (object->device_is_double ? sizeof(double) : sizeof(float));
  const graze_result result = device_state_fetch_positions(scene->device, object->device_positions,
                                                           object->device_stream, bytes, positions_out);
  if (result == GRAZE_OK) return GRAZE_OK;
  const device_operations *operations = &scene->device->operations;
  return scene_fail(scene, result, "%s: its positions are on the device, and cannot be fetched: %s; set all of them",
                    label, operations->error(operations->context));
}

static graze_result finish_update(graze_scene *scene, bool finite) {
  scene->host_behind = true;
  scene->inverted_count = sum_slots(scene->device->extent.inverted);
  scene->flat_count = sum_slots(scene->device->extent.flat);
  if (finite) return GRAZE_OK;
  if (object_without_host(scene) != NULL)
    return scene_fail(scene, GRAZE_NOT_FINITE, "a coordinate on the device is not finite, as given or after its pose");
  return scene_catch_up(scene); /* the host finds out which coordinate it is */
}

graze_result scene_device_update(graze_scene *scene) {
  const size_t count = scene->object_count;
  object_upload *objects = memory_allocate(&scene->scratch.heap, count, sizeof *objects);
  if (objects == NULL) return scene_fail_memory(scene);
  for (size_t i = 0; i < count; i++) objects[i] = object_upload_of(&scene_objects(scene)[i]);
  const scene_upload description = {.objects = objects,
                                    .object_count = count,
                                    .vertex_count = scene->vertex_count,
                                    .primitive_count = scene->primitive_count,
                                    .headers = scene->headers,
                                    .topology_changed = scene->device_stale};
  bool finite;
  double milliseconds;
  const graze_result result = device_state_update(scene->device, &description, &finite, &milliseconds);
  memory_release(&scene->scratch.heap, objects, count, sizeof *objects);
  if (result != GRAZE_OK) {
    scene->device_stale = true;
    return fail_device(scene, result);
  }
  scene->device_stale = false;
  scene->timings.update_ms = milliseconds;
  for (size_t i = 0; i < count; i++) scene_objects(scene)[i].moved = false;
  return finish_update(scene, finite);
}

/* ---------------------------------------------------------------------------------------------- queries */

static uint64_t hash_of(const graze_pair *pairs, size_t count) {
  uint64_t hash = PAIRS_HASH_START;
  for (size_t i = 0; i < count; i++) hash = pairs_hash_next(hash, &pairs[i]);
  return hash;
}

static void record(graze_scene *scene, const device_answer *answer) {
  const graze_counters before = scene->counters;
  const double update_ms = scene->timings.update_ms;
  scene->counters = answer->counters;
  scene->counters.primitives = before.primitives;
  scene->counters.repeated_index = before.repeated_index;
  scene->counters.inverted = before.inverted;
  scene->counters.flat = before.flat;
  scene->timings = answer->timings;
  scene->timings.update_ms = update_ms;
}

static device_query query_of(const graze_query *query) {
  return (device_query){.between = (query->scope & GRAZE_BETWEEN) != 0,
                        .within = (query->scope & GRAZE_WITHIN) != 0,
                        .skip_neighbours = query->neighbours == GRAZE_NEIGHBOURS_SKIP,
                        .candidates_only = query->candidates_only,
                        .test = query->test};
}

graze_result scene_device_find_there(graze_scene *scene, const graze_query *query, graze_device_pairs *pairs_out) {
  const device_query asked = query_of(query);
  device_answer answer;
  const graze_result result = device_state_find(scene->device, &asked, &answer);
  if (result != GRAZE_OK) return fail_device(scene, result);
  record(scene, &answer);
  *pairs_out = (graze_device_pairs){answer.device_pairs, answer.pair_count};
  return GRAZE_OK;
}

graze_result scene_device_find(graze_scene *scene, const graze_query *query, graze_pairs *pairs_out) {
  const device_query asked = query_of(query);
  device_answer answer;
  graze_result result = device_state_find(scene->device, &asked, &answer);
  if (result != GRAZE_OK) return fail_device(scene, result);
  record(scene, &answer);
  const double begin = timer_now_ms();
  const bool over = query->pair_limit != 0 && answer.pair_count > query->pair_limit;
  const size_t keep = over ? query->pair_limit : answer.pair_count;
  scene->pairs = memory_allocate(&scene->scratch.heap, keep, sizeof *scene->pairs);
  if (scene->pairs == NULL) return scene_fail_memory(scene);
  scene->pair_capacity = keep;
  result = device_state_fetch(scene->device, &answer, keep, scene->pairs);
  if (result != GRAZE_OK) return fail_device(scene, result);
  scene->pair_count = keep;
  scene->counters.pairs = keep;
  scene->timings.order_ms += timer_now_ms() - begin;
  *pairs_out = (graze_pairs){scene->pairs, keep, hash_of(scene->pairs, keep), over};
  return GRAZE_OK;
}

/* ---------------------------------------------------------------------------------------------- contacts */

static graze_result make_contacts(graze_scene *scene, const device_contact_query *query,
                                  device_contact_answer *answer_out) {
  const graze_result result = device_state_make_contacts(scene->device, query, answer_out);
  if (result != GRAZE_OK) return fail_device(scene, result);
  if (answer_out->refused < query->count) return scene_fail_pair(scene, &answer_out->refused_pair, answer_out->refused);
  if (answer_out->point_count >= MEASURE_TOO_MANY) return scene_fail_points(scene, answer_out->point_count);
  scene->timings.contacts_ms = answer_out->milliseconds;
  return GRAZE_OK;
}

graze_result scene_device_make_contacts(graze_scene *scene, const graze_pair *pairs, size_t count) {
  const device_contact_query query = {.pairs = pairs, .count = count, .test = scene->last_test};
  device_contact_answer answer;
  graze_result result = make_contacts(scene, &query, &answer);
  if (result != GRAZE_OK) return result;
  const double begin = timer_now_ms();
  if (!array_resize(&scene->contacts, &scene->memory, count) ||
      !array_resize(&scene->contact_points, &scene->memory, (size_t)answer.point_count))
    return scene_fail_memory(scene);
  result = device_state_fetch_contacts(scene->device, &answer, count, scene->contacts.data, scene->contact_points.data);
  if (result != GRAZE_OK) return fail_device(scene, result);
  scene->timings.contacts_ms += timer_now_ms() - begin;
  return GRAZE_OK;
}

graze_result scene_device_make_pushes(graze_scene *scene, graze_contact *pushes_out) {
  const device_contact_query query = {
      .pairs = scene->pairs, .count = scene->pair_count, .only_pushes = true, .test = scene->last_test};
  device_contact_answer answer;
  graze_result result = device_state_make_contacts(scene->device, &query, &answer);
  if (result == GRAZE_OK)
    result = device_state_fetch_contacts(scene->device, &answer, scene->pair_count, pushes_out, NULL);
  return result == GRAZE_OK ? GRAZE_OK : fail_device(scene, result);
}

graze_result scene_device_measure(graze_scene *scene, uint32_t index, const crowding_counts *counts,
                                  crowding_outcome *outcome_out) {
  const object_upload object = object_upload_of(&scene_objects(scene)[index]);
  const device_measure_request measure = {.object = index,
                                          .primitive_count = object.primitive_count,
                                          .most_corners = crowding_most_corners(&object.source, object.primitive_count),
                                          .k_of = counts->k_of,
                                          .neighbours_of = counts->neighbours_of,
                                          .diameter_of = counts->diameter_of};
  device_measure_answer measured;
  const graze_result result = device_state_measure(scene->device, &measure, &measured);
  if (result != GRAZE_OK) return fail_device(scene, result);
  *outcome_out = (crowding_outcome){count_bits(measured.levels), measured.timings, measured.counters};
  return GRAZE_OK;
}

/* ---------------------------------------------------------------------------------------------- the public calls */

/* A caller's memory, of numbers of so many bytes. A load that the device cannot make, of memory that it cannot reach or
 * from between two numbers, would end all work on it for good: both are asked about before. */
static graze_result check_device_memory(graze_scene *scene, const char *what, const void *given, size_t bytes,
                                        size_t number_bytes) {
  if ((uintptr_t)given % number_bytes != 0)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "%s: they do not begin at a multiple of %zu bytes", what,
                      number_bytes);
  const device_operations *operations = &scene->device->operations;
  const graze_result result = operations->check_memory(operations->context, given, bytes);
  return result == GRAZE_OK ? GRAZE_OK
                            : scene_fail(scene, result, "%s: %s", what, operations->error(operations->context));
}

/* Pairs of the caller's own may be anywhere. */
static graze_result check_device_pairs(graze_scene *scene, const graze_device_pairs *pairs) {
  if (pairs->count > 0 && pairs->device_pairs == NULL)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "%zu pairs are at NULL", pairs->count);
  if (pairs->count > UINT32_MAX) return GRAZE_OK; /* too many, which is said before they are read */
  return check_device_memory(scene, "pairs", pairs->device_pairs, pairs->count * sizeof *pairs->device_pairs,
                             sizeof(uint32_t));
}

graze_result graze_scene_make_contacts_on_device(graze_scene *scene, const graze_device_pairs *pairs,
                                                 graze_device_contacts *contacts_out) {
  GUARD_FLOAT_ENVIRONMENT();
  if (scene == NULL || pairs == NULL || contacts_out == NULL) return GRAZE_INVALID_ARGUMENT;
  *contacts_out = (graze_device_contacts){0};
  if (scene->device == NULL)
    return scene_fail(scene, GRAZE_UNSUPPORTED, "the scene has no device: it runs on the processor");
  if (!scene->updated)
    return scene_fail(scene, GRAZE_NOT_UPDATED, "the scene was changed after its last update: call graze_scene_update");
  graze_result result = check_device_pairs(scene, pairs);
  if (result != GRAZE_OK) return result;
  const device_contact_query query = {
      .pairs = pairs->device_pairs, .count = pairs->count, .on_device = true, .test = scene->last_test};
  device_contact_answer answer;
  result = make_contacts(scene, &query, &answer);
  if (result != GRAZE_OK) return result;
  *contacts_out =
      (graze_device_contacts){answer.device_contacts, pairs->count, answer.device_points, (size_t)answer.point_count};
  return GRAZE_OK;
}

uint64_t graze_scene_device_launches(const graze_scene *scene) {
  if (scene == NULL || scene->device == NULL) return 0;
  const device_operations *operations = &scene->device->operations;
  const size_t query = operations->launches(operations->context, SEQUENCE_QUERY);
  return query > 0 ? query + operations->launches(operations->context, SEQUENCE_UPDATE) : 0;
}

graze_result graze_cuda_describe(int device, char *words_out, size_t words_bytes) {
  if (words_out == NULL || words_bytes == 0) return GRAZE_INVALID_ARGUMENT;
  words_out[0] = '\0';
  return cuda_backend_describe(device, words_out, words_bytes);
}

graze_result graze_object_set_device_positions(graze_scene *scene, graze_object id, const void *device_positions,
                                               graze_format format, void *stream) {
  if (scene == NULL) return GRAZE_INVALID_ARGUMENT;
  scene_object *object = scene_find_object(scene, id);
  if (object == NULL) return GRAZE_NO_SUCH_OBJECT;
  const object_label label = scene_label(id.index, object->name);
  if (scene->device == NULL)
    return scene_fail(scene, GRAZE_UNSUPPORTED, "%s: the scene has no device to read positions from", label.text);
  if (format != GRAZE_FLOAT3 && format != GRAZE_DOUBLE3)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "%s: positions are GRAZE_FLOAT3 or GRAZE_DOUBLE3", label.text);
  if (device_positions == NULL)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "%s: the positions on the device are at NULL", label.text);
  char what[sizeof label.text + sizeof ": positions"];
  snprintf(what, sizeof what, "%s: positions", label.text);
  const size_t number_bytes = format == GRAZE_DOUBLE3 ? sizeof(double) : sizeof(float);
  const graze_result result =
      check_device_memory(scene, what, device_positions, object->positions.count * 3 * number_bytes, number_bytes);
  if (result != GRAZE_OK) return result;
  object->device_positions = device_positions;
  object->device_is_double = format == GRAZE_DOUBLE3;
  object->device_stream = stream;
  object->changes |= CHANGED_POSITIONS;
  scene_touch(scene, false);
  return GRAZE_OK;
}

graze_result scene_device_check_positions(graze_scene *scene, const scene_object *object, const char *label) {
  if (object->device_positions == NULL) return GRAZE_OK;
  return scene_fail(scene, GRAZE_UNSUPPORTED, "%s: its positions are on the device; set all of them to have them here",
                    label);
}
