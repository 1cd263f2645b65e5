/* Writes VTK legacy files, version 4.2, unstructured grids, big endian when binary, as the format requires. Tetrahedra,
 * hexahedra, prisms (wedges) and pyramids are written as such, other polyhedra by their faces (type 42). Workload: as
 * in mesh_writer.c. */
#include "mesh_io/mesh_writing.h"
#include "mesh_io/vtk_types.h"

enum { INT_BYTES = 4 };

/* The number of values of a cell in CELLS, without their count. A polyhedron has the number of its faces, and for each
 * the number of corners and the corners. */
static uint64_t count_values(const mesh *m, size_t cell, const mesh_element *element) {
  if (element->shape != ELEMENT_POLYHEDRON) return element->corner_count;
  const uint32_t first = m->cell_first[cell];
  const uint32_t end = m->cell_first[cell + 1];
  return 1 + (uint64_t)(end - first) + m->face_first[end] - m->face_first[first];
}

static uint64_t count_all_values(const mesh_writing *w) {
  uint64_t count = 0;
  for (size_t i = 0; i < w->mesh_count; i++) {
    for (size_t j = 0; j < mesh_element_count(&w->meshes[i]); j++) {
      mesh_element element;
      mesh_element_get(&w->meshes[i], j, &element);
      count += 1 + count_values(&w->meshes[i], j, &element);
    }
  }
  return count;
}

bool mesh_check_vtk(const mesh_writing *w) {
  const uint64_t count = count_all_values(w);
  if (count <= INT32_MAX && w->vertex_count <= INT32_MAX) return true;
  return mesh_fail(w->place, "%zu vertices and %llu values of cells; .vtk files hold at most 2147483647 of each",
                   w->vertex_count, (unsigned long long)count);
}

static void put(const mesh_writing *w, uint64_t value, const char *after) {
  if (w->text) {
    mesh_write_count(w, value, after);
  } else {
    mesh_write_bits(w, value, INT_BYTES, true);
  }
}

static void put_corners(const mesh_writing *w, const uint32_t *corners, size_t count, size_t base) {
  put(w, count, "");
  for (size_t i = 0; i < count; i++) {
    if (w->text) mesh_write_text(w, " ");
    put(w, corners[i] + (uint64_t)base, "");
  }
}

static void put_polyhedron(const mesh_writing *w, const mesh *m, size_t cell, size_t base) {
  const uint32_t first = m->cell_first[cell];
  const uint32_t end = m->cell_first[cell + 1];
  put(w, end - first, "");
  for (uint32_t i = first; i < end; i++) {
    if (w->text) mesh_write_text(w, " ");
    put_corners(w, m->face_corners + m->face_first[i], m->face_first[i + 1] - m->face_first[i], base);
  }
}

static void put_cells(const mesh_writing *w) {
  size_t base = 0;
  for (size_t i = 0; i < w->mesh_count; i++) {
    const mesh *m = &w->meshes[i];
    for (size_t j = 0; j < mesh_element_count(m); j++) {
      mesh_element element;
      mesh_element_get(m, j, &element);
      if (element.shape == ELEMENT_POLYHEDRON) {
        put(w, count_values(m, j, &element), " ");
        put_polyhedron(w, m, j, base);
      } else {
        put_corners(w, element.corners, element.corner_count, base);
      }
      if (w->text) mesh_write_text(w, "\n");
    }
    base += m->vertex_count;
  }
}

static void put_types(const mesh_writing *w) {
  for (size_t i = 0; i < w->mesh_count; i++) {
    for (size_t j = 0; j < mesh_element_count(&w->meshes[i]); j++) {
      mesh_element element;
      mesh_element_get(&w->meshes[i], j, &element);
      put(w, (uint64_t)vtk_number_of_shape(element.shape), "\n");
    }
  }
}

static void put_points(const mesh_writing *w) {
  for (size_t i = 0; i < w->mesh_count; i++) {
    const mesh *m = &w->meshes[i];
    for (size_t j = 0; j < m->vertex_count; j++) {
      if (w->text) {
        mesh_write_position(w, "", m->positions + 3 * j);
      } else {
        for (size_t axis = 0; axis < 3; axis++) mesh_write_double(w, m->positions[3 * j + axis], true);
      }
    }
  }
}

void mesh_write_vtk(const mesh_writing *w) {
  mesh_write_text(w, "# vtk DataFile Version 4.2\nwritten by graze\n");
  mesh_write_text(w,
                  w->text ? "ASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS " : "BINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS ");
  mesh_write_count(w, w->vertex_count, " double\n");
  put_points(w);
  mesh_write_text(w, w->text ? "CELLS " : "\nCELLS ");
  mesh_write_count(w, w->element_count, " ");
  mesh_write_count(w, count_all_values(w), "\n");
  put_cells(w);
  mesh_write_text(w, w->text ? "CELL_TYPES " : "\nCELL_TYPES ");
  mesh_write_count(w, w->element_count, "\n");
  put_types(w);
  if (!w->text) mesh_write_text(w, "\n");
}
