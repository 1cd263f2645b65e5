/* Reads ranges of binary PLY files of triangles: a reader reads only its faces and their vertices.
 *
 * Accepts little-endian files whose vertices have x, y and z of one type, float or double, and any other numbers, and
 * whose faces are triangles with a count of one byte and indices of four. graze/io.h reads all other files. All
 * ranges together check every vertex, also those that no face uses, as graze/io.h does. */
#ifndef GRAZE_PLY_RANGE_H
#define GRAZE_PLY_RANGE_H

#include "graze/graze.h"
#include "mesh_ranges/range_file.h"

typedef struct ply_range {
  range_file file;
  size_t vertices, faces; /* their beginning */
  size_t vertex_bytes, vertex_count, face_count;
  size_t place[3]; /* of x, y and z in a vertex */
  bool is_double;
  char trouble[RANGE_TROUBLE_BYTES];
} ply_range;

/* False if the file is of another kind or cannot be opened. */
bool ply_range_open(const char *path, ply_range *range);
void ply_range_close(ply_range *range);

/* Adds one of range_count ranges of the faces to the scene, as a part of the global object. */
graze_result ply_range_add(ply_range *range, size_t number, size_t range_count, uint32_t object, graze_scene *scene);

/* Returns the message of the failed call above. */
const char *ply_range_trouble(const ply_range *range, graze_result result);

#endif
