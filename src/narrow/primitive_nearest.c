/* The nearest primitives; see primitive_nearest.h. */
#include "narrow/primitive_nearest.h"

#include "geometry/nearest_features.h"
#include "narrow/primitive_pair_inline.h"

static bool ranks_are_lower(index_pair a, index_pair b) {
  const index_pair p = index_pair_in_order(a.a, a.b);
  return p.a != b.a ? p.a < b.a : p.b < b.b;
}

/* The extent of pieces along the directions of a frame, relative to an origin. */
typedef struct frame_reach {
  double low[3], high[3];
  double size; /* at least the sum of the magnitudes of a point's coordinates */
} frame_reach;

static frame_reach frame_reach_of(const double frame[3][3], const double origin[3], const convex_element *piece) {
  frame_reach reach = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, 0.0};
  for (uint32_t i = 0; i < piece->count; i++) {
    const vector3 offset = vector3_subtract(vector3_load(piece->points + 3 * (size_t)i), vector3_load(origin));
    const double size = fabs(offset.x) + fabs(offset.y) + fabs(offset.z);
    reach.size = size > reach.size ? size : reach.size;
    for (int k = 0; k < 3; k++) {
      const double along = vector3_dot(offset, vector3_load(frame[k]));
      reach.low[k] = along < reach.low[k] ? along : reach.low[k];
      reach.high[k] = along > reach.high[k] ? along : reach.high[k];
    }
  }
  return reach;
}

/* Whether the frame of the best pair proves that two pieces are farther apart than a number. It does for most, as
 * nearly nearest pairs lie along it. A product of a point and a direction has 4 roundings of at most its size, twice
 * for a gap, which 2^-49 of the size covers; directions are orthonormal within 2^-45. If a value overflows, the size is
 * infinite and nothing is proved. */
static bool pieces_are_beyond_in_frame(const double frame[3][3], const convex_element *p, const convex_element *q,
                                       double farthest) {
  const frame_reach of_p = frame_reach_of(frame, p->points, p), of_q = frame_reach_of(frame, p->points, q);
  const double most = farthest + reach_bounds_make(p->radius, q->radius, 0.0, 1.0).most;
  const double error = (of_p.size + of_q.size) * 0x1p-49 + 0x1p-1000;
  double sum = 0.0;
  for (int k = 0; k < 3; k++) {
    const double above = of_q.low[k] - of_p.high[k], below = of_p.low[k] - of_q.high[k];
    const double gap = (above > below ? above : below) - error;
    if (gap > 0.0) sum += gap * gap;
  }
  return sum * (1.0 - 0x1p-40) > most * most * (1.0 + 0x1p-40) + 0x1p-1000;
}

static graze_feature public_feature(near_feature feature, corner_list corners) {
  graze_feature made = {feature.kind == NEAR_INSIDE ? 0 : feature.kind + 1u, {0, 0, 0}};
  for (uint32_t i = 0; i < made.vertex_count; i++) made.vertices[i] = corners.vertices[feature.index[i]];
  return made;
}

/* Whether the pair is within the bound of the search. If the lower bound is lower than the margin allows, integer
 * arithmetic decides whether the distance is. */
static void certify_distance(nearest_state *state, const convex_element *p, const convex_element *q, double distance,
                             const distance_bounds *bounds, orientation_tally *tally) {
  const double least = distance - state->margin;
  if (bounds->lower < least && (!(least < HUGE_VAL) || hulls_within(p->points, p->count, p->radius, q->points, q->count,
                                                                    q->radius, least, tally)))
    state->lower = fmin(state->lower, bounds->lower);
  if (!state->is_within && bounds->lower <= state->bound)
    state->is_within =
        bounds->upper <= state->bound || !(state->bound < HUGE_VAL) ||
        hulls_within(p->points, p->count, p->radius, q->points, q->count, q->radius, state->bound, tally);
}

/* Two pieces that touch have no direction, and do not change the frame. */
static void set_frame(nearest_state *state, vector3 offset) {
  const vector3 direction = vector3_unit(offset);
  if (!(vector3_length(direction) > 0.5)) return;
  vector3_store(direction, state->frame[0]);
  vector3_complete_frame(state->frame);
}

/* Measures one piece of each primitive. */
static void take_pieces(nearest_state *state, const convex_element *p, corner_list p_corners, const convex_element *q,
                        corner_list q_corners, index_pair ranks, orientation_tally *tally) {
  nearest_best *best = &state->best;
  const bool meets_already = best->any && best->distance == 0.0;
  const double farthest = nearest_state_farthest(state);
  if (meets_already ? !hulls_within(p->points, p->count, p->radius, q->points, q->count, q->radius, 0.0, tally)
                    : pieces_are_beyond_in_frame(state->frame, p, q, farthest))
    return;
  double distance, on_p[3], on_q[3];
  near_feature features[2];
  distance_bounds bounds;
  if (!hulls_distance_within(p->points, p->count, p->radius, q->points, q->count, q->radius, farthest, &distance,
                             &bounds, on_p, on_q, features, tally))
    return;
  certify_distance(state, p, q, distance, &bounds, tally);
  if (best->any && (distance > best->distance || (distance == best->distance && !ranks_are_lower(ranks, best->ranks))))
    return;
  const bool swapped = ranks.b < ranks.a;
  *best = (nearest_best){.any = true, .distance = distance, .upper = bounds.upper, .lower = bounds.lower};
  best->ranks = index_pair_in_order(ranks.a, ranks.b);
  set_frame(state, vector3_subtract(vector3_load(on_q), vector3_load(on_p)));
  best->features[swapped] = public_feature(features[0], p_corners);
  best->features[!swapped] = public_feature(features[1], q_corners);
  memcpy(best->points[swapped], on_p, sizeof on_p);
  memcpy(best->points[!swapped], on_q, sizeof on_q);
}

