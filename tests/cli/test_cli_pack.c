/* Tests `graze pack` as users run it: text, JSON, files that `graze check` reads, and errors. */
#include "json_validator.h"
#include "testing.h"
#include "tool_runner.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HINT "Try 'graze pack --help'.\n"

/* A tetrahedron whose largest ball has the center (a, a, a) and the radius a; and the same without one side. */
static const char corner[] = "v 0 0 0\nv 3 0 0\nv 0 4 0\nv 0 0 5\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
static const char open_corner[] = "v 0 0 0\nv 3 0 0\nv 0 4 0\nv 0 0 5\nf 1 3 2\nf 1 2 4\nf 1 4 3\n";

static void write_text(void **state, const char *name, const char *text) {
  folder_write(state, name, text, strlen(text));
}

TOOL_TEST(outcome_is_told_in_words) {
  write_text(state, "corner.obj", corner);
  tool_run run = run_line(state, "graze pack corner.obj --count 1");
  assert_int_equal(run.status, 0);
  assert_non_null(strstr(run.output, "corner.obj: 1 sphere, "));
  assert_non_null(strstr(run.output, "radii from 0.8028"));
  assert_non_null(strstr(run.output, "certified  exactly: no two spheres overlap, none leaves the mesh\n"));
  assert_string_equal(run.errors, "");
  tool_run_release(&run);
  expect_run(state, "graze pack corner.obj --count 5 --quiet", 0, "", "");
}

TOOL_TEST(json_matches_the_manual) {
  write_text(state, "corner.obj", corner);
  OWNED_RUN run = run_line(state, "graze pack corner.obj --count 40 --quiet --json -");
  assert_int_equal(run.status, 0);
  size_t where = 0;
  assert_true(json_is_valid(run.output, strlen(run.output), &where));
  assert_non_null(strstr(run.output, "\"count\":40,\"fill_rate\":0."));
  assert_non_null(strstr(run.output, "\"certified\":true,\"largest_gap\":0."));
  assert_non_null(strstr(run.output, ",\"largest_gap_bound\":0."));
  assert_non_null(strstr(run.output, "\"mesh_volume\":10,"));
}

/* Written spheres are read back and intersect neither each other nor the mesh, for one thread and for many. */
TOOL_TEST(files_are_read_again) {
  write_text(state, "corner.obj", corner);
  expect_run(state, "graze pack corner.obj --count 60 --threads 1 --quiet --output one.csv", 0, "", "");
  expect_run(state, "graze pack corner.obj --count 60 --threads 3 --quiet --output three.csv --picture three.png", 0,
             "", "");
  expect_run(state, "cmp one.csv three.csv", 0, "", "");
  expect_run(state, "graze pack corner.obj --count 60 --quiet --output all.ply", 0, "", "");
  expect_run(state, "graze check one.csv corner.obj --quiet", 0, "", "");
  expect_run(state, "graze check all.ply --quiet", 0, "", "");
  expect_run(state, "graze check one.csv all.ply --quiet", 1, "", "");
  expect_run(state, "head -n 1 one.csv", 0, "x,y,z,radius\n", "");
  expect_run(state, "wc -l < one.csv | tr -d ' '", 0, "61\n", "");
}

/* A tetrahedron of this size, as MEDIT has it. */
static void write_tetrahedron(void **state, const char *name, double size, const char *corners) {
  char text[512];
  snprintf(text, sizeof text,
           "MeshVersionFormatted 2\nDimension 3\nVertices 4\n0 0 0 0\n%g 0 0 0\n0 %g 0 0\n0 0 %g 0\n"
           "Tetrahedra 1\n%s 0\nEnd\n",
           size, size, size, corners);
  write_text(state, name, text);
}

