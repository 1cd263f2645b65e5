/* The stages of the method "clusters": points from which the host learns, memberships, rows of overlaps, their boxes.
 *
 * Every entry is a member of each cluster that may own a point of its box, by the processor's test (clusters_metric.h);
 * huge entries are divided among the clusters. Memberships are sorted by cluster and start, all at once.
 * The members that start within a membership's interval follow it in a row, whose length is found by binary search.
 * Sums of the lengths map threads to pairs of boxes, so that adjacent threads have equal work for any clusters.
 * (Mainzer, Zachmann, "CDFC: Collision Detection Based on Fuzzy Clustering for Deformable Objects on GPU's",
 * 2013.) The cluster that owns the lower corner of the intersection of two boxes reports the pair:
 * docs/theory/clusters.md has the proof.
 *
 * If a key cannot hold all bits of a start, the lowest bits of starts and ends are dropped. That preserves the order:
 * all overlaps are still in the row, possibly with some other members.
 *
 * Workload: 10^4 to 10^7 entries, tens of clusters, 1.1 to 2 memberships per entry; rows of tens to thousands. */
#ifndef GRAZE_CUDA_STAGE_CLUSTERS_H
#define GRAZE_CUDA_STAGE_CLUSTERS_H

#include "broad/clusters_metric.h"
#include "broad/clusters_order.h"
#include "cuda/cluster_view.h"
#include "cuda/stage_entries.h"
#include "cuda/stage_search.h"

/* ---------------------------------------------------------------------------------------------- huge primitives
 *
 * The stages that divide huge primitives among clusters, and the functions that the sweep needs for them.
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

/* ---------------------------------------------------------------------------------------------- points */

/* Samples primitives at equal distances of their numbers. */
GEOMETRY_FUNCTION void stage_cluster_point(uint32_t index, const learning_view *v) {
  const uint32_t primitive = (uint32_t)((uint64_t)index * v->scene.primitive_count / v->point_count);
  const primitive_header header = v->scene.headers[primitive];
  const primitive_box box = device_box(&v->scene, &header, primitive);
  const bool there = !is_removed(&v->scene, primitive);
  for (int axis = 0; axis < 3; axis++)
    v->points[index][axis] = there ? 0.5f * box.min[axis] + 0.5f * box.max[axis] : HUGE_VALF;
}

/* ---------------------------------------------------------------------------------------------- memberships */

/* A cluster may own a point of a box unless its measure to the box's center is above the limit. */
typedef struct cluster_reach {
  float middle[3], limit;
} cluster_reach;

GEOMETRY_FUNCTION cluster_reach cluster_reach_of(const cluster_centers *centers, const primitive_box *box) {
  const cluster_ball ball = cluster_ball_of(centers->distance, box);
  cluster_reach reach;
  float least = HUGE_VALF;
  for (uint32_t k = 0; k < centers->count; k++) {
    const float measure = cluster_measure_to(centers, k, ball.center);
    least = measure < least ? measure : least;
  }
  for (int axis = 0; axis < 3; axis++) reach.middle[axis] = ball.center[axis];
  reach.limit = cluster_reach_limit(centers->distance, least, ball.radius);
  return reach;
}

GEOMETRY_FUNCTION bool cluster_is_reached(const cluster_centers *centers, const cluster_reach *reach, uint32_t k) {
  return !(cluster_measure_to(centers, k, reach->middle) > reach->limit); /* NaN counts as reached */
}

/* The number of clusters that may own a point of a box; if some primitive is huge, their bounds grow to include it. */
GEOMETRY_FUNCTION uint32_t count_reached(const cluster_view *v, const primitive_box *box, bool some_are_huge) {
  const cluster_centers *centers = &v->centers;
  const cluster_reach reach = cluster_reach_of(centers, box);
  uint32_t count = 0;
  for (uint32_t k = 0; k < centers->count; k++) {
    if (!cluster_is_reached(centers, &reach, k)) continue;
    count++;
    if (some_are_huge) raise_bound(v, k, box);
  }
  return count;
}

