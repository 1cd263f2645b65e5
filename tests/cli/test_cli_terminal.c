/* Tests output that requires a terminal: color and progress, in a pseudo terminal. */
#define _XOPEN_SOURCE 700 /* posix_openpt(3) */
#include "testing.h"
#include "tool_runner.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SCREEN_BYTES = 16384 };

/* Runs the line with stdout and stderr on a terminal; what appeared there is left in `screen`. */
static void run_on_terminal(void **state, const char *line, char screen[SCREEN_BYTES]) {
  const int keeper = posix_openpt(O_RDWR | O_NOCTTY);
  if (keeper < 0) skip();
  assert_int_equal(grantpt(keeper), 0);
  assert_int_equal(unlockpt(keeper), 0);
  char command[1024];
  snprintf(command, sizeof command, "{ %s ; } >'%s' 2>&1", line, ptsname(keeper));
  /* Held open, so that reading does not end before the tool has begun. */
  const int held = open(ptsname(keeper), O_RDWR | O_NOCTTY);
  assert_true(held >= 0);
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    tool_run run = run_line(state, command);
    tool_run_release(&run);
    _exit(0);
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(fcntl(keeper, F_SETFL, O_NONBLOCK), 0);
  size_t used = 0;
  for (ssize_t got; used + 1 < SCREEN_BYTES; used += (size_t)got) {
    got = read(keeper, screen + used, SCREEN_BYTES - 1 - used);
    if (got <= 0) break;
  }
  screen[used] = '\0';
  close(held);
  close(keeper);
}

TOOL_TEST(the_verdict_is_colored_on_a_terminal) {
  char screen[SCREEN_BYTES];
  run_on_terminal(state, "TERM=xterm NO_COLOR= graze check crossing.obj", screen);
  assert_memory_equal(screen, "\033[1;31mcrossing.obj intersects itself: 1 pair of triangles\033[0m (2 triangles, ",
                      75);
  run_on_terminal(state, "TERM=xterm NO_COLOR= graze check apart.obj", screen);
  assert_memory_equal(screen, "\033[1;32mapart.obj: no", 20);
}

TOOL_TEST(no_color_and_dumb_terminals_are_respected) {
  char screen[SCREEN_BYTES];
  run_on_terminal(state, "TERM=xterm NO_COLOR=1 graze check crossing.obj", screen);
  assert_null(strchr(screen, '\033'));
  assert_memory_equal(screen, "crossing.obj intersects itself", 30);
  run_on_terminal(state, "TERM=dumb NO_COLOR= graze check crossing.obj", screen);
  assert_null(strchr(screen, '\033'));
}

TOOL_TEST(many_files_have_a_bar_that_goes_away) {
  char screen[SCREEN_BYTES];
  run_on_terminal(state, "graze analyze one.obj two.obj far.obj --threads 1", screen);
  assert_memory_equal(screen, "\r[##########", 12);
  assert_non_null(strstr(screen, "[##############################] 3 of 3 files\r      "));
  run_on_terminal(state, "graze analyze one.obj --quiet", screen);
  assert_string_equal(screen, "");
}

/* The bar gives way to the line of each frame. */
TOOL_TEST(frames_have_a_bar_with_the_time_left) {
  char screen[SCREEN_BYTES];
  run_on_terminal(state, "TERM=dumb graze play one.obj two.obj far.obj", screen);
  assert_non_null(strstr(screen, "\r[##########                    ] 1 of 3 frames, "));
  assert_non_null(strstr(screen, " left\r      "));
  assert_non_null(strstr(screen, "\r     2            1           0 "));
  run_on_terminal(state, "graze play one.obj two.obj --quiet", screen);
  assert_string_equal(screen, "");
}

/* The packing would take minutes; it is interrupted when the time left has been said. */
TOOL_TEST(packings_have_a_bar_with_the_time_left) {
  char screen[SCREEN_BYTES];
  expect_run(state, "graze make torus --primitives 2000 --output torus.obj -q", 0, "", "");
  static const char *const seconds[] = {"1.6", "6", "24", "96"}; /* how far it comes depends on the machine */
  for (size_t i = 0; i < sizeof seconds / sizeof seconds[0] && (i == 0 || strstr(screen, " left ") == NULL); ++i) {
    char line[256];
    snprintf(line, sizeof line, "TERM=dumb timeout -s INT %s graze pack torus.obj --count 20000 --threads 1",
             seconds[i]);
    run_on_terminal(state, line, screen);
  }
  assert_non_null(strstr(screen, " of 20000 spheres, "));
  assert_non_null(strstr(screen, " % full, "));
  assert_non_null(strstr(screen, " left "));
  assert_non_null(strstr(screen, "graze: interrupted after "));
}

TOOL_TEST(names_cannot_move_the_cursor) {
  char screen[SCREEN_BYTES];
  folder_write(state, "a\033[2Jb.obj", "x", 1);
  run_on_terminal(state, "TERM=xterm NO_COLOR=1 graze check a*b.obj", screen);
  assert_null(strchr(screen, '\033'));
  assert_non_null(strstr(screen, "a?[2Jb.obj"));
}

/* A comment of nine megabytes makes a file that is worth a line of progress. */
TOOL_TEST(long_reading_is_said_on_a_terminal_only) {
  const size_t bytes = 9u << 20;
  char *file = malloc(bytes);
  assert_non_null(file);
  memset(file, '#', bytes);
  const char mesh[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n#";
  memcpy(file, mesh, sizeof mesh - 1);
  file[bytes - 1] = '\n';
  folder_write(state, "long.obj", file, bytes);
  free(file);
  char screen[SCREEN_BYTES];
  run_on_terminal(state, "NO_COLOR=1 graze check long.obj", screen);
  assert_memory_equal(screen, "reading long.obj ... 1 triangle\r\n", 33);
  run_on_terminal(state, "NO_COLOR=1 graze check long.obj -q", screen);
  assert_string_equal(screen, "");
  expect_run(state, "graze check long.obj", 0, NULL, "");
}

TOOL_TEST(long_searches_are_said) {
  static const char scene[] =
      "{\"format\": \"graze-scene\", \"version\": 1, \"objects\": [{\"name\": \"a\", \"file\": \"one.obj\"}, "
      "{\"file\": \"two.obj\"}], \"frames\": [{}, {\"a\": {\"translation\": [9, 0, 0]}}, {}]}";
  char screen[SCREEN_BYTES];
  folder_write(state, "frames.json", scene, sizeof scene - 1);
  run_on_terminal(state, "graze distance frames.json", screen);
  assert_non_null(strstr(screen, "\r[##########                    ] 1 of 3 frames, "));
  expect_run(state, "graze make torus --triangles 510000 --output large.stl -q", 0, "", "");
  run_on_terminal(state, "NO_COLOR=1 graze distance large.stl far.obj", screen);
  assert_non_null(strstr(screen, "searching 509,7"));
  assert_non_null(strstr(screen, " triangles ... done\r\n"));
  run_on_terminal(state, "NO_COLOR=1 graze check large.stl far.obj --regions regions.csv", screen);
  assert_non_null(strstr(screen, "grouping pairs into clashes ... 0 clashes\r\n"));
  run_on_terminal(state, "NO_COLOR=1 graze check large.stl far.obj --solid", screen); /* refused before the search */
  assert_non_null(strstr(screen, "--solid requires closed surfaces"));
  assert_null(strstr(screen, "searching"));
}
