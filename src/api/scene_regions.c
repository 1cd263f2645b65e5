/* Regions: groups, classifies and measures pairs, and fills the caller's list.
 *
 * 1. Sort the pairs if necessary, and look them up.
 *
 * 2. Group them (regions/region_groups.h), and put them in the order of regions, which all later steps use.
 *
 * 3. Classify each pair by exact signs, and sum over each region. Hash its corners, for the region's id.
 *
 * 4. Compute depths, curves and objects, if requested.
 *
 * Everything runs on the host, whatever backend found the pairs. */
#include "api/answer_fields.h"
#include "api/definitions.h"
#include "api/query_reading.h"
#include "api/region_curves.h"
#include "backend/backend.h"
#include "base/float_environment.h"
#include "base/pair_hash.h"
#include "base/radix_sort.h"
#include "base/timer.h"
#include "geometry/vector.h"
#include "graze/names.h"
#include "regions/clash_kind.h"
#include "regions/object_depth.h"
#include "regions/region_groups.h"
#include "regions/region_points.h"
#include "scene/object_numbers.h"
#include "scene/object_positions.h"
#include "scene/scene_failure.h"

#include <stdlib.h>
#include <string.h>

/* Pair numbers have 31 bits: the remaining bit is the side of the pair. */
#define PAIR_LIMIT ((size_t)INT32_MAX)

typedef struct region_making {
  const graze_scene *scene;
  const graze_region_options *options;
  region_scene work;
  graze_list_memory *list;
  size_t count;
  array sorted;         /* graze_pair: used if the given pairs are not sorted */
  array numbers;        /* index_pair: of the given pairs, later in the order of regions */
  array ordered;        /* likewise */
  array region_of;      /* uint32_t per pair */
  array order;          /* uint32_t: given pairs in the order of regions */
  array shares;         /* graze_region, two per task: sums of regions */
  array measures;       /* graze_region_point per pair */
  array vertex_numbers; /* part_vertices per object; none if no object has global numbers */
  array name_hashes;    /* uint64_t per object name */
  region_vertices vertices;
  const graze_pair *given;
  graze_pair *pairs; /* in the list, in the order of regions */
  uint8_t *clashes;
  graze_region *regions;
  size_t region_count;
  _Atomic(size_t) first_bad; /* the first invalid pair */
  graze_regions *fields;
} region_making;

static void making_init(region_making *making) {
  array_init(&making->sorted, sizeof(graze_pair));
  array_init(&making->numbers, sizeof(index_pair));
  array_init(&making->ordered, sizeof(index_pair));
  array_init(&making->region_of, sizeof(uint32_t));
  array_init(&making->order, sizeof(uint32_t));
  array_init(&making->shares, sizeof(graze_region));
  array_init(&making->measures, sizeof(graze_region_point));
  array_init(&making->vertex_numbers, sizeof(part_vertices));
  array_init(&making->name_hashes, sizeof(uint64_t));
  region_vertices_init(&making->vertices);
  atomic_init(&making->first_bad, SIZE_MAX);
}

static void making_release(region_making *making) {
  memory *heap = making->work.heap;
  array *const arrays[] = {&making->sorted,    &making->numbers,        &making->ordered,
                           &making->region_of, &making->order,          &making->shares,
                           &making->measures,  &making->vertex_numbers, &making->name_hashes};
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) array_release(arrays[i], heap);
  region_vertices_release(&making->vertices, heap);
}

static void refuse(region_making *making, size_t pair) {
  size_t seen = atomic_load(&making->first_bad);
  while (pair < seen && !atomic_compare_exchange_weak(&making->first_bad, &seen, pair)) {
  }
}

/* ---------------------------------------------------------------------------------------------- pairs */

static int compare_pairs(const void *a, const void *b) {
  const graze_pair *p = a, *q = b;
  const uint64_t p_first = (uint64_t)p->object_a << 32 | p->primitive_a;
  const uint64_t q_first = (uint64_t)q->object_a << 32 | q->primitive_a;
  const uint64_t p_second = (uint64_t)p->object_b << 32 | p->primitive_b;
  const uint64_t q_second = (uint64_t)q->object_b << 32 | q->primitive_b;
  if (p_first != q_first) return p_first < q_first ? -1 : 1;
  return (p_second > q_second) - (p_second < q_second);
}

