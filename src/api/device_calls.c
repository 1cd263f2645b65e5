/* The public calls of graze/cuda.h: positions, pairs and contacts that stay on the device. */
#include "api/answer_fields.h"
#include "api/definitions.h"
#include "api/query_reading.h"
#include "api/scene_contacts.h"
#include "backend/backend.h"
#include "backend_cuda/cuda_scene.h"
#include "backend_cuda/device_backend.h"
#include "backend_cuda/device_method.h"
#include "backend_cuda/device_rings.h"
#include "base/float_environment.h"
#include "cuda/cuda_backend.h"
#include "graze/inside/launches.h"
#include "scene/object_lookup.h"
#include "scene/scene_change.h"
#include "scene/scene_failure.h"
#include "scene/scene_numbers.h"

#include <stdio.h>

/* Checks a caller's array of numbers of the given size. If the device accessed memory that it cannot reach, or that is
 * misaligned, it would become unusable for the process. */
static graze_result check_device_memory(const graze_scene *scene, const char *what, const void *given, size_t bytes,
                                        size_t number_bytes) {
  if ((uintptr_t)given % number_bytes != 0)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "%s: the address is not a multiple of %zu bytes", what,
                      number_bytes);
  const device_operations *operations = &scene_device(scene)->memory.operations;
  const graze_result result = operations->check_memory(operations->context, given, bytes);
  return result == GRAZE_OK ? GRAZE_OK
                            : scene_fail(scene, result, "%s: %s", what, operations->error(operations->context));
}

/* ---------------------------------------------------------------------------------------------- lists on the device */

static graze_result check_device(const graze_scene *scene) {
  if (scene->backend->one_device) return GRAZE_OK;
  return fail(GRAZE_UNSUPPORTED, scene->backend->on_device
                                     ? "the scene runs on several devices: lists cannot stay on a device"
                                     : "the scene has no device: it runs on the processor");
}

/* Releases what a list has on another device, or blocks that are too small. */
static void release_blocks(graze_list_memory *list, int device, int block, size_t bytes) {
  for (int i = 0; i < LIST_BLOCKS; i++) {
    const bool too_small = i == block && list->device_block_bytes[i] < bytes;
    if (list->device_blocks[i] == NULL || (list->device == device && !too_small)) continue;
    list->device_release(list->device, list->device_blocks[i]);
    list->device_blocks[i] = NULL;
  }
}

/* Allocates a block of the list on the scene's device, an eighth larger than requested if possible. On failure, only
 * the device's message is set. */
static graze_result list_block(const graze_scene *scene, graze_list_memory *list, int block, size_t count,
                               size_t element_bytes, void **room_out) {
  const device_operations *device = &scene_device(scene)->memory.operations;
  size_t bytes, more;
  *room_out = NULL;
  if (!size_multiply(count, element_bytes, &bytes) || !size_add(bytes, bytes / 8, &more)) return GRAZE_OUT_OF_MEMORY;
  release_blocks(list, device->device, block, bytes);
  *room_out = list->device_blocks[block];
  if (*room_out != NULL || bytes == 0) return GRAZE_OK;
  graze_result result = device->allocate_list(device->context, more, room_out);
  if (result == GRAZE_OUT_OF_MEMORY) {
    more = bytes;
    result = device->allocate_list(device->context, more, room_out);
  }
  if (result != GRAZE_OK) return result;
  list->device = device->device;
  list->device_release = device->release_list;
  list->device_blocks[block] = *room_out;
  list->device_block_bytes[block] = more;
  return GRAZE_OK;
}

/* Copies pairs to a block of the list, so that the query's own buffers do not depend on the list. */
static graze_result copy_to_list(const graze_scene *scene, graze_list_memory *list, int block, const void *from,
                                 size_t count, size_t element_bytes, void **copy_out) {
  const device_operations *device = &scene_device(scene)->memory.operations;
  graze_result result = list_block(scene, list, block, count, element_bytes, copy_out);
  if (result == GRAZE_OK && count > 0) result = device->copy(device->context, *copy_out, from, count * element_bytes);
  return result == GRAZE_OK ? GRAZE_OK : device_backend_fail(scene, result);
}

