/* What a benchmark line is signed with, and the message where a device is asked for that is not there. */
#include "bench/bench_record.h"

#include "graze/cuda.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include <cmocka.h>

static void a_commit_is_told_or_found(void **state) {
  (void)state;
  bench_record record;
  assert_int_equal(setenv("GRAZE_COMMIT", "0123abc", 1), 0);
  bench_record_fill(&record);
  assert_string_equal(record.commit, "0123abc");
  assert_int_equal(setenv("GRAZE_COMMIT", "", 1), 0);
  bench_record_fill(&record);
  assert_true(strcmp(record.commit, "unknown") == 0 || strlen(record.commit) >= 4); /* a tree may have no git */
  assert_null(strstr(record.commit, "0123abc"));
  assert_null(strchr(record.machine, ','));
  assert_int_equal(unsetenv("GRAZE_COMMIT"), 0);
}

static void the_date_is_today(void **state) {
  (void)state;
  char before[32], after[32];
  bench_record record;
  time_t now = time(NULL);
  struct tm parts;
  strftime(before, sizeof before, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &parts));
  bench_record_fill(&record);
  now = time(NULL);
  strftime(after, sizeof after, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &parts));
  assert_true(strcmp(before, record.date) <= 0 && strcmp(record.date, after) <= 0);
}

/* Runs the benchmark on no scene at all; returns its exit status. */
static int run_benchmark(const char *options, char *words, size_t words_bytes) {
  char line[4096];
  snprintf(line, sizeof line, "'%s' --scene no-such-scene %s 2>&1", getenv("GRAZE_BENCH"), options);
  FILE *const pipe = popen(line, "r");
  assert_non_null(pipe);
  words[fread(words, 1, words_bytes - 1, pipe)] = '\0';
  const int status = pclose(pipe);
  assert_true(WIFEXITED(status));
  return WEXITSTATUS(status);
}

static void a_backend_is_chosen_or_refused(void **state) {
  (void)state;
  if (getenv("GRAZE_BENCH") == NULL) skip();
  char words[4096], device[256], expected[300];
  assert_int_equal(run_benchmark("--backend cpu", words, sizeof words), 0);
  assert_non_null(strstr(words, "the processor"));
  const bool usable = graze_cuda_describe(0, device, sizeof device) == GRAZE_OK;
  assert_int_equal(run_benchmark("--backend cuda", words, sizeof words), usable ? 0 : 2);
  snprintf(expected, sizeof expected, "graze_bench: --backend cuda: %s\n", device);
  if (!usable) assert_string_equal(words, expected);
  assert_int_equal(run_benchmark("--backend rocm", words, sizeof words), 2);
  assert_string_equal(words, "graze_bench: --backend wants cpu or cuda\n");
  assert_int_equal(run_benchmark("--backend cuda --device first", words, sizeof words), 2);
  assert_string_equal(words, "graze_bench: --device wants the number of a device, from 0 on\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_commit_is_told_or_found),
      cmocka_unit_test(the_date_is_today),
      cmocka_unit_test(a_backend_is_chosen_or_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
