/* Files of volumes, made in memory from one description: every variant of every format must give the same mesh.
 *
 * These writers share only the names of shapes with those of mesh_io: they follow the specifications of the formats, in
 * ASCII and in both byte orders, on any host. */
#ifndef GRAZE_VOLUME_FILES_H
#define GRAZE_VOLUME_FILES_H

#include "mesh_io/element_shape.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bytes of a file being made; start from zero but for `text` and `big_endian`, free `bytes` at the end. */
typedef struct file_bytes {
  bool text, big_endian;
  char *bytes;
  size_t size, capacity;
} file_bytes;

void put_text(file_bytes *file, const char *format, ...);
void put_integer(file_bytes *file, int64_t value, size_t bytes); /* in text: decimal, after a blank */
void put_real(file_bytes *file, double value, size_t bytes);     /* likewise */
void put_line_end(file_bytes *file);                             /* in text alone */

typedef struct volume_element {
  element_shape shape;
  bool is_second_order; /* the nodes after the corners repeat the first one */
  uint32_t corners[8];
} volume_element;

typedef struct volume_file {
  const double *positions;
  size_t vertex_count;
  const volume_element *elements;
  size_t element_count;
  const int64_t *tags; /* of Gmsh nodes; NULL: 1, 2, 3, ... */
} volume_file;

enum { OFFSETS_NONE = 0, OFFSETS_32 = 4, OFFSETS_64 = 8 };

void make_gmsh_2(file_bytes *file, const volume_file *v);
void make_gmsh_4(file_bytes *file, const volume_file *v, size_t tag_bytes, bool parametric);
void make_vtk(file_bytes *file, const volume_file *v, size_t real_bytes, size_t offset_bytes);
void make_medit(file_bytes *file, const volume_file *v);

#endif
