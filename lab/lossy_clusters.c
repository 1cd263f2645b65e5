/* Assigns members by memberships, and runs the library's sweep in each cluster; see lossy_clusters.h.
 *
 * A pair in several clusters is reported by the first that contains both primitives. A cluster is one task. */
#include "lab/lossy_clusters.h"

#include "base/simd_choice.h"
#include "base/timer.h"
#include "broad/clusters_state.h"
#include "broad/clusters_unit.h"

enum { HARD_STEPS = 10 };

/* ---------------------------------------------------------------------------------------------- members */

static uint32_t nearest_of(const cluster_centers *centers, const float point[3]) {
  uint32_t nearest = 0;
  for (uint32_t k = 1; k < centers->count; k++)
    if (cluster_measure_to(centers, k, point) < cluster_measure_to(centers, nearest, point)) nearest = k;
  return nearest;
}

/* Writes the clusters of a primitive and returns how many; `memberships` is scratch of one a cluster. */
static uint32_t clusters_of(const cluster_cover *cover, const fuzzy_rule *rule, bool hard, const primitive_view *view,
                            uint32_t primitive, float *memberships, uint16_t *clusters_out) {
  const cluster_centers *centers = &cover->centers;
  float point[3];
  primitive_point(view, primitive, point);
  if (hard || centers->count == 1) {
    clusters_out[0] = (uint16_t)nearest_of(centers, point);
    return 1;
  }
  uint32_t count = 0;
  fuzzy_memberships(centers, rule, point, memberships);
  for (uint32_t k = 0; k < centers->count; k++)
    if (memberships[k] > 0.9f / (float)centers->count) clusters_out[count++] = (uint16_t)k;
  return count;
}

/* Room for COVER_MOST clusters a primitive, then the lists. *too_many_out where there would be more. */
static bool list_clusters(cluster_cover *cover, const search *s, const fuzzy_rule *rule, bool hard,
                          bool *too_many_out) {
  const primitive_view *view = s->view;
  const uint32_t count = cover->centers.count;
  float *memberships = memory_allocate(s->memory, count, sizeof *memberships);
  uint16_t *reached = memory_allocate(s->memory, count, sizeof *reached);
  uint64_t searched = 0, members = 0;
  for (size_t i = 0; i < view->primitive_count; i++) searched += view->searched[i];
  cover->member_count = (uint32_t)(COVER_MOST * searched < UINT32_MAX ? COVER_MOST * searched : UINT32_MAX);
  cover->clusters = memory_allocate(s->memory, cover->member_count, sizeof *cover->clusters);
  const bool made = memberships != NULL && reached != NULL && cover->clusters != NULL;
  for (uint32_t i = 0; made && !*too_many_out && i < view->primitive_count; i++) {
    cover->first[i] = (uint32_t)members;
    if (view->searched[i] == 0) continue;
    const uint32_t found = clusters_of(cover, rule, hard, view, i, memberships, reached);
    *too_many_out = members + found > cover->member_count;
    for (uint32_t k = 0; k < found && !*too_many_out; k++) cover->clusters[members + k] = reached[k];
    members += found;
  }
  cover->first[view->primitive_count] = (uint32_t)members;
  memory_release(s->memory, memberships, count, sizeof *memberships);
  memory_release(s->memory, reached, count, sizeof *reached);
  return made && !*too_many_out;
}

static bool list_members(cluster_cover *cover, const search *s) {
  uint32_t *first = cover->member_first;
  cover->members = memory_allocate(s->memory, cover->member_count, sizeof *cover->members);
  if (cover->members == NULL) return false;
  const uint32_t all = cover->first[cover->primitive_count];
  for (uint32_t k = 0; k <= cover->centers.count; k++) first[k] = 0;
  for (uint32_t i = 0; i < all; i++) first[cover->clusters[i] + 1]++;
  for (uint32_t k = 0; k < cover->centers.count; k++) first[k + 1] += first[k];
  for (size_t i = cover->primitive_count; i-- > 0;) /* from the end, so that each list begins where it did */
    for (uint32_t at = cover->first[i]; at < cover->first[i + 1]; at++)
      cover->members[--first[cover->clusters[at] + 1]] = (uint32_t)i;
  for (uint32_t k = 0; k < cover->centers.count; k++) first[k] = first[k + 1];
  first[cover->centers.count] = all;
  return true;
}

static bool make_cover(cluster_cover *cover, const search *s, const fuzzy_rule *rule, bool hard, bool *too_many_out) {
  cover->primitive_count = s->view->primitive_count;
  cover->first = memory_allocate(s->memory, cover->primitive_count + 1, sizeof *cover->first);
  cover->member_first = memory_allocate(s->memory, cover->centers.count + 1, sizeof *cover->member_first);
  return cover->first != NULL && cover->member_first != NULL && list_clusters(cover, s, rule, hard, too_many_out) &&
         list_members(cover, s);
}

/* ---------------------------------------------------------------------------------------------- the sweep */

typedef struct lossy_search {
  search *given; /* the sink is its own */
  search own;    /* the same with a sink that passes on what a cluster is to name */
  const cluster_cover *cover;
  graze_axis axis;
  unit_lane *lanes;
  _Atomic(uint64_t) duplicates; /* a sum: the order of its terms does not matter */
} lossy_search;

