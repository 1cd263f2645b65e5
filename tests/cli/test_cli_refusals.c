/* Tests bad input and bad options: one message with file, line and value, exit status 2, and nothing on stdout.
 * Messages are compared exactly, because users depend on them. */
#include "testing.h"
#include "tool_runner.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define HINT "Try 'graze check --help'.\n"
#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

typedef struct bad_file {
  const char *name, *content, *message;
} bad_file;

static const bad_file bad_files[] = {
    {"nan.obj", "v 0 0 0\nv nan 0 0\nv 0 1 0\nf 1 2 3\n",
     "nan.obj:2: vertex 2 has the x coordinate \"nan\", which is not a finite number"},
    {"inf.obj", "v 0 0 0\nv 1 0 0\nv 0 -inf 0\nf 1 2 3\n",
     "inf.obj:3: vertex 3 has the y coordinate \"-inf\", which is not a finite number"},
    {"overflow.obj", "v 1e999 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
     "overflow.obj:1: vertex 1 has the x coordinate \"1e999\", which is not a finite number"},
    {"index.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n",
     "index.obj:4: face refers to vertex 4, but the file has 3 vertices"},
    {"corners.obj", "v 0 0 0\nv 1 0 0\nf 1 2\n", "corners.obj:3: face has 2 corners, fewer than 3"},
    {"empty.obj", "", "empty.obj: the file is empty"},
    {"truncated.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n", "truncated.off:5: the file ends after 2 of 3 vertices"},
    {"hostile.ply",
     "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
     "element face 1000000000000\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n",
     "hostile.ply: the PLY header declares 1000000000000 of element face, but only 9 bytes follow"},
    {"notes.txt", "hello there\n",
     "notes.txt: unknown format; supported: .obj .ply .stl .off .gltf .glb .3mf .msh .mesh .vtk .node .ele .t "
     ".csv .sph, each also with .gz"},
};

TOOL_TEST(bad_files_are_refused_with_file_and_line) {
  for (size_t i = 0; i < COUNT_OF(bad_files); ++i) {
    char line[256], errors[512];
    folder_write(state, bad_files[i].name, bad_files[i].content, strlen(bad_files[i].content));
    snprintf(line, sizeof line, "graze check %s --json out.json", bad_files[i].name);
    snprintf(errors, sizeof errors, "graze: %s\n", bad_files[i].message);
    expect_run(state, line, 2, "", errors);
    assert_false(folder_has(state, "out.json"));
    /* It is also rejected as the second of two files. */
    snprintf(line, sizeof line, "graze check one.obj %s --quiet", bad_files[i].name);
    expect_run(state, line, 2, "", errors);
  }
}

TOOL_TEST(paths_that_cannot_be_read_are_named) {
  expect_run(state, "graze check absent.obj", 2, "",
             "graze: absent.obj: cannot be opened: No such file or directory\n");
  expect_run(state, "graze check one.obj absent.obj", 2, "",
             "graze: absent.obj: cannot be opened: No such file or directory\n");
  expect_run(state, "gzip -c one.obj | head -c 30 >cut.obj.gz; graze check cut.obj.gz", 2, "",
             "graze: cut.obj.gz: byte 30: the compressed file ends too early\n");
}

/* Each option of a method with each method: the exit status is 2 where the method lacks it. */
TOOL_TEST(options_that_a_method_lacks_are_refused) {
  static const struct {
    const char *option, *name, *value, *methods;
  } options[] = {
      {"--tree-builder splits", "tree_builder", "splits", "auto, tree"},
      {"--clusters 7", "clusters", "7", "clusters"},
      {"--axis x", "axis", "x", "clusters"},
      {"--metric l1", "metric", "l1", "clusters"},
  };
  static const char *const methods[] = {"auto", "grid", "tree", "clusters", "brute"};
  for (size_t i = 0; i < sizeof options / sizeof options[0]; ++i) {
    for (size_t m = 0; m < sizeof methods / sizeof methods[0]; ++m) {
      char line[256], errors[256] = "";
      const bool has = strstr(options[i].methods, methods[m]) != NULL;
      if (!has)
        snprintf(errors, sizeof errors,
                 "graze: the method \"%s\" has no option %s (given: %s); methods that have it: %s\n", methods[m],
                 options[i].name, options[i].value, options[i].methods);
      snprintf(line, sizeof line, "graze check one.obj -q --method %s %s", methods[m], options[i].option);
      expect_run(state, line, has ? 0 : 2, "", errors);
    }
  }
  expect_run(state, "graze play one.obj -q --method tree --clusters 7", 2, "",
             "graze: the method \"tree\" has no option clusters (given: 7); methods that have it: clusters\n");
}

