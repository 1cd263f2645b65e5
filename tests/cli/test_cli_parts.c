/* Tests the parts of the tool: formatted numbers, suggestions, option values, JSON, and counts of pairs. */
#include "close_match.h"
#include "json_validator.h"
#include "json_writer.h"
#include "option_values.h"
#include "pair_table.h"
#include "plain_words.h"
#include "testing.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

TEST(numbers_are_grouped_by_thousands) {
  assert_string_equal(grouped_number(0).text, "0");
  assert_string_equal(grouped_number(999).text, "999");
  assert_string_equal(grouped_number(1000).text, "1,000");
  assert_string_equal(grouped_number(1742612).text, "1,742,612");
  assert_string_equal(grouped_number(UINT64_MAX).text, "18,446,744,073,709,551,615");
  assert_string_equal(counted(1, "pair").text, "1 pair");
  assert_string_equal(counted(0, "pair").text, "0 pairs");
  assert_string_equal(counted(UINT64_MAX, "triangle").text, "18,446,744,073,709,551,615 triangles");
}

TEST(durations_have_the_unit_that_fits) {
  assert_string_equal(spelled_duration(0.314).text, "0.31 ms");
  assert_string_equal(spelled_duration(13.24).text, "13.2 ms");
  assert_string_equal(spelled_duration(12345).text, "12.3 s");
}

TEST(one_slip_is_one_step) {
  assert_int_equal(edit_distance("method", "method"), 0);
  assert_int_equal(edit_distance("metod", "method"), 1);
  assert_int_equal(edit_distance("methood", "method"), 1);
  assert_int_equal(edit_distance("mathod", "method"), 1);
  assert_int_equal(edit_distance("mehtod", "method"), 1);
  assert_int_equal(edit_distance("", "method"), 6);
  assert_int_equal(edit_distance("ca", "abc"), 3);
}

TEST(the_nearest_name_is_suggested) {
  close_match match = {.wanted = "thread"};
  close_match_offer(&match, "triangles");
  close_match_offer(&match, "threads");
  close_match_offer(&match, "thread-count");
  assert_string_equal(match.best, "threads");
  close_match nothing = {.wanted = "xyz"};
  close_match_offer(&nothing, "grid");
  close_match_offer(&nothing, "brute");
  assert_null(nothing.best);
  char letters[200];
  memset(letters, 'a', sizeof letters - 1);
  letters[sizeof letters - 1] = '\0';
  close_match endless = {.wanted = letters};
  close_match_offer(&endless, "grid");
  assert_null(endless.best);
}

TEST(whole_numbers_are_read_to_the_last_letter) {
  uint64_t number = 7;
  assert_true(read_whole_number("threads", "12", 1, 16, &number));
  assert_int_equal(number, 12);
  assert_true(read_whole_number("seed", "18446744073709551615", 0, UINT64_MAX, &number));
  assert_true(number == UINT64_MAX);
  const char *const refused[] = {"",   "0",   "17",  "-1",  "+1",  " 1",
                                 "1 ", "1.0", "1e1", "0x1", "abc", "18446744073709551616"};
  for (size_t i = 0; i < sizeof refused / sizeof refused[0]; ++i) {
    number = 7;
    assert_false(read_whole_number("threads", refused[i], 1, 16, &number));
    assert_int_equal(number, 7);
  }
}

TEST(shifts_need_an_object_and_three_finite_numbers) {
  shift by;
  assert_true(read_shift("move", "12=1,-2.5,3e-3", &by));
  assert_int_equal(by.object, 12);
  assert_true(by.by[0] == 1 && by.by[1] == -2.5 && by.by[2] == 3e-3);
  const char *const refused[] = {"",          "1",           "=1,2,3",   "1=1,2",   "1=1,2,3,4", "1=1,2,3,",
                                 "1=1,,3",    "a=1,2,3",     "-1=1,2,3", "1=1;2;3", "1=1, 2,3",  "1=nan,0,0",
                                 "1=0,inf,0", "1=0,0,1e999", "1=1,2,3x", "1 =1,2,3"};
  for (size_t i = 0; i < sizeof refused / sizeof refused[0]; ++i) assert_false(read_shift("move", refused[i], &by));
}

