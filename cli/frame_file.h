/* Files of frames: the frame number replaces %d or %04d in a name. */
#ifndef GRAZE_FRAME_FILE_H
#define GRAZE_FRAME_FILE_H

#include "mesh_io/mesh.h"

#include <stdbool.h>

/* Writes one file. `pattern` has a place for a number. If `object` is NULL, all objects share the file; else the object
 * number precedes that of the frame. False after a complaint. */
bool frame_file_write(const char *pattern, uint64_t frame, const size_t *object, const mesh *meshes, size_t count);

#endif
