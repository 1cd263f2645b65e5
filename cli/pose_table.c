/* Reads pose files. Workload: from one row to about 10^6 of recorded frames, 100 to 400 bytes each. */
#include "pose_table.h"

#include "complaint.h"
#include "file_bytes.h"
#include "pose_value.h"
#include "row_growth.h"

#include "mesh_io/mesh_name.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_BYTES_MOST = 1 << 30, FIELDS_MOST = POSE_NUMBERS_MOST + 2 };

bool pose_table_append(pose_table *table, const char *object, size_t line, uint64_t frame, const placement *placed) {
  const bool reserved = rows_reserve(&table->rows, &table->capacity, table->count, 1, sizeof *table->rows);
  char *name = reserved ? strdup(object) : NULL;
  if (name == NULL) return decline("out of memory");
  table->rows[table->count++] = (pose_row){name, line, frame, *placed};
  return true;
}

void pose_table_release(pose_table *table) {
  for (size_t i = 0; i < table->count; i++) free(table->rows[i].object);
  free(table->rows);
  *table = (pose_table){0};
}

/* ---------------------------------------------------------------------------------------------- CSV */

typedef struct csv_lines {
  const char *path;
  char *at, *end;
  size_t line;
} csv_lines;

/* Returns the next line that is neither empty nor a comment, with its end replaced by a zero; NULL at the end. */
static char *next_line(csv_lines *lines) {
  while (lines->at < lines->end) {
    char *begin = lines->at, *end = memchr(begin, '\n', (size_t)(lines->end - begin));
    lines->at = end == NULL ? lines->end : end + 1;
    if (end == NULL) end = lines->end;
    lines->line++;
    while (end > begin && (end[-1] == '\r' || end[-1] == ' ' || end[-1] == '\t')) end--;
    while (begin < end && (*begin == ' ' || *begin == '\t')) begin++;
    *end = '\0';
    if (begin < end && *begin != '#') return begin;
  }
  return NULL;
}

static bool refuse(const csv_lines *lines, const char *message) {
  return decline("%s:%zu: %s", lines->path, lines->line, message);
}

/* Reads a quoted field, in which two quotes represent one. Returns the rest, NULL if the closing quote is missing. */
static char *unquote(char *field) {
  char *to = field, *from = field + 1;
  for (; *from != '\0'; from++) {
    if (*from == '"' && from[1] != '"') {
      *to = '\0';
      return from + 1;
    }
    from += *from == '"';
    *to++ = *from;
  }
  return NULL;
}

/* Splits a line at its commas; excess fields are only counted. False after a complaint. */
static bool split_fields(const csv_lines *lines, char *line, char *fields[FIELDS_MOST], size_t *count_out) {
  size_t count = 0;
  for (char *at = line; at != NULL;) {
    while (*at == ' ' || *at == '\t') at++;
    char *field = at, *end;
    const bool quoted = *field == '"';
    if (quoted) {
      end = unquote(field);
      if (end == NULL) return refuse(lines, "a quote is not closed");
      end += strspn(end, " \t");
      if (*end != ',' && *end != '\0') return refuse(lines, "a closing quote is not the end of its field");
    } else {
      end = field + strcspn(field, ",");
    }
    at = *end == ',' ? end + 1 : NULL;
    *end = '\0';
    for (char *last = end; !quoted && last > field && (last[-1] == ' ' || last[-1] == '\t');) *--last = '\0';
    if (count < FIELDS_MOST) fields[count] = field;
    count++;
  }
  *count_out = count;
  return true;
}

static const char *const matrix_names[POSE_NUMBERS_MOST] = {"m00", "m01", "m02", "m03", "m10", "m11", "m12", "m13",
                                                            "m20", "m21", "m22", "m23", "m30", "m31", "m32", "m33"};
static const char *const quaternion_names[7] = {"tx", "ty", "tz", "qw", "qx", "qy", "qz"};

static bool names_match(char *const *fields, const char *const *names, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(fields[i], names[i]) != 0) return false;
  return true;
}

/* The number of values of a row; 0 after a complaint. */
static size_t read_header(csv_lines *lines, pose_table *table) {
  char *fields[FIELDS_MOST], *line = next_line(lines);
  size_t count = 0;
  if (line == NULL) {
    complain("%s: the file is empty; poses begin with a header such as object,m00,m01,...,m23", lines->path);
    return 0;
  }
  if (!split_fields(lines, line, fields, &count)) return 0;
  table->has_frames = strcmp(fields[0], "frame") == 0;
  const size_t first = table->has_frames ? 2 : 1;
  const bool named = count > first && strcmp(fields[first - 1], "object") == 0;
  const size_t numbers = named ? count - first : 0;
  if ((numbers == 12 || numbers == 16) && names_match(fields + first, matrix_names, numbers)) return numbers;
  if (numbers == 7 && names_match(fields + first, quaternion_names, numbers)) return numbers;
  refuse(lines, "the header must be object, or frame and object, then m00,m01,m02,m03,m10,...,m23 or to m33, or "
                "tx,ty,tz,qw,qx,qy,qz");
  return 0;
}

