/* Commands and their options as tables, from which help texts, the table of getopt_long and suggestions are made. */
#ifndef GRAZE_COMMAND_LINE_H
#define GRAZE_COMMAND_LINE_H

#include "complaint.h"

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct command_option {
  const char *name;
  int code; /* a letter is also a short option; other codes are above OPTION_CODE_FIRST, those shared by several
               commands above OPTION_CODE_SHARED_FIRST */
  const char *argument; /* the name of the value in the help text; NULL: takes none */
  const char *words;    /* '\n' starts the next line; the short help shows as many clauses as fit one line */
} command_option;

enum { OPTION_CODE_FIRST = 256, OPTION_CODE_SHARED_FIRST = 512, OPTION_MOST = 48 };

typedef struct command {
  const char *program; /* NULL: graze */
  const char *name;
  const char *summary;  /* half a line, for the overview */
  const char *synopsis; /* the text after the program and the name */
  const char *description;
  const command_option *options;    /* ends with a row without a name */
  void (*write_more)(FILE *stream); /* writes what the library or a table provides: methods, models; may be NULL */
  const char *examples;             /* shell commands that run in this order in an empty folder */
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

/* Write the full help, and the short help, which fits a screen. */
void command_write_help(const command *self, FILE *stream);
void command_write_short_help(const command *self, FILE *stream);

/* The last row of a table of options. */
#define HELP_OPTION_ROW                                                                                                \
  { "help", 'h', NULL, "-h lists the common options, --help all options with examples" }

/* Prints "Try 'graze NAME --help'." after a complaint about the arguments. */
exit_code command_hint(const command *self);

typedef enum options_state {
  OPTIONS_READY,
  OPTIONS_ANSWERED, /* the help text was requested and printed */
  OPTIONS_REFUSED   /* a message was printed */
} options_state;

/* Stores one option by its code, its value in optarg, in the struct of the command; false after a complaint. */
typedef bool option_reader(int code, void *options);

/* Reads all options of a call: prints the help text on request (the short one for -h), refuses unknown options, and
 * passes the others to `read`. If ready, arguments[optind ...] are the operands. `arguments` begins with the name of
 * the command. Uses the global state of getopt: one call at a time. */
options_state command_read_options(const command *self, int argument_count, char **arguments, option_reader *read,
                                   void *options);

/* Whether all operands are names; false after a complaint if one is "-". `words` begin the message, such as "check
 * reads files". */
bool operands_are_names(char *const *operands, size_t count, const char *words);

#endif
