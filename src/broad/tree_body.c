/* Measuring a body and fitting the boxes of its tree, from the leaves up; see tree_body.h.
 *
 * Workload: 10^4 to 10^6 leaves a body and frame where it deforms; once in its life where it is rigid. */
#include "broad/tree_body.h"

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

/* By the workers, or by the caller alone. */
static void run_tasks(const body_work *work, graze_task *task, void *context, uint32_t count) {
  if (work->team_or_null != NULL)
    workers_run(work->team_or_null, task, context, count);
  else
    for (uint32_t i = 0; i < count; i++) task(context, i, 0);
}

/* ---------------------------------------------------------------------------------------------- where it lies */

static const exact_box no_box = {{DBL_MAX, DBL_MAX, DBL_MAX}, {-DBL_MAX, -DBL_MAX, -DBL_MAX}};

/* Of the positions that the leaves use, before the pose. */
static exact_box box_of_leaves(const body_work *work, leaf_range range) {
  const object_source *source = work->source;
  exact_box box = no_box;
  for (uint32_t i = range.first; i < range.end; i++) {
    const corner_list corners = corners_of(source, source->first_primitive + work->leaves[i]);
    for (uint32_t corner = 0; corner < corners.count; corner++)
      include_own_vertex(source, corners.vertices[corner], &box);
  }
  return box;
}

typedef struct measure_work {
  const body_work *body;
  exact_box *boxes; /* a task each */
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
  if (measure.boxes == NULL) return box_of_leaves(work, (leaf_range){0, count}); /* one thread can always do it */
  workers_run(work->team_or_null, measure_task, &measure, task_count);
  exact_box all = no_box;
  for (uint32_t i = 0; i < task_count; i++) {
    exact_box_include(&all, measure.boxes[i].min);
    exact_box_include(&all, measure.boxes[i].max);
  }
  memory_release(work->scratch, measure.boxes, task_count, sizeof *measure.boxes);
  return all;
}

/* The power of two above a number, within what can be divided by. */
static double unit_above(double half) {
  int exponent;
  (void)frexp(half, &exponent); /* half < 2^exponent */
  if (exponent < -1000) exponent = -1000;
  return ldexp(1.0, exponent > 1023 ? 1023 : exponent);
}

/* Spheres may reach beyond what doubles hold. Such bodies are not searched by trees (is_badly_spread), and their boxes
 * need only be finite. */
static void keep_finite(exact_box *box) {
  for (int axis = 0; axis < 3; axis++) {
    box->min[axis] = fmax(box->min[axis], -DBL_MAX);
    box->max[axis] = fmin(box->max[axis], DBL_MAX);
  }
}

void tree_measure(const body_work *work) {
  exact_box box = box_of_body(work);
  keep_finite(&box);
  body_space *space = &work->body->space;
  double largest = 0.0;
  for (int axis = 0; axis < 3; axis++) {
    const double origin = box.min[axis] * 0.5 + box.max[axis] * 0.5;
    const double below = origin - box.min[axis], above = box.max[axis] - origin;
    const double half = (below > above ? below : above) * (1.0 + 0x1p-50);
    space->origin[axis] = origin;
    space->half[axis] = half <= DBL_MAX ? half : DBL_MAX;
    largest = space->half[axis] > largest ? space->half[axis] : largest;
  }
  space->unit = unit_above(largest);
}

/* ---------------------------------------------------------------------------------------------- boxes */

exact_box tree_leaf_box(const object_source *source, const body_space *space, uint32_t element) {
  const corner_list corners = corners_of(source, source->first_primitive + element);
  const double per_unit = 1.0 / space->unit;
  exact_box box = no_box;
  for (uint32_t corner = 0; corner < corners.count; corner++)
    include_own_vertex(source, corners.vertices[corner], &box);
  for (int axis = 0; axis < 3; axis++) {
    box.min[axis] = (box.min[axis] - space->origin[axis]) * per_unit;
    box.max[axis] = (box.max[axis] - space->origin[axis]) * per_unit;
  }
  return box;
}

/* The float box around one in doubles, which are `error` off at most. */
static void set_lane(tree_block *block, int lane, const exact_box *box, double error) {
  for (int axis = 0; axis < 3; axis++) {
    const float centre = (float)(0.5 * (box->min[axis] + box->max[axis]));
    const double below = float_value(centre) - box->min[axis], above = box->max[axis] - float_value(centre);
    block->centre[axis][lane] = centre;
    block->half[axis][lane] = float_round_up((below > above ? below : above) + error);
  }
}

