/* The cost of a check in the model of hierarchical collision detection: tests of bounding volumes, tests of primitives
 * and updates, each a count times a unit cost. Counts and times are measured; unit costs follow.
 *
 * Paper: Gottschalk, Lin, Manocha, "OBBTree: a hierarchical structure for rapid interference detection", 1996. */
#include "check_outcome.h"

static void write_part(const char *name, uint64_t number, const char *words, double milliseconds, FILE *stream) {
  fprintf(stream, "  %s  %15s %-40s", name, grouped_number(number).text, words);
  if (number > 0)
    fprintf(stream, " %9.1f ns each", 1e6 * milliseconds / (double)number);
  else
    fprintf(stream, " %17s", "");
  fprintf(stream, "  %s\n", spelled_duration(milliseconds).text);
}

void check_outcome_explain(const check_outcome *outcome, FILE *stream) {
  const graze_timings *timings = &outcome->timings;
  const graze_counters *counters = &outcome->counters;
  const double tests_ms = timings->search_ms;
  const double updates_ms = timings->update_ms + timings->bounds_ms + timings->build_ms;
  fprintf(stream, "\nmethod  %s: %s\ncost    N_v C_v + N_p C_p + N_u C_u = %s, and ordering %s\n", outcome->method,
          outcome->reason, spelled_duration(tests_ms + timings->test_ms + updates_ms).text,
          spelled_duration(timings->order_ms).text);
  write_part("N_v", counters->box_tests, "tests of bounding boxes", tests_ms, stream);
  write_part("N_p", counters->candidates, "tests of primitives", timings->test_ms, stream);
  write_part("N_u", counters->primitives, "primitives updated, bounded and inserted", updates_ms, stream);
}
