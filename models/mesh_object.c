/* Adds meshes to scenes. Files and meshes store where the corners of an element begin, but scenes take their number:
 * the lists of sizes are made here and live for one call. Four bytes per face or cell, none for triangles and
 * tetrahedra. Positions are converted to floats here on request. */
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

/* Converts `count` + 1 starts to `count` sizes; NULL when out of memory. */
static uint32_t *make_sizes(const uint32_t *first, size_t count) {
  uint32_t *sizes = malloc((count + 1) * sizeof *sizes);
  for (size_t i = 0; sizes != NULL && i < count; ++i) sizes[i] = first[i + 1] - first[i];
  return sizes;
}

/* A definition with all views of a mesh, and its additional arrays. */
typedef struct filled_def {
  graze_mesh_def def;
  uint32_t *face_sizes, *cell_sizes;
  float *floats;
} filled_def;

static void release(filled_def *filled) {
  free(filled->face_sizes);
  free(filled->cell_sizes);
  free(filled->floats);
}

static bool fill_polygons(const mesh *part, filled_def *filled) {
  const size_t count = part->polygon_count;
  filled->face_sizes = make_sizes(part->polygon_first, count);
  filled->def.face_sizes = view_numbers(filled->face_sizes, count);
  filled->def.corners = view_numbers(part->corners, part->polygon_first[count]);
  return filled->face_sizes != NULL;
}

static bool fill_polyhedra(const mesh *part, filled_def *filled) {
  const size_t corner_count = part->face_count == 0 ? 0 : part->face_first[part->face_count];
  filled->face_sizes = make_sizes(part->face_first, part->face_count);
  filled->cell_sizes = make_sizes(part->cell_first, part->cell_count);
  filled->def.face_sizes = view_numbers(filled->face_sizes, part->face_count);
  filled->def.cell_sizes = view_numbers(filled->cell_sizes, part->cell_count);
  filled->def.corners = view_numbers(part->face_corners, corner_count);
  return filled->face_sizes != NULL && filled->cell_sizes != NULL;
}

static bool fill_elements(const mesh *part, filled_def *filled) {
  graze_mesh_def *def = &filled->def;
  switch (mesh_object_kind(part)) {
  case GRAZE_KIND_POLYGON:
    return fill_polygons(part, filled);
  case GRAZE_KIND_POLYHEDRON:
    return fill_polyhedra(part, filled);
  case GRAZE_KIND_TETRAHEDRON:
    def->tetrahedra = (graze_view){part->tetrahedra, part->tetrahedron_count, 0, GRAZE_FORMAT_UINT32_4};
    break;
  case GRAZE_KIND_SPHERE:
    def->radii = (graze_view){part->radii, part->vertex_count, 0, GRAZE_FORMAT_DOUBLE};
    break;
  case GRAZE_KIND_TRIANGLE:
    def->triangles = (graze_view){part->triangles, part->triangle_count, 0, GRAZE_FORMAT_UINT32_3};
    break;
  }
  return true;
}

/* False when out of memory; release in either case. */
static bool fill(const mesh *part, const char *name_or_null, mesh_precision precision, filled_def *filled) {
  *filled = (filled_def){.def = graze_mesh_def_default()};
  filled->def.name = name_or_null;
  filled->def.positions =
      (graze_view){.data = part->positions, .count = part->vertex_count, .format = GRAZE_FORMAT_DOUBLE3};
  if (precision == MESH_AS_FLOAT) {
    filled->floats = malloc((3 * part->vertex_count + 1) * sizeof *filled->floats);
    if (filled->floats == NULL) return false;
    for (size_t i = 0; i < 3 * part->vertex_count; ++i) filled->floats[i] = (float)part->positions[i];
    filled->def.positions.data = filled->floats;
    filled->def.positions.format = GRAZE_FORMAT_FLOAT3;
  }
  return fill_elements(part, filled);
}

graze_result mesh_object_add_as(graze_scene *scene, const mesh *part, const graze_object_def *def,
                                mesh_precision precision, graze_object *object_out) {
  filled_def filled;
  graze_result result = GRAZE_OUT_OF_MEMORY;
  if (fill(part, NULL, precision, &filled))
    result = graze_scene_add(scene, mesh_object_kind(part), &filled.def, def, object_out);
  release(&filled);
  return result;
}

graze_result mesh_object_make_shape(const mesh *part, const char *name, graze_shape **shape_out) {
  graze_shape_def shape_def = graze_shape_def_default();
  filled_def filled;
  graze_result result = GRAZE_OUT_OF_MEMORY;
  shape_def.kind = mesh_object_kind(part);
  shape_def.prepare_tree = false;
  if (fill(part, name, MESH_AS_DOUBLE, &filled)) {
    shape_def.mesh = &filled.def;
    result = graze_shape_create(&shape_def, shape_out);
  }
  release(&filled);
  return result;
}

graze_result mesh_object_add(graze_scene *scene, const mesh *part, const char *name, graze_object *object_out) {
  graze_object_def def = graze_object_def_default();
  def.name = name;
  return mesh_object_add_as(scene, part, &def, MESH_AS_DOUBLE, object_out);
}