/* The box around a block's, in doubles, which hold sums of floats of like size exactly or nearly so. */
static exact_box box_of_block(const tree_block *block) {
  exact_box box = no_box;
  for (int lane = 0; lane < TREE_FANOUT; lane++) {
    if (!(block->half[0][lane] >= 0.0f)) continue;
    for (int axis = 0; axis < 3; axis++) {
      const double centre = block->centre[axis][lane], half = block->half[axis][lane];
      box.min[axis] = centre - half < box.min[axis] ? centre - half : box.min[axis];
      box.max[axis] = centre + half > box.max[axis] ? centre + half : box.max[axis];
    }
  }
  return box;
}

/* Own coordinates are at most 2 and were rounded twice in double; a float of at most 2 plus one of at most 4 is off by
 * less than this too. */
static const double BOX_ERROR = 0x1p-49;

typedef struct fit_work {
  const body_work *body;
  tree_block *blocks;         /* of the level that is made */
  const tree_block *children; /* NULL: they are leaves */
  uint32_t node_count, block_count;
} fit_work;

static exact_box box_of_node(const fit_work *work, uint32_t node) {
  if (work->children != NULL) return box_of_block(&work->children[node]);
  return tree_leaf_box(work->body->source, &work->body->body->space, work->body->leaves[node]);
}

static void fit_task(void *context, uint32_t task, uint32_t worker) {
  const fit_work *work = context;
  (void)worker;
  const leaf_range range = range_of_task(task, work->block_count, BLOCK_GRAIN);
  for (uint32_t i = range.first; i < range.end; i++) {
    const uint32_t first = TREE_FANOUT * i, left = work->node_count - first;
    clear_tree_block(&work->blocks[i]);
    for (uint32_t lane = 0; lane < TREE_FANOUT && lane < left; lane++) {
      const exact_box box = box_of_node(work, first + lane);
      set_lane(&work->blocks[i], (int)lane, &box, BOX_ERROR);
    }
  }
}

/* The areas of the boxes around blocks of leaves, over that of the whole: what a descent pays for. In the order of the
 * blocks, whatever the workers. */
static double area_of_blocks(const tree_block *blocks, uint32_t count, const body_space *space) {
  double sum = 0.0, side[3];
  for (uint32_t i = 0; i < count; i++)
    for (int lane = 0; lane < TREE_FANOUT; lane++) {
      const double x = blocks[i].half[0][lane], y = blocks[i].half[1][lane], z = blocks[i].half[2][lane];
      if (x >= 0.0) sum += x * y + y * z + z * x;
    }
  for (int axis = 0; axis < 3; axis++) side[axis] = space->half[axis] / space->unit;
  const double whole = side[0] * side[1] + side[1] * side[2] + side[2] * side[0];
  return sum / (whole + DBL_MIN);
}

/* Leaves that are smaller than this in the body's unit are not much larger than what a test of boxes allows for
 * rounding; where a quarter of them are, boxes tell little apart. */
static const float SMALL_LEAF = 0x1p-16f;
enum { SPREAD_LEAST = 64 };

/* Where a common point of two spheres may lie beyond what a pose can bring back into the body's own coordinates. */
static const double FARTHEST_SPHERE = 0x1p1000;

static bool spheres_reach_too_far(const body_work *work) {
  const body_space *space = &work->body->space;
  bool far = false;
  for (int axis = 0; axis < 3; axis++) far = far || !(fabs(space->origin[axis]) + space->half[axis] <= FARTHEST_SPHERE);
  return far && work->source->radii != NULL;
}

static bool is_badly_spread(const tree_block *blocks, uint32_t block_count, uint32_t leaf_count) {
  uint32_t small = 0;
  for (uint32_t i = 0; i < block_count && leaf_count >= SPREAD_LEAST; i++)
    for (int lane = 0; lane < TREE_FANOUT; lane++) {
      const float x = blocks[i].half[0][lane], y = blocks[i].half[1][lane], z = blocks[i].half[2][lane];
      small += x >= 0.0f && x < SMALL_LEAF && y < SMALL_LEAF && z < SMALL_LEAF;
    }
  return small > 0 && small >= leaf_count / 4;
}

void tree_refit(const body_work *work) {
  const tree_layout layout = tree_layout_of(work->body->leaf_count);
  fit_work fit = {.body = work, .node_count = work->body->leaf_count};
  for (uint32_t level = 0; level <= layout.top; level++) {
    fit.blocks = work->blocks + layout.first[level];
    fit.block_count = tree_parents(fit.node_count);
    run_tasks(work, fit_task, &fit, tasks_of(fit.block_count, BLOCK_GRAIN));
    if (level == 0)
      work->body->badly_spread =
          spheres_reach_too_far(work) || is_badly_spread(fit.blocks, fit.block_count, work->body->leaf_count);
    if (level == 1) work->body->area = area_of_blocks(fit.blocks, fit.block_count, &work->body->space);
    fit.children = fit.blocks;
    fit.node_count = fit.block_count;
  }
  if (layout.top == 0) work->body->area = 0.0;
}
