/* Builds a sphere tree from the top, level by level. A builder places four prototypes in each node of more than four
 * spheres, one sort brings the spheres of every node into the order of their nearest prototypes, and the runs of that
 * order become the children. The spheres of nodes with up to four become their children.
 *
 * The tree depends only on the spheres and the builder: sums have a fixed order (sphere_prototypes.c) and the sort is
 * stable. If all spheres of a node go to one prototype, as concentric spheres do, the node is split evenly in the
 * current order; so is every node of a level deeper than SPHERE_LEVEL_EVEN.
 *
 * Weller, Mainzer, Srinivas, Teschner, Zachmann, "Massively parallel batch neural gas for bounding volume hierarchy
 * construction", 2014 (all nodes of a level at once). */
#include "spheres/sphere_build.h"

#include "base/array.h"
#include "base/radix_sort.h"
#include "geometry/ball_of_balls.h"
#include "geometry/binary_scale.h"
#include "geometry/sphere_lens.h"
#include "spheres/sphere_prototypes.h"

#include <stddef.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------- coordinates */

/* Coordinates of a build: relative to the center of the spheres, in units of their extent, so that products neither
 * overflow nor underflow. They determine only the shape of the tree and the centers of its balls; radii are computed in
 * the given coordinates. */

typedef struct sphere_build_frame {
  double factor, inverse; /* 1 except for coordinates near the largest double */
  double grow, shrink;
  double origin[3]; /* times the factor */
} sphere_build_frame;

static inline void build_frame_in(const sphere_build_frame *frame, const double sphere[4], double ball_out[4]) {
  for (int axis = 0; axis < 3; axis++)
    ball_out[axis] = (sphere[axis] * frame->factor - frame->origin[axis]) * frame->grow;
  ball_out[3] = sphere[3] * frame->factor * frame->grow;
}

static inline void build_frame_out(const sphere_build_frame *frame, const double place[3], double center_out[3]) {
  for (int axis = 0; axis < 3; axis++)
    center_out[axis] = within_doubles((place[axis] * frame->shrink + frame->origin[axis]) * frame->inverse);
}

static inline sphere_build_frame build_frame_make(const double (*spheres)[4], size_t count) {
  sphere_build_frame frame = {1.0, 1.0, 1.0, 1.0, {0.0, 0.0, 0.0}};
  double largest = 0.0, extent = 0.0;
  for (size_t i = 0; i < count; i++) {
    const double magnitude = largest_magnitude(spheres[i], 4);
    largest = magnitude > largest ? magnitude : largest;
  }
  if (largest > 0x1p1000) {
    frame.factor = 0x1p-30;
    frame.inverse = 0x1p30;
  }
  for (int axis = 0; axis < 3; axis++) {
    double low = spheres[0][axis], high = low;
    for (size_t i = 1; i < count; i++) {
      low = spheres[i][axis] < low ? spheres[i][axis] : low;
      high = spheres[i][axis] > high ? spheres[i][axis] : high;
    }
    frame.origin[axis] = 0.5 * (low * frame.factor) + 0.5 * (high * frame.factor);
    const double half = 0.5 * (high * frame.factor - low * frame.factor);
    extent = half > extent ? half : extent;
  }
  for (size_t i = 0; i < count; i++)
    extent = spheres[i][3] * frame.factor > extent ? spheres[i][3] * frame.factor : extent;
  int exponent = extent > 0.0 ? -binary_exponent(extent) : 0;
  exponent = exponent > 1000 ? 1000 : exponent;
  frame.grow = power_of_two(exponent);
  frame.shrink = power_of_two(-exponent);
  return frame;
}

enum { ITEM_GRAIN = 4096, BALL_GRAIN = 16 };

/* A node's spheres in the order of the tree. */
typedef struct node_range {
  uint32_t base, count;
} node_range;