/* Lists of queries are sorted, but the caller may have reordered them. */
static graze_result sort_pairs(region_making *making) {
  bool is_sorted = true;
  for (size_t i = 1; i < making->count && is_sorted; i++)
    is_sorted = compare_pairs(&making->given[i - 1], &making->given[i]) < 0;
  if (is_sorted) return GRAZE_OK;
  if (!array_resize(&making->sorted, making->work.heap, making->count)) return scene_fail_memory(making->scene);
  graze_pair *sorted = making->sorted.data;
  memcpy(sorted, making->given, making->count * sizeof *sorted);
  qsort(sorted, making->count, sizeof *sorted, compare_pairs);
  for (size_t i = 1; i < making->count; i++)
    if (compare_pairs(&sorted[i - 1], &sorted[i]) == 0)
      return scene_fail(making->scene, GRAZE_INVALID_ARGUMENT,
                        "primitive %u of object %u and primitive %u of object %u are given as a pair twice",
                        sorted[i].primitive_a, sorted[i].object_a, sorted[i].primitive_b, sorted[i].object_b);
  making->given = sorted;
  return GRAZE_OK;
}

static void look_up_range(void *context, size_t first, size_t end, uint32_t worker) {
  region_making *making = context;
  index_pair *numbers = making->numbers.data;
  (void)worker;
  for (size_t i = first; i < end; i++)
    if (!scene_pair_numbers(making->scene, &making->given[i], &numbers[i])) refuse(making, i);
}

static graze_result look_up_pairs(region_making *making) {
  if (!array_resize(&making->numbers, making->work.heap, making->count)) return scene_fail_memory(making->scene);
  workers_for(making->work.team, making->count, 4 * REGION_GRAIN, look_up_range, making);
  const size_t bad = atomic_load(&making->first_bad);
  return bad < making->count ? scene_fail_pair(making->scene, &making->given[bad], bad) : GRAZE_OK;
}

/* ---------------------------------------------------------------------------------------------- groups */

/* Numbers regions in the order of their first pairs, in region_of; returns their number. */
static size_t number_regions(const region_making *making) {
  uint32_t *region_of = making->region_of.data;
  size_t region_count = 0;
  for (size_t i = 0; i < making->count; i++)
    region_of[i] = region_of[i] == i ? (uint32_t)region_count++ : region_of[region_of[i]];
  return region_count;
}

/* Both objects, by those that represent their parts, as other objects may have the same public number. */
static uint64_t object_key(const region_making *making, index_pair numbers) {
  return (uint64_t)region_whole(&making->work, numbers.a) << 32 | region_whole(&making->work, numbers.b);
}

/* The rank of each region by (object_a, object_b), then by its first pair. Sorts by the minor key first, as the sort is
 * stable. */
static bool rank_regions(const region_making *making, uint32_t *rank_of) {
  const uint32_t *region_of = making->region_of.data;
  const size_t count = making->region_count;
  memory *heap = making->work.heap;
  uint64_t *keys = memory_allocate(heap, 2 * count, sizeof *keys);
  uint32_t *values = memory_allocate(heap, 3 * count, sizeof *values),
           *first_of = values != NULL ? values + 2 * count : NULL;
  const bool complete = keys != NULL && values != NULL;
  for (size_t i = making->count; complete && i > 0; i--) first_of[region_of[i - 1]] = (uint32_t)(i - 1);
  for (size_t i = 0; complete && i < count; i++) {
    values[i] = (uint32_t)i;
    keys[i] = object_key(making, ARRAY_AS(index_pair, &making->numbers)[first_of[i]]);
  }
  if (complete) radix_sort_pairs(keys, values, keys + count, values + count, count, 64);
  for (size_t i = 0; complete && i < count; i++) {
    const graze_pair *pair = &making->given[first_of[values[i]]];
    keys[i] = (uint64_t)pair->object_a << 32 | pair->object_b;
  }
  if (complete) radix_sort_pairs(keys, values, keys + count, values + count, count, 64);
  for (size_t i = 0; complete && i < count; i++) rank_of[values[i]] = (uint32_t)i;
  memory_release(heap, values, 3 * count, sizeof *values);
  memory_release(heap, keys, 2 * count, sizeof *keys);
  return complete;
}

