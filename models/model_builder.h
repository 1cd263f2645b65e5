/* The common functions of the makers of models: memory for meshes with checked sizes, triangles of grids, rotation. */
#ifndef GRAZE_MODEL_BUILDER_H
#define GRAZE_MODEL_BUILDER_H

#include "models/model.h"
#include "models/portable_math.h"

typedef struct model_output {
  const char *model_name;
  mesh *meshes;
  size_t mesh_count;
  size_t mesh_capacity;
  char *error;
  size_t error_bytes;
} model_output;

/* Allocates the meshes of the model; each maker calls this once before it adds any. */
bool model_output_reserve(model_output *output, size_t mesh_capacity);

/* Returns the next mesh with its arrays, contents unset; NULL with a message when out of memory or if a count does not
 * fit 32 bits. The pointer stays valid until the output is released. */
mesh *model_output_add(model_output *output, const char *name, uint64_t vertex_count, uint64_t triangle_count);

/* Likewise for the other kinds; kind and counts are set, contents are not. Polygons that are not triangles have corners
 * - 2 * polygons triangles, which the maker also writes. */
mesh *model_output_add_polygons(model_output *output, const char *name, uint64_t vertex_count, uint64_t polygon_count,
                                uint64_t corner_count);
mesh *model_output_add_tetrahedra(model_output *output, const char *name, uint64_t vertex_count,
                                  uint64_t tetrahedron_count);
mesh *model_output_add_cells(model_output *output, const char *name, uint64_t vertex_count, uint64_t cell_count,
                             uint64_t face_count, uint64_t corner_count);
/* One vertex per sphere. */
mesh *model_output_add_spheres(model_output *output, const char *name, uint64_t sphere_count);

/* Returns scratch of a maker, released with free; NULL with a message. */
void *model_output_scratch(model_output *output, uint64_t count, size_t size);

void model_output_release(model_output *output);

static inline void mesh_set_vertex(mesh *m, size_t vertex, point3 p) {
  m->positions[3 * vertex] = p.x;
  m->positions[3 * vertex + 1] = p.y;
  m->positions[3 * vertex + 2] = p.z;
}

static inline point3 mesh_vertex(const mesh *m, size_t vertex) {
  const double *p = m->positions + 3 * vertex;
  return point3_make(p[0], p[1], p[2]);
}

static inline void mesh_set_triangle(mesh *m, size_t triangle, uint64_t a, uint64_t b, uint64_t c) {
  m->triangles[3 * triangle] = (uint32_t)a;
  m->triangles[3 * triangle + 1] = (uint32_t)b;
  m->triangles[3 * triangle + 2] = (uint32_t)c;
}

static inline void mesh_set_tetrahedron(mesh *m, size_t tetrahedron, uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
  uint32_t *corners = m->tetrahedra + 4 * tetrahedron;
  corners[0] = (uint32_t)a;
  corners[1] = (uint32_t)b;
  corners[2] = (uint32_t)c;
  corners[3] = (uint32_t)d;
}

/* A grid of rows x columns quads of two triangles each; a wrapped direction closes on itself. Vertex (r, c) has the
 * number r * columns_of_vertices + c. */
typedef struct grid_shape {
  uint64_t rows, columns;
  bool wrap_rows, wrap_columns;
} grid_shape;

/* Chooses about target / 2 quads with about `aspect` times as many columns as rows, and at least the given numbers. */
grid_shape grid_shape_fit(double target, double aspect, uint64_t least_rows, uint64_t least_columns);
uint64_t grid_vertex_count(const grid_shape *shape);
uint64_t grid_vertex(const grid_shape *shape, uint64_t row, uint64_t column);
/* Writes 2 * rows * columns triangles, the first with number first_triangle; they are counterclockwise if rows go up
 * and columns to the right. */
void grid_write_triangles(const grid_shape *shape, mesh *m, size_t first_triangle);

/* Rotates the mesh about the origin: not for seed 0, else by a random rotation from the seed. */
void mesh_turn(mesh *m, uint64_t seed);
/* x -> scale * x + shift. */
void mesh_place(mesh *m, double scale, point3 shift);

/* Makers used by more than one model; each adds one mesh and returns NULL as model_output_add does. */

/* A geodesic sphere of radius 1: 20 f^2 triangles, with the f nearest to the target. */
mesh *add_geodesic_sphere(model_output *output, const char *name, double target);
/* The same, displaced along its radii by noise: star-shaped, hence free of self-intersections. */
mesh *add_blob(model_output *output, const char *name, double target, uint64_t seed);

#endif
