/* Tests help texts and man pages: their examples run as printed, and both list the same options. */
#include "testing.h"
#include "tool_runner.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_BYTES = 65536, EXAMPLE_BYTES = 512 };

static const char *const helps[] = {"graze --help",      "graze check --help",    "graze analyze --help",
                                    "graze make --help", "graze pack --help",     "graze bench --help",
                                    "graze play --help", "graze distance --help", "graze view --help"};
static const char *const pages[] = {"graze",       "graze-check", "graze-analyze",  "graze-make", "graze-pack",
                                    "graze-bench", "graze-play",  "graze-distance", "graze-view"};
enum { PAGE_COUNT = sizeof pages / sizeof pages[0] };

static char *read_page(const char *page) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s.1.scd", GRAZE_MANUAL_FOLDER, page);
  FILE *stream = fopen(path, "r");
  if (stream == NULL) fail_msg("%s cannot be read", path);
  char *text = calloc(TEXT_BYTES, 1);
  assert_non_null(text);
  assert_true(fread(text, 1, TEXT_BYTES - 1, stream) > 0);
  fclose(stream);
  return text;
}

/* Whether the line, as it stands, begins a line of `text` after blanks. */
static bool is_line_of(const char *text, const char *line) {
  const size_t length = strlen(line);
  for (const char *at = text; (at = strstr(at, line)) != NULL; at += length) {
    const char *before = at;
    while (before > text && before[-1] == ' ') before--;
    if ((before == text || before[-1] == '\n') && at[length] == '\n') return true;
  }
  return false;
}

/* Runs every line that begins with "graze ", after blanks, from `text` on, but for those of `done`, which have run. */
static size_t run_examples(void **state, const char *text, const char *done) {
  size_t count = 0;
  for (const char *line = text; line != NULL; line = strchr(line, '\n')) {
    line += strspn(line, " \n");
    if (strncmp(line, "graze ", 6) != 0) continue;
    char example[EXAMPLE_BYTES];
    const size_t length = strcspn(line, "\n");
    assert_true(length < sizeof example);
    memcpy(example, line, length);
    example[length] = '\0';
    ++count;
    if (is_line_of(done, example)) continue;
    OWNED_RUN run = run_line(state, example);
    const bool lacks_viewer = run.status == 2 && strstr(run.errors, "built without the viewer") != NULL;
    if (run.status != 0 && run.status != 1 && !lacks_viewer)
      fail_msg("%s\nended with %d: %s", example, run.status, run.errors);
    assert_true(run.status == 0 || lacks_viewer || strncmp(example, "graze check", 11) == 0 ||
                strncmp(example, "graze play", 10) == 0);
  }
  return count;
}

/* The examples of a command: those of its help text, then the others of its man page. */
TOOL_TEST(examples_run) {
  for (size_t i = 0; i < PAGE_COUNT; ++i) {
    OWNED_RUN help = run_line(state, helps[i]);
    assert_int_equal(help.status, 0);
    assert_string_equal(help.errors, "");
    OWNED_MEMORY char *page = read_page(pages[i]);
    const char *of_help = strstr(help.output, "\nExamples:\n"), *of_page = strstr(page, "\n# EXAMPLES\n");
    assert_true(of_help != NULL && of_page != NULL);
    assert_true(run_examples(state, of_help, "") >= 4);
    assert_true(run_examples(state, of_page, of_help) >= 4);
  }
  assert_true(folder_has(state, "cloth.png") && folder_has(state, "torus.png") && folder_has(state, "pairs.csv"));
}

TOOL_TEST(man_pages_have_all_sections) {
  const char *const sections[] = {"NAME",        "SYNOPSIS",     "DESCRIPTION", "OPTIONS",
                                  "EXIT STATUS", "FILE FORMATS", "EXAMPLES",    "SEE ALSO"};
  for (size_t i = 0; i < PAGE_COUNT; ++i) {
    OWNED_MEMORY char *page = read_page(pages[i]);
    for (size_t j = 0; j < sizeof sections / sizeof sections[0]; ++j) {
      char heading[64];
      snprintf(heading, sizeof heading, "\n# %s\n", sections[j]);
      if (strstr(page, heading) == NULL) fail_msg("%s.1 has no section %s", pages[i], sections[j]);
    }
  }
}

