/* Builds a mesh while it is read: growable arrays, groups recorded for splitting.
 *
 * Workload: from a few to hundreds of millions of elements, whose number is not known before; nearly always all
 * polygons are triangles. So triangles go directly to their final array, and the arrays of polygons are made only when
 * the first polygon of another size arrives. Its triangles are filled in at the end, when all vertices are known. */
#ifndef GRAZE_MESH_BUILDER_H
#define GRAZE_MESH_BUILDER_H

#include "mesh_io/skipped_elements.h"
#include "mesh_io/unknown_lines.h"

typedef struct mesh_group {
  char *name;
  size_t first_polygon;
} mesh_group;

typedef struct mesh_builder {
  const mesh_reading *reading;
  mesh m; /* without a name */
  size_t vertex_capacity, radius_capacity, triangle_capacity;
  bool has_polygons; /* some polygon is not a triangle: the arrays of polygons and triangle_polygon are in use */
  size_t polygon_capacity, corner_capacity, corner_count, triangle_polygon_capacity;
  mesh_group *groups;
  size_t group_count, group_capacity;
  skipped_elements elements; /* skipped so far */
  unknown_lines unknown;     /* likewise */
} mesh_builder;

void mesh_builder_start(mesh_builder *builder, const mesh_reading *reading);
void mesh_builder_free(mesh_builder *builder);

/* Removes everything that was added, keeps the memory. */
void mesh_builder_clear(mesh_builder *builder);

/* Removes the polygons with their memory, keeps the vertices. */
void mesh_builder_drop_polygons(mesh_builder *builder);

/* Make space for this many more. Callers bound the numbers by the remaining bytes. */
bool mesh_builder_reserve_vertices(mesh_builder *builder, size_t more);
bool mesh_builder_reserve_triangles(mesh_builder *builder, size_t more);

/* Adds a polygon. The caller checks corners against the number of vertices, because it knows the line. corner_count >=
 * 3. */
bool mesh_builder_add_polygon(mesh_builder *builder, const uint32_t *corners, size_t corner_count);

/* Adds a sphere around its own vertex: the mesh then has spheres. The caller checks the values. */
bool mesh_builder_add_sphere(mesh_builder *builder, const double center[3], double radius);

/* Starts a group with this name for the following polygons, if separate meshes are requested. */
bool mesh_builder_start_group(mesh_builder *builder, const char *name, size_t name_bytes);

/* The same for a placed mesh, which is a separate part even if the previous one has the same name. At most 255 bytes of
 * the name are kept, because a file may place a mesh with a long name a million times. */
bool mesh_builder_start_part(mesh_builder *builder, const char *name);

/* Hands over the meshes; the builder is then empty, also after a failure. */
bool mesh_builder_finish(mesh_builder *builder, mesh **meshes_out, size_t *mesh_count_out);

/* Makes space in an array for `more` elements beyond `count`, doubling; `what` names the elements in messages. */
bool mesh_builder_grow(const mesh_reading *reading, void **block, size_t *capacity, size_t count, size_t more,
                       size_t element_bytes, const char *what);

static inline bool mesh_builder_add_vertex(mesh_builder *builder, double x, double y, double z) {
  if (builder->m.vertex_count == builder->vertex_capacity && !mesh_builder_reserve_vertices(builder, 1)) return false;
  double *const position = builder->m.positions + 3 * builder->m.vertex_count++;
  position[0] = x;
  position[1] = y;
  position[2] = z;
  return true;
}

static inline bool mesh_builder_add_triangle(mesh_builder *builder, uint32_t a, uint32_t b, uint32_t c) {
  if (builder->has_polygons || builder->m.triangle_count == builder->triangle_capacity) {
    return mesh_builder_add_polygon(builder, (const uint32_t[3]){a, b, c}, 3);
  }
  uint32_t *const triangle = builder->m.triangles + 3 * builder->m.triangle_count++;
  triangle[0] = a;
  triangle[1] = b;
  triangle[2] = c;
  return true;
}

#endif
