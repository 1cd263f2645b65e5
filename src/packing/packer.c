/* The rounds of a packing; see packer.h. */
#include "packing/packer.h"

#include "packing/generations.h"
#include "packing/placing.h"
#include "packing/safe_radius.h"

#include <string.h>

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

static graze_result rebuild(packer *work) {
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

static bool place(packer *work, const prototype *found) {
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
    if (placed ? !place(work, &batch[i].sphere) : !put_back(work, &batch[i])) return false;
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
  result = done ? rebuild(work) : GRAZE_OUT_OF_MEMORY;
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
static graze_result begin(packer *work) {
  if (!obstacle_tree_build(&work->mesh_memory, work->heap, work->team, work->mesh->corners,
                           (uint32_t)work->mesh->triangle_count, OBSTACLE_TRIANGLE_NUMBERS, &work->space.mesh))
    return GRAZE_OUT_OF_MEMORY;
  const graze_result result = work->stages.take_mesh(work->stages.context, &work->space.mesh);
  return result == GRAZE_OK ? rebuild(work) : result;
}

static bool is_finished(const packer *work) {
  return is_full(work) || (work->should_finish != NULL && work->should_finish(work->finish_context));
}

graze_result packer_run(packer *target) {
  graze_result result = begin(target);
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
