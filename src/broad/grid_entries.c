/* Writes the entries of a grid; see grid_entries.h.
 *
 * Workload: 10^4 to 10^7 entries, some five per range; written once per frame, by all workers. */
#include "broad/grid_entries.h"

#include "base/first_touch.h"
#include "broad/grid_segments.h"
#include "broad/primitive_box.h"

enum { ENTRY_GRAIN = 8192, RANGE_GRAIN = 512, ENTRIES_AT_ONCE = 256 };

/* Undefined if the number of corners is not four. */
static uint32_t fourth_corner(const primitive_view *view, uint32_t id) {
  const object_source *source = &view->sources[view->headers[id].object];
  if (source->corner_count != 4) return 0;
  return corners_of(source, id).vertices[3] + source->first_vertex;
}

/* Entries are in spatial order, primitives and vertices in file order: each access misses the first-level caches,
 * and many are prefetched before the first is used. */
static void write_some_entries(const grid *g, const primitive_view *view, size_t first, size_t end) {
  for (size_t entry = first; entry < end; entry++) {
    const primitive_header *header = &view->headers[g->ids[entry]];
    g->headers[entry] = *header;
    prefetch_box(view, header);
  }
  float *const *all = g->entries.bound;
  float *const bound[6] = {all[0] + first, all[1] + first, all[2] + first,
                           all[3] + first, all[4] + first, all[5] + first};
  write_boxes(view, g->ids + first, end - first, bound);
  if (g->fourth == NULL) return;
  for (size_t entry = first; entry < end; entry++) g->fourth[entry] = fourth_corner(view, g->ids[entry]);
}

typedef struct entry_job {
  grid *grid;
  const search *search;
} entry_job;

static void write_entries(void *context, size_t first, size_t end, uint32_t worker) {
  const entry_job *job = context;
  (void)worker;
  if (stop_is_requested(job->search->stop)) return;
  for (size_t at = first; at < end; at += ENTRIES_AT_ONCE)
    write_some_entries(job->grid, job->search->view, at, at + ENTRIES_AT_ONCE < end ? at + ENTRIES_AT_ONCE : end);
}

static void bound_segments(const grid *g, const cell_range *run) {
  for (int tier = 0; grid_has_tier(run, tier); tier++) {
    const box_list *within = tier == 0 ? &g->entries : &g->segments[tier - 1];
    const size_t first = grid_first_segment(run, tier), first_within = grid_first_segment(run, tier - 1);
    for (size_t segment = 0; segment < grid_segments_of(run, tier); segment++) {
      float bound[6];
      box_list_around(within, first_within + segment * SEGMENT_PARTS,
                      first_within + grid_segment_end(run, tier, segment), bound);
      for (int i = 0; i < 6; i++) g->segments[tier].bound[i][first + segment] = bound[i];
    }
  }
}

/* The first entry of the second side. */
static uint32_t middle_of(const grid *g, const cell_range *run) {
  uint32_t low = run->first, high = run[1].first;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (grid_side_of(&g->sides, g->ids[middle]) == 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void record_large_range(grid *g, const cell_range *run) {
  int level = 0;
  while ((size_t)(run - g->ranges) >= g->levels[level].end_range) level++;
  /* The order of workers does not matter: bits are only set. */
  __atomic_fetch_or(&g->large_levels, UINT32_C(1) << level, __ATOMIC_RELAXED);
}

static void bound_ranges(void *context, size_t first, size_t end, uint32_t worker) {
  const entry_job *job = context;
  grid *g = job->grid;
  (void)worker;
  if (stop_is_requested(job->search->stop)) return;
  for (cell_range *run = g->ranges + first; run < g->ranges + end; run++) {
    box_list_around(&g->entries, run->first, run[1].first, run->bound);
    run->middle = g->sides.count == 2 ? middle_of(g, run) : run[1].first;
    bound_segments(g, run);
    if (grid_range_is_large(run)) record_large_range(g, run);
  }
}

static bool make_segments(grid *g, memory *heap) {
  const cell_range all[2] = {{.first = 0}, {.first = (uint32_t)g->entry_count}};
  for (int tier = 0; grid_has_tier(all, tier); tier++)
    if (!box_list_reserve_places(&g->segments[tier], heap, grid_segments_of(all, tier))) return false;
  return true;
}

bool grid_make_entries(grid *g, const search *s) {
  g->headers = memory_allocate(s->memory, g->entry_count, sizeof *g->headers);
  if (!s->view->only_triangles) {
    g->fourth = memory_allocate(s->memory, g->entry_count, sizeof *g->fourth);
    if (g->fourth == NULL) return false;
  }
  if (g->headers == NULL || !make_segments(g, s->memory)) return false;
  g->entries.count = g->entry_count;
  first_touch(s->workers, g->headers, g->entry_count * sizeof *g->headers);
  entry_job job = {g, s};
  workers_for(s->workers, g->entry_count, ENTRY_GRAIN, write_entries, &job);
  if (stop_was_requested(s->stop)) return false;
  workers_for(s->workers, g->range_count, RANGE_GRAIN, bound_ranges, &job);
  return !stop_was_requested(s->stop);
}
