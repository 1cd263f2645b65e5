/* Commands and their options as tables: help texts, getopt_long's own table and suggestions all come from one row each.
 */
#ifndef GRAZE_COMMAND_LINE_H
#define GRAZE_COMMAND_LINE_H

#include "complaint.h"

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct command_option {
  const char *name;
  int code;             /* a letter is a short option as well; others are past OPTION_CODE_FIRST, those that
                           several commands share past OPTION_CODE_SHARED_FIRST */
  const char *argument; /* how the help text calls the value; NULL: takes none */
  const char *words;    /* '\n' begins the next line of the description; the short help has as many clauses as fit one
                           line */
} command_option;

enum { OPTION_CODE_FIRST = 256, OPTION_CODE_SHARED_FIRST = 512, OPTION_MOST = 48 };

typedef struct command {
  const char *program; /* NULL: graze */
  const char *name;
  const char *summary;  /* half a line, for the overview */
  const char *synopsis; /* what follows the program and the name */
  const char *description;
  const command_option *options;    /* ends with a row without a name */
  void (*write_more)(FILE *stream); /* what the library or a table knows: methods, models; may be NULL */
  const char *examples;             /* lines that a shell runs as they stand, in this order, in an empty folder */
  exit_code (*run)(const struct command *self, int argument_count, char **arguments);
} command;

extern const command analyze_command;
extern const command bench_command;
extern const command check_command;
extern const command distance_command;
extern const command make_command;
extern const command pack_command;
extern const command play_command;
extern const command view_command;

/* All of it, and the short help, which fits a screen. */
void command_write_help(const command *self, FILE *stream);
void command_write_short_help(const command *self, FILE *stream);

/* The last row of a table of options. */
#define HELP_OPTION_ROW                                                                                                \
  { "help", 'h', NULL, "-h lists the common options, --help all options with examples" }

/* "Try 'graze NAME --help'.", after a complaint about the way the command was called. */
exit_code command_hint(const command *self);

typedef enum options_state {
  OPTIONS_READY,
  OPTIONS_ANSWERED, /* the help text was asked for and printed */
  OPTIONS_REFUSED   /* a message was said */
} options_state;

/* Takes one option by its code, its value in optarg, into the command's own struct; false after a complaint. */
typedef bool option_reader(int code, void *options);

/* Reads all options of a call: prints the help text where it is asked for (the short one for -h), refuses what the
 * table does not have, and hands the others to `read`. When ready, arguments[optind ...] are the operands. `arguments`
 * begins with the name of the command. Uses getopt's global state: one call at a time. */
options_state command_read_options(const command *self, int argument_count, char **arguments, option_reader *read,
                                   void *options);

/* Whether all operands are names; false after a complaint where one is "-". `words` say what is read, as "check reads
 * files". */
bool operands_are_names(char *const *operands, size_t count, const char *words);

#endif
