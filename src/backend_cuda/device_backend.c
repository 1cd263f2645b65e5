/* The backend cuda: uploads a scene to a device, and downloads results. The stages are in src/cuda.
 *
 * Calls of a scene are serialized: see scene_lock_device. */
#include "backend_cuda/device_backend.h"

#include "backend/backend.h"
#include "backend/query_focus.h"
#include "backend_cuda/batch_call.h"
#include "backend_cuda/cuda_scene.h"
#include "backend_cuda/device_method.h"
#include "backend_cuda/device_rings.h"
#include "base/first_of_key.h"
#include "base/timer.h"
#include "cuda/cuda_backend.h"
#include "cuda/device_spheres.h"
#include "cuda/device_state.h"
#include "cuda/device_update.h"
#include "geometry/bits.h"
#include "scene/object_numbers.h"
#include "scene/object_positions.h"
#include "scene/scene_failure.h"
#include "scene/scene_numbers.h"
#include "scene/scene_vertices.h"

#include <stdio.h>
#include <string.h>

static int device_of(const graze_backend_def *def) {
  return def->device_count > 0 ? def->devices[0] : 0;
}

/* GRAZE_OUT_OF_MEMORY if the host is out of memory; other failures have a message. */
static graze_result open_operations(const graze_backend_def *def, device_operations *operations_out) {
  char error[ERROR_TEXT_BYTES] = "";
  memset(operations_out, 0, sizeof *operations_out);
  graze_result result = cuda_backend_open(device_of(def), operations_out, error, sizeof error);
  if (result == GRAZE_OK) {
    /* an invalid stream is refused here */
    void *context = operations_out->context;
    if (def->stream != NULL) result = operations_out->wait_for(context, def->stream);
    if (result == GRAZE_OK) return GRAZE_OK;
    snprintf(error, sizeof error, "%s", operations_out->error(context));
    operations_out->close(context);
  }
  return error[0] != '\0' ? fail(result, "%s", error) : fail(result, "out of memory: cannot open a device");
}

static graze_result open_on_device(graze_scene *scene, const graze_backend_def *def, void **opened_out) {
  device_operations operations;
  const graze_result result = open_operations(def, &operations);
  if (result != GRAZE_OK) return result;
  cuda_scene *state = memory_allocate(&scene->memory, 1, sizeof *state);
  if (state == NULL) {
    operations.close(operations.context);
    return scene_fail_memory(scene);
  }
  *state = (cuda_scene){0};
  device_state_init(&state->device, &scene->memory, &scene->scratch.heap, &operations);
  state->device.memory.team = scene->workers;
  state->device.host_stream = def->stream;
  *opened_out = state;
  return GRAZE_OK;
}

static graze_result open_packing(const graze_backend_def *def, const stages_def *stages, packer_stages *stages_out) {
  device_operations operations;
  graze_result result = open_operations(def, &operations);
  if (result != GRAZE_OK) return result;
  result = device_packing_open(stages, &operations, stages_out);
  return result == GRAZE_OK ? GRAZE_OK : fail(result, "out of memory: cannot start a packing");
}

static graze_result open_gas(const graze_backend_def *def, memory *heap, gas_stages *stages_out) {
  device_operations operations;
  graze_result result = open_operations(def, &operations);
  if (result != GRAZE_OK) return result;
  result = device_gas_open(heap, &operations, stages_out);
  return result == GRAZE_OK ? GRAZE_OK : fail(result, "out of memory: cannot build a tree");
}

static void close_on_device(graze_scene *scene, void *state_or_null) {
  cuda_scene *state = state_or_null;
  if (state == NULL) return;
  device_state_release(&state->device);
  memory_release(&scene->memory, state, 1, sizeof *state);
}

/* Memory from which the device reads poses directly. */
static memory *pose_heap(graze_scene *scene, void *state_or_null) {
  cuda_scene *state = state_or_null;
  (void)scene;
  return &state->device.memory.pinned_heap;
}

static bool is_active(const graze_scene *scene, const graze_backend_def *def) {
  return scene_device(scene)->memory.operations.device == device_of(def);
}

static void change_stream(graze_scene *scene, void *stream) {
  scene_device(scene)->host_stream = stream;
}

