/* Groups, classifies and measures pairs.
 *
 * 1. Sort the pairs if necessary, and look them up.
 *
 * 2. Group them (region_groups.h), and put them in the order of regions, which all later steps use.
 *
 * 3. Classify each pair by exact signs, and sum over each region. Hash its corners, for the region's id.
 *
 * 4. Compute depths, curves and objects, if requested.
 *
 * Everything runs on the host, whatever backend found the pairs. */
#include "regions/region_list.h"

#include "base/pair_hash.h"
#include "base/radix_sort.h"
#include "geometry/vector.h"
#include "regions/clash_kind.h"
#include "regions/region_curves.h"
#include "regions/region_depths.h"
#include "scene/object_numbers.h"
#include "scene/scene_failure.h"

#include <stdlib.h>
#include <string.h>

/* Blocks of a list's memory, beside the pairs of a query. */
enum {
  BLOCK_REGIONS = 3,
  BLOCK_REGION_PAIRS = 4,
  BLOCK_CLASHES = 5,
  BLOCK_REGION_POINTS = 6,
  BLOCK_CURVES = 7,
  BLOCK_CURVE_VERTICES = 8,
  BLOCK_REGION_OBJECTS = 9
};

typedef struct region_job {
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
} region_job;

static void region_job_init(region_job *job) {
  array_init(&job->sorted, sizeof(graze_pair));
  array_init(&job->numbers, sizeof(index_pair));
  array_init(&job->ordered, sizeof(index_pair));
  array_init(&job->region_of, sizeof(uint32_t));
  array_init(&job->order, sizeof(uint32_t));
  array_init(&job->shares, sizeof(graze_region));
  array_init(&job->measures, sizeof(graze_region_point));
  array_init(&job->vertex_numbers, sizeof(part_vertices));
  array_init(&job->name_hashes, sizeof(uint64_t));
  region_vertices_init(&job->vertices);
  atomic_init(&job->first_bad, SIZE_MAX);
}

static void region_job_release(region_job *job) {
  memory *heap = job->work.heap;
  ARRAYS_RELEASE(heap, &job->sorted, &job->numbers, &job->ordered, &job->region_of, &job->order, &job->shares,
                 &job->measures, &job->vertex_numbers, &job->name_hashes);
  region_vertices_release(&job->vertices, heap);
}