typedef struct bad_line {
  const char *arguments, *errors;
} bad_line;

static const bad_line bad_lines[] = {
    {"", "graze: check needs a file to check\n" HINT},
    {"-", "graze: check reads files, not standard input\n" HINT},
    {"--metod grid", "graze: check has no option --metod; did you mean --method?\n" HINT},
    {"--thread-count=3", "graze: check has no option --thread-count\n" HINT},
    {"--s", "graze: --s is ambiguous; it could be one of --self --separate --solid --simd\n" HINT},
    {"-x", "graze: check has no option -x\n" HINT},
    {"--self=yes", "graze: --self takes no value\n" HINT},
    {"one.obj --json", "graze: --json takes a value: --json FILE\n" HINT},
    {"one.obj --json --quiet", "graze: --json takes a value, but --quiet is an option: --json FILE\n" HINT},
    {"one.obj --threads 0", "graze: --threads takes a whole number from 1 to 1024, not \"0\"\n" HINT},
    {"one.obj --threads -1", "graze: --threads takes a whole number from 1 to 1024, not \"-1\"\n" HINT},
    {"one.obj --threads abc", "graze: --threads takes a whole number from 1 to 1024, not \"abc\"\n" HINT},
    {"one.obj --threads 2x", "graze: --threads takes a whole number from 1 to 1024, not \"2x\"\n" HINT},
    {"one.obj --threads 1025", "graze: --threads takes a whole number from 1 to 1024, not \"1025\"\n" HINT},
    {"one.obj --limit abc", "graze: --limit takes a whole number from 1 to 18446744073709551615, not \"abc\"\n" HINT},
    {"one.obj --limit 0", "graze: --limit takes a whole number from 1 to 18446744073709551615, not \"0\"\n" HINT},
    {"one.obj --method gird",
     "graze: --method takes auto, grid, tree, clusters or brute, not \"gird\"; did you mean grid?\n" HINT},
    {"one.obj --neighbors none", "graze: --neighbors takes skip or beyond, not \"none\"\n" HINT},
    {"one.obj --clusters 0", "graze: --clusters takes a whole number from 1 to 1024, not \"0\"\n" HINT},
    {"one.obj --axis w", "graze: --axis takes principal, x, y or z, not \"w\"\n" HINT},
    {"one.obj --metric l3", "graze: --metric takes l2, l1 or linf, not \"l3\"; did you mean l2?\n" HINT},
    {"one.obj --simd 512", "graze: --simd takes auto, scalar, 128 or 256, not \"512\"\n" HINT},
    {"one.obj --backend opencl", "graze: --backend takes cpu or cuda, not \"opencl\"\n" HINT},
    {"one.obj --device 0", "graze: --device selects a CUDA device; it requires --backend cuda\n" HINT},
    {"one.obj --device 0 --backend cpu", "graze: --device selects a CUDA device; it requires --backend cuda\n" HINT},
    {"one.obj --backend cuda --device -1",
     "graze: --device takes up to 64 numbers from 0 to 1023, separated by commas, not \"-1\"\n" HINT},
    {"one.obj --device first",
     "graze: --device takes up to 64 numbers from 0 to 1023, separated by commas, not \"first\"\n" HINT},
    {"one.obj --backend cuda --device 0,,1",
     "graze: --device takes up to 64 numbers from 0 to 1023, separated by commas, not \"0,,1\"\n" HINT},
    {"one.obj --backend cuda --device 0,1024",
     "graze: --device takes up to 64 numbers from 0 to 1023, separated by commas, not \"0,1024\"\n" HINT},
    {"one.obj --move 0=1,2",
     "graze: --move takes N=x,y,z (the number of an object and three numbers), not \"0=1,2\"\n" HINT},
    {"one.obj --move 0=nan,0,0", "graze: --move takes finite numbers, not \"0=nan,0,0\"\n" HINT},
    {"one.obj --move 0=0,0,1e999", "graze: --move takes finite numbers, not \"0=0,0,1e999\"\n" HINT},
    {"one.obj --move 5=1,2,3", "graze: --move 5=1,2,3: there is no object 5; the only one is 0\n"},
    {"one.obj two.obj --move 2=1,2,3", "graze: --move 2=1,2,3: there is no object 2; they are numbered 0 to 1\n"},
    {"one.obj --move 0=1e308,0,0 --move 0=1e308,0,0",
     "graze: --move 0=1e308,0,0: vertex 0 of object 0 (one.obj) exceeds the range of double precision\n"},
    {"one.obj --test sat_edges", "graze: --test takes sat or gjk, not \"sat_edges\"\n" HINT},
    {"one.obj --csv - --contacts -", "graze: --csv and --contacts cannot both write to standard output\n" HINT},
    {"one.obj --contacts x --picture x", "graze: --contacts and --picture cannot both write to x\n" HINT},
    {"one.obj --contacts one.obj", "graze: --contacts would overwrite one.obj, which is to be checked\n" HINT},
    {"one.obj --contacts x --candidates",
     "graze: --contacts needs pairs that intersect; --candidates does not test them\n" HINT},
    {"one.obj --touching --contacts x",
     "graze: --touching lists only objects; --contacts needs the pairs of their primitives\n" HINT},
    {"one.obj --touching --picture x.png",
     "graze: --touching lists only objects; --picture needs the pairs of their primitives\n" HINT},
    {"one.obj --regions x --limit 5", "graze: --regions needs all pairs; --limit lists only the first\n" HINT},
    {"one.obj --curves x.obj --limit 5", "graze: --curves needs all pairs; --limit lists only the first\n" HINT},
    {"one.obj --regions x --candidates",
     "graze: --regions needs pairs that intersect; --candidates does not test them\n" HINT},
    {"one.obj --touching --regions x",
     "graze: --touching lists only objects; --regions needs the pairs of their primitives\n" HINT},
    {"one.obj --touching --curves x.ply",
     "graze: --touching lists only objects; --curves needs the pairs of their primitives\n" HINT},
    {"one.obj --regions - --csv -", "graze: --csv and --regions cannot both write to standard output\n" HINT},
    {"one.obj --regions x.png", "graze: --regions writes CSV, but x.png has the ending of another format\n" HINT},
    {"one.obj --curves -", "graze: --curves writes OBJ or PLY, but - ends in neither .obj nor .ply\n" HINT},
    {"one.obj --curves x.stl", "graze: --curves writes OBJ or PLY, but x.stl ends in neither .obj nor .ply\n" HINT},
    {"one.obj --curves one.obj", "graze: --curves would overwrite one.obj, which is to be checked\n" HINT},
    {"one.obj --json - --csv -", "graze: --json and --csv cannot both write to standard output\n" HINT},
    {"one.obj --json x --picture x", "graze: --json and --picture cannot both write to x\n" HINT},
    {"one.obj --csv one.obj", "graze: --csv would overwrite one.obj, which is to be checked\n" HINT},
    {"one.obj --csv ./one.obj", "graze: --csv would overwrite one.obj, which is to be checked\n" HINT},
    {"one.obj --csv ''", "graze: --csv takes the name of a file, not \"\"\n" HINT},
    {"one.obj --csv .", "graze: .: Is a directory\n"},
    {"absent.obj --picture x.jpg", "graze: --picture writes PNG, but x.jpg does not end in .png\n" HINT},
    {"one.obj --picture png", "graze: --picture writes PNG, but png does not end in .png\n" HINT},
    {"one.obj --picture x.png.gz", "graze: --picture writes PNG, but x.png.gz does not end in .png\n" HINT},
    {"one.obj --json x.csv", "graze: --json writes JSON, but x.csv has the ending of another format\n" HINT},
    {"one.obj --csv x.csv.gz", "graze: --csv writes CSV, but x.csv.gz has the ending of another format\n" HINT},
    {"one.obj --contacts x.OBJ", "graze: --contacts writes CSV, but x.OBJ has the ending of another format\n" HINT},
    {"one.obj --picture -", "graze: --picture takes the name of a file; it cannot write to standard output\n" HINT},
};

