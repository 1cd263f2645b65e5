/* `graze bench --compare` on records that are written here: noise is no change, a planted slow-down of 10 % is one,
 * other hashes are errors, and what is no record is refused. */
#include "tool_runner.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { RECORD_BYTES = 1 << 14 };

typedef struct row {
  const char *scene;
  unsigned threads;
  double median, least, lower, upper, processor, yardstick;
  const char *hash;
} row;

#define HASH "00000000000000ab"

static const row base[] = {{"self-rods", 1, 10.0, 9.8, 9.9, 10.1, 9.7, 3.0, HASH},
                           {"self-rods", 2, 5.5, 5.0, 5.2, 6.0, 9.9, 3.0, HASH},
                           {"self-soup", 1, 100.0, 98.0, 99.0, 103.0, 97.0, 3.0, "ffffffffffffffff"}};
enum { BASE_ROWS = sizeof base / sizeof base[0] };

static size_t write_row(char *text, size_t room, const row *r) {
  return (size_t)snprintf(
      text, room,
      "{\"table\":\"scenes\",\"scene\":\"%s\",\"kind\":\"self\",\"primitives\":1000,\"method\":\"grid\",\"dedup\":"
      "\"owner\",\"cell_hash\":\"morton\",\"test\":\"sat\",\"question\":\"pairs\",\"builder\":\"auto\",\"clusters\":0,"
      "\"axis\":\"principal\",\"assign\":\"covering\",\"frame\":\"first\",\"step\":0,\"backend\":\"cpu\",\"threads\":%"
      "u,"
      "\"total_ms\":%.4f,\"least_ms\":%.4f,\"lower_quartile_ms\":%.4f,\"upper_quartile_ms\":%.4f,\"least_processor_"
      "ms\":%.4f,\"yardstick_ms\":%.4f,\"hash\":\"%s\"}",
      r->scene, r->threads, r->median, r->least, r->lower, r->upper, r->processor, r->yardstick, r->hash);
}

static void write_record(void **state, const char *name, const char *processor, const row *rows, size_t count) {
  char *const text = malloc(RECORD_BYTES);
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
  free(text);
}

static row scaled(row r, double factor) {
  r.median *= factor;
  r.least *= factor;
  r.lower *= factor;
  r.upper *= factor;
  r.processor *= factor;
  return r;
}

static void compare_with_base(void **state, const row *rows, size_t count, int status, const char *words) {
  write_record(state, "old.json", "p", base, BASE_ROWS);
  write_record(state, "new.json", "p", rows, count);
  tool_run run = run_line(state, "graze bench --compare old.json new.json");
  if (strstr(run.output, words) == NULL) fail_msg("not said: %s\n%s%s", words, run.output, run.errors);
  assert_int_equal(run.status, status);
  assert_string_equal(run.errors, "");
  tool_run_release(&run);
}

static void noise_is_no_change(void **state) {
  row rows[BASE_ROWS];
  const char *const nothing =
      "\n3 rows in both: 0 slower, 0 faster, 0 waited, the others the same within noise; all hashes are "
      "the same; 0 came, 0 went\n";
  compare_with_base(state, base, BASE_ROWS, 0, nothing);
  for (size_t i = 0; i < BASE_ROWS; ++i) rows[i] = scaled(base[i], i % 2 == 0 ? 1.025 : 0.975);
  compare_with_base(state, rows, BASE_ROWS, 0, nothing);
  /* Beyond 3 %, within the quartiles. */
  for (size_t i = 0; i < BASE_ROWS; ++i) rows[i] = scaled(base[i], 1.05);
  rows[0].upper = 10.9;
  rows[2].upper = 110.0;
  compare_with_base(state, rows, BASE_ROWS, 0, nothing);
  /* A machine with other work: medians and quartiles rise, the least time stays. */
  for (size_t i = 0; i < BASE_ROWS; ++i) {
    rows[i] = scaled(base[i], 1.4);
    rows[i].least = base[i].least;
  }
  compare_with_base(state, rows, BASE_ROWS, 0, nothing);
}