static void take_elements(nearest_state *state, const object_source *s, const object_source *t, index_pair pair,
                          index_pair elements, index_pair ranks) {
  convex_element p, q;
  orientation_tally tally = {0};
  fetch_element(s, pair.a, elements.a, &p);
  fetch_element(t, pair.b, elements.b, &q);
  take_pieces(state, &p, element_corners(s, pair.a, elements.a), &q, element_corners(t, pair.b, elements.b), ranks,
              &tally);
}

/* Measures polygons triangle by triangle, if the boxes are near enough. */
void primitives_take(nearest_state *state, const object_source *s, const object_source *t, index_pair pair,
                     index_pair ranks) {
  if (state->best.any && state->best.distance == 0.0 && !ranks_are_lower(ranks, state->best.ranks)) return;
  const uint32_t s_count = element_count_of(s, pair.a), t_count = element_count_of(t, pair.b);
  if (s_count == 1 && t_count == 1) {
    take_elements(state, s, t, pair, (index_pair){0, 0}, ranks);
    return;
  }
  const exact_box t_box = box_of_corners(t, corners_of(t, pair.b));
  for (uint32_t i = 0; i < s_count; i++) {
    const exact_box p_box = box_of_corners(s, element_corners(s, pair.a, i));
    if (boxes_distance(&p_box, &t_box) > nearest_state_farthest(state)) continue;
    for (uint32_t j = 0; j < t_count; j++) {
      const exact_box q_box = box_of_corners(t, element_corners(t, pair.b, j));
      if (boxes_distance(&p_box, &q_box) > nearest_state_farthest(state)) continue;
      take_elements(state, s, t, pair, (index_pair){i, j}, ranks);
    }
  }
}

/* ---------------------------------------------------------------------------------------------- one pair */

/* The distance of polygons is the least distance of their triangles. Triangles whose boxes are farther apart than the
 * best distance are skipped; among equal distances the first is kept.
 *
 * Workload: each pair that a query found, once; most are two triangles. */

static void fetch_corners(const object_source *source, const uint32_t vertices[3], double corners_out[9]) {
  for (int i = 0; i < 3; i++) fetch_vertex(source, vertices[i], corners_out + 3 * i);
}

/* As measure, for two triangles. */
static void measure_triangles(const object_source *a, const object_source *b, index_pair pair,
                              graze_distance *distance_out) {
  const corner_list a_corners = corners_of(a, pair.a), b_corners = corners_of(b, pair.b);
  double p[9], q[9];
  near_feature features[2];
  orientation_tally tally = {0};
  fetch_corners(a, a_corners.vertices, p);
  fetch_corners(b, b_corners.vertices, q);
  distance_out->distance =
      hulls_distance(p, 3, 0.0, q, 3, 0.0, distance_out->point_a, distance_out->point_b, features, &tally);
  distance_out->feature_a = public_feature(features[0], a_corners);
  distance_out->feature_b = public_feature(features[1], b_corners);
}

/* Measures one piece of each primitive. */
static void measure_pieces(const convex_element *p, const convex_element *q, corner_list a_corners,
                           corner_list b_corners, graze_distance *distance_out) {
  near_feature features[2];
  orientation_tally tally = {0};
  distance_out->distance = hulls_distance(p->points, p->count, p->radius, q->points, q->count, q->radius,
                                          distance_out->point_a, distance_out->point_b, features, &tally);
  distance_out->feature_a = public_feature(features[0], a_corners);
  distance_out->feature_b = public_feature(features[1], b_corners);
}

/* Measures one piece of a against all pieces of b. */
static void measure_element(const object_source *a, const object_source *b, index_pair pair, uint32_t element,
                            graze_distance *best) {
  const corner_list a_corners = element_corners(a, pair.a, element);
  const exact_box a_box = box_of_corners(a, a_corners);
  const uint32_t count = element_count_of(b, pair.b);
  convex_element p, q;
  fetch_element(a, pair.a, element, &p);
  for (uint32_t i = 0; i < count && best->distance > 0.0; i++) {
    const corner_list b_corners = element_corners(b, pair.b, i);
    const exact_box b_box = box_of_corners(b, b_corners);
    if (!exact_boxes_within(&a_box, &b_box, best->distance)) continue;
    graze_distance found = {.pair = best->pair};
    fetch_element(b, pair.b, i, &q);
    measure_pieces(&p, &q, a_corners, b_corners, &found);
    if (found.distance < best->distance) *best = found;
  }
}

void pair_distance(const object_source *a, const object_source *b, index_pair pair, graze_distance *distance_out) {
  if (batch_of_pair(a->kind, b->kind) == BATCH_TRIANGLES) {
    measure_triangles(a, b, pair, distance_out);
    return;
  }
  convex_element p, q;
  fetch_element(a, pair.a, 0, &p);
  fetch_element(b, pair.b, 0, &q);
  measure_pieces(&p, &q, element_corners(a, pair.a, 0), element_corners(b, pair.b, 0), distance_out);
  if (!kind_is_cut(a->kind) && !kind_is_cut(b->kind)) return;
  const uint32_t count = element_count_of(a, pair.a);
  for (uint32_t i = 0; i < count && distance_out->distance > 0.0; i++) measure_element(a, b, pair, i, distance_out);
}