/* Huge primitives are not counted here: the stage cluster_huge counts them. */
GEOMETRY_FUNCTION void stage_cluster_count(uint32_t index, const cluster_view *v) {
  const primitive_box box = v->pairs.entries.entry_boxes[index].box;
  const uint64_t limit = huge_limit_of(v);
  uint32_t count = 0;
  if (index == 0) v->pairs.lists.totals->huge_limit = limit;
  if (box_is_huge(&box, limit))
    record_huge(v, index, &box);
  else
    count = count_reached(v, &box, v->pairs.lists.totals->longest_side > limit);
  v->first[index] = count;
  device_tally(device_tally_slot(&v->pairs.lists, TALLY_MEMBERS, index), count);
  for (uint32_t i = 0; i < 4; i++)
    device_tally(device_tally_slot(&v->pairs.lists, (device_tally_name)(TALLY_IN_ONE + i), index),
                 count == i + 1u ? 1u : 0u);
}

/* The number of memberships; 0 if there is no space for all. */
GEOMETRY_FUNCTION uint32_t device_cluster_members(const cluster_view *v) {
  const uint64_t members = sum_slots(v->pairs.lists.totals->tally[TALLY_MEMBERS]);
  return members <= v->member_capacity ? (uint32_t)members : 0u;
}

/* The same number in one load, once memberships are written. */
GEOMETRY_FUNCTION uint32_t written_members(const cluster_view *v) {
  return v->first[v->pairs.scene.primitive_count];
}

/* The number of entries whose memberships are written. */
GEOMETRY_FUNCTION uint32_t device_cluster_entries(const cluster_view *v) {
  return device_cluster_members(v) > 0 ? v->pairs.lists.totals->entry_count : 0u;
}

GEOMETRY_FUNCTION uint64_t cluster_key(const cluster_view *v, uint32_t cluster, float start, uint32_t entry) {
  const uint32_t bits = v->start_bits;
  return ((uint64_t)cluster << bits | ordered_float_bits(start) >> (32u - bits)) << v->pairs.lists.key_bits | entry;
}

GEOMETRY_FUNCTION uint32_t entry_of_key(const cluster_view *v, uint64_t key) {
  return (uint32_t)(key & ((UINT64_C(1) << v->pairs.lists.key_bits) - 1u));
}

GEOMETRY_FUNCTION uint32_t cluster_of_key(const cluster_view *v, uint64_t key) {
  return (uint32_t)(key >> (v->pairs.lists.key_bits + v->start_bits));
}

GEOMETRY_FUNCTION void write_huge_member(const cluster_view *v, uint32_t index, const primitive_box *box) {
  uint32_t place = v->first[index];
  for (uint32_t unit = 0; unit <= unit_of_huge(v); unit++) {
    primitive_box piece;
    float start, end;
    if (!piece_in_unit(v, unit, box, &piece)) continue;
    interval_in_unit(v, unit, box, true, &start, &end);
    v->keys[place++] = cluster_key(v, unit, start, index);
  }
}

GEOMETRY_FUNCTION void stage_cluster_member(uint32_t index, const cluster_view *v) {
  const primitive_box box = v->pairs.entries.entry_boxes[index].box;
  if (box_is_huge(&box, v->pairs.lists.totals->huge_limit)) {
    write_huge_member(v, index, &box);
    return;
  }
  const cluster_reach reach = cluster_reach_of(&v->centers, &box);
  uint32_t place = v->first[index];
  for (uint32_t k = 0; k < v->centers.count; k++) {
    if (!cluster_is_reached(&v->centers, &reach, k)) continue;
    float start, end;
    interval_in_unit(v, k, &box, false, &start, &end);
    v->keys[place++] = cluster_key(v, k, start, index);
  }
}

