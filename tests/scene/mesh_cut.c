/* Cuts meshes; see mesh_cut.h. */
#include "mesh_cut.h"
#include "testing.h"

#include "base/number_sequence.h"

#include <stdlib.h>
#include <string.h>

#define NO_VERTEX UINT32_MAX

static void *room(size_t count, size_t bytes) {
  void *memory = calloc(count + 1, bytes);
  assert_non_null(memory);
  return memory;
}

/* The first corner's coordinate. */
static double place_of(const mesh *whole, size_t element, int axis) {
  size_t corner_count;
  const uint32_t *corners = mesh_element_corners(whole, element, &corner_count);
  return whole->positions[3 * (corners != NULL ? corners[0] : element) + (size_t)axis];
}

static void assign(const mesh *whole, size_t part_count, cut_kind kind, uint64_t *seed, uint32_t *part_of) {
  const size_t count = mesh_element_count(whole);
  const int axis = (int)sequence_below(seed, 3);
  double low = 0.0, high = 0.0;
  for (size_t i = 0; i < count; i++) {
    const double place = place_of(whole, i, axis);
    low = i == 0 || place < low ? place : low;
    high = i == 0 || place > high ? place : high;
  }
  for (size_t i = 0; i < count; i++) {
    const double share = high > low ? (place_of(whole, i, axis) - low) / (high - low) * (double)part_count : 0.0;
    const size_t slab = (size_t)share < part_count ? (size_t)share : part_count - 1;
    part_of[i] = kind == CUT_BY_SPACE ? (uint32_t)slab : (uint32_t)sequence_below(seed, part_count);
  }
}

/* The part's number of a vertex, which is added where it is new. */
static uint32_t take_vertex(const mesh *whole, mesh_part *part, uint32_t *own_of, uint32_t vertex) {
  if (own_of[vertex] == NO_VERTEX) {
    const size_t own = part->mesh.vertex_count++;
    own_of[vertex] = (uint32_t)own;
    part->vertices[own] = vertex;
    memcpy(part->mesh.positions + 3 * own, whole->positions + 3 * (size_t)vertex, 3 * sizeof(double));
    if (whole->kind == MESH_SPHERES) part->mesh.radii[own] = whole->radii[vertex];
  }
  return own_of[vertex];
}

static void take_corners(const mesh *whole, mesh_part *part, uint32_t *own_of, const uint32_t *from, size_t count,
                         uint32_t *to) {
  for (size_t i = 0; i < count; i++) to[i] = take_vertex(whole, part, own_of, from[i]);
}

static void take_cell(const mesh *whole, mesh_part *part, uint32_t *own_of, size_t element) {
  mesh *m = &part->mesh;
  for (size_t face = whole->cell_first[element]; face < whole->cell_first[element + 1]; face++) {
    const size_t first = whole->face_first[face], count = whole->face_first[face + 1] - first;
    take_corners(whole, part, own_of, whole->face_corners + first, count,
                 m->face_corners + m->face_first[m->face_count]);
    m->face_first[m->face_count + 1] = m->face_first[m->face_count] + (uint32_t)count;
    m->face_count++;
  }
  m->cell_first[++m->cell_count] = (uint32_t)m->face_count;
}

static void take_polygon(const mesh *whole, mesh_part *part, uint32_t *own_of, size_t element) {
  mesh *m = &part->mesh;
  const size_t first = whole->polygon_first[element], count = whole->polygon_first[element + 1] - first;
  take_corners(whole, part, own_of, whole->corners + first, count, m->corners + m->polygon_first[m->polygon_count]);
  m->polygon_first[m->polygon_count + 1] = m->polygon_first[m->polygon_count] + (uint32_t)count;
  m->polygon_count++;
}

static void take_element(const mesh *whole, mesh_part *part, uint32_t *own_of, size_t element) {
  mesh *m = &part->mesh;
  part->primitives[part->primitive_count++] = (uint32_t)element;
  if (whole->kind == MESH_TETRAHEDRA) {
    take_corners(whole, part, own_of, whole->tetrahedra + 4 * element, 4, m->tetrahedra + 4 * m->tetrahedron_count++);
  } else if (whole->kind == MESH_POLYHEDRA) {
    take_cell(whole, part, own_of, element);
  } else if (whole->kind == MESH_SPHERES) {
    (void)take_vertex(whole, part, own_of, (uint32_t)element);
  } else if (whole->polygon_first != NULL) {
    take_polygon(whole, part, own_of, element);
  } else {
    take_corners(whole, part, own_of, whole->triangles + 3 * element, 3, m->triangles + 3 * m->triangle_count++);
    m->polygon_count = m->triangle_count;
  }
}

