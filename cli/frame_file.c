/* Writes frames. */
#include "frame_file.h"

#include "complaint.h"
#include "frame_list.h"
#include "output_file.h"

#include "mesh_io/mesh_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_BYTES = 4096, DIGITS_MOST = 24 };

/* NULL when out of memory. */
static char *path_of_frame(const char *pattern, uint64_t frame, const size_t *object) {
  number_place place;
  if (!number_place_find(pattern, &place)) return NULL;
  const size_t room = strlen(pattern) + place.least_digits + 2 * DIGITS_MOST;
  char *path = malloc(room), number[DIGITS_MOST] = "";
  if (object != NULL) snprintf(number, sizeof number, "%zu_", *object);
  if (path != NULL) {
    snprintf(path, room, "%.*s%s%0*" PRIu64 "%s", (int)place.begin, pattern, number, (int)place.least_digits, frame,
             pattern + place.end);
  }
  return path;
}

static bool write_to(const char *path, const mesh *meshes, size_t count) {
  char message[MESSAGE_BYTES] = "";
  output_file file = {0};
  bool written = output_file_plan(&file, path);
  if (written && !mesh_file_write(file.partial_path, meshes, count, NULL, message, sizeof message)) {
    output_file_complain(&file, message);
    written = false;
  }
  written = written && output_file_publish(&file);
  output_file_discard(&file);
  return written;
}

bool frame_file_write(const char *pattern, uint64_t frame, const size_t *object, const mesh *meshes, size_t count) {
  char *path = path_of_frame(pattern, frame, object);
  if (path == NULL) complain("out of memory");
  const bool written = path != NULL && write_to(path, meshes, count);
  free(path);
  return written;
}
