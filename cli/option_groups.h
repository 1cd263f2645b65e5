/* The headings of options in the help texts. */
#ifndef GRAZE_OPTION_GROUPS_H
#define GRAZE_OPTION_GROUPS_H

#include <stdbool.h>
#include <stddef.h>

/* In the order of the help text. The short help (-h) ends with OPTION_OUTPUT. */
typedef enum option_group {
  OPTION_USUAL,
  OPTION_PLACEMENT,
  OPTION_OUTPUT,
  OPTION_PICTURE,
  OPTION_MACHINE,
  OPTION_RESEARCH,
  OPTION_GROUPS
} option_group;

/* OPTION_USUAL if the table has no row for the option. */
option_group option_group_of(const char *command, const char *option);

const char *option_group_heading(option_group group);

/* A row of the table, for tests: the command, NULL for all, and the option; false past the end. */
bool option_groups_row(size_t number, const char **command_out, const char **option_out);

#endif
