/* Measures a body and fits the boxes of its tree, from the leaves up; see tree_body.h.
 *
 * Workload: 10^4 to 10^6 leaves per body and frame if it deforms; once if it is rigid. */
#include "broad/tree_body.h"

#include "broad/tree_fit.h"

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