typedef struct sphere_build {
  graze_sphere_tree *tree;
  sphere_build_frame frame;
  sphere_placer *place;
  const graze_sphere_tree_def *def;
  const gas_stages *gas;   /* as in sphere_level */
  double (*balls)[4];      /* in coordinates of the build */
  double (*item_balls)[4]; /* the same for the items of the current level */
  uint32_t *order;         /* spheres; those of a node are consecutive */
  uint64_t *keys, *spare_keys;
  uint32_t *items, *spare_items, *node_of;
  array nodes, ranges;        /* sphere_node, node_range */
  array level_nodes, waiting; /* level_node */
  sphere_prototypes *prototypes;
  uint32_t first_new; /* first of the nodes without balls */
} sphere_build;

/* ---------------------------------------------------------------------------------------------- nodes */

static bool push_node(sphere_build *build, uint32_t base, uint32_t count) {
  memory *heap = &build->tree->heap;
  const sphere_node node = {.first = count == 1 ? build->order[base] : 0};
  const node_range range = {base, count};
  return array_push(&build->nodes, heap, &node) && array_push(&build->ranges, heap, &range);
}

static sphere_node *node_at(const sphere_build *build, size_t node) {
  return &ARRAY_AS(sphere_node, &build->nodes)[node];
}

/* Adds the children of a node, whose spheres are in order by child. */
static bool push_children(sphere_build *build, uint32_t node, const uint32_t counts[SPHERE_CHILDREN]) {
  uint32_t base = ARRAY_AS(node_range, &build->ranges)[node].base;
  const uint32_t first = (uint32_t)build->nodes.count;
  for (uint32_t i = 0; i < SPHERE_CHILDREN; base += counts[i++])
    if (counts[i] > 0 && !push_node(build, base, counts[i])) return false;
  node_at(build, node)->first = first;
  node_at(build, node)->child_count = (uint32_t)build->nodes.count - first;
  return true;
}

/* The radius around the center that contains the leaves. A distance has six roundings and the sum one more, together
 * less than 8 2^-53 of it; squares that underflow lose 2^-536. */
static double radius_around(const double center[3], const double (*spheres)[4], const uint32_t *numbers,
                            uint32_t count) {
  double largest = 0.0;
  for (uint32_t i = 0; i < count; i++) {
    const double *sphere = spheres[numbers[i]];
    const double x = sphere[0] - center[0], y = sphere[1] - center[1], z = sphere[2] - center[2];
    const double reach = sqrt((x * x + y * y) + z * z) + sphere[3];
    largest = reach > largest ? reach : largest;
  }
  return largest * (1.0 + 0x1p-49) + 0x1p-530;
}

static void make_ball(const sphere_build *build, size_t at) {
  const node_range range = ARRAY_AS(node_range, &build->ranges)[at];
  const double(*spheres)[4] = (const double(*)[4])build->tree->spheres;
  const uint32_t *numbers = build->order + range.base;
  sphere_node *node = node_at(build, at);
  if (range.count == 1) {
    memcpy(node->center, spheres[numbers[0]], sizeof node->center);
    node->radius = spheres[numbers[0]][3];
    return;
  }
  double place[3];
  ball_of_balls((const double(*)[4])build->balls, numbers, range.count, place);
  build_frame_out(&build->frame, place, node->center);
  node->radius = radius_around(node->center, spheres, numbers, range.count);
}

static void make_balls(void *context, size_t first, size_t end, uint32_t worker) {
  const sphere_build *build = context;
  (void)worker;
  for (size_t i = first; i < end; i++) make_ball(build, build->first_new + i);
}

