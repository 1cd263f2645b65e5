/* Measures a body, orders the leaves of its tree, and fits boxes and slabs, from the leaves up; see tree_body.h.
 *
 * Workload: 10^4 to 10^6 leaves per body and frame if it deforms; once if it is rigid. */
#include "broad/tree_body.h"

#include "base/radix_sort.h"
#include "broad/tree_fit.h"
#include "geometry/float_rounding.h"

#include <float.h>

enum { LEAF_GRAIN = 4096, BLOCK_GRAIN = 1024 };

typedef struct leaf_range {
  uint32_t first, end;
} leaf_range;

static uint32_t tasks_of(uint32_t count, uint32_t grain) {
  return count / grain + (count % grain != 0 ? 1 : 0);
}

static leaf_range range_of_task(uint32_t task, uint32_t count, uint32_t grain) {
  const uint32_t first = task * grain;
  return (leaf_range){first, count - first < grain ? count : first + grain};
}

/* Runs on the workers, or on the calling thread only. */
static void run_tasks(const body_work *work, graze_task *task, void *context, uint32_t count) {
  if (work->team_or_null != NULL)
    workers_run(work->team_or_null, task, context, count);
  else
    for (uint32_t i = 0; i < count; i++) task(context, i, 0);
}

/* ---------------------------------------------------------------------------------------------- triangles */

typedef struct box_side {
  double low, high;
} box_side;

/* Triangles are most of all leaves. Their boxes are computed axis by axis, in registers: extending a box corner by
 * corner would wait for memory each time. */
static inline box_side side_of_triangle(const object_source *source, uint32_t element, bool is_double, int axis) {
  const uint32_t *corner = source->corners + 3 * (size_t)element;
  const double a = coordinate_at(source->positions, is_double, corner[0], axis);
  const double b = coordinate_at(source->positions, is_double, corner[1], axis);
  const double c = coordinate_at(source->positions, is_double, corner[2], axis);
  const double low = a < b ? a : b, high = a > b ? a : b;
  return (box_side){c < low ? c : low, c > high ? c : high};
}

static bool is_of_triangles(const object_source *source) {
  return source->corner_count == 3;
}

/* ---------------------------------------------------------------------------------------------- bounds */

static inline exact_box box_of_triangles(const body_work *work, leaf_range range, bool is_double) {
  exact_box box = tree_no_box();
  for (uint32_t i = range.first; i < range.end; i++)
    for (int axis = 0; axis < 3; axis++) {
      const box_side side = side_of_triangle(work->source, work->leaves[i], is_double, axis);
      box.min[axis] = side.low < box.min[axis] ? side.low : box.min[axis];
      box.max[axis] = side.high > box.max[axis] ? side.high : box.max[axis];
    }
  return box;
}

/* The box of the positions that the leaves use, before the pose. */
static exact_box box_of_leaves(const body_work *work, leaf_range range) {
  const object_source *source = work->source;
  if (is_of_triangles(source))
    return source->is_double ? box_of_triangles(work, range, true) : box_of_triangles(work, range, false);
  exact_box box = tree_no_box();
  for (uint32_t i = range.first; i < range.end; i++) {
    const corner_list corners = corners_of(source, source->first_primitive + work->leaves[i]);
    for (uint32_t corner = 0; corner < corners.count; corner++)
      include_own_vertex(source, corners.vertices[corner], &box);
  }
  return box;
}

typedef struct measure_work {
  const body_work *body;
  exact_box *boxes; /* one per task */
} measure_work;

static void measure_task(void *context, uint32_t task, uint32_t worker) {
  const measure_work *work = context;
  (void)worker;
  work->boxes[task] = box_of_leaves(work->body, range_of_task(task, work->body->body->leaf_count, LEAF_GRAIN));
}

