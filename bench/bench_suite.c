/* The list of suites. */
#include "bench/bench_suite.h"

#include "bench/study_list.h"

static const struct {
  const char *name, *title;
  bool (*run)(study *at);
  bool of_devices;
} suites[] = {
    {"rigid", "a body and its copy at given distances and shared volumes: mean and worst times", suite_rigid, false},
};

size_t bench_suite_count(void) {
  return sizeof suites / sizeof suites[0];
}

const char *bench_suite_name(size_t suite) {
  return suites[suite].name;
}

const char *bench_suite_title(size_t suite) {
  return suites[suite].title;
}

bool bench_suite_of_devices(size_t suite) {
  return suites[suite].of_devices;
}

bench_ending bench_suite_run(size_t suite, const bench_settings *settings, bench_output *out, char *error,
                             size_t error_bytes) {
  return bench_suite_run_by(suites[suite].name, suites[suite].title, suites[suite].run, settings, out, error,
                            error_bytes);
}

bench_ending bench_suite_run_by(const char *name, const char *title, bool (*run)(study *at),
                                const bench_settings *settings, bench_output *out, char *error, size_t error_bytes) {
  bench_suite_settings suite_settings = settings->suite;
  suite_settings.triangles = settings->size_count > 0 ? settings->sizes[0] : 0;
  bench_study_settings chosen = bench_settings_of_study(settings);
  chosen.suite = &suite_settings;
  study at = {&chosen, out, NULL, 0, 0, error, error_bytes};
  printf("\n%s: %s\n", name, title);
  bench_watch_begin(settings->watch, name);
  if (run(&at)) return BENCH_DONE;
  return bench_watch_stops(settings->watch) ? BENCH_STOPPED : BENCH_FAILED;
}
