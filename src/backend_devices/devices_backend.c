/* The backend cuda with several devices: the scene stays on the host, and each device has a share of it.
 *
 * Calls are serialized: see scene_lock_device. The host computes contacts, poses and the k-free measure. Lists that
 * stay on a device, packings and sphere trees are refused. */
#include "backend/backend.h"
#include "backend_cpu/cpu_configurations.h"
#include "backend_cpu/cpu_contacts.h"
#include "backend_cpu/cpu_crowding.h"
#include "backend_cpu/cpu_pose_distances.h"
#include "backend_cpu/cpu_poses.h"
#include "backend_devices/device_shares.h"
#include "backend_devices/share_find.h"
#include "base/timer.h"
#include "scene/object_numbers.h"
#include "scene/scene_failure.h"
#include "scene/scene_numbers.h"
#include "scene/scene_vertices.h"

static device_shares *shares_of(const graze_scene *scene) {
  return scene->backend_state;
}

/* ---------------------------------------------------------------------------------------------- opening */

static graze_method_def method_def_of(const graze_scene *scene) {
  graze_method_def def = scene->method_def;
  def.name = scene->method != NULL ? scene->method->name : "auto";
  return def;
}

/* After a failure, the shares have the method that they had before, if there is memory for it. */
static graze_result set_method(const device_shares *all, const graze_scene *scene) {
  const graze_method_def before = method_def_of(all->shares[0].scene), def = method_def_of(scene);
  graze_result result = GRAZE_OK;
  uint32_t changed = 0;
  for (; result == GRAZE_OK && changed < all->count; changed++) {
    device_share *share = &all->shares[changed];
    share->failure = (rank_failure){0};
    result = rank_failure_note(&share->failure, graze_scene_set_method(share->scene, &def));
  }
  for (uint32_t i = 0; result != GRAZE_OK && i + 1 < changed; i++)
    graze_scene_set_method(all->shares[i].scene, &before);
  return result;
}

static graze_result change_method(graze_scene *scene) {
  device_shares *all = shares_of(scene);
  const graze_result result = set_method(all, scene);
  return result == GRAZE_OK ? GRAZE_OK : device_shares_check(all, scene);
}

static void close(graze_scene *scene, void *state_or_null) {
  device_shares *all = state_or_null;
  if (all == NULL) return;
  device_shares_close(all, scene);
  memory_release(&scene->memory, all, 1, sizeof *all);
}

static graze_result open(graze_scene *scene, const graze_backend_def *def, void **state_out) {
  device_shares *all = memory_allocate(&scene->memory, 1, sizeof *all);
  if (all == NULL) return scene_fail_memory(scene);
  graze_result result = device_shares_open(all, scene, def->devices, def->device_count);
  if (result != GRAZE_OK) {
    memory_release(&scene->memory, all, 1, sizeof *all);
    return result;
  }
  result = set_method(all, scene);
  if (result != GRAZE_OK) {
    result = device_shares_check(all, scene);
    close(scene, all);
    return result;
  }
  *state_out = all;
  return GRAZE_OK;
}

static graze_result leave(graze_scene *scene) {
  (void)scene;
  return GRAZE_OK;
}

static bool is_active(const graze_scene *scene, const graze_backend_def *def) {
  const device_shares *all = shares_of(scene);
  bool same = def->device_count == all->count;
  for (uint32_t i = 0; same && i < all->count; i++) same = def->devices[i] == all->shares[i].device;
  return same;
}

static memory *pose_heap(graze_scene *scene, void *state_or_null) {
  (void)state_or_null;
  return &scene->memory;
}

static size_t bytes(const graze_scene *scene) {
  const device_shares *all = shares_of(scene);
  size_t sum = 0;
  for (uint32_t i = 0; all != NULL && i < all->count; i++)
    sum += all->shares[i].scene->backend->bytes(all->shares[i].scene);
  return sum;
}

static const method *searched_by(const graze_scene *scene, const char **reason_out) {
  const graze_scene *first = shares_of(scene)->shares[0].scene;
  return first->backend->searched_by(first, reason_out);
}

/* ---------------------------------------------------------------------------------------------- update */

/* In shares, objects with the same number are parts of one object, so an object without a global number must not have
 * the number of an object with one. */
