/* Values of options: each is read completely, or refused with a message. */
#ifndef GRAZE_OPTION_VALUES_H
#define GRAZE_OPTION_VALUES_H

#include "graze/names.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads a whole number from `least` to `most`: digits only, no sign, blanks or unit. */
bool read_whole_number(const char *option, const char *value, uint64_t least, uint64_t most, uint64_t *number_out);

/* Reads device numbers separated by commas; repeats are allowed. The output has space for DEVICE_LIST_MOST. */
enum { DEVICE_LIST_MOST = 64 };
bool read_device_list(const char *option, const char *value, int *devices_out, size_t *count_out);

/* Reads a number of bytes, at least one, with an optional suffix K, M, G or T for 1024 and its powers. */
bool read_byte_count(const char *option, const char *value, uint64_t *bytes_out);

/* Reads a finite number above 0 and at most `most`. */
bool read_positive_number(const char *option, const char *value, double most, double *number_out);

/* A list of names, by its functions. */
typedef struct name_list {
  size_t (*count)(void);
  const char *(*name)(size_t number);
  int (*value)(size_t number);
} name_list;

/* Reads one of the names of a list, and returns its value. */
bool read_choice(const char *option, const char *value, const name_list *list, int *meaning_out);

/* The same for an enumeration of the library. */
bool read_enumeration(const char *option, const char *value, graze_enumeration what, int *meaning_out);

/* Reads "auto" or a method of the library. */
bool read_method(const char *option, const char *value);

/* Reads a backend of the library; the returned name belongs to the library. */
bool read_backend(const char *option, const char *value, const char **name_out);

/* An object, by its number, and its shift. */
typedef struct shift {
  uint64_t object;
  double by[3];
  const char *text; /* as given; borrowed */
} shift;

/* Reads "N=x,y,z" with finite x, y, z. Whether object N exists is checked later. */
bool read_shift(const char *option, const char *value, shift *shift_out);

/* An object, by its number, and its rotation about the origin: three angles in degrees, about the axes x, then y, then
 * z, or an axis and an angle in degrees. */
typedef struct rotation {
  uint64_t object;
  double values[4];
  bool has_axis;    /* four values: axis and angle */
  const char *text; /* as given; borrowed */
} rotation;

/* Reads "N=x,y,z" or "N=x,y,z,angle" with finite numbers and a nonzero axis. */
bool read_rotation(const char *option, const char *value, rotation *rotation_out);

#endif
