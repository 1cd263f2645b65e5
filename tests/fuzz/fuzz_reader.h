/* Common part of the fuzz targets of the readers: arbitrary bytes must give valid meshes, or a message. */
#ifndef GRAZE_FUZZ_READER_H
#define GRAZE_FUZZ_READER_H

#include "mesh_io/mesh_reading.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Ends the process, which is how a fuzz target reports. */
static inline void fuzz_require(bool holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "broken promise: %s\n", what);
  abort();
}

static inline bool fuzz_is_corner(const mesh *m, size_t polygon, uint32_t vertex) {
  for (uint32_t i = m->polygon_first[polygon]; i < m->polygon_first[polygon + 1]; i++)
    if (m->corners[i] == vertex) return true;
  return false;
}

static inline void fuzz_check_polygons(const mesh *m) {
  fuzz_require(m->corners && m->triangle_polygon, "polygon arrays come together");
  fuzz_require(m->polygon_first[0] == 0, "polygons begin at 0");
  size_t triangle = 0;
  for (size_t i = 0; i < m->polygon_count; i++) {
    const uint32_t first = m->polygon_first[i];
    fuzz_require(m->polygon_first[i + 1] >= first + 3, "polygons have at least 3 corners");
    for (uint32_t j = first + 2; j < m->polygon_first[i + 1]; j++, triangle++) {
      const uint32_t *corners = m->triangles + 3 * triangle;
      fuzz_require(triangle < m->triangle_count && m->triangle_polygon[triangle] == i, "triangles know their polygon");
      for (int k = 0; k < 3; k++)
        fuzz_require(m->polygon_first[i + 1] - first > 64 || fuzz_is_corner(m, i, corners[k]),
                     "triangles have the corners of their polygon");
    }
  }
  fuzz_require(triangle == m->triangle_count, "all triangles come from polygons");
}

static inline void fuzz_check_numbers(const mesh *m, const uint32_t *numbers, size_t count) {
  for (size_t i = 0; i < count; i++) fuzz_require(numbers[i] < m->vertex_count, "indices are in range");
}

static inline void fuzz_check_cells(const mesh *m) {
  fuzz_require(m->cell_count > 0 && m->cell_first[0] == 0 && m->face_first[0] == 0, "cells and faces begin at 0");
  for (size_t i = 0; i < m->cell_count; i++) {
    fuzz_require(m->cell_first[i + 1] > m->cell_first[i], "cells have faces");
  }
  fuzz_require(m->cell_first[m->cell_count] == m->face_count, "all faces are in cells");
  for (size_t i = 0; i < m->face_count; i++) {
    fuzz_require(m->face_first[i + 1] >= m->face_first[i] + 3, "faces have at least 3 corners");
  }
  fuzz_check_numbers(m, m->face_corners, m->face_first[m->face_count]);
}

/* The arrays of the other kinds are empty. */
static inline void fuzz_check_kind(const mesh *m) {
  fuzz_require(m->kind == MESH_POLYGONS || (m->polygon_count == 0 && m->triangle_count == 0 && !m->triangles),
               "polygons alone have triangles");
  fuzz_require((m->kind == MESH_TETRAHEDRA) == (m->tetrahedron_count > 0), "tetrahedra have tetrahedra");
  fuzz_require((m->kind == MESH_TETRAHEDRA) == (m->tetrahedra != NULL), "tetrahedra have their array");
  fuzz_require((m->kind == MESH_POLYHEDRA) == (m->cell_first != NULL), "polyhedra have their array");
  fuzz_check_numbers(m, m->tetrahedra, 4 * m->tetrahedron_count);
  if (m->kind == MESH_POLYHEDRA) fuzz_check_cells(m);
  fuzz_require((m->kind == MESH_SPHERES && m->vertex_count > 0) == (m->radii != NULL), "spheres have their array");
  for (size_t i = 0; m->radii && i < m->vertex_count; i++) fuzz_require(mesh_is_radius(m->radii[i]), "radii are good");
  fuzz_require(!m->note || m->note[0] != '\0', "a note says something");
}

static inline void fuzz_check_mesh(const mesh *m) {
  fuzz_require(m->name != NULL, "meshes have names");
  for (size_t i = 0; i < 3 * m->vertex_count; i++) fuzz_require(isfinite(m->positions[i]), "positions are finite");
  fuzz_check_numbers(m, m->triangles, 3 * m->triangle_count);
  fuzz_check_kind(m);
  if (m->polygon_first) {
    fuzz_check_polygons(m);
  } else {
    fuzz_require(m->polygon_count == m->triangle_count && !m->corners && !m->triangle_polygon, "triangles alone");
  }
}

static inline size_t fuzz_read_once(mesh_reader *reader, const uint8_t *bytes, size_t size, bool separate) {
  char error[160] = "";
  char *copy = calloc(1, size + MESH_PADDING_BYTES);
  if (!copy) return 0;
  if (size > 0) memcpy(copy, bytes, size);
  const mesh_reading reading = {.bytes = copy,
                                .size = size,
                                .file_name = "fuzz",
                                .separate = separate,
                                .element_limit = MESH_ELEMENTS_MAX,
                                .memory = mesh_memory_or_default((mesh_memory){0}),
                                .error = error,
                                .error_bytes = sizeof error};
  mesh *meshes = NULL;
  size_t mesh_count = 0, element_count = 0;
  const bool done = reader(&reading, &meshes, &mesh_count);
  free(copy);
  fuzz_require(done == (mesh_count > 0), "meshes or a failure");
  fuzz_require(done == (error[0] == '\0'), "a message exactly when it fails");
  for (size_t i = 0; i < mesh_count; i++) {
    fuzz_check_mesh(&meshes[i]);
    element_count += meshes[i].triangle_count + meshes[i].tetrahedron_count + meshes[i].face_count;
    element_count += meshes[i].kind == MESH_SPHERES ? meshes[i].vertex_count : 0;
  }
  mesh_list_free(meshes, mesh_count);
  return done ? element_count + 1 : 0;
}

/* Reading one mesh and separate meshes gives the same elements, or the same failure. */
static inline void fuzz_read(mesh_reader *reader, const uint8_t *bytes, size_t size) {
  const size_t together = fuzz_read_once(reader, bytes, size, false);
  const size_t apart = fuzz_read_once(reader, bytes, size, true);
  fuzz_require(together == apart, "splitting loses nothing");
}

#endif
