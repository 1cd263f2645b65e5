/* Converts a mesh to triangles for display: surfaces keep their triangles, solids use those of their faces. Workload:
 * once per object, up to a few million triangles; the arrays live until the page has copied them. */
#include "viewer/engine/display_mesh.h"

#include <stdlib.h>
#include <string.h>

enum { TETRAHEDRON_FACES = 4, TRIANGLE_CORNERS = 3, TETRAHEDRON_CORNERS = 4 };

static void find_middle(const mesh *part, double middle_out[3]) {
  for (int axis = 0; axis < 3; ++axis) {
    double least = part->vertex_count > 0 ? part->positions[axis] : 0.0, greatest = least;
    for (size_t i = 0; i < part->vertex_count; ++i) {
      const double value = part->positions[3 * i + axis];
      least = value < least ? value : least;
      greatest = value > greatest ? value : greatest;
    }
    middle_out[axis] = 0.5 * least + 0.5 * greatest;
  }
}

/* An empty array is not NULL: NULL means out of memory. */
static void *make_array(size_t count, size_t element_bytes) {
  return count < SIZE_MAX / element_bytes ? malloc((count + 1) * element_bytes) : NULL;
}

static bool make_vertices(const mesh *part, display_mesh *display) {
  const size_t count = 3 * part->vertex_count;
  display->vertex_count = part->vertex_count;
  display->positions = make_array(count, sizeof(float));
  if (display->positions == NULL) return false;
  for (size_t i = 0; i < count; ++i) display->positions[i] = (float)(part->positions[i] - display->origin[i % 3]);
  if (part->kind != MESH_SPHERES) return true;
  display->radius_count = part->vertex_count;
  display->radii = make_array(part->vertex_count, sizeof(float));
  for (size_t i = 0; display->radii != NULL && i < part->vertex_count; ++i) display->radii[i] = (float)part->radii[i];
  return display->radii != NULL;
}

static bool make_triangles(display_mesh *display, size_t count, bool with_primitives) {
  display->triangle_count = count;
  display->triangles = make_array(TRIANGLE_CORNERS * count, sizeof(uint32_t));
  if (with_primitives) display->primitive_of_triangle = make_array(count, sizeof(uint32_t));
  return display->triangles != NULL && (!with_primitives || display->primitive_of_triangle != NULL);
}

static bool copy_surface(const mesh *part, display_mesh *display) {
  const size_t count = part->triangle_count;
  if (!make_triangles(display, count, part->triangle_polygon != NULL)) return false;
  if (count == 0) return true;
  memcpy(display->triangles, part->triangles, TRIANGLE_CORNERS * count * sizeof(uint32_t));
  if (part->triangle_polygon != NULL)
    memcpy(display->primitive_of_triangle, part->triangle_polygon, count * sizeof(uint32_t));
  return true;
}

/* Outward where the tetrahedron's volume is positive. */
static bool make_tetrahedra(const mesh *part, display_mesh *display) {
  static const uint8_t corners[TETRAHEDRON_FACES][TRIANGLE_CORNERS] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
  if (!make_triangles(display, TETRAHEDRON_FACES * part->tetrahedron_count, true)) return false;
  for (size_t i = 0; i < display->triangle_count; ++i) {
    const uint32_t *tetrahedron = part->tetrahedra + TETRAHEDRON_CORNERS * (i / TETRAHEDRON_FACES);
    for (int j = 0; j < TRIANGLE_CORNERS; ++j)
      display->triangles[TRIANGLE_CORNERS * i + j] = tetrahedron[corners[i % TETRAHEDRON_FACES][j]];
    display->primitive_of_triangle[i] = (uint32_t)(i / TETRAHEDRON_FACES);
  }
  return true;
}

/* The faces of cells are convex, so each is a fan from its first corner. */
static bool make_cells(const mesh *part, display_mesh *display) {
  const size_t corner_count = part->face_count > 0 ? part->face_first[part->face_count] : 0;
  if (!make_triangles(display, corner_count - 2 * part->face_count, true)) return false;
  size_t triangle = 0;
  for (size_t cell = 0; cell < part->cell_count; ++cell) {
    for (size_t face = part->cell_first[cell]; face < part->cell_first[cell + 1]; ++face) {
      for (size_t corner = part->face_first[face] + 2; corner < part->face_first[face + 1]; ++corner, ++triangle) {
        display->triangles[TRIANGLE_CORNERS * triangle] = part->face_corners[part->face_first[face]];
        display->triangles[TRIANGLE_CORNERS * triangle + 1] = part->face_corners[corner - 1];
        display->triangles[TRIANGLE_CORNERS * triangle + 2] = part->face_corners[corner];
        display->primitive_of_triangle[triangle] = (uint32_t)cell;
      }
    }
  }
  return true;
}

static bool make_faces(const mesh *part, display_mesh *display) {
  switch (part->kind) {
  case MESH_TETRAHEDRA:
    return make_tetrahedra(part, display);
  case MESH_POLYHEDRA:
    return make_cells(part, display);
  case MESH_SPHERES:
    return make_triangles(display, 0, false);
  case MESH_POLYGONS:
    break;
  }
  return copy_surface(part, display);
}

bool display_mesh_make(const mesh *part, display_mesh *display_out) {
  *display_out = (display_mesh){.vertex_count = 0};
  find_middle(part, display_out->origin);
  if (make_vertices(part, display_out) && make_faces(part, display_out)) return true;
  display_mesh_release(display_out);
  return false;
}

void display_mesh_release(display_mesh *display) {
  free(display->positions);
  free(display->radii);
  free(display->triangles);
  free(display->primitive_of_triangle);
  *display = (display_mesh){.vertex_count = 0};
}