static exact_box box_of_body(const body_work *work) {
  const uint32_t count = work->body->leaf_count, task_count = tasks_of(count, LEAF_GRAIN);
  measure_work measure = {work, NULL};
  if (work->team_or_null != NULL && task_count > 1)
    measure.boxes = memory_allocate(work->scratch, task_count, sizeof *measure.boxes);
  if (measure.boxes == NULL) return box_of_leaves(work, (leaf_range){0, count}); /* a single thread needs no memory */
  workers_run(work->team_or_null, measure_task, &measure, task_count);
  exact_box all = tree_no_box();
  for (uint32_t i = 0; i < task_count; i++) {
    exact_box_include(&all, measure.boxes[i].min);
    exact_box_include(&all, measure.boxes[i].max);
  }
  memory_release(work->scratch, measure.boxes, task_count, sizeof *measure.boxes);
  return all;
}

void tree_measure(const body_work *work) {
  const exact_box box = box_of_body(work);
  work->body->space = space_of_box(&box);
}

/* ---------------------------------------------------------------------------------------------- boxes */

static inline box_side own_side_of_triangle(const object_source *source, const body_space *space, uint32_t element,
                                            bool is_double, int axis) {
  const double per_unit = 1.0 / space->unit;
  const box_side side = side_of_triangle(source, element, is_double, axis);
  return (box_side){own_coordinate(space, per_unit, axis, side.low), own_coordinate(space, per_unit, axis, side.high)};
}

static inline exact_box leaf_box_of_triangle(const object_source *source, const body_space *space, uint32_t element,
                                             bool is_double) {
  exact_box box;
  for (int axis = 0; axis < 3; axis++) {
    const box_side side = own_side_of_triangle(source, space, element, is_double, axis);
    box.min[axis] = side.low;
    box.max[axis] = side.high;
  }
  return box;
}

exact_box tree_leaf_box(const object_source *source, const body_space *space, uint32_t element) {
  if (is_of_triangles(source))
    return source->is_double ? leaf_box_of_triangle(source, space, element, true)
                             : leaf_box_of_triangle(source, space, element, false);
  const corner_list corners = corners_of(source, source->first_primitive + element);
  exact_box box = tree_no_box();
  for (uint32_t corner = 0; corner < corners.count; corner++)
    include_own_vertex(source, corners.vertices[corner], &box);
  return own_box_of(space, &box);
}

typedef struct fit_work {
  const body_work *body;
  tree_block *blocks;         /* of the current level */
  const tree_block *children; /* NULL: the children are leaves */
  uint32_t node_count, block_count;
} fit_work;

static exact_box box_of_node(const fit_work *work, uint32_t node) {
  if (work->children != NULL) return box_of_tree_block(&work->children[node]);
  return tree_leaf_box(work->body->source, &work->body->body->space, work->body->leaves[node]);
}

static inline void fit_triangle(const object_source *source, const body_space *space, uint32_t element, bool is_double,
                                tree_block *block, uint32_t lane) {
  for (int axis = 0; axis < 3; axis++) {
    const box_side side = own_side_of_triangle(source, space, element, is_double, axis);
    set_tree_side(block, lane, axis, side.low, side.high);
  }
}

static void fit_triangles(const fit_work *work, uint32_t first, uint32_t end, tree_block *block) {
  const object_source *source = work->body->source;
  const body_space *space = &work->body->body->space;
  const uint32_t *leaves = work->body->leaves;
  for (uint32_t i = first; i < end; i++)
    if (source->is_double)
      fit_triangle(source, space, leaves[i], true, block, i - first);
    else
      fit_triangle(source, space, leaves[i], false, block, i - first);
}

static void fit_nodes(const fit_work *work, uint32_t first, uint32_t end, tree_block *block) {
  for (uint32_t i = first; i < end; i++) {
    const exact_box box = box_of_node(work, i);
    set_tree_lane(block, i - first, &box);
  }
}

static void fit_task(void *context, uint32_t task, uint32_t worker) {
  const fit_work *work = context;
  (void)worker;
  const leaf_range range = range_of_task(task, work->block_count, BLOCK_GRAIN);
  const bool triangles = work->children == NULL && is_of_triangles(work->body->source);
  for (uint32_t i = range.first; i < range.end; i++) {
    const uint32_t first = TREE_FANOUT * i, left = work->node_count - first;
    const uint32_t end = first + (left < TREE_FANOUT ? left : TREE_FANOUT);
    clear_tree_block(&work->blocks[i]);
    if (triangles)
      fit_triangles(work, first, end, &work->blocks[i]);
    else
      fit_nodes(work, first, end, &work->blocks[i]);
  }
}

