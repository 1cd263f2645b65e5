/* A mesh while it is being read from a file of elements of many shapes: points, lines, surfaces and volumes.
 *
 * Workload: millions of tetrahedra, nearly always nothing else but the triangles of their boundary before or after
 * them. What the mesh is made of is known only at the end, so surfaces are kept until the first volume comes, and
 * tetrahedra go straight to their final array until the first volume of another shape makes all of them cells with
 * faces. What is left out is counted for the note. */
#ifndef GRAZE_ELEMENT_BUILDER_H
#define GRAZE_ELEMENT_BUILDER_H

#include "mesh_io/element_shape.h"
#include "mesh_io/mesh_builder.h"

typedef struct element_builder {
  mesh_builder mesh; /* add vertices here */
  size_t tetrahedron_capacity, cell_capacity, face_capacity, face_corner_capacity;
  size_t face_corner_count;
  uint64_t surfaces[ELEMENT_SHAPES]; /* kept in the mesh so far */
  uint64_t skipped[ELEMENT_SHAPES];
  uint64_t higher_order[ELEMENT_SHAPES]; /* taken by their corners alone */
} element_builder;

void element_builder_start(element_builder *builder, const mesh_reading *reading);
void element_builder_free(element_builder *builder);

/* An element by its corners; as many as its shape has, for polygons at least 3. Corners are not checked against the
 * number of vertices: that is the reader's. Not for polyhedra. */
bool element_builder_add(element_builder *builder, element_shape shape, const uint32_t *corners, size_t corner_count);

/* An element of higher order, of which the corners are taken alone. */
bool element_builder_add_higher_order(element_builder *builder, element_shape shape, const uint32_t *corners);

/* An element that is left out, whatever else is in the file. */
void element_builder_skip(element_builder *builder, element_shape shape);

/* A polyhedron without faces, and a face for it; at least 3 corners. */
bool element_builder_start_polyhedron(element_builder *builder);
bool element_builder_add_face(element_builder *builder, const uint32_t *corners, size_t corner_count);

/* Hands the one mesh over with its note; the builder is empty afterwards, whether this succeeds or not. */
bool element_builder_finish(element_builder *builder, mesh **meshes_out, size_t *mesh_count_out);

#endif
