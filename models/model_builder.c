/* Memory and grids for the makers of models.
 *
 * Workload: a handful of meshes per model, up to 10^9 triangles in total; arrays are allocated once at their final
 * size, which every maker knows in advance. */
#include "models/model_builder.h"

#include "models/seeded_random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void say_out_of_memory(model_output *output, const char *what, double bytes) {
  snprintf(output->error, output->error_bytes, "model %s: out of memory: %s need %.3g bytes", output->model_name, what,
           bytes);
}

bool model_output_reserve(model_output *output, size_t mesh_capacity) {
  output->meshes = calloc(mesh_capacity, sizeof *output->meshes);
  if (output->meshes == NULL) {
    say_out_of_memory(output, "its meshes", (double)mesh_capacity * (double)sizeof *output->meshes);
    return false;
  }
  output->mesh_capacity = mesh_capacity;
  return true;
}

/* NULL if count * size overflows or is unavailable; never requests 0 bytes, for which malloc may return NULL. */
static void *allocate_array(uint64_t count, size_t size) {
  if (count > SIZE_MAX / size) return NULL;
  return malloc(count == 0 ? size : (size_t)count * size);
}

void *model_output_scratch(model_output *output, uint64_t count, size_t size) {
  void *memory = allocate_array(count, size);
  if (memory == NULL) say_out_of_memory(output, "intermediate tables", (double)count * (double)size);
  return memory;
}

/* Returns the next mesh with a name and space for vertices; NULL with a message. */
static mesh *begin_mesh(model_output *output, const char *name, uint64_t vertex_count, uint64_t element_count,
                        const char *element_name) {
  if (output->mesh_count == output->mesh_capacity || vertex_count > MESH_ELEMENTS_MAX ||
      element_count > MESH_ELEMENTS_MAX) {
    snprintf(output->error, output->error_bytes, "model %s: %llu vertices and %llu %s in one mesh are too many",
             output->model_name, (unsigned long long)vertex_count, (unsigned long long)element_count, element_name);
    return NULL;
  }
  mesh *m = &output->meshes[output->mesh_count++];
  const size_t name_bytes = strlen(name) + 1;
  m->name = malloc(name_bytes);
  m->positions = allocate_array(vertex_count, 3 * sizeof *m->positions);
  if (m->name == NULL || m->positions == NULL) {
    say_out_of_memory(output, "vertices", 24.0 * (double)vertex_count);
    return NULL;
  }
  memcpy(m->name, name, name_bytes);
  m->vertex_count = (size_t)vertex_count;
  return m;
}

mesh *model_output_add(model_output *output, const char *name, uint64_t vertex_count, uint64_t triangle_count) {
  mesh *m = begin_mesh(output, name, vertex_count, triangle_count, "triangles");
  if (m == NULL) return NULL;
  m->triangles = allocate_array(triangle_count, 3 * sizeof *m->triangles);
  if (m->triangles == NULL) {
    say_out_of_memory(output, "triangles", 12.0 * (double)triangle_count);
    return NULL;
  }
  m->triangle_count = (size_t)triangle_count;
  m->polygon_count = (size_t)triangle_count;
  return m;
}

mesh *model_output_add_polygons(model_output *output, const char *name, uint64_t vertex_count, uint64_t polygon_count,
                                uint64_t corner_count) {
  mesh *m = begin_mesh(output, name, vertex_count, corner_count, "corners");
  if (m == NULL) return NULL;
  const uint64_t triangle_count = corner_count - 2 * polygon_count;
  m->polygon_first = allocate_array(polygon_count + 1, sizeof *m->polygon_first);
  m->corners = allocate_array(corner_count, sizeof *m->corners);
  m->triangles = allocate_array(triangle_count, 3 * sizeof *m->triangles);
  m->triangle_polygon = allocate_array(triangle_count, sizeof *m->triangle_polygon);
  if (m->polygon_first == NULL || m->corners == NULL || m->triangles == NULL || m->triangle_polygon == NULL) {
    say_out_of_memory(output, "polygons", 4.0 * (double)corner_count + 16.0 * (double)triangle_count);
    return NULL;
  }
  m->polygon_count = (size_t)polygon_count;
  m->triangle_count = (size_t)triangle_count;
  return m;
}

