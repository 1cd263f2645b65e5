/* The method "clusters", a broad phase: space is divided among the centers of fuzzy clusters, and each cluster is swept
 * along its own axis.
 *
 * Mainzer, "New Geometric Algorithms and Data Structures for Collision Detection of Dynamically Deforming Objects",
 * 2015, with these changes: the membership of primitives follows from their extents and provably loses nothing, a pair
 * found by several clusters is reported by one of them, and the number of clusters adapts. docs/theory/clusters.md has
 * the proof.
 *
 * Workload: 10^4 to 10^6 primitives, 2 to a few hundred clusters. */
#include "broad/clusters.h"

#include "base/simd_choice.h"
#include "base/timer.h"
#include "broad/clusters_cover.h"
#include "broad/clusters_state.h"
#include "broad/clusters_unit.h"
#include "broad/structure_list.h"

#include <string.h>

enum { TASK_WORK = 1 << 16, TASKS_MOST = 1 << 30 };

/* All units of a search and their memory: one array of each kind, with a part for each unit. */
typedef struct unit_list {
  search *search;
  graze_axis axis;
  cluster_range range;
  cluster_unit *units; /* of the range */
  size_t *first;       /* first entry of each unit, and the end */
  uint32_t count;
  box_list boxes;
  uint32_t *ids, *fourth, *ends;
  primitive_header *headers;
  uint8_t *flags;
  uint64_t *work;
  unit_scratch scratch;
  uint32_t *task_first; /* of each unit, without its first task, and the end */
  uint64_t task_work;
  unit_lane *lanes;
} unit_list;

static size_t entry_count(const unit_list *list) {
  return list->first[list->count];
}

/* ---------------------------------------------------------------------------------------------- building */

/* The unit of huge primitives has the number after those of clusters. */
static bool make_units(unit_list *list, const cluster_cover *cover) {
  memory *heap = list->search->memory;
  const uint32_t all = cover->centers.count + (cover->huge_count > 0 ? 1 : 0);
  const uint32_t first = list->range.first, end = list->range.end < all ? list->range.end : all;
  list->count = end > first ? end - first : 0;
  list->units = memory_allocate(heap, list->count, sizeof *list->units);
  list->first = memory_allocate(heap, list->count + 1, sizeof *list->first);
  list->task_first = memory_allocate(heap, list->count + 1, sizeof *list->task_first);
  if (list->units == NULL || list->first == NULL || list->task_first == NULL) return false;
  list->first[list->count] = 0;
  for (uint32_t i = 0; i < list->count; i++) {
    const uint32_t number = first + i;
    const bool of_huge = number == cover->centers.count;
    const uint32_t *member_first = cover->member_first + number;
    list->units[i] = (cluster_unit){.view = list->search->view,
                                    .cover = cover,
                                    .cluster = of_huge ? UNIT_OF_HUGE : number,
                                    .members = of_huge ? cover->huge : cover->members + member_first[0],
                                    .member_count = of_huge ? cover->huge_count : member_first[1] - member_first[0]};
  }
  return true;
}

static void measure_unit(void *context, uint32_t index, uint32_t worker) {
  const unit_list *list = context;
  (void)worker;
  if (!stop_is_requested(list->search->stop)) unit_measure(&list->units[index], list->axis, list->search->stop);
}

/* The part of each unit starts at a whole vector and has space after it for kernels to read. */
static bool lay_out_units(unit_list *list) {
  size_t place = 0;
  for (uint32_t i = 0; i < list->count; i++) {
    list->first[i] = place;
    place += ((size_t)list->units[i].count + 2 * BOX_LIST_PADDING - 1) / BOX_LIST_PADDING * BOX_LIST_PADDING;
  }
  list->first[list->count] = place;
  memory *heap = list->search->memory;
  list->ids = memory_allocate(heap, place, sizeof *list->ids);
  list->ends = memory_allocate(heap, place, sizeof *list->ends);
  list->headers = memory_allocate(heap, place, sizeof *list->headers);
  list->flags = memory_allocate(heap, place, sizeof *list->flags);
  list->work = memory_allocate(heap, place, sizeof *list->work);
  if (!list->search->view->only_triangles) list->fourth = memory_allocate(heap, place, sizeof *list->fourth);
  const bool boxes = box_list_reserve(&list->boxes, heap, place);
  /* Allocated last, because it is released first. */
  list->scratch.starts = memory_allocate(heap, 3 * place, sizeof(float));
  if (list->scratch.starts != NULL) {
    list->scratch.ends = list->scratch.starts + place;
    list->scratch.buckets = (uint32_t *)(void *)(list->scratch.ends + place);
  }
  return boxes && list->ids != NULL && list->ends != NULL && list->headers != NULL && list->flags != NULL &&
         list->work != NULL && list->scratch.starts != NULL &&
         (list->fourth != NULL || list->search->view->only_triangles);
}

