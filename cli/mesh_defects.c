/* Counts defects of a surface.
 *
 * Workload: up to millions of triangles, once per file. Triangles are keys under their lowest vertex. A vertex has
 * about two, so the keys of each are sorted by insertion. */
#include "mesh_defects.h"

#include "graze/triangle.h"
#include "mesh_io/weld.h"

#include <stdlib.h>
#include <string.h>

enum { FEW_KEYS = 32 };

/* Keys under vertices. */
typedef struct key_list {
  uint32_t *vertices;
  uint64_t *keys;
  size_t count;
} key_list;

static bool key_list_reserve(key_list *list, size_t count) {
  list->vertices = calloc(count + 1, sizeof *list->vertices);
  list->keys = calloc(count + 1, sizeof *list->keys);
  list->count = 0;
  return list->vertices != NULL && list->keys != NULL;
}

static void key_list_release(key_list *list) {
  free(list->vertices);
  free(list->keys);
}

static int compare_keys(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static void sort_keys(uint64_t *keys, size_t count) {
  if (count > FEW_KEYS) {
    qsort(keys, count, sizeof *keys, compare_keys);
    return;
  }
  for (size_t i = 1; i < count; i++) {
    const uint64_t key = keys[i];
    size_t place = i;
    for (; place > 0 && keys[place - 1] > key; place--) keys[place] = keys[place - 1];
    keys[place] = key;
  }
}

/* Counts the keys that occur before under the same vertex. */
static bool count_repeats(const key_list *list, size_t vertex_count, uint64_t *count_out) {
  size_t *end = calloc(vertex_count + 1, sizeof *end);
  uint64_t *sorted = malloc((list->count + 1) * sizeof *sorted);
  const bool reserved = end != NULL && sorted != NULL;
  *count_out = 0;
  if (reserved) {
    for (size_t i = 0; i < list->count; i++) end[list->vertices[i] + 1]++;
    for (size_t i = 0; i < vertex_count; i++) end[i + 1] += end[i];
    for (size_t i = 0; i < list->count; i++) sorted[end[list->vertices[i]]++] = list->keys[i];
    for (size_t i = 0, first = 0; i < vertex_count; first = end[i++]) {
      sort_keys(sorted + first, end[i] - first);
      for (size_t k = first + 1; k < end[i]; k++) *count_out += sorted[k] == sorted[k - 1];
    }
  }
  free(end);
  free(sorted);
  return reserved;
}

static void add_key(key_list *list, uint32_t vertex, uint64_t key) {
  list->vertices[list->count] = vertex;
  list->keys[list->count++] = key;
}

/* The corners of a triangle as merged vertices, ascending. */
static void rising_corners(const mesh *surface, const uint32_t *welded, size_t triangle, uint32_t corners_out[3]) {
  for (size_t k = 0; k < 3; k++) {
    const uint32_t corner = welded[surface->triangles[3 * triangle + k]];
    size_t place = k;
    for (; place > 0 && corners_out[place - 1] > corner; place--) corners_out[place] = corners_out[place - 1];
    corners_out[place] = corner;
  }
}

static bool count_duplicates(const mesh *surface, const uint32_t *welded, mesh_defects *defects) {
  key_list triangles;
  bool counted = key_list_reserve(&triangles, surface->triangle_count);
  for (size_t i = 0; counted && i < surface->triangle_count; i++) {
    uint32_t corners[3];
    rising_corners(surface, welded, i, corners);
    add_key(&triangles, corners[0], (uint64_t)corners[1] << 32 | corners[2]);
  }
  counted = counted && count_repeats(&triangles, surface->vertex_count, &defects->duplicate_triangles);
  key_list_release(&triangles);
  return counted;
}

/* Whether c lies on the closed segment ab, by the exact test of the library with the point and the segment as
 * triangles. */
static bool is_on_segment(const double *a, const double *b, const double *c) {
  for (int axis = 0; axis < 3; axis++) {
    if ((c[axis] < a[axis] && c[axis] < b[axis]) || (c[axis] > a[axis] && c[axis] > b[axis])) return false;
  }
  double segment[9], point[9];
  for (int axis = 0; axis < 3; axis++) {
    segment[axis] = a[axis];
    segment[3 + axis] = segment[6 + axis] = b[axis];
    point[axis] = point[3 + axis] = point[6 + axis] = c[axis];
  }
  return graze_triangles_intersect(segment, point);
}

/* Three points are collinear exactly if one of them lies between the others. */
static bool has_no_area(const mesh *surface, size_t triangle) {
  const uint32_t *corners = surface->triangles + 3 * triangle;
  const double *a = surface->positions + 3 * (size_t)corners[0], *b = surface->positions + 3 * (size_t)corners[1],
               *c = surface->positions + 3 * (size_t)corners[2];
  return is_on_segment(a, b, c) || is_on_segment(b, c, a) || is_on_segment(c, a, b);
}

/* A fan has zero-area triangles at straight corners of a polygon, which are not defects. */
static void count_without_area(const mesh *surface, mesh_defects *defects) {
  for (size_t first = 0, end; first < surface->triangle_count; first = end) {
    bool flat = has_no_area(surface, first);
    for (end = first + 1; surface->triangle_polygon != NULL && end < surface->triangle_count &&
                          surface->triangle_polygon[end] == surface->triangle_polygon[first];
         end++)
      flat = flat && has_no_area(surface, end);
    defects->zero_area_triangles += flat;
  }
}

bool mesh_defects_count(const mesh *surface, mesh_defects *defects_out) {
  *defects_out = (mesh_defects){0};
  uint32_t *welded = malloc((surface->vertex_count + 1) * sizeof *welded);
  const bool counted = welded != NULL && weld_positions(surface->positions, surface->vertex_count, welded) &&
                       count_duplicates(surface, welded, defects_out);
  if (counted) count_without_area(surface, defects_out);
  free(welded);
  return counted;
}