static graze_result find_on_device(const graze_scene *scene, const graze_query *given, graze_list_memory *list,
                                   graze_device_pairs *fields) {
  graze_query query;
  graze_result result = check_device(scene);
  if (result == GRAZE_OK) result = scene_read_query(scene, given, &query);
  if (result == GRAZE_OK && (query.pair_limit != 0 || query.stop_after != 0))
    result = fail(GRAZE_UNSUPPORTED, "pair_limit and stop_after are not supported for pairs on the device");
  if (result == GRAZE_OK && query_thins_rings(&query))
    result = fail(GRAZE_UNSUPPORTED, "clearance_rings above 1 is not supported for pairs on the device");
  if (result != GRAZE_OK) return result;
  stop_check stops;
  stop_check_init(&stops, query.should_stop, query.stop_context);
  stop_check *stop = query.should_stop != NULL ? &stops : NULL;
  device_answer answer;
  void *pairs = NULL;
  const device_query request = device_backend_query(&query, stop);
  result = stop_is_requested(stop) ? GRAZE_STOPPED : device_find_by_method(scene, &query, &request, &answer);
  if (result == GRAZE_OK && stop_is_requested(stop)) result = GRAZE_STOPPED;
  if (result != GRAZE_OK) return device_backend_fail(scene, result);
  result = copy_to_list(scene, list, BLOCK_PAIRS, answer.device_pairs, answer.pair_count, sizeof(graze_pair), &pairs);
  if (result != GRAZE_OK) return result;
  answer.counters.pairs = answer.pair_count;
  scene_record(scene, &answer.timings, &answer.counters, list);
  *fields = (graze_device_pairs){.device_pairs = pairs,
                                 .count = answer.pair_count,
                                 .hash = answer.hash,
                                 .timings = &list->timings,
                                 .counters = &list->counters,
                                 .memory = list};
  return GRAZE_OK;
}

graze_result graze_scene_find_pairs_on_device(const graze_scene *scene, const graze_query *query,
                                              graze_device_pairs *pairs) {
  GUARD_FLOAT_ENVIRONMENT();
  graze_list_memory *list = NULL;
  graze_result result = scene_open_list(scene, &device_pairs_definition, pairs, &list);
  if (result != GRAZE_OK) return result;
  graze_device_pairs fields = {.memory = list};
  scene_lock_device(scene);
  result = find_on_device(scene, query, list, &fields);
  scene_unlock_device(scene);
  answer_list_write(&device_pairs_definition, pairs, &fields);
  return result;
}

/* The caller's pairs may be in any memory. */
static graze_result check_device_pairs(const graze_scene *scene, const graze_pair *device_pairs, size_t count) {
  size_t bytes;
  if (count > 0 && device_pairs == NULL)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "the list of %zu pairs is NULL", count);
  if (!size_multiply(count, sizeof *device_pairs, &bytes)) return scene_fail_memory(scene);
  return check_device_memory(scene, "pairs", device_pairs, bytes, sizeof(uint32_t));
}

/* A list on the device that contacts are written to directly. */
typedef struct device_list_target {
  const graze_scene *scene;
  graze_list_memory *list;
} device_list_target;

static graze_result take_contacts(void *context, size_t count, graze_contact **contacts_out) {
  const device_list_target *target = context;
  void *room;
  const graze_result result =
      list_block(target->scene, target->list, BLOCK_CONTACTS, count, sizeof **contacts_out, &room);
  *contacts_out = room;
  return result;
}

static graze_result take_points(void *context, size_t count, double (**points_out)[3], size_t *room_out) {
  const device_list_target *target = context;
  void *room;
  const graze_result result = list_block(target->scene, target->list, BLOCK_POINTS, count, sizeof **points_out, &room);
  *points_out = room;
  *room_out = room != NULL ? target->list->device_block_bytes[BLOCK_POINTS] / sizeof **points_out : 0;
  return result;
}

