/* Connected components by disjoint sets of vertices (Tarjan, "Efficiency of a good but not linear set union algorithm",
 * 1975), with path halving.
 *
 * Workload: an assembly of hundreds of parts in one file, or a soup of a million separate triangles: the map of
 * vertices is made once, and undone by visiting only the used entries. */
#include "mesh_components.h"

#include "mesh_io/weld.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t unused = UINT32_MAX;

typedef struct splitter {
  const mesh *whole;
  uint32_t *parent;   /* the set of each vertex; the first vertex at a place represents all there */
  uint32_t *welded;   /* the first vertex at the same place */
  uint32_t *elements; /* component by component, ascending in each */
  size_t *first;      /* the first of each component, and the end */
  size_t part_count;
  uint32_t *number;   /* new number of each vertex in the current part, or `unused` */
  uint32_t *vertices; /* vertices of the current part, in order of use */
} splitter;

static uint32_t find_root(uint32_t *parent, uint32_t vertex) {
  while (parent[vertex] != vertex) vertex = parent[vertex] = parent[parent[vertex]];
  return vertex;
}

/* The lower root represents both, so that sets and their order do not depend on the order of elements. */
static void unite(splitter *s, uint32_t a, uint32_t b) {
  const uint32_t x = find_root(s->parent, s->welded[a]), y = find_root(s->parent, s->welded[b]);
  if (x < y)
    s->parent[y] = x;
  else
    s->parent[x] = y;
}

static uint32_t root_of(splitter *s, size_t element) {
  size_t count;
  return find_root(s->parent, s->welded[mesh_element_corners(s->whole, element, &count)[0]]);
}

static bool splitter_make(splitter *s, const mesh *whole) {
  const size_t vertices = whole->vertex_count + 1, elements = mesh_element_count(whole) + 1;
  *s = (splitter){.whole = whole,
                  .parent = malloc(vertices * sizeof *s->parent),
                  .welded = malloc(vertices * sizeof *s->welded),
                  .elements = malloc(elements * sizeof *s->elements),
                  .first = calloc(elements + 1, sizeof *s->first),
                  .number = malloc(vertices * sizeof *s->number),
                  .vertices = malloc(vertices * sizeof *s->vertices)};
  if (s->parent == NULL || s->welded == NULL || s->elements == NULL || s->first == NULL || s->number == NULL ||
      s->vertices == NULL)
    return false;
  for (size_t i = 0; i < whole->vertex_count; i++) {
    s->parent[i] = (uint32_t)i;
    s->number[i] = unused;
  }
  return weld_positions(whole->positions, whole->vertex_count, s->welded);
}

static void splitter_release(splitter *s) {
  free(s->parent);
  free(s->welded);
  free(s->elements);
  free(s->first);
  free(s->number);
  free(s->vertices);
}

/* Numbers the components by their first elements and sorts the elements by component. `number` maps roots to
 * components. */
static void sort_elements(splitter *s) {
  const size_t count = mesh_element_count(s->whole);
  for (size_t i = 0; i < count; i++) {
    size_t corner_count;
    const uint32_t *corners = mesh_element_corners(s->whole, i, &corner_count);
    for (size_t k = 1; k < corner_count; k++) unite(s, corners[0], corners[k]);
  }
  for (size_t i = 0; i < count; i++) {
    uint32_t *part = &s->number[root_of(s, i)];
    if (*part == unused) *part = (uint32_t)s->part_count++;
    s->first[*part + 1]++;
  }
  for (size_t i = 0; i < s->part_count; i++) s->first[i + 1] += s->first[i];
  for (size_t i = 0; i < count; i++) s->elements[s->first[s->number[root_of(s, i)]]++] = (uint32_t)i;
  for (size_t i = s->part_count; i > 0; i--) s->first[i] = s->first[i - 1];
  s->first[0] = 0;
  for (size_t i = 0; i < s->whole->vertex_count; i++) s->number[i] = unused;
}

/* ---------------------------------------------------------------------------------------------- parts */

static bool make_numbers(uint32_t **numbers_out, size_t count) {
  return (*numbers_out = malloc((count + 1) * sizeof **numbers_out)) != NULL;
}

/* Numbers the vertices of the elements in order of use. */
static size_t number_vertices(splitter *s, const uint32_t *elements, size_t count) {
  size_t used = 0;
  for (size_t i = 0; i < count; i++) {
    size_t corner_count;
    const uint32_t *corners = mesh_element_corners(s->whole, elements[i], &corner_count);
    for (size_t k = 0; k < corner_count; k++) {
      if (s->number[corners[k]] != unused) continue;
      s->number[corners[k]] = (uint32_t)used;
      s->vertices[used++] = corners[k];
    }
  }
  return used;
}

static bool copy_positions(const splitter *s, mesh *part) {
  part->positions = malloc((3 * part->vertex_count + 1) * sizeof *part->positions);
  for (size_t i = 0; part->positions != NULL && i < part->vertex_count; i++)
    memcpy(part->positions + 3 * i, s->whole->positions + 3 * (size_t)s->vertices[i], 3 * sizeof(double));
  return part->positions != NULL;
}

static uint32_t *copy_corners(const splitter *s, const uint32_t *corners, size_t count, uint32_t *to) {
  for (size_t k = 0; k < count; k++) to[k] = s->number[corners[k]];
  return to + count;
}

