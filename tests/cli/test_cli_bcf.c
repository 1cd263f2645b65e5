/* Tests `graze check --bcf`: unzip opens the archives, the schemas of buildingSMART accept them, ids are stable from
 * check to check, and errors are clear. The schemas are in GRAZE_DATA; without it, or without xmllint, they are not
 * tested. */
#include "testing.h"
#include "tool_runner.h"

#include "picture_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HINT "Try 'graze check --help'.\n"

static char *read_line_of(void **state, const char *line) {
  OWNED_RUN run = run_line(state, line);
  expect_status(&run, 0);
  char *output = strdup(run.output);
  return output;
}

static void expect_output(void **state, const char *line, const char *output) {
  expect_run(state, line, 0, output, "");
}

static void unpack(void **state, const char *archive) {
  char line[256];
  snprintf(line, sizeof line, "rm -rf out && unzip -tqq %s && unzip -q %s -d out", archive, archive);
  expect_output(state, line, "");
}

static void expect_schemas(void **state) {
  const char *data = getenv("GRAZE_DATA");
  tool_run found = run_line(state, "command -v xmllint");
  const bool has_linter = found.status == 0;
  tool_run_release(&found);
  if (data == NULL || !has_linter) {
    print_message("schemas: skipped, GRAZE_DATA or xmllint is missing\n");
    return;
  }
  expect_run(state,
             "set -e; d=\"$GRAZE_DATA/bcf\"; xmllint --noout --schema $d/version.xsd out/bcf.version;"
             "for f in out/*/markup.bcf; do xmllint --noout --schema $d/markup.xsd $f; done;"
             "for f in out/*/viewpoint.bcfv; do xmllint --noout --schema $d/visinfo.xsd $f; done",
             0, "", NULL);
}

/* A topic for each two objects: what it says, and the picture with the marks of the clash. */
TOOL_TEST(writes_a_topic_for_each_pair) {
  expect_run(state, "graze check one.obj two.obj far.obj crossing.obj --bcf clashes.bcf --quiet", 1, "", "");
  unpack(state, "clashes.bcf");
  expect_output(state, "ls out | wc -l | tr -d ' '", "4\n"); /* bcf.version and three pairs of objects */
  expect_schemas(state);
  expect_output(state, "grep -h '^<Title>' out/*/markup.bcf | sort",
                "<Title>one.obj intersects crossing.obj</Title>\n"
                "<Title>one.obj intersects two.obj</Title>\n"
                "<Title>two.obj intersects crossing.obj</Title>\n");
}

TOOL_TEST(shows_the_clash) {
  expect_run(state, "graze check one.obj two.obj --bcf clashes.bcf --quiet", 1, "", "");
  unpack(state, "clashes.bcf");
  expect_output(state, "cp out/*/snapshot.png seen.png; grep -c '<Component>' out/*/viewpoint.bcfv", "2\n");
  expect_output(state, "grep -h 1.clash out/*/markup.bcf | sed 's/ Moving.*//'",
                "<Description>1 clash in 1 pair of primitives.\n");
  char *folder = read_line_of(state, "pwd | tr -d '\n'");
  char path[1024];
  snprintf(path, sizeof path, "%s/seen.png", folder);
  free(folder);
  read_picture picture;
  assert_true(picture_read(path, &picture));
  size_t marked = 0;
  for (size_t i = 0; i < (size_t)picture.width * picture.height; ++i) {
    const uint8_t *p = picture.pixels + 3 * i;
    marked += p[0] > 100 && p[0] > 2 * p[1] && p[0] > 4 * p[2];
  }
  assert_true(marked > 1000);
  free(picture.pixels);
}

/* The same objects in another order, moved, and in another folder, are the same topic; others are not. */
TOOL_TEST(ids_stay) {
  char *first = read_line_of(state, "graze check one.obj two.obj --bcf a.bcf -q; unzip -Z1 a.bcf '*.bcf' | sort");
  char *turned = read_line_of(state, "mkdir -p sub; cp one.obj sub; graze check two.obj sub/one.obj --move 0=0.1,0,0 "
                                     "--bcf b.bcf -q; unzip -Z1 b.bcf '*.bcf' | sort");
  char *other = read_line_of(state, "cp one.obj uno.obj; graze check uno.obj two.obj --bcf c.bcf -q; "
                                    "unzip -Z1 c.bcf '*.bcf' | sort");
  assert_string_equal(first, turned);
  assert_string_not_equal(first, other);
  free(first);
  free(turned);
  free(other);
  expect_output(state,
                "export SOURCE_DATE_EPOCH=1000000000; graze check one.obj two.obj --bcf a.bcf -q; "
                "graze check one.obj two.obj --bcf b.bcf -q; cmp a.bcf b.bcf && unzip -p a.bcf '*/markup.bcf' | "
                "grep -o 'CreationDate>2001-09-09T01:46:40Z'",
                "CreationDate>2001-09-09T01:46:40Z\n");
}

