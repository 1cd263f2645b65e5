/* The surface of a body of tetrahedra; see deforming_body.h. */
#include "packing/deforming_body.h"

#include "base/error_text.h"
#include "base/radix_sort.h"
#include "geometry/orientation.h"

/* Faces of corners a, b, c, d that are counterclockwise seen from outside if d is above a, b, c. */
static const int face_corners[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

typedef struct face_sorting {
  uint64_t *keys, *spare_keys;
  uint32_t *faces, *spare_faces; /* four times the tetrahedron, plus the number of the face */
  size_t count;
} face_sorting;

static graze_result turn_upright(const double *positions, uint32_t (*tetrahedra)[4], size_t count) {
  for (size_t i = 0; i < count; i++) {
    const double *corner[4];
    orientation_tally tally = {0};
    for (int k = 0; k < 4; k++) corner[k] = positions + 3 * (size_t)tetrahedra[i][k];
    const int sign = orientation_3d(corner[0], corner[1], corner[2], corner[3], &tally);
    if (sign == 0) return fail(GRAZE_INVALID_ARGUMENT, "tetrahedron %zu is flat at rest and cannot carry spheres", i);
    if (sign > 0) continue;
    const uint32_t kept = tetrahedra[i][0];
    tetrahedra[i][0] = tetrahedra[i][1];
    tetrahedra[i][1] = kept;
  }
  return GRAZE_OK;
}

static void face_of(uint32_t (*tetrahedra)[4], uint32_t face, uint32_t corners_out[3]) {
  for (int k = 0; k < 3; k++) corners_out[k] = tetrahedra[face / 4][face_corners[face % 4][k]];
}

static void face_ordered(uint32_t (*tetrahedra)[4], uint32_t face, uint32_t corners_out[3]) {
  face_of(tetrahedra, face, corners_out);
  for (int pass = 0; pass < 3; pass++) {
    const int k = pass % 2;
    if (corners_out[k] <= corners_out[k + 1]) continue;
    const uint32_t kept = corners_out[k];
    corners_out[k] = corners_out[k + 1];
    corners_out[k + 1] = kept;
  }
}

/* Sorts by the corner with the highest number, then by the two others: the sort is stable. */
static void sort_faces(uint32_t (*tetrahedra)[4], face_sorting *sort) {
  for (int pass = 0; pass < 2; pass++) {
    for (size_t i = 0; i < sort->count; i++) {
      uint32_t corners[3];
      if (pass == 0) sort->faces[i] = (uint32_t)i;
      face_ordered(tetrahedra, sort->faces[i], corners);
      sort->keys[i] = pass == 0 ? corners[2] : (uint64_t)corners[0] << 32 | corners[1];
    }
    radix_sort_pairs(sort->keys, sort->faces, sort->spare_keys, sort->spare_faces, sort->count, pass == 0 ? 32 : 64);
  }
}

static bool same_face(uint32_t (*tetrahedra)[4], uint32_t a, uint32_t b) {
  uint32_t of_a[3], of_b[3];
  face_ordered(tetrahedra, a, of_a);
  face_ordered(tetrahedra, b, of_b);
  return of_a[0] == of_b[0] && of_a[1] == of_b[1] && of_a[2] == of_b[2];
}

static graze_result take_single_faces(memory *heap, uint32_t (*tetrahedra)[4], const face_sorting *sort,
                                      array *triangles) {
  for (size_t i = 0, end; i < sort->count; i = end) {
    for (end = i + 1; end < sort->count && same_face(tetrahedra, sort->faces[i], sort->faces[end]);) end++;
    if (end - i > 2)
      return fail(GRAZE_INVALID_ARGUMENT,
                  "a face of tetrahedron %u belongs to %zu tetrahedra; at most two can share it",
                  (unsigned)(sort->faces[i] / 4), end - i);
    uint32_t corners[3];
    face_of(tetrahedra, sort->faces[i], corners);
    if (end - i == 1 && !array_push(triangles, heap, corners))
      return fail(GRAZE_OUT_OF_MEMORY, "out of memory for the surface of %zu tetrahedra", sort->count / 4);
  }
  return GRAZE_OK;
}

graze_result tetrahedra_boundary_find(memory *heap, const double *positions, uint32_t (*tetrahedra)[4], size_t count,
                                      array *triangles) {
  graze_result result = turn_upright(positions, tetrahedra, count);
  if (result != GRAZE_OK) return result;
  face_sorting sort = {.count = 4 * count};
  sort.keys = memory_allocate(heap, sort.count, sizeof *sort.keys);
  sort.spare_keys = memory_allocate(heap, sort.count, sizeof *sort.keys);
  sort.faces = memory_allocate(heap, sort.count, sizeof *sort.faces);
  sort.spare_faces = memory_allocate(heap, sort.count, sizeof *sort.faces);
  if (sort.keys == NULL || sort.spare_keys == NULL || sort.faces == NULL || sort.spare_faces == NULL) {
    result = fail(GRAZE_OUT_OF_MEMORY, "out of memory for the surface of %zu tetrahedra", count);
  } else {
    sort_faces(tetrahedra, &sort);
    result = take_single_faces(heap, tetrahedra, &sort, triangles);
  }
  memory_release(heap, sort.keys, sort.count, sizeof *sort.keys);
  memory_release(heap, sort.spare_keys, sort.count, sizeof *sort.keys);
  memory_release(heap, sort.faces, sort.count, sizeof *sort.faces);
  memory_release(heap, sort.spare_faces, sort.count, sizeof *sort.faces);
  return result;
}
