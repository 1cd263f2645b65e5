/* Reads the values of options. Values are never clamped, rounded or truncated: an invalid value is refused, because a
 * run with a different value would answer a different question. */
#include "option_values.h"

#include "close_match.h"

#include "graze/graze.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Digits only; strtoull reports overflow by errno. */
static bool scan_digits(const char **cursor, uint64_t *number_out) {
  uint64_t number = 0;
  const char *at = *cursor;
  for (; *at >= '0' && *at <= '9'; at++) {
    const uint64_t digit = (uint64_t)(*at - '0');
    if (number > (UINT64_MAX - digit) / 10) return false;
    number = number * 10 + digit;
  }
  if (at == *cursor) return false;
  *cursor = at;
  *number_out = number;
  return true;
}

bool read_whole_number(const char *option, const char *value, uint64_t least, uint64_t most, uint64_t *number_out) {
  const char *cursor = value;
  uint64_t number = 0;
  if (scan_digits(&cursor, &number) && *cursor == '\0' && number >= least && number <= most) {
    *number_out = number;
    return true;
  }
  return decline("--%s takes a whole number from %" PRIu64 " to %" PRIu64 ", not \"%s\"", option, least, most, value);
}

enum { DEVICE_NUMBER_MOST = 1023 };

bool read_device_list(const char *option, const char *value, int *devices_out, size_t *count_out) {
  const char *cursor = value;
  for (*count_out = 0; *count_out < DEVICE_LIST_MOST; cursor++) {
    uint64_t number = 0;
    if (!scan_digits(&cursor, &number) || number > DEVICE_NUMBER_MOST) break;
    devices_out[(*count_out)++] = (int)number;
    if (*cursor == '\0') return true;
    if (*cursor != ',') break;
  }
  return decline("--%s takes up to %d numbers from 0 to %d, separated by commas, not \"%s\"", option, DEVICE_LIST_MOST,
                 DEVICE_NUMBER_MOST, value);
}

bool read_byte_count(const char *option, const char *value, uint64_t *bytes_out) {
  static const char units[] = "KMGT";
  const char *cursor = value;
  uint64_t number = 0;
  bool fits = scan_digits(&cursor, &number) && number > 0;
  const char *unit = fits && *cursor != '\0' ? strchr(units, *cursor) : NULL;
  const unsigned bits = unit != NULL ? 10 * (unsigned)(unit - units + 1) : 0;
  cursor += unit != NULL;
  fits = fits && *cursor == '\0' && number <= UINT64_MAX >> bits;
  if (!fits) complain("--%s takes a number of bytes, such as 500M or 8G, not \"%s\"", option, value);
  *bytes_out = fits ? number << bits : 0;
  return fits;
}

/* Joins names of a list: "grid, brute or auto". */
typedef const char *name_giver(const void *context, size_t i);

static void refuse_word(const char *option, const char *value, name_giver *name, const void *context, size_t count) {
  char list[1024] = "";
  size_t used = 0;
  close_match match = {.wanted = value};
  for (size_t i = 0; i < count && used < sizeof list; i++) {
    const char *joint = i == 0 ? "" : i + 1 == count ? " or " : ", ";
    used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", joint, name(context, i));
    close_match_offer(&match, name(context, i));
  }
  if (match.best != NULL) {
    complain("--%s takes %s, not \"%s\"; did you mean %s?", option, list, value, match.best);
  } else {
    complain("--%s takes %s, not \"%s\"", option, list, value);
  }
}

static const char *listed_name(const void *context, size_t i) {
  return ((const name_list *)context)->name(i);
}

bool read_choice(const char *option, const char *value, const name_list *list, int *meaning_out) {
  for (size_t i = 0; i < list->count(); i++) {
    if (strcmp(list->name(i), value) != 0) continue;
    *meaning_out = list->value(i);
    return true;
  }
  refuse_word(option, value, listed_name, list, list->count());
  return false;
}

static const char *enumeration_name(const void *context, size_t i) {
  const graze_enumeration what = *(const graze_enumeration *)context;
  return graze_enumeration_name(what, graze_enumeration_value(what, i));
}

bool read_enumeration(const char *option, const char *value, graze_enumeration what, int *meaning_out) {
  if (graze_enumeration_find(what, value, meaning_out)) return true;
  refuse_word(option, value, enumeration_name, &what, graze_enumeration_count(what));
  return false;
}

static const char *method_name(const void *context, size_t i) {
  (void)context;
  return i == 0 ? "auto" : graze_enumeration_name(GRAZE_ENUMERATION_METHOD, (int)i - 1);
}

bool read_method(const char *option, const char *value) {
  const size_t count = graze_enumeration_count(GRAZE_ENUMERATION_METHOD) + 1;
  for (size_t i = 0; i < count; i++) {
    if (strcmp(method_name(NULL, i), value) == 0) return true;
  }
  refuse_word(option, value, method_name, NULL, count);
  return false;
}

