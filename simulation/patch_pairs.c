/* Finds near features of two patches: a corner and a triangle, or two edges, within a distance of each other.
 *
 * Workload: most pairs of patches are neighbors in a sheet, of which only features along their common border are near.
 * So the features of each are first filtered by the box of the other, then by each other's boxes, and distances are
 * computed for the rest. */
#include "simulation/simulation_parts.h"

#include <stdlib.h>

typedef struct sifted_features {
  uint32_t triangles[PATCH_TRIANGLES], corners[3 * PATCH_TRIANGLES], edges[3 * PATCH_TRIANGLES];
  double edge_boxes[3 * PATCH_TRIANGLES][6];
  size_t triangle_count, corner_count, edge_count;
} sifted_features;

static double greater(double a, double b) {
  return a > b ? a : b;
}

/* Without branches, because the separating axis of two boxes is unpredictable. */
static bool boxes_within(const double *a, const double *b, double reach) {
  const double x = greater(a[0] - b[3], b[0] - a[3]), y = greater(a[1] - b[4], b[1] - a[4]);
  return greater(greater(x, y), greater(a[2] - b[5], b[2] - a[5])) <= reach;
}

static bool point_within(const double *p, const double *box, double reach) {
  const double x = greater(box[0] - p[0], p[0] - box[3]), y = greater(box[1] - p[1], p[1] - box[4]);
  return greater(greater(x, y), greater(box[2] - p[2], p[2] - box[5])) <= reach;
}

static void box_of_edge(const double *positions, const uint32_t edge[2], double box_out[6]) {
  const double *a = positions + 3 * (size_t)edge[0], *b = positions + 3 * (size_t)edge[1];
  for (size_t axis = 0; axis < 3; ++axis) {
    box_out[axis] = a[axis] < b[axis] ? a[axis] : b[axis];
    box_out[3 + axis] = a[axis] < b[axis] ? b[axis] : a[axis];
  }
}

/* The features of the patch within a distance of the other's box. */
static void sift(const simulation *world, const surface_patch *patch, const double *other_box, double within,
                 sifted_features *out) {
  out->triangle_count = out->corner_count = out->edge_count = 0;
  for (uint32_t i = patch->first_triangle; i < patch->triangle_end; ++i) {
    out->triangles[out->triangle_count] = i;
    out->triangle_count += boxes_within(world->triangle_boxes + 6 * (size_t)i, other_box, within);
  }
  for (uint32_t i = patch->first_corner; i < patch->corner_end; ++i) {
    const uint32_t corner = world->corners[i];
    out->corners[out->corner_count] = corner;
    out->corner_count += point_within(world->positions + 3 * (size_t)corner, other_box, within);
  }
  for (uint32_t i = patch->first_edge; i < patch->edge_end; ++i) {
    double *box = out->edge_boxes[out->edge_count];
    box_of_edge(world->positions, world->edges + 2 * (size_t)i, box);
    out->edges[out->edge_count] = i;
    out->edge_count += boxes_within(box, other_box, within);
  }
}

static bool append_pair(near_list *list, near_pair pair) {
  if (list->count == list->capacity) {
    const size_t capacity = 2 * list->capacity + 64;
    near_pair *pairs = realloc(list->pairs, capacity * sizeof *pairs);
    if (pairs == NULL) return false;
    list->pairs = pairs;
    list->capacity = capacity;
  }
  list->pairs[list->count++] = pair;
  return true;
}

static double pair_distance(const double *positions, const uint32_t particles[4], bool edges) {
  const point3 a = particle_at(positions, particles[0]), b = particle_at(positions, particles[1]);
  const point3 c = particle_at(positions, particles[2]), d = particle_at(positions, particles[3]);
  if (edges) {
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

static bool take_in(const simulation *world, near_pair pair, double within, near_list *out) {
  pair.distance = pair_distance(world->positions, pair.particles, pair.edges);
  return pair.distance >= within || append_pair(out, pair);
}

static bool corners_and_triangles(const simulation *world, const sifted_features *one, const sifted_features *other,
                                  double within, near_list *out) {
  for (size_t i = 0; i < other->triangle_count; ++i) {
    const uint32_t *t = world->triangles + 3 * (size_t)other->triangles[i];
    const double *box = world->triangle_boxes + 6 * (size_t)other->triangles[i];
    for (size_t k = 0; k < one->corner_count; ++k) {
      const uint32_t corner = one->corners[k];
      if (!point_within(world->positions + 3 * (size_t)corner, box, within)) continue;
      if (corner == t[0] || corner == t[1] || corner == t[2]) continue;
      if (!take_in(world, (near_pair){{corner, t[0], t[1], t[2]}, 0.0, false}, within, out)) return false;
    }
  }
  return true;
}

/* Within one patch, `one` and `other` are the same: each pair of its edges once. */
static bool edges_and_edges(const simulation *world, const sifted_features *one, const sifted_features *other,
                            double within, near_list *out) {
  for (size_t i = 0; i < one->edge_count; ++i) {
    const uint32_t *e = world->edges + 2 * (size_t)one->edges[i];
    for (size_t k = one == other ? i + 1 : 0; k < other->edge_count; ++k) {
      if (!boxes_within(one->edge_boxes[i], other->edge_boxes[k], within)) continue;
      const uint32_t *f = world->edges + 2 * (size_t)other->edges[k];
      if (e[0] == f[0] || e[0] == f[1] || e[1] == f[0] || e[1] == f[1]) continue;
      if (!take_in(world, (near_pair){{e[0], e[1], f[0], f[1]}, 0.0, true}, within, out)) return false;
    }
  }
  return true;
}

bool patch_pair_find(const simulation *world, patch_pair pair, double within, near_list *out) {
  sifted_features one, other;
  /* Boxes of patches are already grown by half the reach. */
  const double left = within - 0.5 * world->reach;
  sift(world, &world->patches[pair.a], world->patch_boxes + 6 * (size_t)pair.b, left, &one);
  if (pair.a == pair.b) {
    return corners_and_triangles(world, &one, &one, within, out) && edges_and_edges(world, &one, &one, within, out);
  }
  sift(world, &world->patches[pair.b], world->patch_boxes + 6 * (size_t)pair.a, left, &other);
  return corners_and_triangles(world, &one, &other, within, out) &&
         corners_and_triangles(world, &other, &one, within, out) && edges_and_edges(world, &one, &other, within, out);
}

bool near_list_take(const simulation *world, const near_pair *pairs, size_t count, double moved, near_list *out) {
  for (size_t i = 0; i < count; ++i) {
    if (pairs[i].distance - moved < world->reach && !take_in(world, pairs[i], world->reach, out)) return false;
  }
  return true;
}
