/* Binary PLY files of triangles, read by ranges: a reader maps the file and looks at its faces and their vertices
 * alone.
 *
 * Taken are little-endian files whose vertices have x, y and z of one type, float or double, beside any other numbers,
 * and whose faces are triangles with a count of one byte and indices of four. Any other file is for graze/io.h. */
#ifndef GRAZE_PLY_RANGE_H
#define GRAZE_PLY_RANGE_H

#include "graze/graze.h"

typedef struct ply_range {
  const unsigned char *bytes; /* the file */
  size_t size;
  size_t vertices, faces; /* where they begin */
  size_t vertex_bytes, vertex_count, face_count;
  size_t place[3]; /* of x, y and z in a vertex */
  bool is_double;
  char trouble[160];
} ply_range;

/* False where the file is not of that kind, or cannot be opened. */
bool ply_range_open(const char *path, ply_range *range);
void ply_range_close(ply_range *range);

/* Adds one of so many ranges of the faces to the scene, as a part of the object of that global number. */
graze_result ply_range_add(ply_range *range, size_t number, size_t range_count, uint32_t object, graze_scene *scene);

/* The message of a call above that failed. */
const char *ply_range_trouble(const ply_range *range, graze_result result);

#endif