static void a_planted_slow_down_is_told(void **state) {
  row rows[BASE_ROWS];
  memcpy(rows, base, sizeof rows);
  rows[0] = scaled(base[0], 1.1);
  compare_with_base(state, rows, BASE_ROWS, 1,
                    "scenes   self-rods                     1000 self    grid     cpu     1     10.000     11.000   "
                    "+10.0 %    4.2 %  slower\n");
  compare_with_base(state, rows, BASE_ROWS, 1, "\n3 rows in both: 1 slower, 0 faster, ");
  rows[0] = scaled(base[0], 0.9);
  rows[2] = scaled(base[2], 0.5);
  compare_with_base(state, rows, BASE_ROWS, 0, "\n3 rows in both: 0 slower, 2 faster, ");
}

/* Fixed work took longer, too. */
static void a_slow_machine_is_no_change(void **state) {
  row rows[BASE_ROWS];
  for (size_t i = 0; i < BASE_ROWS; ++i) {
    rows[i] = scaled(base[i], 1.1);
    rows[i].yardstick *= 1.05;
  }
  compare_with_base(state, rows, BASE_ROWS, 0, "\n3 rows in both: 0 slower, 0 faster, 0 waited, ");
  compare_with_base(state, rows, BASE_ROWS, 0, "fixed work beside the rows took up to 5 % more or less time");
  rows[0] = scaled(rows[0], 1.1);
  compare_with_base(state, rows, BASE_ROWS, 1, "\n3 rows in both: 1 slower, ");
}

/* Wall time says so, and the processor's does not. */
static void waiting_is_told_apart(void **state) {
  row rows[BASE_ROWS];
  memcpy(rows, base, sizeof rows);
  rows[0] = scaled(base[0], 1.5);
  rows[0].processor = base[0].processor;
  compare_with_base(state, rows, BASE_ROWS, 0, "+50.0 %    5.0 %  waited\n");
  compare_with_base(state, rows, BASE_ROWS, 0, "\n3 rows in both: 0 slower, 0 faster, 1 waited, ");
}

static void other_hashes_are_errors(void **state) {
  row rows[BASE_ROWS];
  memcpy(rows, base, sizeof rows);
  rows[1].hash = "00000000000000ac";
  compare_with_base(state, rows, BASE_ROWS, 1, " OTHER HASH\n");
  compare_with_base(state, rows, BASE_ROWS, 1, "; 1 HAVE ANOTHER HASH: other pairs were found; ");
}

static void rows_come_and_go(void **state) {
  row rows[BASE_ROWS];
  memcpy(rows, base, sizeof rows);
  rows[1].threads = 16;
  compare_with_base(state, rows, BASE_ROWS, 0,
                    "came scenes   self-rods                     1000 self    grid     cpu    16\n");
  compare_with_base(state, rows, BASE_ROWS, 0,
                    "went scenes   self-rods                     1000 self    grid     cpu     2\n");
  compare_with_base(state, rows, BASE_ROWS, 0, "; 1 came, 1 went\n");
  compare_with_base(state, rows, 0, 0, "\n0 rows in both: ");
  /* Rows that are alike belong to each other in their order. */
  const row twice[] = {base[0], base[1], base[2], scaled(base[0], 2.0)};
  compare_with_base(state, twice, 4, 0, "3 rows in both: 0 slower, 0 faster, ");
  write_record(state, "twice.json", "p", twice, 4);
  tool_run run = run_line(state, "graze bench --compare twice.json twice.json");
  assert_non_null(strstr(run.output, "\n4 rows in both: 0 slower, 0 faster, "));
  assert_int_equal(run.status, 0);
  tool_run_release(&run);
}

