/* Shell completion from the tables of commands and options. Workload: once per press of the tab key, so only the tables
 * are read.
 *
 * The scripts of the shells (completions/) contain no options: a new option is completed as soon as it has a row in a
 * table. */
#include "completion.h"

#include "drawing_options.h"

#include "bench/bench_run.h"
#include "bench/bench_suite.h"
#include "graze/names.h"
#include "mesh_io/format_list.h"
#include "models/model.h"
#include "simulation/moving_scene.h"

#include <string.h>

/* ------------------------------------------------------------------------------------------------ lists of names */

static const char *name_of(graze_enumeration what, size_t number) {
  return number < graze_enumeration_count(what) ? graze_enumeration_name(what, graze_enumeration_value(what, number))
                                                : NULL;
}

#define ENUMERATION_NAMES(function, what)                                                                              \
  static const char *function(size_t number) {                                                                         \
    return name_of(what, number);                                                                                      \
  }
ENUMERATION_NAMES(backend_name, GRAZE_ENUMERATION_BACKEND)
ENUMERATION_NAMES(neighbors_name, GRAZE_ENUMERATION_NEIGHBORS)
ENUMERATION_NAMES(test_name, GRAZE_ENUMERATION_TEST)
ENUMERATION_NAMES(tree_builder_name, GRAZE_ENUMERATION_TREE_BUILDER)
ENUMERATION_NAMES(axis_name, GRAZE_ENUMERATION_AXIS)
ENUMERATION_NAMES(metric_name, GRAZE_ENUMERATION_METRIC)
ENUMERATION_NAMES(simd_name, GRAZE_ENUMERATION_SIMD)

static const char *method_name(size_t number) {
  return number == 0 ? "auto" : name_of(GRAZE_ENUMERATION_METHOD, number - 1);
}

static const char *table_name(size_t number) {
  if (number == 0) return "all";
  return number <= bench_list_count() ? bench_list_name(number - 1) : NULL;
}

static const char *suite_name(size_t number) {
  return number < bench_suite_count() ? bench_suite_name(number) : NULL;
}

static const char *approach_name(size_t number) {
  static const char *const names[] = {"sphere", "grid"};
  return number < sizeof names / sizeof names[0] ? names[number] : NULL;
}

static const char *scene_name(size_t number) {
  return number < moving_scene_count() ? moving_scene_at(number)->name : NULL;
}

static const char *model_name(size_t number) {
  if (number < model_count()) return model_at(number)->name;
  number -= model_count();
  return number == 0 ? "filled" : scene_name(number - 1);
}

/* ------------------------------------------------------------------------------------------------ values of options */

static const struct {
  const char *option;
  const char *(*name)(size_t number);
} named_values[] = {
    {"approach", approach_name},   {"axis", axis_name},           {"backend", backend_name},
    {"camera", camera_view_name},  {"method", method_name},       {"metric", metric_name},
    {"neighbors", neighbors_name}, {"simd", simd_name},           {"suite", suite_name},
    {"table", table_name},         {"test", test_name},           {"tree-builder", tree_builder_name},
    {"up", up_axis_name},          {"zoom-to", zoom_target_name},
};

/* Values without names, as the help texts call them. */
static const struct {
  const char *argument;
  completion_files files;
} plain_values[] = {
    {"FILE", COMPLETION_FILES},       {"FILE.html", COMPLETION_FILES}, {"FILE.png", COMPLETION_FILES},
    {"FILE.bcf", COMPLETION_FILES},   {"FILE.svg", COMPLETION_FILES},  {"OLD.json", COMPLETION_FILES},
    {"PATH", COMPLETION_FILES},       {"FOLDER", COMPLETION_FOLDERS},  {"N", COMPLETION_NO_FILES},
    {"N=x,y,z", COMPLETION_NO_FILES}, {"A,B", COMPLETION_NO_FILES},    {"D", COMPLETION_NO_FILES},
    {"WORD", COMPLETION_NO_FILES},    {"PART", COMPLETION_NO_FILES},   {"RADIUS", COMPLETION_NO_FILES},
    {"DEGREES", COMPLETION_NO_FILES},
};

/* Options whose value has the same name in the help text as values that have names. */
static const struct {
  const char *option;
  completion_files files;
} other_options[] = {
    {"surface", COMPLETION_MESHES},  {"carried", COMPLETION_FILES},    {"scene", COMPLETION_NO_FILES},
    {"size", COMPLETION_NO_FILES},   {"threads", COMPLETION_NO_FILES}, {"memory", COMPLETION_NO_FILES},
    {"device", COMPLETION_NO_FILES},
};