static bool scan_coordinate(const char **cursor, double *number_out) {
  /* strtod would skip blanks. */
  if (isspace((unsigned char)**cursor)) return false;
  char *end = NULL;
  *number_out = strtod(*cursor, &end);
  if (end == *cursor) return false;
  *cursor = end;
  return true;
}

bool read_positive_number(const char *option, const char *value, double most, double *number_out) {
  const char *cursor = value;
  double number = 0.0;
  if (scan_coordinate(&cursor, &number) && *cursor == '\0' && isfinite(number) && number > 0.0 && number <= most) {
    *number_out = number;
    return true;
  }
  if (isfinite(most)) return decline("--%s takes a number above 0 and at most %g, not \"%s\"", option, most, value);
  return decline("--%s takes a number above 0, not \"%s\"", option, value);
}

/* Reads "N=" and at least three numbers separated by commas; returns how many there are, up to `most`, or 0. */
static size_t scan_object_values(const char *value, size_t most, uint64_t *object_out, double *values) {
  const char *cursor = value;
  size_t count = 0;
  if (!scan_digits(&cursor, object_out) || *cursor++ != '=') return 0;
  while (count < most && scan_coordinate(&cursor, &values[count])) {
    count++;
    if (*cursor == '\0') return count >= 3 ? count : 0;
    if (*cursor++ != ',') return 0;
  }
  return 0;
}

static bool values_are_finite(const char *option, const char *value, const double *values, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (isfinite(values[i])) continue;
    return decline("--%s takes finite numbers, not \"%s\"", option, value);
  }
  return true;
}

bool read_shift(const char *option, const char *value, shift *shift_out) {
  *shift_out = (shift){.text = value};
  if (scan_object_values(value, 3, &shift_out->object, shift_out->by) == 0)
    return decline("--%s takes N=x,y,z (the number of an object and three numbers), not \"%s\"", option, value);
  return values_are_finite(option, value, shift_out->by, 3);
}

static bool read_rotation(const char *option, const char *value, rotation *rotation_out) {
  *rotation_out = (rotation){.text = value};
  const size_t count = scan_object_values(value, 4, &rotation_out->object, rotation_out->values);
  const double *axis = rotation_out->values;
  rotation_out->has_axis = count == 4;
  if (count == 0)
    return decline(
        "--%s takes N=x,y,z (the number of an object and degrees about x, y and z) or N=x,y,z,angle (an axis and "
        "degrees about it), not \"%s\"",
        option, value);
  if (!values_are_finite(option, value, rotation_out->values, count)) return false;
  if (count < 4 || axis[0] != 0.0 || axis[1] != 0.0 || axis[2] != 0.0) return true;
  return decline("--%s %s: the axis is zero", option, value);
}

/* ---------------------------------------------------------------------------------------------- rows */

bool option_read_flag(const command_option *option, char *value, void *member) {
  (void)option;
  (void)value;
  return *(bool *)member = true;
}

bool option_read_text(const command_option *option, char *value, void *member) {
  (void)option;
  *(const char **)member = value;
  return true;
}

bool option_read_u64(const command_option *option, char *value, void *member) {
  return read_whole_number(option->name, value, option->least, option->most, member);
}

bool option_read_size(const command_option *option, char *value, void *member) {
  uint64_t number = 0;
  if (!read_whole_number(option->name, value, option->least, option->most, &number)) return false;
  *(size_t *)member = (size_t)number;
  return true;
}

bool option_read_u32(const command_option *option, char *value, void *member) {
  uint64_t number = 0;
  if (!read_whole_number(option->name, value, option->least, option->most, &number)) return false;
  *(uint32_t *)member = (uint32_t)number;
  return true;
}

bool option_read_positive(const command_option *option, char *value, void *member) {
  return read_positive_number(option->name, value, option->most == 0 ? HUGE_VAL : (double)option->most, member);
}

/* Enumerations of the library have the size of an int. */
bool option_read_enumeration(const command_option *option, char *value, void *member) {
  return read_enumeration(option->name, value, (graze_enumeration)option->least, member);
}

/* Makes room for one more of `count` items; NULL after a complaint. */
static void *append_item(void *items, size_t count, size_t bytes) {
  void *moved = realloc(items, (count + 1) * bytes);
  if (moved == NULL) complain("out of memory");
  return moved;
}

bool option_read_move(const command_option *option, char *value, void *member) {
  object_moves *moves = member;
  shift *shifts = append_item(moves->shifts, moves->shift_count, sizeof *shifts);
  if (shifts == NULL) return false;
  moves->shifts = shifts;
  return read_shift(option->name, value, &shifts[moves->shift_count++]);
}

bool option_read_rotation(const command_option *option, char *value, void *member) {
  object_moves *moves = member;
  rotation *rotations = append_item(moves->rotations, moves->rotation_count, sizeof *rotations);
  if (rotations == NULL) return false;
  moves->rotations = rotations;
  return read_rotation(option->name, value, &rotations[moves->rotation_count++]);
}

void object_moves_free(object_moves *moves) {
  free(moves->shifts);
  free(moves->rotations);
  *moves = (object_moves){0};
}
