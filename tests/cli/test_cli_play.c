/* Tests `graze play` as users run it: the order of frame files, text, records, pictures, and all errors of a sequence.
 */
#include "json_validator.h"
#include "testing.h"
#include "tool_runner.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HINT "Try 'graze play --help'.\n"

static bool has(const char *text, const char *part) {
  if (strstr(text, part) != NULL) return true;
  print_error("\"%s\" is not in:\n%s", part, text);
  return false;
}

/* The column of a CSV record, of all lines behind the heading, with blanks between. */
static void expect_column(void **state, const char *file, const char *column, const char *values) {
  char line[512];
  snprintf(line, sizeof line,
           "awk -F, 'NR==1{for(i=1;i<=NF;i++)if($i==\"%s\")c=i} NR>1{printf \"%%s%%s\",(NR>2?\" \":\"\"),$c}' %s",
           column, file);
  expect_run(state, line, 0, values, "");
}

TOOL_TEST(frames_are_played_in_natural_order) {
  expect_run(state, "mkdir f && cp apart.obj f/frame2.obj && cp crossing.obj f/frame10.obj && cp far.obj f/frame1.obj",
             0, "", "");
  const char *const ways[] = {"f", "f/frame%d.obj", "'f/frame*.obj'", "f/*", "f/frame10.obj f/frame2.obj f/frame1.obj"};
  for (size_t i = 0; i < sizeof ways / sizeof ways[0]; ++i) {
    char line[256];
    snprintf(line, sizeof line, "graze play %s --quiet --csv all.csv", ways[i]);
    expect_run(state, line, 1, "", "");
    expect_column(state, "all.csv", "file", "f/frame1.obj f/frame2.obj f/frame10.obj");
    expect_column(state, "all.csv", "pairs", "0 0 1");
    expect_column(state, "all.csv", "frame", "1 2 3");
    expect_column(state, "all.csv", "primitives", "1 2 2");
  }
}

TOOL_TEST(a_pattern_takes_its_width) {
  expect_run(state, "cp far.obj a1.obj && cp far.obj a001.obj && cp far.obj a1000.obj && cp far.obj ax.obj", 0, "", "");
  expect_run(state, "graze play a%03d.obj --quiet --csv all.csv", 0, "", "");
  expect_column(state, "all.csv", "file", "a001.obj a1000.obj");
}

TOOL_TEST(the_run_is_told_in_words) {
  tool_run run = run_line(state, "graze play apart.obj crossing.obj");
  assert_int_equal(run.status, 1);
  assert_true(has(run.output, " frame    triangles       pairs  candidates   update"));
  assert_true(has(run.output, "\n     2            2           1           1 "));
  assert_true(has(run.output, "\n2 frames: 1 pair in 1 of them, 0 to 1 a frame (2 triangles, "));
  assert_true(has(run.output, "\nslow   frame "));
  assert_true(has(run.output, "\nhash   "));
  assert_string_equal(run.errors, "");
  tool_run_release(&run);
  run = run_line(state, "graze play apart.obj far.obj");
  assert_int_equal(run.status, 0);
  assert_true(has(run.output, "\n2 frames: nothing intersects (1 to 2 triangles, "));
  tool_run_release(&run);
}

/* Objects of another kind, size and number in every frame, and back again: each is what check finds. */
TOOL_TEST(frames_may_differ_in_everything) {
  expect_run(state,
             "mkdir f && cp crossing.obj f/1.obj && cp corner.mesh f/2.mesh && cp groups.obj f/3.obj &&"
             "cp quad.obj f/4.obj && cp crossing.obj f/5.obj && cp cube.vtk f/6.vtk && cp apart.obj f/7.obj &&"
             "printf 'x,y,z,r\\n0,0,0,1\\n1,0,0,1\\n5,0,0,1\\n' >f/8.csv &&"
             "printf 'x,y,z,r\\n0,0,0,1\\n1,0,0,.1\\n5,0,0,4.1\\n' >f/9.csv",
             0, "", "");
  expect_run(state, "graze play f --separate --quiet --compare-methods", 1, "", "");
  expect_run(state, "graze play f --separate --quiet --csv all.csv", 1, "", "");
  expect_column(state, "all.csv", "pairs", "1 0 1 1 1 0 0 1 3");
  expect_column(state, "all.csv", "objects", "1 1 3 1 1 1 1 1 1");
}

