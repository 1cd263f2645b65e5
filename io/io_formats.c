/* The list of formats, for callers that show or complete file names. */
#include "graze/io.h"

#include "mesh_io/mesh_format.h"

#include <stddef.h>

size_t graze_io_format_count(void) {
  size_t count = 0;
  while (mesh_format_at(count) != NULL) count++;
  return count;
}

const char *graze_io_format_ending(size_t format) {
  const mesh_format *row = mesh_format_at(format);
  return row != NULL ? row->ending : NULL;
}

const char *graze_io_format_name(size_t format) {
  const mesh_format *row = mesh_format_at(format);
  return row != NULL ? row->name : NULL;
}

bool graze_io_format_is_written(size_t format, graze_kind kind) {
  static const mesh_kind kinds[] = {[GRAZE_KIND_TRIANGLE] = MESH_POLYGONS,
                                    [GRAZE_KIND_POLYGON] = MESH_POLYGONS,
                                    [GRAZE_KIND_TETRAHEDRON] = MESH_TETRAHEDRA,
                                    [GRAZE_KIND_POLYHEDRON] = MESH_POLYHEDRA,
                                    [GRAZE_KIND_SPHERE] = MESH_SPHERES};
  if ((size_t)kind >= sizeof kinds / sizeof kinds[0]) return false;
  return mesh_format_is_written(mesh_format_at(format), kinds[kind]);
}