static size_t bytes_on_device(const graze_scene *scene) {
  return scene_device(scene)->memory.bytes;
}

/* ---------------------------------------------------------------------------------------------- update */

enum {
  OBJECT_GRAIN = 1024,
  SLOT_GRAIN = 8192,
  VERTICES_BETWEEN_MOST = 8192 /* of unchanged objects that are uploaded between changed ones */
};

static size_t words_of(const array *words) {
  return words->count * (words->element_bytes / sizeof(uint32_t));
}

static object_update object_update_of(const graze_scene *scene, size_t index) {
  const scene_object *object = &scene_objects(scene)[index];
  const bool there = object->device_positions != NULL;
  return (object_update){.object = (uint32_t)index,
                         .moved = (scene_slots(scene)[index].device_changes & CHANGED_POSITIONS) != 0,
                         .is_double = there ? object->device_is_double : object->is_double,
                         .on_device = there,
                         .positions = there ? object->device_positions : object->positions.data,
                         .radii = object->radii.count > 0 ? object->radii.data : NULL,
                         .radii_are_double = object->radii.element_bytes == sizeof(double),
                         .vertex_count = object->positions.count,
                         .shape = object->shape != NULL ? object->shape->id : 0,
                         .stream = object->device_stream,
                         .rule = object->rule};
}

static object_upload object_upload_of(const graze_scene *scene, size_t index) {
  const scene_object *object = &scene_objects(scene)[index];
  const object_elements *elements = &object->elements;
  object_upload result = {.update = object_update_of(scene, index),
                          .primitive_count = elements->count,
                          .public_object = object->public_object,
                          .public_primitive = object->public_primitive,
                          .vertex_numbers = object->numbers.vertices.data,
                          .vertex_number = object->numbers.vertex,
                          .first_of_shape = (uint32_t)index,
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
                          .removed = object->removed.data,
                          .removed_count = object->removed.count};
  return result;
}

/* All objects, or some of them. */
typedef struct describe_work {
  const graze_scene *scene;
  object_upload *objects;
  const uint32_t *numbers; /* of objects with updates */
  object_update *updates;
} describe_work;

static void describe_range(void *context, size_t first, size_t end, uint32_t worker) {
  const describe_work *work = context;
  const graze_scene *scene = work->scene;
  const numbered_object *rows = scene->by_number.count > 0 ? scene->by_number.data : NULL;
  (void)worker;
  for (size_t i = first; i < end; i++) {
    work->objects[i] = object_upload_of(scene, i);
    work->objects[i].by_number = rows != NULL ? rows[i].slot : (uint32_t)i;
    if (rows != NULL && work->objects[i].primitive_count == 0) work->objects[i].public_object = NUMBER_OF_NONE;
  }
}

static void describe_updates(void *context, size_t first, size_t end, uint32_t worker) {
  const describe_work *work = context;
  (void)worker;
  for (size_t i = first; i < end; i++) work->updates[i] = object_update_of(work->scene, work->numbers[i]);
}

/* Objects that share a shape are uploaded with the first of them. False when out of memory. */
static bool find_shapes(graze_scene *scene, object_upload *objects) {
  first_of_key shapes;
  if (scene->shared_count == 0) return true;
  if (!first_of_key_make(&shapes, &scene->scratch.heap, scene->shared_count)) return false;
  for (uint32_t i = 0; i < scene->object_count; i++)
    if (objects[i].update.shape != 0)
      objects[i].first_of_shape = first_of_key_find(&shapes, objects[i].update.shape, i);
  first_of_key_release(&shapes, &scene->scratch.heap);
  return true;
}

/* Lists objects whose positions or filters differ, and small unchanged objects between them; returns their number. */
static size_t list_updates(const graze_scene *scene, uint32_t *numbers_out) {
  const object_slot *slots = scene_slots(scene);
  size_t count = 0;
  for (size_t i = 0; i < scene->object_count; i++) {
    if ((slots[i].device_changes & (CHANGED_POSITIONS | CHANGED_FILTER)) == 0) continue;
    size_t between = count > 0 ? numbers_out[count - 1] + (size_t)1 : i;
    if (scene->sources[i].first_vertex - scene->sources[between].first_vertex > VERTICES_BETWEEN_MOST) between = i;
    while (between <= i) numbers_out[count++] = (uint32_t)between++;
  }
  return count;
}