value_completion completion_of_value(const command_option *option) {
  for (size_t i = 0; i < sizeof named_values / sizeof named_values[0]; i++)
    if (strcmp(named_values[i].option, option->name) == 0)
      return (value_completion){.name = named_values[i].name, .known = true};
  for (size_t i = 0; i < sizeof other_options / sizeof other_options[0]; i++)
    if (strcmp(other_options[i].option, option->name) == 0)
      return (value_completion){.files = other_options[i].files, .known = true};
  for (size_t i = 0; i < sizeof plain_values / sizeof plain_values[0]; i++)
    if (strcmp(plain_values[i].argument, option->argument) == 0)
      return (value_completion){.files = plain_values[i].files, .known = true};
  return (value_completion){.known = false};
}

/* ------------------------------------------------------------------------------------------------ lines */

static void write_candidate(const char *before, size_t before_length, const char *word, const char *words) {
  printf("%.*s%s\t%.*s\n", (int)before_length, before, word, (int)strcspn(words, "\n"), words);
}

static void write_files(completion_files files) {
  if (files == COMPLETION_MESHES) fputs(":mesh" MESH_ENDINGS " .gz\n", stdout);
  if (files == COMPLETION_FILES) fputs(":file\n", stdout);
  if (files == COMPLETION_FOLDERS) fputs(":folder\n", stdout);
}

/* `before` is the part of the word before the value: "--method=", or the names before the last comma of a list. */
static void write_values(const command_option *option, const char *before, const char *value) {
  const value_completion rule = completion_of_value(option);
  const char *comma = strcmp(option->argument, "LIST") == 0 ? strrchr(value, ',') : NULL;
  const size_t length = comma == NULL ? (size_t)(value - before) : (size_t)(comma + 1 - before);
  for (size_t i = 0; rule.name != NULL && rule.name(i) != NULL; i++) write_candidate(before, length, rule.name(i), "");
  write_files(rule.files);
}

static void write_names(const char *(*name)(size_t number)) {
  for (size_t i = 0; name(i) != NULL; i++) write_candidate("", 0, name(i), "");
}

static void write_operands(const command *owner) {
  if (owner == &make_command) {
    write_names(model_name);
  } else if (owner == &bench_command) {
    write_files(COMPLETION_FILES);
  } else {
    if (owner == &play_command || owner == &view_command) write_names(scene_name);
    fputs(":mesh" MESH_ENDINGS " .gz\n", stdout);
  }
}

static void write_options(const command *owner) {
  for (const command_option *option = owner->options; option->name != NULL; option++)
    write_candidate("--", 2, option->name, option->words);
}

/* ------------------------------------------------------------------------------------------------ words */

static const command_option *option_of(const command *owner, const char *word) {
  const size_t length = strcspn(word, "=");
  for (const command_option *option = owner->options; option->name != NULL; option++) {
    const bool by_letter = word[0] == '-' && word[1] == option->letter && option->letter != 0 && word[2] == '\0';
    const bool by_name = strncmp(word, "--", 2) == 0 && strlen(option->name) == length - 2 &&
                         strncmp(word + 2, option->name, length - 2) == 0;
    if (by_letter || by_name) return option;
  }
  return NULL;
}

static void complete_command(const command *owner, char *const *words, size_t word_count) {
  const char *last = words[word_count - 1], *before = word_count > 1 ? words[word_count - 2] : "";
  /* bash splits words at "=". */
  if (strcmp(last, "=") == 0)
    last = "";
  else if (strcmp(before, "=") == 0 && word_count > 2)
    before = words[word_count - 3];
  const command_option *option = option_of(owner, before);
  if (option != NULL && option->argument != NULL && strchr(before, '=') == NULL) {
    write_values(option, last, last);
    return;
  }
  const char *equals = strchr(last, '=');
  option = equals == NULL ? NULL : option_of(owner, last);
  if (option != NULL && option->argument != NULL)
    write_values(option, last, equals + 1);
  else if (last[0] == '-')
    write_options(owner);
  else
    write_operands(owner);
}

static void write_commands(const command *const *commands, size_t command_count) {
  for (size_t i = 0; i < command_count; i++) write_candidate("", 0, commands[i]->name, commands[i]->summary);
}

exit_code write_completions(const command *const *commands, size_t command_count, char *const *words,
                            size_t word_count) {
  if (word_count <= 1) {
    write_commands(commands, command_count);
    write_candidate("", 0, "help", "show the help of a command");
    write_candidate("", 0, "--help", "show the overview");
    write_candidate("", 0, "--version", "show the version, and what this build supports");
  } else if (strcmp(words[0], "help") == 0) {
    write_commands(commands, command_count);
  }
  for (size_t i = 0; word_count > 1 && i < command_count; i++)
    if (strcmp(commands[i]->name, words[0]) == 0) complete_command(commands[i], words + 1, word_count - 1);
  return finish_standard_output();
}