/* The start of each region's pairs, and the list of its pairs. */
static void place_pairs(const region_making *making, const uint32_t *rank_of) {
  uint32_t *region_of = making->region_of.data, *order = making->order.data;
  for (size_t i = 0; i < making->count; i++) making->regions[rank_of[region_of[i]]].pair_count += 1;
  size_t first = 0;
  for (size_t i = 0; i < making->region_count; i++) {
    making->regions[i].first_pair = first;
    first += making->regions[i].pair_count;
    making->regions[i].pair_count = 0;
  }
  for (size_t i = 0; i < making->count; i++) {
    graze_region *region = &making->regions[rank_of[region_of[i]]];
    order[region->first_pair + region->pair_count++] = (uint32_t)i;
  }
}

static void order_range(void *context, size_t first, size_t end, uint32_t worker) {
  const region_making *making = context;
  const index_pair *numbers = making->numbers.data;
  const uint32_t *order = making->order.data;
  (void)worker;
  for (size_t i = first; i < end; i++) {
    making->pairs[i] = making->given[order[i]];
    ARRAY_AS(index_pair, &making->ordered)[i] = numbers[order[i]];
  }
}

static bool order_pairs(region_making *making) {
  memory *heap = making->work.heap;
  const size_t count = making->count;
  making->region_count = number_regions(making);
  uint32_t *rank_of = memory_allocate(heap, making->region_count, sizeof *rank_of);
  making->regions = answer_list_reserve(making->list, BLOCK_REGIONS, making->region_count, sizeof *making->regions);
  making->pairs = answer_list_reserve(making->list, BLOCK_REGION_PAIRS, count, sizeof *making->pairs);
  making->clashes = answer_list_reserve(making->list, BLOCK_CLASHES, count, sizeof *making->clashes);
  const bool complete = rank_of != NULL && making->regions != NULL && making->pairs != NULL &&
                        making->clashes != NULL && array_resize(&making->order, heap, count) &&
                        array_resize(&making->ordered, heap, count) && rank_regions(making, rank_of);
  if (complete) {
    memset(making->regions, 0, making->region_count * sizeof *making->regions);
    place_pairs(making, rank_of);
    workers_for(making->work.team, count, 4 * REGION_GRAIN, order_range, making);
    uint32_t *region_of = making->region_of.data;
    for (size_t i = 0; i < making->region_count; i++)
      for (size_t j = 0; j < making->regions[i].pair_count; j++)
        region_of[making->regions[i].first_pair + j] = (uint32_t)i;
  }
  memory_release(heap, rank_of, making->region_count, sizeof *rank_of);
  return complete;
}

static graze_result group_pairs(region_making *making) {
  const index_pair *numbers = making->numbers.data;
  const bool complete = array_resize(&making->region_of, making->work.heap, making->count) &&
                        region_vertices_make(&making->work, numbers, making->count, &making->vertices);
  if (!complete) return scene_fail_memory(making->scene);
  if (stop_is_requested(making->work.stop)) return GRAZE_STOPPED;
  if (!region_groups_find(&making->work, &making->vertices, numbers, making->count, making->region_of.data))
    return scene_fail_memory(making->scene);
  if (stop_is_requested(making->work.stop)) return GRAZE_STOPPED;
  return order_pairs(making) ? GRAZE_OK : scene_fail_memory(making->scene);
}

/* ---------------------------------------------------------------------------------------------- ids */

/* A step of a hash; pair_hash_mix finishes it. */
static uint64_t hash_append(uint64_t hash, uint64_t number) {
  hash = (hash ^ number) * UINT64_C(0x9e3779b97f4a7c15);
  return hash ^ hash >> 32;
}

static uint64_t hash_append_real(uint64_t hash, double value) {
  const double positive = value + 0.0; /* -0 is 0 */
  uint64_t bits;
  memcpy(&bits, &positive, sizeof bits);
  return hash_append(hash, bits);
}