/* Computes the balls of the new nodes; those of more than four spheres wait for the next level. */
static bool finish_nodes(sphere_build *build) {
  const size_t end = build->nodes.count;
  for (size_t i = build->first_new; i < end; i++) {
    const node_range range = ARRAY_AS(node_range, &build->ranges)[i];
    uint32_t counts[SPHERE_CHILDREN] = {0};
    for (uint32_t child = 0; child < range.count && child < SPHERE_CHILDREN; child++) counts[child] = 1;
    if (range.count > 1 && range.count <= SPHERE_CHILDREN && !push_children(build, (uint32_t)i, counts)) return false;
  }
  workers_for(build->tree->team, build->nodes.count - build->first_new, BALL_GRAIN, make_balls, build);
  build->waiting.count = 0;
  for (size_t i = build->first_new; i < end; i++) {
    const node_range range = ARRAY_AS(node_range, &build->ranges)[i];
    level_node waiting = {.node = (uint32_t)i, .base = range.base, .count = range.count};
    double ball[4];
    memcpy(ball, node_at(build, i)->center, sizeof waiting.center);
    ball[3] = node_at(build, i)->radius;
    build_frame_in(&build->frame, ball, ball);
    memcpy(waiting.center, ball, sizeof waiting.center);
    waiting.radius = ball[3];
    if (range.count > SPHERE_CHILDREN && !array_push(&build->waiting, &build->tree->heap, &waiting)) return false;
  }
  build->first_new = (uint32_t)build->nodes.count;
  return true;
}

/* ---------------------------------------------------------------------------------------------- a level */

static uint32_t gather_items(sphere_build *build, level_node *nodes, uint32_t node_count) {
  uint32_t item_count = 0;
  for (uint32_t at = 0; at < node_count; at++) {
    nodes[at].first = item_count;
    memcpy(build->items + item_count, build->order + nodes[at].base, nodes[at].count * sizeof *build->items);
    for (uint32_t i = 0; i < nodes[at].count; i++) build->node_of[item_count + i] = at;
    item_count += nodes[at].count;
  }
  return item_count;
}

/* Copies the spheres of a level side by side, as the steps of neural gas read them repeatedly. */
static void gather_balls(void *context, size_t first, size_t end, uint32_t worker) {
  const sphere_build *build = context;
  (void)worker;
  for (size_t i = first; i < end; i++)
    memcpy(build->item_balls[i], build->balls[build->items[i]], sizeof *build->balls);
}

static void assign_items(void *context, size_t first, size_t end, uint32_t worker) {
  const sphere_build *build = context;
  (void)worker;
  for (size_t i = first; i < end; i++) {
    const uint32_t node = build->node_of[i];
    const uint32_t nearest = nearest_prototype((const double(*)[3])build->prototypes[node], build->item_balls[i]);
    build->keys[i] = (uint64_t)node * SPHERE_CHILDREN + nearest;
  }
}

static void count_children(const sphere_build *build, level_node *nodes, uint32_t item_count) {
  for (uint32_t i = 0; i < item_count; i++)
    nodes[build->keys[i] / SPHERE_CHILDREN].child_counts[build->keys[i] % SPHERE_CHILDREN]++;
}

static void part_evenly(level_node *node) {
  for (uint32_t i = 0; i < SPHERE_CHILDREN; i++)
    node->child_counts[i] = node->count / SPHERE_CHILDREN + (i < node->count % SPHERE_CHILDREN);
}

static bool is_parted(const level_node *node) {
  for (uint32_t i = 0; i < SPHERE_CHILDREN; i++)
    if (node->child_counts[i] == node->count) return false;
  return true;
}

/* Sorts the spheres of every node by their nearest prototypes. */
static graze_result part_by_prototypes(sphere_build *build, level_node *nodes, uint32_t node_count) {
  memory *heap = &build->tree->heap;
  workers *team = build->tree->team;
  const uint32_t item_count = gather_items(build, nodes, node_count);
  workers_for(team, item_count, ITEM_GRAIN, gather_balls, build);
  sphere_level level = {.nodes = nodes,
                        .prototypes = build->prototypes,
                        .balls = (const double(*)[4])build->item_balls,
                        .node_of = build->node_of,
                        .node_count = node_count,
                        .item_count = item_count,
                        .def = build->def,
                        .gas = build->gas,
                        .heap = heap,
                        .team = team};
  const graze_result result = build->place(&level);
  if (result != GRAZE_OK) return result;
  workers_for(team, item_count, ITEM_GRAIN, assign_items, build);
  uint32_t key_bits = 2;
  while ((node_count - 1) >> (key_bits - 2) != 0) key_bits++;
  radix_sort_pairs_stoppable(build->keys, build->items, build->spare_keys, build->spare_items, item_count, key_bits,
                             heap, team, NULL);
  count_children(build, nodes, item_count);
  for (uint32_t at = 0; at < node_count; at++)
    memcpy(build->order + nodes[at].base, build->items + nodes[at].first, nodes[at].count * sizeof *build->items);
  return GRAZE_OK;
}

