/* The backend cuda with several devices: the scene stays on the host, and each device has a share of it.
 *
 * Calls are serialized: see scene_lock_device. The host computes contacts, poses and the k-free measure. Lists that
 * stay on a device, packings and sphere trees are refused. */
#include "backend/backend.h"
#include "backend_cpu/cpu_batch.h"
#include "backend_cpu/cpu_contacts.h"
#include "backend_cpu/cpu_crowding.h"
#include "backend_cuda/device_rings.h"
#include "backend_devices/device_shares.h"
#include "base/timer.h"
#include "scene/object_numbers.h"
#include "scene/scene_failure.h"
#include "scene/scene_numbers.h"
#include "scene/scene_vertices.h"

/* ---------------------------------------------------------------------------------------------- queries */

/* The pairs of a divided scene.
 *
 * Workload: one task per device, which waits for its device; then one step of a merge per pair. */

typedef struct finding {
  device_shares *all;
  const graze_query *query;
  stop_check *stop;
} finding;

static bool should_stop_share(void *context) {
  return stop_is_requested(context);
}

/* Makes the share's query; false if the share cannot have such pairs. */
static bool make_query(const device_share *share, const finding *work, graze_query *query_out) {
  *query_out = *work->query;
  query_out->pair_limit = query_out->stop_after = 0;
  query_out->clearance_rings = 1; /* the host applies them to the merged pairs */
  query_out->should_stop = work->stop != NULL ? should_stop_share : NULL;
  query_out->stop_context = work->stop;
  return (query_out->about_count < 1 ||
          slab_find_object(&share->slab, 0, work->query->about_a.index, &query_out->about_a)) &&
         (query_out->about_count < 2 ||
          slab_find_object(&share->slab, 0, work->query->about_b.index, &query_out->about_b));
}

static void find_in_share(void *context, uint32_t index, uint32_t worker) {
  const finding *work = context;
  device_shares *all = work->all;
  device_share *share = &all->shares[index];
  const double begin = timer_now_ms();
  graze_query query;
  (void)worker;
  share->failure = (rank_failure){0};
  if (make_query(share, work, &query))
    slab_find(&share->slab, &all->parts, all->clearance, &query, &share->pairs, &share->failure);
  else
    share->pairs = (graze_pairs){.struct_bytes = share->pairs.struct_bytes, .memory = share->pairs.memory};
  const uint64_t us = (uint64_t)((timer_now_ms() - begin) * 1e3);
  share->work_us += all->work_us != NULL ? all->work_us(all->work_context, index, us) : us;
}

static bool is_before(const graze_pair *p, const graze_pair *q) {
  if (p->object_a != q->object_a) return p->object_a < q->object_a;
  if (p->primitive_a != q->primitive_a) return p->primitive_a < q->primitive_a;
  if (p->object_b != q->object_b) return p->object_b < q->object_b;
  return p->primitive_b < q->primitive_b;
}

/* The pairs of all shares together. */
typedef struct found_pairs {
  size_t count;
  uint64_t hash;
} found_pairs;

static graze_result search_shares(device_shares *all, const graze_scene *scene, const graze_query *query,
                                  stop_check *stop, found_pairs *found_out) {
  finding work = {all, query, stop};
  if (stop_is_requested(stop)) return GRAZE_STOPPED;
  workers_run(scene->workers, find_in_share, &work, all->count);
  *found_out = (found_pairs){0};
  for (uint32_t i = 0; i < all->count; i++) {
    found_out->count += all->shares[i].pairs.count;
    found_out->hash += all->shares[i].pairs.hash;
  }
  return device_shares_check(all, scene);
}

/* Merges the first `count` pairs of all shares; false when out of memory. No pair is in two lists. */
static bool merge_pairs(const device_shares *all, const graze_scene *scene, graze_pair *pairs, size_t count) {
  const graze_pair **next = memory_allocate(scene_scratch(scene), all->count, sizeof *next);
  if (next == NULL) return false;
  for (uint32_t i = 0; i < all->count; i++) next[i] = all->shares[i].pairs.pairs;
  for (size_t k = 0; k < count; k++) {
    uint32_t least = all->count;
    for (uint32_t i = 0; i < all->count; i++) {
      const graze_pairs *list = &all->shares[i].pairs;
      if (list->count == 0 || next[i] == list->pairs + list->count) continue;
      if (least == all->count || is_before(next[i], next[least])) least = i;
    }
    pairs[k] = *next[least]++;
  }
  memory_release(scene_scratch(scene), next, all->count, sizeof *next);
  return true;
}

