/* Commands and their options as tables, from which help texts, the table of getopt_long and suggestions are made. */
#ifndef GRAZE_COMMAND_LINE_H
#define GRAZE_COMMAND_LINE_H

#include "complaint.h"

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The headings of options, in the order of the help text. The short help (-h) ends with OPTION_OUTPUT. */
typedef enum option_group {
  OPTION_USUAL,
  OPTION_PLACEMENT,
  OPTION_OUTPUT,
  OPTION_PICTURE,
  OPTION_MACHINE,
  OPTION_RESEARCH,
  OPTION_GROUPS
} option_group;

struct command_option;

/* Stores the value of an option, NULL if it takes none, in the member that the row names; false after a complaint. */
typedef bool option_reader(const struct command_option *option, char *value, void *member);

/* An option: its text, and where its value is stored in the struct of the command. Readers are in option_values.h. */
typedef struct command_option {
  const char *name;
  char letter;          /* of the short option; 0: none */
  const char *argument; /* the name of the value in the help text; NULL: takes none */
  option_group group;
  option_reader *read;  /* NULL: writes the help text */
  size_t offset;        /* of the member in the struct of the command */
  uint64_t least, most; /* for numbers; `least` is also an enumeration of the library */
  const char *words;    /* '\n' starts the next line; the short help shows as many clauses as fit one line */
} command_option;

enum { OPTION_MOST = 48 };

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
  { "help", 'h', NULL, OPTION_USUAL, NULL, 0, 0, 0, "-h lists the common options, --help all options with examples" }

/* Prints "Try 'graze NAME --help'." after a complaint about the arguments. */
exit_code command_hint(const command *self);

typedef enum options_state {
  OPTIONS_READY,
  OPTIONS_ANSWERED, /* the help text was requested and printed */
  OPTIONS_REFUSED   /* a message was printed */
} options_state;

/* The exit status of a command whose options are not ready. */
exit_code command_end(options_state state);

/* The options that were given: bits in the order of their table. */
typedef uint64_t option_set;

/* Reads all options of a call into the struct of the command: prints the help text on request (the short one for -h),
 * and refuses unknown options. If ready, arguments[optind ...] are the operands. `arguments` begins with the name of
 * the command. Uses the global state of getopt: one call at a time. */
options_state command_read_options(const command *self, int argument_count, char **arguments, void *options,
                                   option_set *given_out);

/* Returns the first of these names, separated by blanks, whose option was given; NULL if none was. A name that the
 * table lacks was not given. */
const char *first_option_given(const command *self, option_set given, const char *names);

/* A combination of options that is refused. */
typedef struct option_rule {
  const char *option;  /* if one of these was given, */
  const char *refused; /* none of these may be; */
  const char *needed;  /* or one of these must be */
  const char *message; /* %s: the refused option, or for `needed` the given one */
} option_rule;

/* Checks the rules in their order, up to a row without a message; false after a complaint. */
bool option_rules_hold(const command *self, option_set given, const option_rule *rules);

/* Whether all operands are names; false after a complaint if one is "-". `words` begin the message, such as "check
 * reads files". */
bool operands_are_names(char *const *operands, size_t count, const char *words);

#endif