static void release_sorting(unit_list *list) {
  memory *heap = list->search->memory;
  const size_t entries = list->first != NULL ? entry_count(list) : 0;
  memory_release(heap, list->scratch.starts, 3 * entries, sizeof(float));
  list->scratch = (unit_scratch){0};
}

static void release_units(unit_list *list) {
  memory *heap = list->search->memory;
  const size_t entries = list->first != NULL ? entry_count(list) : 0;
  release_sorting(list);
  box_list_release(&list->boxes, heap);
  memory_release(heap, list->ids, entries, sizeof *list->ids);
  memory_release(heap, list->ends, entries, sizeof *list->ends);
  memory_release(heap, list->headers, entries, sizeof *list->headers);
  memory_release(heap, list->flags, entries, sizeof *list->flags);
  memory_release(heap, list->work, entries, sizeof *list->work);
  memory_release(heap, list->fourth, entries, sizeof *list->fourth);
  memory_release(heap, list->units, list->count, sizeof *list->units);
  memory_release(heap, list->first, list->count + 1, sizeof *list->first);
  memory_release(heap, list->task_first, list->count + 1, sizeof *list->task_first);
}

static void sort_unit(void *context, uint32_t index, uint32_t worker) {
  const unit_list *list = context;
  const size_t first = list->first[index];
  cluster_unit *unit = &list->units[index];
  const unit_scratch *all = &list->scratch;
  const unit_scratch own = {all->starts + first, all->ends + first, all->buckets + first};
  (void)worker;
  unit->boxes = (box_list){.number = list->boxes.number + first, .capacity = unit->count};
  for (int i = 0; i < 6; i++) unit->boxes.bound[i] = list->boxes.bound[i] + first;
  unit->ids = list->ids + first;
  unit->ends = list->ends + first;
  unit->headers = list->headers + first;
  unit->flags = list->flags + first;
  unit->work = list->work + first;
  unit->fourth = list->fourth != NULL ? list->fourth + first : NULL;
  unit_sort(unit, &own, list->search->stop);
}

static uint64_t tasks_of_unit(const unit_list *list, uint32_t unit) {
  return (list->units[unit].all_work + list->task_work - 1) / list->task_work;
}

/* Divides units into tasks of equal work; larger ones if there would be too many to number. The first tasks of all
 * units precede all others. Several units may see the pairs of a crowd, and only one of them reports the pairs: a
 * search that ends early must not sweep all of another unit first. */
static void lay_out_tasks(unit_list *list) {
  uint64_t tasks = UINT64_MAX;
  for (list->task_work = TASK_WORK; tasks > TASKS_MOST; list->task_work *= 2) {
    tasks = 0;
    for (uint32_t i = 0; i < list->count; i++) tasks += tasks_of_unit(list, i);
    if (tasks <= TASKS_MOST) break;
  }
  uint32_t first = list->count;
  for (uint32_t i = 0; i < list->count; i++) {
    const uint32_t count = (uint32_t)tasks_of_unit(list, i);
    list->task_first[i] = first;
    first += count > 0 ? count - 1 : 0;
  }
  list->task_first[list->count] = first;
}

/* False when out of memory or stopped. */
static bool build_units(unit_list *list, const cluster_cover *cover) {
  search *s = list->search;
  if (!make_units(list, cover)) return false;
  workers_run(s->workers, measure_unit, list, list->count);
  if (stop_was_requested(s->stop) || !lay_out_units(list)) return false;
  workers_run(s->workers, sort_unit, list, list->count);
  release_sorting(list);
  lay_out_tasks(list);
  return !stop_was_requested(s->stop);
}