/* Refuses text that strtod accepts but tables do not: hexadecimal digits, "nan", "inf". */
static bool read_number(const char *field, double *number_out) {
  char *end = NULL;
  *number_out = strtod(field, &end);
  return field[0] != '\0' && *end == '\0' && strspn(field, "+-.0123456789eE") == strlen(field) && isfinite(*number_out);
}

static bool read_frame(const csv_lines *lines, const char *field, const pose_table *table, uint64_t *frame_out) {
  errno = 0;
  *frame_out = strtoull(field, NULL, 10);
  if (field[0] == '\0' || strspn(field, "0123456789") != strlen(field) || errno != 0)
    return decline("%s:%zu: a frame is a whole number, not \"%.60s\"", lines->path, lines->line, field);
  if (table->count == 0 || *frame_out >= table->rows[table->count - 1].frame) return true;
  return decline("%s:%zu: frame %" PRIu64 " comes after frame %" PRIu64 "; sort the rows by frame", lines->path,
                 lines->line, *frame_out, table->rows[table->count - 1].frame);
}

static bool read_row(const csv_lines *lines, char *line, size_t number_count, pose_table *table) {
  char *fields[FIELDS_MOST], message[POSE_MESSAGE_BYTES];
  const char *const *names = number_count == 7 ? quaternion_names : matrix_names;
  const size_t first = table->has_frames ? 2 : 1;
  size_t count = 0;
  double numbers[POSE_NUMBERS_MOST];
  uint64_t frame = 0;
  placement placed;
  if (!split_fields(lines, line, fields, &count)) return false;
  const char *object = count >= first ? fields[first - 1] : "";
  if (count != first + number_count)
    return decline("%s:%zu: object \"%.60s\" has %zu values, but the header has %zu", lines->path, lines->line, object,
                   count < first ? 0 : count - first, number_count);
  if (table->has_frames && !read_frame(lines, fields[0], table, &frame)) return false;
  for (size_t i = 0; i < number_count; i++) {
    if (read_number(fields[first + i], &numbers[i])) continue;
    return decline("%s:%zu: object \"%.60s\": %s must be a finite number, not \"%.60s\"", lines->path, lines->line,
                   object, names[i], fields[first + i]);
  }
  if (pose_from_numbers(numbers, number_count, &placed, message))
    return pose_table_append(table, object, lines->line, frame, &placed);
  return decline("%s:%zu: object \"%.60s\": %s", lines->path, lines->line, object, message);
}

bool pose_table_read_csv(const char *path, char *bytes, size_t size, pose_table *table_out) {
  csv_lines lines = {path, bytes, bytes + size, 0};
  *table_out = (pose_table){0};
  if (memchr(bytes, '\0', size) != NULL)
    return decline("%s: the file contains a zero byte; is this a table of poses?", path);
  if (size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) lines.at += 3;
  const size_t number_count = read_header(&lines, table_out);
  bool good = number_count > 0;
  for (char *line; good && (line = next_line(&lines)) != NULL;) good = read_row(&lines, line, number_count, table_out);
  return good;
}

/* ---------------------------------------------------------------------------------------------- JSON */

static bool read_json(const char *path, pose_table *table) {
  static const char *const names[] = {"format", "version", "poses", NULL};
  json_file file;
  if (!json_file_read(path, "a pose file", &file)) return false;
  const json_value *root = json_file_root(&file), *poses = json_member(&file, root, "poses");
  bool good = json_file_has_format(&file, "graze-poses", 1) && json_members_are(&file, root, "a pose file", names);
  if (good && poses == NULL) {
    complain("%s: the member \"poses\" is missing", path);
    good = false;
  }
  if (good && poses->kind != JSON_OBJECT)
    good = json_refuse(&file, poses, "\"poses\"", "an object with a pose for each object");
  for (size_t i = good ? poses->first : 0; good && i != 0; i = file.document.values[i].next) {
    const json_value *pose = &file.document.values[i];
    char words[160];
    placement placed;
    snprintf(words, sizeof words, "the pose of \"%.60s\"", pose->key);
    good = pose_value_read(&file, pose, words, &placed) && pose_table_append(table, pose->key, pose->line, 0, &placed);
  }
  json_file_free(&file);
  return good;
}

bool pose_table_read(const char *path, bool only_regular, pose_table *table_out) {
  size_t size = 0;
  *table_out = (pose_table){0};
  if (mesh_name_ends_in(path, strlen(path), ".json")) return read_json(path, table_out);
  char *bytes = file_bytes_read(path, only_regular, FILE_BYTES_MOST, "a table of poses", &size);
  const bool read = bytes != NULL && pose_table_read_csv(path, bytes, size, table_out);
  free(bytes);
  return read;
}
