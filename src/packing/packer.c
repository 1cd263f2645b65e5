/* The rounds of a packing; see packer.h. */
#include "packing/packer.h"

#include "base/cell_hash.h"
#include "base/memory.h"
#include "packing/obstacle_tree.h"
#include "packing/prototype.h"

#include <string.h>

/* ---------------------------------------------------------------------------------------------- pores */

void pore_heap_init(pore_heap *heap) {
  array_init(&heap->pores, sizeof(pore));
  heap->next_number = 0;
}

void pore_heap_release(pore_heap *heap, memory *from) {
  array_release(&heap->pores, from);
}

bool pore_comes_before(const pore *a, const pore *b) {
  return a->sphere.radius > b->sphere.radius || (a->sphere.radius == b->sphere.radius && a->number < b->number);
}

const pore *pore_heap_top(const pore_heap *heap) {
  return heap->pores.count > 0 ? heap->pores.data : NULL;
}

bool pore_heap_add(pore_heap *heap, memory *from, const pore *added) {
  if (!array_resize(&heap->pores, from, heap->pores.count + 1)) return false;
  pore *pores = heap->pores.data;
  size_t place = heap->pores.count - 1;
  while (place > 0 && pore_comes_before(added, &pores[(place - 1) / 2])) {
    pores[place] = pores[(place - 1) / 2];
    place = (place - 1) / 2;
  }
  pores[place] = *added;
  return true;
}

/* Moves the pore at `place` down to its position among the first `count`. */
static void sink(pore *pores, size_t count, size_t place, pore sinking) {
  for (;;) {
    size_t child = 2 * place + 1;
    if (child >= count) break;
    if (child + 1 < count && pore_comes_before(&pores[child + 1], &pores[child])) child++;
    if (!pore_comes_before(&pores[child], &sinking)) break;
    pores[place] = pores[child];
    place = child;
  }
  pores[place] = sinking;
}

void pore_heap_drop_top(pore_heap *heap) {
  pore *pores = heap->pores.data;
  const size_t count = --heap->pores.count;
  if (count > 0) sink(pores, count, 0, pores[count]);
}

/* Heap sort, with a reversed heap at the end of the array: the first one from the top goes to the front. */
static void reverse(pore *pores, size_t count) {
  for (size_t i = 0; i < count / 2; i++) {
    const pore kept = pores[i];
    pores[i] = pores[count - 1 - i];
    pores[count - 1 - i] = kept;
  }
}

void pores_sort(pore *pores, size_t count) {
  for (size_t i = count / 2; i-- > 0;) sink(pores, count, i, pores[i]);
  for (size_t end = count; end > 1; end--) {
    const pore largest = pores[0];
    sink(pores, end - 1, 0, pores[end - 1]);
    pores[end - 1] = largest;
  }
  reverse(pores, count);
}

/* ---------------------------------------------------------------------------------------------- overlaps in a round */

/* The spheres of one round, and which of them overlap.
 *
 * They are of nearly the same size, so a hashed grid of cells as wide as the largest diameter has a few in each cell,
 * and all spheres that overlap one are in the 27 cells around it. */

typedef struct placing {
  double cell;        /* width */
  uint32_t *heads;    /* the last sphere of each slot, plus one; 0: none */
  uint32_t *before;   /* per sphere: the one before it in its slot, likewise */
  prototype *spheres; /* of the round */
  size_t slot_count, capacity, count;
} placing;

/* For at most `capacity` spheres of at most this radius. False when out of memory; call placing_close in either case.
 */
static bool placing_open(placing *round, memory *heap, size_t capacity, double largest_radius) {
  *round = (placing){.cell = 2.0 * largest_radius, .slot_count = 16, .capacity = capacity};
  while (round->slot_count < 2 * capacity) round->slot_count *= 2;
  round->heads = memory_allocate(heap, round->slot_count, sizeof *round->heads);
  round->before = memory_allocate(heap, capacity, sizeof *round->before);
  round->spheres = memory_allocate(heap, capacity, sizeof *round->spheres);
  if (round->heads == NULL || round->before == NULL || round->spheres == NULL) return false;
  memset(round->heads, 0, round->slot_count * sizeof *round->heads);
  return true;
}

static void placing_close(placing *round, memory *heap) {
  memory_release(heap, round->heads, round->slot_count, sizeof *round->heads);
  memory_release(heap, round->before, round->capacity, sizeof *round->before);
  memory_release(heap, round->spheres, round->capacity, sizeof *round->spheres);
}