static graze_result fetch_positions_of(const graze_scene *scene, const scene_object *object, const char *label,
                                       void *positions_out) {
  const size_t bytes = object->positions.count * 3 * (object->device_is_double ? sizeof(double) : sizeof(float));
  const graze_result result = device_scene_fetch_positions(&scene_device(scene)->scene, object->device_positions,
                                                           object->device_stream, bytes, positions_out);
  if (result == GRAZE_OK) return GRAZE_OK;
  const device_operations *operations = &scene_device(scene)->memory.operations;
  return scene_fail(scene, result, "%s: its positions are on the device and cannot be downloaded: %s; set all of them",
                    label, operations->error(operations->context));
}

/* The result of an update on the device. */
typedef struct device_update_report {
  bool finite;
  double milliseconds;
} device_update_report;

/* Finds the coordinate that is not finite on the host, for the message. */
static graze_result find_not_finite(graze_scene *scene) {
  memory *heap = &scene->scratch.heap;
  rounded_scene rounded = {0};
  scene_point_sources(scene);
  const graze_result result = scene_round(scene, heap, &rounded);
  rounded_scene_release(scene, heap, &rounded);
  return result;
}

static graze_result finish_update(graze_scene *scene, bool finite) {
  scene->inverted_count = sum_slots(scene_device(scene)->scene.extent.inverted);
  scene->flat_count = sum_slots(scene_device(scene)->scene.extent.flat);
  if (finite) return GRAZE_OK;
  if (scene_object_without_host(scene) != NULL)
    return scene_fail(scene, GRAZE_NOT_FINITE, "a coordinate on the device is not finite, before or after the pose");
  return find_not_finite(scene);
}

static graze_result update_device(const graze_scene *scene, const object_upload *objects, const object_update *updates,
                                  size_t update_count, device_update_report *report_out) {
  const scene_upload description = {.objects = objects,
                                    .updates = updates,
                                    .update_count = update_count,
                                    .object_count = scene->object_count,
                                    .vertex_count = scene->vertex_count,
                                    .primitive_count = scene->primitive_count,
                                    .headers = scene->headers,
                                    .rank_keys = scene->ranked.keys.count > 0 ? scene->ranked.keys.data : NULL,
                                    .rank_primitives = scene->ranked.primitives.data,
                                    .ranks = scene->ranked.ranks.data,
                                    .poses = scene_poses(scene),
                                    .changes = scene->object_count > 0 ? &scene_slots(scene)->device_changes : NULL,
                                    .posed = scene->object_count > 0 ? &scene_slots(scene)->posed : NULL,
                                    .slot_stride = sizeof(object_slot),
                                    .excluded = scene_excluded(scene),
                                    .excluded_version = scene->excluded.version,
                                    .has_parts = scene_has_parts(scene),
                                    .poses_differ = (scene->device_change_union & CHANGED_POSE) != 0,
                                    .workers = scene->workers};
  return device_state_update(scene_device(scene), &description, &report_out->finite, &report_out->milliseconds);
}

static graze_result send_all(graze_scene *scene, device_update_report *report_out) {
  const size_t count = scene->object_count;
  object_upload *objects = memory_allocate(&scene->scratch.heap, count, sizeof *objects);
  if (objects == NULL) return GRAZE_OUT_OF_MEMORY;
  describe_work work = {.scene = scene, .objects = objects};
  workers_for(scene->workers, count, OBJECT_GRAIN, describe_range, &work);
  const graze_result result =
      find_shapes(scene, objects) ? update_device(scene, objects, NULL, 0, report_out) : GRAZE_OUT_OF_MEMORY;
  memory_release(&scene->scratch.heap, objects, count, sizeof *objects);
  return result;
}

