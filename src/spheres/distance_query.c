/* The distance of two sphere trees. Pairs of nodes are opened in ascending order of a lower bound of their distance,
 * until no waiting pair can be as near as the nearest spheres found. Among overlapping nodes the deepest come first, so
 * an intersection is found early.
 *
 * A computed distance of two spheres has an error of at most 2^-48 of itself. A node is dropped if 1 - 2^-47 times its
 * bound is above the nearest distance, so no equally near pair is missed. */
#include "spheres/distance_query.h"

#include "geometry/sphere_gap.h"
#include "spheres/node_pair_heap.h"

typedef struct nearest_spheres {
  sphere_gap gap;
  index_pair spheres;
} nearest_spheres;

static nearest_spheres measure(const posed_trees *pair, index_pair spheres) {
  const double *a = pair->a->spheres[spheres.a], *b = pair->b->spheres[spheres.b];
  double p[3], q[3];
  nearest_spheres measured = {.spheres = spheres};
  pose_position(&pair->pose_a, a, p);
  pose_position(&pair->pose_b, b, q);
  sphere_pair_gap(p, a[3], q, b[3], &measured.gap);
  return measured;
}

static bool is_nearer(const nearest_spheres *p, const nearest_spheres *q) {
  if (p->gap.distance != q->gap.distance) return p->gap.distance < q->gap.distance;
  return p->spheres.a != q->spheres.a ? p->spheres.a < q->spheres.a : p->spheres.b < q->spheres.b;
}

/* A lower bound of the computed distance of any two spheres of the nodes. */
static double least_distance(double gap) {
  return gap > 0.0 ? gap * (1.0 - 0x1p-47) : 0.0;
}

static bool take_opened(const posed_trees *pair, const node_pair *opened, nearest_spheres *nearest,
                        node_pair_heap *waiting) {
  const double gap = node_pair_gap(pair, opened);
  if (least_distance(gap) > nearest->gap.distance) return true;
  if (!is_leaf_pair(pair, opened)) {
    const keyed_node_pair wait = {-gap, opened->a, opened->b};
    return node_pair_heap_add(waiting, wait);
  }
  const nearest_spheres measured = measure(pair, leaf_spheres(pair, opened));
  if (is_nearer(&measured, nearest)) *nearest = measured;
  return true;
}

/* Whether no waiting pair can change the answer. */
static bool is_decided(const node_pair_heap *waiting, const nearest_spheres *nearest) {
  if (node_pair_heap_count(waiting) == 0 || nearest->gap.distance == 0.0) return true;
  return least_distance(-ARRAY_AS(keyed_node_pair, &waiting->pairs)[0].key) > nearest->gap.distance;
}

static bool search(const posed_trees *pair, uint64_t budget, nearest_spheres *nearest, node_pair_heap *waiting,
                   uint64_t *opened_out) {
  const node_pair roots = node_pair_of_roots(pair);
  uint64_t opened_count = 0;
  bool good = take_opened(pair, &roots, nearest, waiting);
  for (; good && !is_decided(waiting, nearest) && (budget == 0 || opened_count < budget); opened_count++) {
    node_pair opened[NODE_PAIRS];
    const keyed_node_pair next = node_pair_heap_take(waiting);
    const uint32_t count = node_pair_open(pair, next.a, next.b, true, opened);
    for (uint32_t i = 0; i < count && good; i++) good = take_opened(pair, &opened[i], nearest, waiting);
  }
  *opened_out = opened_count;
  return good;
}

static void take_nearest(const nearest_spheres *nearest, const node_pair_heap *waiting,
                         graze_sphere_distance *distance) {
  distance->distance = distance->lower = distance->upper = nearest->gap.distance;
  distance->sphere_a = nearest->spheres.a;
  distance->sphere_b = nearest->spheres.b;
  for (int axis = 0; axis < 3; axis++) {
    distance->witness_a[axis] = nearest->gap.witness_a[axis];
    distance->witness_b[axis] = nearest->gap.witness_b[axis];
  }
  distance->complete = is_decided(waiting, nearest);
  if (!distance->complete) distance->lower = least_distance(-ARRAY_AS(keyed_node_pair, &waiting->pairs)[0].key);
}

bool sphere_trees_distance(const posed_trees *pair, uint64_t budget, graze_sphere_distance *distance_out) {
  node_pair_heap waiting;
  node_pair_heap_init(&waiting, sphere_tree_heap(pair->a));
  nearest_spheres nearest = measure(pair, (index_pair){0, 0});
  const bool good = search(pair, budget, &nearest, &waiting, &distance_out->node_pairs);
  if (good) take_nearest(&nearest, &waiting, distance_out);
  node_pair_heap_release(&waiting);
  return good;
}