/* The areas of the boxes around blocks of leaves, relative to the whole: a measure of the cost of a descent. In the
 * order of the blocks, independent of the workers. */
static double area_of_blocks(const tree_block *blocks, uint32_t count, const body_space *space) {
  double sum = 0.0;
  for (uint32_t i = 0; i < count; i++) sum += area_of_block(&blocks[i]);
  return sum / area_of_space(space);
}

static bool is_badly_spread(const tree_block *blocks, uint32_t block_count, uint32_t leaf_count) {
  uint32_t small = 0;
  for (uint32_t i = 0; i < block_count && leaf_count >= SPREAD_LEAST; i++) small += small_leaves_of_block(&blocks[i]);
  return leaves_are_badly_spread(small, leaf_count);
}

void tree_refit(const body_work *work) {
  const tree_layout layout = tree_layout_of(work->body->leaf_count);
  fit_work fit = {.body = work, .node_count = work->body->leaf_count};
  for (uint32_t level = 0; level <= layout.top; level++) {
    fit.blocks = work->blocks + layout.first[level];
    fit.block_count = tree_parents(fit.node_count);
    run_tasks(work, fit_task, &fit, tasks_of(fit.block_count, BLOCK_GRAIN));
    if (level == 0)
      work->body->badly_spread = spheres_reach_too_far(&work->body->space, work->source) ||
                                 is_badly_spread(fit.blocks, fit.block_count, work->body->leaf_count);
    if (level == 1) work->body->area = area_of_blocks(fit.blocks, fit.block_count, &work->body->space);
    fit.children = fit.blocks;
    fit.node_count = fit.block_count;
  }
  if (layout.top == 0) work->body->area = 0.0;
}

/* ---------------------------------------------------------------------------------------------- slabs */

/* Workload: once per rigid body, each leaf once for every level that has slabs. */

/* Nodes above this level are too large to be flat. */
enum { SLAB_TOP = 5, SLAB_GRAIN = 64 };

/* The normal of a primitive, with a length of twice its area: of the first three corners, which are one face of a
 * solid. */
static void normal_of_leaf(const body_work *work, uint32_t leaf, double normal_out[3]) {
  const object_source *source = work->source;
  const corner_list corners = corners_of(source, source->first_primitive + work->leaves[leaf]);
  const double per_unit = 1.0 / work->body->space.unit;
  double p[3][3];
  for (uint32_t i = 0; i < 3; i++) {
    read_position(source->positions, source->is_double, corners.vertices[i < corners.count ? i : 0], p[i]);
    for (int axis = 0; axis < 3; axis++) p[i][axis] = (p[i][axis] - work->body->space.origin[axis]) * per_unit;
  }
  for (int axis = 0; axis < 3; axis++) {
    const int a = (axis + 1) % 3, b = (axis + 2) % 3;
    normal_out[axis] = (p[1][a] - p[0][a]) * (p[2][b] - p[0][b]) - (p[1][b] - p[0][b]) * (p[2][a] - p[0][a]);
  }
}

/* The sum of the leaves' normals, each flipped to the side of the sum before it, so that both faces of a sheet
 * contribute. */
static void normal_of_node(const body_work *work, uint32_t first, uint32_t end, float normal_out[3]) {
  double sum[3] = {0, 0, 0};
  for (uint32_t leaf = first; leaf < end; leaf++) {
    double normal[3];
    normal_of_leaf(work, leaf, normal);
    const double along = normal[0] * sum[0] + normal[1] * sum[1] + normal[2] * sum[2];
    for (int axis = 0; axis < 3; axis++) sum[axis] += along < 0.0 ? -normal[axis] : normal[axis];
  }
  const double length = sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
  for (int axis = 0; axis < 3; axis++)
    normal_out[axis] = length > 0x1p-400 ? (float)(sum[axis] / length) : axis == 2 ? 1.0f : 0.0f;
}

