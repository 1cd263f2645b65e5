/* Objects inside others: graze_scene_find_containments.
 *
 * 1. Find the objects that touch, unless they are given: they do not contain each other.
 *
 * 2. Of the others, those with boxes that meet are candidates: one may be inside the other if the other is a surface.
 *
 * 3. Test them (analysis/nested_objects.h).
 *
 * Workload: 2 to 10^5 objects, few of which have boxes that meet. */
#include "analysis/nested_objects.h"
#include "api/answer_fields.h"
#include "api/definitions.h"
#include "base/array.h"
#include "base/float_environment.h"
#include "base/index_pair.h"
#include "base/radix_sort.h"
#include "base/timer.h"
#include "base/workers.h"
#include "geometry/exact_box.h"
#include "scene/object_exclusions.h"
#include "scene/object_lookup.h"
#include "scene/object_numbers.h"
#include "scene/object_positions.h"
#include "scene/scene_failure.h"

/* ---------------------------------------------------------------------------------------------- boxes that meet */

/* Finds the boxes of a list that meet: few are compared directly, many with a temporary scene.
 *
 * Workload: a box for each object of a scene, 2 to 10^5. */

/* The caller's memory and threads, and a stop check that may be NULL. */
typedef struct box_pairs_host {
  memory *heap;
  const graze_allocator *allocator; /* of the temporary scene */
  workers *team;
  bool (*should_stop)(void *stop_context);
  void *stop_context;
} box_pairs_host;

enum { FEW_BOXES = 32 };

static graze_result compare_all(const exact_box *boxes, size_t count, const box_pairs_host *host, array *pairs) {
  for (uint32_t a = 0; a < count; a++)
    for (uint32_t b = a + 1; b < count; b++) {
      const index_pair pair = {a, b};
      if (exact_boxes_meet(&boxes[a], &boxes[b]) && !array_push(pairs, host->heap, &pair)) return GRAZE_OUT_OF_MEMORY;
    }
  return GRAZE_OK;
}

/* A box is represented by a triangle with the least corner once and the greatest corner twice. */
static graze_result add_boxes(graze_scene *scene, const exact_box *boxes, size_t count, uint32_t *triangles) {
  graze_mesh_def def = graze_mesh_def_default();
  graze_object object;
  for (size_t i = 0; i < count; i++) {
    triangles[3 * i] = (uint32_t)(2 * i);
    triangles[3 * i + 1] = triangles[3 * i + 2] = (uint32_t)(2 * i + 1);
  }
  def.positions = (graze_view){boxes, 2 * count, 0, GRAZE_FORMAT_DOUBLE3};
  def.triangles = (graze_view){triangles, count, 0, GRAZE_FORMAT_UINT32_3};
  const graze_result result = graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, &object);
  return result == GRAZE_OK ? graze_scene_update(scene) : result;
}

static graze_result find_candidates(const graze_scene *scene, const box_pairs_host *host, array *pairs) {
  graze_query query = graze_query_default();
  graze_pairs found = {0};
  query.scope = GRAZE_SCOPE_WITHIN;
  query.candidates_only = true;
  query.should_stop = host->should_stop;
  query.stop_context = host->stop_context;
  graze_result result = graze_scene_find_pairs(scene, &query, &found);
  const size_t first = pairs->count;
  if (result == GRAZE_OK && !array_resize(pairs, host->heap, first + found.count)) result = GRAZE_OUT_OF_MEMORY;
  for (size_t i = 0; result == GRAZE_OK && i < found.count; i++)
    ARRAY_AS(index_pair, pairs)[first + i] = (index_pair){found.pairs[i].primitive_a, found.pairs[i].primitive_b};
  graze_pairs_free(&found);
  return result;
}

static graze_result find_by_scene(const exact_box *boxes, size_t count, const box_pairs_host *host, array *pairs) {
  graze_scene *scene;
  graze_scene_def def = graze_scene_def_default();
  def.allocator = host->allocator;
  def.workers = host->team;
  graze_result result = graze_scene_create(&def, &scene);
  if (result != GRAZE_OK) return result;
  uint32_t *triangles = memory_allocate(host->heap, 3 * count, sizeof *triangles);
  result = triangles != NULL ? add_boxes(scene, boxes, count, triangles) : GRAZE_OUT_OF_MEMORY;
  memory_release(host->heap, triangles, 3 * count, sizeof *triangles);
  if (result == GRAZE_OK) result = find_candidates(scene, host, pairs);
  graze_scene_destroy(scene);
  return result;
}

