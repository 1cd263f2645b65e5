/* Commands and their options as tables: help texts, getopt_long's own table and suggestions all come from one row each.
 */
#ifndef GRAZE_COMMAND_LINE_H
#define GRAZE_COMMAND_LINE_H

#include "complaint.h"

#include <getopt.h>
#include <stddef.h>
#include <stdio.h>

typedef struct command_option {
  const char *name;
  int code;             /* a letter is a short option as well; others are past OPTION_CODE_FIRST */
  const char *argument; /* how the help text calls the value; NULL: takes none */
  const char *words;    /* '\n' begins the next line of the description */
} command_option;

enum { OPTION_CODE_FIRST = 256, OPTION_CODE_END = -1, OPTION_CODE_REFUSED = -2, OPTION_MOST = 32 };

typedef struct command {
  const char *name;
  const char *summary;  /* half a line, for the overview */
  const char *synopsis; /* what follows "graze NAME" */
  const char *description;
  const command_option *options;    /* ends with a row without a name */
  void (*write_more)(FILE *stream); /* what the library or a table knows: methods, models; may be NULL */
  const char *examples;             /* lines that a shell runs as they stand, in this order, in an empty folder */
  exit_code (*run)(const struct command *self, int argument_count, char **arguments);
} command;

extern const command analyze_command;
extern const command check_command;
extern const command make_command;

void command_write_help(const command *self, FILE *stream);

/* "Try 'graze NAME --help'.", after a complaint about the way the command was called. */
exit_code command_hint(const command *self);

/* Walks over the options of one call. Uses getopt's global state: one walk at a time. */
typedef struct option_walk {
  const command *owner;
  int argument_count;
  char **arguments;
  struct option long_options[OPTION_MOST + 1];
  char short_options[2 * OPTION_MOST + 2];
} option_walk;

/* `arguments` begins with the name of the command. */
void option_walk_start(option_walk *walk, const command *owner, int argument_count, char **arguments);

/* The code of the next option, its value in optarg; OPTION_CODE_END, and then arguments[optind ...] are the operands;
 * OPTION_CODE_REFUSED after a complaint. */
int option_walk_next(option_walk *walk);

#endif
