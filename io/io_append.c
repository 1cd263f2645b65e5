/* Adds arrays of the caller as a mesh to the list: checked, copied, and built by the builders of the file readers. */
#include "base/error_text.h"
#include "base/float_environment.h"
#include "base/view.h"
#include "io/io_meshes.h"

#include "mesh_io/element_builder.h"

#include <math.h>
#include <string.h>

enum { FACE_CORNERS_LEAST = 3, CELL_FACES_LEAST = 4 };

/* One call of graze_io_append. */
typedef struct appending {
  const graze_mesh_def *def;
  element_builder builder;
  mesh_memory memory;
  uint32_t *corners; /* of all faces; owned */
} appending;

static graze_result fail_memory(void) {
  return fail(GRAZE_OUT_OF_MEMORY, "out of memory for a mesh");
}

static graze_result read_position(const graze_view *positions, size_t vertex, double position_out[3]) {
  view_read_place(view_at(positions, vertex), positions->format == GRAZE_FORMAT_DOUBLE3, position_out);
  for (int axis = 0; axis < 3; axis++)
    if (!isfinite(position_out[axis]))
      return fail(GRAZE_NOT_FINITE, "coordinate %c of vertex %zu is not finite", 'x' + axis, vertex);
  return GRAZE_OK;
}

static graze_result add_vertices(appending *a) {
  const graze_view *positions = &a->def->positions;
  graze_result result = view_check(positions, GRAZE_FORMAT_DOUBLE3, "positions");
  for (size_t i = 0; result == GRAZE_OK && i < positions->count; i++) {
    double p[3];
    result = read_position(positions, i, p);
    if (result == GRAZE_OK && !mesh_builder_add_vertex(&a->builder.mesh, p[0], p[1], p[2])) return fail_memory();
  }
  return result;
}

static graze_result add_spheres(appending *a) {
  const graze_view *positions = &a->def->positions, *radii = &a->def->radii;
  graze_result result = view_check(positions, GRAZE_FORMAT_DOUBLE3, "positions");
  if (result == GRAZE_OK) result = view_check(radii, GRAZE_FORMAT_DOUBLE, "radii");
  if (result != GRAZE_OK) return result;
  if (radii->count != positions->count)
    return fail(GRAZE_INVALID_ARGUMENT, "there are %zu radii for %zu positions", radii->count, positions->count);
  a->builder.mesh.m.kind = MESH_SPHERES;
  for (size_t i = 0; i < positions->count; i++) {
    double center[3];
    const double radius = view_read_number(radii, i);
    result = read_position(positions, i, center);
    if (result != GRAZE_OK) return result;
    if (!mesh_is_radius(radius)) return fail(GRAZE_NOT_FINITE, "the radius of sphere %zu is negative or not finite", i);
    if (!mesh_builder_add_sphere(&a->builder.mesh, center, radius)) return fail_memory();
  }
  return GRAZE_OK;
}

static graze_result check_corner(const appending *a, const graze_view *view, size_t element, size_t component,
                                 uint32_t corner) {
  const size_t count = a->builder.mesh.m.vertex_count;
  if (corner < count) return GRAZE_OK;
  return fail(GRAZE_INDEX_OUT_OF_RANGE, "element %zu has corner %s, but there are %zu vertices", element,
              view_index_text(view, element, component).text, count);
}

/* Triangles or tetrahedra. */
static graze_result add_simplices(appending *a, const graze_view *view, graze_format format, size_t corner_count) {
  const bool solid = format == GRAZE_FORMAT_UINT32_4;
  graze_result result = view_check(view, format, solid ? "tetrahedra" : "triangles");
  if (solid) a->builder.mesh.m.kind = MESH_TETRAHEDRA;
  for (size_t i = 0; result == GRAZE_OK && i < view->count; i++) {
    uint32_t corners[4];
    view_read_indices(view, i, i + 1, corners);
    for (size_t j = 0; result == GRAZE_OK && j < corner_count; j++) result = check_corner(a, view, i, j, corners[j]);
    if (result != GRAZE_OK) return result;
    const bool added = solid ? element_builder_add(&a->builder, ELEMENT_TETRAHEDRON, corners, corner_count)
                             : mesh_builder_add_polygon(&a->builder.mesh, corners, corner_count);
    if (!added) return fail_memory();
  }
  return result;
}