TOOL_TEST(bad_options_are_refused_with_their_value) {
  const size_t before = folder_file_count(state);
  for (size_t i = 0; i < COUNT_OF(bad_lines); ++i) {
    char line[256];
    snprintf(line, sizeof line, "graze check %s", bad_lines[i].arguments);
    expect_run(state, line, 2, "", bad_lines[i].errors);
  }
  assert_int_equal(folder_file_count(state), before);
  expect_run(state, "cmp -s one.obj two.obj", 1, "", "");
}

/* Features that are missing in the build are never replaced silently. */
TOOL_TEST(a_backend_that_is_missing_is_reported) {
  tool_run version = run_line(state, "graze --version");
  const bool has_cuda = strstr(version.output, " cuda") != NULL;
  tool_run_release(&version);
  if (has_cuda) skip();
  const char message[] = "graze: --backend cuda: this build has no CUDA (no nvcc, or GRAZE_CUDA=OFF)\n";
  expect_run(state, "graze check one.obj --backend cuda", 2, "", message);
  expect_run(state, "graze check one.obj --backend cuda --device 3", 2, "", message);
  /* Said before a file is looked for. */
  expect_run(state, "graze analyze nowhere.obj --backend cuda", 2, "", message);
  expect_run(state, "graze pack nowhere.obj --backend cuda --device 1", 2, "", message);
}

