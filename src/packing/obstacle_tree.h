/* A tree of obstacles that spheres must not enter, triangles of a mesh or placed spheres, and the search for those
 * nearest to a point.
 *
 * Workload: 10^2 to 10^6 obstacles, about 10^3 searches for each placed sphere, all for points in free space. So the
 * tree is complete and its nodes are stored as a binary heap: no pointers, one box a node, and items copied in the
 * order of the leaves. The same source compiles for a device: no recursion, no allocation, only + - * / and square
 * roots. */
#ifndef GRAZE_PACKING_OBSTACLE_TREE_H
#define GRAZE_PACKING_OBSTACLE_TREE_H

#include "geometry/triangle_distance.h"
#include "geometry/triangle_winding.h"

#include <math.h>
#include <stdint.h>

enum {
  OBSTACLE_TRIANGLE_NUMBERS = 9, /* three corners */
  OBSTACLE_SPHERE_NUMBERS = 4    /* center, radius */
};

typedef struct obstacle_tree {
  const double *boxes; /* six per node: least x, y, z, greatest x, y, z; node k has the children 2 k and 2 k + 1 */
  const double *items; /* `numbers` each, leaf by leaf: leaf i starts with item i * count / leaf_count */
  uint32_t count,
      leaf_count;     /* the number of leaves is a power of two; leaf i is node leaf_count + i; node 1 is the root */
  uint32_t leaf_bits; /* the number of leaves is 2 to this power */
  uint32_t numbers;   /* per item: OBSTACLE_TRIANGLE_NUMBERS or OBSTACLE_SPHERE_NUMBERS */
} obstacle_tree;

/* The free space: outside the placed spheres, and on one side of the mesh. */
typedef struct packing_space {
  obstacle_tree mesh, spheres;
} packing_space;

/* A point between obstacles; jobs for prototypes are passed in batches to workers or to a device (prototype.h). */
typedef struct prototype {
  double center[3];
  double radius; /* the distance of the nearest obstacle; not positive within a placed sphere */
} prototype;

/* Steps of a job, as bits, run in this order. */
enum {
  JOB_IF_INSIDE = 1, /* outside the mesh the radius becomes -1, and nothing else is done */
  JOB_ASCEND = 2,
  JOB_MEASURE = 4 /* a positive radius is reduced to the carefully measured distance of the nearest obstacle */
};

typedef struct prototype_job {
  prototype sphere;
  uint64_t steps;
} prototype_job;

enum {
  OBSTACLE_STACK = 64, /* a tree of 2^32 items is 32 nodes deep */
  NEAR_MOST = 20       /* capacity of a list of near obstacles */
};

/* The nearest obstacles, nearest first. `distance` is convex in the point, with this gradient. Among obstacles in
 * nearly the same direction, such as the triangles of a fine mesh, only the nearest is kept. */
typedef struct near_list {
  double distance[NEAR_MOST];
  double gradient[NEAR_MOST][3];
  int count;
  bool careful;       /* for needles; slower */
  double drop_factor; /* obstacles farther than `drop_factor` times the nearest are dropped */
  double alike;       /* the cosine from which directions count as equal */
  double shade;       /* the sine of that angle */
  double cutoff;      /* the list has nothing farther, and for everything nearer either it or another obstacle in its
                         direction */
} near_list;

GEOMETRY_FUNCTION void near_list_begin(near_list *near, double drop_factor, double angle) {
  near->count = 0;
  near->careful = false;
  near->drop_factor = drop_factor;
  near->alike = 1.0 - 0.5 * angle * angle;
  near->shade = angle;
  near->cutoff = HUGE_VAL;
}

GEOMETRY_FUNCTION void near_list_move(near_list *near, int from, int to) {
  near->distance[to] = near->distance[from];
  for (int k = 0; k < 3; k++) near->gradient[to][k] = near->gradient[from][k];
}

/* Removes those that the new one represents; false if another one represents the new one. */
GEOMETRY_FUNCTION bool near_list_displace(near_list *near, double distance, vector3 gradient) {
  int kept = 0;
  for (int i = 0; i < near->count; i++) {
    const bool alike = vector3_dot(vector3_load(near->gradient[i]), gradient) > near->alike;
    if (alike && near->distance[i] <= distance) return false; /* nothing was removed before: the list is sorted */
    if (!alike) near_list_move(near, i, kept++);
  }
  near->count = kept;
  return true;
}

GEOMETRY_FUNCTION void near_list_lower_cutoff(near_list *near, double distance) {
  if (distance < near->cutoff) near->cutoff = distance;
}