TOOL_TEST(sequences_are_played_side_by_side) {
  expect_run(state,
             "mkdir a b && cp one.obj a/p1.obj && cp one.obj a/p2.obj && cp one.obj a/p3.obj &&"
             "cp far.obj b/q1.obj && cp two.obj b/q3.obj && cp two.obj b/q4.obj",
             0, "", "");
  expect_run(state, "graze play a b --quiet --csv all.csv", 1, "", "");
  expect_column(state, "all.csv", "pairs", "0 0 1 0");
  expect_column(state, "all.csv", "objects", "2 1 2 1");
  expect_column(state, "all.csv", "colliding_a_to_b", "0 0 1 0");
  expect_column(state, "all.csv", "colliding_b_to_a", "0 0 1 0");
  /* A file beside a sequence is in every frame. */
  expect_run(state, "graze play b one.obj --quiet --csv all.csv", 1, "", "");
  expect_column(state, "all.csv", "pairs", "0 1 1");
  /* Pairs within are asked for by --self alone. */
  expect_run(state, "graze play a%d crossing.obj", 2, "", NULL);
  expect_run(state, "graze play b crossing.obj --quiet --self --csv all.csv", 1, "", "");
  expect_column(state, "all.csv", "pairs_within", "1 1 1");
}

TOOL_TEST(colliding_primitives_are_counted_once) {
  expect_run(state,
             "printf 'v 0 0 0\\nv 1 0 0\\nv 0 1 0\\nf 1 2 3\\n' >a.obj &&"
             "printf 'v .1 .1 -1\\nv .1 .1 1\\nv .2 .1 1\\nv .1 .2 -1\\nv .1 .2 1\\nv .2 .2 1\\nf 1 2 3\\nf 4 5 "
             "6\\n' >b.obj && mkdir s && cp b.obj s/b1.obj && cp b.obj s/b2.obj",
             0, "", "");
  expect_run(state, "graze play a.obj s --quiet --csv all.csv", 1, "", "");
  expect_column(state, "all.csv", "pairs", "2 2");
  expect_column(state, "all.csv", "colliding_a_to_b", "1 1");
  expect_column(state, "all.csv", "colliding_b_to_a", "2 2");
  expect_column(state, "all.csv", "colliding", "3 3");
}

/* The hash is that of the frames in their order, for every method and number of threads. */
TOOL_TEST(the_hash_is_of_the_whole_run) {
  char hash[3][32] = {"", "", ""};
  const char *const lines[] = {"graze play apart.obj crossing.obj fan.obj",
                               "graze play *a[prn]*t.obj crossing.obj fan.obj --method tree --threads 3",
                               "mv apart.obj z.obj; graze play z.obj crossing.obj fan.obj"};
  for (size_t i = 0; i < 3; ++i) {
    OWNED_RUN run = run_line(state, lines[i]);
    const char *at = strstr(run.output, "\nhash   ");
    assert_non_null(at);
    snprintf(hash[i], sizeof hash[i], "%.16s", at + 8);
  }
  assert_string_equal(hash[0], hash[1]);
  assert_string_not_equal(hash[0], hash[2]);
}

TOOL_TEST(json_matches_the_manual) {
  OWNED_RUN run = run_line(state, "graze play apart.obj crossing.obj --json - --compare-methods --quiet");
  assert_int_equal(run.status, 1);
  size_t where = 0;
  assert_true(json_is_valid(run.output, strlen(run.output), &where));
  assert_true(has(run.output, "\"frame_count\":2,\"hash\":\""));
  assert_true(has(run.output, "\"frame\":2,\"file\":\"crossing.obj\",\"objects\":1,\"primitives\":2,\"vertices\":6,"));
  assert_true(has(run.output, "\"frames_with_pairs\":1,\"pairs\":1,"));
  assert_true(has(run.output, "\"methods_agree\":true"));
  assert_true(has(run.output, "\"gaps\":[],\"unplayed\":[],\"interrupted\":false}"));
}

TOOL_TEST(methods_are_compared) {
  OWNED_RUN run = run_line(state, "graze play apart.obj crossing.obj --compare-methods");
  assert_int_equal(run.status, 1);
  assert_true(has(run.output, "\nbrute             2 "));
  assert_true(has(run.output, "\nclusters          2 "));
  assert_true(has(run.output, "All 5 methods agree: the same pairs in every frame.\n"));
}

