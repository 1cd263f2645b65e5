/* Least distances of objects: graze_scene_find_nearest.
 *
 * 1. Objects that take part get trees: the scene's, or trees for the call.
 * 2. Tasks are lists of candidates: two objects that may be the nearest or within the bound, by their boxes, which are
 *    in a tree. A row of two objects has one candidate; a row of one object, or of all, has many, nearest boxes first.
 *    A candidate is not searched if its boxes are farther apart than the best distance.
 * 3. Tasks run in parallel, each on one thread, each with one answer in its place: no answer depends on another task.
 *    When the time limit is reached, a task ends with its current result, whose bounds include the unsearched rest.
 * 4. Depths of objects that overlap come from their regions, if requested.
 *
 * Workload: two objects, or up to 10^5, of which each has some dozen others near it. */
#include "api/answer_fields.h"
#include "api/definitions.h"
#include "backend_cpu/box_tree.h"
#include "backend_cpu/nearest_row.h"
#include "backend_cpu/pose_trees.h"
#include "base/float_environment.h"
#include "base/simd_choice.h"
#include "base/timer.h"
#include "graze/regions.h"
#include "scene/object_exclusions.h"
#include "scene/object_lookup.h"
#include "scene/object_numbers.h"
#include "scene/object_positions.h"
#include "scene/scene_failure.h"

#include <stdlib.h>

/* The clock is read after this fraction of a time limit. */
#define TIME_LIMIT_GRAIN 0.02

/* Two bodies by their indices, and a lower bound of their distance. */
typedef struct nearest_candidate {
  double bound;
  uint32_t a, b;
} nearest_candidate;

/* A row: candidates [first, end). */
typedef struct nearest_task {
  size_t first, end;
  uint32_t object; /* index of the object whose nearest is requested; NO_BODY: none */
} nearest_task;

typedef struct nearest_work {
  const graze_scene *scene;
  const graze_nearest_options *options;
  memory *heap;
  stop_check *stop;       /* NULL: nothing ends the search */
  double deadline_ms;     /* infinite until the search begins */
  atomic_bool is_stopped; /* by the caller, not by the time limit */
  pose_trees trees;
  array objects;    /* uint32_t: slots that have primitives */
  array bodies;     /* nearest_body per object */
  box_tree boxes;   /* of the bodies, by index */
  double slack;     /* a bound of the error of two rounded distances */
  array candidates; /* nearest_candidate */
  array tasks;      /* nearest_task */
  array found;      /* nearest_search per task */
} nearest_work;

static void work_init(nearest_work *work) {
  array_init(&work->objects, sizeof(uint32_t));
  array_init(&work->bodies, sizeof(nearest_body));
  array_init(&work->candidates, sizeof(nearest_candidate));
  array_init(&work->tasks, sizeof(nearest_task));
  array_init(&work->found, sizeof(nearest_search));
}

static void work_release(nearest_work *work) {
  array *const arrays[] = {&work->objects, &work->bodies, &work->candidates, &work->tasks, &work->found};
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) array_release(arrays[i], work->heap);
  box_tree_release(&work->boxes, work->heap);
}

/* ---------------------------------------------------------------------------------------------- objects */

static bool takes_part(const nearest_work *work, uint32_t slot) {
  const graze_nearest_options *options = work->options;
  const scene_object *object = &scene_objects(work->scene)[slot];
  if (work->scene->sources[slot].primitive_count <= object->erased_count) return false;
  return options->about_count < 2 || slot == options->about_a.index || slot == options->about_b.index;
}

static graze_result list_objects(nearest_work *work) {
  for (uint32_t slot = 0; slot < work->scene->object_count; slot++)
    if (takes_part(work, slot) && !array_push(&work->objects, work->heap, &slot)) return scene_fail_memory(work->scene);
  return GRAZE_OK;
}

