/* Least distances of objects: reads and checks graze_scene_find_nearest, runs it on the processor, and adds the depths
 * of objects that overlap, from their regions. */
#include "api/answer_fields.h"
#include "api/definitions.h"
#include "backend_cpu/cpu_nearest.h"
#include "base/float_environment.h"
#include "base/timer.h"
#include "graze/regions.h"
#include "scene/object_lookup.h"
#include "scene/object_numbers.h"
#include "scene/object_positions.h"
#include "scene/scene_failure.h"

typedef struct nearest_call {
  const graze_scene *scene;
  const graze_nearest_options *options;
} nearest_call;

/* ---------------------------------------------------------------------------------------------- depths */

static graze_object object_of(const graze_scene *scene, uint32_t primitive) {
  const uint32_t slot = scene_owner(scene, primitive);
  return (graze_object){slot, scene_slots(scene)[slot].generation};
}

/* Computes regions with object depths: of two objects, of one with all others, or of all. */
static graze_result find_regions(const nearest_call *call, uint32_t about_count, graze_object a, graze_object b,
                                 graze_regions *regions) {
  graze_query query = graze_query_default();
  graze_region_options options = graze_region_options_default();
  query.scope = GRAZE_SCOPE_BETWEEN;
  query.about_count = about_count;
  query.about_a = a;
  query.about_b = b;
  query.should_stop = call->options->should_stop;
  query.stop_context = call->options->stop_context;
  options.curves = false;
  return graze_scene_find_regions(call->scene, &query, &options, regions);
}

/* Objects with depth 0 touch without overlapping, and keep their row. */
static void apply_depth(const graze_region_objects *objects, graze_nearest *row) {
  if (!(objects->depth > 0.0)) return;
  row->distance = row->lower = -objects->depth;
  for (int axis = 0; axis < 3; axis++) row->normal[axis] = objects->normal[axis];
}

static graze_result find_depth(const nearest_call *call, graze_nearest *row) {
  graze_regions regions = {0};
  index_pair numbers;
  if (!scene_pair_numbers(call->scene, &row->pair, &numbers)) return scene_fail_pair(call->scene, &row->pair, 0);
  const graze_result result =
      find_regions(call, 2, object_of(call->scene, numbers.a), object_of(call->scene, numbers.b), &regions);
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
static graze_result apply_depths(const nearest_call *call, graze_nearest *rows, size_t count) {
  const graze_nearest_options *options = call->options;
  graze_regions regions = {0};
  graze_result result = GRAZE_OK;
  size_t overlaps = 0;
  for (size_t i = 0; i < count; i++) overlaps += rows[i].distance == 0.0;
  if (overlaps > 1) result = find_regions(call, options->about_count, options->about_a, options->about_b, &regions);
  for (size_t i = 0; result == GRAZE_OK && i < count; i++) {
    if (rows[i].distance != 0.0) continue;
    const graze_region_objects *objects = look_up(&regions, &rows[i].pair);
    if (objects != NULL)
      apply_depth(objects, &rows[i]);
    else
      result = find_depth(call, &rows[i]);
  }
  graze_regions_free(&regions);
  return result;
}

/* ---------------------------------------------------------------------------------------------- the call */

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
                         graze_nearest_list *fields) {
  graze_result result = check_options(scene, options);
  if (result == GRAZE_OK) result = scene_check_updated(scene);
  if (result == GRAZE_OK) result = scene_check_kinds(scene, SUPPORTS_DISTANCES);
  if (result == GRAZE_OK) result = scene_check_on_host(scene);
  if (result != GRAZE_OK) return result;
  stop_check stops, *stop = NULL;
  if (options->should_stop != NULL) {
    stop_check_init(&stops, options->should_stop, options->stop_context);
    stop = &stops;
  }
  nearest_answer answer;
  result = cpu_find_nearest(scene, options, stop, list, &answer);
  const double begin = timer_now_ms();
  const nearest_call call = {scene, options};
  if (result == GRAZE_OK && options->depths) result = apply_depths(&call, answer.rows, answer.count);
  answer.timings.regions_ms = options->depths ? timer_now_ms() - begin : 0.0;
  if (result != GRAZE_OK)
    return result == GRAZE_STOPPED ? scene_fail(scene, result, "the caller stopped the search") : result;
  scene_record(scene, &answer.timings, &(graze_counters){0}, list);
  *fields = (graze_nearest_list){.nearests = answer.rows,
                                 .count = answer.count,
                                 .complete = answer.complete,
                                 .visit_count = answer.visits,
                                 .measure_count = answer.measures,
                                 .timings = &list->timings,
                                 .counters = &list->counters,
                                 .memory = list};
  return GRAZE_OK;
}

graze_result graze_scene_find_nearest(const graze_scene *scene, const graze_nearest_options *given,
                                      graze_nearest_list *nearests) {
  GUARD_FLOAT_ENVIRONMENT();
  if (scene == NULL) return scene_fail_null("scene");
  if (nearests == NULL) return scene_fail_null("list of distances");
  graze_list_memory *list = nearests->memory;
  graze_result result = scene_open_list(scene, &nearests_definition, nearests, &list);
  if (result != GRAZE_OK) return result;
  graze_nearest_list fields = {.memory = list};
  graze_nearest_options options;
  result = definition_read(&nearest_options_definition, given, true, &options);
  if (result == GRAZE_OK) result = find(scene, &options, list, &fields);
  answer_list_write(&nearests_definition, nearests, &fields);
  return result;
}