/* Uploads the changes of a scene that the device has. If positions do not fit the current layout, it calls send_all. */
static graze_result send_updates_of(graze_scene *scene, const uint32_t *numbers, size_t count,
                                    device_update_report *report_out) {
  object_update *updates = memory_allocate(&scene->scratch.heap, count, sizeof *updates);
  if (updates == NULL) return GRAZE_OUT_OF_MEMORY;
  describe_work work = {.scene = scene, .numbers = numbers, .updates = updates};
  workers_for(scene->workers, count, OBJECT_GRAIN, describe_updates, &work);
  const bool has_place = device_scene_has_place(&scene_device(scene)->scene, updates, count);
  const graze_result result = has_place ? update_device(scene, NULL, updates, count, report_out) : GRAZE_OK;
  memory_release(&scene->scratch.heap, updates, count, sizeof *updates);
  return has_place ? result : send_all(scene, report_out);
}

static graze_result send_updates(graze_scene *scene, device_update_report *report_out) {
  const size_t count = scene->object_count;
  if ((scene->device_change_union & (CHANGED_POSITIONS | CHANGED_FILTER)) == 0)
    return update_device(scene, NULL, NULL, 0, report_out);
  uint32_t *numbers = memory_allocate(&scene->scratch.heap, count, sizeof *numbers);
  if (numbers == NULL) return GRAZE_OUT_OF_MEMORY;
  const graze_result result = send_updates_of(scene, numbers, list_updates(scene, numbers), report_out);
  memory_release(&scene->scratch.heap, numbers, count, sizeof *numbers);
  return result;
}

static void forget_range(void *context, size_t first, size_t end, uint32_t worker) {
  const graze_scene *scene = context;
  (void)worker;
  for (size_t i = first; i < end; i++) scene_slots(scene)[i].device_changes = 0;
}

/* After a failure the device's data are unknown, so the next update uploads everything. */
static graze_result update_on_device(graze_scene *scene, double *milliseconds_out) {
  device_update_report report;
  const graze_result made = scene_make_headers(scene);
  if (made != GRAZE_OK) return made;
  const graze_result result = scene_device_knows(scene) ? send_updates(scene, &report) : send_all(scene, &report);
  if (result != GRAZE_OK) {
    scene->stamps.device = STAMP_NEVER;
    return device_backend_fail(scene, result);
  }
  scene->stamps.device = scene->stamps.topology;
  *milliseconds_out = report.milliseconds;
  if ((scene->device_change_union & ~CHANGED_POSE) != 0) /* changes of poses were cleared as they were read */
    workers_for(scene->workers, scene->object_count, SLOT_GRAIN, forget_range, scene);
  scene->device_change_union = 0;
  const graze_result finished = finish_update(scene, report.finite);
  return finished == GRAZE_OK ? device_prepare_method(scene) : finished;
}

/* ---------------------------------------------------------------------------------------------- queries */

device_query device_backend_query(const graze_query *query, stop_check *stop) {
  return (device_query){.between = (query->scope & GRAZE_SCOPE_BETWEEN) != 0,
                        .within = (query->scope & GRAZE_SCOPE_WITHIN) != 0,
                        .skip_neighbors = query->neighbors == GRAZE_NEIGHBORS_SKIP,
                        .candidates_only = query->candidates_only,
                        .test = query->test,
                        .clearance = query->clearance,
                        .focus = query_focus_of(query),
                        .stop = stop};
}

static graze_result find_on_device(const graze_scene *scene, const graze_query *query, stop_check *stop,
                                   device_answer *found_out) {
  if (stop_is_requested(stop)) return GRAZE_STOPPED;
  const device_query request = device_backend_query(query, stop);
  const graze_result result = device_find_by_method(scene, query, &request, found_out);
  if (result != GRAZE_OK) return device_backend_fail(scene, result);
  return stop_is_requested(stop) ? GRAZE_STOPPED : GRAZE_OK;
}

/* The pairs of a query with clearance_rings, of those that the device has found; `meeting` are those that intersect. */
static graze_result list_thinned(const graze_scene *scene, const pair_request *request, const device_answer *found,
                                 const graze_pair *meeting, size_t meeting_count, pair_answer *answer) {
  size_t count = found->pair_count;
  graze_pair *pairs = answer_list_reserve(request->list, BLOCK_PAIRS, count, sizeof *pairs);
  if (pairs == NULL) return scene_fail_memory(scene);
  const graze_result result = device_find_fetch(&scene_device(scene)->search, found, count, pairs);
  if (result != GRAZE_OK) return device_backend_fail(scene, result);
  if (!device_thin_rings(scene, request->query, meeting, meeting_count, pairs, &count)) return scene_fail_memory(scene);
  const size_t keep = pair_request_wanted(request, count);
  *answer = (pair_answer){.pairs = pairs,
                          .count = keep,
                          .hash = graze_pairs_hash(pairs, keep),
                          .limit_reached = request->query->pair_limit != 0 && keep < count,
                          .timings = found->timings,
                          .counters = found->counters};
  return GRAZE_OK;
}

