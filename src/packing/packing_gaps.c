/* Gaps of a packing; see packing_gaps.h. */
#include "packing/packing_gaps.h"

#include "base/radix_sort.h"
#include "packing/mesh_winding.h"
#include "packing/scramble.h"

#include <string.h>

/* Points in the mesh's box; of a body that is a third of it and nine tenths full, two thousand are free. */
enum { SAMPLES = 65536, SAMPLES_A_TASK = 256 };

typedef struct sampling {
  packer *work;
  uint64_t *gaps; /* bits of distances, which are in the order of the distances; 0: not free */
} sampling;

static uint64_t bits_of(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static void sample_range(void *context, size_t first, size_t end, uint32_t worker) {
  const sampling *samples = context;
  const closed_mesh *mesh = samples->work->mesh;
  (void)worker;
  for (size_t i = first; i < end && !stop_is_asked_for(samples->work->stop); i++) {
    orientation_tally tally = {0};
    double point[3];
    for (int k = 0; k < 3; k++)
      point[k] = mesh->least[k] + (mesh->greatest[k] - mesh->least[k]) * scrambled_fraction(0, 3 * i + (size_t)k);
    const bool inside = mesh_winding(&samples->work->space.mesh, point, &tally) > 0;
    const double gap = inside ? packing_space_clearance(&samples->work->space, point) : 0.0;
    samples->gaps[i] = gap > 0.0 ? bits_of(gap) : 0;
  }
}

/* The gap that 95 of 100 free points do not exceed; the largest of all. */
static void read_samples(const uint64_t *gaps, packing_gaps *gaps_out) {
  size_t taken = 0;
  while (taken < SAMPLES && gaps[taken] == 0) taken++;
  if (taken == SAMPLES) return;
  memcpy(&gaps_out->p95, &gaps[taken + (SAMPLES - taken - 1) * 95 / 100], sizeof gaps_out->p95);
  memcpy(&gaps_out->largest, &gaps[SAMPLES - 1], sizeof gaps_out->largest);
}

static graze_result sample_gaps(packer *work, packing_gaps *gaps_out) {
  uint64_t *gaps = memory_allocate(work->heap, 2 * SAMPLES, sizeof *gaps);
  if (gaps == NULL) return GRAZE_OUT_OF_MEMORY;
  sampling samples = {work, gaps};
  workers_for(work->team, SAMPLES, SAMPLES_A_TASK, sample_range, &samples);
  if (!stop_was_asked_for(work->stop)) {
    radix_sort_keys(gaps, gaps + SAMPLES, SAMPLES, 64);
    read_samples(gaps, gaps_out);
  }
  memory_release(work->heap, gaps, 2 * SAMPLES, sizeof *gaps);
  return stop_was_asked_for(work->stop) ? GRAZE_STOPPED : GRAZE_OK;
}

/* The top of the heap is an upper bound until it was looked at since the last sphere. */
static graze_result find_largest(packer *work, double *largest_out) {
  for (const pore *top; (top = pore_heap_top(&work->pores)) != NULL;) {
    pore again = *top;
    if (again.seen == work->count) {
      if (again.sphere.radius > *largest_out) *largest_out = again.sphere.radius;
      return GRAZE_OK;
    }
    if (stop_is_asked_for(work->stop)) return GRAZE_STOPPED;
    pore_heap_drop_top(&work->pores);
    prototype_ascend(&work->space, &again.sphere);
    again.seen = work->count;
    if (again.sphere.radius > 0.0 && !pore_heap_add(&work->pores, work->heap, &again)) return GRAZE_OUT_OF_MEMORY;
  }
  return GRAZE_OK;
}

graze_result packing_gaps_measure(packer *work, packing_gaps *gaps_out) {
  *gaps_out = (packing_gaps){0.0, 0.0};
  const graze_result result = sample_gaps(work, gaps_out);
  return result == GRAZE_OK ? find_largest(work, &gaps_out->largest) : result;
}
