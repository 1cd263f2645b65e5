/* Sweeps over boxes sorted by their low x, then applies the exact test of two triangles. The cost is the number of
 * candidates: at most a few million in these tests. */
#include "crossing_search.h"

#include "graze/triangle.h"

#include <stdlib.h>
#include <string.h>

typedef struct swept_triangle {
  double low[3], high[3];
  uint32_t mesh_number, triangle;
} swept_triangle;

static int by_low_x(const void *left, const void *right) {
  const swept_triangle *a = left, *b = right;
  if (a->low[0] != b->low[0]) return a->low[0] < b->low[0] ? -1 : 1;
  if (a->mesh_number != b->mesh_number) return a->mesh_number < b->mesh_number ? -1 : 1;
  return a->triangle < b->triangle ? -1 : a->triangle > b->triangle;
}

static bool share_vertex(const mesh *m, uint32_t a, uint32_t b) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      if (m->triangles[3 * (size_t)a + i] == m->triangles[3 * (size_t)b + j]) return true;
  return false;
}

static void load(const mesh *m, uint32_t triangle, double corners_out[9]) {
  for (int i = 0; i < 3; ++i)
    memcpy(corners_out + 3 * i, m->positions + 3 * (size_t)m->triangles[3 * (size_t)triangle + i], 3 * sizeof(double));
}

static bool boxes_meet(const swept_triangle *a, const swept_triangle *b) {
  return a->low[1] <= b->high[1] && b->low[1] <= a->high[1] && a->low[2] <= b->high[2] && b->low[2] <= a->high[2];
}

static void examine(const mesh *meshes, const swept_triangle *a, const swept_triangle *b, crossing_search *search) {
  const bool is_within = a->mesh_number == b->mesh_number;
  if (is_within && share_vertex(&meshes[a->mesh_number], a->triangle, b->triangle)) return;
  double p[9], q[9];
  load(&meshes[a->mesh_number], a->triangle, p);
  load(&meshes[b->mesh_number], b->triangle, q);
  if (!graze_triangles_intersect(p, q)) return;
  ++*(is_within ? &search->within : &search->between);
  search->marked[a->mesh_number][a->triangle] = 1;
  search->marked[b->mesh_number][b->triangle] = 1;
}

static void gather(const mesh *meshes, size_t mesh_count, swept_triangle *sorted) {
  for (size_t i = 0; i < mesh_count; ++i) {
    for (uint32_t triangle = 0; triangle < meshes[i].triangle_count; ++triangle, ++sorted) {
      double p[9];
      load(&meshes[i], triangle, p);
      for (int axis = 0; axis < 3; ++axis) {
        const double a = p[axis], b = p[3 + axis], c = p[6 + axis];
        const double low = a < b ? a : b, high = a > b ? a : b;
        sorted->low[axis] = low < c ? low : c;
        sorted->high[axis] = high > c ? high : c;
      }
      sorted->mesh_number = (uint32_t)i;
      sorted->triangle = triangle;
    }
  }
}

bool crossing_search_run(const mesh *meshes, size_t mesh_count, crossing_search *search_out) {
  size_t total = 0;
  memset(search_out, 0, sizeof *search_out);
  search_out->marked = calloc(mesh_count + 1, sizeof *search_out->marked);
  if (search_out->marked == NULL) return false;
  for (size_t i = 0; i < mesh_count; ++i) {
    total += meshes[i].triangle_count;
    search_out->marked[i] = calloc(meshes[i].triangle_count + 1, 1);
    if (search_out->marked[i] == NULL) return false;
  }
  swept_triangle *sorted = malloc((total + 1) * sizeof *sorted);
  if (sorted == NULL) return false;
  gather(meshes, mesh_count, sorted);
  qsort(sorted, total, sizeof *sorted, by_low_x);
  for (size_t i = 0; i < total; ++i)
    for (size_t j = i + 1; j < total && sorted[j].low[0] <= sorted[i].high[0]; ++j)
      if (boxes_meet(&sorted[i], &sorted[j])) examine(meshes, &sorted[i], &sorted[j], search_out);
  free(sorted);
  return true;
}

void crossing_search_free(crossing_search *search, size_t mesh_count) {
  for (size_t i = 0; search->marked != NULL && i < mesh_count; ++i) free(search->marked[i]);
  free(search->marked);
  search->marked = NULL;
}