/* Adds the time of the slowest device in each stage, and the counters of all. */
static void add_costs(const device_shares *all, pair_answer *answer) {
  graze_timings slowest = {0};
  for (uint32_t i = 0; i < all->count; i++) {
    const graze_timings *timings = all->shares[i].pairs.timings;
    const graze_counters *counters = all->shares[i].pairs.counters;
    if (timings == NULL || counters == NULL) continue;
    const uint64_t levels = answer->counters.levels > counters->levels ? answer->counters.levels : counters->levels;
#define TAKE_SLOWEST(name, words)                                                                                      \
  if (slowest.name##_ms < timings->name##_ms) slowest.name##_ms = timings->name##_ms;
    GRAZE_STAGE_LIST(TAKE_SLOWEST)
#undef TAKE_SLOWEST
#define ADD_COUNTER(name, words) answer->counters.name += counters->name;
    GRAZE_COUNTER_LIST(ADD_COUNTER)
#undef ADD_COUNTER
    answer->counters.levels = levels;
  }
  slowest.order_ms += answer->timings.order_ms;
  answer->timings = slowest;
}

/* Removes pairs that are near along their mesh from those of all shares; `meeting` are the intersecting pairs within
 * objects. */
static graze_result list_thinned(device_shares *all, const graze_scene *scene, const pair_request *request,
                                 const graze_pair *meeting, size_t meeting_count, pair_answer *answer) {
  found_pairs found;
  graze_result result = search_shares(all, scene, request->query, request->stop, &found);
  if (result != GRAZE_OK) return result;
  graze_pair *pairs = answer_list_reserve(request->list, BLOCK_PAIRS, found.count, sizeof *pairs);
  if (pairs == NULL || !merge_pairs(all, scene, pairs, found.count) ||
      !device_thin_rings(scene, request->query, meeting, meeting_count, pairs, &found.count))
    return scene_fail_memory(scene);
  const size_t keep = pair_request_wanted(request, found.count);
  *answer = (pair_answer){.pairs = pairs,
                          .count = keep,
                          .hash = graze_pairs_hash(pairs, keep),
                          .limit_reached = request->query->pair_limit != 0 && keep < found.count};
  return GRAZE_OK;
}

static graze_result find_by_rings(device_shares *all, const graze_scene *scene, const pair_request *request,
                                  pair_answer *answer) {
  const graze_query plain = query_of_meeting_pairs(request->query);
  found_pairs found;
  graze_result result = search_shares(all, scene, &plain, request->stop, &found);
  if (result != GRAZE_OK) return result;
  const size_t count = found.count;
  graze_pair *meeting = memory_allocate(scene_scratch(scene), count, sizeof *meeting);
  result = meeting != NULL && merge_pairs(all, scene, meeting, count)
               ? list_thinned(all, scene, request, meeting, count, answer)
               : scene_fail_memory(scene);
  memory_release(scene_scratch(scene), meeting, count, sizeof *meeting);
  return result;
}

static graze_result find_all(device_shares *all, const graze_scene *scene, const pair_request *request,
                             pair_answer *answer) {
  found_pairs found;
  const graze_result result = search_shares(all, scene, request->query, request->stop, &found);
  if (result != GRAZE_OK) return result;
  const double begin = timer_now_ms();
  const size_t keep = pair_request_wanted(request, found.count);
  graze_pair *pairs = answer_list_reserve(request->list, BLOCK_PAIRS, keep, sizeof *pairs);
  if (pairs == NULL || !merge_pairs(all, scene, pairs, keep)) return scene_fail_memory(scene);
  *answer = (pair_answer){.pairs = pairs,
                          .count = keep,
                          .hash = keep < found.count ? graze_pairs_hash(pairs, keep) : found.hash,
                          .limit_reached = request->query->pair_limit != 0 && keep < found.count};
  answer->timings.order_ms = timer_now_ms() - begin;
  return GRAZE_OK;
}

/* Like backend.find. The shares must be filled, for the clearance of the query. */
static graze_result share_find(device_shares *all, const graze_scene *scene, const pair_request *request,
                               pair_answer *answer) {
  const graze_result result = query_thins_rings(request->query) ? find_by_rings(all, scene, request, answer)
                                                                : find_all(all, scene, request, answer);
  if (result == GRAZE_OK) add_costs(all, answer);
  return result;
}

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

static void close_devices(graze_scene *scene, void *state_or_null) {
  device_shares *all = state_or_null;
  if (all == NULL) return;
  device_shares_close(all, scene);
  memory_release(&scene->memory, all, 1, sizeof *all);
}

static graze_result open_devices(graze_scene *scene, const graze_backend_def *def, void **state_out) {
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
    close_devices(scene, all);
    return result;
  }
  *state_out = all;
  return GRAZE_OK;
}

static graze_result leave_devices(graze_scene *scene) {
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

static size_t bytes_on_devices(const graze_scene *scene) {
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

static graze_result update_devices(graze_scene *scene, double *milliseconds_out) {
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

static graze_result find_on_devices(const graze_scene *scene, const pair_request *request, pair_answer *answer) {
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
                                 .open = open_devices,
                                 .close = close_devices,
                                 .leave = leave_devices,
                                 .is_active = is_active,
                                 .pose_heap = pose_heap,
                                 .searched_by = searched_by,
                                 .change_method = change_method,
                                 .update = update_devices,
                                 .find = find_on_devices,
                                 .contacts = cpu_contacts,
                                 .measure = cpu_measure,
                                 .run_batch = cpu_run_batch,
                                 .bytes = bytes_on_devices,
                                 .open_packing = open_packing,
                                 .open_gas = open_gas};
