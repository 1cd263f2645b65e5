/* Releases meshes and lists their elements. Workload: a handful of meshes of up to millions of triangles, or up to a
 * million small ones if a file is split by its groups. */
#include "mesh_io/mesh.h"

#include <stdlib.h>
#include <string.h>

void mesh_free_by(mesh *m, void (*release)(void *context, void *array), void *context) {
  release(context, m->name);
  release(context, m->positions);
  release(context, m->polygon_first);
  release(context, m->corners);
  release(context, m->triangles);
  release(context, m->triangle_polygon);
  release(context, m->tetrahedra);
  release(context, m->cell_first);
  release(context, m->face_first);
  release(context, m->face_corners);
  release(context, m->radii);
  release(context, m->note);
  memset(m, 0, sizeof *m);
}

static void release_by_libc(void *context, void *array) {
  (void)context;
  free(array);
}

void mesh_free(mesh *m) {
  if (m) mesh_free_by(m, release_by_libc, NULL);
}

void mesh_list_free(mesh *meshes, size_t mesh_count) {
  if (!meshes) return;
  for (size_t i = 0; i < mesh_count; i++) mesh_free(&meshes[i]);
  free(meshes);
}

size_t mesh_element_count(const mesh *m) {
  switch (m->kind) {
  case MESH_TETRAHEDRA:
    return m->tetrahedron_count;
  case MESH_POLYHEDRA:
    return m->cell_count;
  case MESH_SPHERES:
    return m->vertex_count;
  case MESH_POLYGONS:
    break;
  }
  return m->polygon_count;
}

const uint32_t *mesh_element_corners(const mesh *m, size_t element, size_t *corner_count_out) {
  switch (m->kind) {
  case MESH_TETRAHEDRA:
    *corner_count_out = 4;
    return m->tetrahedra + 4 * element;
  case MESH_POLYHEDRA:
    *corner_count_out = m->face_first[m->cell_first[element + 1]] - m->face_first[m->cell_first[element]];
    return m->face_corners + m->face_first[m->cell_first[element]];
  case MESH_SPHERES:
    *corner_count_out = 1;
    return NULL;
  case MESH_POLYGONS:
    break;
  }
  if (m->polygon_first == NULL) {
    *corner_count_out = 3;
    return m->triangles + 3 * element;
  }
  *corner_count_out = m->polygon_first[element + 1] - m->polygon_first[element];
  return m->corners + m->polygon_first[element];
}