/* A body that shrinks to one half, an inverted body, and invalid frames. */
TOOL_TEST(bodies_carry_spheres) {
  write_tetrahedron(state, "body.mesh", 1.0, "1 2 3 4");
  write_tetrahedron(state, "half.mesh", 0.5, "1 2 3 4");
  write_tetrahedron(state, "over.mesh", -1.0, "1 2 3 4");
  write_tetrahedron(state, "other.mesh", 1.0, "1 3 2 4");
  tool_run run = run_line(state, "graze pack body.mesh half.mesh over.mesh --count 30 --carried at_%02d.csv");
  assert_int_equal(run.status, 0);
  assert_non_null(strstr(run.output, "  frame half.mesh: 12.50 % of the spheres' volume, certified\n"));
  assert_non_null(strstr(run.output, "  frame over.mesh: 0.00 % of the spheres' volume, 30 spheres gone, certified\n"));
  tool_run_release(&run);
  expect_run(state, "graze check at_01.csv --quiet", 0, "", "");
  expect_run(state, "wc -l < at_02.csv | tr -d ' '", 0, "31\n", "");
  run = run_line(state, "graze pack body.mesh half.mesh --count 9 --quiet --json -");
  assert_non_null(strstr(run.output, "\"frames\":[{\"file\":\"half.mesh\",\"sphere_volume\":"));
  assert_non_null(strstr(run.output, "\"gone\":0,\"certified\":true}]"));
  tool_run_release(&run);
  expect_run(state, "graze pack body.mesh other.mesh --count 9 --quiet", 2, "",
             "graze: other.mesh: the corners of tetrahedron 0 differ from those in the body\n");
  write_text(state, "corner.obj", corner);
  expect_run(state, "graze pack body.mesh corner.obj --count 9 --quiet", 2, "",
             "graze: corner.obj: a frame needs the tetrahedra of the body; this file has other elements\n");
  expect_run(state, "graze pack corner.obj body.mesh --count 9 --quiet", 2, "",
             "graze: corner.obj: only bodies of tetrahedra have frames, and this is a surface; unexpected operand "
             "\"body.mesh\"\n");
  expect_run(state, "graze pack body.mesh half.mesh --count 9 --quiet --carried 'at%d%d.csv'", 2, "",
             "graze: --carried at%d%d.csv: a pattern can have only one frame-number placeholder\n" HINT);
  assert_false(folder_has(state, "at1%d.csv"));
  expect_run(state, "graze pack body.mesh none.mesh --count 9 --output never.csv", 2, "",
             "graze: none.mesh: cannot be opened: No such file or directory\n");
}

TOOL_TEST(holes_are_named) {
  write_text(state, "open.obj", open_corner);
  tool_run run = run_line(state, "graze pack open.obj --output never.csv");
  assert_int_equal(run.status, 2);
  assert_non_null(strstr(run.errors, "graze: open.obj: the mesh is not closed: triangle 0 has an edge from "));
  assert_non_null(strstr(run.errors, "the rim of a hole; 3 such edges in total\n"));
  tool_run_release(&run);
  expect_run(state, "test -e never.csv", 1, "", "");
}

/* A box by two corners; inverted: inside out. */
typedef struct box_text {
  double least[3], greatest[3];
  bool inverted;
} box_text;

static void write_boxes(void **state, const char *name, const box_text *boxes, int count) {
  static const int faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  char text[8192];
  int used = 0;
  for (int i = 0; i < 8 * count; ++i) {
    const box_text *box = &boxes[i / 8];
    used += snprintf(text + used, sizeof text - (size_t)used, "v %g %g %g\n",
                     (i & 1) != 0 ? box->greatest[0] : box->least[0], (i & 2) != 0 ? box->greatest[1] : box->least[1],
                     (i & 4) != 0 ? box->greatest[2] : box->least[2]);
  }
  for (int i = 0; i < 6 * count; ++i) {
    const int *face = faces[i % 6], first = 8 * (i / 6) + 1;
    const bool turned = boxes[i / 6].inverted;
    used += snprintf(text + used, sizeof text - (size_t)used, "f %d %d %d %d\n", first + face[0],
                     first + face[turned ? 3 : 1], first + face[2], first + face[turned ? 1 : 3]);
  }
  write_text(state, name, text);
}

