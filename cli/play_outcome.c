/* Sums over the frames of a run. */
#include "play_outcome.h"

static void add_timings(graze_timings *sum, const graze_timings *more) {
#define ADD_STAGE(name, words) sum->name##_ms += more->name##_ms;
  GRAZE_STAGE_LIST(ADD_STAGE)
#undef ADD_STAGE
}

play_totals play_run_totals(const play_run *run) {
  play_totals totals = {
      .timings = {.struct_bytes = sizeof totals.timings}, .least_pairs = UINT64_MAX, .least_primitives = UINT64_MAX};
  for (size_t i = 0; i < run->count; i++) {
    const frame_record *record = &run->records[i];
    totals.pairs += record->pair_count;
    totals.candidates += record->counters.candidates;
    totals.frames_with_pairs += record->pair_count > 0;
    totals.skipped += record->skipped_count;
    totals.frames_with_skipped += record->skipped_count > 0;
    if (record->pair_count < totals.least_pairs) totals.least_pairs = record->pair_count;
    if (record->pair_count > totals.most_pairs) totals.most_pairs = record->pair_count;
    if (record->primitive_count < totals.least_primitives) totals.least_primitives = record->primitive_count;
    if (record->primitive_count > totals.most_primitives) totals.most_primitives = record->primitive_count;
    add_timings(&totals.timings, &record->timings);
    totals.reading_ms += record->reading_ms;
    totals.query_ms += record->query_ms;
    if (totals.slowest == NULL || record->query_ms > totals.slowest->query_ms) totals.slowest = record;
  }
  if (run->count == 0) totals.least_pairs = totals.least_primitives = 0;
  return totals;
}
