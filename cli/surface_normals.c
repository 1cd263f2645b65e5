/* Normals at the corners of triangles.
 *
 * Workload: up to ten million triangles, six around a vertex. The mean is weighted by area, so that large flat faces
 * stay flat next to narrow roundings. */
#include "surface_normals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Scaled to the size of the largest edge coordinate, so that the square of a small triangle does not underflow. */
static void make_face(const mesh *m, size_t triangle, double factor, float face_out[4]) {
  const uint32_t *index = m->triangles + 3 * triangle;
  const double *a = m->positions + 3 * (size_t)index[0], *b = m->positions + 3 * (size_t)index[1];
  const double *c = m->positions + 3 * (size_t)index[2];
  double p[3], q[3], largest = 0.0;
  for (int axis = 0; axis < 3; axis++) {
    p[axis] = factor * b[axis] - factor * a[axis];
    q[axis] = factor * c[axis] - factor * a[axis];
    largest = fmax(largest, fmax(fabs(p[axis]), fabs(q[axis])));
  }
  const double lift = largest > 0.0 ? 1.0 / largest : 0.0;
  for (int axis = 0; axis < 3; axis++) {
    p[axis] *= lift;
    q[axis] *= lift;
  }
  const double n[3] = {p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]};
  const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  const bool has_normal = length > 0.0 && isfinite(length);
  for (int axis = 0; axis < 3; axis++) face_out[axis] = has_normal ? (float)(n[axis] / length) : 0.0f;
  face_out[3] = has_normal ? (float)(length * largest * largest) : 0.0f;
}

/* Counted, summed, and filled from the end of the part of each vertex. */
static void list_faces_around(const mesh *m, surface_normals *normals) {
  const size_t corner_count = 3 * m->triangle_count;
  for (size_t i = 0; i < corner_count; i++) normals->first[m->triangles[i]]++;
  for (size_t i = 0; i < m->vertex_count; i++) normals->first[i + 1] += normals->first[i];
  for (size_t i = corner_count; i-- > 0;) normals->around[--normals->first[m->triangles[i]]] = (uint32_t)(i / 3);
}

bool surface_normals_make(const mesh *m, double factor, double crease_degrees, surface_normals *normals_out) {
  const double radian = 3.14159265358979323846 / 180.0;
  *normals_out = (surface_normals){
      .faces = malloc((m->triangle_count + 1) * 4 * sizeof(float)),
      .first = calloc(m->vertex_count + 2, sizeof(uint32_t)),
      .around = malloc((m->triangle_count + 1) * 3 * sizeof(uint32_t)),
      /* Rounding of unit normals in floats must not separate faces that differ by exactly the angle. */
      .least_cosine = (float)cos(crease_degrees * radian) - 1e-5f,
  };
  if (m->triangle_count > UINT32_MAX / 3) return false; /* more than 32-bit positions around vertices can hold */
  if (normals_out->faces == NULL || normals_out->first == NULL || normals_out->around == NULL) return false;
  for (size_t t = 0; t < m->triangle_count; t++) make_face(m, t, factor, normals_out->faces + 4 * t);
  list_faces_around(m, normals_out);
  return true;
}

void surface_normals_release(surface_normals *normals) {
  free(normals->faces);
  free(normals->first);
  free(normals->around);
  memset(normals, 0, sizeof *normals);
}

bool surface_normals_at(const surface_normals *normals, const mesh *m, size_t triangle, int k, double normal_out[3]) {
  const float *own = normals->faces + 4 * triangle;
  const uint32_t vertex = m->triangles[3 * triangle + (size_t)k];
  float sum[3] = {0.0f, 0.0f, 0.0f};
  for (uint32_t i = normals->first[vertex]; i < normals->first[vertex + 1]; i++) {
    const float *face = normals->faces + 4 * (size_t)normals->around[i];
    if (face[0] * own[0] + face[1] * own[1] + face[2] * own[2] < normals->least_cosine) continue;
    for (int axis = 0; axis < 3; axis++) sum[axis] += face[3] * face[axis];
  }
  const float length = sqrtf(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
  const bool is_smooth = length > 0.0f && isfinite(length);
  for (int axis = 0; axis < 3; axis++) normal_out[axis] = (double)(is_smooth ? sum[axis] / length : own[axis]);
  return own[0] != 0.0f || own[1] != 0.0f || own[2] != 0.0f;
}
