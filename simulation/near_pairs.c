/* The search for pairs of features that are near each other, by graze.
 *
 * Each triangle goes into the scene as its box, grown by half the reach: a triangle with one corner at the box's least
 * and two at its greatest point has that box and no other. The query asks for candidates, which are the pairs whose
 * boxes meet, exactly. Every corner and every edge counts as one triangle's (Curtis, Tamstorf, Manocha: "Fast collision
 * detection for deformable models using representative-triangles", 2008), so that each pair of features comes up
 * once. */
#include "simulation/simulation_parts.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CATEGORY_FREE = 1, CATEGORY_TOLD = 2 };

static double milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

graze_result near_pairs_add_body(simulation *world, size_t number) {
  simulated_body *body = &world->bodies[number];
  uint32_t *indices = malloc((3 * body->triangle_count + 1) * sizeof *indices);
  if (indices == NULL) return GRAZE_OUT_OF_MEMORY;
  for (size_t i = 0; i < body->triangle_count; ++i) {
    indices[3 * i] = (uint32_t)(2 * i);
    indices[3 * i + 1] = indices[3 * i + 2] = (uint32_t)(2 * i + 1);
  }
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = (graze_view){world->boxes + 6 * body->first_triangle, 2 * body->triangle_count, 0, GRAZE_DOUBLE3};
  def.triangles = (graze_view){indices, body->triangle_count, 0, GRAZE_UINT32_3};
  def.category = body->kind == BODY_TOLD ? CATEGORY_TOLD : CATEGORY_FREE;
  def.mask = body->kind == BODY_TOLD ? CATEGORY_FREE : CATEGORY_FREE | CATEGORY_TOLD;
  def.self = body->kind == BODY_CLOTH || body->kind == BODY_SOFT;
  const graze_result result = graze_scene_add_triangles(world->scene, &def, &body->object);
  free(indices);
  return result;
}

static void make_boxes(simulation *world) {
  const double grown = 0.5 * world->reach;
  for (size_t i = 0; i < world->triangle_count; ++i) {
    const uint32_t *corners = world->triangles + 3 * i;
    double *box = world->boxes + 6 * i;
    for (size_t axis = 0; axis < 3; ++axis) {
      double least = world->positions[3 * (size_t)corners[0] + axis], most = least;
      for (size_t k = 1; k < 3; ++k) {
        const double value = world->positions[3 * (size_t)corners[k] + axis];
        least = value < least ? value : least;
        most = value > most ? value : most;
      }
      box[axis] = least - grown;
      box[3 + axis] = most + grown;
    }
  }
}

static graze_result find_candidates(simulation *world) {
  graze_query query = graze_query_default();
  query.candidates_only = true;
  query.should_stop = world->settings.should_stop;
  const double start = milliseconds();
  graze_result result = GRAZE_OK;
  for (size_t i = 0; result == GRAZE_OK && i < world->body_count; ++i) {
    const simulated_body *body = &world->bodies[i];
    const graze_view boxes = {world->boxes + 6 * body->first_triangle, 2 * body->triangle_count, 0, GRAZE_DOUBLE3};
    result = graze_object_set_positions(world->scene, body->object, 0, boxes);
  }
  if (result == GRAZE_OK) result = graze_scene_update(world->scene);
  if (result == GRAZE_OK) result = graze_scene_find_pairs(world->scene, &query, &world->candidates);
  world->costs.search_ms += milliseconds() - start;
  ++world->costs.searches;
  return result;
}

static bool append_pair(simulation *world, near_pair pair) {
  if (world->near_count == world->near_capacity) {
    const size_t capacity = 2 * world->near_capacity + 1024;
    near_pair *near = realloc(world->near, capacity * sizeof *near);
    if (near == NULL) return false;
    world->near = near;
    world->near_capacity = capacity;
  }
  world->near[world->near_count++] = pair;
  return true;
}

static double pair_distance(const simulation *world, const near_pair *pair) {
  const double *x = world->positions;
  const point3 a = particle_at(x, pair->particles[0]), b = particle_at(x, pair->particles[1]);
  const point3 c = particle_at(x, pair->particles[2]), d = particle_at(x, pair->particles[3]);
  if (pair->edges) {
    double s, t;
    nearest_of_segments(a, b, c, d, &s, &t);
    const point3 p = point3_add(a, point3_scale(point3_minus(b, a), s));
    const point3 q = point3_add(c, point3_scale(point3_minus(d, c), t));
    return point3_length(point3_minus(p, q));
  }
  double w[3];
  nearest_of_triangle(a, b, c, d, w);
  const point3 q = point3_add(point3_add(point3_scale(b, w[0]), point3_scale(c, w[1])), point3_scale(d, w[2]));
  return point3_length(point3_minus(a, q));
}

/* Some of the distance is never used up, so that rounding cannot make touch what is pressed together for long. */
static double bound_of(const simulation *world, double distance) {
  const double left = distance - UNUSED_PART * world->settings.thickness;
  return left > 0.0 ? 0.5 * BOUND_PART * left : 0.0;
}

