/* Tests `graze bench --compare` on generated records: noise is not a change, a planted slow-down of 10 % is one, other
 * hashes are errors, and invalid records are rejected. */
#include "testing.h"
#include "tool_runner.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RECORD_BYTES = 1 << 14, PASSES = 5 };

/* Times are those of a usual pass. */
typedef struct row {
  const char *scene;
  unsigned threads;
  double ms, processor, yardstick;
  const char *hash;
} row;

#define HASH "00000000000000ab"

static const row base[] = {{"self-rods", 1, 10.0, 9.7, 3.0, HASH},
                           {"self-rods", 2, 5.5, 9.9, 3.0, HASH},
                           {"self-soup", 1, 100.0, 97.0, 3.0, "ffffffffffffffff"}};
enum { BASE_ROWS = sizeof base / sizeof base[0] };

static size_t write_passes(char *text, size_t room, const char *name, double ms) {
  static const double passes[PASSES] = {1.0, 0.995, 1.31, 1.004, 0.998}; /* something else ran in one of them */
  size_t used = (size_t)snprintf(text, room, "\"%s\":[", name);
  for (size_t i = 0; i < PASSES; ++i)
    used += (size_t)snprintf(text + used, room - used, "%s%.4f", i > 0 ? "," : "", passes[i] * ms);
  return used + (size_t)snprintf(text + used, room - used, "],");
}

static size_t write_row(char *text, size_t room, const row *r) {
  size_t used = (size_t)snprintf(
      text, room,
      "{\"table\":\"scenes\",\"scene\":\"%s\",\"kind\":\"self\",\"primitives\":1000,\"method\":\"grid\",\"dedup\":"
      "\"owner\",\"cell_hash\":\"morton\",\"test\":\"sat\",\"question\":\"pairs\",\"builder\":\"auto\",\"clusters\":0,"
      "\"axis\":\"principal\",\"assign\":\"covering\",\"frame\":\"first\",\"step\":0,\"backend\":\"cpu\",\"threads\":%"
      "u,\"total_ms\":%.4f,\"lower_quartile_ms\":%.4f,\"upper_quartile_ms\":%.4f,\"processor_ms\":%.4f,"
      "\"yardstick_ms\":%.4f,",
      r->scene, r->threads, r->ms, 0.997 * r->ms, 1.004 * r->ms, r->processor, r->yardstick);
  used += write_passes(text + used, room - used, "pass_total_ms", r->ms);
  used += write_passes(text + used, room - used, "pass_processor_ms", r->processor);
  used += write_passes(text + used, room - used, "pass_yardstick_ms", r->yardstick);
  return used + (size_t)snprintf(text + used, room - used, "\"doubted_passes\":0,\"hash\":\"%s\"}", r->hash);
}

static void write_record(void **state, const char *name, const char *processor, const row *rows, size_t count) {
  OWNED_MEMORY char *const text = malloc(RECORD_BYTES);
  assert_non_null(text);
  size_t used = (size_t)snprintf(text, RECORD_BYTES,
                                 "{\"graze\":\"0\",\"record\":\"bench\",\"commit\":\"abc\",\"compiler\":\"GNU\","
                                 "\"flags\":\"-O3\",\"machine\":{\"architecture\":\"x\",\"processor\":\"%s\","
                                 "\"processors\":2},\"device\":\"\",\"date\":\"today\",\"complete\":true,\"rows\":[",
                                 processor);
  for (size_t i = 0; i < count; ++i) {
    if (i > 0) text[used++] = ',';
    used += write_row(text + used, RECORD_BYTES - used, &rows[i]);
  }
  used += (size_t)snprintf(text + used, RECORD_BYTES - used, "]}\n");
  folder_write(state, name, text, used);
}

static row scaled(row r, double factor) {
  r.ms *= factor;
  r.processor *= factor;
  return r;
}

static void compare_with_base(void **state, const row *rows, size_t count, int status, const char *words) {
  write_record(state, "old.json", "p", base, BASE_ROWS);
  write_record(state, "new.json", "p", rows, count);
  OWNED_RUN run = run_line(state, "graze bench --compare old.json new.json");
  if (strstr(run.output, words) == NULL) fail_msg("not said: %s\n%s%s", words, run.output, run.errors);
  assert_int_equal(run.status, status);
  assert_string_equal(run.errors, "");
}

