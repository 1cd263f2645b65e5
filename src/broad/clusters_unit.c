/* Units of work; see clusters_unit.h. */
#include "broad/clusters_unit.h"

#include "broad/partner_rule.h"

#include <float.h>

enum {
  MEMBERS_BETWEEN_STOPS = 4096,
  CROWD_ENTRIES = 128 /* if one pair per pair of objects is enough: an entry that meets half of its first this many
                         overlaps is in a crowd */
};

static bool stop_is_due(stop_check *stop, uint32_t number) {
  return number % MEMBERS_BETWEEN_STOPS == 0 && stop_is_requested(stop);
}

/* ---------------------------------------------------------------------------------------------- members */

static void add_box(primitive_box *around, const primitive_box *box) {
  for (int axis = 0; axis < 3; axis++) {
    around->min[axis] = box->min[axis] < around->min[axis] ? box->min[axis] : around->min[axis];
    around->max[axis] = box->max[axis] > around->max[axis] ? box->max[axis] : around->max[axis];
  }
}

static void middle_of(const primitive_box *box, float middle_out[3]) {
  for (int axis = 0; axis < 3; axis++) middle_out[axis] = 0.5f * box->min[axis] + 0.5f * box->max[axis];
}

static bool has_huge(const cluster_unit *unit) {
  return unit->cluster != UNIT_OF_HUGE && unit->cover->huge_count > 0;
}

static uint32_t count_huge(const cluster_unit *unit) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < unit->cover->huge_count; i++)
    count += boxes_meet(&unit->view->boxes[unit->cover->huge[i]], &unit->bound);
  return count;
}

/* The axis of largest spread of a sample of the members, evenly distributed over their numbers. */
static sweep_axis axis_of_members(const cluster_unit *unit) {
  enum { SAMPLE = 1024 };
  const uint32_t size = unit->member_count < SAMPLE ? unit->member_count : SAMPLE;
  float middle[3];
  middle_of(&unit->view->boxes[unit->members[0]], middle);
  point_spread spread = point_spread_begin(middle);
  for (uint32_t i = 0; i < size; i++) {
    middle_of(&unit->view->boxes[unit->members[(uint64_t)i * unit->member_count / size]], middle);
    point_spread_add(&spread, middle);
  }
  return principal_axis(&spread);
}

