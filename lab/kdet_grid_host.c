/* The published grid emulated on the host in one thread: for tests, and for machines without a device. Times are
 * processor times. */
#include "lab/kdet_stages.h"

#include "bench/bench_record.h"

#include <stdio.h>
#include <stdlib.h>

/* All arrays of a run; those of candidates grow until they are large enough. */
typedef struct host_run {
  const kdet_options *options;
  kdet_view view;
  kdet_tally tally;
} host_run;

static void *reserve(uint64_t count, size_t bytes_each) {
  return calloc((size_t)count + 1, bytes_each);
}

static void free_lists(kdet_view *v) {
  free(v->list);
  free(v->map);
  v->list = NULL;
  v->map = NULL;
}

static void free_run(host_run *run) {
  kdet_view *const v = &run->view;
  free(v->boxes);
  free(v->diameters);
  free(v->fill);
  free(v->next);
  free(v->taken);
  free(v->ids);
  free(v->marks);
  free_lists(v);
}

static bool make_lists(host_run *run, uint64_t capacity) {
  kdet_view *const v = &run->view;
  free_lists(v);
  v->list_capacity = capacity;
  v->map_capacity = 1;
  while (v->map_capacity < 2 * capacity && v->dedup == KDET_MAP) v->map_capacity *= 2;
  v->list = reserve(capacity, sizeof *v->list);
  v->map = reserve(v->map_capacity, sizeof *v->map);
  return v->list != NULL && v->map != NULL;
}

static bool make_run(const kdet_soup *soup, const kdet_options *options, host_run *run) {
  const uint32_t count = (uint32_t)soup->triangle_count, buckets = options->way == KDET_GRID ? options->buckets : 1;
  *run = (host_run){.options = options,
                    .view = {.positions = soup->positions,
                             .triangles = soup->triangles,
                             .count = count,
                             .hash = options->hash,
                             .dedup = options->dedup,
                             .buckets = buckets}};
  kdet_view *const v = &run->view;
  v->tally = &run->tally;
  v->boxes = reserve(6 * (uint64_t)count, sizeof *v->boxes);
  v->diameters = reserve(count, sizeof *v->diameters);
  v->fill = reserve(buckets, sizeof *v->fill);
  v->next = reserve(buckets, sizeof *v->next);
  v->taken = reserve(buckets, sizeof *v->taken);
  v->ids = reserve((uint64_t)buckets * KDET_BUCKET, sizeof *v->ids);
  v->marks = reserve(count, sizeof *v->marks);
  return v->boxes != NULL && v->diameters != NULL && v->fill != NULL && v->next != NULL && v->taken != NULL &&
         v->ids != NULL && v->marks != NULL && make_lists(run, 16 * (uint64_t)count + 1024);
}

static void clear(host_run *run) {
  kdet_view *const v = &run->view;
  run->tally = (kdet_tally){.least = UINT32_MAX >> 1};
  memset(v->fill, 0, v->buckets * sizeof *v->fill);
  memset(v->next, 0, v->buckets * sizeof *v->next);
  memset(v->taken, 0, v->buckets * sizeof *v->taken);
  memset(v->marks, 0, v->count * sizeof *v->marks);
  memset(v->map, 0, (size_t)v->map_capacity * sizeof *v->map);
}

static int compare_pairs(const void *a, const void *b) {
  const unsigned long long p = *(const unsigned long long *)a, q = *(const unsigned long long *)b;
  return (p > q) - (p < q);
}

static void find(host_run *run) {
  const kdet_view *const v = &run->view;
  switch (run->options->way) {
  case KDET_GRID:
    for (uint32_t i = 0; i < v->count; i++) kdet_stage_find(i, v);
    break;
  case KDET_BRUTE_LOOP:
    for (uint32_t i = 0; i < v->count; i++) kdet_stage_loop(i, v);
    break;
  case KDET_BRUTE_NO_LOOP:
    for (uint64_t i = 0; i < (uint64_t)v->count * v->count; i++) kdet_stage_no_loop(i, v);
    break;
  }
}