/* ---------------------------------------------------------------------------------------------- rows */

/* Finds the end of a membership's row. At ties starts sort before ends: a closed interval covers a start that equals
 * its end. A huge primitive has its whole box here: no other member reaches beyond the piece. */
GEOMETRY_FUNCTION void stage_cluster_row(uint32_t index, const cluster_view *v) {
  const uint64_t key = v->sorted_keys[index];
  const uint32_t cluster = cluster_of_key(v, key);
  const primitive_box box = v->pairs.entries.entry_boxes[entry_of_key(v, key)].box;
  const bool huge = box_is_huge(&box, v->pairs.lists.totals->huge_limit);
  float start, end;
  interval_in_unit(v, cluster, &box, huge, &start, &end);
  const uint64_t last = cluster_key(v, cluster, end, (uint32_t)((UINT64_C(1) << v->pairs.lists.key_bits) - 1u));
  const uint32_t row_end = range_has_cluster(v->range, cluster)
                               ? end_of_covered(v->sorted_keys, index + 1, written_members(v), last)
                               : index + 1;
  const uint32_t length = row_end - (index + 1), pieces = length / PIECE_LANES + (length % PIECE_LANES != 0 ? 1u : 0u);
  sweep_row *row = &v->rows[index];
  for (int axis = 0; axis < 3; axis++) {
    row->min[axis] = box.min[axis];
    row->max[axis] = box.max[axis];
  }
  row->entry = entry_of_key(v, key);
  row->cluster = cluster | (huge ? ROW_IS_HUGE : 0u);
  v->ends[index] = row_end;
  v->first_piece[index] = pieces;
  device_tally(device_tally_slot(&v->pairs.lists, TALLY_PIECES, index), pieces);
}

/* ---------------------------------------------------------------------------------------------- the sweep */

/* Lanes of this launch; none if all pieces need more launches than are queued. */
GEOMETRY_FUNCTION uint32_t device_cluster_lanes(const cluster_view *v) {
  const uint64_t pieces = sum_slots(v->pairs.lists.totals->tally[TALLY_PIECES]), first = v->first_lane;
  const uint64_t lanes = pieces <= v->piece_capacity ? pieces * PIECE_LANES : 0;
  const uint64_t left = lanes > first ? lanes - first : 0;
  return (uint32_t)(left < CLUSTER_LANES ? left : CLUSTER_LANES);
}

/* The last membership whose pieces begin at or before the given one; memberships without pieces are skipped. */
GEOMETRY_FUNCTION uint32_t member_of_piece(const cluster_view *v, uint32_t piece) {
  uint32_t low = 0, high = written_members(v);
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if (v->first_piece[middle] <= piece)
      low = middle;
    else
      high = middle;
  }
  return low;
}

GEOMETRY_FUNCTION primitive_box box_of_row(const sweep_row *row) {
  primitive_box box;
  for (int axis = 0; axis < 3; axis++) {
    box.min[axis] = row->min[axis];
    box.max[axis] = row->max[axis];
  }
  return box;
}

/* Whether the cluster reports the pair of two of its members whose boxes meet: it owns the lower corner of the
 * intersection. If one of them is a member of this cluster only, it does; otherwise the owner is among the clusters
 * of both. A huge primitive may be a member of clusters that own none of its points, so the other one's clusters
 * decide. */
