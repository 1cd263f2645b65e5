/* The stages that divide huge primitives among clusters, and the functions that the sweep needs for them.
 *
 * One triangle as large as the scene would be a member of every cluster and be compared with everything. So the part of
 * a huge primitive in a cluster is its intersection with the box around the cluster's other members: clusters that it
 * does not reach do not have it, and in the others it is at most as long as the cluster. A member that meets it in a
 * cluster is within that box, so no pair is lost. Pairs of two huge primitives belong to a unit of huge primitives
 * only, after the last cluster. docs/theory/clusters.md has the proof; on the processor see clusters_cover.c and
 * clusters_unit.c.
 *
 * Whether a primitive is huge is decided in integers, so that sums do not depend on the order. Sides are rounded up:
 * less than a sixteenth of all entries can be longer than sixteen times their mean, for any sizes.
 *
 * Workload: every entry once for the sides. If none is huge, as in most scenes, that is all; otherwise every member
 * once for the boxes around clusters, and every huge one once per cluster, twice. */
#ifndef GRAZE_CUDA_STAGE_HUGE_H
#define GRAZE_CUDA_STAGE_HUGE_H

#include "cuda/cluster_view.h"
#include "cuda/stage_entries.h"

/* ---------------------------------------------------------------------------------------------- huge primitives */

/* A side in units of 2^-24 of normalized coordinates, rounded up; bounded so that a warp can add it in 32 bits. */
GEOMETRY_FUNCTION uint32_t side_units(float side) {
  return side < 4.0f ? (uint32_t)(side * 0x1p24f) + 1u : UINT32_C(1) << 26;
}

/* A single cluster is not divided: a huge primitive reaches it anyway. */
GEOMETRY_FUNCTION uint32_t device_divided_entries(const cluster_view *v) {
  return v->centers.count > 1 ? v->pairs.lists.totals->entry_count : 0u;
}

GEOMETRY_FUNCTION void stage_cluster_side(uint32_t index, const cluster_view *v) {
  const primitive_box box = v->pairs.entries.entry_boxes[index].box;
  const uint32_t units = side_units(longest_side(&box));
  device_tally(device_tally_slot(&v->pairs.lists, TALLY_SIDES, index), units);
  device_raise(&v->pairs.lists.totals->longest_side, units);
}

/* In units; valid after the stage above. */
GEOMETRY_FUNCTION uint64_t huge_limit_of(const cluster_view *v) {
  const uint32_t entries = device_divided_entries(v);
  return entries > 0 ? HUGE_MEAN_SIDES * sum_slots(v->pairs.lists.totals->tally[TALLY_SIDES]) / entries : UINT64_MAX;
}

GEOMETRY_FUNCTION bool box_is_huge(const primitive_box *box, uint64_t limit) {
  return side_units(longest_side(box)) > limit;
}

/* Entries to be checked for huge ones: none if there are none. Valid after the stage cluster_count. */
GEOMETRY_FUNCTION uint32_t device_huge_entries(const cluster_view *v) {
  return v->pairs.lists.totals->longest_side > v->pairs.lists.totals->huge_limit ? v->pairs.lists.totals->entry_count
                                                                                 : 0u;
}

/* ---------------------------------------------------------------------------------------------- bounds */

GEOMETRY_FUNCTION void raise_bound(const cluster_view *v, uint32_t cluster, const primitive_box *box) {
  cluster_bound *bound = &v->bounds[cluster];
  for (int axis = 0; axis < 3; axis++) {
    device_raise_of(cluster, &bound->low[axis], ~ordered_bits((double)box->min[axis]));
    device_raise_of(cluster, &bound->high[axis], ordered_bits((double)box->max[axis]));
  }
}

/* The number after the last cluster is the unit of pairs of huge primitives. */
GEOMETRY_FUNCTION uint32_t unit_of_huge(const cluster_view *v) {
  return v->centers.count;
}

GEOMETRY_FUNCTION void record_huge(const cluster_view *v, uint32_t index, const primitive_box *box) {
  raise_bound(v, unit_of_huge(v), box);
  for (int axis = 0; axis < 3; axis++)
    device_tally(device_tally_slot(&v->pairs.lists, (device_tally_name)(TALLY_HUGE_X + axis), index),
                 side_units(box->max[axis] - box->min[axis]));
}

/* The coordinate along which huge primitives overlap least: where their mean side is the smallest part of their
 * common extent. */
GEOMETRY_FUNCTION sweep_axis axis_of_huge(const cluster_view *v) {
  const cluster_bound *bound = &v->bounds[unit_of_huge(v)];
  double least = HUGE_VAL;
  int best = 0;
  for (int axis = 0; axis < 3; axis++) {
    const double extent = ordered_value(bound->high[axis]) - ordered_value(~bound->low[axis]);
    const double part = (double)sum_slots(v->pairs.lists.totals->tally[TALLY_HUGE_X + axis]) / extent;
    if (!(part < least)) continue;
    least = part;
    best = axis;
  }
  return coordinate_axis(best);
}

/* ---------------------------------------------------------------------------------------------- pieces */

/* The virtual piece of a huge primitive in a unit; false if it has none. */
GEOMETRY_FUNCTION bool piece_in_unit(const cluster_view *v, uint32_t unit, const primitive_box *box,
                                     primitive_box *piece_out) {
  const cluster_bound *bound = &v->bounds[unit];
  *piece_out = *box;
  if (unit == unit_of_huge(v)) return true;
  if (bound->high[0] == 0) return false; /* the cluster has no members */
  bool seen = true;
  for (int axis = 0; axis < 3; axis++) {
    const float low = (float)ordered_value(~bound->low[axis]), high = (float)ordered_value(bound->high[axis]);
    if (piece_out->min[axis] < low) piece_out->min[axis] = low;
    if (piece_out->max[axis] > high) piece_out->max[axis] = high;
    seen = seen && piece_out->min[axis] <= piece_out->max[axis];
  }
  return seen;
}

/* Counts the units of which a huge entry is a member; other entries are counted already. */
GEOMETRY_FUNCTION void stage_cluster_huge(uint32_t index, const cluster_view *v) {
  const primitive_box box = v->pairs.entries.entry_boxes[index].box;
  primitive_box piece;
  uint32_t count = 0;
  if (!box_is_huge(&box, v->pairs.lists.totals->huge_limit)) return;
  for (uint32_t unit = 0; unit <= unit_of_huge(v); unit++) count += piece_in_unit(v, unit, &box, &piece) ? 1u : 0u;
  v->first[index] = count;
  device_tally(device_tally_slot(&v->pairs.lists, TALLY_MEMBERS, index), count);
}

/* The interval of a member along the axis of its unit; for a huge one that of its piece. */
GEOMETRY_FUNCTION void interval_in_unit(const cluster_view *v, uint32_t unit, const primitive_box *box, bool huge,
                                        float *start_out, float *end_out) {
  if (!huge) {
    interval_along(&v->axes[unit], box, start_out, end_out);
    return;
  }
  const sweep_axis axis = unit == unit_of_huge(v) ? axis_of_huge(v) : v->axes[unit];
  primitive_box piece;
  (void)piece_in_unit(v, unit, box, &piece);
  interval_along(&axis, &piece, start_out, end_out);
}

#endif
