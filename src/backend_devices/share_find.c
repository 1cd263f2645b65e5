/* The pairs of a divided scene; see share_find.h.
 *
 * Workload: one task per device, which waits for its device; then one step of a merge per pair. */
#include "backend_devices/share_find.h"

#include "backend_cuda/device_rings.h"
#include "base/timer.h"
#include "scene/scene_failure.h"

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
static bool merge(const device_shares *all, const graze_scene *scene, graze_pair *pairs, size_t count) {
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
  if (pairs == NULL || !merge(all, scene, pairs, found.count) ||
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
  result = meeting != NULL && merge(all, scene, meeting, count)
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
  if (pairs == NULL || !merge(all, scene, pairs, keep)) return scene_fail_memory(scene);
  *answer = (pair_answer){.pairs = pairs,
                          .count = keep,
                          .hash = keep < found.count ? graze_pairs_hash(pairs, keep) : found.hash,
                          .limit_reached = request->query->pair_limit != 0 && keep < found.count};
  answer->timings.order_ms = timer_now_ms() - begin;
  return GRAZE_OK;
}

graze_result share_find(device_shares *all, const graze_scene *scene, const pair_request *request,
                        pair_answer *answer) {
  const graze_result result = query_thins_rings(request->query) ? find_by_rings(all, scene, request, answer)
                                                                : find_all(all, scene, request, answer);
  if (result == GRAZE_OK) add_costs(all, answer);
  return result;
}
