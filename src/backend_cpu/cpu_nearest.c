/* Least distances of objects; see cpu_nearest.h. They are a batch in which nothing moves:
 *
 * 1. Objects that take part get trees: the scene's, or trees for the call.
 * 2. A tree of their boxes lists the pairs of objects that may be the nearest or within the bound. A row of two objects
 *    has one pair; a row of one object, or of all, has many.
 * 3. The batch searches each row, on one thread: no row depends on another. When the time limit is reached, a search
 *    ends with its current result, whose bounds include the unsearched rest.
 *
 * Workload: two objects, or up to 10^5, of which each has some dozen others near it. */
#include "backend_cpu/cpu_nearest.h"

#include "backend_cpu/box_tree.h"
#include "backend_cpu/cpu_batch.h"
#include "backend_cpu/nearest_row.h"
#include "base/timer.h"
#include "scene/object_exclusions.h"
#include "scene/object_numbers.h"
#include "scene/scene_failure.h"

#include <stdlib.h>

/* The clock is read after this fraction of a time limit. */
#define TIME_LIMIT_GRAIN 0.02

typedef struct nearest_work {
  const graze_scene *scene;
  const graze_nearest_options *options;
  memory *heap;
  stop_check *stop;   /* NULL: nothing cancels the call */
  double deadline_ms; /* infinite without a time limit */
  pose_trees trees;
  array objects; /* uint32_t: slots that have primitives; a place is an index into them */
  box_tree boxes;
  double slack; /* a bound of the error of two rounded distances */
  array pairs;  /* configuration_pair: two places; the column is a row */
  array owners; /* uint32_t: the place that a row belongs to; NO_BODY: none */
} nearest_work;

/* ---------------------------------------------------------------------------------------------- objects */

static bool takes_part(const nearest_work *work, uint32_t slot) {
  const graze_nearest_options *options = work->options;
  const scene_object *object = &scene_objects(work->scene)[slot];
  if (work->scene->sources[slot].primitive_count <= object->removed_count) return false;
  return options->about_count < 2 || slot == options->about_a.index || slot == options->about_b.index;
}

static bool list_objects(nearest_work *work) {
  for (uint32_t slot = 0; slot < work->scene->object_count; slot++)
    if (takes_part(work, slot) && !array_push(&work->objects, work->heap, &slot)) return false;
  return true;
}

static uint32_t slot_at(const nearest_work *work, uint32_t place) {
  return ARRAY_AS(uint32_t, &work->objects)[place];
}

static box_tree_item item_of(const nearest_work *work, uint32_t place) {
  const uint32_t slot = slot_at(work, place);
  const object_rule *rule = &scene_objects(work->scene)[slot].rule;
  const exact_box *box = &work->trees.forest->boxes[pose_trees_body(&work->trees, slot, place)];
  return (box_tree_item){*box, rule->category, rule->mask, place};
}

static bool build_boxes(nearest_work *work) {
  const uint32_t count = (uint32_t)work->objects.count;
  exact_box all = exact_box_empty();
  if (count == 0) return true;
  if (!box_tree_reserve(&work->boxes, work->heap, count)) return false;
  for (uint32_t i = 0; i < count; i++) {
    work->boxes.items[i] = item_of(work, i);
    exact_box_include_box(&all, &work->boxes.items[i].box);
  }
  box_tree_build(&work->boxes);
  for (int axis = 0; axis < 3; axis++)
    work->slack = fmax(work->slack, 0x1p-36 * all.max[axis] - 0x1p-36 * all.min[axis]);
  return true;
}

/* ---------------------------------------------------------------------------------------------- rows */

/* Whether rows have pairs of the object with others. If two objects are given, no others take part. */
static bool is_about(const nearest_work *work, uint32_t place) {
  return work->options->about_count != 1 || slot_at(work, place) == work->options->about_a.index;
}

