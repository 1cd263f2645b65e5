/* Poses from numbers. */
#include "pose_value.h"

#include "complaint.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WORDS_BYTES = 256 };

static bool check_placement(const placement *placed, char message[POSE_MESSAGE_BYTES]) {
  const char *defect = placement_defect(placed);
  if (defect != NULL) snprintf(message, POSE_MESSAGE_BYTES, "the matrix cannot place an object: %s", defect);
  return defect == NULL;
}

static bool from_quaternion(const double quaternion[4], const double translation[3], placement *placed_out,
                            char message[POSE_MESSAGE_BYTES]) {
  const graze_pose pose = graze_pose_from_quaternion(quaternion, translation);
  *placed_out = placement_of_pose(&pose);
  if (!isnan(pose.rotation[0])) return true;
  snprintf(message, POSE_MESSAGE_BYTES, "the quaternion %g %g %g %g has length zero", quaternion[0], quaternion[1],
           quaternion[2], quaternion[3]);
  return false;
}

bool pose_from_numbers(const double *numbers, size_t count, placement *placed_out, char message[POSE_MESSAGE_BYTES]) {
  if (count == 7) return from_quaternion(numbers + 3, numbers, placed_out, message);
  memcpy(placed_out->rows, numbers, sizeof placed_out->rows);
  const double *last = numbers + 12;
  if (count == 16 && (last[0] != 0.0 || last[1] != 0.0 || last[2] != 0.0 || last[3] != 1.0)) {
    const bool transposed = numbers[3] == 0.0 && numbers[7] == 0.0 && numbers[11] == 0.0 && last[3] == 1.0;
    snprintf(message, POSE_MESSAGE_BYTES, "the last row of the matrix is %g %g %g %g, but must be 0 0 0 1%s", last[0],
             last[1], last[2], last[3], transposed ? "; matrices are row-major, and this one is column-major" : "");
    return false;
  }
  return check_placement(placed_out, message);
}

static bool complain_at(const json_file *file, const json_value *value, const char *words, const char *message) {
  return decline("%s:%zu: %s: %s", file->path, value->line, words, message);
}

/* Reads 16 or 12 numbers, or 4 or 3 rows of 4. */
static bool read_matrix(const json_file *file, const json_value *value, const char *words, placement *placed_out) {
  static const char wanted[] = "a matrix of 16 or 12 numbers, or of 4 or 3 rows of 4 numbers";
  double numbers[POSE_NUMBERS_MOST];
  char message[POSE_MESSAGE_BYTES];
  size_t count = value->count;
  if (value->kind != JSON_ARRAY) return json_refuse(file, value, words, wanted);
  if (count == 3 || count == 4) {
    size_t row = value->first;
    for (size_t i = 0; i < value->count; i++, row = file->document.values[row].next)
      if (!json_numbers(file, &file->document.values[row], words, 4, numbers + 4 * i)) return false;
    count *= 4;
  } else if (count != 12 && count != 16) {
    return json_refuse(file, value, words, wanted);
  } else if (!json_numbers(file, value, words, count, numbers)) {
    return false;
  }
  return pose_from_numbers(numbers, count, placed_out, message) || complain_at(file, value, words, message);
}

/* Reads the numbers of a member if it exists; `count` is 1 for a single number. */
static bool read_member(const json_file *file, const json_value *pose, const char *name, const char *words,
                        size_t count, double *numbers, bool *found_out) {
  char member_words[WORDS_BYTES];
  const json_value *member = json_member(file, pose, name);
  *found_out = member != NULL;
  if (member == NULL) return true;
  snprintf(member_words, sizeof member_words, "%.200s: \"%s\"", words, name);
  if (count > 1) return json_numbers(file, member, member_words, count, numbers);
  if (member->kind != JSON_NUMBER) return json_refuse(file, member, member_words, "a number");
  numbers[0] = member->number;
  return true;
}

static bool read_parts(const json_file *file, const json_value *pose, const char *words, placement *placed_out) {
  double translation[3] = {0, 0, 0}, quaternion[4], axis[3], degrees = 0, angles[3];
  bool has_translation, has_quaternion, has_axis, has_degrees, has_angles;
  char message[POSE_MESSAGE_BYTES];
  if (!read_member(file, pose, "translation", words, 3, translation, &has_translation) ||
      !read_member(file, pose, "quaternion", words, 4, quaternion, &has_quaternion) ||
      !read_member(file, pose, "axis", words, 3, axis, &has_axis) ||
      !read_member(file, pose, "degrees", words, 1, &degrees, &has_degrees) ||
      !read_member(file, pose, "xyz_degrees", words, 3, angles, &has_angles))
    return false;
  if (has_quaternion + has_axis + has_angles > 1)
    return complain_at(file, pose, words, "give only one of quaternion, axis and xyz_degrees");
  if (has_axis != has_degrees)
    return complain_at(file, pose, words, has_axis ? "\"axis\" needs \"degrees\"" : "\"degrees\" needs \"axis\"");
  if (has_axis && axis[0] == 0.0 && axis[1] == 0.0 && axis[2] == 0.0)
    return complain_at(file, pose, words, "the axis is zero");
  *placed_out = has_axis     ? placement_about_axis(axis, degrees)
                : has_angles ? placement_about_xyz(angles)
                             : placement_identity();
  if (has_quaternion && !from_quaternion(quaternion, translation, placed_out, message))
    return complain_at(file, pose, words, message);
  for (int row = 0; row < 3; row++) placed_out->rows[row][3] = translation[row];
  return true;
}

bool pose_value_read(const json_file *file, const json_value *value, const char *words, placement *placed_out) {
  static const char *const names[] = {"translation", "quaternion", "axis", "degrees", "xyz_degrees", "matrix", NULL};
  if (value->kind == JSON_ARRAY) return read_matrix(file, value, words, placed_out);
  if (!json_members_are(file, value, words, names)) return false;
  const json_value *matrix = json_member(file, value, "matrix");
  if (matrix == NULL) return read_parts(file, value, words, placed_out);
  if (value->count > 1)
    return complain_at(file, value, words, "a matrix includes translation and rotation, and must be the only member");
  return read_matrix(file, matrix, words, placed_out);
}
