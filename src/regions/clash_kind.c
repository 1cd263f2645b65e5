/* The class of a pair; see clash_kind.h. Definitions: graze/regions.h.
 *
 * Two sets cross if no plane has one set in one closed half-space and the other set in the other half-space. For solids
 * this means that their interiors overlap, for balls that a distance is less than a radius; for triangles see
 * triangle_clash.h.
 *
 * Workload: every pair of a query once; nearly all are triangles. */
#include "regions/clash_kind.h"

#include "geometry/gjk.h"
#include "geometry/triangle_clash.h"
#include "narrow/primitive_pair_inline.h"

/* ---------------------------------------------------------------------------------------------- duplicates */

/* Whether a place is one of the corners of a primitive. Searches in both directions from the last match: duplicates
 * mostly have their corners in the same or the opposite order. */
static bool has_corner(const object_source *source, corner_list corners, const double *place, uint32_t *near) {
  for (uint32_t step = 0; step <= corners.count / 2; step++) {
    const uint32_t after = (uint32_t)(((uint64_t)*near + step) % corners.count);
    const uint32_t before = (uint32_t)(((uint64_t)*near + corners.count - step) % corners.count);
    for (int turn = 0; turn < 2; turn++) {
      const uint32_t corner = turn == 0 ? after : before;
      double position[3];
      fetch_vertex(source, corners.vertices[corner], position);
      if (!points_equal(position, place)) continue;
      *near = corner;
      return true;
    }
  }
  return false;
}

static bool corners_are_among(const object_source *a, corner_list p, const object_source *b, corner_list q) {
  uint32_t near = 0;
  for (uint32_t i = 0; i < p.count; i++) {
    double place[3];
    fetch_vertex(a, p.vertices[i], place);
    if (!has_corner(b, q, place, &near)) return false;
  }
  return true;
}

static bool are_duplicates(const object_source *a, const object_source *b, index_pair pair) {
  if (kind_is_solid(a->kind) != kind_is_solid(b->kind) || kind_is_ball(a->kind) != kind_is_ball(b->kind)) return false;
  const corner_list p = corners_of(a, pair.a), q = corners_of(b, pair.b);
  if (kind_is_ball(a->kind) && radius_at(a, p.vertices[0]) != radius_at(b, q.vertices[0])) return false;
  return corners_are_among(a, p, b, q) && corners_are_among(b, q, a, p);
}

/* ---------------------------------------------------------------------------------------------- convex pieces */

static triangle_meeting meeting_of_order(int order) {
  return order < 0 ? TRIANGLES_CROSS : order == 0 ? TRIANGLES_TOUCH : TRIANGLES_APART;
}

static triangle_meeting meeting_of_hulls(const convex_element *p, const convex_element *q, orientation_tally *tally) {
  const hull_separation separation = hull_separation_find(p->points, p->count, q->points, q->count, tally);
  return separation.overlaps ? TRIANGLES_CROSS : separation.meets ? TRIANGLES_TOUCH : TRIANGLES_APART;
}

static int least(int a, int b) {
  return a < b ? a : b;
}

/* The sign of the distance of the ball's center to the triangles of any three corners of a hull, minus the radius. The
 * boundary of the hull is among these triangles, and all of them are in the hull. */
static int order_of_boundary(const convex_element *ball, const convex_element *hull, orientation_tally *tally) {
  int order = 1;
  for (uint32_t i = 2; i < hull->count; i++)
    for (uint32_t j = 1; j < i; j++)
      for (uint32_t k = 0; k < j; k++) {
        double triangle[9];
        for (uint32_t axis = 0; axis < 3; axis++) {
          triangle[axis] = hull->points[3 * i + axis];
          triangle[3 + axis] = hull->points[3 * j + axis];
          triangle[6 + axis] = hull->points[3 * k + axis];
        }
        order = least(order, sphere_triangle_order(ball->points, ball->radius, triangle, tally));
        if (order < 0) return order;
      }
  return order;
}

/* A point is a ball without interior: it crosses a solid that contains it in its interior. */
static triangle_meeting meeting_of_ball(const convex_element *ball, const convex_element *q, orientation_tally *tally) {
  if (q->count == 1)
    return meeting_of_order(sphere_pair_order(ball->points, ball->radius, q->points, q->radius, tally));
  if (q->count == 3) return meeting_of_order(sphere_triangle_order(ball->points, ball->radius, q->points, tally));
  const convex_element center = {.count = 1, .points = {ball->points[0], ball->points[1], ball->points[2]}};
  const triangle_meeting inner = meeting_of_hulls(&center, q, tally);
  if (ball->radius == 0.0) return inner;
  return inner != TRIANGLES_APART ? TRIANGLES_CROSS : meeting_of_order(order_of_boundary(ball, q, tally));
}

static triangle_meeting meeting_of_elements(const convex_element *p, const convex_element *q,
                                            orientation_tally *tally) {
  if (p->count == 3 && q->count == 3) return triangle_pair_meeting(p->points, q->points, tally);
  if (p->count == 1) return meeting_of_ball(p, q, tally);
  if (q->count == 1) return meeting_of_ball(q, p, tally);
  return meeting_of_hulls(p, q, tally);
}