static graze_result open_trees(nearest_work *work) {
  const graze_scene *scene = work->scene;
  const uint32_t *objects = work->objects.data;
  const graze_result result = pose_trees_open(scene, objects, work->objects.count, &work->trees);
  if (result != GRAZE_OK) return result == GRAZE_OUT_OF_MEMORY ? scene_fail_memory(scene) : result;
  if (!array_resize(&work->bodies, work->heap, work->objects.count)) return scene_fail_memory(scene);
  const tree_forest *forest = work->trees.forest;
  for (size_t i = 0; i < work->objects.count; i++) {
    const uint32_t body = pose_trees_body(&work->trees, objects[i], i);
    ARRAY_AS(nearest_body, &work->bodies)
    [i] = (nearest_body){.tree = &forest->bodies[body],
                         .posed = &forest->posed[body],
                         .box = &forest->boxes[body],
                         .source = &scene->sources[objects[i]],
                         .object = objects[i]};
  }
  return GRAZE_OK;
}

/* ---------------------------------------------------------------------------------------------- candidates */

/* Whether candidates are pairs of the object with others. If two objects are given, no others take part. */
static bool is_about(const nearest_work *work, uint32_t place) {
  return work->options->about_count != 1 || ARRAY_AS(uint32_t, &work->objects)[place] == work->options->about_a.index;
}

static box_tree_item item_of(const nearest_work *work, uint32_t place) {
  const nearest_body *body = &ARRAY_AS(nearest_body, &work->bodies)[place];
  const object_rule *rule = &scene_objects(work->scene)[body->object].rule;
  return (box_tree_item){*body->box, rule->category, rule->mask, place};
}

static graze_result open_boxes(nearest_work *work) {
  const uint32_t count = (uint32_t)work->bodies.count;
  exact_box all = exact_box_empty();
  if (count == 0) return GRAZE_OK;
  if (!box_tree_reserve(&work->boxes, work->heap, count)) return scene_fail_memory(work->scene);
  for (uint32_t i = 0; i < count; i++) {
    work->boxes.items[i] = item_of(work, i);
    exact_box_include_box(&all, &work->boxes.items[i].box);
  }
  box_tree_build(&work->boxes);
  for (int axis = 0; axis < 3; axis++)
    work->slack = fmax(work->slack, 0x1p-36 * all.max[axis] - 0x1p-36 * all.min[axis]);
  return GRAZE_OK;
}

/* An upper bound of the distance of any two points in two boxes; may be infinite. */
static double boxes_reach(const exact_box *a, const exact_box *b) {
  double squared = 0.0, largest = 0.0;
  for (int axis = 0; axis < 3; axis++) {
    const double way = fmax(b->max[axis] - a->min[axis], a->max[axis] - b->min[axis]);
    squared += way * way;
    largest = fmax(largest, way);
  }
  return (squared > 0x1p-900 && squared < 0x1p900 ? sqrt(squared) : 2.0 * largest) * (1.0 + 0x1p-50);
}

/* Whether another object makes a candidate with this one. If rows are of two objects, the object with the lower index
 * makes it, or the only object of the query. */
static bool are_candidates(const nearest_work *work, uint32_t one, uint32_t other, bool is_of_two) {
  const nearest_body *bodies = work->bodies.data;
  if (one == other || (is_of_two && other < one && work->options->about_count != 1)) return false;
  return scene_includes_pair(work->scene, bodies[one].object, bodies[other].object);
}

/* An upper bound of the distance of the nearest candidate, not above the radius. Each object has a point in its box, so
 * its distance is at most the greatest distance of two points in two boxes. */
static double radius_of(const nearest_work *work, uint32_t place, bool is_of_two, double radius) {
  const box_tree_item from = item_of(work, place);
  box_tree_walk walk = box_tree_walk_begin(&work->boxes, &from, radius);
  const box_tree_item *item;
  double distance;
  while ((item = box_tree_walk_next(&walk, &distance)) != NULL) {
    const double most = boxes_reach(&from.box, &item->box) + work->slack;
    if (most < walk.radius && are_candidates(work, place, item->number, is_of_two)) walk.radius = most;
  }
  return walk.radius;
}