static graze_result hash_names(region_making *making) {
  const graze_region_options *options = making->options;
  if (options->object_names == NULL) return GRAZE_OK;
  if (!array_resize(&making->name_hashes, making->work.heap, options->object_name_count))
    return scene_fail_memory(making->scene);
  for (size_t i = 0; i < options->object_name_count; i++) {
    uint64_t hash = 0;
    for (const char *c = options->object_names[i]; c != NULL && *c != '\0'; c++)
      hash = hash_append(hash, (unsigned char)*c);
    ARRAY_AS(uint64_t, &making->name_hashes)[i] = pair_hash_mix(hash);
  }
  return GRAZE_OK;
}

static uint64_t hash_primitive(const region_making *making, uint32_t object, uint32_t primitive) {
  const object_source *source = region_source(&making->work, primitive);
  const corner_list corners = corners_of(source, primitive);
  uint64_t sum = object < making->name_hashes.count ? ARRAY_AS(uint64_t, &making->name_hashes)[object] : 0;
  for (uint32_t i = 0; i < corners.count; i++) {
    double position[3];
    uint64_t hash = 0;
    fetch_vertex(source, corners.vertices[i], position);
    for (int axis = 0; axis < 3; axis++) hash = hash_append_real(hash, position[axis]);
    if (kind_is_ball(source->kind)) hash = hash_append_real(hash, radius_at(source, corners.vertices[i]));
    sum += hash;
  }
  return pair_hash_mix(sum);
}

/* The primitive that was hashed last: consecutive pairs mostly have the same first primitive. */
typedef struct last_hash {
  uint32_t primitive;
  uint64_t hash;
} last_hash;

/* The same for both orders of the primitives, as the order follows from the numbers of the objects. */
static uint64_t hash_pair(const region_making *making, size_t pair, last_hash *last) {
  const index_pair numbers = ARRAY_AS(index_pair, &making->ordered)[pair];
  const graze_pair *objects = &making->pairs[pair];
  if (last->primitive != numbers.a)
    *last = (last_hash){numbers.a, hash_primitive(making, objects->object_a, numbers.a)};
  return pair_hash_mix(last->hash + hash_primitive(making, objects->object_b, numbers.b));
}

/* Appends k to the id of the k-th of several regions with equal ids; the first keeps it. */
static graze_result separate_ids(const region_making *making) {
  memory *heap = making->work.heap;
  const size_t count = making->region_count;
  uint64_t *ids = memory_allocate(heap, 2 * count, sizeof *ids);
  uint32_t *order = memory_allocate(heap, 2 * count, sizeof *order);
  const bool complete = ids != NULL && order != NULL;
  for (size_t i = 0; complete && i < count; i++) {
    ids[i] = making->regions[i].id;
    order[i] = (uint32_t)i;
  }
  if (complete) radix_sort_pairs(ids, order, ids + count, order + count, count, 64);
  for (size_t i = 1, first = 0; complete && i < count; i++) {
    if (ids[i] != ids[first]) first = i;
    if (i > first) making->regions[order[i]].id = pair_hash_mix(ids[i] + (i - first));
  }
  memory_release(heap, order, 2 * count, sizeof *order);
  memory_release(heap, ids, 2 * count, sizeof *ids);
  return complete ? GRAZE_OK : scene_fail_memory(making->scene);
}

/* ---------------------------------------------------------------------------------------------- classes */

static void add_box(graze_region *region, const double min[3], const double max[3]) {
  for (int axis = 0; axis < 3; axis++) {
    if (min[axis] < region->box_min[axis]) region->box_min[axis] = min[axis];
    if (max[axis] > region->box_max[axis]) region->box_max[axis] = max[axis];
  }
}

/* The sum of no pairs. */
static void begin_sum(graze_region *region) {
  region->id = 0;
  memset(region->clash_counts, 0, sizeof region->clash_counts);
  for (int axis = 0; axis < 3; axis++) {
    region->box_min[axis] = HUGE_VAL;
    region->box_max[axis] = -HUGE_VAL;
  }
}

static void add_sum(graze_region *region, const graze_region *share) {
  region->id += share->id;
  for (int i = 0; i < GRAZE_CLASH_KINDS; i++) region->clash_counts[i] += share->clash_counts[i];
  add_box(region, share->box_min, share->box_max);
}