/* An upper bound of the distance of any two points in two boxes; may be infinite. */
static double largest_distance(const exact_box *a, const exact_box *b) {
  double squared = 0.0, largest = 0.0;
  for (int axis = 0; axis < 3; axis++) {
    const double way = fmax(b->max[axis] - a->min[axis], a->max[axis] - b->min[axis]);
    squared += way * way;
    largest = fmax(largest, way);
  }
  return (squared > 0x1p-900 && squared < 0x1p900 ? sqrt(squared) : 2.0 * largest) * (1.0 + 0x1p-50);
}

/* Whether the row of one object has its pair with another. If rows are of two objects, the object with the lower index
 * lists the pair, or the only object of the query. */
static bool lists_pair(const nearest_work *work, uint32_t one, uint32_t other, bool is_of_two) {
  if (one == other || (is_of_two && other < one && work->options->about_count != 1)) return false;
  return scene_includes_pair(work->scene, slot_at(work, one), slot_at(work, other));
}

/* An upper bound of the distance of the nearest pair, not above the radius. Each object has a point in its box, so its
 * distance is at most the greatest distance of two points in two boxes. */
static double radius_of(const nearest_work *work, uint32_t place, bool is_of_two, double radius) {
  const box_tree_item from = item_of(work, place);
  box_tree_walk walk = box_tree_walk_begin(&work->boxes, &from, radius);
  const box_tree_item *item;
  double distance;
  while ((item = box_tree_walk_next(&walk, &distance)) != NULL) {
    const double most = largest_distance(&from.box, &item->box) + work->slack;
    if (most < walk.radius && lists_pair(work, place, item->number, is_of_two)) walk.radius = most;
  }
  return walk.radius;
}

/* Ends the row of the pairs since the last one, if there are any. */
static bool end_row(nearest_work *work, uint32_t owner) {
  const size_t count = work->pairs.count, row = work->owners.count;
  if (count == 0 || ARRAY_AS(configuration_pair, &work->pairs)[count - 1].column < row) return true;
  return array_push(&work->owners, work->heap, &owner);
}

/* Adds the pairs of one object to the row. False when out of memory. */
static bool add_pairs(nearest_work *work, uint32_t place, double radius) {
  const graze_nearest_scope scope = work->options->scope;
  const box_tree_item from = item_of(work, place);
  box_tree_walk walk = box_tree_walk_begin(&work->boxes, &from, radius);
  const box_tree_item *item;
  double distance;
  while ((item = box_tree_walk_next(&walk, &distance)) != NULL) {
    if (!lists_pair(work, place, item->number, scope != GRAZE_NEAREST_EACH_OBJECT)) continue;
    const configuration_pair pair = {place, item->number, (uint32_t)work->owners.count};
    if (!array_push(&work->pairs, work->heap, &pair)) return false;
    if (scope == GRAZE_NEAREST_OBJECT_PAIRS && !end_row(work, NO_BODY)) return false;
  }
  return scope != GRAZE_NEAREST_EACH_OBJECT || end_row(work, place);
}

static bool list_rows(nearest_work *work) {
  const graze_nearest_scope scope = work->options->scope;
  const uint32_t count = (uint32_t)work->objects.count;
  double radius = work->options->max_distance;
  for (uint32_t i = 0; scope == GRAZE_NEAREST_OF_ALL && i < count && !stop_is_requested(work->stop); i++)
    if (is_about(work, i)) radius = radius_of(work, i, true, radius);
  for (uint32_t i = 0; i < count && !stop_is_requested(work->stop); i++) {
    if (!is_about(work, i)) continue;
    const double own = scope == GRAZE_NEAREST_EACH_OBJECT ? radius_of(work, i, false, radius) : radius;
    if (!add_pairs(work, i, own)) return false;
  }
  return end_row(work, NO_BODY);
}

/* ---------------------------------------------------------------------------------------------- search */

/* The function of a stop_check: whether searches of rows end. */
static bool is_over(void *context) {
  nearest_work *work = context;
  return timer_now_ms() >= work->deadline_ms || stop_is_requested(work->stop);
}

