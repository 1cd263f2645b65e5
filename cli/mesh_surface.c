/* The surfaces of solids, for pictures.
 *
 * Workload: up to millions of tetrahedra, once per picture. All faces are listed under their lowest corners and sorted,
 * so that equal faces of two elements become adjacent: a face that occurs once is on the boundary. Three corners
 * distinguish the faces of a conforming mesh, because cells are convex: another face with the same three corners lies
 * in the same plane. Faces that do not conform are drawn twice, which is harmless. */
#include "mesh_surface.h"

#include <stdlib.h>
#include <string.h>

enum { KEY_CORNERS = 3, TETRAHEDRON_FACES = 4 };

/* A face of an element: `face` counts through the mesh, four per tetrahedron. */
typedef struct face_entry {
  uint32_t key[KEY_CORNERS]; /* the lowest corners, ascending */
  uint32_t size;
  uint32_t element;
  size_t face;
} face_entry;

typedef struct face_list {
  face_entry *entries;
  size_t count;
} face_list;

/* The corners of a face; those of a tetrahedron are collected in `room`. */
static const uint32_t *corners_of(const mesh *part, size_t face, uint32_t room[3], size_t *count_out) {
  static const uint8_t sides[TETRAHEDRON_FACES][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
  if (part->kind == MESH_POLYHEDRA) {
    *count_out = part->face_first[face + 1] - part->face_first[face];
    return part->face_corners + part->face_first[face];
  }
  const uint32_t *corners = part->tetrahedra + 4 * (face / TETRAHEDRON_FACES);
  for (int k = 0; k < 3; k++) room[k] = corners[sides[face % TETRAHEDRON_FACES][k]];
  *count_out = 3;
  return room;
}

/* Keeps the lowest corners in order, by insertion: faces have few. */
static void add_face(face_list *list, const mesh *part, size_t element, size_t face) {
  uint32_t room[3];
  size_t count;
  const uint32_t *corners = corners_of(part, face, room, &count);
  face_entry *entry = &list->entries[list->count++];
  *entry = (face_entry){
      .key = {UINT32_MAX, UINT32_MAX, UINT32_MAX}, .size = (uint32_t)count, .element = (uint32_t)element, .face = face};
  for (size_t i = 0; i < count; i++) {
    uint32_t corner = corners[i];
    for (int place = 0; place < KEY_CORNERS; place++) {
      if (corner >= entry->key[place]) continue;
      const uint32_t pushed = entry->key[place];
      entry->key[place] = corner;
      corner = pushed;
    }
  }
}

static int compare_numbers(size_t a, size_t b) {
  return (a > b) - (a < b);
}

static int compare_keys(const face_entry *a, const face_entry *b) {
  for (int i = 0; i < KEY_CORNERS; i++) {
    if (a->key[i] != b->key[i]) return compare_numbers(a->key[i], b->key[i]);
  }
  return compare_numbers(a->size, b->size);
}

static int compare_entries(const void *a, const void *b) {
  const face_entry *x = a, *y = b;
  const int order = compare_keys(x, y);
  return order != 0 ? order : compare_numbers(x->face, y->face);
}

static size_t face_count_of(const mesh *part) {
  return part->kind == MESH_POLYHEDRA ? part->face_count : TETRAHEDRON_FACES * part->tetrahedron_count;
}

static bool list_faces(const mesh *part, face_list *list) {
  list->entries = malloc((face_count_of(part) + 1) * sizeof *list->entries);
  if (list->entries == NULL) return false;
  for (size_t i = 0; i < part->tetrahedron_count; i++) {
    for (size_t k = 0; k < TETRAHEDRON_FACES; k++) add_face(list, part, i, TETRAHEDRON_FACES * i + k);
  }
  for (size_t i = 0; i < part->cell_count; i++) {
    for (size_t face = part->cell_first[i]; face < part->cell_first[i + 1]; face++) add_face(list, part, i, face);
  }
  qsort(list->entries, list->count, sizeof *list->entries, compare_entries);
  return true;
}

/* Keeps one entry of every face to draw, with its mark in place of the element. */
static size_t keep_drawn_faces(face_list *list, const uint8_t *marked) {
  size_t kept = 0, triangle_count = 0;
  for (size_t first = 0, end; first < list->count; first = end) {
    bool is_marked = false;
    for (end = first; end < list->count && compare_keys(&list->entries[first], &list->entries[end]) == 0; end++) {
      is_marked = is_marked || marked[list->entries[end].element] != 0;
    }
    if (end - first > 1 && !is_marked) continue;
    list->entries[kept] = list->entries[first];
    list->entries[kept].element = is_marked;
    triangle_count += list->entries[kept].size - 2;
    kept++;
  }
  list->count = kept;
  return triangle_count;
}

static void write_triangles(const mesh *part, const face_list *list, mesh_surface *surface) {
  uint32_t *triangle = surface->drawn.triangles;
  uint8_t *mark = surface->marks;
  for (size_t i = 0; i < list->count; i++) {
    uint32_t room[3];
    size_t count;
    const uint32_t *corners = corners_of(part, list->entries[i].face, room, &count);
    for (size_t k = 2; k < count; k++, triangle += 3) {
      triangle[0] = corners[0];
      triangle[1] = corners[k - 1];
      triangle[2] = corners[k];
      *mark++ = (uint8_t)list->entries[i].element;
    }
  }
}

static bool make_solid(const mesh *part, const uint8_t *marked, mesh_surface *surface) {
  face_list list = {0};
  if (!list_faces(part, &list)) return false;
  const size_t count = keep_drawn_faces(&list, marked);
  surface->drawn.triangles = malloc((3 * count + 1) * sizeof *surface->drawn.triangles);
  surface->owns_triangles = true;
  surface->marks = malloc(count + 1);
  const bool made = surface->drawn.triangles != NULL && surface->marks != NULL;
  if (made) {
    surface->drawn.triangle_count = count;
    write_triangles(part, &list, surface);
  }
  free(list.entries);
  return made;
}

static bool make_polygons(const mesh *part, const uint8_t *marked, mesh_surface *surface) {
  surface->drawn.triangles = part->triangles;
  surface->drawn.triangle_count = part->triangle_count;
  surface->marks = malloc(part->triangle_count + 1);
  if (surface->marks == NULL) return false;
  for (size_t i = 0; i < part->triangle_count; i++) {
    surface->marks[i] = marked[part->triangle_polygon == NULL ? i : part->triangle_polygon[i]];
  }
  return true;
}

static bool make_spheres(const mesh *part, const uint8_t *marked, mesh_surface *surface) {
  surface->drawn.kind = MESH_SPHERES;
  surface->drawn.radii = part->radii;
  surface->marks = malloc(part->vertex_count + 1);
  if (surface->marks == NULL) return false;
  if (part->vertex_count > 0) memcpy(surface->marks, marked, part->vertex_count);
  return true;
}

bool mesh_surface_make(const mesh *part, const uint8_t *marked, mesh_surface *surface_out) {
  *surface_out = (mesh_surface){.drawn = {.positions = part->positions, .vertex_count = part->vertex_count}};
  switch (part->kind) {
  case MESH_POLYGONS:
    return make_polygons(part, marked, surface_out);
  case MESH_SPHERES:
    return make_spheres(part, marked, surface_out);
  case MESH_TETRAHEDRA:
  case MESH_POLYHEDRA:
    break;
  }
  return make_solid(part, marked, surface_out);
}

void mesh_surface_release(mesh_surface *surface) {
  if (surface->owns_triangles) free(surface->drawn.triangles);
  free(surface->marks);
  *surface = (mesh_surface){0};
}