static graze_result check_numbers(const graze_scene *scene) {
  const scene_object *objects = scene_objects(scene);
  const numbered_object *rows = scene->by_number.data;
  for (size_t i = 1; i < scene->by_number.count && rows[i].count > 0; i++) {
    const uint32_t before = rows[i - 1].slot, slot = rows[i].slot;
    if (rows[i - 1].object == rows[i].object && objects[before].numbers.given != objects[slot].numbers.given)
      return scene_fail(scene, GRAZE_UNSUPPORTED,
                        "%s and %s both have the number %u, but only one as a global number: on several devices, both "
                        "need global numbers",
                        scene_label(before, objects[before].name).text, scene_label(slot, objects[slot].name).text,
                        rows[i].object);
  }
  return GRAZE_OK;
}

/* Updates the data that contacts and other calls on the host read. */
static graze_result update_host(graze_scene *scene) {
  scene_point_sources(scene);
  graze_result result = scene_make_headers(scene);
  if (result == GRAZE_OK) result = scene_check_poses(scene);
  if (result == GRAZE_OK) result = check_numbers(scene);
  if (result == GRAZE_OK) scene_count_volumes(scene);
  return result;
}

static graze_result update_shares(graze_scene *scene) {
  device_shares *all = shares_of(scene);
  const bool changed = !all->filled || !scene_device_knows(scene) || scene->device_change_union != 0;
  device_shares_note_frame(all);
  const double clearance = device_shares_next_clearance(all);
  if (changed || clearance < all->clearance || device_shares_are_uneven(all))
    return device_shares_fill(all, scene, clearance);
  for (uint32_t i = 0; i < all->count; i++) all->shares[i].work_us = 0;
  return GRAZE_OK;
}

static graze_result update(graze_scene *scene, double *milliseconds_out) {
  const double begin = timer_now_ms();
  graze_result result = update_host(scene);
  if (result == GRAZE_OK) result = update_shares(scene);
  if (result != GRAZE_OK) {
    scene->stamps.device = STAMP_NEVER;
    return result;
  }
  scene->stamps.device = scene->stamps.topology;
  for (size_t i = 0; i < scene->object_count; i++) scene_slots(scene)[i].device_changes = 0;
  scene->device_change_union = 0;
  *milliseconds_out = timer_now_ms() - begin;
  return GRAZE_OK;
}

/* ---------------------------------------------------------------------------------------------- queries */

static graze_result find(const graze_scene *scene, const pair_request *request, pair_answer *answer) {
  device_shares *all = shares_of(scene);
  if (!all->filled || request->query->clearance > all->clearance) {
    const double wider = request->query->clearance > all->clearance ? request->query->clearance : all->clearance;
    const graze_result result = device_shares_fill(all, scene, wider);
    if (result != GRAZE_OK) return result;
  }
  device_shares_note_query(all, request->query->clearance);
  return share_find(all, scene, request, answer);
}

/* ---------------------------------------------------------------------------------------------- refused calls */

static graze_result refuse(const char *what) {
  return fail(GRAZE_UNSUPPORTED, "%s on several devices: use one", what);
}

static graze_result open_packing(const graze_backend_def *def, const stages_def *stages, packer_stages *stages_out) {
  (void)def;
  (void)stages;
  (void)stages_out;
  return refuse("spheres cannot be packed");
}

static graze_result open_gas(const graze_backend_def *def, memory *heap, gas_stages *stages_out) {
  (void)def;
  (void)heap;
  (void)stages_out;
  return refuse("sphere trees cannot be built");
}

const backend backend_devices = {.name = "cuda",
                                 .description = "several NVIDIA devices, each with a part of the scene",
                                 .on_device = true,
                                 .open = open,
                                 .close = close,
                                 .leave = leave,
                                 .is_active = is_active,
                                 .pose_heap = pose_heap,
                                 .searched_by = searched_by,
                                 .change_method = change_method,
                                 .update = update,
                                 .find = find,
                                 .contacts = cpu_contacts,
                                 .measure = cpu_measure,
                                 .test_poses = cpu_test_poses,
                                 .test_configurations = cpu_test_configurations,
                                 .measure_configurations = cpu_measure_configurations,
                                 .bytes = bytes,
                                 .open_packing = open_packing,
                                 .open_gas = open_gas};