/* The same file twice: two objects, each with a name of its own. Files of one name are told apart by their folders. */
TOOL_TEST(tells_copies_apart) {
  expect_run(state, "graze check crossing.obj crossing.obj crossing.obj --bcf copies.bcf -q", 1, "", "");
  unpack(state, "copies.bcf");
  expect_output(state, "grep -h '^<Title>' out/*/markup.bcf | sort",
                "<Title>crossing.obj (object 0) intersects crossing.obj (object 1)</Title>\n"
                "<Title>crossing.obj (object 0) intersects crossing.obj (object 2)</Title>\n"
                "<Title>crossing.obj (object 1) intersects crossing.obj (object 2)</Title>\n");
  OWNED_MEMORY char *first = read_line_of(
      state, "mkdir -p sub; cp one.obj sub; graze check one.obj two.obj sub/one.obj --move 2=9,9,9 --bcf a.bcf -q; "
             "unzip -Z1 a.bcf '*.bcf' | sort");
  OWNED_MEMORY char *turned =
      read_line_of(state, "graze check sub/one.obj two.obj one.obj --move 0=9,9,9 --bcf b.bcf -q; "
                          "unzip -Z1 b.bcf '*.bcf' | sort");
  assert_string_equal(first, turned);
}

TOOL_TEST(names_objects) {
  expect_run(
      state,
      "cp one.obj 2O2Fr\\$t4X7Zf8NOew3FLOH.obj; cp two.obj '<b>&\"\xef\xbf\xbe\xef\xbf\xbf\xef\xbf\xbc.obj'; "
      "graze check 2O2Fr\\$t4X7Zf8NOew3FLOH.obj '<b>&\"\xef\xbf\xbe\xef\xbf\xbf\xef\xbf\xbc.obj' --bcf names.bcf -q",
      1, "", "");
  unpack(state, "names.bcf");
  expect_schemas(state);
  expect_output(state, "grep -h -e IfcGuid -e AuthoringToolId out/*/viewpoint.bcfv",
                "<Component IfcGuid=\"2O2Fr$t4X7Zf8NOew3FLOH\"/>\n"
                "<AuthoringToolId>&lt;b&gt;&amp;&quot;\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbc.obj</AuthoringToolId>\n");
}

TOOL_TEST(insides_count_where_solid) {
  static const char faces[] = "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  char text[256];
  int length = snprintf(text, sizeof text, "v 0 0 0\nv 8 0 0\nv 0 8 0\nv 0 0 8\n%s", faces);
  folder_write(state, "hull.obj", text, (size_t)length);
  length = snprintf(text, sizeof text, "v 1 1 1\nv 2 1 1\nv 1 2 1\nv 1 1 2\n%s", faces);
  folder_write(state, "ball.obj", text, (size_t)length);
  expect_run(state, "graze check ball.obj hull.obj --bcf in.bcf -q", 0, "", "");
  expect_output(state, "unzip -Z1 in.bcf", "bcf.version\n");
  expect_run(state, "graze check ball.obj hull.obj --solid --bcf in.bcf -q", 1, "", "");
  unpack(state, "in.bcf");
  expect_schemas(state);
  expect_output(state, "grep -h -e '^<Title>' -e '^<Labels>' out/*/markup.bcf",
                "<Title>ball.obj lies inside hull.obj</Title>\n<Labels>inside</Labels>\n");
}

TOOL_TEST(nothing_found_is_an_empty_archive) {
  expect_run(state, "graze check apart.obj --bcf none.bcf -q", 0, "", "");
  expect_output(state, "unzip -Z1 none.bcf", "bcf.version\n");
}

TOOL_TEST(refusals) {
  expect_run(state, "graze check one.obj two.obj --bcf clashes.zip", 2, "",
             "graze: --bcf writes BCF, but clashes.zip does not end in .bcf\n" HINT);
  expect_run(state, "graze check one.obj two.obj --bcf -", 2, "", NULL);
  expect_run(state, "graze check one.obj two.obj --bcf a.bcf --limit 1", 2, "",
             "graze: --bcf needs all pairs; --limit lists only the first\n" HINT);
  expect_run(state, "graze check one.obj two.obj --bcf a.bcf --touching", 2, "",
             "graze: --touching lists only objects; --bcf needs the pairs of their primitives\n" HINT);
  expect_run(state, "graze check one.obj two.obj --bcf a.bcf --clearance 1", 2, "",
             "graze: --clearance also lists pairs that do not intersect; it cannot be combined with --bcf\n" HINT);
  expect_run(state, "graze check one.obj two.obj --bcf a.bcf --zoom-to pair", 2, "",
             "graze: --zoom-to requires --picture FILE.png\n" HINT);
  expect_run(state, "ln -sf /dev/full full.bcf; graze check one.obj two.obj --bcf full.bcf", 2, "", NULL);
  assert_false(folder_has(state, "a.bcf"));
}