TOOL_TEST(every_method_has_its_lines) {
  expect_run(state, "graze play apart.obj crossing.obj --compare-methods --csv all.csv --plot time.svg --quiet", 1, "",
             "");
  expect_column(state, "all.csv", "frame", "1 1 1 1 1 2 2 2 2 2");
  expect_column(state, "all.csv", "method", "auto grid tree clusters brute auto grid tree clusters brute");
  expect_column(state, "all.csv", "pairs", "0 0 0 0 0 1 1 1 1 1");
  expect_column(state, "all.csv", "colliding", "0 0 0 0 0 2 2 2 2 2");
  size_t bytes = 0;
  char *plot = folder_read(state, "time.svg", &bytes);
  assert_non_null(plot);
  const char *const methods[] = {">auto<", ">grid<", ">tree<", ">clusters<", ">brute<"};
  for (size_t i = 0; i < 5; ++i) assert_true(has(plot, methods[i]));
  assert_null(strstr(plot, "update, bounds, build"));
  free(plot);
  expect_run(state, "grep -c '<polyline class=\"line_[0-4]\" points=\"[0-9.,]* [0-9.,]* \"' time.svg", 0, "5\n", "");
  expect_run(state, "graze play apart.obj crossing.obj --method tree --csv all.csv --quiet", 1, "", "");
  expect_column(state, "all.csv", "method", "tree tree");
}

/* A frame that is too large for a method is a gap in its line: 100,001 triangles are too many for brute force. */
TOOL_TEST(a_method_may_leave_frames_out) {
  expect_run(state,
             "graze make soup --triangles 100001 --output m2.ply -q && cp crossing.obj m1.obj && cp apart.obj m3.obj",
             0, "", "");
  expect_run(state, "graze play m1.obj m2.ply m3.obj --compare-methods --csv all.csv --plot time.svg --quiet", 1, "",
             "");
  expect_run(state, "cut -d , -f 1 all.csv | sort | uniq -c | tr -s ' \n' ' '", 0, " 5 1 4 2 5 3 1 frame ", "");
  expect_run(state, "grep -c ,brute$ all.csv", 0, "2\n", "");
}

/* The processor has no time of a device, and the time of reading has one name. */
TOOL_TEST(times_have_their_names) {
  expect_run(state, "graze play apart.obj --csv - --quiet | head -n 1", 0,
             "frame,host_time_ms,bbox_time_ms,collision_time_ms,colliding_a_to_b,colliding_b_to_a,pairs,pairs_within,"
             "pairs_between,colliding,candidates,objects,primitives,vertices,reading_ms,update_ms,bounds_ms,build_ms,"
             "search_ms,test_ms,order_ms,contacts_ms,regions_ms,hash,file,method\n",
             "");
  const char *const lines[] = {"graze play apart.obj --json -", "graze check apart.obj --json -",
                               "graze check --each apart.obj --json -", "graze analyze apart.obj --json -"};
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; ++i) {
    char line[256];
    snprintf(line, sizeof line, "%s --quiet | grep -o '\"reading\"' | uniq", lines[i]);
    expect_run(state, line, 0, "\"reading\"\n", "");
    snprintf(line, sizeof line, "%s --quiet | grep -c -e device_time -e '\"load'", lines[i]);
    expect_run(state, line, 1, "0\n", "");
  }
}

TOOL_TEST(a_frame_is_drawn) {
  expect_run(state, "graze play apart.obj crossing.obj --picture last.png --quiet", 1, "", "");
  expect_run(state, "graze play apart.obj crossing.obj --picture first.png --picture-frame 1 --quiet", 1, "", "");
  assert_true(folder_has(state, "last.png") && folder_has(state, "first.png"));
  expect_run(state, "cmp -s first.png last.png", 1, "", "");
  expect_run(state, "graze check crossing.obj --picture check.png --quiet", 1, "", "");
  expect_run(state, "graze play apart.obj --picture no.png --picture-frame 2", 2, "",
             "graze: --picture-frame 2: there is 1 frame\n");
  expect_run(state, "graze play apart.obj --picture-frame 1", 2, "",
             "graze: --picture-frame requires --picture FILE.png\n" HINT);
}

TOOL_TEST(time_over_frames_is_drawn) {
  expect_run(state, "graze play apart.obj crossing.obj far.obj --plot time.svg --quiet", 1, "", "");
  size_t bytes = 0;
  char *plot = folder_read(state, "time.svg", &bytes);
  assert_non_null(plot);
  assert_true(has(plot, "<svg ") && has(plot, "Time over frames") && has(plot, "update, bounds, build"));
  free(plot);
  expect_run(state, "graze play apart.obj --plot -", 2, "", NULL);
  expect_run(state, "graze play apart.obj --plot time.png", 2, "", NULL);
  expect_run(state, "graze play apart.obj --plot one.svg --quiet", 0, "", "");
}

