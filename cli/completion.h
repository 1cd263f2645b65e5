/* `graze complete WORD ...`: what may stand in place of the last word, for the completion of shells. */
#ifndef GRAZE_COMPLETION_H
#define GRAZE_COMPLETION_H

#include "command_line.h"

/* What a shell is told where names of files may stand. */
typedef enum completion_files {
  COMPLETION_NO_FILES,
  COMPLETION_MESHES,
  COMPLETION_FILES,
  COMPLETION_FOLDERS
} completion_files;

/* How the value of an option is completed, by the option's name and by what the help text calls its value. */
typedef struct value_completion {
  const char *(*name)(size_t number); /* a name of the list, NULL past the end; NULL: the values have no names */
  completion_files files;
  bool known; /* false: there is no rule for such an option yet */
} value_completion;

value_completion completion_of_value(const command_option *option);

/* Writes a line for each candidate: the word, a tabulator, what it is. Or a line ":mesh .obj .ply ...", ":file" or
 * ":folder" where the shell completes the name of a file. The words are those after the program; the last one, which
 * may be empty, is completed. Whether a candidate begins as that word does is the shell's to see. */
exit_code write_completions(const command *const *commands, size_t command_count, char *const *words,
                            size_t word_count);

#endif
