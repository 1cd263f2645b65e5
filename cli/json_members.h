/* Members of a JSON file that a person wrote: what is missing, unknown or of another kind is named with its line. */
#ifndef GRAZE_JSON_MEMBERS_H
#define GRAZE_JSON_MEMBERS_H

#include "mesh_io/json_reader.h"

/* A JSON file in memory. Zeroed: none. */
typedef struct json_file {
  const char *path; /* borrowed */
  json_document document;
} json_file;

/* False after a complaint; nothing is to be freed then. `words` say what the file should be: "a scene file". */
bool json_file_read(const char *path, const char *words, json_file *file_out);

/* The same for bytes in memory. */
bool json_file_take(const char *path, const char *bytes, size_t size, json_file *file_out);
void json_file_free(json_file *file);

/* The whole text. */
static inline const json_value *json_file_root(const json_file *file) {
  return &file->document.values[0];
}

/* Whether the whole is an object with "format" and "version" of these values. */
bool json_file_has_format(const json_file *file, const char *format, int version);

/* Whether the value is an object of which every member has one of the names (NULL ends them), none twice. Else a
 * complaint, with the nearest name. `words` say what the object is. */
bool json_members_are(const json_file *file, const json_value *object, const char *words, const char *const *names);

/* The member, whatever its kind; NULL where there is none. */
const json_value *json_member(const json_file *file, const json_value *object, const char *name);

/* "FILE:LINE: WORDS must be WANTED, not GIVEN". False. */
bool json_refuse(const json_file *file, const json_value *value, const char *words, const char *wanted);

/* The numbers of an array of `count` of them. False after a complaint. */
bool json_numbers(const json_file *file, const json_value *array, const char *words, size_t count, double *numbers_out);

#endif
