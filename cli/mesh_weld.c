/* Merges the vertices of a mesh at the same place. Workload: once per file, all its vertices. */
#include "mesh_weld.h"

#include "mesh_io/weld.h"

#include <stdlib.h>

static void rename_corners(uint32_t *corners, size_t count, const uint32_t *welded) {
  for (size_t i = 0; corners != NULL && i < count; i++) corners[i] = welded[corners[i]];
}

bool mesh_weld(mesh *joined) {
  if (joined->kind == MESH_SPHERES || joined->vertex_count == 0) return true;
  uint32_t *welded = malloc(joined->vertex_count * sizeof *welded);
  const bool done = welded != NULL && weld_positions(joined->positions, joined->vertex_count, welded);
  if (done) {
    if (joined->polygon_first != NULL)
      rename_corners(joined->corners, joined->polygon_first[joined->polygon_count], welded);
    rename_corners(joined->triangles, 3 * joined->triangle_count, welded);
    rename_corners(joined->tetrahedra, 4 * joined->tetrahedron_count, welded);
    if (joined->face_first != NULL)
      rename_corners(joined->face_corners, joined->face_first[joined->face_count], welded);
  }
  free(welded);
  return done;
}