TOOL_TEST(missing_frames_are_reported) {
  expect_run(state,
             "mkdir f && for i in 1 2 4 9; do cp far.obj f/a$i.obj; done; cp far.obj f/b10.obj; cp far.obj "
             "f/b20.obj; cp far.obj f/b30.obj",
             0, "", "");
  OWNED_RUN run = run_line(state, "graze play f");
  assert_int_equal(run.status, 0);
  assert_true(has(run.output, "note   1 frame missing between f/a2.obj and f/a4.obj\n"
                              "note   4 frames missing between f/a4.obj and f/a9.obj\n"));
  assert_null(strstr(run.output, "f/b10.obj and"));
}

TOOL_TEST(an_unreadable_frame_is_named) {
  expect_run(state, "mkdir f && cp far.obj f/1.obj && echo junk >f/2.obj && cp crossing.obj f/3.obj", 0, "", "");
  tool_run run = run_line(state, "graze play f --csv all.csv");
  assert_int_equal(run.status, 2);
  assert_true(has(run.errors, "graze: f/2.obj: "));
  assert_true(has(run.output, "\n1 frame: nothing intersects"));
  assert_true(has(run.output, "note   1 frame could not be played: 2 (f/2.obj)\n"));
  tool_run_release(&run);
  expect_column(state, "all.csv", "frame", "1");
  run = run_line(state, "graze play f --csv all.csv --keep-going");
  assert_int_equal(run.status, 2);
  assert_true(has(run.errors, "graze: f/2.obj: "));
  assert_true(has(run.output, "\n2 frames: 1 pair in 1 of them"));
  assert_true(has(run.output, "note   1 frame could not be played: 2 (f/2.obj)\n"));
  tool_run_release(&run);
  expect_column(state, "all.csv", "frame", "1 3");
  expect_column(state, "all.csv", "pairs", "0 1");
  /* The picture that is asked for cannot be: the others are written all the same. */
  run = run_line(state, "graze play f --keep-going --quiet --picture p.png --picture-frame 2 --csv other.csv");
  assert_int_equal(run.status, 2);
  assert_true(has(run.errors, "graze: p.png: not drawn, because the frame was not played\n"));
  assert_true(folder_has(state, "other.csv") && !folder_has(state, "p.png"));
  tool_run_release(&run);
}

/* A frame that the library rejects cannot be played; the next one can. */
TOOL_TEST(a_refused_frame_is_named) {
  expect_run(state, "mkdir f && cp crossing.obj f/1.obj && cp corner.mesh f/2.mesh && cp crossing.obj f/3.obj", 0, "",
             "");
  tool_run run = run_line(state, "graze play f --keep-going --neighbors beyond --quiet --csv all.csv");
  assert_int_equal(run.status, 2);
  assert_true(has(run.errors, "graze: f/2.mesh: "));
  tool_run_release(&run);
  expect_column(state, "all.csv", "pairs", "1 1");
}

/* Frames enough for a minute; the run is interrupted early. */
TOOL_TEST(an_interrupted_run_writes_what_it_has) {
  expect_run(state,
             "mkdir f && graze make folded-cloth --triangles 20000 --output f/a0.obj -q &&"
             "for i in $(seq 1 999); do ln -s a0.obj f/a$i.obj; done",
             0, "", "");
  tool_run run =
      run_line(state, "timeout -s INT 1 graze play f --threads 1 --csv all.csv --json all.json --picture p.png");
  assert_int_equal(run.status, 124);
  assert_true(has(run.output, "note   interrupted: "));
  assert_true(has(run.output, " of 1000 frames were played\n"));
  assert_true(has(run.output, "\nhash   "));
  tool_run_release(&run);
  assert_true(folder_has(state, "all.csv") && folder_has(state, "all.json"));
  run = run_line(state, "graze play f --threads 1 --quiet & sleep 0.5; kill -TERM $!; wait $!");
  assert_int_equal(run.status, 130);
  tool_run_release(&run);
  size_t bytes = 0, where = 0;
  OWNED_MEMORY char *record = folder_read(state, "all.json", &bytes);
  assert_true(json_is_valid(record, bytes, &where));
  assert_true(has(record, "\"interrupted\":true}"));
}

