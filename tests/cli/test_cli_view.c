/* Tests pages as files: --report of check, play, pack, analyze and bench, and graze view. The browser tests cover the
 * content; this tests the paths, the errors, and the message of a build without the viewer. */
#include "testing.h"
#include "tool_runner.h"

#include "viewer/viewer_page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HINT(name) "Try 'graze " name " --help'.\n"
#define ABSENT ": built without the viewer, which requires node and npm at build time\n"

TOOL_TEST(outputs_are_refused_before_anything_is_read) {
  expect_run(state, "graze check absent.obj --report x.htm", 2, "",
             "graze: --report writes HTML, but x.htm does not end in .html\n" HINT("check"));
  expect_run(state, "graze check absent.obj --report -", 2, "",
             "graze: --report takes the name of a file; it cannot write to standard output\n" HINT("check"));
  expect_run(state, "graze check absent.obj --touching --report x.html", 2, "",
             "graze: --touching lists only objects; --report needs the pairs of their primitives\n" HINT("check"));
  expect_run(
      state, "graze check . --each --report x.html", 2, "",
      "graze: --each checks each file by itself and counts its pairs; it cannot be combined with --report\n" HINT(
          "check"));
  expect_run(state, "graze play absent.obj --report x.png", 2, "",
             "graze: --report writes HTML, but x.png does not end in .html\n" HINT("play"));
  static const char *const commands[] = {"pack", "analyze"};
  for (size_t i = 0; i < 2; ++i) {
    char line[128], message[256];
    snprintf(line, sizeof line, "graze %s absent.obj --report x.png", commands[i]);
    snprintf(message, sizeof message,
             "graze: --report writes HTML, but x.png does not end in .html\nTry 'graze %s --help'.\n", commands[i]);
    expect_run(state, line, 2, "", message);
  }
  expect_run(state, "graze bench --report -", 2, "",
             "graze: --report takes the name of a file; it cannot write to standard output\n" HINT("bench"));
  if (viewer_page_text() == NULL) return;
  expect_run(state, "graze bench --suite rigid --report x.html", 2, "",
             "graze: a suite writes its own tables to the folder of --figures; --report has no rows\n" HINT("bench"));
  expect_run(state, "graze bench --compare a.json b.json --report x.html", 2, "",
             "graze: comparing two records measures nothing; there are no rows for --report\n" HINT("bench"));
}

TOOL_TEST(a_build_without_the_viewer_says_so) {
  if (viewer_page_text() != NULL) skip();
  expect_run(state, "graze check one.obj --report x.html", 2, "", "graze: --report" ABSENT HINT("check"));
  expect_run(state, "graze play one.obj --report x.html", 2, "", "graze: --report" ABSENT HINT("play"));
  expect_run(state, "graze pack one.obj --report x.html", 2, "", "graze: --report" ABSENT HINT("pack"));
  expect_run(state, "graze analyze one.obj --report x.html", 2, "", "graze: --report" ABSENT HINT("analyze"));
  expect_run(state, "graze bench --report x.html", 2, "", "graze: --report" ABSENT HINT("bench"));
  expect_run(state, "graze view one.obj", 2, "", "graze: view" ABSENT);
  expect_run(state, "graze view", 2, "", "graze: view" ABSENT);
  assert_false(folder_has(state, "x.html"));
}

static void expect_page(void **state, const char *name, const char *title) {
  OWNED_MEMORY char *page = folder_read(state, name, NULL);
  assert_true(strncmp(page, "<!doctype html>", 15) == 0);
  const char *scene = strstr(page, "id=\"graze-scene\">H4sI");
  if (scene == NULL) fail_msg("%s has no scene", title);
  assert_string_equal(page + strlen(page) - strlen("</html>\n"), "</html>\n");
}

TOOL_TEST(pages_are_written_whole) {
  if (viewer_page_text() == NULL) skip();
  static const char *const lines[] = {
      "graze check one.obj two.obj --report x.html --quiet",
      "graze check groups.obj --separate --weld --report x.html --quiet",
      "graze check quad.obj --report x.html --quiet",
      "graze check corner.mesh inner.mesh cube.vtk --report x.html --quiet",
      "graze check one.obj far.obj --clearance 1000 --report x.html --quiet",
      "graze play crossing.obj crossing.obj --report x.html --quiet",
  };
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; ++i) {
    expect_run(state, lines[i], 1, "", "");
    expect_page(state, "x.html", lines[i]);
    expect_run(state, "rm x.html", 0, "", "");
  }
  expect_run(state, "graze check apart.obj --report x.html --quiet", 0, "", "");
  expect_page(state, "x.html", "apart.obj");
  static const char *const others[] = {
      "graze make torus --primitives 200 --output torus.obj --quiet && graze pack torus.obj --count 20 --report x.html "
      "--quiet",
      "graze analyze one.obj --report x.html --quiet",
      "graze analyze corner.mesh --report x.html --quiet",
      "graze analyze one.obj two.obj absent.obj --report x.html --quiet",
      "graze bench --scene rods --size 200 --method grid --threads 1 --rounds 1 --report x.html --quiet",
  };
  for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i) {
    expect_run(state, "rm x.html", 0, "", "");
    expect_run(state, others[i], 0, "", i == 3 ? NULL : "");
    expect_page(state, "x.html", others[i]);
  }
  const size_t before = folder_file_count(state);
  expect_run(state, "graze check one.obj absent.obj --report y.html --quiet", 2, "", NULL);
  assert_int_equal(folder_file_count(state), before);
}

TOOL_TEST(view_writes_the_page_of_what_is_named) {
  if (viewer_page_text() == NULL) skip();
  expect_run(state, "graze view one.obj two.obj -o x.html", 0, NULL, "");
  expect_page(state, "x.html", "one.obj");
  expect_run(state, "graze view pass-through --primitives 100 --frames 2 --output y.html", 0, NULL, "");
  expect_page(state, "y.html", "pass-through");
  expect_run(state, "mkdir frames && cp one.obj frames/f1.obj && cp two.obj frames/f2.obj", 0, "", "");
  tool_run played = run_line(state, "graze view frames -o z.html");
  expect_status(&played, 0);
  assert_non_null(strstr(played.output, "2 frames"));
  tool_run_release(&played);
  /* Without a display the path is printed. */
  tool_run shown = run_line(state, "env -u DISPLAY -u WAYLAND_DISPLAY TMPDIR=. graze view one.obj two.obj");
  expect_status(&shown, 0);
  assert_non_null(strstr(shown.output, "open this page in a browser: ./graze-"));
  tool_run_release(&shown);
  expect_run(state, "test -s ./graze-*/view.html", 0, "", "");
  expect_run(state, "graze view absent.obj -o w.html", 2, "", NULL);
  expect_run(state, "graze view --seed 1", 2, "",
             "graze: view without operands writes the gallery; --seed needs an operand\n" HINT("view"));
  assert_false(folder_has(state, "w.html"));
}