/* Runs a successful packing, and searches its output and JSON for texts. */
static void expect_words(void **state, const char *file, const char *words, const char *json) {
  char line[128];
  snprintf(line, sizeof line, "graze pack %s --count 9", file);
  tool_run run = run_line(state, line);
  assert_int_equal(run.status, 0);
  if (strstr(run.output, words) == NULL) fail_msg("\"%s\" lacks \"%s\"", run.output, words);
  tool_run_release(&run);
  snprintf(line, sizeof line, "graze pack %s --count 9 --quiet --json -", file);
  run = run_line(state, line);
  size_t where = 0;
  assert_true(json_is_valid(run.output, strlen(run.output), &where));
  if (strstr(run.output, json) == NULL) fail_msg("\"%s\" lacks \"%s\"", run.output, json);
  tool_run_release(&run);
}

TOOL_TEST(odd_meshes_are_named) {
  const box_text crossing[] = {{{0, 0, 0}, {1, 1, 1}, false}, {{0.5, 0.25, 0.25}, {2, 0.75, 0.75}, false}};
  write_boxes(state, "crossing.obj", crossing, 2);
  expect_words(state, "crossing.obj",
               "  the mesh intersects itself: 12 pairs of its triangles, the first 10 and 12.\n"
               "  Regions with winding number 2 are filled once and count twice in its volume;\n",
               "\"shells\":2,\"cavities\":0,\"inverted\":false,\"self_crossings\":12,\"self_crossings_more\":false,");
  expect_words(state, "crossing.obj", "  2 shells; points with nonzero winding number are filled\n",
               "\"first_self_crossing\":[10,12]");
  const box_text hollow[] = {{{0, 0, 0}, {3, 2, 2}, true}, {{0.5, 0.5, 0.5}, {1, 1, 1}, false}};
  write_boxes(state, "hollow.obj", hollow, 2);
  expect_words(state, "hollow.obj", "  the mesh is inside out; it was treated as if reversed\n",
               "\"shells\":2,\"cavities\":1,\"inverted\":true,\"self_crossings\":0,");
  expect_words(state, "hollow.obj", "; 1 of them faces inward: a cavity, which stays free\n", "\"certified\":true");
}

TOOL_TEST(invalid_combinations_are_refused) {
  write_text(state, "corner.obj", corner);
  expect_run(state, "graze pack", 2, "", "graze: pack needs a mesh\n" HINT);
  expect_run(state, "graze pack -", 2, "", "graze: pack reads files, not standard input\n" HINT);
  expect_run(state, "graze pack corner.obj -", 2, "", "graze: pack reads files, not standard input\n" HINT);
  expect_run(state, "graze pack corner.obj --picture -", 2, "",
             "graze: --picture takes the name of a file; it cannot write to standard output\n" HINT);
  expect_run(state, "graze pack a.msh --carried b%d.csv", 2, "",
             "graze: --carried b%d.csv: there are no frames; give their files after the body\n" HINT);
  expect_run(state, "graze pack a.msh b.msh --carried b.csv", 2, "",
             "graze: --carried b.csv: each frame needs its own file: give a name with %04d\n" HINT);
  expect_run(state, "graze pack a.msh b.msh --carried b%d.obj", 2, "",
             "graze: b%d.obj: spheres are written to .ply and .csv files\n" HINT);
  expect_run(state, "graze pack corner.obj --count 0", 2, "",
             "graze: --count takes a whole number from 1 to 100000000, not \"0\"\n" HINT);
  expect_run(state, "graze pack corner.obj --device 0", 2, "",
             "graze: --device selects a CUDA device; it requires --backend cuda\n" HINT);
  expect_run(state, "graze pack corner.obj --fill 1.5", 2, "",
             "graze: --fill takes a number above 0 and at most 1, not \"1.5\"\n" HINT);
  static const char *const odd_radii[] = {"nan", "inf", "1e400", "-1", "0", ""};
  for (size_t i = 0; i < sizeof odd_radii / sizeof odd_radii[0]; ++i) {
    char line[64], words[96];
    snprintf(line, sizeof line, "graze pack corner.obj --smallest '%s'", odd_radii[i]);
    snprintf(words, sizeof words, "graze: --smallest takes a number above 0, not \"%s\"\n" HINT, odd_radii[i]);
    expect_run(state, line, 2, "", words);
  }
  expect_run(state, "graze pack corner.obj --fill 0", 2, "",
             "graze: --fill takes a number above 0 and at most 1, not \"0\"\n" HINT);
  write_text(state, "flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 3 2\n");
  expect_run(state, "graze pack flat.obj --quiet", 2, "", "graze: flat.obj: the mesh has no volume\n");
  expect_run(state, "graze pack corner.obj --output corner.off", 2, "",
             "graze: corner.off: spheres are written to .ply and .csv files\n" HINT);
  OWNED_RUN run = run_line(state, "graze pack corner.obj --smallest 2");
  assert_int_equal(run.status, 0);
  assert_non_null(strstr(run.output, "corner.obj: 0 spheres, 0.00 % full"));
  assert_non_null(strstr(run.output, "no sphere of the smallest radius fits"));
}