GEOMETRY_FUNCTION void near_list_offer(near_list *near, double distance, vector3 gradient) {
  if (!near_list_displace(near, distance, gradient)) return;
  int place = near->count;
  while (place > 0 && near->distance[place - 1] > distance) place--;
  if (place == NEAR_MOST) return;
  if (near->count < NEAR_MOST) near->count++;
  for (int i = near->count - 1; i > place; i--) near_list_move(near, i - 1, i);
  near->distance[place] = distance;
  vector3_store(gradient, near->gradient[place]);
  near_list_lower_cutoff(near, near->distance[0] > 0.0 ? near->distance[0] * near->drop_factor : 0.0);
  if (near->count == NEAR_MOST) near_list_lower_cutoff(near, near->distance[NEAR_MOST - 1]);
}

/* The nearest point of an edge from a to b, for a point between its ends. */
GEOMETRY_FUNCTION vector3 along_edge(vector3 a, vector3 offset, double near_a, double near_b) {
  return vector3_add(a, vector3_scale(offset, near_a / (near_a - near_b)));
}

/* A triangle's nearest point, by the signs of six products that determine the corner, edge or interior (Ericson,
 * "Real-Time Collision Detection", 2005, section 5.1.5). It has an error of some roundings, more for needles: it guides
 * steps; triangle_nearest_carefully determines how large a sphere may be. */
GEOMETRY_FUNCTION vector3 triangle_nearest(const double *corners, vector3 point) {
  const vector3 a = vector3_load(corners), b = vector3_load(corners + 3), c = vector3_load(corners + 6);
  const vector3 ab = vector3_subtract(b, a), ac = vector3_subtract(c, a);
  const vector3 from_a = vector3_subtract(point, a), from_b = vector3_subtract(point, b);
  const vector3 from_c = vector3_subtract(point, c);
  const double a_b = vector3_dot(ab, from_a), a_c = vector3_dot(ac, from_a);
  if (a_b <= 0.0 && a_c <= 0.0) return a;
  const double b_b = vector3_dot(ab, from_b), b_c = vector3_dot(ac, from_b);
  if (b_b >= 0.0 && b_c <= b_b) return b;
  const double c_b = vector3_dot(ab, from_c), c_c = vector3_dot(ac, from_c);
  if (c_c >= 0.0 && c_b <= c_c) return c;
  const double off_c = a_b * b_c - b_b * a_c;
  if (off_c <= 0.0 && a_b >= 0.0 && b_b <= 0.0 && b_b < a_b) return along_edge(a, ab, a_b, b_b);
  const double off_b = c_b * a_c - a_b * c_c;
  if (off_b <= 0.0 && a_c >= 0.0 && c_c <= 0.0 && c_c < a_c) return along_edge(a, ac, a_c, c_c);
  const double off_a = b_b * c_c - c_b * b_c, near_b = b_c - b_b, near_c = c_b - c_c;
  if (off_a <= 0.0 && near_b >= 0.0 && near_c >= 0.0 && near_b + near_c > 0.0)
    return along_edge(b, vector3_subtract(c, b), near_b, -near_c);
  const double whole = off_a + off_b + off_c;
  if (!(whole > 0.0)) return a;
  return vector3_add(a, vector3_add(vector3_scale(ab, off_b / whole), vector3_scale(ac, off_c / whole)));
}

/* The foot of the point if it is inside, else the nearest point of the three edges. */
GEOMETRY_FUNCTION vector3 triangle_nearest_carefully(const double *corners, vector3 point) {
  vector3 triangle[3], foot;
  for (int i = 0; i < 3; i++) triangle[i] = vector3_load(corners + 3 * i);
  if (foot_in_triangle(triangle, point, &foot)) return foot;
  double least = HUGE_VAL;
  vector3 nearest = triangle[0];
  for (int i = 0; i < 3; i++) {
    const vector3 found = nearest_on_segment(triangle[i], triangle[(i + 1) % 3], point);
    const vector3 offset = vector3_subtract(point, found);
    const double squared = vector3_dot(offset, offset);
    if (squared >= least) continue;
    least = squared;
    nearest = found;
  }
  return nearest;
}

