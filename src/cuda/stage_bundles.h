/* Bundles: consecutive entries with a box around them, for scenes whose cells are crowded.
 *
 * Slivers of CAD models are stored at the level of their length, many per cell, and smaller primitives test all of
 * those around them. Entries of a cell are mostly in the order of their primitives, and neighbors in a mesh are close
 * in space: a box around sixteen of them is barely longer than each, and one test of it replaces sixteen. If cells are
 * not crowded, ranges are short and there are no bundles: device_search.c decides by the comparisons of the previous
 * query.
 *
 * Boxes are in normalized coordinates, as floats. The lower corner of an entry's box is stored, the upper one follows
 * from the sides of its cell box: l and h in units satisfy low < l and h < high + 1, so that the box is shorter than
 * high + 1 - low units. This is an exact float, and rounding to nearest is monotonic, so that the rounded sum is not
 * below any float that the exact sum is not below.
 *
 * Workload: every entry once, 32 bytes; 2 bytes written. */
#ifndef GRAZE_CUDA_STAGE_BUNDLES_H
#define GRAZE_CUDA_STAGE_BUNDLES_H

#include "cuda/grid_view.h"

/* A box around that of an entry, from the data that the search reads anyway. */
GEOMETRY_FUNCTION primitive_box box_around_entry(const pair_view *v, uint32_t entry) {
  const cell_box stored = v->entries.cell_boxes[entry];
  primitive_box box;
  for (int axis = 0; axis < 3; axis++) {
    const float low = lower_half(stored.halves[axis]), high = -upper_half(stored.halves[axis]);
    box.min[axis] = v->lists.entries[entry].min[axis];
    box.max[axis] =
        box.min[axis] + (high - low + 1.0f) * unit_length(key_level(stored.cell_key), axis, v->entries.reach_bits);
  }
  return box;
}

GEOMETRY_FUNCTION void stage_bundle(uint32_t bundle, const grid_view *v) {
  const uint32_t first = bundle * BUNDLE_ENTRIES, left = v->pairs.lists.totals->entry_count - first;
  const uint32_t count = left < BUNDLE_ENTRIES ? left : (uint32_t)BUNDLE_ENTRIES;
  primitive_box around = box_around_entry(&v->pairs, first);
  for (uint32_t i = 1; i < count; i++) {
    const primitive_box box = box_around_entry(&v->pairs, first + i);
    for (int axis = 0; axis < 3; axis++) {
      around.min[axis] = box.min[axis] < around.min[axis] ? box.min[axis] : around.min[axis];
      around.max[axis] = box.max[axis] > around.max[axis] ? box.max[axis] : around.max[axis];
    }
  }
  v->bundle_boxes[bundle].box = around;
}

/* Whether a run of this many entries is tested by its bundles first. */
GEOMETRY_FUNCTION bool is_bundled(const grid_view *v, uint32_t entries) {
  return v->bundle_boxes != NULL && entries >= 2 * BUNDLE_ENTRIES;
}

/* The number of bundles that contain these entries, at least one; the first and the last may have others too. */
GEOMETRY_FUNCTION uint32_t bundles_of(uint32_t first_entry, uint32_t entries) {
  return (first_entry + entries - 1u) / BUNDLE_ENTRIES - first_entry / BUNDLE_ENTRIES + 1u;
}

/* A run of entries. */
typedef struct entry_run {
  uint32_t first, count;
} entry_run;

/* The entries of a run that are in a given bundle. */
GEOMETRY_FUNCTION entry_run run_in_bundle(uint32_t bundle, uint32_t first_entry, uint32_t entries) {
  const uint32_t first = bundle * BUNDLE_ENTRIES, end = first + BUNDLE_ENTRIES, last_end = first_entry + entries;
  entry_run run;
  run.first = first > first_entry ? first : first_entry;
  run.count = (end < last_end ? end : last_end) - run.first;
  return run;
}

#endif
