/* The stages of configurations of many bodies: poses are applied, pairs of bodies whose boxes meet are listed, and each
 * of them is tested by one thread.
 *
 * Workload: a chunk of about ten thousand configurations, a few dozen bodies and a few hundred pairs each, of which a
 * tenth have boxes that meet. */
#ifndef GRAZE_CUDA_STAGE_CONFIGURATIONS_H
#define GRAZE_CUDA_STAGE_CONFIGURATIONS_H

#include "cuda/pose_walk.h"

/* The resting body of a block, numbered over all resting bodies. */
GEOMETRY_FUNCTION configuration_resting resting_of_block(const configuration_view *v, uint32_t block) {
  uint32_t low = 0, high = v->resting_count;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if (v->resting[middle].first <= block)
      low = middle;
    else
      high = middle;
  }
  return v->resting[low];
}

GEOMETRY_FUNCTION void stage_configuration_mark(uint32_t index, const configuration_view *v) {
  const configuration_resting resting = resting_of_block(v, index);
  const tree_body *body = &v->forest.bodies[resting.body];
  occupancy_mark(&v->resting_cells, &v->forest.blocks[body->first_block + index - resting.first],
                 &v->forest.posed[resting.body]);
}

GEOMETRY_FUNCTION void stage_configuration_sum(uint32_t index, const configuration_view *v) {
  occupancy_sum_line(&v->resting_cells, (int)v->sum_step, index);
}

/* The sum of the padding of both parts of a pair. */
GEOMETRY_FUNCTION double padding_of_pair(const configuration_view *v, configuration_pair pair) {
  return v->padding != NULL ? v->padding[pair.a] + v->padding[pair.b] : 0.0;
}

/* The largest distance within which resting parts are requested. */
GEOMETRY_FUNCTION double reach_of_part(const configuration_view *v, uint32_t part) {
  return v->limit + ((v->padding != NULL ? v->padding[part] : 0.0) + v->resting_padding);
}

/* An invalid pose gets a box that meets none. */
GEOMETRY_FUNCTION void stage_configuration_place(uint32_t index, const configuration_view *v) {
  const configuration_part part = v->parts[index % v->moving_count];
  const rigid_pose pose = v->poses[index];
  bool can_be = pose_is_sound(&pose);
  if (part.body != CONFIGURATION_NO_BODY) {
    posed_space posed = pose_space(&v->forest.bodies[part.body].space, &pose);
    can_be =
        can_be && (posed_space_is_finite(&posed) ||
                   posed_corners_are_finite(&v->scene, &v->forest, &v->forest.bodies[part.body], part.object, &pose));
    for (int axis = 0; axis < 3 && !can_be; axis++) {
      posed.origin[axis] = 0.0;
      posed.half[axis] = -HUGE_VAL;
    }
    v->posed[index] = posed;
    const double reach = reach_of_part(v, index % v->moving_count);
    for (int axis = 0; axis < 3 && can_be && reach > 0.0; axis++)
      posed.half[axis] = (posed.half[axis] + reach) * (1.0 + 0x1p-48);
    const exact_box box = box_of_posed(&posed);
    v->free[index] = can_be && occupancy_is_free(&v->resting_cells, &box);
  }
  if (!can_be) device_raise_once(&v->state->refused, ~(v->first_pose + index));
}

GEOMETRY_FUNCTION const posed_space *posed_part(const configuration_view *v, uint32_t configuration, uint32_t part) {
  if (part >= v->moving_count) return &v->forest.posed[v->parts[part].body];
  return &v->posed[(size_t)configuration * v->moving_count + part];
}

/* Whether a moving part is far from all resting parts, by their table of cells. */
GEOMETRY_FUNCTION bool is_free_of_resting(const configuration_view *v, uint32_t configuration, uint32_t part,
                                          uint32_t other) {
  return part < v->moving_count && other >= v->moving_count &&
         v->free[(size_t)configuration * v->moving_count + part] != 0;
}

GEOMETRY_FUNCTION void stage_configuration_filter(uint32_t index, const configuration_view *v) {
  configuration_candidate candidate;
  candidate.configuration = index / v->pair_count;
  candidate.pair = index % v->pair_count;
  const configuration_pair pair = v->pairs[candidate.pair];
  const bool meet =
      !is_free_of_resting(v, candidate.configuration, pair.a, pair.b) &&
      !is_free_of_resting(v, candidate.configuration, pair.b, pair.a) &&
      posed_spaces_within(posed_part(v, candidate.configuration, pair.a),
                          posed_part(v, candidate.configuration, pair.b), v->limit + padding_of_pair(v, pair));
  const uint64_t place = device_append_long(&v->state->candidate_count, meet);
  if (meet) v->candidates[place] = candidate;
}

GEOMETRY_FUNCTION pose_side side_of_part(const configuration_view *v, uint32_t configuration, uint32_t part) {
  const configuration_part at = v->parts[part];
  pose_side side;
  side.body = &v->forest.bodies[at.body];
  side.posed = posed_part(v, configuration, part);
  side.source = v->scene.sources[at.object];
  if (part < v->moving_count) side.source.pose = &v->poses[(size_t)configuration * v->moving_count + part];
  return side;
}

/* Whether a configuration that needs one hit has one. A concurrent write may be missed, which costs only another
 * test. */
GEOMETRY_FUNCTION bool configuration_is_answered(const configuration_view *v, uint32_t configuration) {
  return !v->counts && v->column_count == 1 && ((const volatile uint8_t *)v->answers)[configuration] != 0;
}

/* All writers of a byte write the same value, and counts are integer sums. Neither depends on the order. */
GEOMETRY_FUNCTION void test_candidate(uint32_t index, const configuration_view *v, bool within) {
  const configuration_candidate candidate = v->candidates[index];
  if (configuration_is_answered(v, candidate.configuration)) return;
  const configuration_pair pair = v->pairs[candidate.pair];
  const pose_side s = side_of_part(v, candidate.configuration, pair.a);
  const pose_side t = side_of_part(v, candidate.configuration, pair.b);
  const double limit = within ? v->limit + padding_of_pair(v, pair) : 0.0;
  const uint64_t count = walk_sides(&v->scene, &v->forest, v->test, v->counts, within, limit, &s, &t);
  const size_t place = (size_t)candidate.configuration * v->column_count + pair.column;
  if (count == 0) return;
  if (v->counts)
    device_add_long((uint64_t *)v->answers + place, count);
  else
    ((uint8_t *)v->answers)[place] = 1;
}

GEOMETRY_FUNCTION void stage_configuration_test(uint32_t index, const configuration_view *v) {
  test_candidate(index, v, false);
}

/* With a clearance or padding. A pair whose limit is 0 is tested like one that touches. */
GEOMETRY_FUNCTION void stage_near_test(uint32_t index, const configuration_view *v) {
  test_candidate(index, v, true);
}

#endif