/* Contacts of polyhedra are measured in the order of their vertices: parts keep it. Those of other kinds do not. */
static void take_vertices_in_order(const mesh *whole, mesh_part *part, uint32_t *own_of, const uint32_t *part_of,
                                   size_t number) {
  OWNED_MEMORY uint8_t *used = room(whole->vertex_count, 1);
  for (size_t i = 0; i < mesh_element_count(whole); i++) {
    size_t corner_count;
    const uint32_t *corners = mesh_element_corners(whole, i, &corner_count);
    for (size_t k = 0; k < corner_count && part_of[i] == number; k++) used[corners[k]] = 1;
  }
  for (size_t i = 0; i < whole->vertex_count; i++)
    if (used[i] != 0) (void)take_vertex(whole, part, own_of, (uint32_t)i);
}

/* Room for all of the whole. */
static mesh_part empty_part(const mesh *whole) {
  const size_t elements = mesh_element_count(whole);
  mesh_part part = {.mesh = {.kind = whole->kind}};
  part.primitives = room(elements, sizeof(uint32_t));
  part.vertices = room(whole->vertex_count, sizeof(uint32_t));
  part.mesh.positions = room(3 * whole->vertex_count, sizeof(double));
  if (whole->kind == MESH_SPHERES) part.mesh.radii = room(whole->vertex_count, sizeof(double));
  if (whole->kind == MESH_TETRAHEDRA) part.mesh.tetrahedra = room(4 * elements, sizeof(uint32_t));
  if (whole->kind == MESH_POLYGONS && whole->polygon_first == NULL)
    part.mesh.triangles = room(3 * elements, sizeof(uint32_t));
  if (whole->kind == MESH_POLYGONS && whole->polygon_first != NULL) {
    part.mesh.polygon_first = room(elements + 1, sizeof(uint32_t));
    part.mesh.corners = room(whole->polygon_first[elements], sizeof(uint32_t));
  }
  if (whole->kind == MESH_POLYHEDRA) {
    part.mesh.cell_first = room(elements + 1, sizeof(uint32_t));
    part.mesh.face_first = room(whole->face_count + 1, sizeof(uint32_t));
    part.mesh.face_corners = room(whole->face_first[whole->face_count], sizeof(uint32_t));
  }
  return part;
}

mesh_cut mesh_cut_make(const mesh *whole, size_t part_count, cut_kind kind, uint64_t *seed) {
  const size_t count = mesh_element_count(whole);
  OWNED_MEMORY uint32_t *part_of = room(count, sizeof *part_of), *order = room(count, sizeof *order);
  OWNED_MEMORY uint32_t *own_of = room(whole->vertex_count, sizeof *own_of);
  mesh_cut cut = {room(part_count, sizeof(mesh_part)), part_count};
  assign(whole, part_count, kind, seed, part_of);
  for (size_t i = 0; i < count; i++) {
    const size_t place = kind == CUT_BY_CHANCE ? sequence_below(seed, i + 1) : i;
    order[i] = order[place];
    order[place] = (uint32_t)i;
  }
  for (size_t k = 0; k < part_count; k++) {
    memset(own_of, 0xff, whole->vertex_count * sizeof *own_of);
    cut.parts[k] = empty_part(whole);
    if (whole->kind == MESH_POLYHEDRA) take_vertices_in_order(whole, &cut.parts[k], own_of, part_of, k);
    for (size_t i = 0; i < count; i++)
      if (part_of[order[i]] == k) take_element(whole, &cut.parts[k], own_of, order[i]);
  }
  return cut;
}

void mesh_cut_free(mesh_cut *cut) {
  for (size_t k = 0; k < cut->part_count; k++) {
    mesh_free(&cut->parts[k].mesh);
    free(cut->parts[k].primitives);
    free(cut->parts[k].vertices);
  }
  free(cut->parts);
}

graze_object mesh_part_add(graze_scene *scene, const mesh_part *part, graze_object_def def, uint32_t global_object,
                           mesh_precision precision) {
  graze_object object;
  def.global_numbers = true;
  def.global_object = global_object;
  def.global_primitives = (graze_view){part->primitives, part->primitive_count, 0, GRAZE_FORMAT_UINT32};
  def.global_vertices = (graze_view){part->vertices, part->mesh.vertex_count, 0, GRAZE_FORMAT_UINT32};
  assert_ok(mesh_object_add_as(scene, &part->mesh, &def, precision, &object));
  return object;
}

void mesh_part_gather(const mesh_part *part, const double *whole, double *positions_out) {
  for (size_t i = 0; i < part->mesh.vertex_count; i++)
    memcpy(positions_out + 3 * i, whole + 3 * (size_t)part->vertices[i], 3 * sizeof(double));
}