/* Adds the candidates of one object. False when out of memory. */
static bool add_candidates(nearest_work *work, uint32_t place, bool is_of_two, double radius) {
  const box_tree_item from = item_of(work, place);
  box_tree_walk walk = box_tree_walk_begin(&work->boxes, &from, radius);
  const box_tree_item *item;
  nearest_candidate made;
  while ((item = box_tree_walk_next(&walk, &made.bound)) != NULL) {
    if (!are_candidates(work, place, item->number, is_of_two)) continue;
    made.a = place < item->number ? place : item->number;
    made.b = place < item->number ? item->number : place;
    if (!array_push(&work->candidates, work->heap, &made)) return false;
  }
  return true;
}

static int compare_places(const void *a, const void *b) {
  const nearest_candidate *p = a, *q = b;
  if (p->a != q->a) return p->a < q->a ? -1 : 1;
  return p->b < q->b ? -1 : p->b > q->b;
}

static int compare_bounds(const void *a, const void *b) {
  const nearest_candidate *p = a, *q = b;
  if (p->bound != q->bound) return p->bound < q->bound ? -1 : 1;
  return compare_places(a, b);
}

/* Makes a task of all candidates since the last one, nearest boxes first. */
static bool end_task(nearest_work *work, size_t first, uint32_t object) {
  const nearest_task task = {first, work->candidates.count, object};
  if (task.first == task.end) return true;
  qsort(ARRAY_AS(nearest_candidate, &work->candidates) + first, task.end - first, sizeof(nearest_candidate),
        compare_bounds);
  return array_push(&work->tasks, work->heap, &task);
}

static bool list_each_object(nearest_work *work) {
  for (uint32_t place = 0; place < work->bodies.count && !stop_is_requested(work->stop); place++) {
    const size_t first = work->candidates.count;
    if (!is_about(work, place)) continue;
    if (!add_candidates(work, place, false, radius_of(work, place, false, work->options->max_distance))) return false;
    if (!end_task(work, first, place)) return false;
  }
  return true;
}

static bool list_nearest_of_all(nearest_work *work) {
  double radius = work->options->max_distance;
  for (uint32_t place = 0; place < work->bodies.count && !stop_is_requested(work->stop); place++)
    if (is_about(work, place)) radius = radius_of(work, place, true, radius);
  for (uint32_t place = 0; place < work->bodies.count && !stop_is_requested(work->stop); place++)
    if (is_about(work, place) && !add_candidates(work, place, true, radius)) return false;
  return end_task(work, 0, NO_BODY);
}

static bool list_object_pairs(nearest_work *work) {
  for (uint32_t place = 0; place < work->bodies.count && !stop_is_requested(work->stop); place++) {
    const size_t first = work->candidates.count;
    if (!is_about(work, place)) continue;
    if (!add_candidates(work, place, true, work->options->max_distance)) return false;
    if (work->candidates.count > first)
      qsort(ARRAY_AS(nearest_candidate, &work->candidates) + first, work->candidates.count - first,
            sizeof(nearest_candidate), compare_places);
    for (size_t i = first; i < work->candidates.count; i++) {
      const nearest_task task = {i, i + 1, NO_BODY};
      if (!array_push(&work->tasks, work->heap, &task)) return false;
    }
  }
  return true;
}

static bool list_tasks(nearest_work *work) {
  switch (work->options->scope) {
  case GRAZE_NEAREST_EACH_OBJECT:
    return list_each_object(work);
  case GRAZE_NEAREST_OF_ALL:
    return list_nearest_of_all(work);
  default:
    return list_object_pairs(work);
  }
}

/* ---------------------------------------------------------------------------------------------- search */

/* The function of a stop_check. */
static bool is_over(void *context) {
  nearest_work *work = context;
  const graze_nearest_options *options = work->options;
  if (options->should_stop != NULL && options->should_stop(options->stop_context))
    atomic_store(&work->is_stopped, true);
  return atomic_load(&work->is_stopped) || timer_now_ms() >= work->deadline_ms;
}

