/* The common part of the writers: the meshes, the sink, and numbers in text and binary. */
#ifndef GRAZE_MESH_WRITING_H
#define GRAZE_MESH_WRITING_H

#include "mesh_io/byte_sink.h"
#include "mesh_io/element_shape.h"

typedef struct mesh_writing {
  const mesh_reading *place; /* file name, memory and error */
  const mesh *meshes;        /* all of one kind */
  size_t mesh_count;
  bool text;
  const char *comment; /* NULL: none */
  byte_sink *sink;
  size_t vertex_count, polygon_count, triangle_count; /* of all meshes */
  size_t element_count;                               /* of all meshes: polygons, tetrahedra or cells, by their kind */
  size_t most_corners;                                /* of one polygon */
} mesh_writing;

/* Writes text unchanged. */
void mesh_write_text(const mesh_writing *w, const char *text);

/* Writes a whole number, then `after`. */
void mesh_write_count(const mesh_writing *w, uint64_t count, const char *after);

/* Writes a word, three numbers that read back to the same bits, and a line end. */
void mesh_write_position(const mesh_writing *w, const char *word, const double position[3]);

/* Writes a word, then each corner after a blank, shifted by `base`, and a line end. */
void mesh_write_corners(const mesh_writing *w, const char *word, const uint32_t *corners, size_t count, size_t base);

/* Write binary numbers: the lowest bytes of a whole number, and a double. */
void mesh_write_bits(const mesh_writing *w, uint64_t bits, size_t bytes, bool big_endian);
void mesh_write_double(const mesh_writing *w, double value, bool big_endian);

/* Returns the number of corners of a polygon, and the corners. */
size_t mesh_polygon_corners(const mesh *m, size_t polygon, const uint32_t **corners_out);

/* An element of a mesh. ELEMENT_POLYHEDRON has no corners here; its faces are in the mesh. */
typedef struct mesh_element {
  element_shape shape;
  const uint32_t *corners; /* in the mesh, or in `room` */
  size_t corner_count;
  uint32_t room[ELEMENT_CORNERS_MAX];
} mesh_element;

void mesh_element_get(const mesh *m, size_t element, mesh_element *element_out);

/* One writer per format, and for some a check before the file is opened, with a message if the format cannot store
 * something. */
typedef void mesh_writer(const mesh_writing *w);
#define MESH_NO_WRITER(...)
#define MESH_WRITER(ending, name, tag, ...) mesh_writer mesh_write_##tag;
MESH_FORMAT_LIST(MESH_NO_WRITER, MESH_WRITER)
#undef MESH_NO_WRITER
#undef MESH_WRITER
bool mesh_check_stl(const mesh_writing *w);
bool mesh_check_gmsh(const mesh_writing *w);
bool mesh_check_vtk(const mesh_writing *w);

/* A PLY file of spheres: vertices with a radius. */
mesh_writer mesh_write_sphere_ply;

#endif
