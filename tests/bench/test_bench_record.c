/* Tests the metadata of a benchmark line and the spread of its times. */
#include "bench/bench_record.h"
#include "testing.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

TEST(a_commit_is_told_or_found) {
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

TEST(the_date_is_today) {
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

TEST(quartiles_lie_between_neighbors) {
  const double five[] = {1.0, 2.0, 4.0, 8.0, 16.0}, four[] = {0.0, 1.0, 2.0, 3.0}, one[] = {7.0};
  assert_true(bench_quartile(five, 5, 1) == 2.0 && bench_quartile(five, 5, 2) == 4.0 &&
              bench_quartile(five, 5, 3) == 8.0);
  assert_true(bench_quartile(four, 4, 1) == 0.75 && bench_quartile(four, 4, 3) == 2.25);
  assert_true(bench_quartile(one, 1, 1) == 7.0 && bench_quartile(one, 1, 3) == 7.0);
}

TEST(the_machine_is_reported) {
  bench_record record;
  bench_record_fill(&record);
  assert_true(record.processors >= 1);
  assert_true(record.memory_bytes > 1000000);
  assert_true(strlen(record.architecture) > 0 && strlen(record.system) > 0);
  assert_true(strlen(record.compiler) > 0);
  assert_non_null(strstr(record.flags, "-ffp-contract=off"));
}