TOOL_TEST(noise_is_no_change) {
  row rows[BASE_ROWS];
  const char *const nothing = "\n"
                              "3 rows in both: 0 slower, 0 faster, 0 waited, the others unchanged within noise; all "
                              "hashes are equal; 0 added, 0 removed\n";
  compare_with_base(state, base, BASE_ROWS, 0, nothing);
  compare_with_base(state, base, BASE_ROWS, 0, "noise: in half the rows a change below 5 % cannot be detected\n");
  for (size_t i = 0; i < BASE_ROWS; ++i) rows[i] = scaled(base[i], i % 2 == 0 ? 1.04 : 0.96);
  compare_with_base(state, rows, BASE_ROWS, 0, nothing);
}

TOOL_TEST(a_planted_slow_down_is_reported) {
  row rows[BASE_ROWS];
  memcpy(rows, base, sizeof rows);
  rows[0] = scaled(base[0], 1.1);
  compare_with_base(state, rows, BASE_ROWS, 1,
                    "scenes   self-rods                     1000 self    grid     cpu     1    10.000    11.000  "
                    "+10.0%  +10.0%   5.1% slower\n");
  compare_with_base(state, rows, BASE_ROWS, 1, "\n3 rows in both: 1 slower, 0 faster, ");
  rows[0] = scaled(base[0], 0.9);
  rows[2] = scaled(base[2], 0.5);
  compare_with_base(state, rows, BASE_ROWS, 0, "\n3 rows in both: 0 slower, 2 faster, ");
}

/* Fixed work also took longer: with few rows, changes below twice that are not reported. */
TOOL_TEST(a_slow_machine_is_no_change) {
  row rows[BASE_ROWS];
  for (size_t i = 0; i < BASE_ROWS; ++i) {
    rows[i] = scaled(base[i], 1.1);
    rows[i].yardstick *= 1.05;
  }
  compare_with_base(state, rows, BASE_ROWS, 0, "\n3 rows in both: 0 slower, 0 faster, 0 waited, ");
  compare_with_base(state, rows, BASE_ROWS, 0, "fixed work +5.0 %: the speed of the machine differs");
  rows[0] = scaled(rows[0], 1.1);
  compare_with_base(state, rows, BASE_ROWS, 1, "\n3 rows in both: 1 slower, ");
}

enum { MANY = 12 };

static void write_many(void **state, const char *name, double factor, double yardstick, size_t also, double by) {
  row rows[MANY];
  for (size_t i = 0; i < MANY; ++i) {
    rows[i] = scaled(base[0], factor * (i == also ? by : 1.0));
    rows[i].threads = (unsigned)i + 1;
    rows[i].yardstick *= yardstick;
  }
  write_record(state, name, "p", rows, MANY);
}

static void expect_many(void **state, int status, const char *words) {
  OWNED_RUN run = run_line(state, "graze bench --compare old.json new.json");
  if (strstr(run.output, words) == NULL) fail_msg("not said: %s\n%s%s", words, run.output, run.errors);
  assert_int_equal(run.status, status);
}

/* A change common to all rows is attributed to the machine if fixed work confirms it; otherwise it is reported. */
TOOL_TEST(all_rows_are_told_as_one) {
  write_many(state, "old.json", 1.0, 1.0, MANY, 1.0);
  write_many(state, "new.json", 1.1, 1.1, MANY, 1.0);
  expect_many(state, 0,
              "all rows: +10.0 %, processor time +10.0 %, fixed work +10.0 %: the speed of the machine differs; row "
              "changes are "
              "relative to that\n");
  expect_many(state, 0, "\n12 rows in both: 0 slower, 0 faster, 0 waited, ");
  write_many(state, "new.json", 1.1, 1.1, 4, 1.1);
  expect_many(state, 1, "\n12 rows in both: 1 slower, 0 faster, 0 waited, ");
  write_many(state, "new.json", 1.1, 1.0, MANY, 1.0);
  expect_many(state, 1, "fixed work +0.0 %: ALL ROWS BECAME SLOWER, and the machine is not the cause\n");
  write_many(state, "new.json", 1.0 / 1.1, 1.0, MANY, 1.0);
  expect_many(state, 0, "all rows became faster, and the machine is not the cause\n");
}

/* Wall time says so, and the processor's does not. */
TOOL_TEST(waiting_is_told_apart) {
  row rows[BASE_ROWS];
  memcpy(rows, base, sizeof rows);
  rows[0] = scaled(base[0], 1.5);
  rows[0].processor = base[0].processor;
  compare_with_base(state, rows, BASE_ROWS, 0, "+50.0%   +0.0%   5.1% waited\n");
  compare_with_base(state, rows, BASE_ROWS, 0, "\n3 rows in both: 0 slower, 0 faster, 1 waited, ");
}