static graze_result make_there(const graze_scene *scene, const graze_pair *device_pairs, size_t count, graze_test test,
                               graze_list_memory *list, graze_device_contacts *fields) {
  graze_result result = check_device(scene);
  if (result == GRAZE_OK) result = scene_check_updated(scene);
  if (result == GRAZE_OK) result = scene_check_kinds(scene, SUPPORTS_CONTACTS);
  if (result == GRAZE_OK) result = check_device_pairs(scene, device_pairs, count);
  device_list_target list_target = {scene, list};
  const contact_target target = {
      .context = &list_target, .on_device = true, .take_contacts = take_contacts, .take_points = take_points};
  const device_contact_query query = {
      .pairs = device_pairs, .count = count, .target = &target, .on_device = true, .test = test};
  device_contact_answer answer;
  if (result == GRAZE_OK) result = device_backend_measure_pairs(scene, &query, &answer);
  if (result != GRAZE_OK) return result;
  list->timings = (graze_timings){
      .struct_bytes = sizeof(graze_timings), .update_ms = scene->update_ms, .contacts_ms = answer.milliseconds};
  *fields = (graze_device_contacts){.device_contacts = answer.contacts,
                                    .count = count,
                                    .device_points = (const double(*)[3])answer.points,
                                    .point_count = (size_t)answer.point_count,
                                    .timings = &list->timings,
                                    .memory = list};
  return GRAZE_OK;
}

graze_result graze_scene_make_contacts_on_device(const graze_scene *scene, const graze_pair *device_pairs, size_t count,
                                                 const graze_contact_options *given, graze_device_contacts *contacts) {
  GUARD_FLOAT_ENVIRONMENT();
  graze_list_memory *list = NULL;
  graze_result result = scene_open_list(scene, &device_contacts_definition, contacts, &list);
  if (result != GRAZE_OK) return result;
  graze_device_contacts fields = {.memory = list};
  graze_contact_options options;
  result = scene_read_contact_options(scene, given, &options);
  if (result == GRAZE_OK) {
    scene_lock_device(scene);
    result = make_there(scene, device_pairs, count, options.test, list, &fields);
    scene_unlock_device(scene);
  }
  answer_list_write(&device_contacts_definition, contacts, &fields);
  return result;
}

/* ---------------------------------------------------------------------------------------------- devices, positions */

uint64_t graze_scene_device_launches(const graze_scene *scene) {
  if (scene == NULL || !scene->backend->one_device) return 0;
  const device_operations *operations = &scene_device(scene)->memory.operations;
  scene_lock_device(scene);
  const size_t query = operations->launches(operations->context, SEQUENCE_QUERY);
  const size_t update = operations->launches(operations->context, SEQUENCE_UPDATE);
  scene_unlock_device(scene);
  return query > 0 ? query + update : 0;
}

graze_result graze_cuda_describe(int device, char *words_out, size_t words_bytes) {
  GUARD_FLOAT_ENVIRONMENT();
  if (words_out == NULL || words_bytes == 0) return GRAZE_INVALID_ARGUMENT;
  words_out[0] = '\0';
  return cuda_backend_describe(device, words_out, words_bytes);
}

graze_result graze_object_set_device_positions(graze_scene *scene, graze_object id, const void *device_positions,
                                               graze_format format, void *stream) {
  GUARD_FLOAT_ENVIRONMENT();
  scene_object *object = scene_find_object(scene, id);
  if (object == NULL) return scene_lookup_failure(scene);
  const object_label label = scene_label(id.index, object->name);
  if (!scene->backend->one_device)
    return scene_fail(scene, GRAZE_UNSUPPORTED, "%s: positions in device memory need a scene on one device, not on %s",
                      label.text, scene->backend->on_device ? "several devices" : "the processor");
  if (format != GRAZE_FORMAT_FLOAT3 && format != GRAZE_FORMAT_DOUBLE3)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "%s: positions are GRAZE_FORMAT_FLOAT3 or GRAZE_FORMAT_DOUBLE3",
                      label.text);
  if (device_positions == NULL)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "%s: the pointer to the device positions is NULL", label.text);
  char what[sizeof label.text + sizeof ": positions"];
  snprintf(what, sizeof what, "%s: positions", label.text);
  const size_t number_bytes = format == GRAZE_FORMAT_DOUBLE3 ? sizeof(double) : sizeof(float);
  graze_result result =
      check_device_memory(scene, what, device_positions, object->positions.count * 3 * number_bytes, number_bytes);
  if (result == GRAZE_OK) result = object_unshare(scene, id.index);
  if (result != GRAZE_OK) return result;
  object->device_positions = device_positions;
  object->device_is_double = format == GRAZE_FORMAT_DOUBLE3;
  object->device_stream = stream;
  scene_change_object(scene, id.index, CHANGED_POSITIONS);
  return GRAZE_OK;
}
