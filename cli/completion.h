/* `graze complete WORD ...`: the candidates for the last word, for shell completion. */
#ifndef GRAZE_COMPLETION_H
#define GRAZE_COMPLETION_H

#include "command_line.h"

/* Lines that request the completion of file names. */
typedef enum completion_files {
  COMPLETION_NO_FILES,
  COMPLETION_MESHES,
  COMPLETION_FILES,
  COMPLETION_FOLDERS
} completion_files;

/* How the value of an option is completed, by its name and by its name in the help text. */
typedef struct value_completion {
  const char *(*name)(size_t number); /* a name of the list, NULL past the end; NULL: the values have no names */
  completion_files files;
  bool known; /* false: there is no rule for such an option yet */
} value_completion;

value_completion completion_of_value(const command_option *option);

/* Writes a line for each candidate: the word, a tab, its description; or a line ":mesh .obj .ply ...", ":file" or
 * ":folder" if the shell completes file names. The words are those after the program; the last one, which may be empty,
 * is completed. The shell filters candidates by their prefix. */
exit_code write_completions(const command *const *commands, size_t command_count, char *const *words,
                            size_t word_count);

#endif