mesh *model_output_add_tetrahedra(model_output *output, const char *name, uint64_t vertex_count,
                                  uint64_t tetrahedron_count) {
  mesh *m = begin_mesh(output, name, vertex_count, tetrahedron_count, "tetrahedra");
  if (m == NULL) return NULL;
  m->kind = MESH_TETRAHEDRA;
  m->tetrahedra = allocate_array(tetrahedron_count, 4 * sizeof *m->tetrahedra);
  if (m->tetrahedra == NULL) {
    say_out_of_memory(output, "tetrahedra", 16.0 * (double)tetrahedron_count);
    return NULL;
  }
  m->tetrahedron_count = (size_t)tetrahedron_count;
  return m;
}

mesh *model_output_add_cells(model_output *output, const char *name, uint64_t vertex_count, uint64_t cell_count,
                             uint64_t face_count, uint64_t corner_count) {
  mesh *m = begin_mesh(output, name, vertex_count, corner_count, "corners of faces");
  if (m == NULL) return NULL;
  m->kind = MESH_POLYHEDRA;
  m->cell_first = allocate_array(cell_count + 1, sizeof *m->cell_first);
  m->face_first = allocate_array(face_count + 1, sizeof *m->face_first);
  m->face_corners = allocate_array(corner_count, sizeof *m->face_corners);
  if (m->cell_first == NULL || m->face_first == NULL || m->face_corners == NULL) {
    say_out_of_memory(output, "cells", 4.0 * (double)(cell_count + face_count + corner_count));
    return NULL;
  }
  m->cell_count = (size_t)cell_count;
  m->face_count = (size_t)face_count;
  return m;
}

mesh *model_output_add_spheres(model_output *output, const char *name, uint64_t sphere_count) {
  mesh *m = begin_mesh(output, name, sphere_count, sphere_count, "spheres");
  if (m == NULL) return NULL;
  m->kind = MESH_SPHERES;
  m->radii = allocate_array(sphere_count, sizeof *m->radii);
  if (m->radii == NULL) {
    say_out_of_memory(output, "radii", 8.0 * (double)sphere_count);
    return NULL;
  }
  return m;
}

void model_output_release(model_output *output) {
  for (size_t i = 0; i < output->mesh_count; ++i) mesh_free(&output->meshes[i]);
  free(output->meshes);
  output->meshes = NULL;
  output->mesh_count = 0;
}

grid_shape grid_shape_fit(double target, double aspect, uint64_t least_rows, uint64_t least_columns) {
  grid_shape shape = {0, 0, false, false};
  const double quads = target / 2.0;
  shape.rows = rounded_count(sqrt(quads / aspect), least_rows);
  shape.columns = rounded_count(quads / (double)shape.rows, least_columns);
  return shape;
}

uint64_t grid_vertex_count(const grid_shape *shape) {
  return (shape->rows + !shape->wrap_rows) * (shape->columns + !shape->wrap_columns);
}

uint64_t grid_vertex(const grid_shape *shape, uint64_t row, uint64_t column) {
  if (shape->wrap_rows && row == shape->rows) row = 0;
  if (shape->wrap_columns && column == shape->columns) column = 0;
  return row * (shape->columns + !shape->wrap_columns) + column;
}

void grid_write_triangles(const grid_shape *shape, mesh *m, size_t first_triangle) {
  size_t triangle = first_triangle;
  for (uint64_t row = 0; row < shape->rows; ++row) {
    for (uint64_t column = 0; column < shape->columns; ++column) {
      const uint64_t a = grid_vertex(shape, row, column), b = grid_vertex(shape, row, column + 1);
      const uint64_t c = grid_vertex(shape, row + 1, column + 1), d = grid_vertex(shape, row + 1, column);
      mesh_set_triangle(m, triangle++, a, b, c);
      mesh_set_triangle(m, triangle++, a, c, d);
    }
  }
}

void mesh_turn(mesh *m, uint64_t seed) {
  if (seed == 0) return;
  random_stream stream = random_stream_make(seed, 77);
  const point3 first = random_direction(&stream);
  point3 third = random_direction(&stream);
  while (fabs(point3_dot(first, third)) > 0.9) third = random_direction(&stream);
  const point3 second = point3_unit(point3_cross(third, first));
  third = point3_cross(first, second);
  for (size_t i = 0; i < m->vertex_count; ++i) {
    const point3 p = mesh_vertex(m, i);
    const point3 sum = point3_add(point3_scale(first, p.x), point3_scale(second, p.y));
    mesh_set_vertex(m, i, point3_add(sum, point3_scale(third, p.z)));
  }
}

void mesh_place(mesh *m, double scale, point3 shift) {
  for (size_t i = 0; i < m->vertex_count; ++i)
    mesh_set_vertex(m, i, point3_add(point3_scale(mesh_vertex(m, i), scale), shift));
}
