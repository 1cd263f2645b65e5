/* Values of options: each is read completely, or refused with a message. */
#ifndef GRAZE_OPTION_VALUES_H
#define GRAZE_OPTION_VALUES_H

#include "command_line.h"

#include "graze/names.h"

#include <float.h>
#include <math.h>

/* Readers of rows of options: a bool, a text, a number from `least` to `most`, a number above 0 and at most `most`
 * (0: any) as double, and an enumeration of the library. */
option_reader option_read_flag, option_read_text, option_read_size, option_read_u64, option_read_u32,
    option_read_positive, option_read_enumeration;

/* The end of a row: how its value is read, and the member that stores it. */
#define OPTION_FLAG(type, member) option_read_flag, offsetof(type, member), 0, 0
#define OPTION_TEXT(type, member) option_read_text, offsetof(type, member), 0, 0
#define OPTION_SIZE(type, member, least, most) option_read_size, offsetof(type, member), least, most
#define OPTION_U64(type, member, least, most) option_read_u64, offsetof(type, member), least, most
#define OPTION_U32(type, member, least, most) option_read_u32, offsetof(type, member), least, most
#define OPTION_POSITIVE(type, member, most) option_read_positive, offsetof(type, member), 0, most
#define OPTION_ENUMERATION(type, member, what) option_read_enumeration, offsetof(type, member), what, 0
#define OPTION_READ(read, type, member) read, offsetof(type, member), 0, 0
#define OPTION_READ_ALL(read) read, 0, 0, 0

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

/* An object, by its number, and its shift. */
typedef struct shift {
  uint64_t object;
  double by[3];
  const char *text; /* as given; borrowed */
} shift;

/* An object, by its number, and its rotation about the origin: three angles in degrees, about the axes x, then y, then
 * z, or an axis and an angle in degrees. */
typedef struct rotation {
  uint64_t object;
  double values[4];
  bool has_axis;    /* four values: axis and angle */
  const char *text; /* as given; borrowed */
} rotation;

/* Reads "N=x,y,z" with finite x, y, z. */
bool read_shift(const char *option, const char *value, shift *shift_out);

/* The values of --move and --rotate, in the order given. Whether the objects exist is checked later. */
typedef struct object_moves {
  shift *shifts;
  size_t shift_count;
  rotation *rotations;
  size_t rotation_count;
} object_moves;

void object_moves_free(object_moves *moves);

/* Append to an object_moves: "N=x,y,z" with finite numbers, and "N=x,y,z" or "N=x,y,z,angle" with a nonzero axis. */
option_reader option_read_move, option_read_rotation;

#endif