static bool is_first_common_cluster(const cluster_cover *cover, uint32_t cluster, index_pair pair) {
  uint32_t i = cover->first[pair.a], j = cover->first[pair.b];
  while (cover->clusters[i] != cover->clusters[j]) {
    if (cover->clusters[i] < cover->clusters[j])
      i++;
    else
      j++;
  }
  return cover->clusters[i] == cluster;
}

static size_t pass_on(void *context, uint32_t worker, uint32_t task, const candidate *candidates, size_t count) {
  lossy_search *lossy = context;
  candidate kept[CANDIDATE_BATCH];
  size_t kept_count = 0;
  for (size_t i = 0; i < count; i++)
    if (is_first_common_cluster(lossy->cover, task, candidates[i].pair)) kept[kept_count++] = candidates[i];
  atomic_fetch_add(&lossy->duplicates, count - kept_count);
  const candidate_sink *sink = &lossy->given->sink;
  const size_t found = kept_count > 0 ? sink->consume(sink->context, worker, task, kept, kept_count) : 0;
  if (atomic_load(&lossy->given->task_end) != UINT32_MAX)
    search_end_tasks(&lossy->own, atomic_load(&lossy->given->task_end));
  return found;
}

static bool make_unit(cluster_unit *unit, unit_scratch *scratch, memory *heap) {
  const size_t count = unit->count + BOX_LIST_PADDING;
  scratch->starts = memory_allocate(heap, 3 * count, sizeof(float));
  unit->ids = memory_allocate(heap, count, sizeof *unit->ids);
  unit->ends = memory_allocate(heap, count, sizeof *unit->ends);
  unit->headers = memory_allocate(heap, count, sizeof *unit->headers);
  unit->flags = memory_allocate(heap, count, sizeof *unit->flags);
  unit->work = memory_allocate(heap, count, sizeof *unit->work);
  if (!unit->view->only_triangles) unit->fourth = memory_allocate(heap, count, sizeof *unit->fourth);
  if (!box_list_reserve(&unit->boxes, heap, count) || scratch->starts == NULL || unit->ids == NULL ||
      unit->ends == NULL || unit->headers == NULL || unit->flags == NULL || unit->work == NULL ||
      (unit->fourth == NULL && !unit->view->only_triangles))
    return false;
  scratch->ends = scratch->starts + count;
  scratch->buckets = (uint32_t *)(void *)(scratch->ends + count);
  return true;
}

static void release_unit(cluster_unit *unit, unit_scratch *scratch, memory *heap) {
  const size_t count = unit->count + BOX_LIST_PADDING;
  memory_release(heap, scratch->starts, 3 * count, sizeof(float));
  memory_release(heap, unit->ids, count, sizeof *unit->ids);
  memory_release(heap, unit->ends, count, sizeof *unit->ends);
  memory_release(heap, unit->headers, count, sizeof *unit->headers);
  memory_release(heap, unit->flags, count, sizeof *unit->flags);
  memory_release(heap, unit->work, count, sizeof *unit->work);
  memory_release(heap, unit->fourth, count, sizeof *unit->fourth);
  box_list_release(&unit->boxes, heap);
}

/* UNIT_OF_HUGE: a unit that names every pair that it meets. */
static void sweep_cluster(void *context, uint32_t cluster, uint32_t worker) {
  lossy_search *lossy = context;
  search *s = &lossy->own;
  unit_lane *lane = &lossy->lanes[worker];
  const uint32_t *first = lossy->cover->member_first + cluster;
  if (search_leaves(s, cluster)) return;
  cluster_unit unit = {.view = s->view,
                       .cover = lossy->cover,
                       .cluster = UNIT_OF_HUGE,
                       .members = lossy->cover->members + first[0],
                       .member_count = first[1] - first[0]};
  unit_scratch scratch = {0};
  unit_measure(&unit, lossy->axis, s->stop);
  candidate_batch_begin(&lane->batch, cluster);
  if (!make_unit(&unit, &scratch, s->memory)) {
    search_stop_out_of_memory(s);
  } else {
    unit_sort(&unit, &scratch, s->stop);
    if (!stop_was_requested(s->stop) && unit_sweep(&unit, 0, unit.count, lane)) candidate_batch_flush(&lane->batch);
  }
  release_unit(&unit, &scratch, s->memory);
}

static void keep_counts(lossy_search *lossy, uint32_t lane_count) {
  search *s = lossy->given;
  const cluster_cover *cover = lossy->cover;
  for (uint32_t i = 0; i < lane_count; i++) {
    s->counts.box_tests += lossy->lanes[i].counts.overlaps;
    s->counts.neighbors += lossy->lanes[i].counts.neighbors;
    s->counts.candidates += lossy->lanes[i].batch.handed_over;
  }
  s->counts.candidates -= atomic_load(&lossy->duplicates);
  s->counts.duplicates += atomic_load(&lossy->duplicates);
  s->cluster_count = cover->centers.count;
  s->member_count = cover->first[cover->primitive_count];
  for (uint32_t i = 0; i < cover->primitive_count; i++) {
    const uint32_t count = clusters_of_primitive(cover, i);
    if (count >= 1 && count <= 4) s->in_clusters[count - 1]++;
  }
}