/* Sums pairs of one region. */
static void classify_run(region_making *making, size_t first, size_t end, graze_region *sum) {
  const index_pair *pairs = making->ordered.data;
  last_hash last = {.primitive = UINT32_MAX};
  begin_sum(sum);
  for (size_t i = first; i < end; i++) {
    graze_clash clash = GRAZE_CLASH_TOUCHING;
    exact_box box;
    if (!clash_of_pair(&making->work, pairs[i], &clash, &box)) refuse(making, i);
    making->clashes[i] = (uint8_t)clash;
    sum->clash_counts[clash] += 1;
    sum->id += hash_pair(making, i, &last);
    add_box(sum, box.min, box.max);
  }
}

/* A task sums the regions that lie entirely in it. The sums of the first and the last region, shared with other tasks,
 * go to its shares. */
static void classify_task(void *context, uint32_t task, uint32_t worker) {
  region_making *making = context;
  const uint32_t *region_of = making->region_of.data;
  graze_region *shares = ARRAY_AS(graze_region, &making->shares) + 2 * (size_t)task;
  const size_t first = (size_t)task * REGION_GRAIN;
  const size_t end = first + REGION_GRAIN < making->count ? first + REGION_GRAIN : making->count;
  (void)worker;
  begin_sum(&shares[0]);
  begin_sum(&shares[1]);
  for (size_t begin = first, last; begin < end && !stop_is_requested(making->work.stop); begin = last) {
    graze_region *region = &making->regions[region_of[begin]], sum;
    last = region->first_pair + region->pair_count < end ? region->first_pair + region->pair_count : end;
    classify_run(making, begin, last, &sum);
    if (last - begin == region->pair_count)
      add_sum(region, &sum);
    else
      add_sum(&shares[begin == first ? 0 : 1], &sum);
  }
}

/* Adds the shares of the tasks. */
static void add_shares(region_making *making, size_t task_count) {
  const uint32_t *region_of = making->region_of.data;
  const graze_region *shares = making->shares.data;
  for (size_t i = 0; i < task_count; i++) {
    const size_t first = i * REGION_GRAIN;
    const size_t end = first + REGION_GRAIN < making->count ? first + REGION_GRAIN : making->count;
    add_sum(&making->regions[region_of[first]], &shares[2 * i]);
    add_sum(&making->regions[region_of[end - 1]], &shares[2 * i + 1]);
  }
}

static void finish_region(const region_making *making, graze_region *region) {
  region->object_a = making->pairs[region->first_pair].object_a;
  region->object_b = making->pairs[region->first_pair].object_b;
  for (int i = 0; i < GRAZE_CLASH_KINDS; i++)
    if (region->clash_counts[i] > 0) region->clash = (graze_clash)i;
  for (int axis = 0; axis < 3; axis++) { /* makes zero positive, whatever the first pair is */
    region->box_min[axis] += 0.0;
    region->box_max[axis] += 0.0;
  }
}

static graze_result class_pairs(region_making *making) {
  const size_t task_count = (making->count + REGION_GRAIN - 1) / REGION_GRAIN;
  if (!array_resize(&making->shares, making->work.heap, 2 * task_count)) return scene_fail_memory(making->scene);
  for (size_t i = 0; i < making->region_count; i++) begin_sum(&making->regions[i]);
  workers_run(making->work.team, classify_task, making, (uint32_t)task_count);
  if (stop_is_requested(making->work.stop)) return GRAZE_STOPPED;
  const size_t bad = atomic_load(&making->first_bad);
  if (bad < making->count)
    return scene_fail_pair(making->scene, &making->pairs[bad], ARRAY_AS(uint32_t, &making->order)[bad]);
  graze_regions *fields = making->fields;
  add_shares(making, task_count);
  for (size_t i = 0; i < making->region_count; i++) finish_region(making, &making->regions[i]);
  fields->hash = graze_pairs_hash(making->pairs, making->count);
  fields->regions = making->regions;
  fields->count = making->region_count;
  fields->pairs = making->pairs;
  fields->clashes = making->clashes;
  fields->pair_count = making->count;
  return separate_ids(making);
}

/* ---------------------------------------------------------------------------------------------- depths */

