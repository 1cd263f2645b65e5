/* Help texts and the reading of options.
 *
 * getopt_long parses the arguments: it accepts options after operands, abbreviations, "--name=value" and "--". Its own
 * messages are disabled, because they make no suggestions and differ in form from those of the tool. */
#include "command_line.h"

#include "close_match.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

enum { OPTION_COLUMN = 26, LONG_OPTION_FIRST = 256 };

/* Writes the name with its letter and value; returns the column after it. */
static int write_option_name(const command_option *option, FILE *stream) {
  int column = option->letter != 0 ? fprintf(stream, "  -%c, --%s", option->letter, option->name)
                                   : fprintf(stream, "  --%s", option->name);
  if (option->argument != NULL) column += fprintf(stream, " %s", option->argument);
  if (column < OPTION_COLUMN) return column;
  fputc('\n', stream);
  return 0;
}

static void write_option(const command_option *option, FILE *stream) {
  int column = write_option_name(option, stream);
  for (const char *line = option->words; line != NULL;) {
    const char *end = strchr(line, '\n');
    const int length = end == NULL ? (int)strlen(line) : (int)(end - line);
    fprintf(stream, "%*s%.*s\n", OPTION_COLUMN - column, "", length, line);
    line = end == NULL ? NULL : end + 1;
    column = 0;
  }
}

static const char *program_of(const command *self) {
  return self->program != NULL ? self->program : "graze";
}

/* The part of a description that fits a line: all of it, or the text before the last comma, colon or semicolon that
 * fits. */
static size_t brief_length(const char *words) {
  enum { LINE_LENGTH = 74 };
  const size_t all = strlen(words);
  size_t length = 0;
  unsigned depth = 0;
  for (size_t i = 0; all > LINE_LENGTH && i < all && (i <= LINE_LENGTH || length == 0); i++) {
    const bool ends = strchr(",;:", words[i]) != NULL && (words[i + 1] == ' ' || words[i + 1] == '\n');
    if (depth == 0 && ends) length = i;
    depth += words[i] == '(';
    depth -= words[i] == ')' && depth > 0;
  }
  return length == 0 ? all : length;
}

static void write_option_briefly(const command_option *option, FILE *stream) {
  fprintf(stream, "%*s", OPTION_COLUMN - write_option_name(option, stream), "");
  const size_t length = brief_length(option->words);
  for (size_t i = 0; i < length; i++) fputc(option->words[i] == '\n' ? ' ' : option->words[i], stream);
  fputc('\n', stream);
}

/* Writes the options of a group below its heading; nothing if there are none. */
static void write_group(const command *self, option_group group, void (*write)(const command_option *, FILE *),
                        FILE *stream) {
  static const char *const headings[OPTION_GROUPS] = {
      [OPTION_USUAL] = "Options",   [OPTION_PLACEMENT] = "Placement",         [OPTION_OUTPUT] = "Output",
      [OPTION_PICTURE] = "Picture", [OPTION_MACHINE] = "Backend and threads", [OPTION_RESEARCH] = "Research"};
  bool begun = false;
  for (const command_option *option = self->options; option->name != NULL; option++) {
    if (option->group != group) continue;
    if (!begun) fprintf(stream, "\n%s:\n", headings[group]);
    begun = true;
    write(option, stream);
  }
}

void command_write_short_help(const command *self, FILE *stream) {
  fprintf(stream, "usage: %s %s %s\n\n%c%s.\n", program_of(self), self->name, self->synopsis,
          toupper((unsigned char)self->summary[0]), self->summary + 1);
  for (int group = OPTION_USUAL; group <= OPTION_OUTPUT; group++)
    write_group(self, (option_group)group, write_option_briefly, stream);
  fprintf(stream, "\nAll options and examples: %s %s --help\n", program_of(self), self->name);
}

void command_write_help(const command *self, FILE *stream) {
  fprintf(stream, "usage: %s %s %s\n\n%s", program_of(self), self->name, self->synopsis, self->description);
  for (int group = 0; group < OPTION_GROUPS; group++) write_group(self, (option_group)group, write_option, stream);
  if (self->write_more != NULL) {
    fputc('\n', stream);
    self->write_more(stream);
  }
  fprintf(stream, "\nExamples:\n%s", self->examples);
}

exit_code command_end(options_state state) {
  return state == OPTIONS_ANSWERED ? finish_standard_output() : EXIT_CODE_TROUBLE;
}

exit_code command_hint(const command *self) {
  fprintf(stderr, "Try '%s %s --help'.\n", program_of(self), self->name);
  return EXIT_CODE_TROUBLE;
}

/* The state of reading the options of a call. */
typedef struct option_walk {
  const command *owner;
  int argument_count;
  char **arguments;
  struct option long_options[OPTION_MOST + 1];
  char short_options[2 * OPTION_MOST + 2];
} option_walk;