/* ---------------------------------------------------------------------------------------------- searching */

/* The last unit whose further tasks begin at or before the given one: units without further tasks are skipped. */
static uint32_t unit_of_task(const unit_list *list, uint32_t task) {
  uint32_t low = 0, high = list->count;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if (list->task_first[middle] <= task)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static void sweep_task(void *context, uint32_t index, uint32_t worker) {
  const unit_list *list = context;
  unit_lane *lane = &list->lanes[worker];
  if (search_leaves(list->search, index)) return;
  const bool is_first = index < list->count;
  const uint32_t number = is_first ? index : unit_of_task(list, index);
  const cluster_unit *unit = &list->units[number];
  const uint64_t part = is_first ? 0 : (uint64_t)index - list->task_first[number] + 1;
  const uint32_t first = unit_entry_at(unit, part * list->task_work);
  const uint32_t end = unit_entry_at(unit, (part + 1) * list->task_work);
  candidate_batch_begin(&lane->batch, index);
  if (unit_sweep(unit, first, end, lane)) candidate_batch_flush(&lane->batch);
}

/* Returns the number of pairs of boxes that met. */
static uint64_t keep_counts(search *s, const unit_list *list, uint32_t lane_count) {
  unit_counts sum = {0};
  for (uint32_t i = 0; i < lane_count; i++) {
    const unit_counts *counts = &list->lanes[i].counts;
    sum.overlaps += counts->overlaps;
    sum.meetings += counts->meetings;
    sum.neighbors += counts->neighbors;
    sum.duplicates += counts->duplicates;
    s->counts.candidates += list->lanes[i].batch.handed_over;
  }
  s->counts.box_tests += sum.overlaps;
  s->counts.neighbors += sum.neighbors;
  s->counts.duplicates += sum.duplicates;
  return sum.meetings;
}

/* Allocated before everything else, so that memory released after the sort is at the end, where lists of pairs then
 * grow. */
static bool make_lanes(unit_list *list) {
  search *s = list->search;
  const uint32_t lane_count = workers_count(s->workers);
  list->lanes = memory_allocate(s->memory, lane_count, sizeof *list->lanes);
  if (list->lanes == NULL) return false;
  for (uint32_t i = 0; i < lane_count; i++) {
    list->lanes[i].counts = (unit_counts){0};
    list->lanes[i].kernels = SIMD_KERNELS(box_kernels, s->simd);
    candidate_batch_init(&list->lanes[i].batch, s, i);
  }
  return true;
}

static uint64_t sweep_units(unit_list *list) {
  search *s = list->search;
  workers_run(s->workers, sweep_task, list, list->task_first[list->count]);
  return keep_counts(s, list, workers_count(s->workers));
}

/* Whether a search for pairs of objects may have skipped rows. The first crowd is met for any timing of
 * workers, so the answer is deterministic. */
static bool has_met_crowd(const search *s) {
  bool met = false;
  for (uint32_t i = 0; s->known != NULL && i < workers_count(s->workers); i++) met = met || s->known[i].in_use;
  return met;
}

/* A partial search, or one that ended early or skipped rows, does not show the cost of a complete one. */
static void keep_notes(search *s, const cluster_cover *cover, const unit_list *list, uint64_t meetings) {
  uint64_t searched = cover->huge_count;
  for (size_t i = 0; i < cover->primitive_count; i++) {
    const uint32_t count = clusters_of_primitive(cover, (uint32_t)i);
    searched += count > 0;
    if (count >= 1 && count <= 4) s->in_clusters[count - 1]++;
  }
  s->cluster_count = cover->centers.count;
  for (uint32_t i = 0; i < list->count; i++) s->member_count += list->units[i].count;
  if (atomic_load(&s->task_end) != UINT32_MAX || !range_has_all_clusters(list->range) || has_met_crowd(s)) return;
  s->notes.words[NOTE_CLUSTERS] = cover->centers.count;
  s->notes.words[NOTE_SEARCHED] = searched;
  s->notes.words[NOTE_MEMBERS] = s->member_count;
  s->notes.words[NOTE_OVERLAPS] = s->counts.box_tests;
  s->notes.words[NOTE_MEETINGS] = meetings;
}

/* ---------------------------------------------------------------------------------------------- listing */

/* Clusters as nodes of a structure; see graze/inspect.h. */

static void include_box(const primitive_box *box, double min[3], double max[3]) {
  for (int axis = 0; axis < 3; axis++) {
    min[axis] = fmin(min[axis], box->min[axis]);
    max[axis] = fmax(max[axis], box->max[axis]);
  }
}

static void add_group(const primitive_view *view, uint32_t level, const uint32_t *members, size_t count,
                      structure_list *list) {
  if (count == 0 || !structure_list_has_level(list, level)) return;
  double min[3] = {DBL_MAX, DBL_MAX, DBL_MAX}, max[3] = {-DBL_MAX, -DBL_MAX, -DBL_MAX};
  for (size_t i = 0; i < count; i++) include_box(&view->boxes[members[i]], min, max);
  const exact_box box = box_in_scene(view, min, max);
  structure_list_add(list, level, &box);
  structure_list_add_members(list, members, count);
}

/* Lists the clusters that have members, level 0, and then the group of huge primitives, level 1. False when out of
 * memory or stopped. */
static bool clusters_list(const cluster_cover *cover, const search *s, structure_list *list) {
  const uint32_t *first = cover->member_first;
  size_t clusters = 0;
  for (uint32_t i = 0; i < cover->centers.count; i++) clusters += first[i + 1] > first[i];
  structure_list_count(list, 0, clusters);
  structure_list_count(list, 1, cover->huge_count > 0);
  if (!structure_list_reserve(list, clusters + 1, (size_t)cover->member_count + cover->huge_count)) return false;
  add_group(s->view, 1, cover->huge, cover->huge_count, list);
  for (uint32_t i = 0; i < cover->centers.count && !stop_is_requested(s->stop); i++)
    add_group(s->view, 0, cover->members + first[i], first[i + 1] - first[i], list);
  return !stop_was_requested(s->stop);
}

/* ---------------------------------------------------------------------------------------------- the method */

/* A single center if the last update had no points. */
static cluster_centers centers_of(const clusters_state *state) {
  static const float origin[3] = {0, 0, 0};
  if (state->learner.center_count > 0) return learner_centers(&state->learner, state->distance);
  return (cluster_centers){{&origin[0], &origin[1], &origin[2]}, 1, state->distance};
}

graze_result clusters_find_range(const clusters_state *state, search *s, cluster_range range) {
  const cluster_centers centers = centers_of(state);
  unit_list list = {.search = s, .axis = state->axis, .range = range};
  const double begin = timer_now_ms();
  cluster_cover cover = {0};
  const bool done = make_lanes(&list) && cover_make(&cover, s, &centers) && build_units(&list, &cover);
  s->build_ms = timer_now_ms() - begin;
  if (done) keep_notes(s, &cover, &list, sweep_units(&list));
  release_units(&list);
  cover_release(&cover, s->memory);
  memory_release(s->memory, list.lanes, workers_count(s->workers), sizeof *list.lanes);
  const graze_result result = search_result(s);
  return done || result != GRAZE_OK ? result : GRAZE_OUT_OF_MEMORY;
}

static graze_result find_in_clusters(const void *state, search *s) {
  return clusters_find_range(state, s, (cluster_range){0, CLUSTERS_END});
}

static graze_result list_clusters(const void *state, search *s, structure_list *nodes) {
  const cluster_centers centers = centers_of(state);
  const double begin = timer_now_ms();
  cluster_cover cover = {0};
  bool done = cover_make(&cover, s, &centers);
  s->build_ms = timer_now_ms() - begin;
  s->cluster_count = cover.centers.count;
  s->member_count = cover.member_count;
  done = done && clusters_list(&cover, s, nodes);
  cover_release(&cover, s->memory);
  const graze_result result = search_result(s);
  return done || result != GRAZE_OK ? result : GRAZE_OUT_OF_MEMORY;
}

const cpu_method cpu_clusters = {.create = clusters_create,
                                 .update = clusters_update,
                                 .find = find_in_clusters,
                                 .list = list_clusters,
                                 .destroy = clusters_destroy};