static graze_result search_rows(nearest_work *work, graze_nearest *rows, nearest_answer *answer) {
  const graze_nearest_options *options = work->options;
  stop_check row_stop;
  batch_request request = {.parts = work->objects.data,
                           .part_count = work->objects.count,
                           .pairs = work->pairs.data,
                           .pair_count = work->pairs.count,
                           .column_count = work->owners.count,
                           .count = 1,
                           .answer = BATCH_NEAREST,
                           .limit = options->max_distance,
                           .goal = NEAREST_FIRST,
                           .visit_limit = options->visit_limit,
                           .stop = work->stop,
                           .answers = rows};
  if (options->time_limit_ms > 0.0) {
    stop_check_init(&row_stop, is_over, work);
    row_stop.interval_ms = fmin(row_stop.interval_ms, TIME_LIMIT_GRAIN * options->time_limit_ms);
    request.row_stop = &row_stop;
  }
  const graze_result result = batch_run_with(work->scene, &request, &work->trees, NULL);
  answer->visits = request.visit_count;
  answer->measures = request.measure_count;
  return result;
}

static int compare_rows(const void *a, const void *b) {
  const graze_nearest *p = a, *q = b;
  const uint32_t x[] = {p->object, p->pair.object_a, p->pair.primitive_a, p->pair.object_b, p->pair.primitive_b};
  const uint32_t y[] = {q->object, q->pair.object_a, q->pair.primitive_a, q->pair.object_b, q->pair.primitive_b};
  for (size_t i = 0; i < sizeof x / sizeof x[0]; i++)
    if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
  return 0;
}

/* Removes empty rows, and sorts the others. */
static void order_rows(const nearest_work *work, graze_nearest *rows, nearest_answer *answer) {
  const uint32_t *owners = work->owners.data;
  answer->rows = rows;
  answer->complete = true;
  for (size_t i = 0; i < work->owners.count; i++) {
    if (!rows[i].complete) answer->complete = false;
    if (nearest_row_is_empty(&rows[i])) continue;
    rows[answer->count] = rows[i];
    if (owners[i] != NO_BODY)
      rows[answer->count].object = scene_objects(work->scene)[slot_at(work, owners[i])].public_object;
    answer->count++;
  }
  qsort(rows, answer->count, sizeof *rows, compare_rows);
}

static graze_result find(nearest_work *work, graze_list_memory *list, nearest_answer *answer) {
  const double begin = timer_now_ms();
  if (!list_objects(work)) return GRAZE_OUT_OF_MEMORY;
  graze_result result = pose_trees_open(work->scene, work->objects.data, work->objects.count, &work->trees);
  if (result != GRAZE_OK) return result;
  const double built = timer_now_ms();
  if (!build_boxes(work) || !list_rows(work)) return GRAZE_OUT_OF_MEMORY;
  graze_nearest *rows = answer_list_reserve(list, BLOCK_NEARESTS, work->owners.count, sizeof *rows);
  if (rows == NULL) return GRAZE_OUT_OF_MEMORY;
  if (work->options->time_limit_ms > 0.0) work->deadline_ms = begin + work->options->time_limit_ms;
  result = search_rows(work, rows, answer);
  if (result != GRAZE_OK) return result;
  order_rows(work, rows, answer);
  answer->timings.build_ms = built - begin;
  answer->timings.search_ms = timer_now_ms() - built;
  return GRAZE_OK;
}

graze_result cpu_find_nearest(const graze_scene *scene, const graze_nearest_options *options, stop_check *stop_or_null,
                              graze_list_memory *list, nearest_answer *answer_out) {
  nearest_work work = {
      .scene = scene, .options = options, .heap = scene_scratch(scene), .stop = stop_or_null, .deadline_ms = HUGE_VAL};
  array_init(&work.objects, sizeof(uint32_t));
  array_init(&work.pairs, sizeof(configuration_pair));
  array_init(&work.owners, sizeof(uint32_t));
  tree_forest_init(&work.trees.own, work.heap, &(tree_options){0});
  *answer_out = (nearest_answer){0};
  const graze_result result = find(&work, list, answer_out);
  pose_trees_close(&work.trees);
  box_tree_release(&work.boxes, work.heap);
  ARRAYS_RELEASE(work.heap, &work.owners, &work.pairs, &work.objects);
  return result == GRAZE_OUT_OF_MEMORY ? scene_fail_memory(scene) : result;
}