/* Two queries: the pairs within objects that intersect, and the pairs within the clearance. */
static graze_result find_by_rings(const graze_scene *scene, const pair_request *request, pair_answer *answer) {
  const graze_query plain = query_of_meeting_pairs(request->query);
  const double begin = timer_now_ms();
  device_answer found;
  graze_result result = find_on_device(scene, &plain, request->stop, &found);
  if (result != GRAZE_OK) return result;
  const size_t count = found.pair_count;
  graze_pair *meeting = memory_allocate(scene_scratch(scene), count, sizeof *meeting);
  if (meeting == NULL) return scene_fail_memory(scene);
  result = device_find_fetch(&scene_device(scene)->search, &found, count, meeting);
  if (result != GRAZE_OK) result = device_backend_fail(scene, result);
  const double between = timer_now_ms();
  if (result == GRAZE_OK) result = find_on_device(scene, request->query, request->stop, &found);
  const double end = timer_now_ms();
  if (result == GRAZE_OK) result = list_thinned(scene, request, &found, meeting, count, answer);
  answer->timings.order_ms += (between - begin) + (timer_now_ms() - end);
  memory_release(scene_scratch(scene), meeting, count, sizeof *meeting);
  return result;
}

static graze_result list_on_device(const graze_scene *scene, const pair_request *request, pair_answer *answer) {
  device_answer found;
  if (query_thins_rings(request->query)) return find_by_rings(scene, request, answer);
  graze_result result = find_on_device(scene, request->query, request->stop, &found);
  if (result != GRAZE_OK) return result;
  const double begin = timer_now_ms();
  /* A device finds all pairs as fast as one, so the first in order is returned. */
  const size_t keep = pair_request_wanted(request, found.pair_count);
  graze_pair *pairs = answer_list_reserve(request->list, BLOCK_PAIRS, keep, sizeof *pairs);
  if (pairs == NULL) return scene_fail_memory(scene);
  result = device_find_fetch(&scene_device(scene)->search, &found, keep, pairs);
  if (result != GRAZE_OK) return device_backend_fail(scene, result);
  *answer = (pair_answer){.pairs = pairs,
                          .count = keep,
                          .hash = keep < found.pair_count ? graze_pairs_hash(pairs, keep) : found.hash,
                          .limit_reached = request->query->pair_limit != 0 && keep < found.pair_count,
                          .timings = found.timings,
                          .counters = found.counters};
  answer->timings.order_ms += timer_now_ms() - begin;
  return GRAZE_OK;
}

/* ---------------------------------------------------------------------------------------------- contacts */

graze_result device_backend_measure_pairs(const graze_scene *scene, const device_contact_query *query,
                                          device_contact_answer *answer_out) {
  graze_result result = device_state_follow_host(scene_device(scene));
  if (result == GRAZE_OK) result = device_contacts_make(&scene_device(scene)->contacts, query, answer_out);
  if (result != GRAZE_OK) return device_backend_fail(scene, result);
  if (answer_out->refused < query->count) return scene_fail_pair(scene, &answer_out->refused_pair, answer_out->refused);
  if (answer_out->point_count >= MEASURE_TOO_MANY) return scene_fail_points(scene, answer_out->point_count);
  return GRAZE_OK;
}

/* With wrenches_only, pairs that do not meet get no kind; those that are not in the scene were refused before. */
static graze_result check_numbers(const graze_scene *scene, const contact_request *request) {
  for (size_t i = 0; i < request->count && request->wrenches_only; i++) {
    const graze_pair *pair = &request->pairs[i];
    index_pair numbers;
    if (!scene_pair_numbers(scene, pair, &numbers)) return scene_fail_pair(scene, pair, i);
  }
  return GRAZE_OK;
}