GEOMETRY_FUNCTION bool cluster_reports_pair(const cluster_view *v, const sweep_row *a, const sweep_row *b) {
  const bool a_is_huge = (a->cluster & ROW_IS_HUGE) != 0, b_is_huge = (b->cluster & ROW_IS_HUGE) != 0;
  const uint32_t cluster = a->cluster & ~ROW_IS_HUGE;
  if (a_is_huge && b_is_huge) return cluster == unit_of_huge(v);
  const uint32_t first_a = v->first[a->entry], count_a = v->first[a->entry + 1] - first_a;
  const uint32_t first_b = v->first[b->entry], count_b = v->first[b->entry + 1] - first_b;
  const bool asks_a = !a_is_huge && (b_is_huge || count_a <= count_b);
  const uint64_t *keys = v->keys + (asks_a ? first_a : first_b);
  const uint32_t count = asks_a ? count_a : count_b;
  if (count == 1) return true;
  const primitive_box a_box = box_of_row(a), b_box = box_of_row(b);
  float corner[3];
  common_corner(&a_box, &b_box, corner);
  uint32_t owner = cluster_of_key(v, keys[0]);
  float least = cluster_measure_to(&v->centers, owner, corner);
  for (uint32_t i = 1; i < count; i++) {
    const uint32_t other = cluster_of_key(v, keys[i]);
    const float measure = cluster_measure_to(&v->centers, other, corner);
    if (measure < least) {
      least = measure;
      owner = other;
    }
  }
  return owner == cluster;
}

GEOMETRY_FUNCTION bool rows_meet(const sweep_row *a, const sweep_row *b) {
  return a->min[0] <= b->max[0] && b->min[0] <= a->max[0] && a->min[1] <= b->max[1] && b->min[1] <= a->max[1] &&
         a->min[2] <= b->max[2] && b->min[2] <= a->max[2];
}

/* The relation of two memberships of a cluster whose boxes meet. */
typedef struct swept_pair {
  entry_relation relation;
  bool again; /* another cluster reports the pair */
  index_pair candidate;
} swept_pair;

GEOMETRY_FUNCTION swept_pair relate_rows(const cluster_view *v, const sweep_row *a, const sweep_row *b) {
  swept_pair pair;
  pair.relation = relate_entries(&v->pairs, a->entry, b->entry);
  pair.again = pair.relation != ENTRIES_APART && !cluster_reports_pair(v, a, b);
  if (pair.again) pair.relation = ENTRIES_APART;
  pair.candidate.a = a->entry;
  pair.candidate.b = b->entry;
  return pair;
}

/* Tests one overlap. A device processes rows in order: cuda_clusters.cu. */
GEOMETRY_FUNCTION void stage_cluster_sweep(uint32_t index, const cluster_view *v) {
  const uint64_t lane = v->first_lane + index;
  const uint32_t piece = (uint32_t)(lane / PIECE_LANES), member = member_of_piece(v, piece);
  const uint64_t in_row = (uint64_t)(piece - v->first_piece[member]) * PIECE_LANES + lane % PIECE_LANES;
  if (member + 1u + in_row >= v->ends[member]) return;
  const sweep_row row = v->rows[member], other = v->rows[member + 1u + in_row];
  device_tally(device_tally_slot(&v->pairs.lists, TALLY_BOX_TESTS, index), 1u);
  if (!rows_meet(&row, &other)) return;
  const swept_pair pair = relate_rows(v, &row, &other);
  append_entries(&v->pairs.lists, LIST_CANDIDATES, pair.relation == ENTRIES_CANDIDATE, pair.candidate);
  device_tally(device_tally_slot(&v->pairs.lists, TALLY_NEIGHBORS, index),
               pair.relation == ENTRIES_NEIGHBORS ? 1u : 0u);
  device_tally(device_tally_slot(&v->pairs.lists, TALLY_DUPLICATES, index), pair.again ? 1u : 0u);
}

/* ---------------------------------------------------------------------------------------------- moving centers
 *
 * The stages that move centers of clusters with their points, by fuzzy c-means (clusters_metric.h). Each point computes
 * the sum that normalizes its memberships. Then the center of each cluster becomes the mean of all points, weighted by
 * their memberships, and its axis the direction of largest spread of its own points.
 *
 * A cluster reads no other center, so all may move concurrently. The axis is computed from the points that were nearest
 * before the move. All centers and axes give the same pairs.
 *
 * Workload: once per update; a thousand points or 32 per cluster, tens to hundreds of clusters. */

