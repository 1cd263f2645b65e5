/* Values of options: every one is read to its last letter or refused in a message. */
#ifndef GRAZE_OPTION_VALUES_H
#define GRAZE_OPTION_VALUES_H

#include "graze/names.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A whole number from `least` to `most`, digits alone: no sign, no blanks, no unit. */
bool read_whole_number(const char *option, const char *value, uint64_t least, uint64_t most, uint64_t *number_out);

/* A number of bytes, at least one, with K, M, G or T behind it for 1024 and its powers. */
bool read_byte_count(const char *option, const char *value, uint64_t *bytes_out);

/* A finite number above 0 and at most `most`. */
bool read_positive_number(const char *option, const char *value, double most, double *number_out);

/* A list of names, by its functions. */
typedef struct name_list {
  size_t (*count)(void);
  const char *(*name)(size_t number);
  int (*value)(size_t number);
} name_list;

/* One of the names of a list, and its value there. */
bool read_choice(const char *option, const char *value, const name_list *list, int *meaning_out);

/* The same for an enumeration of the library. */
bool read_enumeration(const char *option, const char *value, graze_enumeration what, int *meaning_out);

/* "auto", or a method that the library has. */
bool read_method(const char *option, const char *value);

/* A backend that the library knows; the name given back is the library's. */
bool read_backend(const char *option, const char *value, const char **name_out);

/* An object, by its number, and by how much it is shifted. */
typedef struct shift {
  uint64_t object;
  double by[3];
  const char *text; /* as it was written; borrowed */
} shift;

/* "N=x,y,z" with finite x, y, z. Whether there is an object N is not known yet. */
bool read_shift(const char *option, const char *value, shift *shift_out);

/* An object, by its number, and how it is rotated about the origin: three angles in degrees, about the axes x, then y,
 * then z, or an axis and an angle in degrees. */
typedef struct rotation {
  uint64_t object;
  double values[4];
  bool has_axis;    /* four values: the axis and the angle */
  const char *text; /* as it was written; borrowed */
} rotation;

/* "N=x,y,z" or "N=x,y,z,angle" with finite numbers and an axis that is not zero. */
bool read_rotation(const char *option, const char *value, rotation *rotation_out);

#endif