static void another_machine_is_told(void **state) {
  write_record(state, "old.json", "p", base, BASE_ROWS);
  write_record(state, "new.json", "q", base, BASE_ROWS);
  tool_run run = run_line(state, "graze bench --compare old.json new.json");
  assert_int_equal(run.status, 0);
  assert_non_null(
      strstr(run.output, "\ndifferent machines, so that times say little: x p, 2 processors | x q, 2 processors\n"));
  tool_run_release(&run);
}

/* A real run beside a record of other rows, and beside itself: the hashes agree, times are not looked at. */
static void a_run_is_compared(void **state) {
  write_record(state, "old.json", "p", base, BASE_ROWS);
  tool_run run = run_line(state, "env -u GRAZE_DATA graze bench --scene rods --size 400 --rounds 1 --threads 1 "
                                 "--method grid --json now.json --compare old.json");
  assert_int_equal(run.status, 0);
  assert_non_null(strstr(run.output, "\nnew: this run, commit "));
  assert_non_null(strstr(run.output, "\n0 rows in both: "));
  tool_run_release(&run);
  run = run_line(state, "graze bench --compare now.json now.json");
  assert_int_equal(run.status, 0);
  assert_non_null(strstr(run.output, "\n1 row in both: 0 slower, 0 faster, "));
  tool_run_release(&run);
}

static void what_is_no_record_is_refused(void **state) {
  write_record(state, "good.json", "p", base, BASE_ROWS);
  expect_run(state, "graze bench --compare absent.json good.json", 2, "",
             "graze: absent.json: No such file or directory\n");
  expect_run(state, "graze bench --compare absent.json --scene rods", 2, "",
             "graze: absent.json: No such file or directory\n");
  expect_run(state, "graze bench --compare . good.json", 2, "", "graze: .: Is a directory\n");
  expect_run(state, "head -c 700 good.json >cut.json; graze bench --compare good.json cut.json", 2, "", NULL);
  expect_run(state, ": >empty.json; graze bench --compare empty.json good.json", 2, "",
             "graze: empty.json:1: the text ends in the middle\n");
  expect_run(state, "echo '[1]' >list.json; graze bench --compare list.json good.json", 2, "",
             "graze: list.json:1: this is no record of graze bench: \"record\" is missing or not what it should be\n");
  expect_run(
      state,
      "sed 's/\"total_ms\":10.0000/\"total_ms\":-1/' good.json >bad.json; graze bench --compare bad.json good.json", 2,
      "", "graze: bad.json:1: this is no record of graze bench: \"total_ms\" is missing or not what it should be\n");
  expect_run(
      state, "sed 's/ffffffffffffffff/fffffffffffffffg/' good.json >bad.json; graze bench --compare good.json bad.json",
      2, "", "graze: bad.json:1: this is no record of graze bench: \"hash\" is missing or not what it should be\n");
  expect_run(
      state, "sed 's/\"threads\":2/\"threads\":[]/' good.json >bad.json; graze bench --compare bad.json good.json", 2,
      "", "graze: bad.json:1: this is no record of graze bench: \"threads\" is missing or not what it should be\n");
  expect_run(state, "graze bench --compare good.json --json good.json", 2, "",
             "graze: --json would overwrite good.json, which is to be compared\nTry 'graze bench --help'.\n");
  expect_run(
      state, "graze bench --compare good.json good.json --csv a.csv", 2, "",
      "graze: two records are compared without measuring; there are no rows for --csv\nTry 'graze bench --help'.\n");
}

#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, tool_folder_make, tool_folder_remove)

int main(void) {
  const struct CMUnitTest tests[] = {
      WITH_FOLDER(noise_is_no_change),           WITH_FOLDER(a_planted_slow_down_is_told),
      WITH_FOLDER(waiting_is_told_apart),        WITH_FOLDER(a_slow_machine_is_no_change),
      WITH_FOLDER(other_hashes_are_errors),      WITH_FOLDER(rows_come_and_go),
      WITH_FOLDER(another_machine_is_told),      WITH_FOLDER(a_run_is_compared),
      WITH_FOLDER(what_is_no_record_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
