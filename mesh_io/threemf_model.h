/* The objects of a 3MF file: meshes, components that place other objects, and the items of its build.
 *
 * Workload: one object of millions of triangles, or thousands that are placed several times. All objects share arrays,
 * so that a million small ones cost no more than one large one. */
#ifndef GRAZE_THREEMF_MODEL_H
#define GRAZE_THREEMF_MODEL_H

#include "mesh_io/affine.h"
#include "mesh_io/xml_scanner.h"
#include "mesh_io/zip_archive.h"

/* An object, by its part and its number there. */
typedef struct threemf_reference {
  size_t part;
  uint32_t id;
} threemf_reference;

typedef struct threemf_object {
  threemf_reference self;
  size_t name; /* the place of its name among the names */
  size_t first_vertex, vertex_count;
  size_t first_triangle, triangle_count;
  size_t first_placing, placing_count; /* its components */
  uint64_t weight; /* triangles, or vertices if there are more, of everything that it places; set by weighing */
  unsigned height; /* levels of components below it, including its own; 0: not weighed */
  bool is_open;    /* being weighed */
} threemf_object;

/* A component or an item. */
typedef struct threemf_placing {
  threemf_reference object;
  affine map;
} threemf_placing;

/* Start with only the archive set. */
typedef struct threemf_model {
  zip_archive *archive;
  zip_entry **parts; /* model parts, in the order in which they are first named; entry->user is the number plus 1 */
  size_t part_count, part_capacity;
  threemf_object *objects; /* by part and number after sorting */
  size_t object_count, object_capacity;
  double *vertices;
  size_t vertex_count, vertex_capacity;
  uint32_t *triangles;
  size_t triangle_count, triangle_capacity;
  threemf_placing *components, *items;
  size_t component_count, component_capacity, item_count, item_capacity;
  char *names; /* each ended by a zero; the first is empty */
  size_t name_bytes, name_capacity;
} threemf_model;

/* Returns the number of the part at a path, which is added if it is new. False after a message. */
bool threemf_model_add_part(threemf_model *model, const mesh_reading *text, xml_span path, size_t *part_out);

/* Adds the contents of part `part`, whose text is given: objects, and items if it is part 0. */
bool threemf_model_read_part(threemf_model *model, const mesh_reading *text, size_t part);
void threemf_model_free(threemf_model *model);

#endif
