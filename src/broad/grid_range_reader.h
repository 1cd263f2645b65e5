/* Reads the ranges of a grid: iterates over blocks of entries, and gathers the entries of a range that meet a box into
 * a list.
 *
 * Workload: blocks of 20 to 40 entries, ranges of that size and some of thousands; called a few times for every
 * block. */
#ifndef GRAZE_BROAD_GRID_RANGE_READER_H
#define GRAZE_BROAD_GRID_RANGE_READER_H

#include "broad/box_kernels.h"
#include "broad/grid_data.h"
#include "broad/method.h"

#include <string.h>

enum {
  TASK_ENTRIES = 2048, /* maximum entries per task; fewer if there would be few tasks. They never depend on workers */
  TASK_FEWEST = 512,   /* with fewer entries, workers rebuild the lists of ancestors too often */
  TASKS_WANTED = 256   /* crowded places take ten times as long as others: many tasks balance the load */
};

/* The memory and counters of one worker. */
typedef struct range_reader {
  const grid *grid;
  memory *memory;
  const box_kernels *kernels;
  uint64_t box_tests;
} range_reader;

range_reader range_reader_of(const grid *g, const search *s);

/* Reserves memory for `more` boxes after the existing ones; grows at least by half, because the lists of a worker
 * are long-lived. False when out of memory. */
bool reserve_boxes(range_reader *reader, box_list *list, size_t more);

/* Appends the range's entries [first, end) that meet the box, in order; false when out of memory. */
bool cull_range(range_reader *reader, const cell_range *run, size_t first, size_t end, const float bound[6],
                box_list *list);

/* The entries per task, and the number of tasks. */
static inline size_t grid_task_entries(const grid *g) {
  const size_t even = g->entries.count / TASKS_WANTED;
  return even < TASK_FEWEST ? TASK_FEWEST : even < TASK_ENTRIES ? even : TASK_ENTRIES;
}
static inline uint32_t grid_task_count(const grid *g) {
  const size_t length = grid_task_entries(g);
  return (uint32_t)((g->entries.count + length - 1) / length);
}

/* The range of an entry. */
size_t cell_range_of_entry(const grid *g, size_t entry);

/* Calls `visit` for each block of the task's entries in order, until it returns false or the task is to end. A block
 * has up to `most` entries [first, end) of one side of a range. Returns whether all were visited. Inline, so that
 * the visit is inlined, too. */
typedef bool block_visit(void *context, int level, const cell_range *run, size_t first, size_t end);
static inline bool grid_walk_task(const grid *g, search *s, uint32_t task, size_t most, block_visit *visit,
                                  void *context) {
  const size_t length = grid_task_entries(g);
  size_t entry = (size_t)task * length;
  const size_t end_entry = entry + length < g->entries.count ? entry + length : g->entries.count;
  int level = 0;
  for (size_t run = cell_range_of_entry(g, entry); entry < end_entry; run++) {
    while (run >= g->levels[level].end_range) level++;
    const size_t middle = g->ranges[run].middle, range_end = g->ranges[run + 1].first;
    while (entry < range_end && entry < end_entry) {
      if (search_leaves(s, task)) return false;
      const size_t side_end = entry < middle ? middle : range_end;
      size_t end = entry + most < side_end ? entry + most : side_end;
      if (end > end_entry) end = end_entry;
      if (!visit(context, level, &g->ranges[run], entry, end)) return false;
      entry = end;
    }
  }
  return true;
}

static inline bool bounds_meet(const float a[6], const float b[6]) {
  return a[0] <= b[3] && b[0] <= a[3] && a[1] <= b[4] && b[1] <= a[4] && a[2] <= b[5] && b[2] <= a[5];
}

/* The box around entries [first, end) of a range; that of the whole range is stored. */
static inline void bound_block(const grid *g, const cell_range *run, size_t first, size_t end, float bound_out[6]) {
  if (first == run->first && end == run[1].first)
    memcpy(bound_out, run->bound, sizeof run->bound);
  else
    box_list_around(&g->entries, first, end, bound_out);
}

#endif