/* Own coordinates are at most 2 with an error of 2^-51, and three products of them and of floats of at most 1 are
 * summed in double: the total error is less than this. */
static const double SLAB_ERROR = 0x1p-46;

/* Own coordinates are at most 2, so every point is between these planes. */
static const float SLAB_OF_ALL = 4.0f;

/* Fits a slab; on failure it remains that of all points. */
static void fit_slab(const body_work *work, uint32_t first, uint32_t end, tree_slab *slab, int lane) {
  const object_source *source = work->source;
  const body_space *space = &work->body->space;
  const double per_unit = 1.0 / space->unit;
  float normal[3];
  normal_of_node(work, first, end, normal);
  double low = DBL_MAX, high = -DBL_MAX;
  for (uint32_t leaf = first; leaf < end; leaf++) {
    const corner_list corners = corners_of(source, source->first_primitive + work->leaves[leaf]);
    for (uint32_t corner = 0; corner < corners.count; corner++) {
      double position[3], along = 0.0;
      read_position(source->positions, source->is_double, corners.vertices[corner], position);
      for (int axis = 0; axis < 3; axis++)
        along += float_value(normal[axis]) * ((position[axis] - space->origin[axis]) * per_unit);
      const double reach = own_radius_at(source, corners.vertices[corner]) * per_unit * (1.0 + 0x1p-20);
      low = along - reach < low ? along - reach : low;
      high = along + reach > high ? along + reach : high;
    }
  }
  if (!(low >= -SLAB_OF_ALL && high <= SLAB_OF_ALL))
    return; /* balls with the largest radii extend beyond these planes */
  const float middle = (float)(0.5 * (low + high));
  const double below = float_value(middle) - low, above = high - float_value(middle);
  for (int axis = 0; axis < 3; axis++) slab->normal[axis][lane] = normal[axis];
  slab->middle[lane] = middle;
  slab->half[lane] = float_round_up((below > above ? below : above) + SLAB_ERROR);
}

static void clear_slab(tree_slab *slab) {
  for (int lane = 0; lane < TREE_FANOUT; lane++) {
    for (int axis = 0; axis < 3; axis++) slab->normal[axis][lane] = axis == 2 ? 1.0f : 0.0f;
    slab->middle[lane] = 0.0f;
    slab->half[lane] = SLAB_OF_ALL;
  }
}

typedef struct slab_work {
  const body_work *body;
  tree_slab *slabs; /* of the level */
  uint32_t level, node_count;
} slab_work;

static void slab_range(void *context, size_t first, size_t end, uint32_t worker) {
  const slab_work *work = context;
  const uint64_t leaf_count = work->body->body->leaf_count, leaves = (uint64_t)1 << 2 * work->level;
  (void)worker;
  for (size_t block = first; block < end; block++) {
    clear_slab(&work->slabs[block]);
    for (uint32_t lane = 0; lane < TREE_FANOUT && work->level <= SLAB_TOP; lane++) {
      const uint64_t from = (TREE_FANOUT * block + lane) * leaves, to = from + leaves;
      if (from >= leaf_count) break;
      fit_slab(work->body, (uint32_t)from, (uint32_t)(to < leaf_count ? to : leaf_count), &work->slabs[block],
               (int)lane);
    }
  }
}

void tree_fit_slabs(const body_work *work) {
  const tree_layout layout = tree_layout_of(work->body->leaf_count);
  slab_work fit = {.body = work, .node_count = work->body->leaf_count};
  for (uint32_t level = 0; level <= layout.top; level++) {
    const uint32_t block_count = tree_parents(fit.node_count);
    fit.slabs = work->slabs + layout.first[level];
    fit.level = level;
    if (work->team_or_null != NULL)
      workers_for(work->team_or_null, block_count, SLAB_GRAIN, slab_range, &fit);
    else
      slab_range(&fit, 0, block_count, 0);
    fit.node_count = block_count;
  }
}

/* ---------------------------------------------------------------------------------------------- order */

