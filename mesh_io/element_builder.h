/* Builds a mesh from elements of many shapes: points, lines, surfaces and volumes.
 *
 * Workload: millions of tetrahedra, nearly always with only the triangles of their boundary before or after them. The
 * kind of the mesh is known only at the end, so surfaces are kept until the first volume, and tetrahedra are stored in
 * their final array until the first volume of another shape turns all of them into cells with faces. Skipped elements
 * are counted for the note. */
#ifndef GRAZE_ELEMENT_BUILDER_H
#define GRAZE_ELEMENT_BUILDER_H

#include "mesh_io/mesh_builder.h"

typedef struct element_builder {
  mesh_builder mesh; /* add vertices here */
  size_t tetrahedron_capacity, cell_capacity, face_capacity, face_corner_capacity;
  size_t face_corner_count;
  uint64_t surfaces[ELEMENT_SHAPES]; /* kept in the mesh so far */
} element_builder;

void element_builder_start(element_builder *builder, const mesh_reading *reading);
void element_builder_free(element_builder *builder);

/* Adds an element by its corners: the number of its shape, for polygons at least 3. The caller checks corners against
 * the number of vertices. Not for polyhedra. */
bool element_builder_add(element_builder *builder, element_shape shape, const uint32_t *corners, size_t corner_count);

/* Counts an element of higher order, of which only the corners were added. */
bool element_builder_add_higher_order(element_builder *builder, element_shape shape, const uint32_t *corners);

/* Counts an element that is always skipped. */
void element_builder_skip(element_builder *builder, element_shape shape);

/* Adds a polyhedron without faces, and a face to it, with at least 3 corners. */
bool element_builder_start_polyhedron(element_builder *builder);
bool element_builder_add_face(element_builder *builder, const uint32_t *corners, size_t corner_count);

/* Hands over the one mesh with its note; the builder is then empty, also after a failure. */
bool element_builder_finish(element_builder *builder, mesh **meshes_out, size_t *mesh_count_out);

#endif