/* Appends an index_pair, the lower number first, for each pair of closed boxes that meet. Boxes are finite and not
 * empty, at most UINT32_MAX / 2. Failures other than GRAZE_OUT_OF_MEMORY set a message. */
static graze_result box_pairs_find(const exact_box *boxes, size_t count, const box_pairs_host *host, array *pairs_out) {
  return count <= FEW_BOXES ? compare_all(boxes, count, host, pairs_out) : find_by_scene(boxes, count, host, pairs_out);
}

typedef struct containment_search {
  const graze_scene *scene;
  const graze_containment_options *options;
  memory *heap;
  stop_check *stop;
  pair_set touching; /* by numbers in pairs, the lower one first */
  array objects;     /* uint32_t: slots that have primitives; */
  array entries;     /* nesting_entry of each of them */
  array boxes;       /* exact_box: of the posed vertices of each of them */
  array keys; /* uint64_t: outer << 32 | inner, sorted, by their numbers in `objects`; then as many for sorting */
  nesting_search nesting;
} containment_search;

static void search_init(containment_search *work) {
  array_init(&work->objects, sizeof(uint32_t));
  array_init(&work->entries, sizeof(nesting_entry));
  array_init(&work->boxes, sizeof(exact_box));
  array_init(&work->keys, sizeof(uint64_t));
  array_init(&work->nesting.found, sizeof(nested_pair));
}

static void search_release(containment_search *work) {
  ARRAYS_RELEASE(work->heap, &work->objects, &work->entries, &work->boxes, &work->keys, &work->nesting.found);
  pair_set_release(&work->touching, work->heap);
}

static uint32_t slot_of_entry(const containment_search *work, size_t entry) {
  return ARRAY_AS(uint32_t, &work->objects)[entry];
}

static const object_source *source_of(const containment_search *work, size_t entry) {
  return &work->scene->sources[slot_of_entry(work, entry)];
}

static size_t vertex_count_of(const containment_search *work, size_t entry) {
  return scene_objects(work->scene)[slot_of_entry(work, entry)].positions.count;
}

static uint32_t number_of(const containment_search *work, size_t entry) {
  return scene_objects(work->scene)[slot_of_entry(work, entry)].public_object;
}

/* ---------------------------------------------------------------------------------------------- touching objects */

/* If two objects have the same number, a pair of numbers does not identify the objects that touch. */
static graze_result check_numbers(const graze_scene *scene) {
  const numbered_object *rows = scene->by_number.data;
  for (size_t i = 1; i < scene->by_number.count; i++)
    if (rows[i].count > 0 && rows[i - 1].count > 0 && rows[i].object == rows[i - 1].object)
      return scene_fail(scene, GRAZE_UNSUPPORTED,
                        "two objects have the global number %u: containments require distinct global numbers",
                        rows[i].object);
  return GRAZE_OK;
}

static graze_result take_touching(containment_search *work, const graze_object_pair *pairs, size_t count) {
  if (!pair_set_reserve(&work->touching, work->heap, count)) return scene_fail_memory(work->scene);
  for (size_t i = 0; i < count; i++)
    if (pairs[i].object_a != pairs[i].object_b &&
        !pair_set_add(&work->touching, work->heap, index_pair_in_order(pairs[i].object_a, pairs[i].object_b)))
      return scene_fail_memory(work->scene);
  return GRAZE_OK;
}

static graze_result find_touching(containment_search *work, graze_timings *timings, graze_counters *counters) {
  const graze_containment_options *options = work->options;
  if (options->touching != NULL) return take_touching(work, options->touching, options->touching_count);
  graze_query query = graze_query_default();
  graze_object_pairs touching = {0};
  query.scope = GRAZE_SCOPE_BETWEEN;
  query.should_stop = options->should_stop;
  query.stop_context = options->stop_context;
  graze_result result = graze_scene_find_object_pairs(work->scene, &query, &touching);
  if (result == GRAZE_OK) {
    *timings = *touching.timings;
    *counters = *touching.counters;
    result = take_touching(work, touching.pairs, touching.count);
  }
  graze_object_pairs_free(&touching);
  return result;
}

