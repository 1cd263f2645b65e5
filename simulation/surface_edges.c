/* Finds edges by sorting: there are no equal ones, so the result does not depend on the sort. */
#include "surface_edges.h"

#include <stdlib.h>

typedef struct half_edge {
  uint32_t a, b, triangle, side, opposite;
} half_edge;

static int by_ends(const void *left, const void *right) {
  const half_edge *a = left, *b = right;
  if (a->a != b->a) return a->a < b->a ? -1 : 1;
  if (a->b != b->b) return a->b < b->b ? -1 : 1;
  if (a->triangle != b->triangle) return a->triangle < b->triangle ? -1 : 1;
  return (a->side > b->side) - (a->side < b->side);
}

static void fill_halves(const uint32_t *triangles, size_t triangle_count, half_edge *halves) {
  for (size_t i = 0; i < 3 * triangle_count; ++i) {
    const uint32_t *corners = triangles + 3 * (i / 3);
    const uint32_t a = corners[i % 3], b = corners[(i + 1) % 3];
    halves[i] = (half_edge){a < b ? a : b, a < b ? b : a, (uint32_t)(i / 3), (uint32_t)(i % 3), corners[(i + 2) % 3]};
  }
}

bool surface_edges_make(const uint32_t *triangles, size_t triangle_count, surface_edge **edges_out, size_t *count_out) {
  half_edge *halves = malloc((3 * triangle_count + 1) * sizeof *halves);
  surface_edge *edges = malloc((3 * triangle_count + 1) * sizeof *edges);
  if (halves == NULL || edges == NULL) {
    free(halves);
    free(edges);
    return false;
  }
  fill_halves(triangles, triangle_count, halves);
  if (triangle_count > 0) qsort(halves, 3 * triangle_count, sizeof *halves, by_ends);
  size_t count = 0;
  for (size_t i = 0; i < 3 * triangle_count; ++i) {
    const half_edge *half = &halves[i];
    if (count > 0 && edges[count - 1].a == half->a && edges[count - 1].b == half->b) {
      if (edges[count - 1].opposite[1] == SURFACE_EDGE_NONE) edges[count - 1].opposite[1] = half->opposite;
      continue;
    }
    edges[count++] = (surface_edge){half->a, half->b, half->triangle, half->side, {half->opposite, SURFACE_EDGE_NONE}};
  }
  free(halves);
  *edges_out = edges;
  *count_out = count;
  return true;
}
