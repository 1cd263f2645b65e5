/* The distance of two primitives in poses, by one thread, with the bits of narrow/primitive_nearest.c.
 *
 * Workload: 10 to 10^3 pairs for two bodies. */
#ifndef GRAZE_CUDA_PIECE_MEASURE_H
#define GRAZE_CUDA_PIECE_MEASURE_H

#include "cuda/pose_walk.h"
#include "geometry/nearest_features.h"

/* The limits of a measure, from earlier pairs. */
typedef struct piece_limits {
  double farthest; /* pairs that are certainly farther are skipped */
  double margin;   /* the error bound of a rounded distance */
  bool only_meeting;
} piece_limits;

/* A measured pair. */
typedef struct piece_distance {
  double distance;
  double direction[3]; /* from the first to the second */
  bool any;
  bool is_open; /* the measure does not prove its accuracy: the host decides */
} piece_distance;

GEOMETRY_FUNCTION void piece_take(piece_distance *best, double distance, const double from[3], const double to[3],
                                  bool swapped) {
  if (best->any && !(distance < best->distance)) return;
  best->any = true;
  best->distance = distance;
  for (int axis = 0; axis < 3; axis++) best->direction[axis] = swapped ? from[axis] - to[axis] : to[axis] - from[axis];
}

/* Measures two pieces, not both balls, in the order of hulls_distance. */
GEOMETRY_FUNCTION void pieces_measure_ordered(const clearance_problem *problem, const piece_limits *limits,
                                              bool swapped, piece_distance *best) {
  orientation_tally tally = {0};
  hulls_nearest nearest;
  near_feature features[2];
  hulls_nearest_find(problem->a, problem->a_count, problem->b, problem->b_count, &nearest);
  const double lower = distance_bounds_make(problem, &nearest.guess).lower;
  if (lower > limits->farthest) return;
  const double distance = pieces_distance(problem, &nearest, features, &tally);
  if (distance > 0.0 && lower < distance - limits->margin) best->is_open = true;
  piece_take(best, distance, nearest.on_a, nearest.on_b, swapped);
}

/* Measures two pieces, and keeps their distance if it is the least so far. */
GEOMETRY_LARGE_FUNCTION void pieces_measure(const double *p, uint32_t p_count, double p_radius, const double *q,
                                            uint32_t q_count, double q_radius, const piece_limits *limits,
                                            piece_distance *best) {
  orientation_tally tally = {0};
  if (limits->only_meeting) {
    if (hulls_within(p, p_count, p_radius, q, q_count, q_radius, 0.0, &tally)) piece_take(best, 0.0, p, p, false);
    return;
  }
  if (p_count == 1 && q_count == 1) {
    double on_p[3], on_q[3];
    near_feature features[2];
    const double distance = hulls_distance(p, 1, p_radius, q, 1, q_radius, on_p, on_q, features, &tally);
    if (!(distance > limits->farthest)) piece_take(best, distance, on_p, on_q, false);
    return;
  }
  const bool swapped = pieces_are_swapped(p, p_count, p_radius, q, q_count, q_radius);
  const clearance_problem problem = swapped ? clearance_problem_make(q, q_count, q_radius, p, p_count, p_radius, 0.0)
                                            : clearance_problem_make(p, p_count, p_radius, q, q_count, q_radius, 0.0);
  pieces_measure_ordered(&problem, limits, swapped, best);
}

/* Measures triangulated primitives triangle by triangle. */
GEOMETRY_SLOW_FUNCTION void elements_measure(const object_source *s, const object_source *t, index_pair pair,
                                             const piece_limits *limits, piece_distance *best) {
  const uint32_t s_count = element_count_of(s, pair.a), t_count = element_count_of(t, pair.b);
  convex_element p, q;
  for (uint32_t i = 0; i < s_count; i++) {
    fetch_element(s, pair.a, i, &p);
    for (uint32_t j = 0; j < t_count; j++) {
      fetch_element(t, pair.b, j, &q);
      pieces_measure(p.points, p.count, p.radius, q.points, q.count, q.radius, limits, best);
    }
  }
}

/* Two primitives, by the scene's numbers. */
GEOMETRY_FUNCTION piece_distance primitives_measure(const scene_arrays *scene, const object_source *s,
                                                    const object_source *t, index_pair pair,
                                                    const piece_limits *limits) {
  piece_distance best;
  best.any = best.is_open = false;
  best.distance = HUGE_VAL;
  for (int axis = 0; axis < 3; axis++) best.direction[axis] = 0.0;
  if (s->corner_count == 3 && t->corner_count == 3) {
    double p[9], q[9];
    posed_triangle(scene, s, pair.a, p);
    posed_triangle(scene, t, pair.b, q);
    pieces_measure(p, 3, 0.0, q, 3, 0.0, limits, &best);
  } else {
    elements_measure(s, t, pair, limits, &best);
  }
  return best;
}

#endif
