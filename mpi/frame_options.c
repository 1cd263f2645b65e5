/* The options of `graze play`, except those that need all meshes of a frame in one process. */
#include "frame_options.h"

#include "play_options.h"

#include <string.h>

static const char *const refused[] = {"picture", "picture-frame", "camera",          "up", "crease",
                                      "zoom-to", "report",        "compare-methods", NULL};
static const char *const refused_by_bench[] = {"csv", "plot", NULL};

static bool is_one_of(const char *name, const char *const *names) {
  for (; *names != NULL; names++)
    if (strcmp(*names, name) == 0) return true;
  return false;
}

const command_option *frame_options_of_ranks(bool for_bench) {
  static command_option options[OPTION_MOST + 1];
  size_t count = 0;
  for (const command_option *row = play_option_table; row->name != NULL; row++) {
    if (is_one_of(row->name, refused) || (for_bench && is_one_of(row->name, refused_by_bench))) continue;
    options[count] = *row;
    if (strcmp(row->name, "threads") == 0) options[count].words = "number of threads of each rank (default 1)";
    count++;
  }
  options[count] = (command_option){0};
  return options;
}