/* The distance of an item from the point, negative within a sphere, and its gradient. */
GEOMETRY_FUNCTION double obstacle_distance(const obstacle_tree *tree, uint32_t item, vector3 point, bool careful,
                                           vector3 *gradient_out) {
  const double *numbers = tree->items + (size_t)item * tree->numbers;
  const bool is_sphere = tree->numbers == OBSTACLE_SPHERE_NUMBERS;
  const vector3 from = is_sphere ? vector3_load(numbers)
                       : careful ? triangle_nearest_carefully(numbers, point)
                                 : triangle_nearest(numbers, point);
  const vector3 offset = vector3_subtract(point, from);
  const double length = vector3_length(offset);
  *gradient_out = length > 0.0 ? vector3_scale(offset, 1.0 / length) : vector3_make(0.0, 0.0, 0.0);
  return is_sphere ? length - numbers[3] : length;
}

GEOMETRY_FUNCTION void obstacle_offer(const obstacle_tree *tree, uint32_t item, vector3 point, near_list *near) {
  vector3 gradient;
  const double distance = obstacle_distance(tree, item, point, near->careful, &gradient);
  if (!(distance > near->cutoff)) near_list_offer(near, distance, gradient);
}

GEOMETRY_FUNCTION double outside_of(double least, double greatest, double value) {
  return value < least ? least - value : (value > greatest ? value - greatest : 0.0);
}

GEOMETRY_FUNCTION double box_distance_squared(const double *box, vector3 point) {
  const double x = outside_of(box[0], box[3], point.x);
  const double y = outside_of(box[1], box[4], point.y);
  const double z = outside_of(box[2], box[5], point.z);
  return x * x + y * y + z * z;
}

GEOMETRY_FUNCTION uint32_t leaf_begin(const obstacle_tree *tree, uint32_t leaf) {
  return (uint32_t)((uint64_t)leaf * tree->count >> tree->leaf_bits);
}

GEOMETRY_FUNCTION void obstacle_offer_leaf(const obstacle_tree *tree, uint32_t leaf, vector3 point, near_list *near) {
  const uint32_t end = leaf_begin(tree, leaf + 1);
  for (uint32_t item = leaf_begin(tree, leaf); item < end; item++) obstacle_offer(tree, item, point, near);
}

typedef enum node_view { NODE_WHOLE, NODE_AS_ONE, NODE_SHADED } node_view;

/* A node relative to a point. */
typedef struct node_sight {
  vector3 offset; /* from the node's middle to the point */
  double squared;
  double margin; /* for small angles: the radius, at the node, of the cone of equal directions, less the node */
  bool is_small;
} node_sight;

GEOMETRY_FUNCTION node_sight node_sight_of(const double *box, double shade, vector3 point) {
  const vector3 middle = vector3_make(0.5 * (box[0] + box[3]), 0.5 * (box[1] + box[4]), 0.5 * (box[2] + box[5]));
  const vector3 half = vector3_make(box[3] - middle.x, box[4] - middle.y, box[5] - middle.z);
  node_sight sight;
  sight.offset = vector3_subtract(point, middle);
  const double length = vector3_length(sight.offset), width = vector3_length(half);
  sight.squared = length * length;
  sight.margin = shade * length - 0.3 * width;
  sight.is_small = width < 0.25 * shade * length;
  return sight;
}

/* Whether it is mostly in the cone around an obstacle. The gradient points away from the obstacle. */
GEOMETRY_FUNCTION bool node_is_shaded(const node_sight *sight, vector3 gradient) {
  const double along = vector3_dot(gradient, sight->offset);
  return sight->margin > 0.0 && along > 0.0 && sight->squared - along * along < sight->margin * sight->margin;
}

/* How closely a node without the nearest obstacle must be examined. A node that is small seen from the point is
 * represented by any of its items. A node mostly within the cone of equal directions around an entry of the list, and
 * no nearer than it, is represented by that entry. Callers that need all near obstacles set no angle. */
GEOMETRY_FUNCTION node_view near_node_view(const near_list *near, const double *box, double distance, vector3 point) {
  if (near->count == 0 || distance <= near->distance[0]) return NODE_WHOLE;
  const node_sight sight = node_sight_of(box, near->shade, point);
  for (int i = 0; sight.margin > 0.0 && i < near->count && near->distance[i] <= distance; i++)
    if (node_is_shaded(&sight, vector3_load(near->gradient[i]))) return NODE_SHADED;
  return sight.is_small ? NODE_AS_ONE : NODE_WHOLE;
}

GEOMETRY_FUNCTION uint32_t first_item_below(const obstacle_tree *tree, uint32_t node) {
  while (node < tree->leaf_count) node *= 2;
  return leaf_begin(tree, node - tree->leaf_count);
}

