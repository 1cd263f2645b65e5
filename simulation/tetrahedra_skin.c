/* Finds outer faces by sorting. */
#include "simulation/tetrahedra_skin.h"

#include <stdlib.h>
#include <string.h>

typedef struct tetrahedron_face {
  uint32_t sorted[3], corners[3];
} tetrahedron_face;

static int by_corners(const void *left, const void *right) {
  const tetrahedron_face *a = left, *b = right;
  for (size_t k = 0; k < 3; ++k) {
    if (a->sorted[k] != b->sorted[k]) return a->sorted[k] < b->sorted[k] ? -1 : 1;
  }
  return 0;
}

static void swap_if_greater(uint32_t *a, uint32_t *b) {
  const uint32_t least = *a < *b ? *a : *b, most = *a < *b ? *b : *a;
  *a = least;
  *b = most;
}

static tetrahedron_face make_face(uint32_t a, uint32_t b, uint32_t c) {
  tetrahedron_face face = {{a, b, c}, {a, b, c}};
  swap_if_greater(&face.sorted[0], &face.sorted[1]);
  swap_if_greater(&face.sorted[1], &face.sorted[2]);
  swap_if_greater(&face.sorted[0], &face.sorted[1]);
  return face;
}

bool tetrahedra_skin_make(const mesh *body, uint32_t **triangles_out, size_t *count_out) {
  const size_t face_count = 4 * body->tetrahedron_count;
  tetrahedron_face *faces = malloc((face_count + 1) * sizeof *faces);
  uint32_t *triangles = malloc((3 * face_count + 1) * sizeof *triangles);
  if (faces == NULL || triangles == NULL) {
    free(faces);
    free(triangles);
    return false;
  }
  for (size_t i = 0; i < body->tetrahedron_count; ++i) {
    const uint32_t *t = body->tetrahedra + 4 * i;
    faces[4 * i] = make_face(t[0], t[2], t[1]);
    faces[4 * i + 1] = make_face(t[0], t[1], t[3]);
    faces[4 * i + 2] = make_face(t[1], t[2], t[3]);
    faces[4 * i + 3] = make_face(t[2], t[0], t[3]);
  }
  if (face_count > 0) qsort(faces, face_count, sizeof *faces, by_corners);
  size_t count = 0;
  for (size_t i = 0; i < face_count; ++i) {
    const bool like_last = i > 0 && by_corners(&faces[i - 1], &faces[i]) == 0;
    const bool like_next = i + 1 < face_count && by_corners(&faces[i], &faces[i + 1]) == 0;
    if (!like_last && !like_next) memcpy(triangles + 3 * count++, faces[i].corners, sizeof faces[i].corners);
  }
  free(faces);
  *triangles_out = triangles;
  *count_out = count;
  return true;
}