/* Keeps the pair where it is near, and bounds its particles. */
static bool take_in(simulation *world, near_pair pair) {
  const uint32_t *p = pair.particles;
  const double distance = pair_distance(world, &pair);
  if (distance >= world->reach) return true;
  const double bound = bound_of(world, distance);
  for (size_t i = 0; i < 4; ++i) {
    if (bound < world->bounds[p[i]]) world->bounds[p[i]] = bound;
  }
  return append_pair(world, pair);
}

static bool boxes_are_near(const double *x, const uint32_t a[2], const uint32_t b[2], double reach) {
  for (size_t axis = 0; axis < 3; ++axis) {
    const double a0 = x[3 * (size_t)a[0] + axis], a1 = x[3 * (size_t)a[1] + axis];
    const double b0 = x[3 * (size_t)b[0] + axis], b1 = x[3 * (size_t)b[1] + axis];
    const double a_most = a0 > a1 ? a0 : a1, a_least = a0 > a1 ? a1 : a0;
    const double b_most = b0 > b1 ? b0 : b1, b_least = b0 > b1 ? b1 : b0;
    if (a_least - b_most > reach || b_least - a_most > reach) return false;
  }
  return true;
}

static bool corners_and_triangle(simulation *world, size_t owner, size_t triangle) {
  const uint32_t *t = world->triangles + 3 * triangle;
  const double *box = world->boxes + 6 * triangle, grown = 0.5 * world->reach;
  for (size_t k = 0; k < 3; ++k) {
    if ((world->owned[owner] >> k & 1) == 0) continue;
    const uint32_t corner = world->triangles[3 * owner + k];
    const double *x = world->positions + 3 * (size_t)corner;
    if (corner == t[0] || corner == t[1] || corner == t[2]) continue;
    if (x[0] < box[0] - grown || x[0] > box[3] + grown || x[1] < box[1] - grown || x[1] > box[4] + grown ||
        x[2] < box[2] - grown || x[2] > box[5] + grown)
      continue;
    if (!take_in(world, (near_pair){{corner, t[0], t[1], t[2]}, false})) return false;
  }
  return true;
}

static bool edges_and_edges(simulation *world, size_t a, size_t b) {
  for (size_t i = 0; i < 9; ++i) {
    const size_t side_a = i / 3, side_b = i % 3;
    if ((world->owned[a] >> (3 + side_a) & 1) == 0 || (world->owned[b] >> (3 + side_b) & 1) == 0) continue;
    const uint32_t *p = world->triangles + 3 * a, *q = world->triangles + 3 * b;
    const uint32_t first[2] = {p[side_a], p[(side_a + 1) % 3]}, second[2] = {q[side_b], q[(side_b + 1) % 3]};
    if (first[0] == second[0] || first[0] == second[1] || first[1] == second[0] || first[1] == second[1]) continue;
    if (!boxes_are_near(world->positions, first, second, world->reach)) continue;
    if (!take_in(world, (near_pair){{first[0], first[1], second[0], second[1]}, true})) return false;
  }
  return true;
}

/* No corner may come up to the side across: no tetrahedron turns inside out. */
static void bound_by_volumes(simulation *world) {
  for (size_t i = 0; i < world->volume_count; ++i) {
    const uint32_t *corners = world->volumes[i].corners;
    point3 p[4];
    for (size_t k = 0; k < 4; ++k) p[k] = particle_at(world->positions, corners[k]);
    const point3 ab = point3_minus(p[1], p[0]), ac = point3_minus(p[2], p[0]), ad = point3_minus(p[3], p[0]);
    const double volume = point3_dot(point3_cross(ab, ac), ad);
    const point3 bc = point3_minus(p[2], p[1]), bd = point3_minus(p[3], p[1]);
    const double areas[4] = {point3_length(point3_cross(bc, bd)), point3_length(point3_cross(ac, ad)),
                             point3_length(point3_cross(ab, ad)), point3_length(point3_cross(ab, ac))};
    double height = areas[0] > 0.0 ? volume / areas[0] : 0.0;
    for (size_t k = 1; k < 4; ++k) {
      const double other = areas[k] > 0.0 ? volume / areas[k] : 0.0;
      height = other < height ? other : height;
    }
    const double bound = bound_of(world, height);
    for (size_t k = 0; k < 4; ++k) {
      if (bound < world->bounds[corners[k]]) world->bounds[corners[k]] = bound;
    }
  }
}

graze_result near_pairs_find(simulation *world) {
  make_boxes(world);
  const graze_result result = find_candidates(world);
  if (result != GRAZE_OK) return result;
  memcpy(world->searched, world->positions, 3 * world->particle_count * sizeof(double));
  for (size_t i = 0; i < world->particle_count; ++i) world->bounds[i] = bound_of(world, world->reach);
  world->near_count = 0;
  for (size_t i = 0; i < world->candidates.count; ++i) {
    const graze_pair *pair = &world->candidates.pairs[i];
    const size_t a = world->bodies[pair->object_a].first_triangle + pair->primitive_a;
    const size_t b = world->bodies[pair->object_b].first_triangle + pair->primitive_b;
    if (!corners_and_triangle(world, a, b) || !corners_and_triangle(world, b, a) || !edges_and_edges(world, a, b)) {
      return GRAZE_OUT_OF_MEMORY;
    }
  }
  bound_by_volumes(world);
  world->costs.contacts += world->near_count;
  return GRAZE_OK;
}