/* Every "--name" of one text that begins a description must stand in the other. `opening` comes before the name. */
static size_t expect_options_in(const char *text, const char *opening, const char *other, const char *other_opening) {
  size_t count = 0;
  for (const char *at = text; (at = strstr(at, opening)) != NULL;) {
    at += strlen(opening);
    const size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyz-");
    char wanted[128];
    snprintf(wanted, sizeof wanted, "%s%.*s", other_opening, (int)length, at);
    if (strstr(other, wanted) == NULL) fail_msg("%s is missing", wanted);
    ++count;
  }
  return count;
}

TOOL_TEST(help_texts_and_man_pages_name_the_same_options) {
  for (size_t i = 0; i < PAGE_COUNT; ++i) {
    OWNED_RUN help = run_line(state, helps[i]);
    OWNED_MEMORY char *page = read_page(pages[i]);
    const size_t long_only = expect_options_in(help.output, "\n  --", page, "*--");
    const size_t lettered = expect_options_in(help.output, ", --", page, ", *--");
    const size_t documented = expect_options_in(page, "\n*--", help.output, "\n  --");
    assert_int_equal(long_only, documented);
    assert_true(lettered >= 2);
  }
}

TOOL_TEST(help_is_the_same_by_every_way) {
  tool_run asked = run_line(state, "graze check --help");
  expect_run(state, "graze help check", 0, asked.output, "");
  tool_run_release(&asked);
  OWNED_RUN overview = run_line(state, "graze --help");
  expect_run(state, "graze help", 0, overview.output, "");
  expect_run(state, "graze -h", 0, overview.output, "");
  expect_run(state, "graze", 2, "", overview.output);
}

/* The short help is part of the long one, and has none of what is for research. */
TOOL_TEST(short_help_fits_a_screen) {
  enum { SCREEN_LINES = 40 };
  for (size_t i = 1; i < PAGE_COUNT; ++i) {
    char line[64];
    snprintf(line, sizeof line, "graze %s -h", pages[i] + strlen("graze-"));
    OWNED_RUN brief = run_line(state, line), whole = run_line(state, helps[i]);
    assert_int_equal(brief.status, 0);
    size_t line_count = 0;
    for (const char *at = brief.output; *at != '\0'; ++at) line_count += *at == '\n';
    if (line_count > SCREEN_LINES) fail_msg("%s has %zu lines", line, line_count);
    assert_true(expect_options_in(brief.output, "\n  --", whole.output, "\n  --") > 0);
    assert_non_null(strstr(brief.output, "\nOutput:\n"));
    assert_null(strstr(brief.output, "\nResearch:\n"));
  }
  tool_run brief = run_line(state, "graze check -h");
  assert_non_null(strstr(brief.output, "\n  --picture FILE.png      draw the scene"));
  assert_null(strstr(brief.output, "--tree-builder"));
  tool_run_release(&brief);
  OWNED_RUN whole = run_line(state, "graze check --help");
  const char *usual = strstr(whole.output, "\nOptions:\n"), *output = strstr(whole.output, "\nOutput:\n");
  const char *machine = strstr(whole.output, "\nBackend and threads:\n"),
             *research = strstr(whole.output, "\nResearch:\n");
  assert_true(usual != NULL && usual < output && output < machine && machine < research);
  assert_true(strstr(whole.output, "\n  --method") > research && strstr(whole.output, "\n  --threads") > machine);
}

TOOL_TEST(no_line_of_a_help_text_is_wider_than_a_terminal) {
  for (size_t i = 0; i < PAGE_COUNT; ++i) {
    OWNED_RUN help = run_line(state, helps[i]);
    const char *end = strstr(help.output, "\nModels:\n");
    if (end == NULL) end = strstr(help.output, "\nMethods:\n");
    for (const char *line = help.output; *line != '\0' && (end == NULL || line < end);
         line += strcspn(line, "\n") + 1) {
      if (strcspn(line, "\n") > 100) fail_msg("%.*s", (int)strcspn(line, "\n"), line);
    }
  }
}

TOOL_TEST(man_pages_are_right_for_scdoc) {
#ifdef GRAZE_SCDOC
  for (size_t i = 0; i < PAGE_COUNT; ++i) {
    char line[2048];
    snprintf(line, sizeof line, "%s <'%s/%s.1.scd' | grep -c '^\\.SH'", GRAZE_SCDOC, GRAZE_MANUAL_FOLDER, pages[i]);
    OWNED_RUN run = run_line(state, line);
    assert_int_equal(run.status, 0);
    assert_string_equal(run.errors, "");
    assert_true(atoi(run.output) >= 8);
  }
#else
  (void)state;
  skip();
#endif
}