static void option_walk_start(option_walk *walk, const command *owner, int argument_count, char **arguments) {
  *walk = (option_walk){.owner = owner, .argument_count = argument_count, .arguments = arguments};
  size_t letters = 0;
  walk->short_options[letters++] = ':';
  for (size_t i = 0; owner->options[i].name != NULL; i++) {
    assert(i < OPTION_MOST);
    const command_option *option = &owner->options[i];
    const int takes = option->argument == NULL ? no_argument : required_argument;
    walk->long_options[i] = (struct option){.name = option->name, .has_arg = takes, .val = LONG_OPTION_FIRST + (int)i};
    if (option->letter == 0) continue;
    walk->short_options[letters++] = option->letter;
    if (takes == required_argument) walk->short_options[letters++] = ':';
  }
  opterr = 0;
  optind = 1;
}

/* The option of a code of getopt_long; NULL if there is none. */
static const command_option *find_option(const command *owner, int code) {
  if (code >= LONG_OPTION_FIRST) return &owner->options[code - LONG_OPTION_FIRST];
  for (const command_option *option = owner->options; code > 0 && option->name != NULL; option++) {
    if (option->letter == code) return option;
  }
  return NULL;
}

static void refuse_unknown(const option_walk *walk, const char *argument) {
  const command *owner = walk->owner;
  char name[64];
  snprintf(name, sizeof name, "%.*s", (int)strcspn(argument + 2, "="), argument + 2);
  close_match match = {.wanted = name};
  char beginners[256] = "";
  size_t used = 0, beginner_count = 0;
  for (const command_option *option = owner->options; option->name != NULL; option++) {
    close_match_offer(&match, option->name);
    if (strncmp(option->name, name, strlen(name)) != 0 || used >= sizeof beginners) continue;
    used += (size_t)snprintf(beginners + used, sizeof beginners - used, " --%s", option->name);
    beginner_count++;
  }
  if (beginner_count > 1) {
    complain("--%s is ambiguous; it could be one of%s", name, beginners);
  } else if (match.best != NULL) {
    complain("%s has no option --%s; did you mean --%s?", owner->name, name, match.best);
  } else {
    complain("%s has no option --%s", owner->name, name);
  }
}

static void refuse_argument(const option_walk *walk, int reason) {
  const command_option *option = find_option(walk->owner, optopt);
  if (reason == ':' && option != NULL) {
    complain("--%s takes a value: --%s %s", option->name, option->name, option->argument);
  } else if (option != NULL) {
    complain("--%s takes no value", option->name);
  } else if (optopt == 0) {
    refuse_unknown(walk, walk->arguments[optind - 1]);
  } else {
    complain("%s has no option -%c", walk->owner->name, optopt);
  }
}

/* Finds the option of a code; NULL after a complaint. */
static const command_option *take_argument(const option_walk *walk, int code) {
  if (code == '?' || code == ':') {
    refuse_argument(walk, code);
    return NULL;
  }
  const command_option *option = find_option(walk->owner, code);
  /* "--json --csv FILE": the value is missing; nobody means a file named --csv. */
  const bool is_value = option->argument != NULL && optarg == walk->arguments[optind - 1];
  if (!is_value || strncmp(optarg, "--", 2) != 0) return option;
  complain("--%s takes a value, but %s is an option: --%s %s", option->name, optarg, option->name, option->argument);
  return NULL;
}

options_state command_read_options(const command *self, int argument_count, char **arguments, void *options,
                                   option_set *given_out) {
  option_walk walk;
  option_walk_start(&walk, self, argument_count, arguments);
  *given_out = 0;
  for (int code; (code = getopt_long(argument_count, arguments, walk.short_options, walk.long_options, NULL)) != -1;) {
    const command_option *option = take_argument(&walk, code);
    if (option != NULL && option->read == NULL) {
      const bool by_name = strncmp(arguments[optind - 1], "--", 2) == 0;
      (by_name ? command_write_help : command_write_short_help)(self, stdout);
      return OPTIONS_ANSWERED;
    }
    if (option == NULL || !option->read(option, optarg, (char *)options + option->offset)) {
      command_hint(self);
      return OPTIONS_REFUSED;
    }
    *given_out |= (option_set)1 << (option - self->options);
  }
  return OPTIONS_READY;
}

const char *first_option_given(const command *self, option_set given, const char *names) {
  for (const char *name = names; *name != '\0'; name += strspn(name, " ")) {
    const size_t length = strcspn(name, " ");
    for (size_t i = 0; self->options[i].name != NULL; i++) {
      const char *known = self->options[i].name;
      if ((given >> i & 1) != 0 && strlen(known) == length && strncmp(known, name, length) == 0) return known;
    }
    name += length;
  }
  return NULL;
}

bool option_rules_hold(const command *self, option_set given, const option_rule *rules) {
  for (; rules->message != NULL; rules++) {
    const char *option = first_option_given(self, given, rules->option);
    if (option == NULL || (rules->needed != NULL && first_option_given(self, given, rules->needed) != NULL)) continue;
    const char *named = rules->needed != NULL ? option : first_option_given(self, given, rules->refused);
    if (named == NULL) continue;
    return decline(rules->message, named);
  }
  return true;
}

bool operands_are_names(char *const *operands, size_t count, const char *words) {
  for (size_t i = 0; i < count; i++) {
    if (strcmp(operands[i], "-") != 0) continue;
    return decline("%s, not standard input", words);
  }
  return true;
}
