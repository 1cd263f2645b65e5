/* Writes Gmsh .msh, version 4.1, little endian when binary. Each mesh is its own entity, tagged from 1, and its
 * elements are in blocks of one type, in the order of the mesh; nodes and elements are tagged from 1 throughout.
 * Workload: as in mesh_writer.c. */
#include "mesh_io/gmsh_types.h"
#include "mesh_io/mesh_writing.h"

enum { INT_BYTES = 4, TAG_BYTES = 8 };

bool mesh_check_gmsh(const mesh_writing *w) {
  for (size_t i = 0; i < w->mesh_count; i++) {
    const mesh *m = &w->meshes[i];
    for (size_t j = 0; j < mesh_element_count(m); j++) {
      mesh_element element;
      mesh_element_get(m, j, &element);
      if (gmsh_number_of_shape(element.shape) > 0) continue;
      if (m->kind == MESH_POLYGONS) {
        return mesh_fail(w->place, "mesh %zu, polygon %zu has %zu corners; .msh files hold polygons of 3 or 4 corners",
                         i, j, element.corner_count);
      }
      return mesh_fail(
          w->place,
          "mesh %zu, cell %zu is not a tetrahedron, hexahedron, prism or pyramid; .vtk files hold any polyhedron", i,
          j);
    }
  }
  return true;
}

/* Writes a whole number: text followed by `after`, or this number of bytes. */
static void put(const mesh_writing *w, uint64_t value, size_t bytes, const char *after) {
  if (w->text) {
    mesh_write_count(w, value, after);
  } else {
    mesh_write_bits(w, value, bytes, false);
  }
}

/* Returns the end of the elements from `first` on with the same shape. */
static size_t end_of_run(const mesh *m, size_t first, element_shape *shape_out) {
  mesh_element element;
  mesh_element_get(m, first, &element);
  *shape_out = element.shape;
  size_t end = first + 1;
  for (; end < mesh_element_count(m); end++) {
    mesh_element_get(m, end, &element);
    if (element.shape != *shape_out) break;
  }
  return end;
}

static size_t count_runs(const mesh_writing *w) {
  size_t count = 0;
  for (size_t i = 0; i < w->mesh_count; i++) {
    element_shape shape;
    for (size_t j = 0; j < mesh_element_count(&w->meshes[i]); j = end_of_run(&w->meshes[i], j, &shape)) count++;
  }
  return count;
}

/* Writes the numbers of blocks and of their contents, and the range of tags, from 1. */
static void put_section_header(const mesh_writing *w, size_t block_count, size_t count) {
  put(w, block_count, TAG_BYTES, " ");
  put(w, count, TAG_BYTES, " ");
  put(w, count > 0, TAG_BYTES, " ");
  put(w, count, TAG_BYTES, "\n");
}

static void put_block_header(const mesh_writing *w, size_t which, uint64_t third, size_t count) {
  put(w, w->meshes[which].kind == MESH_POLYGONS ? 2 : 3, INT_BYTES, " ");
  put(w, which + 1, INT_BYTES, " ");
  put(w, third, INT_BYTES, " ");
  put(w, count, TAG_BYTES, "\n");
}

static void put_nodes(const mesh_writing *w) {
  size_t tag = 1;
  put_section_header(w, w->mesh_count, w->vertex_count);
  for (size_t i = 0; i < w->mesh_count; i++) {
    const mesh *m = &w->meshes[i];
    put_block_header(w, i, 0, m->vertex_count);
    for (size_t j = 0; j < m->vertex_count; j++) put(w, tag++, TAG_BYTES, "\n");
    for (size_t j = 0; j < m->vertex_count; j++) {
      if (w->text) {
        mesh_write_position(w, "", m->positions + 3 * j);
      } else {
        for (size_t axis = 0; axis < 3; axis++) mesh_write_double(w, m->positions[3 * j + axis], false);
      }
    }
  }
}

static void put_element(const mesh_writing *w, size_t tag, const mesh_element *element, size_t base) {
  put(w, tag, TAG_BYTES, " ");
  for (size_t i = 0; i < element->corner_count; i++) {
    put(w, element->corners[i] + (uint64_t)base, TAG_BYTES, i + 1 < element->corner_count ? " " : "\n");
  }
}

static void put_elements(const mesh_writing *w) {
  size_t tag = 1;
  size_t base = 1;
  put_section_header(w, count_runs(w), w->element_count);
  for (size_t i = 0; i < w->mesh_count; i++) {
    const mesh *m = &w->meshes[i];
    for (size_t j = 0; j < mesh_element_count(m);) {
      element_shape shape;
      const size_t end = end_of_run(m, j, &shape);
      put_block_header(w, i, (uint64_t)gmsh_number_of_shape(shape), end - j);
      for (; j < end; j++) {
        mesh_element element;
        mesh_element_get(m, j, &element);
        put_element(w, tag++, &element, base);
      }
    }
    base += m->vertex_count;
  }
}

void mesh_write_gmsh(const mesh_writing *w) {
  mesh_write_text(w, w->text ? "$MeshFormat\n4.1 0 8\n" : "$MeshFormat\n4.1 1 8\n");
  if (!w->text) {
    mesh_write_bits(w, 1, INT_BYTES, false);
    mesh_write_text(w, "\n");
  }
  mesh_write_text(w, "$EndMeshFormat\n$Nodes\n");
  put_nodes(w);
  mesh_write_text(w, w->text ? "$EndNodes\n$Elements\n" : "\n$EndNodes\n$Elements\n");
  put_elements(w);
  mesh_write_text(w, w->text ? "$EndElements\n" : "\n$EndElements\n");
}
