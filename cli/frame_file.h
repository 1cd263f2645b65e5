/* Files of frames: the frame's number takes the place of %d, or %04d, in a name. */
#ifndef GRAZE_FRAME_FILE_H
#define GRAZE_FRAME_FILE_H

#include "mesh_io/mesh.h"

#include <stdbool.h>

/* Writes one; `pattern` has a place for a number. `object` NULL: all objects share the file; else the object's number
 * comes before that of the frame. False after a complaint. */
bool frame_file_write(const char *pattern, uint64_t frame, const size_t *object, const mesh *meshes, size_t count);

#endif