/* Along a Morton curve, or by splits from the top down.
 *
 * Every node of a level except the last has all its leaves, so the position of a split is fixed: the largest power of
 * two below the length of the range. Only the axis of the split can be chosen.
 *
 * Workload: 10^2 to 10^6 leaves, once for a rigid body, and for a deforming one when its boxes have grown too large.
 * Papers: Morton, "A computer oriented geodetic data base and a new technique in file sequencing", 1966; Hoare,
 * "Algorithm 65: find", 1961 (the selection that splits a range). */

enum {
  ORDER_GRAIN = 4096,
  MORTON_BITS = 21, /* per axis */
  SPLIT_TASKS = 64, /* approximate maximum of ranges that are split further concurrently */
  SPLIT_TASK_LEAST = 2048
};

/* A leaf during the sort: the center of its box, in the body's own coordinates. */
typedef struct split_item {
  float center[3];
  uint32_t element;
} split_item;

static void center_of_leaf(const body_work *work, uint32_t element, double center_out[3]) {
  const exact_box box = tree_leaf_box(work->source, &work->body->space, element);
  for (int axis = 0; axis < 3; axis++) center_out[axis] = 0.5 * (box.min[axis] + box.max[axis]);
}

/* ---------------------------------------------------------------------------------------------- Morton order */

typedef struct morton_work {
  const body_work *body;
  uint64_t *keys;
} morton_work;

static void key_range(void *context, size_t first, size_t end, uint32_t worker) {
  const morton_work *work = context;
  (void)worker;
  for (size_t i = first; i < end; i++) {
    const exact_box box = tree_leaf_box(work->body->source, &work->body->body->space, work->body->leaves[i]);
    work->keys[i] = morton_code_of(&box, MORTON_BITS);
  }
}

static void run_range(const body_work *work, size_t count, workers_range_body *loop, void *context) {
  if (work->team_or_null != NULL)
    workers_for(work->team_or_null, count, ORDER_GRAIN, loop, context);
  else
    loop(context, 0, count, 0);
}

static void sort_by_keys(const body_work *work, uint64_t *keys, uint32_t *values) {
  const size_t count = work->body->leaf_count;
  radix_sort_pairs_stoppable(keys, work->leaves, keys + count, values, count, 3 * MORTON_BITS, work->scratch,
                             work->team_or_null, NULL);
}

bool tree_order_by_morton(const body_work *work) {
  const size_t count = work->body->leaf_count;
  uint64_t *keys = memory_allocate(work->scratch, count, 2 * sizeof *keys);
  uint32_t *values = memory_allocate(work->scratch, count, sizeof *values);
  const bool ready = keys != NULL && values != NULL;
  if (ready) {
    morton_work morton = {work, keys};
    run_range(work, count, key_range, &morton);
    sort_by_keys(work, keys, values);
  }
  memory_release(work->scratch, values, count, sizeof *values);
  memory_release(work->scratch, keys, count, 2 * sizeof *keys);
  return ready;
}

/* ---------------------------------------------------------------------------------------------- splits */

typedef struct split_range {
  uint32_t first, count;
} split_range;

/* The axis of the largest extent of the centers. */
static int longest_axis(const split_item *items, uint32_t count) {
  float low[3] = {FLT_MAX, FLT_MAX, FLT_MAX}, high[3] = {-FLT_MAX, -FLT_MAX, -FLT_MAX};
  for (uint32_t i = 0; i < count; i++)
    for (int axis = 0; axis < 3; axis++) {
      const float center = items[i].center[axis];
      low[axis] = center < low[axis] ? center : low[axis];
      high[axis] = center > high[axis] ? center : high[axis];
    }
  const float side[3] = {high[0] - low[0], high[1] - low[1], high[2] - low[2]};
  const int larger = side[1] > side[0] ? 1 : 0;
  return side[2] > side[larger] ? 2 : larger;
}

static bool item_before(const split_item *a, const split_item *b, int axis) {
  return a->center[axis] != b->center[axis] ? a->center[axis] < b->center[axis] : a->element < b->element;
}

static void swap_items(split_item *a, split_item *b) {
  const split_item kept = *a;
  *a = *b;
  *b = kept;
}

