/* Typed members of a glTF text, with messages that name their place: "FILE: accessors[3].count is 2.5, not a whole
 * number from 0 to 10".
 *
 * Workload: up to millions of objects, each read once. Elements of an array are found by number, so lists of them are
 * made once. */
#ifndef GRAZE_GLTF_MEMBERS_H
#define GRAZE_GLTF_MEMBERS_H

#include "mesh_io/json_reader.h"
#include "mesh_io/mesh_reading.h"

typedef struct gltf_text {
  const mesh_reading *reading;
  json_document document;
} gltf_text;

/* An object: root.list[index], or root.list[index].inner[inner_index] if `inner` is not NULL. */
typedef struct gltf_place {
  const json_value *value;
  const char *list;
  size_t index;
  const char *inner;
  size_t inner_index;
} gltf_place;

/* An array of objects at the root of the text. */
typedef struct gltf_list {
  const char *name;
  size_t count;
  size_t *values; /* by number in the document */
} gltf_list;

/* "accessors[3]". */
typedef struct gltf_place_name {
  char text[96];
} gltf_place_name;
gltf_place_name gltf_name_place(const gltf_place *place);

/* Formats a value for a message: a number, a string in quotes, or its kind. */
mesh_quote gltf_quote(const json_value *value);

/* "FILE: PLACE...": the format follows the place without a blank. Returns false. */
bool gltf_fail(const gltf_text *text, const gltf_place *place, const char *format, ...) MESH_PRINTF(3, 4);

/* Returns the list with this name; empty if there is none. Release `values` through the memory of the reading. */
bool gltf_list_read(const gltf_text *text, const char *name, gltf_list *list_out);
gltf_place gltf_list_place(const gltf_text *text, const gltf_list *list, size_t index);

/* Returns a member of any kind, or NULL. */
const json_value *gltf_member(const gltf_text *text, const gltf_place *place, const char *key);

/* Returns an extension of an object, or NULL. */
const json_value *gltf_extension(const gltf_text *text, const gltf_place *place, const char *name);

/* Reads a whole number from 0 to `most`; a missing one is `fallback`, or an error if that is GLTF_NEEDED. */
#define GLTF_NEEDED UINT64_MAX
#define GLTF_ABSENT (UINT64_MAX - 1)
bool gltf_take_whole(const gltf_text *text, const gltf_place *place, const char *key, uint64_t fallback, uint64_t most,
                     uint64_t *value_out);

/* Reads the number of an element of a list. */
bool gltf_take_reference(const gltf_text *text, const gltf_place *place, const char *key, uint64_t fallback,
                         const gltf_list *list, uint64_t *value_out);

/* Reads a value as the number of an element of a list. */
bool gltf_read_reference(const gltf_text *text, const gltf_place *place, const char *key, const json_value *value,
                         const gltf_list *list, uint64_t *value_out);

/* Reads an array of `count` numbers; *present_out states whether the member exists. */
bool gltf_take_numbers(const gltf_text *text, const gltf_place *place, const char *key, size_t count,
                       double *values_out, bool *present_out);

#endif