void unit_measure(cluster_unit *unit, graze_axis axis, stop_check *stop) {
  unit->bound = (primitive_box){{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};
  unit->count = unit->member_count;
  unit->axis = coordinate_axis(axis == GRAZE_AXIS_PRINCIPAL ? 0 : (int)axis - (int)GRAZE_AXIS_X);
  if (unit->member_count == 0) return;
  if (axis == GRAZE_AXIS_PRINCIPAL) unit->axis = axis_of_members(unit);
  if (!has_huge(unit)) return;
  for (uint32_t i = 0; i < unit->member_count; i++) {
    if (stop_is_due(stop, i)) return;
    add_box(&unit->bound, &unit->view->boxes[unit->members[i]]);
  }
  unit->count += count_huge(unit);
}

/* ---------------------------------------------------------------------------------------------- the sort */

static primitive_box box_in(const primitive_box *box, const primitive_box *bound) {
  primitive_box part = *box;
  for (int axis = 0; axis < 3; axis++) {
    if (part.min[axis] < bound->min[axis]) part.min[axis] = bound->min[axis];
    if (part.max[axis] > bound->max[axis]) part.max[axis] = bound->max[axis];
  }
  return part;
}

/* The box of a primitive in the unit: for a huge one the part within the unit's bound. */
static primitive_box entry_box(const cluster_unit *unit, uint32_t id, bool huge) {
  const primitive_box *box = &unit->view->boxes[id];
  return huge ? box_in(box, &unit->bound) : *box;
}

static void write_interval(const cluster_unit *unit, const unit_scratch *scratch, uint32_t number, uint32_t id,
                           bool huge) {
  const primitive_box box = entry_box(unit, id, huge);
  interval_along(&unit->axis, &box, &scratch->starts[number], &scratch->ends[number]);
}

/* The ids of huge primitives follow those of the members, in the memory of `ends`, which is still unused. */
static void write_intervals(cluster_unit *unit, const unit_scratch *scratch, stop_check *stop) {
  const uint32_t *huge = unit->cover->huge;
  uint32_t number = 0;
  for (; number < unit->member_count; number++) {
    if (stop_is_due(stop, number)) return;
    unit->ends[number] = unit->members[number];
    write_interval(unit, scratch, number, unit->members[number], false);
  }
  for (uint32_t i = 0; number < unit->count; i++) {
    if (!boxes_meet(&unit->view->boxes[huge[i]], &unit->bound)) continue;
    unit->ends[number] = huge[i];
    write_interval(unit, scratch, number++, huge[i], true);
  }
}

/* Undefined if the number of corners is not four. */
static uint32_t fourth_corner(const primitive_view *view, uint32_t id) {
  const object_source *source = &view->sources[view->headers[id].object];
  if (source->corner_count != 4) return 0;
  return corners_of(source, id).vertices[3] + source->first_vertex;
}

static uint8_t flags_of(const cluster_unit *unit, uint32_t id, bool huge) {
  if (unit->cluster == UNIT_OF_HUGE) return 0;
  if (huge) return MEMBER_IS_HUGE;
  return clusters_of_primitive(unit->cover, id) > 1 ? MEMBER_IS_SHARED : 0;
}

static void write_entry(cluster_unit *unit, uint32_t entry, uint32_t id, bool huge) {
  const primitive_box box = entry_box(unit, id, huge);
  for (int axis = 0; axis < 3; axis++) {
    unit->boxes.bound[axis][entry] = box.min[axis];
    unit->boxes.bound[axis + 3][entry] = box.max[axis];
  }
  unit->boxes.number[entry] = entry;
  unit->ids[entry] = id;
  unit->headers[entry] = unit->view->headers[id];
  if (unit->fourth != NULL) unit->fourth[entry] = fourth_corner(unit->view, id);
  unit->flags[entry] = flags_of(unit, id, huge);
}

/* Sorts starts; then finds the ends, and with these the work before each entry. */
static void count_overlaps(cluster_unit *unit, const unit_scratch *scratch, const start_buckets *buckets,
                           stop_check *stop) {
  for (uint32_t entry = 0; entry < unit->count; entry++) {
    if (stop_is_due(stop, entry)) return;
    const float end = scratch->ends[(uint32_t)unit->work[entry]];
    unit->ends[entry] = end_of_overlaps(buckets, unit->work, entry, end);
  }
  uint64_t work = 0;
  for (uint32_t entry = 0; entry < unit->count; entry++) {
    unit->work[entry] = work;
    work += unit->ends[entry] - (entry + 1) + ENTRY_WORK;
  }
  unit->all_work = work;
}

void unit_sort(cluster_unit *unit, const unit_scratch *scratch, stop_check *stop) {
  unit->all_work = 0;
  if (unit->count == 0) return;
  write_intervals(unit, scratch, stop);
  if (stop_was_requested(stop)) return;
  const start_buckets buckets = buckets_for(scratch->starts, unit->count, scratch->buckets);
  sort_starts(&buckets, scratch->starts, unit->count, unit->work);
  for (uint32_t entry = 0; entry < unit->count; entry++) {
    if (stop_is_due(stop, entry)) return;
    const uint32_t number = (uint32_t)unit->work[entry];
    write_entry(unit, entry, unit->ends[number], number >= unit->member_count);
  }
  unit->boxes.count = unit->count;
  box_list_close(&unit->boxes);
  count_overlaps(unit, scratch, &buckets, stop);
}

uint32_t unit_entry_at(const cluster_unit *unit, uint64_t work) {
  uint32_t low = 0, high = unit->count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (unit->work[middle] < work)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* ---------------------------------------------------------------------------------------------- the sweep */

/* Whether the unit owns the lower corner of the intersection of two boxes. */
static bool owns_common_corner(const cluster_unit *unit, uint32_t a, uint32_t b, bool a_is_huge) {
  const cluster_cover *cover = unit->cover;
  const uint32_t listed = a_is_huge ? b : a;
  float corner[3];
  common_corner(&unit->view->boxes[a], &unit->view->boxes[b], corner);
  return cluster_owner_among(&cover->centers, cover->clusters + cover->first[listed],
                             clusters_of_primitive(cover, listed), corner) == unit->cluster;
}

/* Whether this unit reports a pair whose boxes meet. Every point of the intersection is in a cluster of both
 * members: if one of them is in this cluster only, no other cluster has the pair. */
static inline bool reports_pair(const cluster_unit *unit, uint32_t i, uint32_t j) {
  const uint8_t a = unit->flags[i], b = unit->flags[j];
  if (a == 0 || b == 0) return true;
  if ((a & b & MEMBER_IS_HUGE) != 0) return false;
  return owns_common_corner(unit, unit->ids[i], unit->ids[j], (a & MEMBER_IS_HUGE) != 0);
}

static uint32_t fourth_of(const cluster_unit *unit, uint32_t entry) {
  return unit->fourth != NULL ? unit->fourth[entry] : 0;
}

/* The worker's known pairs of objects; NULL: all pairs are requested. */
static known_objects *known_of(const unit_lane *lane) {
  known_objects *known = lane->batch.search->known;
  return known != NULL ? &known[lane->batch.worker] : NULL;
}

static bool hand_over(const cluster_unit *unit, uint32_t entry, size_t count, unit_lane *lane) {
  const known_objects *known = known_of(lane);
  const bool in_crowd = known != NULL && known->in_use;
  const primitive_header *header = &unit->headers[entry];
  const uint32_t a = unit->ids[entry];
  const partner_rule rule = partner_rule_of(unit->view, header, a, fourth_of(unit, entry));
  for (size_t i = 0; i < count; i++) {
    const uint32_t hit = lane->hits[i], b = unit->ids[hit];
    const primitive_header *other = &unit->headers[hit];
    if (!partner_is_requested(unit->view, &rule, other)) continue;
    /* Several units may find a pair of objects: a crowd is learned from the first that sees it. */
    if (!in_crowd && !reports_pair(unit, entry, hit)) {
      lane->counts.duplicates++;
      continue;
    }
    if (partner_is_skipped(unit->view, &rule, other, b, fourth_of(unit, hit))) {
      lane->counts.neighbors++;
      continue;
    }
    const bool in_order = a < b;
    if (!candidate_batch_add(&lane->batch, in_order ? (index_pair){a, b} : (index_pair){b, a},
                             in_order ? header : other, in_order ? other : header))
      return false;
  }
  return true;
}

/* Whether a long row can be skipped because its object is settled in the entry's box. Rows are skipped only after a
 * crowd was met. Such a search writes no notes, because notes must not depend on a worker's known pairs. */
static bool row_is_settled(const cluster_unit *unit, uint32_t entry, const float bound[6], const unit_lane *lane) {
  const known_objects *known = known_of(lane);
  const size_t length = unit->ends[entry] - (entry + 1);
  if (known == NULL || !known->in_use || length < CROWD_ENTRIES || length / 16 < unit->view->object_count) return false;
  const primitive_box box = {{bound[0], bound[1], bound[2]}, {bound[3], bound[4], bound[5]}};
  return object_is_settled(unit->view, known, unit->headers[entry].object, &box);
}

/* Compares an entry with those that it overlaps along the axis. A whole vector may read past the last of them:
 * entries there do not overlap, so their boxes do not meet this one. */
static bool sweep_entry(const cluster_unit *unit, uint32_t entry, unit_lane *lane) {
  const uint32_t end = unit->ends[entry];
  known_objects *known = known_of(lane);
  float bound[6];
  for (int i = 0; i < 6; i++) bound[i] = unit->boxes.bound[i][entry];
  if (row_is_settled(unit, entry, bound, lane)) return true;
  box_list row = unit->boxes;
  uint32_t most = known != NULL ? CROWD_ENTRIES : SWEEP_ENTRIES;
  for (uint32_t first = entry + 1; first < end; first = (uint32_t)row.count) {
    row.count = end - first < most ? end : first + most;
    const size_t hits = lane->kernels->sweep(&row, first, bound, lane->hits);
    lane->counts.overlaps += row.count - first;
    lane->counts.meetings += hits;
    if (known != NULL && 2 * hits >= most) known->in_use = true;
    if (hits > 0 && !hand_over(unit, entry, hits, lane)) return false;
    if (row.count < end && search_leaves(lane->batch.search, lane->batch.task)) return false;
    most = SWEEP_ENTRIES;
  }
  return true;
}

bool unit_sweep(const cluster_unit *unit, uint32_t first, uint32_t end, unit_lane *lane) {
  uint32_t swept = 0;
  for (uint32_t entry = first; entry < end; entry++) {
    if (unit->ends[entry] == entry + 1 || !object_has_partners(unit->view, unit->headers[entry].object)) continue;
    if (!sweep_entry(unit, entry, lane)) return false;
    swept += unit->ends[entry] - (entry + 1);
    if (swept < SWEEP_ENTRIES) continue;
    if (search_leaves(lane->batch.search, lane->batch.task)) return false;
    swept = 0;
  }
  return true;
}