static graze_result take_contacts(void *context, size_t count, graze_contact **contacts_out) {
  *contacts_out = answer_list_reserve(context, BLOCK_CONTACTS, count, sizeof **contacts_out);
  return *contacts_out != NULL ? GRAZE_OK : GRAZE_OUT_OF_MEMORY;
}

static graze_result take_points(void *context, size_t count, double (**points_out)[3], size_t *room_out) {
  graze_list_memory *list = context;
  *points_out = list->blocks[BLOCK_POINTS];
  if (count > list->block_bytes[BLOCK_POINTS] / sizeof **points_out)
    *points_out = answer_list_reserve(list, BLOCK_POINTS, count, sizeof **points_out);
  *room_out = list->block_bytes[BLOCK_POINTS] / sizeof **points_out;
  return count <= *room_out ? GRAZE_OK : GRAZE_OUT_OF_MEMORY;
}

static graze_result measure_contacts(const graze_scene *scene, const contact_request *request, contact_answer *answer) {
  const double begin = timer_now_ms();
  const contact_target target = {.context = request->list, .take_contacts = take_contacts, .take_points = take_points};
  const device_contact_query query = {.pairs = request->pairs,
                                      .count = request->count,
                                      .target = &target,
                                      .wrenches_only = request->wrenches_only,
                                      .test = request->test};
  device_contact_answer made;
  graze_result result = check_numbers(scene, request);
  if (result == GRAZE_OK) result = device_backend_measure_pairs(scene, &query, &made);
  if (result != GRAZE_OK) return result;
  answer->point_count = (size_t)made.point_count;
  answer->contacts = answer_list_reserve(request->list, BLOCK_CONTACTS, request->count, sizeof *answer->contacts);
  answer->points = answer_list_reserve(request->list, BLOCK_POINTS, answer->point_count, sizeof *answer->points);
  if (answer->contacts == NULL || answer->points == NULL) return scene_fail_memory(scene);
  answer->milliseconds = timer_now_ms() - begin;
  return GRAZE_OK;
}

/* ---------------------------------------------------------------------------------------------- wrenches */

static void read_wrench(const device_wrench *wrench, wrench_sum *sum_out) {
  memcpy(sum_out->highest, wrench->highest, sizeof sum_out->highest);
  for (int term = 0; term < WRENCH_TERMS; term++)
    memcpy(sum_out->sums[term].limb, wrench->limbs[term], sizeof sum_out->sums[term].limb);
  sum_out->count = wrench->count;
}

/* Search and sums run on the device, which returns one wrench for every pair of objects. */
static graze_result sum_wrenches(const graze_scene *scene, const wrench_request *request, wrench_answer *answer) {
  const size_t places = scene->object_count * scene->object_count;
  memory *heap = scene_scratch(scene);
  device_wrench *table = memory_allocate(heap, places, sizeof *table);
  if (table == NULL) return scene_fail_memory(scene);
  device_query query = device_backend_query(request->query, request->stop);
  device_answer found;
  const wrench_query force_query = {&request->rule, table};
  query.wrenches = &force_query;
  memset(table, 0, places * sizeof *table); /* not written if all trees are apart */
  graze_result result = device_find_by_method(scene, request->query, &query, &found);
  if (result == GRAZE_OK && stop_is_requested(request->stop)) result = GRAZE_STOPPED;
  if (result == GRAZE_OK) {
    answer->timings = found.timings;
    answer->counters = found.counters;
    answer->counters.pairs = found.pair_count;
    for (size_t i = 0; i < places; i++) read_wrench(&table[i], &answer->sums[i]);
  }
  memory_release(heap, table, places, sizeof *table);
  return result == GRAZE_OK ? GRAZE_OK : device_backend_fail(scene, result);
}

/* ---------------------------------------------------------------------------------------------- the k-free measure */

static graze_result measure_on_device(const graze_scene *scene, uint32_t index, const crowding_counts *counts,
                                      crowding_outcome *outcome_out) {
  const object_upload object = object_upload_of(scene, index);
  const device_measure_request measure = {.object = index,
                                          .primitive_count = object.primitive_count,
                                          .most_corners = crowding_most_corners(&object.source, object.primitive_count),
                                          .k_of = counts->k_of,
                                          .neighbors_of = counts->neighbors_of,
                                          .diameter_of = counts->diameter_of};
  device_measure_answer measured;
  graze_result result = device_state_follow_host(scene_device(scene));
  if (result == GRAZE_OK)
    result = device_crowding_measure(&scene_device(scene)->crowding, &scene_device(scene)->search, &measure, &measured);
  if (result != GRAZE_OK) return device_backend_fail(scene, result);
  *outcome_out = (crowding_outcome){count_bits(measured.levels), measured.timings, measured.counters};
  return GRAZE_OK;
}

