/* The options of `graze check` and `graze play`, except those that need all meshes in one process. */
#include "rank_options.h"

#include "check_options.h"
#include "play_options.h"

#include <string.h>

static const char *const refused_by_check[] = {
    "each",  "poses", "solid",   "rings",  "units", "memory", "details", "contacts", "regions", "curves",
    "faces", "bcf",   "picture", "camera", "up",    "crease", "zoom-to", "report",   NULL};
static const char *const refused_by_play[] = {"picture", "picture-frame", "camera",          "up", "crease",
                                              "zoom-to", "report",        "compare-methods", NULL};
static const char *const refused_by_bench[] = {"csv", "plot", NULL};

static bool is_one_of(const char *name, const char *const *names) {
  for (; *names != NULL; names++)
    if (strcmp(*names, name) == 0) return true;
  return false;
}

/* Options that mean something else for ranks. */
static const char *words_for_ranks(const command_option *row) {
  if (strcmp(row->name, "threads") == 0) return "number of threads of each rank (default 1)";
  if (strcmp(row->name, "device") == 0)
    return "CUDA devices that the ranks of a machine use in turn; one number: all\n"
           "devices, starting with it (default 0)";
  if (strcmp(row->name, "clearance") == 0) return "find all pairs at a distance of at most D";
  if (strcmp(row->name, "explain") == 0) return "report what the ranks held and sent";
  return row->words;
}

static const command_option *options_without(const command_option *table, const char *const *refused,
                                             const char *const *more_or_null) {
  static command_option options[OPTION_MOST + 1];
  size_t count = 0;
  for (const command_option *row = table; row->name != NULL; row++) {
    if (is_one_of(row->name, refused) || (more_or_null != NULL && is_one_of(row->name, more_or_null))) continue;
    options[count] = *row;
    options[count++].words = words_for_ranks(row);
  }
  options[count] = (command_option){0};
  return options;
}

const command_option *check_options_of_ranks(void) {
  return options_without(check_option_table, refused_by_check, NULL);
}

const command_option *play_options_of_ranks(bool for_bench) {
  return options_without(play_option_table, refused_by_play, for_bench ? refused_by_bench : NULL);
}
