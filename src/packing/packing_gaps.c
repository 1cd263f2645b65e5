/* Gaps of a packing; see packing_gaps.h. */
#include "packing/packing_gaps.h"

#include "base/radix_sort.h"
#include "packing/gap_bound.h"
#include "packing/scramble.h"

#include <string.h>

/* Sample points in the mesh's box. A body that fills a third of it and is nine tenths full leaves two thousand free.
 * Sanitizer builds take fewer. */
#ifndef GRAZE_GAP_SAMPLES
#define GRAZE_GAP_SAMPLES 65536
#endif

enum {
  SAMPLES = GRAZE_GAP_SAMPLES,
  PORES_MOST = 64 /* refreshed at once */
};

static void place_samples(const closed_mesh *mesh, prototype_job *jobs) {
  for (size_t i = 0; i < SAMPLES; i++) {
    for (int k = 0; k < 3; k++)
      jobs[i].sphere.center[k] =
          mesh->least[k] + (mesh->greatest[k] - mesh->least[k]) * scrambled_fraction(0, 3 * i + (size_t)k);
    jobs[i].sphere.radius = HUGE_VAL;
    jobs[i].steps = JOB_IF_INSIDE | JOB_MEASURE;
  }
}

/* Reads the bits of distances, which sort like the distances; 0: not free. */
static void read_jobs(const prototype_job *jobs, uint64_t *gaps) {
  for (size_t i = 0; i < SAMPLES; i++) {
    const double gap = jobs[i].sphere.radius > 0.0 ? jobs[i].sphere.radius : 0.0;
    memcpy(&gaps[i], &gap, sizeof gap);
  }
}

/* Computes the gap that 95 of 100 free points do not exceed, and the largest of all. */
static void read_samples(const uint64_t *gaps, packing_gaps *gaps_out) {
  size_t taken = 0;
  while (taken < SAMPLES && gaps[taken] == 0) taken++;
  if (taken == SAMPLES) return;
  memcpy(&gaps_out->p95, &gaps[taken + (SAMPLES - taken - 1) * 95 / 100], sizeof gaps_out->p95);
  memcpy(&gaps_out->largest, &gaps[SAMPLES - 1], sizeof gaps_out->largest);
}

static graze_result sample_gaps(packer *work, packing_gaps *gaps_out) {
  if (!array_resize(&work->jobs, work->heap, SAMPLES)) return GRAZE_OUT_OF_MEMORY;
  place_samples(work->mesh, work->jobs.data);
  const graze_result result = work->stages.run(work->stages.context, work->jobs.data, SAMPLES);
  if (result != GRAZE_OK) return result;
  uint64_t *gaps = memory_allocate(work->heap, 2 * SAMPLES, sizeof *gaps);
  if (gaps == NULL) return GRAZE_OUT_OF_MEMORY;
  read_jobs(work->jobs.data, gaps);
  radix_sort_keys(gaps, gaps + SAMPLES, SAMPLES, 64);
  read_samples(gaps, gaps_out);
  memory_release(work->heap, gaps, 2 * SAMPLES, sizeof *gaps);
  return GRAZE_OK;
}

/* Takes pores from the top that were not refreshed since the last sphere. False when out of memory. */
static bool take_stale(packer *work, size_t most) {
  work->batch.count = 0;
  for (const pore *top; work->batch.count < most && (top = pore_heap_top(&work->pores)) != NULL;) {
    if (top->seen == work->count) return true;
    if (!array_push(&work->batch, work->heap, top)) return false;
    pore_heap_drop_top(&work->pores);
  }
  return true;
}

static bool put_back(packer *work) {
  pore *pores = work->batch.data;
  for (size_t i = 0; i < work->batch.count; i++) {
    pores[i].seen = work->count;
    if (pores[i].sphere.radius > 0.0 && !pore_heap_add(&work->pores, work->heap, &pores[i])) return false;
  }
  return true;
}

/* The top of the heap is an upper bound unless it was refreshed since the last sphere. It refreshes one, then twice as
 * many each time, as a batch runs in parallel. */
static graze_result find_largest(packer *work, double *largest_out) {
  for (size_t most = 1;; most = 2 * most < PORES_MOST ? 2 * most : PORES_MOST) {
    if (!take_stale(work, most)) return GRAZE_OUT_OF_MEMORY;
    if (work->batch.count == 0) break;
    const graze_result result = packer_refresh(work, work->batch.data, work->batch.count, 0);
    if (result != GRAZE_OK) return result;
    if (!put_back(work)) return GRAZE_OUT_OF_MEMORY;
  }
  const pore *top = pore_heap_top(&work->pores);
  if (top != NULL && top->sphere.radius > *largest_out) *largest_out = top->sphere.radius;
  return GRAZE_OK;
}

graze_result packing_gaps_measure(packer *work, packing_gaps *gaps_out) {
  *gaps_out = (packing_gaps){0.0, 0.0, 0.0};
  graze_result result = sample_gaps(work, gaps_out);
  if (result == GRAZE_OK) result = find_largest(work, &gaps_out->largest);
  return result == GRAZE_OK ? gap_bound_find(work, &gaps_out->largest, &gaps_out->bound) : result;
}