/* Cells are numbered with 32 bits. A mesh with coordinates of at most 4 has fewer than 2^32 cells an axis unless
 * spheres are smaller than 2^-30; then distant cells share a slot, which only costs time. */
static int32_t cell_of(const placing *round, double coordinate) {
  return (int32_t)(uint32_t)(int64_t)floor(coordinate / round->cell);
}

static size_t slot_of(const placing *round, int32_t x, int32_t y, int32_t z) {
  return (size_t)(cell_hash_fnv1a(x, y, z, 0) & (round->slot_count - 1));
}

static bool overlap(const prototype *a, const prototype *b) {
  const vector3 offset = vector3_subtract(vector3_load(a->center), vector3_load(b->center));
  const double sum = a->radius + b->radius;
  return vector3_dot(offset, offset) < sum * sum;
}

static bool slot_overlaps(const placing *round, size_t slot, const prototype *sphere) {
  for (uint32_t i = round->heads[slot]; i > 0; i = round->before[i - 1])
    if (overlap(&round->spheres[i - 1], sphere)) return true;
  return false;
}

static int32_t step_from(int32_t cell, int step) {
  return (int32_t)((uint32_t)cell + (uint32_t)step);
}

/* Adds the sphere unless it overlaps an earlier one. */
static bool placing_try(placing *round, const prototype *sphere) {
  int32_t cell[3];
  for (int k = 0; k < 3; k++) cell[k] = cell_of(round, sphere->center[k]);
  for (int step = 0; step < 27; step++) {
    const size_t slot = slot_of(round, step_from(cell[0], step % 3 - 1), step_from(cell[1], step / 3 % 3 - 1),
                                step_from(cell[2], step / 9 - 1));
    if (slot_overlaps(round, slot, sphere)) return false;
  }
  const size_t slot = slot_of(round, cell[0], cell[1], cell[2]);
  round->before[round->count] = round->heads[slot];
  round->spheres[round->count] = *sphere;
  round->heads[slot] = (uint32_t)++round->count;
  return true;
}

/* ---------------------------------------------------------------------------------------------- generations */

/* Prototypes that do not start at a sphere: in the cells of a grid over the mesh, and below triangles, so that no thin
 * part is missed.
 *
 * They come in generations. The first is a few hundred cells and triangles, for the largest spheres, whose prototypes
 * reach much of the mesh and are slow. Each time the spheres have halved in size, a generation with four times as many
 * triangles follows, until every triangle was used, or enough of them. */

enum {
  SWEEP_CELLS = 1 << 14,
  FIRST_COUNT = 256,       /* of cells, and of triangles */
  TRIANGLES_MOST = 1 << 14 /* in larger meshes, every second, third, ... triangle starts one in the last generation */
};

/* The depth below its triangle at which a prototype starts, relative to the diagonal. */
#define BELOW_TRIANGLE 1e-4

typedef struct generation {
  packer *work;
  uint32_t cells[3];
  double width;
  size_t cell_count, stride;
} generation;

/* Chooses about the requested number of cells, or a few more, as cubic as possible. */
static void choose_grid(generation *now, size_t wanted) {
  const closed_mesh *mesh = now->work->mesh;
  now->width = mesh->diagonal;
  for (;;) {
    now->cell_count = 1;
    for (int k = 0; k < 3; k++) {
      now->cells[k] = (uint32_t)((mesh->greatest[k] - mesh->least[k]) / now->width) + 1;
      now->cell_count *= now->cells[k];
    }
    if (now->cell_count >= wanted) return;
    now->width *= 0.97;
  }
}

static void start_in_cell(const generation *now, size_t cell, double center_out[3]) {
  const uint32_t at[3] = {(uint32_t)(cell % now->cells[0]), (uint32_t)(cell / now->cells[0] % now->cells[1]),
                          (uint32_t)(cell / now->cells[0] / now->cells[1])};
  const uint64_t seed = now->work->limits.seed + now->work->generation;
  for (int k = 0; k < 3; k++)
    center_out[k] = now->work->mesh->least[k] + now->width * (at[k] + scrambled_fraction(seed, 3 * cell + (size_t)k));
}