static graze_result part_level(sphere_build *build, uint32_t level) {
  const array taken = build->waiting;
  build->waiting = build->level_nodes;
  build->level_nodes = taken;
  level_node *nodes = taken.data;
  const uint32_t node_count = (uint32_t)taken.count;
  const graze_result result = level < SPHERE_LEVEL_EVEN ? part_by_prototypes(build, nodes, node_count) : GRAZE_OK;
  if (result != GRAZE_OK) return result;
  for (uint32_t at = 0; at < node_count; at++) {
    if (level >= SPHERE_LEVEL_EVEN || !is_parted(&nodes[at])) part_evenly(&nodes[at]);
    if (!push_children(build, nodes[at].node, nodes[at].child_counts)) return GRAZE_OUT_OF_MEMORY;
  }
  return finish_nodes(build) ? GRAZE_OK : GRAZE_OUT_OF_MEMORY;
}

/* ---------------------------------------------------------------------------------------------- all levels */

static void scale_spheres(void *context, size_t first, size_t end, uint32_t worker) {
  const sphere_build *build = context;
  (void)worker;
  for (size_t i = first; i < end; i++) {
    build_frame_in(&build->frame, build->tree->spheres[i], build->balls[i]);
    build->order[i] = (uint32_t)i;
  }
}

static bool allocate_scratch(sphere_build *build, size_t count) {
  memory *heap = &build->tree->heap;
  build->balls = memory_allocate(heap, count, sizeof *build->balls);
  build->item_balls = memory_allocate(heap, count, sizeof *build->item_balls);
  build->order = memory_allocate(heap, count, sizeof *build->order);
  build->keys = memory_allocate(heap, count, sizeof *build->keys);
  build->spare_keys = memory_allocate(heap, count, sizeof *build->spare_keys);
  build->items = memory_allocate(heap, count, sizeof *build->items);
  build->spare_items = memory_allocate(heap, count, sizeof *build->spare_items);
  build->node_of = memory_allocate(heap, count, sizeof *build->node_of);
  build->prototypes = memory_allocate(heap, count / SPHERE_CHILDREN + 1, sizeof *build->prototypes);
  array_init(&build->nodes, sizeof(sphere_node));
  array_init(&build->ranges, sizeof(node_range));
  array_init(&build->level_nodes, sizeof(level_node));
  array_init(&build->waiting, sizeof(level_node));
  return build->balls != NULL && build->item_balls != NULL && build->order != NULL && build->keys != NULL &&
         build->spare_keys != NULL && build->items != NULL && build->spare_items != NULL && build->node_of != NULL &&
         build->prototypes != NULL;
}

static void release_scratch(sphere_build *build, size_t count) {
  memory *heap = &build->tree->heap;
  memory_release(heap, build->balls, count, sizeof *build->balls);
  memory_release(heap, build->item_balls, count, sizeof *build->item_balls);
  memory_release(heap, build->order, count, sizeof *build->order);
  memory_release(heap, build->keys, count, sizeof *build->keys);
  memory_release(heap, build->spare_keys, count, sizeof *build->spare_keys);
  memory_release(heap, build->items, count, sizeof *build->items);
  memory_release(heap, build->spare_items, count, sizeof *build->spare_items);
  memory_release(heap, build->node_of, count, sizeof *build->node_of);
  memory_release(heap, build->prototypes, count / SPHERE_CHILDREN + 1, sizeof *build->prototypes);
  ARRAYS_RELEASE(heap, &build->nodes, &build->ranges, &build->level_nodes, &build->waiting);
}