/* The first candidate is searched even after the time limit: some dozen visits measure a pair. */
static void search_task(nearest_work *work, const nearest_task *task, nearest_search *nearest) {
  const nearest_body *bodies = work->bodies.data;
  const nearest_candidate *candidates = work->candidates.data;
  for (size_t i = task->first; i < task->end && !atomic_load(&work->is_stopped); i++) {
    if (nearest->state.best.any && stop_is_requested(work->stop)) {
      nearest->state.lower = fmin(nearest->state.lower, candidates[i].bound);
      nearest->complete = false;
      return;
    }
    nearest_search_run(nearest, &bodies[candidates[i].a], &bodies[candidates[i].b], candidates[i].bound);
    if (stop_was_requested(work->stop)) nearest->complete = false; /* the pair found may not be the first that meets */
  }
}

static void search_range(void *context, size_t first, size_t end, uint32_t worker) {
  nearest_work *work = context;
  (void)worker;
  for (size_t i = first; i < end; i++) {
    nearest_search nearest = nearest_search_begin(work->trees.forest, SIMD_KERNELS(tree_kernels, work->scene->simd),
                                                  scene_ranks(work->scene), work->options->max_distance, NEAREST_FIRST,
                                                  work->options->visit_limit, work->stop);
    search_task(work, &ARRAY_AS(nearest_task, &work->tasks)[i], &nearest);
    ARRAY_AS(nearest_search, &work->found)[i] = nearest;
  }
}

/* ---------------------------------------------------------------------------------------------- depths */

static graze_object object_of(const graze_scene *scene, uint32_t primitive) {
  const uint32_t slot = scene_owner(scene, primitive);
  return (graze_object){slot, scene_slots(scene)[slot].generation};
}

/* Computes regions with object depths: of two objects, of one with all others, or of all. */
static graze_result find_regions(const nearest_work *work, uint32_t about_count, graze_object a, graze_object b,
                                 graze_regions *regions) {
  graze_query query = graze_query_default();
  graze_region_options options = graze_region_options_default();
  query.scope = GRAZE_SCOPE_BETWEEN;
  query.about_count = about_count;
  query.about_a = a;
  query.about_b = b;
  query.should_stop = work->options->should_stop;
  query.stop_context = work->options->stop_context;
  options.curves = false;
  return graze_scene_find_regions(work->scene, &query, &options, regions);
}

/* Objects with depth 0 touch without overlapping, and keep their row. */
static void apply_depth(const graze_region_objects *objects, graze_nearest *row) {
  if (!(objects->depth > 0.0)) return;
  row->certified = 0;
  row->distance = row->lower = -objects->depth;
  for (int axis = 0; axis < 3; axis++) row->normal[axis] = objects->normal[axis];
}

static graze_result find_depth(const nearest_work *work, graze_nearest *row) {
  graze_regions regions = {0};
  index_pair numbers;
  if (!scene_pair_numbers(work->scene, &row->pair, &numbers)) return scene_fail_pair(work->scene, &row->pair, 0);
  const graze_result result =
      find_regions(work, 2, object_of(work->scene, numbers.a), object_of(work->scene, numbers.b), &regions);
  if (result == GRAZE_OK && regions.object_pair_count > 0) apply_depth(&regions.objects[0], row);
  graze_regions_free(&regions);
  return result;
}

static int compare_objects(const graze_region_objects *objects, const graze_pair *pair) {
  if (objects->object_a != pair->object_a) return objects->object_a < pair->object_a ? -1 : 1;
  return objects->object_b < pair->object_b ? -1 : objects->object_b > pair->object_b;
}