static void start_below(const generation *now, size_t triangle, double center_out[3]) {
  vector3 corners[3];
  for (int i = 0; i < 3; i++) corners[i] = vector3_load(now->work->mesh->corners + 9 * triangle + 3 * i);
  const vector3 normal =
      vector3_cross(vector3_subtract(corners[1], corners[0]), vector3_subtract(corners[2], corners[0]));
  const double length = vector3_length(normal);
  const vector3 middle = vector3_scale(vector3_add(vector3_add(corners[0], corners[1]), corners[2]), 1.0 / 3.0);
  const double below = length > 0.0 ? BELOW_TRIANGLE * now->work->mesh->diagonal / length : 0.0;
  vector3_store(vector3_subtract(middle, vector3_scale(normal, below)), center_out);
}

static void start_range(void *context, size_t begin, size_t end, uint32_t worker) {
  const generation *now = context;
  prototype_job *jobs = now->work->jobs.data;
  (void)worker;
  for (size_t i = begin; i < end && !stop_is_requested(now->work->stop); i++) {
    double *center = jobs[i].sphere.center;
    if (i < now->cell_count)
      start_in_cell(now, i, center);
    else
      start_below(now, (i - now->cell_count) * now->stride, center);
    jobs[i].sphere.radius = 0.0;
    jobs[i].steps = JOB_IF_INSIDE | JOB_ASCEND;
  }
}

/* Whether a generation is due, given the radius of the largest pore. */
static bool generation_is_due(const packer *work, double radius) {
  if (work->generation == 0) return true;
  const bool all = work->generation_count >= TRIANGLES_MOST || work->generation_count >= work->mesh->triangle_count;
  return !all && radius < 0.5 * work->generation_radius;
}

/* Starts prototypes in the cells of the grid, and below triangles at regular intervals. */
static graze_result start_places(generation *now) {
  packer *work = now->work;
  const size_t below = (work->mesh->triangle_count + now->stride - 1) / now->stride;
  if (!array_resize(&work->jobs, work->heap, now->cell_count + below)) return GRAZE_OUT_OF_MEMORY;
  workers_for(work->team, work->jobs.count, 64, start_range, now);
  return stop_was_requested(work->stop) ? GRAZE_STOPPED : GRAZE_OK;
}

static size_t stride_for(const packer *work, size_t count) {
  return (work->mesh->triangle_count + count - 1) / count;
}

/* Fills the jobs with the next generation; some may start outside the mesh. */
static graze_result generation_start(packer *work) {
  generation now = {.work = work};
  work->generation_count = work->generation == 0 ? FIRST_COUNT : 4 * work->generation_count;
  work->generation++;
  if (work->generation == 1) choose_grid(&now, FIRST_COUNT);
  now.stride = stride_for(work, work->generation_count);
  return start_places(&now);
}

/* The same with places all over the mesh, for use when no pore is left; different ones each time. */
static graze_result generation_sweep(packer *work) {
  generation now = {.work = work, .stride = stride_for(work, TRIANGLES_MOST)};
  work->generation++;
  choose_grid(&now, SWEEP_CELLS);
  return start_places(&now);
}

/* ---------------------------------------------------------------------------------------------- rounds */

/* Pores within this fraction of the largest are taken in one round. */
#define ROUND_PART 0.9

/* Distance from a sphere's center at which prototypes start, in its radii. */
#define START_DISTANCE 1.1

enum { DIRECTIONS = 14 };

void packer_init(packer *target) {
  memset(target, 0, sizeof *target);
  obstacle_tree_memory_init(&target->mesh_memory);
  obstacle_tree_memory_init(&target->sphere_memory);
  array_init(&target->spheres, OBSTACLE_SPHERE_NUMBERS * sizeof(double));
  pore_heap_init(&target->pores);
  array_init(&target->batch, sizeof(pore));
  array_init(&target->jobs, sizeof(prototype_job));
}

void packer_release(packer *target) {
  obstacle_tree_memory_release(&target->mesh_memory, target->heap);
  obstacle_tree_memory_release(&target->sphere_memory, target->heap);
  array_release(&target->spheres, target->heap);
  pore_heap_release(&target->pores, target->heap);
  array_release(&target->batch, target->heap);
  array_release(&target->jobs, target->heap);
}

static graze_result rebuild_spheres(packer *work) {
  if (!obstacle_tree_build(&work->sphere_memory, work->heap, work->team, work->spheres.data, (uint32_t)work->count,
                           OBSTACLE_SPHERE_NUMBERS, &work->space.spheres))
    return GRAZE_OUT_OF_MEMORY;
  return work->stages.take_spheres(work->stages.context, &work->space.spheres);
}