static graze_result make_points(region_making *making) {
  const size_t room = making->count < making->region_count * GRAZE_REGION_POINTS
                          ? making->count
                          : making->region_count * GRAZE_REGION_POINTS;
  graze_region_point *points = answer_list_reserve(making->list, BLOCK_REGION_POINTS, room, sizeof *points);
  if (points == NULL || !array_resize(&making->measures, making->work.heap, making->count))
    return scene_fail_memory(making->scene);
  region_points_measure(&making->work, making->ordered.data, making->count, making->measures.data);
  if (stop_is_requested(making->work.stop)) return GRAZE_STOPPED;
  size_t point_count = 0;
  for (size_t i = 0; i < making->region_count; i++) {
    graze_region *region = &making->regions[i];
    graze_region_point chosen[GRAZE_REGION_POINTS];
    region->first_point = point_count;
    region->point_count = region_points_choose(making->measures.data, region->first_pair, region->pair_count, chosen);
    region->depth = chosen[0].depth;
    memcpy(points + point_count, chosen, region->point_count * sizeof *points);
    point_count += region->point_count;
  }
  making->fields->points = points;
  making->fields->point_count = point_count;
  return GRAZE_OK;
}

/* ---------------------------------------------------------------------------------------------- objects */

/* The mean normal of the contacts of a region; false if it has no direction. */
static bool mean_normal(const region_making *making, const graze_region *region, double normal_out[3]) {
  const graze_region_point *measures = making->measures.data;
  vector3 sum = vector3_make(0.0, 0.0, 0.0);
  for (size_t i = 0; i < region->pair_count; i++)
    sum = vector3_add(sum, vector3_load(measures[region->first_pair + i].normal));
  const double length = vector3_length(sum);
  if (!(length > 1e-6 * (double)region->pair_count)) return false;
  vector3_store(vector3_scale(sum, 1.0 / length), normal_out);
  return true;
}

/* The directions of the deepest regions of two objects. */
static uint32_t region_directions(const region_making *making, const graze_region_objects *objects,
                                  double directions_out[REGION_DIRECTIONS][3]) {
  size_t deepest[REGION_DIRECTIONS];
  uint32_t kept = 0, count = 0;
  for (size_t i = objects->first_region; i < objects->first_region + objects->region_count; i++) {
    uint32_t place = kept;
    while (place > 0 && making->regions[deepest[place - 1]].depth < making->regions[i].depth) place--;
    if (place == REGION_DIRECTIONS) continue;
    if (kept < REGION_DIRECTIONS) kept++;
    memmove(deepest + place + 1, deepest + place, (kept - 1 - place) * sizeof *deepest);
    deepest[place] = i;
  }
  for (uint32_t i = 0; i < kept; i++)
    if (mean_normal(making, &making->regions[deepest[i]], directions_out[count])) count++;
  return count;
}

static uint64_t ordered_key(const region_making *making, const graze_region *region) {
  return object_key(making, ARRAY_AS(index_pair, &making->ordered)[region->first_pair]);
}

static size_t list_objects(const region_making *making, graze_region_objects *objects) {
  size_t count = 0;
  for (size_t i = 0; i < making->region_count; i++) {
    const graze_region *region = &making->regions[i];
    if (i == 0 || ordered_key(making, region) != ordered_key(making, region - 1)) {
      objects[count++] =
          (graze_region_objects){.object_a = region->object_a, .object_b = region->object_b, .first_region = i};
    }
    objects[count - 1].region_count += 1;
    objects[count - 1].pair_count += region->pair_count;
  }
  return count;
}

static graze_result measure_objects(const region_making *making, graze_region_objects *objects) {
  const uint64_t key = ordered_key(making, &making->regions[objects->first_region]);
  double directions[REGION_DIRECTIONS][3];
  if (key >> 32 == (uint32_t)key) return GRAZE_OK;
  const uint32_t count = region_directions(making, objects, directions);
  const bool complete = object_depth_find(&making->work, (uint32_t)(key >> 32), (uint32_t)key,
                                          (const double(*)[3])directions, count, &objects->depth, objects->normal);
  if (!complete) return scene_fail_memory(making->scene);
  return stop_is_requested(making->work.stop) ? GRAZE_STOPPED : GRAZE_OK;
}

static graze_result make_objects(region_making *making) {
  graze_region_objects *objects =
      answer_list_reserve(making->list, BLOCK_REGION_OBJECTS, making->region_count, sizeof *objects);
  if (objects == NULL) return scene_fail_memory(making->scene);
  making->fields->objects = objects;
  making->fields->object_pair_count = list_objects(making, objects);
  graze_result result = GRAZE_OK;
  for (size_t i = 0; i < making->fields->object_pair_count && making->options->object_depths && result == GRAZE_OK; i++)
    result = measure_objects(making, &objects[i]);
  return result;
}