/* Packs for minutes; after an interrupt, the output is complete and states that the packing is not. */
/* Interrupts later and later, until the output is there: how far a second goes depends on the machine. */
#define INTERRUPTED(line, output)                                                                                      \
  "for seconds in 1 4 16 64; do timeout --preserve-status -s INT $seconds " line "; code=$?; test -s " output          \
  " && break; done; exit $code"

TOOL_TEST(an_interrupted_packing_writes_what_it_has) {
  expect_run(state, "graze make torus --primitives 2000 --output torus.obj -q", 0, "", "");
  tool_run run = run_line(state, INTERRUPTED("graze pack torus.obj --count 1000000 --threads 1 -q --output part.csv "
                                             "--json part.json --picture part.png",
                                             "part.csv"));
  expect_status(&run, 130);
  assert_non_null(strstr(run.errors, "graze: interrupted after "));
  assert_non_null(strstr(run.errors, " of at most 1000000 spheres; they are certified and written\n"));
  tool_run_release(&run);
  size_t bytes = 0, where = 0;
  char *text = folder_read(state, "part.json", &bytes);
  assert_true(json_is_valid(text, bytes, &where));
  assert_non_null(strstr(text, "\"interrupted\":true,\"certified\":true"));
  free(text);
  text = folder_read(state, "part.csv", &bytes);
  assert_memory_equal(text, "# partial: interrupted after ", 29);
  assert_non_null(strstr(text, " of at most 1000000 spheres\nx,y,z,radius\n"));
  free(text);
  assert_true(folder_has(state, "part.png"));
  expect_run(state, "graze check part.csv torus.obj -q", 0, "", "");
  run =
      run_line(state, INTERRUPTED("graze pack torus.obj --count 1000000 --threads 1 -q --output part.ply", "part.ply"));
  expect_status(&run, 130);
  tool_run_release(&run);
  expect_run(state, "head -n 3 part.ply | tail -n 1 | cut -c 1-35", 0, "comment partial: interrupted after \n", NULL);
}

/* A pipe as the mesh: it is interrupted before it has anything to pack. */
TOOL_TEST(an_interruption_before_the_first_sphere_writes_nothing) {
  expect_run(state,
             "mkfifo pipe.obj;"
             "timeout --preserve-status -k 9 -s INT 0.5 graze pack pipe.obj --output none.csv --json none.json",
             130, "", "graze: interrupted before the first sphere was placed; nothing was written\n");
  assert_false(folder_has(state, "none.csv") || folder_has(state, "none.json"));
}

/* Frames enough for many seconds. */
TOOL_TEST(frames_end_with_an_interruption) {
  expect_run(state, "graze make soft-pair --primitives 600 --frames 2 --separate --output 'soft_%d.msh' -q", 0, "", "");
  tool_run run =
      run_line(state, "timeout --preserve-status -s INT 1 graze pack soft_0_1.msh --count 20 -q --json a.json "
                      "$(yes soft_0_2.msh | head -n 20000)");
  expect_status(&run, 130);
  assert_non_null(strstr(run.errors, "graze: interrupted after 20 of at most 20 spheres and "));
  assert_null(strstr(run.errors, " 20000 of 20000"));
  assert_non_null(strstr(run.errors, " of 20000 frames; they are certified\n"));
  tool_run_release(&run);
  size_t bytes = 0, where = 0;
  OWNED_MEMORY char *text = folder_read(state, "a.json", &bytes);
  assert_true(json_is_valid(text, bytes, &where));
}