/* Adds the first item below a node. */
GEOMETRY_FUNCTION void obstacle_offer_one(const obstacle_tree *tree, uint32_t node, vector3 point, near_list *near) {
  obstacle_offer(tree, first_item_below(tree, node), point, near);
}

/* Adds the obstacles of a tree to the list. The nearer child is visited first, so that the cutoff shrinks early. */
GEOMETRY_FUNCTION void obstacle_tree_search(const obstacle_tree *tree, vector3 point, near_list *near) {
  uint32_t stack[OBSTACLE_STACK];
  double bound[OBSTACLE_STACK];
  int depth = 0;
  if (tree->count == 0) return;
  stack[0] = 1;
  bound[0] = box_distance_squared(tree->boxes + 6, point);
  depth = 1;
  while (depth > 0) {
    const uint32_t node = stack[--depth];
    if (bound[depth] > near->cutoff * near->cutoff) continue;
    const node_view view = tree->numbers == OBSTACLE_SPHERE_NUMBERS
                               ? NODE_WHOLE
                               : near_node_view(near, tree->boxes + 6 * (size_t)node, sqrt(bound[depth]), point);
    if (view == NODE_AS_ONE) obstacle_offer_one(tree, node, point, near);
    if (view != NODE_WHOLE) continue;
    if (node >= tree->leaf_count) {
      obstacle_offer_leaf(tree, node - tree->leaf_count, point, near);
      continue;
    }
    const double left = box_distance_squared(tree->boxes + 12 * (size_t)node, point);
    const double right = box_distance_squared(tree->boxes + 12 * (size_t)node + 6, point);
    const uint32_t last = left <= right ? 1 : 0; /* the farther one is below it in the stack */
    stack[depth] = 2 * node + last;
    bound[depth++] = last ? right : left;
    stack[depth] = 2 * node + 1 - last;
    bound[depth++] = last ? left : right;
  }
}

/* The winding number of a closed mesh around a point: 1 inside a mesh whose triangles are counterclockwise seen from
 * outside, 0 outside and in cavities. triangle_winding.h computes the contribution of each triangle. */

GEOMETRY_FUNCTION bool box_is_above(const double *box, const double *point) {
  return box[0] <= point[0] && point[0] <= box[3] && box[1] <= point[1] && point[1] <= box[4] && point[2] <= box[5];
}

GEOMETRY_FUNCTION int mesh_winding(const obstacle_tree *tree, const double *point, orientation_tally *tally) {
  uint32_t stack[OBSTACLE_STACK];
  int depth = 1, winding = 0;
  if (tree->count == 0) return 0;
  stack[0] = 1;
  while (depth > 0) {
    const uint32_t node = stack[--depth];
    if (!box_is_above(tree->boxes + 6 * (size_t)node, point)) continue;
    if (node < tree->leaf_count) {
      stack[depth++] = 2 * node + 1;
      stack[depth++] = 2 * node;
      continue;
    }
    const uint32_t leaf = node - tree->leaf_count, end = leaf_begin(tree, leaf + 1);
    for (uint32_t i = leaf_begin(tree, leaf); i < end; i++)
      winding += triangle_winding(tree->items + (size_t)i * OBSTACLE_TRIANGLE_NUMBERS, point, tally);
  }
  return winding;
}

/* The radius of a sphere around a point with a measured distance from the nearest obstacle. It is reduced such that the
 * exact certificate holds for the stored sphere.
 *
 * Coordinates are scaled below 2 (binary_scale.h: below 4 for the largest doubles), where the last place is 2^-52. The
 * nearest point of a triangle is rounded to it, by at most sqrt(3) / 2 of a place. A center and a radius that become
 * subnormal when they are scaled back are rounded to the same place, by sqrt(3) / 2 and 1 / 2, for both spheres if an
 * obstacle is one. That is less than three places; four are reserved. All other errors are relative to the distance or
 * to the size of the mesh. */

/* Bounds, with a reserve, of the error of measured distances: relative to the distance, to the mesh's diagonal, and
 * four last places. */
#define MARGIN_PART 0x1p-36
#define MARGIN_DIAGONAL 0x1p-46
#define MARGIN_COORDINATES 0x1p-50

/* The larger of the two covers both: near the origin that of the diagonal, far away that of the coordinates. */
static inline double distance_margin(double diagonal) {
  return fmax(MARGIN_DIAGONAL * diagonal, MARGIN_COORDINATES);
}

static inline double safe_radius(double clearance, double diagonal) {
  return clearance * (1.0 - MARGIN_PART) - distance_margin(diagonal);
}

#endif
