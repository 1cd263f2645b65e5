/* Reading the ranges of a grid: what of a range meets a box, gathered into a list.
 *
 * Workload: ranges of five to ten entries, some of thousands; called a few times for every block of entries. */
#ifndef GRAZE_BROAD_GRID_RANGE_READER_H
#define GRAZE_BROAD_GRID_RANGE_READER_H

#include "broad/box_kernels.h"
#include "broad/grid.h"

/* What one worker needs for it, and how much it has done. */
typedef struct range_reader {
  const grid *grid;
  memory *memory;
  const box_kernels *kernels;
  uint64_t box_tests;
} range_reader;

range_reader range_reader_of(const grid *g, const search *s);

/* Room for `more` boxes behind those that are there; grows by half at least, as lists of one worker live long. False
 * when out of memory. */
bool make_list_room(range_reader *reader, box_list *list, size_t more);

/* Appends those of the range's entries [first, end) that meet the box, in order; false when out of memory. */
bool cull_range(range_reader *reader, const cell_range *run, size_t first, size_t end, const float bound[6],
                box_list *list);

/* The run that the entry is in. */
size_t cell_range_of_entry(const grid *g, size_t entry);

static inline bool bounds_meet(const float a[6], const float b[6]) {
  return a[0] <= b[3] && b[0] <= a[3] && a[1] <= b[4] && b[1] <= a[4] && a[2] <= b[5] && b[2] <= a[5];
}

/* The box around entries [first, end) of a range; that of the whole run is known. */
static inline void bound_block(const grid *g, const cell_range *run, size_t first, size_t end, float bound_out[6]) {
  if (first == run->first && end == run[1].first)
    memcpy(bound_out, run->bound, sizeof run->bound);
  else
    box_list_around(&g->entries, first, end, bound_out);
}

#endif
