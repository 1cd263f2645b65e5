/* Meshes into scenes. Files and meshes say where the corners of an element begin, scenes take how many there are: the
 * lists of sizes are made here and live for one call. Four bytes a face or cell, none for triangles and tetrahedra.
 * Floats are made here, too, where they are asked for. */
#include "models/mesh_object.h"

#include <stdlib.h>

graze_kind mesh_object_kind(const mesh *part) {
  switch (part->kind) {
  case MESH_TETRAHEDRA:
    return GRAZE_KIND_TETRAHEDRON;
  case MESH_POLYHEDRA:
    return GRAZE_KIND_POLYHEDRON;
  case MESH_SPHERES:
    return GRAZE_KIND_SPHERE;
  case MESH_POLYGONS:
    break;
  }
  return part->polygon_first == NULL ? GRAZE_KIND_TRIANGLE : GRAZE_KIND_POLYGON;
}

static graze_view view_numbers(const uint32_t *numbers, size_t count) {
  return (graze_view){.data = numbers, .count = count, .format = GRAZE_FORMAT_UINT32};
}

/* From `count` + 1 beginnings to `count` sizes; NULL when memory is out. */
static uint32_t *make_sizes(const uint32_t *first, size_t count) {
  uint32_t *sizes = malloc((count + 1) * sizeof *sizes);
  for (size_t i = 0; sizes != NULL && i < count; ++i) sizes[i] = first[i + 1] - first[i];
  return sizes;
}

static graze_result add_polygons(graze_scene *scene, const mesh *part, graze_mesh_def *def, graze_object *object_out) {
  const size_t count = part->polygon_count;
  uint32_t *sizes = make_sizes(part->polygon_first, count);
  if (sizes == NULL) return GRAZE_OUT_OF_MEMORY;
  def->face_sizes = view_numbers(sizes, count);
  def->corners = view_numbers(part->corners, part->polygon_first[count]);
  const graze_result result = graze_scene_add_polygons(scene, def, object_out);
  free(sizes);
  return result;
}

static graze_result add_polyhedra(graze_scene *scene, const mesh *part, graze_mesh_def *def, graze_object *object_out) {
  uint32_t *face_sizes = make_sizes(part->face_first, part->face_count);
  uint32_t *cell_sizes = make_sizes(part->cell_first, part->cell_count);
  graze_result result = GRAZE_OUT_OF_MEMORY;
  if (face_sizes != NULL && cell_sizes != NULL) {
    const size_t corner_count = part->face_count == 0 ? 0 : part->face_first[part->face_count];
    def->face_sizes = view_numbers(face_sizes, part->face_count);
    def->cell_sizes = view_numbers(cell_sizes, part->cell_count);
    def->corners = view_numbers(part->face_corners, corner_count);
    result = graze_scene_add_polyhedra(scene, def, object_out);
  }
  free(face_sizes);
  free(cell_sizes);
  return result;
}

static graze_result add_elements(graze_scene *scene, const mesh *part, graze_mesh_def *def, graze_object *object_out) {
  switch (mesh_object_kind(part)) {
  case GRAZE_KIND_POLYGON:
    return add_polygons(scene, part, def, object_out);
  case GRAZE_KIND_TETRAHEDRON:
    def->tetrahedra = (graze_view){part->tetrahedra, part->tetrahedron_count, 0, GRAZE_FORMAT_UINT32_4};
    return graze_scene_add_tetrahedra(scene, def, object_out);
  case GRAZE_KIND_POLYHEDRON:
    return add_polyhedra(scene, part, def, object_out);
  case GRAZE_KIND_SPHERE:
    def->radii = (graze_view){part->radii, part->vertex_count, 0, GRAZE_FORMAT_DOUBLE};
    return graze_scene_add_spheres(scene, def, object_out);
  case GRAZE_KIND_TRIANGLE:
    break;
  }
  def->triangles = (graze_view){part->triangles, part->triangle_count, 0, GRAZE_FORMAT_UINT32_3};
  return graze_scene_add_triangles(scene, def, object_out);
}

graze_result mesh_object_add_as(graze_scene *scene, const mesh *part, const graze_mesh_def *def,
                                mesh_precision precision, graze_object *object_out) {
  graze_mesh_def filled = *def;
  float *floats = NULL;
  filled.positions = (graze_view){.data = part->positions, .count = part->vertex_count, .format = GRAZE_FORMAT_DOUBLE3};
  if (precision == MESH_AS_FLOAT) {
    floats = malloc((3 * part->vertex_count + 1) * sizeof *floats);
    if (floats == NULL) return GRAZE_OUT_OF_MEMORY;
    for (size_t i = 0; i < 3 * part->vertex_count; ++i) floats[i] = (float)part->positions[i];
    filled.positions.data = floats;
    filled.positions.format = GRAZE_FORMAT_FLOAT3;
  }
  const graze_result result = add_elements(scene, part, &filled, object_out);
  free(floats);
  return result;
}

graze_result mesh_object_add(graze_scene *scene, const mesh *part, const char *name, graze_object *object_out) {
  graze_mesh_def def = graze_mesh_def_default();
  def.name = name;
  return mesh_object_add_as(scene, part, &def, MESH_AS_DOUBLE, object_out);
}