static graze_result run_jobs(packer *work) {
  return work->stages.run(work->stages.context, work->jobs.data, work->jobs.count);
}

graze_result packer_refresh(packer *work, pore *pores, size_t count, uint64_t steps) {
  if (!array_resize(&work->jobs, work->heap, count)) return GRAZE_OUT_OF_MEMORY;
  prototype_job *jobs = work->jobs.data;
  for (size_t i = 0; i < count; i++)
    jobs[i] = (prototype_job){pores[i].sphere, pores[i].seen < work->count ? steps | JOB_ASCEND : steps};
  const graze_result result = run_jobs(work);
  for (size_t i = 0; i < count; i++) pores[i].sphere = jobs[i].sphere;
  return result;
}

static bool is_large_enough(const packer *work, double clearance) {
  return safe_radius(clearance, work->mesh->diagonal) >= work->limits.smallest_radius;
}

static bool is_new(const prototype *found, const prototype_job *known, size_t known_count) {
  const double tolerance = 1e-3 * found->radius;
  for (size_t i = 0; i < known_count; i++) {
    const double *center = known[i].sphere.center;
    if (fabs(center[0] - found->center[0]) < tolerance && fabs(center[1] - found->center[1]) < tolerance &&
        fabs(center[2] - found->center[2]) < tolerance)
      return false;
  }
  return true;
}

/* Keeps the pores that prototypes found, in order; those of one group are compared with each other. */
static bool keep_pores(packer *work, size_t group) {
  const prototype_job *found = work->jobs.data;
  for (size_t i = 0; i < work->jobs.count; i++) {
    const prototype *sphere = &found[i].sphere;
    const size_t first = i - i % group;
    if (!is_large_enough(work, sphere->radius) || !is_new(sphere, found + first, i - first)) continue;
    const pore added = {*sphere, work->pores.next_number, work->count};
    if (!pore_heap_add(&work->pores, work->heap, &added)) return false;
    work->pores.next_number++;
  }
  return true;
}

static graze_result ascend_started(packer *work, size_t group) {
  const graze_result result = run_jobs(work);
  if (result != GRAZE_OK) return result;
  return keep_pores(work, group) ? GRAZE_OK : GRAZE_OUT_OF_MEMORY;
}

/* Directions from a sphere: to the faces of a cube, then to its corners. Twice and four times as many find a few more
 * pores, which adds less than 0.0001 to the fill rate. */
static vector3 direction(int number) {
  if (number < 6) {
    const double sign = number % 2 == 0 ? 1.0 : -1.0;
    return vector3_make(number / 2 == 0 ? sign : 0.0, number / 2 == 1 ? sign : 0.0, number / 2 == 2 ? sign : 0.0);
  }
  const double part = 0.57735026918962576; /* each component of a diagonal */
  const int corner = number - 6;
  return vector3_make((corner & 1) != 0 ? part : -part, (corner & 2) != 0 ? part : -part,
                      (corner & 4) != 0 ? part : -part);
}

/* A prototype starts slightly outside the new sphere. */
static void start_around(const double *sphere, prototype_job *jobs) {
  for (int i = 0; i < DIRECTIONS; i++) {
    const vector3 at = vector3_add(vector3_load(sphere), vector3_scale(direction(i), START_DISTANCE * sphere[3]));
    vector3_store(at, jobs[i].sphere.center);
    jobs[i].sphere.radius = 0.0;
    jobs[i].steps = JOB_IF_INSIDE | JOB_ASCEND; /* near the surface it may start outside */
  }
}

static graze_result ascend_around(packer *work, size_t first) {
  const size_t added = work->count - first;
  if (!array_resize(&work->jobs, work->heap, added * DIRECTIONS)) return GRAZE_OUT_OF_MEMORY;
  const double *spheres = work->spheres.data;
  for (size_t i = 0; i < added; i++)
    start_around(spheres + OBSTACLE_SPHERE_NUMBERS * (first + i), (prototype_job *)work->jobs.data + i * DIRECTIONS);
  return ascend_started(work, DIRECTIONS);
}

/* Takes the largest pores out of the heap and refreshes them; those that may become spheres are measured carefully. */
static graze_result take_batch(packer *work, double *threshold_out) {
  work->batch.count = 0;
  *threshold_out = ROUND_PART * pore_heap_top(&work->pores)->sphere.radius;
  for (const pore *top; (top = pore_heap_top(&work->pores)) != NULL && top->sphere.radius >= *threshold_out;) {
    if (!array_push(&work->batch, work->heap, top)) return GRAZE_OUT_OF_MEMORY;
    pore_heap_drop_top(&work->pores);
  }
  return packer_refresh(work, work->batch.data, work->batch.count, JOB_MEASURE);
}

