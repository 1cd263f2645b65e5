/* Tests the tool with unusual files: the verdict is that of their meshes, and the tool reports what it skips. */
#include "testing.h"
#include "tool_runner.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "test_scale.h"

/* Read without its first line, all vertices would shift and the triangles would not meet any more. */
TOOL_TEST(a_byte_order_mark_does_not_change_the_verdict) {
  tool_run plain = run_line(state, "cp crossing.obj named.obj; graze check named.obj --csv - -q");
  assert_int_equal(plain.status, 1);
  expect_run(state,
             "printf '\\357\\273\\277' >marked.obj; cat crossing.obj >>marked.obj; graze check marked.obj --csv - -q",
             1, plain.output, "");
  expect_run(state, "gzip -c marked.obj >marked.gz; graze check marked.gz --csv - -q", 1, plain.output, "");
  tool_run_release(&plain);
  expect_run(
      state, "printf '\\377\\376v\\0' >wide.obj; graze check wide.obj", 2, "",
      "graze: wide.obj: the byte-order mark is that of UTF-16, little endian; only ASCII and UTF-8 are supported\n");
}

static const char odd_text[] = "# a comment\nmtllib x.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 0 1\ng a\nusemtl red\n"
                               "f 1 2 3\nfoo 1 2\nv 0 0 1\ng b\ns off\nfo 1 2 4\nf 1 2 4\nbar\n";

TOOL_TEST(unknown_keywords_are_reported) {
  folder_write(state, "odd.obj", odd_text, strlen(odd_text));
  const char note[] = "graze: note: odd.obj: 3 lines with unknown keywords were skipped, the first: line 10, "
                      "\"foo\"\n";
  tool_run run = run_line(state, "graze check odd.obj --json all.json");
  assert_int_equal(run.status, 0);
  assert_string_equal(run.errors, note);
  tool_run_release(&run);
  expect_run(state, "grep -o '\"unknown_lines\":[0-9]*' all.json", 0, "\"unknown_lines\":3\n", "");
  /* Once for a file, however many objects it has; each of them knows the number. */
  expect_run(state, "graze check odd.obj --separate --json all.json >words", 1, "", note);
  expect_run(state, "grep -o '\"unknown_lines\":[0-9]*' all.json", 0, "\"unknown_lines\":3\n\"unknown_lines\":3\n", "");
  expect_run(state, "graze analyze odd.obj --json all.json >words", 0, "", note);
  expect_run(state, "grep -o '\"unknown_lines\":[0-9]*' all.json", 0, "\"unknown_lines\":3\n", "");
  expect_run(state, "graze check odd.obj -q", 0, "", "");
}

/* A thousandth of its size, in 300 parts of a megabyte of line ends. */
#define MAKE_BOMB                                                                                                      \
  "head -c 1000000 /dev/zero | tr '\\0' '\\n' | gzip >part; for i in $(seq 300); do cat part; done >bomb.obj.gz; "     \
  "gzip -c one.obj >>bomb.obj.gz; "
#define SIZES                                                                                                          \
  "s/first [0-9,]* of [0-9,]* compressed bytes expand to [0-9,]*[0-9]/first # of # compressed bytes expand to #/"
#define BOMB                                                                                                           \
  "bomb.obj.gz: the first # of # compressed bytes expand to #, more than 100 times as many; --allow-large reads the "  \
  "file anyway\n"

/* Sanitizers take half a minute to read it: once there, by one of the commands. */
TOOL_TEST(bombs_are_refused_unless_allowed) {
  expect_run(state, MAKE_BOMB "graze check bomb.obj.gz 2>errors", 2, "", "");
  expect_run(state, "sed '" SIZES "' errors", 0, "graze: " BOMB, "");
  expect_run(state, "graze check bomb.obj.gz --allow-large -q", 0, "", "");
  expect_run(state, "graze analyze bomb.obj.gz -q 2>errors", 2, "", "");
  expect_run(state, "sed '" SIZES "' errors", 0, "graze: " BOMB, "");
  expect_run(state, "graze analyze bomb.obj.gz one.obj -q 2>errors && sed '" SIZES "' errors", 0,
             "graze: note: skipped: " BOMB, "");
  if (test_scale() == 1.0) {
    expect_run(state, "graze analyze bomb.obj.gz -q --allow-large", 0, "", "");
    expect_run(state, "graze make filled --surface bomb.obj.gz -o x.msh -q 2>errors || sed '" SIZES "' errors", 0,
               "graze: " BOMB, "");
    expect_run(state,
               "graze make filled --surface bomb.obj.gz -o x.msh -q --allow-large 2>errors; grep -c allow errors", 1,
               "0\n", "");
  }
  /* A file that grows as much, but not as large. */
  expect_run(state, "cat part part part >fine.obj.gz; gzip -c one.obj >>fine.obj.gz; graze check fine.obj.gz -q", 0, "",
             "");
}