/* The output of the writer, as text. */
static char *written_string(const char *text, size_t *bytes_out) {
  FILE *stream = tmpfile();
  assert_non_null(stream);
  json_writer json = {.stream = stream};
  json_string(&json, text);
  const long bytes = ftell(stream);
  rewind(stream);
  char *copy = calloc((size_t)bytes + 1, 1);
  assert_non_null(copy);
  assert_int_equal(fread(copy, 1, (size_t)bytes, stream), bytes);
  fclose(stream);
  *bytes_out = (size_t)bytes;
  return copy;
}

static void expect_written(const char *text, const char *expected) {
  size_t bytes = 0, where = 0;
  OWNED_MEMORY char *json = written_string(text, &bytes);
  assert_string_equal(json, expected);
  assert_true(json_is_valid(json, bytes, &where));
}

TEST(strings_are_escaped_and_utf8_passes) {
  expect_written("", "\"\"");
  expect_written("a\"b\\c/d", "\"a\\\"b\\\\c/d\"");
  expect_written("\n\x1b\x7f", "\"\\u000a\\u001b\\u007f\"");
  expect_written("h\xc3\xa4se \xe2\x82\xac \xf0\x9f\x90\x87", "\"h\xc3\xa4se \xe2\x82\xac \xf0\x9f\x90\x87\"");
  expect_written("\xff\xc3", "\"\\ufffd\\ufffd\"");
  expect_written("\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\"");
  expect_written("\xc0\xaf", "\"\\ufffd\\ufffd\"");
  expect_written("\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\"");
}

/* Whatever bytes a name has, the text must be JSON. The generator is a linear congruential one, seeded by 1. */
TEST(every_string_becomes_valid_json) {
  uint64_t random = 1;
  for (int round = 0; round < 3000; ++round) {
    char text[12];
    for (size_t i = 0; i + 1 < sizeof text; ++i) {
      random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
      text[i] = (char)(random >> 56);
    }
    text[sizeof text - 1] = '\0';
    size_t bytes = 0, where = 0;
    OWNED_MEMORY char *json = written_string(text, &bytes);
    if (!json_is_valid(json, bytes, &where)) fail_msg("byte %zu of %s does not fit", where, json);
  }
}

TEST(the_validator_refuses_what_is_no_json) {
  const char *const bad[] = {"",   "{",        "[1,]",   "{\"a\":1,}", "{a:1}", "[1 2]",    "01",
                             "1.", "nan",      "\"\n\"", "\"\\x\"",    "[1]]",  "\"\xff\"", "\"\xed\xa0\x80\"",
                             "+1", "{\"a\" 1}"};
  const char *const good[] = {"0", "-1.5e+3", "[]", "{}", " [1,2 , {\"a\":null}] ", "\"\\u00e4\"", "true"};
  size_t where = 0;
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) assert_false(json_is_valid(bad[i], strlen(bad[i]), &where));
  for (size_t i = 0; i < sizeof good / sizeof good[0]; ++i)
    assert_true(json_is_valid(good[i], strlen(good[i]), &where));
}

TEST(pairs_are_counted_by_objects) {
  const graze_pair pairs[] = {{0, 0, 0, 4}, {0, 0, 3, 1}, {0, 1, 2, 0}, {0, 1, 3, 0}, {0, 9, 3, 9},
                              {1, 0, 2, 0}, {1, 5, 2, 5}, {2, 0, 3, 0}, {3, 0, 3, 7}};
  const pair_row expected[] = {{0, 0, 1}, {0, 2, 1}, {0, 3, 3}, {1, 2, 2}, {2, 3, 1}, {3, 3, 1}};
  pair_table table;
  assert_true(pair_table_count(pairs, sizeof pairs / sizeof pairs[0], 4, &table));
  assert_int_equal(table.count, 6);
  for (size_t i = 0; i < 6; ++i) {
    assert_int_equal(table.rows[i].object_a, expected[i].object_a);
    assert_int_equal(table.rows[i].object_b, expected[i].object_b);
    assert_int_equal(table.rows[i].count, expected[i].count);
  }
  assert_int_equal(table.within, 2);
  assert_int_equal(table.between, 7);
  pair_table_sort_by_count(&table);
  const uint64_t falling[] = {3, 2, 1, 1, 1, 1};
  for (size_t i = 0; i < 6; ++i) assert_int_equal(table.rows[i].count, falling[i]);
  assert_int_equal(table.rows[2].object_b, 0);
  pair_table_release(&table);
  assert_true(pair_table_count(NULL, 0, 0, &table));
  assert_int_equal(table.count, 0);
  pair_table_release(&table);
}