/* ------------------------------------------------------------------------------------------------ faces and cells */

/* The number of parts of each of several elements, by sizes or starts: corners of faces, or faces of cells. */
typedef struct part_counts {
  const graze_view *view;
  bool starts;
  const char *words;
  size_t count; /* of the elements */
} part_counts;

static graze_result part_counts_start(part_counts *parts, const graze_view *sizes, const graze_view *starts,
                                      const char *words) {
  if (sizes->count > 0 && starts->count > 0)
    return fail(GRAZE_INVALID_ARGUMENT, "%s have both sizes and starts", words);
  const bool by_starts = starts->count > 0;
  *parts = (part_counts){.view = by_starts ? starts : sizes, .starts = by_starts, .words = words};
  parts->count = parts->view->count - (by_starts ? 1 : 0);
  return view_check(parts->view, GRAZE_FORMAT_UINT32, words);
}

/* Returns the number of parts of an element, which begin at `first`; at least `least`, and none beyond `end`. */
static graze_result part_counts_get(const part_counts *parts, size_t element, size_t first, size_t least, size_t end,
                                    size_t *count_out) {
  uint32_t numbers[2] = {(uint32_t)first, 0};
  view_read_indices(parts->view, element, element + (parts->starts ? 2 : 1), parts->starts ? numbers : numbers + 1);
  if (parts->starts && numbers[0] != first)
    return fail(GRAZE_INVALID_ARGUMENT, "start %zu of %s is %u, but the previous one ends at %zu", element,
                parts->words, numbers[0], first);
  const int64_t count = parts->starts ? (int64_t)numbers[1] - numbers[0] : numbers[1];
  if (count < (int64_t)least || (uint64_t)count > end - first)
    return fail(GRAZE_INVALID_ARGUMENT, "number %zu of %s has %lld parts; it must have at least %zu and at most %zu",
                element, parts->words, (long long)count, least, end - first);
  *count_out = (size_t)count;
  return GRAZE_OK;
}

static graze_result copy_corners(appending *a) {
  const graze_view *view = &a->def->corners;
  void *block = NULL;
  graze_result result = view_check(view, GRAZE_FORMAT_UINT32, "corners");
  if (result != GRAZE_OK || view->count == 0) return result;
  if (!mesh_resize(&a->memory, &block, view->count, sizeof *a->corners)) return fail_memory();
  a->corners = block;
  view_read_indices(view, 0, view->count, a->corners);
  for (size_t i = 0; result == GRAZE_OK && i < view->count; i++) result = check_corner(a, view, i, 0, a->corners[i]);
  return result;
}

/* Adds the faces of polygons, or of one cell after the other if there are cells. */
static graze_result add_faces(appending *a, const part_counts *cells_or_null) {
  part_counts faces = {.view = NULL};
  const graze_mesh_def *def = a->def;
  graze_result result = part_counts_start(&faces, &def->face_sizes, &def->face_starts, "faces");
  if (result == GRAZE_OK) result = copy_corners(a);
  size_t corner = 0, cell = 0, cell_end = 0;
  for (size_t face = 0; result == GRAZE_OK && face < faces.count; face++) {
    size_t corner_count = 0, face_count = 0;
    if (cells_or_null != NULL && face == cell_end) {
      if (cell == cells_or_null->count) return fail(GRAZE_INVALID_ARGUMENT, "face %zu belongs to no cell", face);
      result = part_counts_get(cells_or_null, cell++, face, CELL_FACES_LEAST, faces.count, &face_count);
      if (result != GRAZE_OK) return result;
      cell_end += face_count;
      if (!element_builder_start_polyhedron(&a->builder)) return fail_memory();
    }
    result = part_counts_get(&faces, face, corner, FACE_CORNERS_LEAST, def->corners.count, &corner_count);
    if (result != GRAZE_OK) return result;
    const uint32_t *corners = a->corners + corner;
    const bool added = cells_or_null == NULL ? mesh_builder_add_polygon(&a->builder.mesh, corners, corner_count)
                                             : element_builder_add_face(&a->builder, corners, corner_count);
    if (!added) return fail_memory();
    corner += corner_count;
  }
  if (result != GRAZE_OK) return result;
  if (corner != def->corners.count)
    return fail(GRAZE_INVALID_ARGUMENT, "the faces use %zu of %zu corners", corner, def->corners.count);
  if (cells_or_null != NULL && cell != cells_or_null->count)
    return fail(GRAZE_INVALID_ARGUMENT, "the faces belong to %zu of %zu cells", cell, cells_or_null->count);
  return GRAZE_OK;
}