/* ---------------------------------------------------------------------------------------------- candidates */

static void box_range(void *context, size_t first, size_t end, uint32_t worker) {
  const containment_search *work = context;
  (void)worker;
  for (size_t i = first; i < end; i++) {
    const object_source *source = source_of(work, i);
    const size_t vertex_count = vertex_count_of(work, i);
    double position[3];
    fetch_vertex(source, 0, position);
    exact_box box = exact_box_at(position);
    for (size_t vertex = 1; vertex < vertex_count; vertex++) {
      fetch_vertex(source, (uint32_t)vertex, position);
      exact_box_include(&box, position);
    }
    ARRAY_AS(exact_box, &work->boxes)[i] = box;
  }
}

static graze_result list_objects(containment_search *work) {
  const graze_scene *scene = work->scene;
  for (uint32_t i = 0; i < scene->object_count; i++) {
    const bool has_some = scene->sources[i].primitive_count > scene_objects(scene)[i].removed_count;
    const nesting_entry entry = {&scene->sources[i], scene_objects(scene)[i].positions.count};
    if (has_some && (!array_push(&work->objects, work->heap, &i) || !array_push(&work->entries, work->heap, &entry)))
      return scene_fail_memory(scene);
  }
  if (!array_resize(&work->boxes, work->heap, work->objects.count)) return scene_fail_memory(scene);
  workers_for(scene->workers, work->objects.count, 1, box_range, work);
  return GRAZE_OK;
}

/* Whether one object may be inside the other, if that is a closed surface. */
static bool may_nest(const containment_search *work, index_pair entries) {
  const index_pair numbers = index_pair_in_order(number_of(work, entries.a), number_of(work, entries.b));
  return scene_includes_pair(work->scene, slot_of_entry(work, entries.a), slot_of_entry(work, entries.b)) &&
         !pair_set_has(&work->touching, numbers);
}

static bool add_candidate(containment_search *work, uint32_t outer, uint32_t inner) {
  const uint64_t key = (uint64_t)outer << 32 | inner;
  return kind_is_solid(source_of(work, outer)->kind) || array_push(&work->keys, work->heap, &key);
}

static graze_result list_candidates(containment_search *work) {
  const graze_scene *scene = work->scene;
  const box_pairs_host host = {work->heap, &scene->host, scene->workers, work->options->should_stop,
                               work->options->stop_context};
  array pairs;
  array_init(&pairs, sizeof(index_pair));
  graze_result result = box_pairs_find(work->boxes.data, work->objects.count, &host, &pairs);
  if (result == GRAZE_OUT_OF_MEMORY) result = scene_fail_memory(scene);
  for (size_t i = 0; result == GRAZE_OK && i < pairs.count; i++) {
    const index_pair pair = ARRAY_AS(index_pair, &pairs)[i];
    if (!may_nest(work, pair)) continue;
    if (!add_candidate(work, pair.a, pair.b) || !add_candidate(work, pair.b, pair.a)) result = scene_fail_memory(scene);
  }
  array_release(&pairs, work->heap);
  const size_t count = work->keys.count;
  if (result == GRAZE_OK && !array_resize(&work->keys, work->heap, 2 * count)) result = scene_fail_memory(scene);
  if (result != GRAZE_OK) return result;
  uint64_t *keys = work->keys.data;
  radix_sort_keys_stoppable(keys, keys + count, count, 64, work->heap, scene->workers, work->stop);
  return GRAZE_OK;
}

/* ---------------------------------------------------------------------------------------------- inside */

static graze_result find_nested(containment_search *work) {
  work->nesting.entries = work->entries.data;
  work->nesting.entry_count = work->entries.count;
  work->nesting.boxes = work->boxes.data;
  work->nesting.keys = work->keys.data;
  work->nesting.key_count = work->keys.count / 2;
  work->nesting.heap = work->heap;
  work->nesting.team = work->scene->workers;
  work->nesting.stop = work->stop;
  const graze_result result = nested_objects_find(&work->nesting);
  if (result == GRAZE_OUT_OF_MEMORY) return scene_fail_memory(work->scene);
  if (result != GRAZE_TOO_LARGE) return result;
  const uint32_t slot = slot_of_entry(work, work->nesting.refused);
  return scene_fail(work->scene, result, "%s: too many triangles: their edges cannot be numbered",
                    scene_label(slot, scene_objects(work->scene)[slot].name).text);
}