/* ---------------------------------------------------------------------------------------------- the calls */

/* The global numbers of vertices, if an object has any. */
static graze_result list_vertex_numbers(region_making *making) {
  const scene_object *objects = scene_objects(making->scene);
  const size_t count = making->scene->object_count;
  bool some_given = false;
  for (size_t i = 0; i < count && !some_given; i++) some_given = objects[i].numbers.given;
  if (!some_given) return GRAZE_OK;
  if (!array_resize(&making->vertex_numbers, making->work.heap, count)) return scene_fail_memory(making->scene);
  part_vertices *numbers = making->vertex_numbers.data;
  for (size_t i = 0; i < count; i++)
    numbers[i] = (part_vertices){objects[i].numbers.vertices.data, objects[i].numbers.vertex};
  making->work.numbers = numbers;
  return GRAZE_OK;
}

static graze_result make(region_making *making) {
  graze_result result = list_vertex_numbers(making);
  if (result == GRAZE_OK) result = sort_pairs(making);
  if (result == GRAZE_OK) result = look_up_pairs(making);
  if (result == GRAZE_OK) result = group_pairs(making);
  if (result == GRAZE_OK) result = hash_names(making);
  if (result == GRAZE_OK) result = class_pairs(making);
  if (result == GRAZE_OK && making->options->depths) result = make_points(making);
  if (result == GRAZE_OK) result = make_objects(making);
  if (result == GRAZE_OK && making->options->curves)
    result = region_curves_write(making->scene, &making->work, &making->vertices, making->ordered.data,
                                 making->region_of.data, making->regions, making->list, making->fields);
  if (result == GRAZE_OK && stop_is_requested(making->work.stop)) result = GRAZE_STOPPED;
  return result;
}

/* Sets the fields of a list; after a failure, to those of an empty one. */
static graze_result fill(const graze_scene *scene, const graze_pair *pairs, size_t count,
                         const graze_region_options *options, stop_check *stop, graze_list_memory *list,
                         graze_regions *fields) {
  const graze_regions empty = *fields;
  if (count > 0 && pairs == NULL)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "the list of %zu pairs is NULL", count);
  if (count > PAIR_LIMIT)
    return scene_fail(scene, GRAZE_TOO_LARGE, "%zu pairs: regions support at most %zu", count, PAIR_LIMIT);
  if (count == 0) return GRAZE_OK;
  graze_result result = scene_check_on_host(scene);
  if (result != GRAZE_OK) return result;
  memory *heap = scene_scratch(scene);
  region_making making = {.scene = scene,
                          .options = options,
                          .work = {.measured = scene_measured(scene, options->test, heap),
                                   .rules = scene->rules,
                                   .vertex_count = scene->vertex_count,
                                   .primitive_count = scene->primitive_count,
                                   .heap = heap,
                                   .team = scene->workers,
                                   .stop = stop},
                          .list = list,
                          .count = count,
                          .given = pairs,
                          .fields = fields};
  making_init(&making);
  result = make(&making);
  making_release(&making);
  if (result != GRAZE_OK) *fields = empty;
  return result == GRAZE_STOPPED ? scene_fail(scene, result, "the caller stopped the query") : result;
}

static graze_result read_options(const graze_scene *scene, const graze_region_options *given_or_null,
                                 graze_region_options *options_out) {
  const graze_result result = definition_read(&region_options_definition, given_or_null, true, options_out);
  if (result != GRAZE_OK) return result;
  if (options_out->reserved)
    return scene_fail(scene, GRAZE_UNSUPPORTED, "the reserved field of the region options is not false");
  if (options_out->object_names == NULL && options_out->object_name_count > 0)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "the list of %zu object names is NULL",
                      options_out->object_name_count);
  if (!options_out->depths) options_out->object_depths = false;
  return scene_check_test(scene, options_out->test);
}