/* The entry of the two objects of a pair; NULL if there is none, or several objects have their numbers. */
static const graze_region_objects *look_up(const graze_regions *regions, const graze_pair *pair) {
  size_t low = 0, high = regions->object_pair_count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (compare_objects(&regions->objects[middle], pair) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  const size_t count = regions->object_pair_count;
  const bool is_found = low < count && compare_objects(&regions->objects[low], pair) == 0;
  const bool is_one = low + 1 >= count || compare_objects(&regions->objects[low + 1], pair) != 0;
  return is_found && is_one ? &regions->objects[low] : NULL;
}

/* Regions take time linear in the vertices of the scene: those of several rows are computed at once. */
static graze_result apply_depths(const nearest_work *work, graze_nearest *rows, size_t count) {
  const graze_nearest_options *options = work->options;
  graze_regions regions = {0};
  graze_result result = GRAZE_OK;
  size_t overlaps = 0;
  for (size_t i = 0; i < count; i++) overlaps += rows[i].distance == 0.0;
  if (overlaps > 1) result = find_regions(work, options->about_count, options->about_a, options->about_b, &regions);
  for (size_t i = 0; result == GRAZE_OK && i < count; i++) {
    if (rows[i].distance != 0.0) continue;
    const graze_region_objects *objects = look_up(&regions, &rows[i].pair);
    if (objects != NULL)
      apply_depth(objects, &rows[i]);
    else
      result = find_depth(work, &rows[i]);
  }
  graze_regions_free(&regions);
  return result;
}

/* ---------------------------------------------------------------------------------------------- the list */

static graze_nearest row_of(const nearest_work *work, const nearest_task *task, const nearest_search *found) {
  graze_nearest row = nearest_row_make(work->scene, &found->state.best, found->state.lower, found->complete);
  if (task->object != NO_BODY)
    row.object = scene_objects(work->scene)[ARRAY_AS(uint32_t, &work->objects)[task->object]].public_object;
  return row;
}

static int compare_rows(const void *a, const void *b) {
  const graze_nearest *p = a, *q = b;
  const uint32_t x[] = {p->object, p->pair.object_a, p->pair.primitive_a, p->pair.object_b, p->pair.primitive_b};
  const uint32_t y[] = {q->object, q->pair.object_a, q->pair.primitive_a, q->pair.object_b, q->pair.primitive_b};
  for (size_t i = 0; i < sizeof x / sizeof x[0]; i++)
    if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
  return 0;
}

static graze_result write_list(const nearest_work *work, graze_list_memory *list, graze_nearests *fields) {
  const nearest_search *found = work->found.data;
  graze_nearest *rows = answer_list_reserve(list, BLOCK_NEARESTS, work->tasks.count, sizeof *rows);
  if (rows == NULL) return scene_fail_memory(work->scene);
  fields->nearests = rows;
  fields->complete = 1;
  for (size_t i = 0; i < work->tasks.count; i++) {
    fields->visit_count += found[i].visits;
    fields->measure_count += found[i].measures;
    if (!found[i].complete) fields->complete = 0;
    if (nearest_is_listed(&found[i]))
      rows[fields->count++] = row_of(work, &ARRAY_AS(nearest_task, &work->tasks)[i], &found[i]);
  }
  qsort(rows, fields->count, sizeof *rows, compare_rows);
  return work->options->depths ? apply_depths(work, rows, fields->count) : GRAZE_OK;
}

/* ---------------------------------------------------------------------------------------------- the call */

static graze_result run(nearest_work *work, graze_list_memory *list, graze_nearests *fields) {
  graze_timings timings = {0};
  graze_counters counters = {0};
  const double begin = timer_now_ms();
  graze_result result = list_objects(work);
  if (result == GRAZE_OK) result = open_trees(work);
  const double built = timer_now_ms();
  if (result == GRAZE_OK) result = open_boxes(work);
  if (result == GRAZE_OK && !list_tasks(work)) result = scene_fail_memory(work->scene);
  if (result == GRAZE_OK && !array_resize(&work->found, work->heap, work->tasks.count))
    result = scene_fail_memory(work->scene);
  if (result != GRAZE_OK) return result;
  if (work->options->time_limit_ms > 0.0) work->deadline_ms = begin + work->options->time_limit_ms;
  workers_for(work->scene->workers, work->tasks.count, 1, search_range, work);
  if (stop_is_requested(work->stop) && atomic_load(&work->is_stopped)) return GRAZE_STOPPED;
  const double searched = timer_now_ms();
  timings.build_ms = built - begin;
  timings.search_ms = searched - built;
  result = write_list(work, list, fields);
  timings.regions_ms = work->options->depths ? timer_now_ms() - searched : 0.0;
  if (result != GRAZE_OK) return result;
  scene_record(work->scene, &timings, &counters, list);
  fields->timings = &list->timings;
  fields->counters = &list->counters;
  return GRAZE_OK;
}

static graze_result check_options(const graze_scene *scene, const graze_nearest_options *options) {
  if ((unsigned)options->scope > GRAZE_NEAREST_OF_ALL)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "unknown distance scope number %d", (int)options->scope);
  if (options->about_count > 2)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "about_count must be 0, 1 or 2, not %u", options->about_count);
  if (!(options->max_distance >= 0.0))
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "the largest distance is %g: it must not be negative",
                      options->max_distance);
  if (!(options->time_limit_ms >= 0.0))
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "the time limit is %g ms: it must not be negative",
                      options->time_limit_ms);
  if (options->about_count > 0 && scene_find_object(scene, options->about_a) == NULL) return GRAZE_NO_SUCH_OBJECT;
  if (options->about_count > 1 && scene_find_object(scene, options->about_b) == NULL) return GRAZE_NO_SUCH_OBJECT;
  if (options->about_count > 1 && options->about_a.index == options->about_b.index)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "a distance needs two different objects, but %s is given twice",
                      scene_label(options->about_a.index, scene_objects(scene)[options->about_a.index].name).text);
  return GRAZE_OK;
}