/* ---------------------------------------------------------------------------------------------- the list */

static graze_containment containment_of(const containment_search *work, const nested_pair *pair) {
  const scene_object *inner = &scene_objects(work->scene)[slot_of_entry(work, pair->inner)];
  return (graze_containment){number_of(work, pair->inner), number_of(work, pair->outer), pair->inside_count,
                             (uint32_t)(inner->elements.count - inner->removed_count)};
}

/* Writes the results to the caller's list, sorted by numbers in pairs. */
static graze_result write_list(containment_search *work, graze_list_memory *list, graze_containments *fields) {
  const nested_pair *found = work->nesting.found.data;
  const size_t count = work->nesting.found.count;
  graze_containment *sorted = answer_list_reserve(list, BLOCK_CONTAINMENTS, count, sizeof *sorted);
  uint64_t *keys = memory_allocate(work->heap, 2 * count, sizeof *keys);
  uint32_t *places = memory_allocate(work->heap, 2 * count, sizeof *places);
  const bool has_room = sorted != NULL && keys != NULL && places != NULL;
  if (has_room) {
    for (size_t i = 0; i < count; i++) {
      keys[i] = (uint64_t)number_of(work, found[i].inner) << 32 | number_of(work, found[i].outer);
      places[i] = (uint32_t)i;
    }
    radix_sort_pairs(keys, places, keys + count, places + count, count, 64);
    for (size_t i = 0; i < count; i++) sorted[i] = containment_of(work, &found[places[i]]);
    fields->containments = sorted;
    fields->count = count;
  }
  memory_release(work->heap, keys, 2 * count, sizeof *keys);
  memory_release(work->heap, places, 2 * count, sizeof *places);
  return has_room ? GRAZE_OK : scene_fail_memory(work->scene);
}

static graze_result run_search(containment_search *work, graze_list_memory *list, graze_containments *fields) {
  graze_timings timings = {0};
  graze_counters counters = {0};
  graze_result result = find_touching(work, &timings, &counters);
  const double begin = timer_now_ms();
  if (result == GRAZE_OK) result = list_objects(work);
  if (result == GRAZE_OK) result = list_candidates(work);
  timings.bounds_ms += timer_now_ms() - begin;
  const double middle = timer_now_ms();
  if (result == GRAZE_OK) result = find_nested(work);
  if (result == GRAZE_OK) result = write_list(work, list, fields);
  timings.test_ms += timer_now_ms() - middle;
  if (result != GRAZE_OK) return result;
  scene_record(work->scene, &timings, &counters, list);
  fields->timings = &list->timings;
  fields->counters = &list->counters;
  return GRAZE_OK;
}

static graze_result find_containments(const graze_scene *scene, const graze_containment_options *options,
                                      graze_list_memory *list, graze_containments *fields) {
  graze_result result = scene_check_updated(scene);
  if (result == GRAZE_OK) result = scene_check_kinds(scene, SUPPORTS_CONTAINMENT);
  if (result == GRAZE_OK) result = scene_check_on_host(scene);
  if (result == GRAZE_OK) result = check_numbers(scene);
  if (result != GRAZE_OK) return result;
  containment_search work = {.scene = scene, .options = options, .heap = scene_scratch(scene)};
  stop_check stop;
  if (options->should_stop != NULL) {
    stop_check_init(&stop, options->should_stop, options->stop_context);
    work.stop = &stop;
  }
  search_init(&work);
  result = run_search(&work, list, fields);
  search_release(&work);
  return result == GRAZE_STOPPED ? scene_fail(scene, result, "the caller stopped the search") : result;
}

graze_result graze_scene_find_containments(const graze_scene *scene, const graze_containment_options *given,
                                           graze_containments *containments) {
  GUARD_FLOAT_ENVIRONMENT();
  graze_list_memory *list = NULL;
  graze_result result = scene_open_list(scene, &containments_definition, containments, &list);
  if (result != GRAZE_OK) return result;
  graze_containments fields = {.memory = list};
  graze_containment_options options;
  result = definition_read(&containment_options_definition, given, true, &options);
  if (result == GRAZE_OK) result = find_containments(scene, &options, list, &fields);
  answer_list_write(&containments_definition, containments, &fields);
  return result;
}