/* The pipe of the second frame has no writer, then one that writes nothing. */
TOOL_TEST(a_signal_ends_the_wait_for_a_pipe) {
  static const char *const lines[] = {"", "sleep 30 >pipe.obj 2>&1 & "};
  static const char *const names[] = {"INT", "TERM"};
  expect_run(state, "mkfifo pipe.obj", 0, "", "");
  for (int i = 0; i < 4; i++) {
    char line[256];
    snprintf(line, sizeof line,
             "%stimeout --preserve-status -k 9 -s %s 0.5 graze play crossing.obj pipe.obj --quiet --csv all.csv; "
             "s=$?; kill $! 2>&1; exit $s",
             lines[i / 2], names[i % 2]);
    tool_run run = run_line(state, line);
    expect_status(&run, 130);
    tool_run_release(&run);
    expect_column(state, "all.csv", "pairs", "1");
  }
}

TOOL_TEST(invalid_combinations_are_refused) {
  expect_run(state, "graze play", 2, "",
             "graze: play needs frames (a folder, a pattern or files) or the name of a scene\n" HINT);
  expect_run(state, "graze play -", 2, "", "graze: play reads files, not standard input\n" HINT);
  expect_run(state, "graze play 'none*.obj'", 2, "", "graze: none*.obj: no file matches the pattern\n");
  expect_run(state, "graze play none%d.obj", 2, "", "graze: none%d.obj: no file matches the pattern\n");
  expect_run(state, "graze play none%d_%d.obj", 2, "",
             "graze: none%d_%d.obj: a pattern can have only one frame-number placeholder\n");
  expect_run(state, "mkdir empty && graze play empty", 2, "", "graze: empty: the folder has no meshes\n");
  expect_run(state, "graze play far.obj --csv none/all.csv", 2, "", NULL);
  expect_run(state, "graze play far.obj --csv far.obj", 2, "", NULL);
  expect_run(state, "graze play far.obj --csv - --json -", 2, "", NULL);
  expect_run(state, "graze play far.obj --picture -", 2, "",
             "graze: --picture takes the name of a file; it cannot write to standard output\n" HINT);
  expect_run(state, "graze play far.obj --plot -", 2, "",
             "graze: --plot takes the name of a file; it cannot write to standard output\n" HINT);
  expect_run(state, "graze play far.obj --picture-frame 0 --picture a.png", 2, "", NULL);
  expect_run(state, "graze play far.obj --method none", 2, "", NULL);
  expect_run(state, "graze play far.obj --backend none", 2, "", NULL);
  OWNED_RUN run = run_line(state, "graze play gone.obj");
  assert_int_equal(run.status, 2);
  assert_true(has(run.errors, "graze: gone.obj: cannot be opened: No such file or directory\n"));
  assert_true(has(run.output, "No frame was played.\n"));
}

TOOL_TEST(scenes_are_played_from_memory) {
  tool_run run = run_line(state, "graze play cloth-ball --primitives 300 --frames 6 --csv all.csv --picture p.png");
  assert_int_equal(run.status, 0);
  assert_true(has(run.output, "\n6 frames: nothing intersects (308 triangles, "));
  assert_true(has(run.output, ", moving the scene "));
  assert_string_equal(run.errors, "");
  tool_run_release(&run);
  assert_true(folder_has(state, "p.png"));
  expect_column(state, "all.csv", "frame", "1 2 3 4 5 6");
  expect_column(state, "all.csv", "objects", "2 2 2 2 2 2");
  expect_run(
      state,
      "graze play packings --primitives 40 --frames 2 --seed 9 --quiet --json - | grep -o '\"scene\".*\"method\"'", 0,
      "\"scene\":\"packings\",\"seed\":9,\"method\"\n", "");
  expect_run(state, "graze play pass-through --primitives 400 --frames 3 --quiet --compare-methods", 1, "", "");
  expect_run(state, "graze play exploding-solid --primitives 400 --frames 3 --quiet --csv all.csv", 0, "", "");
  expect_run(state, "awk -F, 'NR>1{print ($12 > 1)}' all.csv | tr -d '\n'", 0, "011", "");
}