static graze_result check_query(const graze_query *query, const graze_region_options *options) {
  if (query->pair_limit != 0 || query->stop_after != 0)
    return fail(GRAZE_UNSUPPORTED, "regions need all pairs: pair_limit and stop_after are not supported");
  if (query->candidates_only)
    return fail(GRAZE_UNSUPPORTED, "regions need pairs that intersect: candidates_only does not test them");
  if (query->clearance > 0.0)
    return fail(GRAZE_UNSUPPORTED, "regions need pairs that intersect: the query has a clearance of %g",
                query->clearance);
  if (options->test != GRAZE_TEST_SAT && options->test != query->test)
    return fail(GRAZE_INVALID_ARGUMENT, "the test of the options is %s, but the query measures its pairs with %s",
                graze_enumeration_name(GRAZE_ENUMERATION_TEST, (int)options->test),
                graze_enumeration_name(GRAZE_ENUMERATION_TEST, (int)query->test));
  return GRAZE_OK;
}

/* The pairs use a block of the list that regions do not. */
static graze_result find(const graze_scene *scene, const graze_query *query, graze_region_options *options,
                         graze_list_memory *list, graze_regions *fields) {
  stop_check stops, *stop = NULL;
  if (query->should_stop != NULL) {
    stop_check_init(&stops, query->should_stop, query->stop_context);
    stop = &stops;
  }
  const pair_request request = {query, stop, false, false, list};
  pair_answer answer = {0};
  options->test = query->test;
  scene_lock_device(scene);
  graze_result result = scene->backend->find(scene, &request, &answer);
  scene_unlock_device(scene);
  if (result == GRAZE_STOPPED) return scene_fail(scene, result, "the caller stopped the query");
  const double begin = timer_now_ms();
  if (result == GRAZE_OK) result = fill(scene, answer.pairs, answer.count, options, stop, list, fields);
  if (result != GRAZE_OK) return result;
  answer.timings.regions_ms = timer_now_ms() - begin;
  answer.counters.pairs = answer.count;
  scene_record(scene, &answer.timings, &answer.counters, list);
  fields->timings = &list->timings;
  fields->counters = &list->counters;
  return GRAZE_OK;
}

graze_result graze_scene_make_regions(const graze_scene *scene, const graze_pair *pairs, size_t count,
                                      const graze_region_options *given, graze_regions *regions) {
  GUARD_FLOAT_ENVIRONMENT();
  if (scene == NULL) return scene_fail_null("scene");
  if (regions == NULL) return scene_fail_null("list of regions");
  graze_list_memory *list = regions->memory;
  graze_result result = scene_open_list(scene, &regions_definition, regions, &list);
  if (result != GRAZE_OK) return result;
  graze_regions fields = {.element_bytes = sizeof(graze_region), .memory = list};
  graze_region_options options;
  const double begin = timer_now_ms();
  result = read_options(scene, given, &options);
  if (result == GRAZE_OK) result = scene_check_updated(scene);
  if (result == GRAZE_OK) result = fill(scene, pairs, count, &options, NULL, list, &fields);
  if (result == GRAZE_OK) {
    const graze_timings timings = {.regions_ms = timer_now_ms() - begin};
    const graze_counters counters = {.pairs = count};
    scene_record(scene, &timings, &counters, list);
    fields.timings = &list->timings;
    fields.counters = &list->counters;
  }
  answer_list_write(&regions_definition, regions, &fields);
  return result;
}

graze_result graze_scene_find_regions(const graze_scene *scene, const graze_query *given_query,
                                      const graze_region_options *given, graze_regions *regions) {
  GUARD_FLOAT_ENVIRONMENT();
  if (scene == NULL) return scene_fail_null("scene");
  if (regions == NULL) return scene_fail_null("list of regions");
  graze_list_memory *list = regions->memory;
  graze_result result = scene_open_list(scene, &regions_definition, regions, &list);
  if (result != GRAZE_OK) return result;
  graze_regions fields = {.element_bytes = sizeof(graze_region), .memory = list};
  graze_query query;
  graze_region_options options;
  result = read_options(scene, given, &options);
  if (result == GRAZE_OK) result = scene_read_query(scene, given_query, &query);
  if (result == GRAZE_OK) result = check_query(&query, &options);
  if (result == GRAZE_OK) result = find(scene, &query, &options, list, &fields);
  answer_list_write(&regions_definition, regions, &fields);
  return result;
}