TOOL_TEST(other_hashes_are_errors) {
  row rows[BASE_ROWS];
  memcpy(rows, base, sizeof rows);
  rows[1].hash = "00000000000000ac";
  compare_with_base(state, rows, BASE_ROWS, 1, " OTHER HASH\n");
  compare_with_base(state, rows, BASE_ROWS, 1, "; 1 HAVE A DIFFERENT HASH: different pairs were found; ");
}

/* A comparison of nothing is an error, so that a script does not take it for success. */
TOOL_TEST(nothing_in_common_is_an_error) {
  write_record(state, "old.json", "p", base, BASE_ROWS);
  write_record(state, "none.json", "p", base, 0);
  OWNED_RUN run = run_line(state, "graze bench --compare old.json none.json");
  assert_int_equal(run.status, 2);
  assert_non_null(strstr(run.output, "\n0 rows in both: "));
  assert_non_null(strstr(run.errors, "graze: --compare: the old record has no row that was measured now; "));
}

TOOL_TEST(rows_come_and_go) {
  row rows[BASE_ROWS];
  memcpy(rows, base, sizeof rows);
  rows[1].threads = 16;
  compare_with_base(state, rows, BASE_ROWS, 0,
                    "added   scenes   self-rods                     1000 self    grid     cpu    16\n");
  compare_with_base(state, rows, BASE_ROWS, 0,
                    "removed scenes   self-rods                     1000 self    grid     cpu     2\n");
  compare_with_base(state, rows, BASE_ROWS, 0, "; 1 added, 1 removed\n");
  /* Rows that are alike belong to each other in their order. */
  const row twice[] = {base[0], base[1], base[2], scaled(base[0], 2.0)};
  compare_with_base(state, twice, 4, 0, "3 rows in both: 0 slower, 0 faster, ");
  write_record(state, "twice.json", "p", twice, 4);
  OWNED_RUN run = run_line(state, "graze bench --compare twice.json twice.json");
  assert_non_null(strstr(run.output, "\n4 rows in both: 0 slower, 0 faster, "));
  assert_int_equal(run.status, 0);
}

TOOL_TEST(another_machine_is_reported) {
  write_record(state, "old.json", "p", base, BASE_ROWS);
  write_record(state, "new.json", "q", base, BASE_ROWS);
  OWNED_RUN run = run_line(state, "graze bench --compare old.json new.json");
  assert_int_equal(run.status, 0);
  assert_non_null(strstr(run.output,
                         "\n"
                         "different machines, so times cannot be compared: x p, 2 processors | x q, 2 processors\n"));
}

/* Compares a real run with a record of other rows, and with itself: the hashes agree; times are not checked. */
TOOL_TEST(a_run_is_compared) {
  write_record(state, "old.json", "p", base, BASE_ROWS);
  tool_run run = run_line(state, "env -u GRAZE_DATA graze bench --scene rods --size 400 --rounds 1 --threads 1 "
                                 "--method grid --json now.json --compare old.json");
  assert_int_equal(run.status, 2);
  assert_non_null(strstr(run.output, "\nnew: this run, commit "));
  assert_non_null(strstr(run.output, "\n0 rows in both: "));
  tool_run_release(&run);
  run = run_line(state, "graze bench --compare now.json now.json");
  assert_int_equal(run.status, 0);
  assert_non_null(strstr(run.output, "\n1 row in both: 0 slower, 0 faster, "));
  tool_run_release(&run);
}

/* In the old record, one row of three took a tenth of a millisecond: it is doubted, measured three more times, and
 * reported. */
TOOL_TEST(what_is_in_doubt_is_measured_again) {
  const char *const options = "--scene rods --size 4000 --rounds 5 --threads 1 --method grid,tree,clusters";
  char line[512];
  snprintf(line, sizeof line, "env -u GRAZE_DATA graze bench %s --quiet --json old.json", options);
  expect_run(state, line, 0, "", "");
  expect_run(state,
             "sed -E '/\"method\":\"tree\"/s/\"(pass_total|pass_processor)_ms\":\\[[^]]*\\]/"
             "\"\\1_ms\":[0.1,0.1,0.1,0.1,0.1]/g' old.json >planted.json",
             0, "", "");
  snprintf(line, sizeof line, "env -u GRAZE_DATA graze bench %s --quiet --compare planted.json --json new.json",
           options);
  tool_run run = run_line(state, line);
  assert_int_equal(run.status, 1);
  assert_non_null(strstr(run.output, " in doubt\n"));
  assert_non_null(strstr(run.output, "slower\n"));
  tool_run_release(&run);
  expect_run(state, "grep '\"method\":\"tree\"' new.json | grep -o '\"doubted_passes\":[0-9]*,'", 0,
             "\"doubted_passes\":3,\n", "");
  expect_run(state, "grep '\"method\":\"tree\"' new.json | grep -o 'pass_total_ms\":[^]]*' | tr -cd , | wc -c", 0,
             "7\n", "");
}