/* Frames that are written and read equal those played from memory bit by bit. */
TOOL_TEST(scenes_are_the_same_from_files) {
  static const char *const names[] = {"cloth-ball", "breaking-solid"};
  for (size_t i = 0; i < 2; ++i) {
    char line[512];
    snprintf(line, sizeof line,
             "mkdir f && graze make %s --primitives 400 --frames 5 --seed 3 --output f -q &&"
             "graze play f --separate --method grid | grep ^hash >files; graze play %s --primitives 400 --frames 5 "
             "--seed 3 |"
             "grep ^hash >memory; cmp files memory; ls f | wc -l | tr -d ' '; rm -r f",
             names[i], names[i]);
    expect_run(state, line, 0, "5\n", "");
  }
  expect_run(state,
             "graze make soft-pair --primitives 400 --frames 4 --separate --output s%02d.msh -q &&"
             "ls s*.msh | tr '\n' ' '",
             0, "s0_01.msh s0_02.msh s0_03.msh s0_04.msh s1_01.msh s1_02.msh s1_03.msh s1_04.msh ", "");
  expect_run(state, "graze play s0_%d.msh s1_%d.msh -q --csv all.csv", 0, "", "");
  expect_column(state, "all.csv", "objects", "2 2 2 2");
}

TOOL_TEST(scenes_are_listed_and_refused) {
  tool_run run = run_line(state, "graze play --list");
  assert_int_equal(run.status, 0);
  assert_true(has(run.output, "Moving scenes:\n"
                              "  cloth-ball "));
  assert_true(has(run.output, "(92,000 primitives, 93 frames)\n"));
  tool_run_release(&run);
  expect_run(state, "graze play cloth-bal", 2, "",
             "graze: there is no scene \"cloth-bal\"; did you mean cloth-ball? 'graze play --list' lists all\n" HINT);
  expect_run(state, "graze play funnel n-body", 2, "",
             "graze: play plays one scene at a time; unexpected operand \"n-body\"\n" HINT);
  expect_run(state, "graze play far.obj --frames 3", 2, "",
             "graze: --primitives, --frames and --seed require a built-in scene, see 'graze play --list'\n" HINT);
  expect_run(state, "graze play funnel --separate", 2, "",
             "graze: --separate is for files; the objects of a scene are separate\n" HINT);
  expect_run(state, "graze play funnel --frames 0", 2, "",
             "graze: --frames takes a whole number from 1 to 1000000, not \"0\"\n" HINT);
  expect_run(state, "graze play funnel --primitives 20000001", 2, "", NULL);
  /* A file of the name of a scene is a file. */
  expect_run(state, "cp crossing.obj funnel && graze play funnel -q", 1, "", "");
}

/* The simulation is stopped as a query is. */
TOOL_TEST(an_interrupted_scene_tells_what_it_has) {
  OWNED_RUN run = run_line(
      state, "timeout -s INT 1 graze play cloth-ball --threads 1 --primitives 3000 --frames 1000 --csv all.csv");
  assert_int_equal(run.status, 124);
  assert_true(has(run.output, " of 1000 frames were played\n"));
  assert_string_equal(run.errors, "");
  assert_true(folder_has(state, "all.csv"));
}

/* A frame of a folder that is no file is not passed over. A pipe nobody writes to is never opened: that would wait. */
TOOL_TEST(entries_that_are_no_files_are_refused) {
  expect_run(state, "mkdir f && cp far.obj f/1.obj && cp far.obj f/3.obj && ln -s nowhere f/2.obj", 0, "", "");
  expect_run(state, "graze play f", 2, "", "graze: f/2.obj: a broken link: No such file or directory\n");
  expect_run(state, "graze play 'f/*.obj'", 2, "", "graze: f/2.obj: a broken link: No such file or directory\n");
  expect_run(state, "rm f/2.obj && mkfifo f/2.obj", 0, "", "");
  expect_run(state, "timeout -s KILL 60 graze play f", 2, "", "graze: f/2.obj: not a regular file\n");
  expect_run(state, "timeout -s KILL 60 graze play f/%d.obj", 2, "", "graze: f/2.obj: not a regular file\n");
  expect_run(state, "mv f/2.obj f/2.csv && timeout -s KILL 60 graze play f", 2, "",
             "graze: f/2.csv: not a regular file\n");
  /* Files without a mesh extension are skipped as before, and links to folders too. A link to a file is that file. */
  expect_run(state, "mv f/2.csv f/notes && ln -s nowhere f/old && ln -s .. f/up.obj && ln -s 1.obj f/2.obj", 0, "", "");
  tool_run run = run_line(state, "graze play f --csv all.csv --quiet");
  assert_int_equal(run.status, 0);
  tool_run_release(&run);
  expect_column(state, "all.csv", "frame", "1 2 3");
}