/* ---------------------------------------------------------------------------------------------- leaving the device */

/* Positions downloaded from a device, one array per slot; empty if the host has them. */
typedef struct fetched_positions {
  array *arrays;
  size_t count;
} fetched_positions;

static bool begin_fetching(graze_scene *scene, fetched_positions *fetched_out) {
  const size_t count = scene_object_slots(scene);
  *fetched_out = (fetched_positions){memory_allocate(&scene->memory, count, sizeof(array)), count};
  if (fetched_out->arrays == NULL) return false;
  for (size_t i = 0; i < count; i++)
    array_init(&fetched_out->arrays[i],
               3 * (scene_objects(scene)[i].device_is_double ? sizeof(double) : sizeof(float)));
  return true;
}

static void end_fetching(graze_scene *scene, fetched_positions *fetched) {
  for (size_t i = 0; i < fetched->count && fetched->arrays != NULL; i++)
    array_release(&fetched->arrays[i], &scene->memory);
  memory_release(&scene->memory, fetched->arrays, fetched->count, sizeof(array));
}

/* Downloads one object's positions, and checks them like those of a caller. */
static graze_result fetch_object(graze_scene *scene, uint32_t index, array *positions) {
  const scene_object *object = &scene_objects(scene)[index];
  const object_label label = scene_label(index, object->name);
  if (!array_resize(positions, &scene->memory, object->positions.count)) return scene_fail_memory(scene);
  if (positions->count == 0) return GRAZE_OK;
  const graze_result result = fetch_positions_of(scene, object, label.text, positions->data);
  if (result != GRAZE_OK) return result;
  const graze_view view = {positions->data, positions->count, 0,
                           object->device_is_double ? GRAZE_FORMAT_DOUBLE3 : GRAZE_FORMAT_FLOAT3};
  return scene_set_positions(scene, &label, &view, 0, object->device_is_double, positions->data);
}

static void take_fetched(graze_scene *scene, fetched_positions *fetched) {
  for (size_t i = 0; i < fetched->count; i++) {
    scene_object *object = &scene_objects(scene)[i];
    if (object->device_positions == NULL) continue;
    const array old = object->positions;
    object->positions = fetched->arrays[i];
    object->is_double = object->device_is_double;
    object->has_local_box = false;
    object->device_positions = NULL;
    fetched->arrays[i] = old; /* to be released with the list */
  }
}

/* Downloads all data that only the device has, or leaves the scene unchanged. */
static graze_result leave_device(graze_scene *scene) {
  fetched_positions fetched;
  if (!begin_fetching(scene, &fetched)) return scene_fail_memory(scene);
  graze_result result = GRAZE_OK;
  for (size_t i = 0; i < fetched.count && result == GRAZE_OK; i++)
    if (scene_objects(scene)[i].device_positions != NULL) result = fetch_object(scene, (uint32_t)i, &fetched.arrays[i]);
  if (result == GRAZE_OK) take_fetched(scene, &fetched);
  end_fetching(scene, &fetched);
  return result;
}

const backend backend_cuda = {.name = "cuda",
                              .description = "an NVIDIA device: runs update, search, tests and sorting",
                              .on_device = true,
                              .one_device = true,
                              .open = open_on_device,
                              .close = close_on_device,
                              .leave = leave_device,
                              .is_active = is_active,
                              .change_stream = change_stream,
                              .pose_heap = pose_heap,
                              .searched_by = device_searched_by,
                              .change_method = device_change_method,
                              .update = update_on_device,
                              .find = list_on_device,
                              .contacts = measure_contacts,
                              .wrenches = sum_wrenches,
                              .measure = measure_on_device,
                              .run_batch = device_run_batch,
                              .bytes = bytes_on_device,
                              .open_packing = open_packing,
                              .open_gas = open_gas};