/* ---------------------------------------------------------------------------------------------- all pieces */

/* The strongest meeting of a run of pieces and of those before. */
static triangle_meeting meeting_of_run(const element_search *search, const element_run *run, triangle_meeting meeting) {
  orientation_tally tally = {0};
  const object_source *a = search->a, *b = search->b;
  const exact_box a_box = box_of_corners(a, element_corners(a, search->a_primitive, run->element));
  convex_element p, q;
  fetch_element(a, search->a_primitive, run->element, &p);
  for (uint32_t i = run->first; i < run->end && meeting != TRIANGLES_OVERLAP; i++) {
    const exact_box b_box = box_of_corners(b, element_corners(b, search->b_primitive, i));
    if (!exact_boxes_meet(&a_box, &b_box)) continue;
    fetch_element(b, search->b_primitive, i, &q);
    const triangle_meeting found = meeting_of_elements(&p, &q, &tally);
    if (found > meeting) meeting = found;
  }
  return meeting;
}

static triangle_meeting meeting_of_pieces(const region_scene *scene, index_pair pair) {
  const object_source *a = region_source(scene, pair.a), *b = region_source(scene, pair.b);
  const bool surfaces = !kind_is_solid(a->kind) && !kind_is_solid(b->kind);
  element_search search = element_search_begin(a, b, pair, element_count_of(a, pair.a), element_count_of(b, pair.b),
                                               surfaces ? scene->heap : NULL);
  triangle_meeting meeting = TRIANGLES_APART;
  element_run run;
  while (meeting != TRIANGLES_OVERLAP && element_search_next(&search, &run)) {
    element_search_spend(&search, &run);
    meeting = meeting_of_run(&search, &run, meeting);
  }
  element_search_end(&search);
  return meeting;
}

static graze_clash clash_of_meeting(triangle_meeting meeting) {
  return meeting == TRIANGLES_CROSS     ? GRAZE_CLASH_CROSSING
         : meeting == TRIANGLES_OVERLAP ? GRAZE_CLASH_COPLANAR
                                        : GRAZE_CLASH_TOUCHING;
}

static exact_box common_box(const exact_box *p, const exact_box *q) {
  exact_box box;
  for (int axis = 0; axis < 3; axis++) {
    box.min[axis] = p->min[axis] > q->min[axis] ? p->min[axis] : q->min[axis];
    box.max[axis] = p->max[axis] < q->max[axis] ? p->max[axis] : q->max[axis];
  }
  return box;
}

/* ---------------------------------------------------------------------------------------------- two triangles */

static bool is_corner(const double *point, const double q[9]) {
  return points_equal(point, q) || points_equal(point, q + 3) || points_equal(point, q + 6);
}

static bool all_are_corners(const double p[9], const double q[9]) {
  return is_corner(p, q) && is_corner(p + 3, q) && is_corner(p + 6, q);
}

/* Duplicates are detected before anything is computed: their planes are equal, which would require exact arithmetic. */
static bool clash_of_triangles(const region_scene *scene, index_pair pair, graze_clash *clash_out, exact_box *box_out) {
  orientation_tally tally = {0};
  double p[9], q[9];
  fetch_region_triangle(scene, pair.a, 0, p);
  fetch_region_triangle(scene, pair.b, 0, q);
  const exact_box p_box = exact_box_of(p, 3), q_box = exact_box_of(q, 3);
  *box_out = common_box(&p_box, &q_box);
  *clash_out = GRAZE_CLASH_DUPLICATE;
  if (all_are_corners(p, q) && all_are_corners(q, p)) return true;
  const triangle_meeting meeting = triangle_pair_meeting(p, q, &tally);
  *clash_out = clash_of_meeting(meeting);
  return meeting != TRIANGLES_APART;
}

bool clash_of_pair(const region_scene *scene, index_pair pair, graze_clash *clash_out, exact_box *box_out) {
  const object_source *a = region_source(scene, pair.a), *b = region_source(scene, pair.b);
  if (batch_of_pair(a->kind, b->kind) == BATCH_TRIANGLES) return clash_of_triangles(scene, pair, clash_out, box_out);
  const exact_box p_box = box_of_corners(a, corners_of(a, pair.a)), q_box = box_of_corners(b, corners_of(b, pair.b));
  *box_out = common_box(&p_box, &q_box);
  const triangle_meeting meeting = meeting_of_pieces(scene, pair);
  if (meeting == TRIANGLES_APART) return false;
  *clash_out = are_duplicates(a, b, pair) ? GRAZE_CLASH_DUPLICATE : clash_of_meeting(meeting);
  return true;
}

void fetch_region_triangle(const region_scene *scene, uint32_t primitive, uint32_t element, double corners_out[9]) {
  const object_source *source = region_source(scene, primitive);
  const corner_list corners = element_corners(source, primitive, element);
  for (uint32_t i = 0; i < 3; i++) fetch_vertex(source, corners.vertices[i], corners_out + 3 * (size_t)i);
}