static graze_result find(const graze_scene *scene, const graze_nearest_options *options, graze_list_memory *list,
                         graze_nearests *fields) {
  graze_result result = check_options(scene, options);
  if (result == GRAZE_OK) result = scene_check_updated(scene);
  if (result == GRAZE_OK) result = scene_check_kinds(scene, SUPPORTS_DISTANCES);
  if (result == GRAZE_OK) result = scene_check_on_host(scene);
  if (result != GRAZE_OK) return result;
  nearest_work work = {
      .scene = scene, .options = options, .heap = scene_scratch(scene), .deadline_ms = HUGE_VAL, .is_stopped = false};
  stop_check stop;
  if (options->should_stop != NULL || options->time_limit_ms > 0.0) {
    stop_check_init(&stop, is_over, &work);
    if (options->time_limit_ms > 0.0)
      stop.interval_ms = fmin(stop.interval_ms, TIME_LIMIT_GRAIN * options->time_limit_ms);
    work.stop = &stop;
  }
  work_init(&work);
  tree_forest_init(&work.trees.own, work.heap, &(tree_options){0});
  result = run(&work, list, fields);
  pose_trees_close(&work.trees);
  work_release(&work);
  return result == GRAZE_STOPPED ? scene_fail(scene, result, "the caller stopped the search") : result;
}

graze_result graze_scene_find_nearest(const graze_scene *scene, const graze_nearest_options *given,
                                      graze_nearests *nearests) {
  GUARD_FLOAT_ENVIRONMENT();
  if (scene == NULL) return scene_fail_null("scene");
  if (nearests == NULL) return scene_fail_null("list of distances");
  graze_list_memory *list = nearests->memory;
  graze_result result = scene_open_list(scene, &nearests_definition, nearests, &list);
  if (result != GRAZE_OK) return result;
  graze_nearests fields = {.memory = list};
  graze_nearest_options options;
  result = definition_read(&nearest_options_definition, given, true, &options);
  if (result == GRAZE_OK) result = find(scene, &options, list, &fields);
  answer_list_write(&nearests_definition, nearests, &fields);
  return result;
}