static graze_result add_cells(appending *a) {
  part_counts cells = {.view = NULL};
  a->builder.mesh.m.kind = MESH_POLYHEDRA;
  const graze_result result = part_counts_start(&cells, &a->def->cell_sizes, &a->def->cell_starts, "cells");
  return result == GRAZE_OK ? add_faces(a, &cells) : result;
}

static graze_result add_elements(appending *a, graze_kind kind) {
  if (kind == GRAZE_KIND_SPHERE) return add_spheres(a);
  const graze_result result = add_vertices(a);
  if (result != GRAZE_OK) return result;
  switch (kind) {
  case GRAZE_KIND_TRIANGLE:
    return add_simplices(a, &a->def->triangles, GRAZE_FORMAT_UINT32_3, 3);
  case GRAZE_KIND_TETRAHEDRON:
    return add_simplices(a, &a->def->tetrahedra, GRAZE_FORMAT_UINT32_4, 4);
  case GRAZE_KIND_POLYGON:
    return add_faces(a, NULL);
  case GRAZE_KIND_POLYHEDRON:
    return add_cells(a);
  case GRAZE_KIND_SPHERE:
    break;
  }
  return fail(GRAZE_INVALID_ARGUMENT, "unknown kind %d", (int)kind);
}

/* ------------------------------------------------------------------------------------------------ the list */

static graze_result reserve(graze_io_meshes *list, const mesh_memory *memory) {
  if (list->count < list->capacity) return GRAZE_OK;
  const size_t capacity = list->capacity == 0 ? 4 : 2 * list->capacity;
  void *block = list->meshes;
  if (!mesh_resize(memory, &block, capacity, sizeof *list->meshes)) return fail_memory();
  list->meshes = block;
  list->capacity = capacity;
  return GRAZE_OK;
}

static graze_result copy_name(const mesh_memory *memory, const char *name_or_null, char **copy_out) {
  const char *name = name_or_null == NULL ? "" : name_or_null;
  void *block = NULL;
  if (!mesh_resize(memory, &block, strlen(name) + 1, 1)) return fail_memory();
  *copy_out = strcpy(block, name);
  return GRAZE_OK;
}

/* Hands over the built mesh to the list. The builder is then empty. */
static graze_result finish(appending *a, graze_io_meshes *list, char *name) {
  mesh *built = NULL;
  size_t count = 0;
  if (!element_builder_finish(&a->builder, &built, &count)) return fail_memory();
  mesh_release(&a->memory, built->name);
  built->name = name;
  list->meshes[list->count++] = *built;
  mesh_release(&a->memory, built);
  return GRAZE_OK;
}

static graze_result append(graze_io_meshes *list, graze_kind kind, const graze_mesh_def *def) {
  char error[ERROR_TEXT_BYTES];
  char *name = NULL;
  const mesh_memory memory = io_memory_hook(&list->memory);
  const mesh_reading place = {.file_name = "mesh",
                              .element_limit = MESH_ELEMENTS_MAX,
                              .memory = memory,
                              .error = error,
                              .error_bytes = sizeof error};
  appending a = {.def = def, .memory = memory};
  element_builder_start(&a.builder, &place);
  graze_result result = add_elements(&a, kind);
  if (result == GRAZE_OK) result = reserve(list, &memory);
  if (result == GRAZE_OK) result = copy_name(&memory, def->name, &name);
  if (result == GRAZE_OK)
    result = finish(&a, list, name);
  else
    element_builder_free(&a.builder);
  if (result != GRAZE_OK) mesh_release(&memory, name);
  mesh_release(&memory, a.corners);
  return result;
}

graze_result graze_io_append(graze_io_meshes *meshes, graze_kind kind, const graze_mesh_def *def) {
  graze_mesh_def given;
  if (meshes == NULL) return fail(GRAZE_INVALID_ARGUMENT, "the list of meshes is NULL");
  const graze_result result = definition_read(&io_mesh_def_definition, def, false, &given);
  if (result != GRAZE_OK) return result;
  const float_environment host = float_environment_enter();
  const graze_result appended = append(meshes, kind, &given);
  float_environment_leave(&host);
  return appended;
}
