/* Generations of prototypes; see generations.h. */
#include "packing/generations.h"

#include "packing/scramble.h"

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

bool generation_is_due(const packer *work, double radius) {
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

graze_result generation_start(packer *work) {
  generation now = {.work = work};
  work->generation_count = work->generation == 0 ? FIRST_COUNT : 4 * work->generation_count;
  work->generation++;
  if (work->generation == 1) choose_grid(&now, FIRST_COUNT);
  now.stride = stride_for(work, work->generation_count);
  return start_places(&now);
}

graze_result generation_sweep(packer *work) {
  generation now = {.work = work, .stride = stride_for(work, TRIANGLES_MOST)};
  work->generation++;
  choose_grid(&now, SWEEP_CELLS);
  return start_places(&now);
}