/* Pores that fell below the threshold, or overlap a sphere of this round, return to the heap; those within a sphere are
 * dropped. */
static bool put_back(packer *work, const pore *waiting) {
  if (!is_large_enough(work, waiting->sphere.radius)) return true;
  return pore_heap_add(&work->pores, work->heap, waiting);
}

static bool is_full(const packer *work) {
  return work->count >= work->limits.count || work->volume >= work->limits.fill_rate * work->mesh->volume;
}

static bool place_sphere(packer *work, const prototype *found) {
  const double radius = safe_radius(found->radius, work->mesh->diagonal);
  const double sphere[OBSTACLE_SPHERE_NUMBERS] = {found->center[0], found->center[1], found->center[2], radius};
  if (!array_push(&work->spheres, work->heap, sphere)) return false;
  work->count++;
  work->volume += 4.0 / 3.0 * 3.14159265358979323846 * radius * radius * radius;
  return true;
}

/* Places the pores that do not overlap, largest first. */
static bool place_batch(packer *work, double threshold, placing *round) {
  pore *batch = work->batch.data;
  const size_t before = work->count;
  pores_sort(batch, work->batch.count);
  for (size_t i = 0; i < work->batch.count; i++) {
    const double radius = batch[i].sphere.radius;
    const bool large = radius >= threshold && is_large_enough(work, radius);
    batch[i].seen = before;
    const bool placed = large && !is_full(work) && placing_try(round, &batch[i].sphere);
    if (placed ? !place_sphere(work, &batch[i].sphere) : !put_back(work, &batch[i])) return false;
  }
  return true;
}

static graze_result run_round(packer *work) {
  double threshold;
  graze_result result = take_batch(work, &threshold);
  if (result != GRAZE_OK) return result;
  placing round;
  const size_t before = work->count;
  bool done = placing_open(&round, work->heap, work->batch.count, threshold / ROUND_PART);
  if (done) done = place_batch(work, threshold, &round);
  placing_close(&round, work->heap);
  result = done ? rebuild_spheres(work) : GRAZE_OUT_OF_MEMORY;
  if (result != GRAZE_OK) return result;
  if (work->progress != NULL) work->progress(work->progress_context, work->count, work->volume / work->mesh->volume);
  return work->count > before ? ascend_around(work, before) : GRAZE_OK;
}

/* The largest possible radius of a pore; 0: there is none. */
static double top_radius(const packer *work) {
  const pore *top = pore_heap_top(&work->pores);
  return top != NULL ? top->sphere.radius : 0.0;
}

/* Runs prototypes that do not start at a sphere. */
static graze_result run_generation(packer *work) {
  graze_result result = generation_start(work);
  if (result == GRAZE_OK) result = ascend_started(work, 1);
  work->generation_radius = top_radius(work);
  return result;
}

/* When no pore is left, searches all over the mesh again for missed ones. */
static graze_result run_sweep(packer *work) {
  const graze_result result = generation_sweep(work);
  return result == GRAZE_OK ? ascend_started(work, 1) : result;
}

/* Builds the obstacles of the empty mesh. */
static graze_result begin_packing(packer *work) {
  if (!obstacle_tree_build(&work->mesh_memory, work->heap, work->team, work->mesh->corners,
                           (uint32_t)work->mesh->triangle_count, OBSTACLE_TRIANGLE_NUMBERS, &work->space.mesh))
    return GRAZE_OUT_OF_MEMORY;
  const graze_result result = work->stages.take_mesh(work->stages.context, &work->space.mesh);
  return result == GRAZE_OK ? rebuild_spheres(work) : result;
}

static bool is_finished(const packer *work) {
  return is_full(work) || (work->should_finish != NULL && work->should_finish(work->finish_context));
}

graze_result packer_run(packer *target) {
  graze_result result = begin_packing(target);
  bool swept = false; /* since the last sphere, without result */
  while (result == GRAZE_OK && !is_finished(target) && !swept) {
    if (generation_is_due(target, top_radius(target))) {
      result = run_generation(target);
    } else if (pore_heap_top(&target->pores) != NULL) {
      result = run_round(target);
    } else {
      result = run_sweep(target);
      swept = pore_heap_top(&target->pores) == NULL;
    }
  }
  return result;
}