/* Polygon arrays are omitted if all polygons of the part are triangles. */
static bool copy_polygons(const splitter *s, const uint32_t *elements, mesh *part) {
  size_t corner_total = 0, corner_count;
  for (size_t i = 0; i < part->polygon_count; i++) {
    (void)mesh_element_corners(s->whole, elements[i], &corner_count);
    corner_total += corner_count;
  }
  part->triangle_count = corner_total - 2 * part->polygon_count;
  const bool mixed = part->triangle_count != part->polygon_count;
  if (!make_numbers(&part->triangles, 3 * part->triangle_count)) return false;
  if (mixed &&
      (!make_numbers(&part->polygon_first, part->polygon_count + 1) || !make_numbers(&part->corners, corner_total) ||
       !make_numbers(&part->triangle_polygon, part->triangle_count)))
    return false;
  uint32_t *corner = part->corners, *triangle = part->triangles;
  for (size_t i = 0, next = 0; i < part->polygon_count; i++) {
    const size_t element = elements[i];
    const uint32_t *corners = mesh_element_corners(s->whole, element, &corner_count);
    const size_t from = s->whole->polygon_first == NULL ? element : s->whole->polygon_first[element] - 2 * element;
    triangle = copy_corners(s, s->whole->triangles + 3 * from, 3 * (corner_count - 2), triangle);
    if (!mixed) continue;
    part->polygon_first[i] = (uint32_t)(corner - part->corners);
    corner = copy_corners(s, corners, corner_count, corner);
    for (size_t k = 2; k < corner_count; k++) part->triangle_polygon[next++] = (uint32_t)i;
  }
  if (mixed) part->polygon_first[part->polygon_count] = (uint32_t)corner_total;
  return true;
}

static bool copy_tetrahedra(const splitter *s, const uint32_t *elements, mesh *part) {
  if (!make_numbers(&part->tetrahedra, 4 * part->tetrahedron_count)) return false;
  uint32_t *to = part->tetrahedra;
  for (size_t i = 0; i < part->tetrahedron_count; i++)
    to = copy_corners(s, s->whole->tetrahedra + 4 * (size_t)elements[i], 4, to);
  return true;
}

static bool copy_cells(const splitter *s, const uint32_t *elements, mesh *part) {
  const mesh *whole = s->whole;
  size_t corner_total = 0, corner_count;
  for (size_t i = 0; i < part->cell_count; i++) {
    (void)mesh_element_corners(whole, elements[i], &corner_count);
    corner_total += corner_count;
    part->face_count += whole->cell_first[elements[i] + 1] - whole->cell_first[elements[i]];
  }
  if (!make_numbers(&part->cell_first, part->cell_count + 1) ||
      !make_numbers(&part->face_first, part->face_count + 1) || !make_numbers(&part->face_corners, corner_total))
    return false;
  uint32_t *to = part->face_corners, next = 0;
  for (size_t i = 0; i < part->cell_count; i++) {
    part->cell_first[i] = next;
    for (uint32_t face = whole->cell_first[elements[i]]; face < whole->cell_first[elements[i] + 1]; face++) {
      part->face_first[next++] = (uint32_t)(to - part->face_corners);
      to = copy_corners(s, whole->face_corners + whole->face_first[face],
                        whole->face_first[face + 1] - whole->face_first[face], to);
    }
  }
  part->cell_first[part->cell_count] = next;
  part->face_first[part->face_count] = (uint32_t)corner_total;
  return true;
}

static bool copy_elements(const splitter *s, const uint32_t *elements, size_t count, mesh *part) {
  switch (part->kind) {
  case MESH_POLYGONS:
    part->polygon_count = count;
    return copy_polygons(s, elements, part);
  case MESH_TETRAHEDRA:
    part->tetrahedron_count = count;
    return copy_tetrahedra(s, elements, part);
  case MESH_POLYHEDRA:
    part->cell_count = count;
    return copy_cells(s, elements, part);
  case MESH_SPHERES:
    break;
  }
  return false;
}

static bool name_part(const char *name, size_t number, mesh *part) {
  const size_t bytes = strlen(name) + 24;
  part->name = malloc(bytes);
  if (part->name != NULL) snprintf(part->name, bytes, "%s#%zu", name, number);
  return part->name != NULL;
}

static bool make_part(splitter *s, const char *name, size_t number, mesh *part) {
  const uint32_t *elements = s->elements + s->first[number];
  const size_t count = s->first[number + 1] - s->first[number];
  part->kind = s->whole->kind;
  part->skipped = s->whole->skipped;
  part->unknown_lines = s->whole->unknown_lines;
  part->vertex_count = number_vertices(s, elements, count);
  const bool made = copy_positions(s, part) && copy_elements(s, elements, count, part) && name_part(name, number, part);
  for (size_t i = 0; i < part->vertex_count; i++) s->number[s->vertices[i]] = unused;
  return made;
}

bool mesh_components_make(const mesh *whole, const char *name, mesh **parts_out, size_t *part_count_out) {
  splitter s;
  mesh *parts = NULL;
  bool made = splitter_make(&s, whole);
  if (made) {
    sort_elements(&s);
    parts = calloc(s.part_count + 1, sizeof *parts);
    made = parts != NULL;
  }
  for (size_t i = 0; made && i < s.part_count; i++) made = make_part(&s, name, i, &parts[i]);
  if (!made && parts != NULL) mesh_list_free(parts, s.part_count);
  splitter_release(&s);
  *parts_out = made ? parts : NULL;
  *part_count_out = made ? s.part_count : 0;
  return made;
}