TOOL_TEST(unknown_commands_get_a_suggestion) {
  const char hint[] = "Try 'graze --help'.\n";
  const bad_line lines[] = {
      {"graze chek one.obj", "graze: there is no command \"chek\"; did you mean check?\n"},
      {"graze one.obj", "graze: there is no command \"one.obj\"; to check the file: graze check one.obj\n"},
      {"graze help mkae", "graze: there is no command \"mkae\"; did you mean make?\n"},
      {"graze --verison", "graze: there is no option \"--verison\"; did you mean --version?\n"},
      {"graze frobnicate", "graze: there is no command \"frobnicate\"\n"},
  };
  for (size_t i = 0; i < COUNT_OF(lines); ++i) {
    char errors[256];
    snprintf(errors, sizeof errors, "%s%s", lines[i].errors, hint);
    expect_run(state, lines[i].arguments, 2, "", errors);
  }
}

TOOL_TEST(the_version_says_what_is_offered) {
  OWNED_RUN run = run_line(state, "graze --version");
  assert_int_equal(run.status, 0);
  assert_string_equal(run.errors, "");
  const char opening[] = "graze " GRAZE_VERSION_EXPECTED "\nbackends: cpu";
  assert_memory_equal(run.output, opening, sizeof opening - 1);
  assert_non_null(strstr(run.output, "\nSIMD: scalar"));
  assert_non_null(strstr(run.output, "\nmethods: "));
  assert_non_null(strstr(run.output, "\nthreads: "));
  expect_run(state, "graze -V", 0, run.output, "");
}

/* Of a path of thousands of bytes a message shows the start and the end, and the reason. */
TOOL_TEST(long_paths_are_shortened) {
  static const char *const rows[] = {
      "check $p",          "check $p --each",     "analyze $p",
      "play $p",           "distance $p one.obj", "check one.obj --csv $p.csv",
      "pack $p --count 1", "check $p.json",       "check one.obj two.obj --poses $p.csv"};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    char line[256];
    snprintf(line, sizeof line,
             "p=start$(head -c 4000 /dev/zero | tr '\\0' /).obj; graze %s -q 2>errors; wc -l <errors; "
             "[ $(wc -c <errors) -lt 400 ] && grep -c '^graze: start//*[.][.][.]//*[.]obj.*: ' errors",
             rows[i]);
    expect_run(state, line, 0, "1\n1\n", "");
  }
  expect_run(state,
             "graze play start$(head -c 4000 /dev/zero | tr '\\0' /).obj 2>errors | "
             "grep -cE '^note   1 frame could not be played: 1 .start/*[.]{3}/*[.]obj.$'",
             0, "1\n", "");
  /* Also if it has blanks. */
  expect_run(state,
             "p=$(head -c 9000 /dev/zero | tr '\\0' ' '); graze check \"start $p end.obj\" -q 2>errors; "
             "[ $(wc -c <errors) -lt 2100 ] && grep -c '^graze: start .*[.][.][.].* end.obj: ' errors",
             0, "1\n", "");
}
