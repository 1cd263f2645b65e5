/* Finds pairs from the definition; see soup_reference.h. */
#include "soup_reference.h"

#include <math.h>
#include <string.h>

typedef struct shared_vertices {
  uint32_t count, a[9], b[9];
} shared_vertices;

static shared_vertices find_shared(const uint32_t *a, const uint32_t *b) {
  shared_vertices shared = {.count = 0};
  for (uint32_t i = 0; i < 3; i++)
    for (uint32_t j = 0; j < 3; j++)
      if (a[i] == b[j]) {
        shared.a[shared.count] = i;
        shared.b[shared.count++] = j;
      }
  return shared;
}

static bool repeats_index(const uint32_t *corner) {
  return corner[0] == corner[1] || corner[1] == corner[2] || corner[2] == corner[0];
}

void soup_reference_corners(const mesh *m, uint32_t triangle, double corners_out[9]) {
  for (int corner = 0; corner < 3; corner++)
    memcpy(corners_out + 3 * corner, m->positions + 3 * (size_t)m->triangles[3 * (size_t)triangle + corner],
           3 * sizeof(double));
}

bool soup_reference_pair(rational_oracle *oracle, const mesh *meshes, const graze_pair *pair,
                         graze_neighbors neighbors) {
  double p[9], q[9];
  soup_reference_corners(&meshes[pair->object_a], pair->primitive_a, p);
  soup_reference_corners(&meshes[pair->object_b], pair->primitive_b, q);
  if (pair->object_a != pair->object_b) return rational_oracle_intersects(oracle, p, q);
  const uint32_t *a = meshes[pair->object_a].triangles + 3 * (size_t)pair->primitive_a;
  const uint32_t *b = meshes[pair->object_b].triangles + 3 * (size_t)pair->primitive_b;
  const shared_vertices shared = find_shared(a, b);
  if (neighbors == GRAZE_NEIGHBORS_SKIP) return shared.count == 0 && rational_oracle_intersects(oracle, p, q);
  if (repeats_index(a) || repeats_index(b)) return false;
  return rational_oracle_intersects_beyond(oracle, p, q, shared.count, shared.a, shared.b);
}

bool soup_reference_boxes(const mesh *meshes, const graze_pair *pair, graze_neighbors neighbors) {
  double p[9], q[9];
  soup_reference_corners(&meshes[pair->object_a], pair->primitive_a, p);
  soup_reference_corners(&meshes[pair->object_b], pair->primitive_b, q);
  for (int axis = 0; axis < 3; axis++) {
    const double *x = p + axis, *y = q + axis;
    if (fmin(fmin(x[0], x[3]), x[6]) > fmax(fmax(y[0], y[3]), y[6])) return false;
    if (fmin(fmin(y[0], y[3]), y[6]) > fmax(fmax(x[0], x[3]), x[6])) return false;
  }
  if (pair->object_a != pair->object_b || neighbors == GRAZE_NEIGHBORS_BEYOND) return true;
  const uint32_t *a = meshes[pair->object_a].triangles + 3 * (size_t)pair->primitive_a;
  const uint32_t *b = meshes[pair->object_b].triangles + 3 * (size_t)pair->primitive_b;
  return find_shared(a, b).count == 0;
}
