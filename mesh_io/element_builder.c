/* Collects elements in the arrays of the kind of the file, and counts skipped elements. */
#include "mesh_io/element_builder.h"

#include <assert.h>
#include <string.h>

void element_builder_start(element_builder *builder, const mesh_reading *reading) {
  memset(builder, 0, sizeof *builder);
  mesh_builder_start(&builder->mesh, reading);
}

void element_builder_free(element_builder *builder) {
  const mesh_reading *reading = builder->mesh.reading;
  mesh_builder_free(&builder->mesh);
  element_builder_start(builder, reading);
}

static bool reserve_numbers(element_builder *builder, uint32_t **numbers, size_t *capacity, size_t count, size_t more,
                            size_t numbers_each, const char *what) {
  void *block = *numbers;
  const bool fits =
      mesh_builder_grow(builder->mesh.reading, &block, capacity, count, more, numbers_each * sizeof(uint32_t), what);
  *numbers = block;
  return fits;
}

/* Called for the first volume: surfaces are the boundary of volumes, or irrelevant next to them. */
static void turn_to_volumes(element_builder *builder) {
  for (int i = 0; i < ELEMENT_SHAPES; i++) {
    builder->mesh.elements.skipped[i] += builder->surfaces[i];
    if (element_shape_is_surface((element_shape)i)) builder->mesh.elements.higher_order[i] = 0;
  }
  mesh_builder_drop_polygons(&builder->mesh);
  builder->mesh.m.kind = MESH_TETRAHEDRA;
}

static bool add_tetrahedron(element_builder *builder, const uint32_t *corners) {
  mesh *m = &builder->mesh.m;
  if (!reserve_numbers(builder, &m->tetrahedra, &builder->tetrahedron_capacity, m->tetrahedron_count, 1, 4,
                       "tetrahedra")) {
    return false;
  }
  memcpy(m->tetrahedra + 4 * m->tetrahedron_count++, corners, 4 * sizeof *corners);
  return true;
}

/* Makes space for more cells and faces; both arrays of starts have one extra entry. */
static bool start_cell(element_builder *builder) {
  mesh *m = &builder->mesh.m;
  if (!reserve_numbers(builder, &m->cell_first, &builder->cell_capacity, m->cell_count, 2, 1, "cells")) return false;
  if (m->cell_count == 0) m->cell_first[0] = 0;
  m->cell_first[++m->cell_count] = (uint32_t)m->face_count;
  return true;
}

bool element_builder_add_face(element_builder *builder, const uint32_t *corners, size_t corner_count) {
  assert(corner_count >= 3);
  mesh *m = &builder->mesh.m;
  if (!reserve_numbers(builder, &m->face_first, &builder->face_capacity, m->face_count, 2, 1, "faces") ||
      !reserve_numbers(builder, &m->face_corners, &builder->face_corner_capacity, builder->face_corner_count,
                       corner_count, 1, "corners of faces")) {
    return false;
  }
  memcpy(m->face_corners + builder->face_corner_count, corners, corner_count * sizeof *corners);
  builder->face_corner_count += corner_count;
  if (m->face_count == 0) m->face_first[0] = 0;
  m->face_first[++m->face_count] = (uint32_t)builder->face_corner_count;
  m->cell_first[m->cell_count] = (uint32_t)m->face_count;
  return true;
}

static bool add_cell(element_builder *builder, element_shape shape, const uint32_t *corners) {
  const element_shape_facts *facts = element_shape_about(shape);
  if (!start_cell(builder)) return false;
  for (size_t i = 0; i < facts->face_count; i++) {
    const uint8_t *face = facts->faces[i];
    uint32_t face_corners[4];
    for (size_t j = 0; j < face[0]; j++) face_corners[j] = corners[face[1 + j]];
    if (!element_builder_add_face(builder, face_corners, face[0])) return false;
  }
  return true;
}

/* Called for the first volume that is not a tetrahedron: earlier tetrahedra become cells. */
static bool turn_to_cells(element_builder *builder) {
  mesh *m = &builder->mesh.m;
  if (m->kind == MESH_POLYGONS) turn_to_volumes(builder);
  if (m->kind == MESH_POLYHEDRA) return true;
  for (size_t i = 0; i < m->tetrahedron_count; i++) {
    if (!add_cell(builder, ELEMENT_TETRAHEDRON, m->tetrahedra + 4 * i)) return false;
  }
  mesh_release(&builder->mesh.reading->memory, m->tetrahedra);
  m->tetrahedra = NULL;
  m->tetrahedron_count = builder->tetrahedron_capacity = 0;
  m->kind = MESH_POLYHEDRA;
  return true;
}

bool element_builder_start_polyhedron(element_builder *builder) {
  return turn_to_cells(builder) && start_cell(builder);
}

static bool add_volume(element_builder *builder, element_shape shape, const uint32_t *corners) {
  mesh *m = &builder->mesh.m;
  if (m->kind == MESH_POLYGONS) turn_to_volumes(builder);
  if (shape == ELEMENT_TETRAHEDRON && m->kind == MESH_TETRAHEDRA) return add_tetrahedron(builder, corners);
  return turn_to_cells(builder) && add_cell(builder, shape, corners);
}

void element_builder_skip(element_builder *builder, element_shape shape) {
  builder->mesh.elements.skipped[shape]++;
}

bool element_builder_add(element_builder *builder, element_shape shape, const uint32_t *corners, size_t corner_count) {
  if (element_shape_is_volume(shape)) return add_volume(builder, shape, corners);
  if (!element_shape_is_surface(shape) || builder->mesh.m.kind != MESH_POLYGONS) {
    element_builder_skip(builder, shape);
    return true;
  }
  builder->surfaces[shape]++;
  if (corner_count > 3) return mesh_builder_add_polygon(&builder->mesh, corners, corner_count);
  return mesh_builder_add_triangle(&builder->mesh, corners[0], corners[1], corners[2]);
}

bool element_builder_add_higher_order(element_builder *builder, element_shape shape, const uint32_t *corners) {
  if (!element_builder_add(builder, shape, corners, element_shape_about(shape)->corner_count)) return false;
  const bool surface_is_taken = element_shape_is_surface(shape) && builder->mesh.m.kind == MESH_POLYGONS;
  builder->mesh.elements.higher_order[shape] += element_shape_is_volume(shape) || surface_is_taken;
  return true;
}

/* ---------------------------------------------------------------------------------------------------- end */

/* If shrinking a block fails, it stays as it is. */
static void cut_numbers(const mesh_memory *memory, uint32_t **numbers, size_t count) {
  void *block = *numbers;
  if (block) mesh_resize(memory, &block, count, sizeof **numbers);
  *numbers = block;
}

bool element_builder_finish(element_builder *builder, mesh **meshes_out, size_t *mesh_count_out) {
  const mesh_memory *memory = &builder->mesh.reading->memory;
  mesh *m = &builder->mesh.m;
  cut_numbers(memory, &m->tetrahedra, 4 * m->tetrahedron_count);
  cut_numbers(memory, &m->cell_first, m->cell_count + 1);
  cut_numbers(memory, &m->face_first, m->face_count + 1);
  cut_numbers(memory, &m->face_corners, builder->face_corner_count);
  return mesh_builder_finish(&builder->mesh, meshes_out, mesh_count_out);
}