static void refuse_pair(region_job *job, size_t pair) {
  size_t seen = atomic_load(&job->first_bad);
  while (pair < seen && !atomic_compare_exchange_weak(&job->first_bad, &seen, pair)) {
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
static graze_result sort_pairs(region_job *job) {
  bool is_sorted = true;
  for (size_t i = 1; i < job->count && is_sorted; i++)
    is_sorted = compare_pairs(&job->given[i - 1], &job->given[i]) < 0;
  if (is_sorted) return GRAZE_OK;
  if (!array_resize(&job->sorted, job->work.heap, job->count)) return scene_fail_memory(job->scene);
  graze_pair *sorted = job->sorted.data;
  memcpy(sorted, job->given, job->count * sizeof *sorted);
  qsort(sorted, job->count, sizeof *sorted, compare_pairs);
  for (size_t i = 1; i < job->count; i++)
    if (compare_pairs(&sorted[i - 1], &sorted[i]) == 0)
      return scene_fail(job->scene, GRAZE_INVALID_ARGUMENT,
                        "primitive %u of object %u and primitive %u of object %u are given as a pair twice",
                        sorted[i].primitive_a, sorted[i].object_a, sorted[i].primitive_b, sorted[i].object_b);
  job->given = sorted;
  return GRAZE_OK;
}

static void look_up_range(void *context, size_t first, size_t end, uint32_t worker) {
  region_job *job = context;
  index_pair *numbers = job->numbers.data;
  (void)worker;
  for (size_t i = first; i < end; i++)
    if (!scene_pair_numbers(job->scene, &job->given[i], &numbers[i])) refuse_pair(job, i);
}

static graze_result look_up_pairs(region_job *job) {
  if (!array_resize(&job->numbers, job->work.heap, job->count)) return scene_fail_memory(job->scene);
  workers_for(job->work.team, job->count, 4 * REGION_GRAIN, look_up_range, job);
  const size_t bad = atomic_load(&job->first_bad);
  return bad < job->count ? scene_fail_pair(job->scene, &job->given[bad], bad) : GRAZE_OK;
}

/* ---------------------------------------------------------------------------------------------- groups */

/* Numbers regions in the order of their first pairs, in region_of; returns their number. */
static size_t number_regions(const region_job *job) {
  uint32_t *region_of = job->region_of.data;
  size_t region_count = 0;
  for (size_t i = 0; i < job->count; i++)
    region_of[i] = region_of[i] == i ? (uint32_t)region_count++ : region_of[region_of[i]];
  return region_count;
}

/* Both objects, by those that represent their parts, as other objects may have the same public number. */
static uint64_t object_key(const region_job *job, index_pair numbers) {
  return (uint64_t)region_whole(&job->work, numbers.a) << 32 | region_whole(&job->work, numbers.b);
}

/* The rank of each region by (object_a, object_b), then by its first pair. Sorts by the minor key first, as the sort is
 * stable. */
static bool rank_regions(const region_job *job, uint32_t *rank_of) {
  const uint32_t *region_of = job->region_of.data;
  const size_t count = job->region_count;
  memory *heap = job->work.heap;
  uint64_t *keys = memory_allocate(heap, 2 * count, sizeof *keys);
  uint32_t *values = memory_allocate(heap, 3 * count, sizeof *values),
           *first_of = values != NULL ? values + 2 * count : NULL;
  const bool complete = keys != NULL && values != NULL;
  for (size_t i = job->count; complete && i > 0; i--) first_of[region_of[i - 1]] = (uint32_t)(i - 1);
  for (size_t i = 0; complete && i < count; i++) {
    values[i] = (uint32_t)i;
    keys[i] = object_key(job, ARRAY_AS(index_pair, &job->numbers)[first_of[i]]);
  }
  if (complete) radix_sort_pairs(keys, values, keys + count, values + count, count, 64);
  for (size_t i = 0; complete && i < count; i++) {
    const graze_pair *pair = &job->given[first_of[values[i]]];
    keys[i] = (uint64_t)pair->object_a << 32 | pair->object_b;
  }
  if (complete) radix_sort_pairs(keys, values, keys + count, values + count, count, 64);
  for (size_t i = 0; complete && i < count; i++) rank_of[values[i]] = (uint32_t)i;
  memory_release(heap, values, 3 * count, sizeof *values);
  memory_release(heap, keys, 2 * count, sizeof *keys);
  return complete;
}

/* The start of each region's pairs, and the list of its pairs. */
static void place_pairs(const region_job *job, const uint32_t *rank_of) {
  uint32_t *region_of = job->region_of.data, *order = job->order.data;
  for (size_t i = 0; i < job->count; i++) job->regions[rank_of[region_of[i]]].pair_count += 1;
  size_t first = 0;
  for (size_t i = 0; i < job->region_count; i++) {
    job->regions[i].first_pair = first;
    first += job->regions[i].pair_count;
    job->regions[i].pair_count = 0;
  }
  for (size_t i = 0; i < job->count; i++) {
    graze_region *region = &job->regions[rank_of[region_of[i]]];
    order[region->first_pair + region->pair_count++] = (uint32_t)i;
  }
}

static void order_range(void *context, size_t first, size_t end, uint32_t worker) {
  const region_job *job = context;
  const index_pair *numbers = job->numbers.data;
  const uint32_t *order = job->order.data;
  (void)worker;
  for (size_t i = first; i < end; i++) {
    job->pairs[i] = job->given[order[i]];
    ARRAY_AS(index_pair, &job->ordered)[i] = numbers[order[i]];
  }
}

static bool order_pairs(region_job *job) {
  memory *heap = job->work.heap;
  const size_t count = job->count;
  job->region_count = number_regions(job);
  uint32_t *rank_of = memory_allocate(heap, job->region_count, sizeof *rank_of);
  job->regions = answer_list_reserve(job->list, BLOCK_REGIONS, job->region_count, sizeof *job->regions);
  job->pairs = answer_list_reserve(job->list, BLOCK_REGION_PAIRS, count, sizeof *job->pairs);
  job->clashes = answer_list_reserve(job->list, BLOCK_CLASHES, count, sizeof *job->clashes);
  const bool complete = rank_of != NULL && job->regions != NULL && job->pairs != NULL && job->clashes != NULL &&
                        array_resize(&job->order, heap, count) && array_resize(&job->ordered, heap, count) &&
                        rank_regions(job, rank_of);
  if (complete) {
    memset(job->regions, 0, job->region_count * sizeof *job->regions);
    place_pairs(job, rank_of);
    workers_for(job->work.team, count, 4 * REGION_GRAIN, order_range, job);
    uint32_t *region_of = job->region_of.data;
    for (size_t i = 0; i < job->region_count; i++)
      for (size_t j = 0; j < job->regions[i].pair_count; j++) region_of[job->regions[i].first_pair + j] = (uint32_t)i;
  }
  memory_release(heap, rank_of, job->region_count, sizeof *rank_of);
  return complete;
}

static graze_result group_pairs(region_job *job) {
  const index_pair *numbers = job->numbers.data;
  const bool complete = array_resize(&job->region_of, job->work.heap, job->count) &&
                        region_vertices_make(&job->work, numbers, job->count, &job->vertices);
  if (!complete) return scene_fail_memory(job->scene);
  if (stop_is_requested(job->work.stop)) return GRAZE_STOPPED;
  if (!region_groups_find(&job->work, &job->vertices, numbers, job->count, job->region_of.data))
    return scene_fail_memory(job->scene);
  if (stop_is_requested(job->work.stop)) return GRAZE_STOPPED;
  return order_pairs(job) ? GRAZE_OK : scene_fail_memory(job->scene);
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

static graze_result hash_names(region_job *job) {
  const graze_region_options *options = job->options;
  if (options->object_names == NULL) return GRAZE_OK;
  if (!array_resize(&job->name_hashes, job->work.heap, options->object_name_count))
    return scene_fail_memory(job->scene);
  for (size_t i = 0; i < options->object_name_count; i++) {
    uint64_t hash = 0;
    for (const char *c = options->object_names[i]; c != NULL && *c != '\0'; c++)
      hash = hash_append(hash, (unsigned char)*c);
    ARRAY_AS(uint64_t, &job->name_hashes)[i] = pair_hash_mix(hash);
  }
  return GRAZE_OK;
}

static uint64_t hash_primitive(const region_job *job, uint32_t object, uint32_t primitive) {
  const object_source *source = region_source(&job->work, primitive);
  const corner_list corners = corners_of(source, primitive);
  uint64_t sum = object < job->name_hashes.count ? ARRAY_AS(uint64_t, &job->name_hashes)[object] : 0;
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
static uint64_t hash_pair(const region_job *job, size_t pair, last_hash *last) {
  const index_pair numbers = ARRAY_AS(index_pair, &job->ordered)[pair];
  const graze_pair *objects = &job->pairs[pair];
  if (last->primitive != numbers.a) *last = (last_hash){numbers.a, hash_primitive(job, objects->object_a, numbers.a)};
  return pair_hash_mix(last->hash + hash_primitive(job, objects->object_b, numbers.b));
}

/* Appends k to the id of the k-th of several regions with equal ids; the first keeps it. */
static graze_result separate_ids(const region_job *job) {
  memory *heap = job->work.heap;
  const size_t count = job->region_count;
  uint64_t *ids = memory_allocate(heap, 2 * count, sizeof *ids);
  uint32_t *order = memory_allocate(heap, 2 * count, sizeof *order);
  const bool complete = ids != NULL && order != NULL;
  for (size_t i = 0; complete && i < count; i++) {
    ids[i] = job->regions[i].id;
    order[i] = (uint32_t)i;
  }
  if (complete) radix_sort_pairs(ids, order, ids + count, order + count, count, 64);
  for (size_t i = 1, first = 0; complete && i < count; i++) {
    if (ids[i] != ids[first]) first = i;
    if (i > first) job->regions[order[i]].id = pair_hash_mix(ids[i] + (i - first));
  }
  memory_release(heap, order, 2 * count, sizeof *order);
  memory_release(heap, ids, 2 * count, sizeof *ids);
  return complete ? GRAZE_OK : scene_fail_memory(job->scene);
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
static void classify_run(region_job *job, size_t first, size_t end, graze_region *sum) {
  const index_pair *pairs = job->ordered.data;
  last_hash last = {.primitive = UINT32_MAX};
  begin_sum(sum);
  for (size_t i = first; i < end; i++) {
    graze_clash clash = GRAZE_CLASH_TOUCHING;
    exact_box box;
    if (!clash_of_pair(&job->work, pairs[i], &clash, &box)) refuse_pair(job, i);
    job->clashes[i] = (uint8_t)clash;
    sum->clash_counts[clash] += 1;
    sum->id += hash_pair(job, i, &last);
    add_box(sum, box.min, box.max);
  }
}

/* A task sums the regions that lie entirely in it. The sums of the first and the last region, shared with other tasks,
 * go to its shares. */
static void classify_task(void *context, uint32_t task, uint32_t worker) {
  region_job *job = context;
  const uint32_t *region_of = job->region_of.data;
  graze_region *shares = ARRAY_AS(graze_region, &job->shares) + 2 * (size_t)task;
  const size_t first = (size_t)task * REGION_GRAIN;
  const size_t end = first + REGION_GRAIN < job->count ? first + REGION_GRAIN : job->count;
  (void)worker;
  begin_sum(&shares[0]);
  begin_sum(&shares[1]);
  for (size_t begin = first, last; begin < end && !stop_is_requested(job->work.stop); begin = last) {
    graze_region *region = &job->regions[region_of[begin]], sum;
    last = region->first_pair + region->pair_count < end ? region->first_pair + region->pair_count : end;
    classify_run(job, begin, last, &sum);
    if (last - begin == region->pair_count)
      add_sum(region, &sum);
    else
      add_sum(&shares[begin == first ? 0 : 1], &sum);
  }
}

/* Adds the shares of the tasks. */
static void add_shares(region_job *job, size_t task_count) {
  const uint32_t *region_of = job->region_of.data;
  const graze_region *shares = job->shares.data;
  for (size_t i = 0; i < task_count; i++) {
    const size_t first = i * REGION_GRAIN;
    const size_t end = first + REGION_GRAIN < job->count ? first + REGION_GRAIN : job->count;
    add_sum(&job->regions[region_of[first]], &shares[2 * i]);
    add_sum(&job->regions[region_of[end - 1]], &shares[2 * i + 1]);
  }
}

static void finish_region(const region_job *job, graze_region *region) {
  region->object_a = job->pairs[region->first_pair].object_a;
  region->object_b = job->pairs[region->first_pair].object_b;
  for (int i = 0; i < GRAZE_CLASH_KINDS; i++)
    if (region->clash_counts[i] > 0) region->clash = (graze_clash)i;
  for (int axis = 0; axis < 3; axis++) { /* makes zero positive, whatever the first pair is */
    region->box_min[axis] += 0.0;
    region->box_max[axis] += 0.0;
  }
}

static graze_result class_pairs(region_job *job) {
  const size_t task_count = (job->count + REGION_GRAIN - 1) / REGION_GRAIN;
  if (!array_resize(&job->shares, job->work.heap, 2 * task_count)) return scene_fail_memory(job->scene);
  for (size_t i = 0; i < job->region_count; i++) begin_sum(&job->regions[i]);
  workers_run(job->work.team, classify_task, job, (uint32_t)task_count);
  if (stop_is_requested(job->work.stop)) return GRAZE_STOPPED;
  const size_t bad = atomic_load(&job->first_bad);
  if (bad < job->count) return scene_fail_pair(job->scene, &job->pairs[bad], ARRAY_AS(uint32_t, &job->order)[bad]);
  graze_regions *fields = job->fields;
  add_shares(job, task_count);
  for (size_t i = 0; i < job->region_count; i++) finish_region(job, &job->regions[i]);
  fields->hash = graze_pairs_hash(job->pairs, job->count);
  fields->regions = job->regions;
  fields->count = job->region_count;
  fields->pairs = job->pairs;
  fields->clashes = job->clashes;
  fields->pair_count = job->count;
  return separate_ids(job);
}

/* ---------------------------------------------------------------------------------------------- depths */

static graze_result make_points(region_job *job) {
  const size_t room =
      job->count < job->region_count * GRAZE_REGION_POINTS ? job->count : job->region_count * GRAZE_REGION_POINTS;
  graze_region_point *points = answer_list_reserve(job->list, BLOCK_REGION_POINTS, room, sizeof *points);
  if (points == NULL || !array_resize(&job->measures, job->work.heap, job->count)) return scene_fail_memory(job->scene);
  region_points_measure(&job->work, job->ordered.data, job->count, job->measures.data);
  if (stop_is_requested(job->work.stop)) return GRAZE_STOPPED;
  size_t point_count = 0;
  for (size_t i = 0; i < job->region_count; i++) {
    graze_region *region = &job->regions[i];
    graze_region_point chosen[GRAZE_REGION_POINTS];
    region->first_point = point_count;
    region->point_count = region_points_choose(job->measures.data, region->first_pair, region->pair_count, chosen);
    region->depth = chosen[0].depth;
    memcpy(points + point_count, chosen, region->point_count * sizeof *points);
    point_count += region->point_count;
  }
  job->fields->points = points;
  job->fields->point_count = point_count;
  return GRAZE_OK;
}

/* ---------------------------------------------------------------------------------------------- objects */

/* The mean normal of the contacts of a region; false if it has no direction. */
static bool mean_normal(const region_job *job, const graze_region *region, double normal_out[3]) {
  const graze_region_point *measures = job->measures.data;
  vector3 sum = vector3_make(0.0, 0.0, 0.0);
  for (size_t i = 0; i < region->pair_count; i++)
    sum = vector3_add(sum, vector3_load(measures[region->first_pair + i].normal));
  const double length = vector3_length(sum);
  if (!(length > 1e-6 * (double)region->pair_count)) return false;
  vector3_store(vector3_scale(sum, 1.0 / length), normal_out);
  return true;
}

/* The directions of the deepest regions of two objects. */
static uint32_t region_directions(const region_job *job, const graze_region_objects *objects,
                                  double directions_out[REGION_DIRECTIONS][3]) {
  size_t deepest[REGION_DIRECTIONS];
  uint32_t kept = 0, count = 0;
  for (size_t i = objects->first_region; i < objects->first_region + objects->region_count; i++) {
    uint32_t place = kept;
    while (place > 0 && job->regions[deepest[place - 1]].depth < job->regions[i].depth) place--;
    if (place == REGION_DIRECTIONS) continue;
    if (kept < REGION_DIRECTIONS) kept++;
    memmove(deepest + place + 1, deepest + place, (kept - 1 - place) * sizeof *deepest);
    deepest[place] = i;
  }
  for (uint32_t i = 0; i < kept; i++)
    if (mean_normal(job, &job->regions[deepest[i]], directions_out[count])) count++;
  return count;
}

static uint64_t ordered_key(const region_job *job, const graze_region *region) {
  return object_key(job, ARRAY_AS(index_pair, &job->ordered)[region->first_pair]);
}

static size_t list_objects(const region_job *job, graze_region_objects *objects) {
  size_t count = 0;
  for (size_t i = 0; i < job->region_count; i++) {
    const graze_region *region = &job->regions[i];
    if (i == 0 || ordered_key(job, region) != ordered_key(job, region - 1)) {
      objects[count++] =
          (graze_region_objects){.object_a = region->object_a, .object_b = region->object_b, .first_region = i};
    }
    objects[count - 1].region_count += 1;
    objects[count - 1].pair_count += region->pair_count;
  }
  return count;
}

static graze_result measure_objects(const region_job *job, graze_region_objects *objects) {
  const uint64_t key = ordered_key(job, &job->regions[objects->first_region]);
  double directions[REGION_DIRECTIONS][3];
  if (key >> 32 == (uint32_t)key) return GRAZE_OK;
  const uint32_t count = region_directions(job, objects, directions);
  const bool complete = object_depth_find(&job->work, (uint32_t)(key >> 32), (uint32_t)key,
                                          (const double(*)[3])directions, count, &objects->depth, objects->normal);
  if (!complete) return scene_fail_memory(job->scene);
  return stop_is_requested(job->work.stop) ? GRAZE_STOPPED : GRAZE_OK;
}

static graze_result make_objects(region_job *job) {
  graze_region_objects *objects =
      answer_list_reserve(job->list, BLOCK_REGION_OBJECTS, job->region_count, sizeof *objects);
  if (objects == NULL) return scene_fail_memory(job->scene);
  job->fields->objects = objects;
  job->fields->object_pair_count = list_objects(job, objects);
  graze_result result = GRAZE_OK;
  for (size_t i = 0; i < job->fields->object_pair_count && job->options->object_depths && result == GRAZE_OK; i++)
    result = measure_objects(job, &objects[i]);
  return result;
}

/* ---------------------------------------------------------------------------------------------- curves */

/* In the order of regions, faces by the numbers of their objects, points with coordinates. */
typedef struct curve_output {
  const graze_scene *scene;
  const region_scene *work;
  const region_vertices *vertices;
  const curve_set *set;
  const uint32_t *chain_of; /* per written curve */
  const graze_curve *curves;
  graze_curve_vertex *written;
} curve_output;

/* The global number of a vertex or primitive, or its own number if the object has none. */
static uint32_t public_number_of_own(const scene_object *object, bool is_vertex, uint32_t own) {
  uint32_t number = own;
  if (object->numbers.given) object_numbers_copy(object, is_vertex, own, 1, &number);
  return number;
}

static uint32_t public_vertex(const curve_output *output, uint32_t place) {
  const uint32_t vertex = ARRAY_AS(uint32_t, &output->vertices->vertex_of)[place];
  const uint32_t slot = ARRAY_AS(uint32_t, &output->vertices->object_of)[place];
  const scene_object *object = &scene_objects(output->scene)[slot];
  return public_number_of_own(object, true, vertex - object->first_vertex);
}

static graze_face public_face(const curve_output *output, face_name name) {
  graze_face face = {(graze_face_kind)name.kind, name.first, name.second};
  if (face.kind == GRAZE_FACE_INSIDE) {
    const scene_object *owner = &scene_objects(output->scene)[scene_owner(output->scene, name.first)];
    face.first = public_number_of_own(owner, false, name.first - owner->first_primitive);
    return face;
  }
  face.first = public_vertex(output, name.first);
  face.second = public_vertex(output, name.second);
  return face;
}

static void write_curve_range(void *context, size_t first, size_t end, uint32_t worker) {
  const curve_output *output = context;
  const curve_node *nodes = output->set->nodes.data;
  const uint32_t *members = output->set->members.data;
  (void)worker;
  for (size_t i = first; i < end; i++) {
    const curve_chain *chain = &ARRAY_AS(curve_chain, &output->set->chains)[output->chain_of[i]];
    for (size_t j = 0; j < chain->count; j++) {
      const curve_node *node = &nodes[members[chain->first + j]];
      graze_curve_vertex *vertex = &output->written[output->curves[i].first_vertex + j];
      vertex->face_a = public_face(output, node->a);
      vertex->face_b = public_face(output, node->b);
      curve_node_locate(output->work, output->vertices, node, vertex->position);
    }
  }
}

/* Orders curves by regions, stably. `chain_of` receives the chain of each. */
static void order_curves(const curve_set *set, const uint32_t *region_of, graze_region *regions, size_t region_count,
                         uint32_t *chain_of, graze_curve *curves) {
  const curve_chain *chains = set->chains.data;
  size_t first = 0;
  for (size_t i = 0; i < set->chains.count; i++) regions[region_of[chains[i].pair]].curve_count += 1;
  for (size_t i = 0; i < region_count; i++) {
    regions[i].first_curve = first;
    first += regions[i].curve_count;
    regions[i].curve_count = 0;
  }
  for (size_t i = 0; i < set->chains.count; i++) {
    graze_region *region = &regions[region_of[chains[i].pair]];
    const size_t place = region->first_curve + region->curve_count++;
    chain_of[place] = (uint32_t)i;
    graze_curve *const curve = &curves[place];
    memset(curve, 0, sizeof *curve); /* lists are equal to the bit, in padding too */
    curve->kind = (graze_curve_kind)chains[i].kind;
    curve->closed = chains[i].closed;
    curve->region = region_of[chains[i].pair];
    curve->vertex_count = chains[i].count;
  }
  first = 0;
  for (size_t i = 0; i < set->chains.count; i++) {
    curves[i].first_vertex = first;
    first += curves[i].vertex_count;
  }
}

static graze_result write_curve_set(curve_output *output, const uint32_t *region_of, graze_region *regions,
                                    graze_list_memory *list, graze_regions *fields) {
  const curve_set *set = output->set;
  memory *heap = output->work->heap;
  const size_t count = set->chains.count;
  uint32_t *chain_of = memory_allocate(heap, count, sizeof *chain_of);
  graze_curve *curves = answer_list_reserve(list, BLOCK_CURVES, count, sizeof *curves);
  output->written = answer_list_reserve(list, BLOCK_CURVE_VERTICES, set->members.count, sizeof *output->written);
  const bool complete = chain_of != NULL && curves != NULL && output->written != NULL;
  if (complete) {
    order_curves(set, region_of, regions, fields->count, chain_of, curves);
    output->chain_of = chain_of;
    output->curves = curves;
    workers_for(output->work->team, count, 8, write_curve_range, output);
    fields->curves = curves;
    fields->curve_count = count;
    fields->vertices = output->written;
    fields->vertex_count = set->members.count;
  }
  memory_release(heap, chain_of, count, sizeof *chain_of);
  return complete ? GRAZE_OK : scene_fail_memory(output->scene);
}

static graze_result write_curves(const graze_scene *scene, const region_scene *work, const region_vertices *vertices,
                                 const index_pair *pairs, const uint32_t *region_of, graze_region *regions,
                                 graze_list_memory *list, graze_regions *fields) {
  curve_set set = {0};
  curve_output output = {.scene = scene, .work = work, .vertices = vertices, .set = &set};
  graze_result result =
      curve_set_make(work, vertices, pairs, fields->pair_count, &set) ? GRAZE_OK : scene_fail_memory(scene);
  if (result == GRAZE_OK && !stop_is_requested(work->stop))
    result = write_curve_set(&output, region_of, regions, list, fields);
  curve_set_release(&set, work->heap);
  return result;
}

/* ---------------------------------------------------------------------------------------------- all steps */

/* The global numbers of vertices, if an object has any. */
static graze_result list_vertex_numbers(region_job *job) {
  const scene_object *objects = scene_objects(job->scene);
  const size_t count = job->scene->object_count;
  bool some_given = false;
  for (size_t i = 0; i < count && !some_given; i++) some_given = objects[i].numbers.given;
  if (!some_given) return GRAZE_OK;
  if (!array_resize(&job->vertex_numbers, job->work.heap, count)) return scene_fail_memory(job->scene);
  part_vertices *numbers = job->vertex_numbers.data;
  for (size_t i = 0; i < count; i++)
    numbers[i] = (part_vertices){objects[i].numbers.vertices.data, objects[i].numbers.vertex};
  job->work.numbers = numbers;
  return GRAZE_OK;
}

static graze_result make_list(region_job *job) {
  graze_result result = list_vertex_numbers(job);
  if (result == GRAZE_OK) result = sort_pairs(job);
  if (result == GRAZE_OK) result = look_up_pairs(job);
  if (result == GRAZE_OK) result = group_pairs(job);
  if (result == GRAZE_OK) result = hash_names(job);
  if (result == GRAZE_OK) result = class_pairs(job);
  if (result == GRAZE_OK && job->options->depths) result = make_points(job);
  if (result == GRAZE_OK) result = make_objects(job);
  if (result == GRAZE_OK && job->options->curves)
    result = write_curves(job->scene, &job->work, &job->vertices, job->ordered.data, job->region_of.data, job->regions,
                          job->list, job->fields);
  if (result == GRAZE_OK && stop_is_requested(job->work.stop)) result = GRAZE_STOPPED;
  return result;
}

graze_result region_list_make(const graze_scene *scene, const graze_pair *pairs, size_t count,
                              const graze_region_options *options, stop_check *stop, graze_list_memory *list,
                              graze_regions *fields) {
  memory *heap = scene_scratch(scene);
  region_job job = {.scene = scene,
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
  region_job_init(&job);
  const graze_result result = make_list(&job);
  region_job_release(&job);
  return result;
}