static graze_result part_all(sphere_build *build) {
  graze_sphere_tree *tree = build->tree;
  if (!push_node(build, 0, tree->sphere_count) || !finish_nodes(build)) return GRAZE_OUT_OF_MEMORY;
  graze_result result = GRAZE_OK;
  for (uint32_t level = 0; result == GRAZE_OK && build->waiting.count > 0; level++) result = part_level(build, level);
  if (result != GRAZE_OK) return result;
  tree->node_count = (uint32_t)build->nodes.count;
  tree->nodes = memory_allocate(&tree->heap, tree->node_count, sizeof *tree->nodes);
  if (tree->nodes == NULL) return GRAZE_OUT_OF_MEMORY;
  memcpy(tree->nodes, build->nodes.data, tree->node_count * sizeof *tree->nodes);
  return GRAZE_OK;
}

graze_result sphere_tree_build(graze_sphere_tree *tree, const graze_sphere_tree_def *def,
                               const gas_stages *gas_or_null) {
  static sphere_placer *const placers[] = {[GRAZE_SPHERE_BUILDER_NEURAL_GAS] = place_by_neural_gas,
                                           [GRAZE_SPHERE_BUILDER_BIGGEST] = place_at_biggest,
                                           [GRAZE_SPHERE_BUILDER_EXTREMES] = place_at_extremes};
  sphere_build build = {.tree = tree, .place = placers[def->builder], .def = def, .gas = gas_or_null};
  graze_result result = allocate_scratch(&build, tree->sphere_count) ? GRAZE_OK : GRAZE_OUT_OF_MEMORY;
  if (result == GRAZE_OK) {
    build.frame = build_frame_make((const double(*)[4])tree->spheres, tree->sphere_count);
    workers_for(tree->team, tree->sphere_count, ITEM_GRAIN, scale_spheres, &build);
    result = part_all(&build);
  }
  release_scratch(&build, tree->sphere_count);
  return result;
}

/* ---------------------------------------------------------------------------------------------- sums */

/* A volume has four roundings, an area three, and each sum on the path to the root fewer than four a level: below 300
 * roundings in all, so a factor 1 + 2^-40 makes the sums upper bounds. */

static void sum_leaf(const sphere_node *node, sphere_node_sum *sum) {
  sum->volume = sphere_volume(node->radius) * (1.0 + 0x1p-40);
  sum->area = 4.0 * SPHERE_PI * node->radius * node->radius * (1.0 + 0x1p-40);
  sum->leaf_count = sum->height = 1;
}

static void sum_children(const sphere_node *node, sphere_node_sum *sums, sphere_node_sum *sum) {
  *sum = (sphere_node_sum){0};
  for (uint32_t i = 0; i < node->child_count; i++) {
    const sphere_node_sum *child = &sums[node->first + i];
    sum->volume += child->volume;
    sum->area += child->area;
    sum->leaf_count += child->leaf_count;
    sum->height = child->height >= sum->height ? child->height + 1 : sum->height;
  }
}

/* Children are after their parents, so the array is read from its end. */
bool sphere_tree_sum(graze_sphere_tree *tree) {
  tree->sums = memory_allocate(&tree->heap, tree->node_count, sizeof *tree->sums);
  if (tree->sums == NULL) return false;
  tree->extent = 0.0;
  for (uint32_t i = tree->node_count; i-- > 0;) {
    const sphere_node *node = &tree->nodes[i];
    if (node->child_count == 0)
      sum_leaf(node, &tree->sums[i]);
    else
      sum_children(node, tree->sums, &tree->sums[i]);
    const double *c = node->center, distance = sqrt((c[0] * c[0] + c[1] * c[1]) + c[2] * c[2]);
    tree->extent = distance > tree->extent ? distance : tree->extent;
  }
  tree->extent = tree->extent * (1.0 + 0x1p-48) + 0x1p-500;
  return true;
}
