/* Values of options: every one is read to its last letter or refused in a message. */
#ifndef GRAZE_OPTION_VALUES_H
#define GRAZE_OPTION_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A whole number from `least` to `most`, digits alone: no sign, no blanks, no unit. */
bool read_whole_number(const char *option, const char *value, uint64_t least, uint64_t most, uint64_t *number_out);

/* One of a few words, and what it stands for. */
typedef struct choice {
  const char *word;
  int meaning;
} choice;
bool read_choice(const char *option, const char *value, const choice *choices, size_t choice_count, int *meaning_out);

/* "auto", or a method that the library has. */
bool read_method(const char *option, const char *value);

/* An object, by its number, and by how much it is shifted. */
typedef struct shift {
  uint64_t object;
  double by[3];
  const char *text; /* as it was written; borrowed */
} shift;

/* "N=x,y,z" with finite x, y, z. Whether there is an object N is not known yet. */
bool read_shift(const char *option, const char *value, shift *shift_out);

#endif