/* Records of before there were passes are read, too, and trusted less. */
TOOL_TEST(a_record_without_passes_is_read) {
  row rows[BASE_ROWS];
  memcpy(rows, base, sizeof rows);
  write_record(state, "now.json", "p", rows, BASE_ROWS);
  rows[0] = scaled(base[0], 1.2);
  rows[2] = scaled(base[2], 2.0);
  write_record(state, "later.json", "p", rows, BASE_ROWS);
  expect_run(state,
             "for file in now later; do sed -E 's/\"pass_[a-z]*_ms\":\\[[^]]*\\],//g; s/\"doubted_passes\":0,//g' "
             "$file.json >old-$file.json; done",
             0, "", "");
  OWNED_RUN run = run_line(state, "graze bench --compare old-now.json old-later.json");
  assert_int_equal(run.status, 1);
  assert_non_null(strstr(run.output, "\n3 rows in both: 1 slower, "));
}

TOOL_TEST(what_is_no_record_is_refused) {
  write_record(state, "good.json", "p", base, BASE_ROWS);
  expect_run(state, "graze bench --compare absent.json good.json", 2, "",
             "graze: absent.json: No such file or directory\n");
  expect_run(state, "graze bench --compare absent.json --scene rods", 2, "",
             "graze: absent.json: No such file or directory\n");
  expect_run(state, "graze bench --compare . good.json", 2, "", "graze: .: Is a directory\n");
  expect_run(state, "head -c 700 good.json >cut.json; graze bench --compare good.json cut.json", 2, "", NULL);
  expect_run(state, ": >empty.json; graze bench --compare empty.json good.json", 2, "",
             "graze: empty.json:1: the text is incomplete\n");
  expect_run(state, "echo '[1]' >list.json; graze bench --compare list.json good.json", 2, "",
             "graze: list.json:1: not a record of graze bench: \"record\" is missing or invalid\n");
  expect_run(
      state,
      "sed 's/\"total_ms\":10.0000/\"total_ms\":-1/' good.json >bad.json; graze bench --compare bad.json good.json", 2,
      "", "graze: bad.json:1: not a record of graze bench: \"total_ms\" is missing or invalid\n");
  expect_run(state,
             "sed 's/ffffffffffffffff/fffffffffffffffg/' good.json >bad.json; graze bench --compare good.json bad.json",
             2, "", "graze: bad.json:1: not a record of graze bench: \"hash\" is missing or invalid\n");
  expect_run(state,
             "sed 's/\"pass_total_ms\":\\[10/\"pass_total_ms\":[1,10/' good.json >bad.json; graze bench --compare "
             "bad.json good.json",
             2, "", "graze: bad.json:1: not a record of graze bench: \"pass_processor_ms\" is missing or invalid\n");
  expect_run(state,
             "sed 's/\"threads\":2/\"threads\":[]/' good.json >bad.json; graze bench --compare bad.json good.json", 2,
             "", "graze: bad.json:1: not a record of graze bench: \"threads\" is missing or invalid\n");
  expect_run(state, "graze bench --compare good.json --json good.json", 2, "",
             "graze: --json would overwrite good.json, which is to be compared\nTry 'graze bench --help'.\n");
  expect_run(state, "graze bench --compare good.json good.json --csv a.csv", 2, "",
             "graze: comparing two records measures nothing; there are no rows for --csv\n"
             "Try 'graze bench --help'.\n");
}

/* Records used to name variants that are gone: the usual ones are the rows of today, others match none of them. */
TOOL_TEST(retired_members_are_read) {
  write_record(state, "old.json", "p", base, BASE_ROWS);
  expect_run(
      state,
      "sed 's/\"dedup\":\"owner\",\"cell_hash\":\"morton\",//g; s/\"assign\":\"covering\",//g' old.json >new.json; "
      "grep -c dedup new.json",
      1, "0\n", "");
  expect_run(state, "graze bench --compare old.json new.json | tail -n 1 | cut -c-14", 0, "3 rows in both\n", "");
  expect_run(state,
             "sed -i '0,/\"dedup\":\"owner\"/s//\"dedup\":\"sort\"/' old.json; "
             "graze bench --compare old.json new.json | tail -n 1 | cut -c-14",
             0, "2 rows in both\n", "");
}
