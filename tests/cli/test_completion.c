/* Tests `graze complete`: every option of every command has a rule for its value, and the tool accepts every
 * suggestion. */
#include "completion.h"
#include "testing.h"
#include "tool_runner.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const command *const commands[] = {&check_command,   &view_command, &distance_command, &play_command,
                                          &analyze_command, &make_command, &pack_command,     &bench_command};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

TEST(every_value_has_a_rule) {
  size_t named = 0;
  for (size_t i = 0; i < COMMAND_COUNT; ++i) {
    for (const command_option *option = commands[i]->options; option->name != NULL; ++option) {
      if (option->argument == NULL) continue;
      const value_completion rule = completion_of_value(option);
      if (!rule.known) {
        fail_msg("cli/completion.c has no rule for the value of %s --%s %s", commands[i]->name, option->name,
                 option->argument);
      }
      named += rule.name != NULL;
    }
  }
  assert_true(named >= 15);
}

TEST(names_that_are_offered_are_taken) {
  for (size_t i = 0; i < COMMAND_COUNT; ++i) {
    for (const command_option *option = commands[i]->options; option->name != NULL; ++option) {
      if (option->argument == NULL) continue;
      const value_completion rule = completion_of_value(option);
      for (size_t j = 0; rule.name != NULL && rule.name(j) != NULL; ++j) {
        char line[256], refusal[64];
        snprintf(line, sizeof line, "graze %s --%s %s --no-such-option", commands[i]->name, option->name, rule.name(j));
        snprintf(refusal, sizeof refusal, "--%s takes", option->name);
        OWNED_RUN run = run_line(state, line);
        assert_int_equal(run.status, 2);
        if (strstr(run.errors, refusal) != NULL) fail_msg("%s: %s", line, run.errors);
      }
    }
  }
}

static void expect_lines(void **state, const char *words, const char *expected) {
  char line[256];
  snprintf(line, sizeof line, "graze complete %s | cut -f 1", words);
  expect_run(state, line, 0, expected, "");
}

TEST(words_are_completed_where_they_stand) {
  expect_lines(state, "''", "check\nview\ndistance\nplay\nanalyze\nmake\npack\nbench\nhelp\n--help\n--version\n");
  expect_lines(state, "help ''", "check\nview\ndistance\nplay\nanalyze\nmake\npack\nbench\n");
  expect_lines(state, "check --neighbors ''", "skip\nbeyond\n");
  expect_lines(state, "check --neighbors=b", "--neighbors=skip\n--neighbors=beyond\n");
  expect_lines(state, "check --neighbors = b", "skip\nbeyond\n");
  expect_lines(state, "check --neighbors =", "skip\nbeyond\n");
  expect_lines(state, "bench --backend cpu,c", "cpu,cpu\ncpu,cuda\n");
  expect_lines(state, "check --json ''", ":file\n");
  expect_lines(state, "bench --figures ''", ":folder\n");
  expect_lines(state, "check --limit ''", "");
  expect_lines(state, "nothing ''", "");
  tool_run run = run_line(state, "graze complete check ''");
  assert_memory_equal(run.output, ":mesh .obj .ply .stl ", 21);
  tool_run_release(&run);
  run = run_line(state, "graze complete make ''");
  assert_true(strstr(run.output, "torus\t\n") != NULL && strstr(run.output, "filled\t\n") != NULL &&
              strstr(run.output, "cloth-ball\t\n") != NULL);
  tool_run_release(&run);
}

/* The options that are offered are those of the help text. */
TEST(options_are_those_of_the_help_text) {
  for (size_t i = 0; i < COMMAND_COUNT; ++i) {
    char line[256];
    snprintf(line, sizeof line,
             "graze complete %s -- | cut -f 1 | sort >offered; graze %s --help | grep -o '^  \\(-., \\)\\?--[a-z-]*' | "
             "grep -o -e '--.*' | sort | diff - offered",
             commands[i]->name, commands[i]->name);
    expect_run(state, line, 0, "", "");
  }
}

TEST_GROUP(tool_folder_make, tool_folder_remove)
