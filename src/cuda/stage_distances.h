/* The stages of least distances of configurations: boxes of bodies, one thread per pair; then searches, by 32 lanes
 * each (lane_group.h). A search covers all pairs of a configuration, nearest boxes first, or one of them.
 *
 * Workload: a chunk of about ten thousand configurations; 10^2 to 10^4 pairs of blocks each. */
#ifndef GRAZE_CUDA_STAGE_DISTANCES_H
#define GRAZE_CUDA_STAGE_DISTANCES_H

#include "cuda/lanes_distance.h"
#include "cuda/stage_configurations.h"
#include "geometry/exact_box.h"

/* The configuration and the pair of an index of `bounds`, where the pairs of a task are adjacent. */
GEOMETRY_FUNCTION configuration_candidate candidate_of_bound(const distance_view *v, uint32_t index) {
  configuration_candidate candidate;
  candidate.configuration = index / v->base.pair_count;
  candidate.pair = index % v->base.pair_count;
  return candidate;
}

/* False if a pose is invalid. */
GEOMETRY_FUNCTION bool boxes_of_candidate(const distance_view *v, configuration_candidate candidate,
                                          exact_box boxes_out[2]) {
  const configuration_pair pair = v->base.pairs[candidate.pair];
  const posed_space *a = posed_part(&v->base, candidate.configuration, pair.a);
  const posed_space *b = posed_part(&v->base, candidate.configuration, pair.b);
  boxes_out[0] = box_of_posed(a);
  boxes_out[1] = box_of_posed(b);
  return !(a->half[0] < 0.0) && !(b->half[0] < 0.0); /* half of a huge box may be undefined */
}

GEOMETRY_FUNCTION void stage_distance_bound(uint32_t index, const distance_view *v) {
  exact_box boxes[2];
  const bool can_be = boxes_of_candidate(v, candidate_of_bound(v, index), boxes);
  const double bound = can_be ? boxes_distance(&boxes[0], &boxes[1]) : HUGE_VAL;
  v->bounds[index] = bound <= v->max_distance ? bound : HUGE_VAL;
}

/* The largest margin of the pairs of a task, which is sufficient for each. */
GEOMETRY_FUNCTION double margin_of_task(const distance_view *v, uint32_t first) {
  uint64_t order[LANE_ELEMENTS];
  double margins[LANE_ELEMENTS];
  bool is_largest[LANE_ELEMENTS];
  FOR_LANES(lane) {
    OF_LANE(margins, lane) = 0.0;
    for (uint32_t i = lane; i < v->task_pairs; i += LANE_COUNT) {
      exact_box boxes[2];
      if (v->bounds[first + i] < HUGE_VAL && boxes_of_candidate(v, candidate_of_bound(v, first + i), boxes))
        OF_LANE(margins, lane) = fmax(OF_LANE(margins, lane), nearest_margin(&boxes[0], &boxes[1]));
    }
    OF_LANE(order, lane) = ~ordered_bits(OF_LANE(margins, lane));
  }
  const uint64_t least = lanes_least(order);
  FOR_LANES(lane) {
    OF_LANE(is_largest, lane) = OF_LANE(order, lane) == least;
  }
  return lanes_take(margins, lowest_bit(lanes_vote(is_largest)));
}

/* The remaining pair of a task with the nearest boxes, and its bound; infinite if there is none. */
GEOMETRY_FUNCTION uint32_t nearest_boxes(const distance_view *v, uint32_t first, double *bound_out) {
  uint64_t order[LANE_ELEMENTS];
  double bounds[LANE_ELEMENTS];
  uint32_t places[LANE_ELEMENTS];
  bool is_least[LANE_ELEMENTS];
  FOR_LANES(lane) {
    OF_LANE(bounds, lane) = HUGE_VAL;
    OF_LANE(places, lane) = 0;
    for (uint32_t i = lane; i < v->task_pairs; i += LANE_COUNT)
      if (v->bounds[first + i] < OF_LANE(bounds, lane)) {
        OF_LANE(bounds, lane) = v->bounds[first + i];
        OF_LANE(places, lane) = i;
      }
    OF_LANE(order, lane) = ordered_bits(OF_LANE(bounds, lane));
  }
  const uint64_t least = lanes_least(order);
  FOR_LANES(lane) {
    OF_LANE(is_least, lane) = OF_LANE(order, lane) == least;
  }
  const uint32_t winner = lowest_bit(lanes_vote(is_least));
  *bound_out = lanes_take(bounds, winner);
  return lanes_take_number(places, winner);
}

GEOMETRY_FUNCTION void search_task(const distance_view *v, uint32_t first, lanes_nearest *nearest) {
  nearest->margin = margin_of_task(v, first);
  for (bool goes_on = true; goes_on;) {
    double bound;
    const uint32_t place = nearest_boxes(v, first, &bound);
    goes_on = bound < HUGE_VAL && !(bound > lanes_farthest(nearest)) && !lanes_is_over(nearest);
    if (!goes_on) continue;
    const configuration_candidate candidate = candidate_of_bound(v, first + place);
    const configuration_pair pair = v->base.pairs[candidate.pair];
    const pose_side s = side_of_part(&v->base, candidate.configuration, pair.a);
    const pose_side t = side_of_part(&v->base, candidate.configuration, pair.b);
    lanes_join();
    FOR_LANES(lane) {
      if (lane == 0) v->bounds[first + place] = HUGE_VAL;
    }
    lanes_nearest_run(nearest, candidate.pair, &s, &t);
    goes_on = v->task_pairs > 1;
  }
}

/* Called by all lanes, which are a block of threads. */
GEOMETRY_FUNCTION void stage_distance_search(uint32_t index, const distance_view *v) {
#if defined(__CUDA_ARCH__)
  __shared__ nearest_shared shared;
#else
  nearest_shared shared;
#endif
  lanes_nearest nearest;
  nearest.scene = &v->base.scene;
  nearest.forest = &v->base.forest;
  nearest.shared = &shared;
  nearest.bound = v->max_distance;
  nearest.margin = 0.0;
  nearest.count = nearest.leaf_count = 0;
  nearest.any = nearest.is_open = false;
  nearest.any_contact = v->any_contact;
  nearest.distance = HUGE_VAL;
  nearest.ranks = 0;
  nearest.pair = nearest.a = nearest.b = 0;
  search_task(v, index * v->task_pairs, &nearest);
  lanes_join();
  FOR_LANES(lane) {
    if (lane != 0) continue;
    configuration_nearest found;
    found.distance = nearest.distance;
    found.pair = nearest.pair;
    found.a = nearest.a;
    found.b = nearest.b;
    found.state = nearest.is_open ? NEAREST_OPEN : nearest.any ? NEAREST_FOUND : NEAREST_NONE;
    v->found[index] = found;
  }
}

#endif