/* Sorts the list and drops duplicates. */
static void thin_out(host_run *run) {
  kdet_view *const v = &run->view;
  qsort(v->list, (size_t)run->tally.listed, sizeof *v->list, compare_pairs);
  unsigned long long kept = 0;
  for (unsigned long long i = 0; i < run->tally.listed; i++)
    if (kept == 0 || v->list[kept - 1] != v->list[i]) v->list[kept++] = v->list[i];
  run->tally.listed = kept;
}

/* Returns false if the list was too short. */
static bool run_frame(host_run *run, kdet_outcome *outcome) {
  const kdet_view *const v = &run->view;
  double times[KDET_STAGES + 1];
  times[0] = bench_processor_milliseconds();
  clear(run);
  for (uint32_t i = 0; i < v->count; i++) kdet_stage_measure(i, v);
  times[1] = bench_processor_milliseconds();
  for (uint32_t i = 0; i < v->count && run->options->way == KDET_GRID; i++) kdet_stage_populate(i, v);
  times[2] = bench_processor_milliseconds();
  find(run);
  times[3] = bench_processor_milliseconds();
  if (run->tally.listed > v->list_capacity) return false;
  if (v->dedup == KDET_SORT && run->options->way == KDET_GRID) thin_out(run);
  times[4] = bench_processor_milliseconds();
  for (uint64_t i = 0; i < run->tally.listed; i++) kdet_stage_test(i, v);
  times[5] = bench_processor_milliseconds();
  for (uint32_t i = 0; i < v->count; i++) kdet_stage_count(i, v);
  const double total = times[KDET_STAGES] - times[0];
  if (outcome->total_ms > 0.0 && total >= outcome->total_ms) return true;
  outcome->total_ms = total;
  for (int i = 0; i < KDET_STAGES; i++) outcome->stage_ms[i] = times[i + 1] - times[i];
  return true;
}

static bool take_over(host_run *run, kdet_outcome *outcome) {
  const kdet_tally *const tally = &run->tally;
  outcome->levels = 1 + kdet_level(kdet_value(tally->most), kdet_least_side(tally));
  outcome->bytes = kdet_view_bytes(&run->view);
  outcome->stored = tally->stored;
  outcome->linked = tally->linked;
  outcome->met = run->options->way == KDET_GRID ? tally->met : tally->listed;
  outcome->colliding = tally->colliding;
  outcome->float_pairs = tally->float_pairs;
  if (run->options->dedup == KDET_NONE) return true;
  thin_out(run);
  outcome->candidate_count = (size_t)tally->listed;
  outcome->candidates = calloc(outcome->candidate_count + 1, sizeof *outcome->candidates);
  for (size_t i = 0; i < outcome->candidate_count && outcome->candidates != NULL; i++)
    outcome->candidates[i] = run->view.list[i];
  return outcome->candidates != NULL;
}

static bool run_rounds(host_run *run, kdet_outcome *outcome, const char **problem) {
  kdet_outcome unused = {0};
  *problem = "out of memory";
  while (!run_frame(run, &unused))
    if (!make_lists(run, run->tally.listed)) return false;
  *problem = "the table of the published grid has no empty bucket left";
  if (run->tally.lost > 0) return false;
  for (size_t round = 0; round < run->options->rounds; round++) run_frame(run, outcome);
  *problem = "out of memory";
  return take_over(run, outcome);
}

bool kdet_grid_run_host(const kdet_soup *soup, const kdet_options *options, kdet_outcome *outcome, char *error,
                        size_t error_bytes) {
  *outcome = (kdet_outcome){0};
  host_run run;
  const char *problem = "out of memory";
  const bool good = make_run(soup, options, &run) && run_rounds(&run, outcome, &problem);
  free_run(&run);
  if (good) return true;
  snprintf(error, error_bytes, "%s", problem);
  kdet_outcome_free(outcome);
  return false;
}

void kdet_outcome_free(kdet_outcome *outcome) {
  free(outcome->candidates);
  *outcome = (kdet_outcome){0};
}