static bool sweep(search *s, const cluster_cover *cover, graze_axis axis) {
  const uint32_t lane_count = workers_count(s->workers);
  lossy_search lossy = {.given = s,
                        .own = {.view = s->view,
                                .simd = s->simd,
                                .memory = s->memory,
                                .workers = s->workers,
                                .stop = s->stop,
                                .one_is_enough = s->one_is_enough,
                                .one_of_each = s->one_of_each},
                        .cover = cover,
                        .axis = axis,
                        .lanes = memory_allocate(s->memory, lane_count, sizeof *lossy.lanes)};
  if (lossy.lanes == NULL) return false;
  lossy.own.sink = (candidate_sink){&lossy, pass_on};
  search_init_ends(&lossy.own);
  for (uint32_t i = 0; i < lane_count; i++) {
    lossy.lanes[i].counts = (unit_counts){0};
    lossy.lanes[i].kernels = SIMD_KERNELS(box_kernels, s->simd);
    candidate_batch_init(&lossy.lanes[i].batch, &lossy.own, i);
  }
  workers_run(s->workers, sweep_cluster, &lossy, cover->centers.count);
  if (atomic_load(&lossy.own.out_of_memory)) search_stop_out_of_memory(s);
  keep_counts(&lossy, lane_count);
  memory_release(s->memory, lossy.lanes, lane_count, sizeof *lossy.lanes);
  return true;
}

/* ---------------------------------------------------------------------------------------------- the methods */

static graze_result find(const clusters_state *state, search *s, bool hard) {
  static const float origin[3] = {0, 0, 0};
  const double begin = timer_now_ms();
  cluster_cover cover = {.centers = learner_centers(&state->learner, state->distance)};
  if (cover.centers.count == 0)
    cover.centers = (cluster_centers){{&origin[0], &origin[1], &origin[2]}, 1, state->distance};
  bool too_many = false;
  bool done = make_cover(&cover, s, &state->rule, hard, &too_many);
  if (too_many) {
    cluster_centers one = cover.centers;
    one.count = 1;
    cover_release(&cover, s->memory);
    too_many = false;
    cover = (cluster_cover){.centers = one};
    done = make_cover(&cover, s, &state->rule, hard, &too_many);
  }
  s->build_ms = timer_now_ms() - begin;
  done = done && sweep(s, &cover, state->axis);
  cover_release(&cover, s->memory);
  const graze_result result = search_result(s);
  return done || result != GRAZE_OK ? result : GRAZE_OUT_OF_MEMORY;
}

/* Hard c-means: each point belongs to the nearest center alone, and centers become means. */
static void move_centers(clusters_state *state) {
  cluster_learner *learner = &state->learner;
  for (uint32_t k = 0; k < learner->center_count; k++) learner->sums[k] = (cluster_sums){0};
  const cluster_centers centers = learner_centers(learner, state->distance);
  for (uint32_t i = 0; i < learner->point_count; i++) {
    const float point[3] = {learner->points[0][i], learner->points[1][i], learner->points[2][i]};
    cluster_sums *sums = &learner->sums[nearest_of(&centers, point)];
    sums->weight += 1.0;
    for (int axis = 0; axis < 3; axis++) sums->position[axis] += point[axis];
  }
  for (uint32_t k = 0; k < learner->center_count; k++)
    for (int axis = 0; axis < 3 && learner->sums[k].weight > 0.0; axis++)
      learner->centers[axis][k] = (float)(learner->sums[k].position[axis] / learner->sums[k].weight);
}

static graze_result update_hard(void *kept, const update_input *input) {
  clusters_state *state = kept;
  const graze_result result = clusters_update(state, input);
  for (int step = 0; step < HARD_STEPS && result == GRAZE_OK; step++) move_centers(state);
  return result;
}

static graze_result find_thesis(const void *state, search *s) {
  return find(state, s, false);
}
static graze_result find_hard(const void *state, search *s) {
  return find(state, s, true);
}

static const cpu_method thesis_on_processor = {
    .create = clusters_create, .update = clusters_update, .find = find_thesis, .destroy = clusters_destroy};
static const cpu_method hard_on_processor = {
    .create = clusters_create, .update = update_hard, .find = find_hard, .destroy = clusters_destroy};

const method method_clusters_thesis = {.name = "clusters-thesis",
                                       .description = "clusters by a threshold of membership; loses pairs",
                                       .traits =
                                           METHOD_NEEDS_ROUNDED_VERTICES | METHOD_NEEDS_BOXES | METHOD_KEEPS_STATE,
                                       .cpu = &thesis_on_processor};
const method method_clusters_hard = {.name = "clusters-hard",
                                     .description = "clusters of the nearest center; loses pairs",
                                     .traits = METHOD_NEEDS_ROUNDED_VERTICES | METHOD_NEEDS_BOXES | METHOD_KEEPS_STATE,
                                     .cpu = &hard_on_processor};