/* A pivot in [low, high] that is unlikely to be bad for any order of the input; deterministic. */
static uint32_t pivot_place(uint32_t low, uint32_t high) {
  const uint64_t mixed = ((uint64_t)low * 0x9e3779b97f4a7c15u ^ high) * 0xff51afd7ed558ccdu;
  return low + (uint32_t)((mixed >> 32) * (high - low + 1) >> 32);
}

/* Moves the first `wanted` items along the axis to the front. All items differ by their elements, so the selection
 * does not depend on the pivots. */
static void select_first(split_item *items, uint32_t count, uint32_t wanted, int axis) {
  int64_t low = 0, high = (int64_t)count - 1;
  while (low < high) {
    const split_item pivot = items[pivot_place((uint32_t)low, (uint32_t)high)];
    int64_t i = low, j = high;
    while (i <= j) {
      while (item_before(&items[i], &pivot, axis)) i++;
      while (item_before(&pivot, &items[j], axis)) j--;
      if (i <= j) swap_items(&items[i++], &items[j--]);
    }
    if (j < (int64_t)wanted) low = i;
    if ((int64_t)wanted < i) high = j;
  }
}

/* The largest power of two below a number above 1. */
static uint32_t split_place(uint32_t count) {
  uint32_t half = 1;
  while (half < count - half) half *= 2;
  return half;
}

/* Splits a range in two; returns the index of the second. */
static uint32_t split_once(split_item *items, uint32_t count) {
  const uint32_t half = split_place(count);
  select_first(items, count, half, longest_axis(items, count));
  return half;
}

/* Splits down to blocks of leaves, within which the order does not matter. The loop splits the longer half, so that
 * the recursion is no deeper than the tree. */
static void split_all(split_item *items, uint32_t count) {
  while (count > TREE_FANOUT) {
    const uint32_t half = split_once(items, count);
    split_all(items + half, count - half);
    count = half;
  }
}

typedef struct split_work {
  const body_work *body;
  split_item *items;
  split_range ranges[2 * SPLIT_TASKS];
  uint32_t range_count;
} split_work;

static void fill_range(void *context, size_t first, size_t end, uint32_t worker) {
  const split_work *work = context;
  (void)worker;
  for (size_t i = first; i < end; i++) {
    const uint32_t element = work->body->leaves[i];
    double center[3];
    center_of_leaf(work->body, element, center);
    work->items[i] = (split_item){{(float)center[0], (float)center[1], (float)center[2]}, element};
  }
}

static void split_task(void *context, uint32_t task, uint32_t worker) {
  const split_work *work = context;
  (void)worker;
  split_all(work->items + work->ranges[task].first, work->ranges[task].count);
}

/* Performs the first splits, level by level, which yield the ranges of tasks. */
static void split_top(split_work *work) {
  const uint32_t least = work->body->body->leaf_count / SPLIT_TASKS > SPLIT_TASK_LEAST
                             ? work->body->body->leaf_count / SPLIT_TASKS
                             : SPLIT_TASK_LEAST;
  work->ranges[0] = (split_range){0, work->body->body->leaf_count};
  work->range_count = 1;
  for (uint32_t at = 0; at < work->range_count;) {
    split_range *range = &work->ranges[at];
    if (range->count <= least || work->range_count == 2 * SPLIT_TASKS) {
      at++;
      continue;
    }
    const uint32_t half = split_once(work->items + range->first, range->count);
    work->ranges[work->range_count++] = (split_range){range->first + half, range->count - half};
    range->count = half;
  }
}

bool tree_order_by_splits(const body_work *work) {
  const uint32_t count = work->body->leaf_count;
  split_work split = {.body = work, .items = memory_allocate(work->scratch, count, sizeof(split_item))};
  if (split.items == NULL) return false;
  run_range(work, count, fill_range, &split);
  if (work->team_or_null != NULL) {
    split_top(&split);
    workers_run(work->team_or_null, split_task, &split, split.range_count);
  } else {
    split_all(split.items, count);
  }
  for (uint32_t i = 0; i < count; i++) work->leaves[i] = split.items[i].element;
  memory_release(work->scratch, split.items, count, sizeof(split_item));
  return true;
}
