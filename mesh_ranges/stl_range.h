/* Reads ranges of binary STL files: a reader reads only its triangles.
 *
 * STL has no indices: equal positions are one vertex, also in different ranges. Accepts files named .stl whose size
 * fits their count of triangles. graze/io.h reads all other files. */
#ifndef GRAZE_STL_RANGE_H
#define GRAZE_STL_RANGE_H

#include "graze/graze.h"
#include "mesh_ranges/range_file.h"

typedef struct stl_range {
  range_file file;
  size_t face_count;
  char trouble[RANGE_TROUBLE_BYTES];
} stl_range;

/* False if the file is of another kind or cannot be opened. */
bool stl_range_open(const char *path, stl_range *range);
void stl_range_close(stl_range *range);

/* Adds one of range_count ranges of the triangles to the scene, as a part of the global object. */
graze_result stl_range_add(stl_range *range, size_t number, size_t range_count, uint32_t object, graze_scene *scene);

/* Returns the message of the failed call above. */
const char *stl_range_trouble(const stl_range *range, graze_result result);

#endif
