/* Two sphere trees in their poses: tests for nodes that are certainly apart, and for spheres that meet.
 *
 * Spheres are tested exactly at their posed positions, x = fl(R x + t) (geometry/pose.h). Nodes are tested in the frame
 * of a: a node of b is moved there by `rotation` = M and `shift`, which are R_a' R_b and R_a' (t_b - t_a), rounded,
 * where R_a' is the transpose. The error of this is bounded so that no pair of spheres is lost.
 *
 * Let e = 2^-53, d_a and d_b the largest magnitude of an element of R R' minus the identity, S_a and S_b the largest
 * distances of centers from the origin, T = |t_a| + |t_b|. Then |R R' - 1| <= 3 d in the 2-norm, singular values of R
 * are between 1 - 1.6 d and 1 + 1.5 d, and
 *
 * - a posed center differs from R x + t by at most sqrt(3) 4.1 e (S + |t|) < 8 e (S + T);
 * - R_a' times the vector from sphere x of a to sphere y of b is M y + shift - x, up to 3 d_a S_a, as R_a' R_a is not
 *   the identity, and the rounding of M, shift and their use, together below 32 e (S_b + T).
 *
 * Two spheres of radii r, s that meet have |M y + shift - x| <= (1 + 1.5 d_a) (r + s + 16 e (S_a + S_b + T)) + 3 d_a
 * S_a + 32 e (S_b + T). Their centers are within A - r and B - s of the centers of nodes of radii A, B. So in the frame
 * of a these are at most reach apart:
 *
 *   reach = stretch (A + B) + slack,
 *   stretch = 1 + 1.6 (d_a + d_b) + 2^-47,  slack = 3.1 d_a S_a + 2^-46 (S_a + S_b + T) + 2^-500.
 *
 * 2^-46 is 128 e, which also covers the roundings of slack, reach, distance and squares. The last term of slack keeps
 * reach^2 far above the loss of squares by underflow. If a value overflows, comparisons are false and the nodes count
 * as near: this only costs time.
 *
 * Conversely, spheres of nodes at distance g in the frame of a are at least (g - reach) / stretch apart. */
#ifndef GRAZE_SPHERES_POSED_TREES_H
#define GRAZE_SPHERES_POSED_TREES_H

#include "base/index_pair.h"
#include "geometry/pose.h"
#include "geometry/sphere_pair.h"
#include "spheres/sphere_nodes.h"

typedef struct posed_trees {
  const graze_sphere_tree *a, *b;
  rigid_pose pose_a, pose_b;
  double rotation[9], shift[3]; /* the pose of b in the frame of a */
  double stretch, slack;
  double defect_a, defect_b, rounding; /* of poses: d_a, d_b, and the largest error of a posed center */
} posed_trees;

/* A pair of nodes that is not certainly apart, and the square of the distance of their centers in the frame of a. */
typedef struct node_pair {
  uint32_t a, b;
  double square;
} node_pair;

enum { NODE_PAIRS = SPHERE_CHILDREN * SPHERE_CHILDREN };

/* Poses must be valid. */
void posed_trees_make(const graze_sphere_tree *a, const rigid_pose *pose_a, const graze_sphere_tree *b,
                      const rigid_pose *pose_b, posed_trees *pair_out);

static inline double posed_trees_reach(const posed_trees *pair, double radius_a, double radius_b) {
  return pair->stretch * (radius_a + radius_b) + pair->slack;
}

static inline void posed_trees_move(const posed_trees *pair, const double center[3], double place_out[3]) {
  const double *r = pair->rotation;
  for (int row = 0; row < 3; row++)
    place_out[row] =
        ((r[3 * row] * center[0] + r[3 * row + 1] * center[1]) + r[3 * row + 2] * center[2]) + pair->shift[row];
}

static inline double square_between(const double p[3], const double q[3]) {
  const double x = p[0] - q[0], y = p[1] - q[1], z = p[2] - q[2];
  return (x * x + y * y) + z * z;
}

/* The first pair of every search. */
static inline node_pair node_pair_of_roots(const posed_trees *pair) {
  double place[3];
  posed_trees_move(pair, pair->b->nodes[0].center, place);
  return (node_pair){0, 0, square_between(place, pair->a->nodes[0].center)};
}

/* The children of a node; for a leaf, the node itself. */
static inline const sphere_node *opened_nodes(const graze_sphere_tree *tree, uint32_t node, uint32_t *count_out) {
  const sphere_node *at = &tree->nodes[node];
  *count_out = at->child_count != 0 ? at->child_count : 1;
  return at->child_count != 0 ? &tree->nodes[at->first] : at;
}

/* Opens a pair of nodes of which at least one is not a leaf: lists the pairs of their children, without those that are
 * certainly apart unless `all` is set. */
static inline uint32_t node_pair_open(const posed_trees *pair, uint32_t node_a, uint32_t node_b, bool all,
                                      node_pair opened_out[NODE_PAIRS]) {
  uint32_t a_count, b_count, count = 0;
  const sphere_node *a = opened_nodes(pair->a, node_a, &a_count), *b = opened_nodes(pair->b, node_b, &b_count);
  const uint32_t a_first = (uint32_t)(a - pair->a->nodes), b_first = (uint32_t)(b - pair->b->nodes);
  for (uint32_t j = 0; j < b_count; j++) {
    double place[3];
    posed_trees_move(pair, b[j].center, place);
    for (uint32_t i = 0; i < a_count; i++) {
      const double square = square_between(place, a[i].center),
                   reach = posed_trees_reach(pair, a[i].radius, b[j].radius);
      opened_out[count] = (node_pair){a_first + i, b_first + j, square};
      count += !all && square > reach * reach ? 0 : 1;
    }
  }
  return count;
}

static inline bool is_leaf_pair(const posed_trees *pair, const node_pair *at) {
  return (pair->a->nodes[at->a].child_count | pair->b->nodes[at->b].child_count) == 0;
}

/* The numbers of two leaves' spheres. */
static inline index_pair leaf_spheres(const posed_trees *pair, const node_pair *at) {
  return (index_pair){pair->a->nodes[at->a].first, pair->b->nodes[at->b].first};
}

/* A lower bound of the distance of the spheres of two nodes; negative if the nodes overlap. */
static inline double node_pair_gap(const posed_trees *pair, const node_pair *at) {
  const double reach = posed_trees_reach(pair, pair->a->nodes[at->a].radius, pair->b->nodes[at->b].radius);
  const double gap = sqrt(at->square) * (1.0 - 0x1p-48) - reach;
  return gap > 0.0 ? gap / pair->stretch * (1.0 - 0x1p-48) : gap <= 0.0 ? gap : -HUGE_VAL;
}

/* Whether the spheres of two leaves meet at their posed positions. */
static inline bool leaves_meet(const posed_trees *pair, const node_pair *at) {
  const sphere_node *a = &pair->a->nodes[at->a], *b = &pair->b->nodes[at->b];
  double p[3], q[3];
  orientation_tally tally = {0};
  pose_position(&pair->pose_a, a->center, p);
  pose_position(&pair->pose_b, b->center, q);
  return sphere_pair_intersects(p, a->radius, q, b->radius, &tally);
}

#endif