/* Points of removed primitives are at infinity. */
GEOMETRY_FUNCTION bool learning_point_is_present(const float point[3]) {
  return point[0] <= FLT_MAX;
}

/* A point's membership of a cluster before normalization; 1 for the nearest. */
GEOMETRY_FUNCTION double membership_part(const learning_view *v, float least, float measure) {
  const double ratio = (double)least / (double)measure;
  return fuzzy_ratio_power(&v->rule, v->centers.distance == GRAZE_METRIC_L2 ? ratio : ratio * ratio);
}

GEOMETRY_FUNCTION void stage_cluster_weigh(uint32_t index, const learning_view *v) {
  const float *point = v->points[index];
  point_pull pull = {0.0f, 0.0f, CLUSTERS_END};
  if (learning_point_is_present(point)) {
    pull.nearest = 0;
    pull.least = cluster_measure_to(&v->centers, 0, point);
    for (uint32_t k = 1; k < v->centers.count; k++) {
      const float measure = cluster_measure_to(&v->centers, k, point);
      if (!(measure < pull.least)) continue;
      pull.least = measure;
      pull.nearest = k;
    }
    double sum = 0.0;
    for (uint32_t k = 0; k < v->centers.count && pull.least > 0.0f; k++)
      sum += membership_part(v, pull.least, cluster_measure_to(&v->centers, k, point));
    pull.sum = (float)sum;
  }
  v->pulls[index] = pull;
}

/* The sums for a cluster: weighted points for its center, its own points for its axis. */
typedef struct cluster_material {
  double weight, position[3];
  point_spread spread;
} cluster_material;

GEOMETRY_FUNCTION cluster_material cluster_material_begin(const learning_view *v, uint32_t cluster) {
  const float center[3] = {v->centers.coordinates[0][cluster], v->centers.coordinates[1][cluster],
                           v->centers.coordinates[2][cluster]};
  cluster_material material = {0.0, {0.0, 0.0, 0.0}, point_spread_begin(center)};
  return material;
}

GEOMETRY_FUNCTION void cluster_material_add(const learning_view *v, uint32_t cluster, uint32_t index,
                                            cluster_material *material) {
  const point_pull pull = v->pulls[index];
  const float *point = v->points[index];
  if (pull.nearest == CLUSTERS_END) return;
  const bool own = pull.nearest == cluster;
  double membership = own ? 1.0 : 0.0; /* a point on a center belongs to that cluster only */
  if (pull.least > 0.0f)
    membership = membership_part(v, pull.least, cluster_measure_to(&v->centers, cluster, point)) / (double)pull.sum;
  const double weight = fuzzy_weight(&v->rule, membership);
  material->weight += weight;
  for (int axis = 0; axis < 3; axis++) material->position[axis] += weight * (double)point[axis];
  if (own) point_spread_add(&material->spread, point);
}

/* A cluster without members keeps its center, and one that is nearest to no point keeps its axis. */
GEOMETRY_FUNCTION void cluster_take_material(const learning_view *v, uint32_t cluster,
                                             const cluster_material *material) {
  for (int axis = 0; axis < 3 && material->weight > 0.0; axis++)
    v->moving[axis][cluster] = (float)(material->position[axis] / material->weight);
  if (v->moves_axes != 0 && material->spread.count > 0.0) v->moving_axes[cluster] = principal_axis(&material->spread);
}

/* A device uses a block of threads per cluster: cuda_clusters.cu. */
GEOMETRY_FUNCTION void stage_cluster_move(uint32_t cluster, const learning_view *v) {
  cluster_material material = cluster_material_begin(v, cluster);
  for (uint32_t i = 0; i < v->point_count; i++) cluster_material_add(v, cluster, i, &material);
  cluster_take_material(v, cluster, &material);
}

#endif
