/* Checks faces and edges by sorting: test meshes have a few hundred thousand of them. */
#include "volume_checks.h"
#include "testing.h"

#include "geometry/orientation.h"

#include <stdlib.h>
#include <string.h>

static const double *corner_of(const mesh *m, size_t tetrahedron, size_t corner) {
  return m->positions + 3 * (size_t)m->tetrahedra[4 * tetrahedron + corner];
}

int tetrahedron_sign(const mesh *m, size_t tetrahedron) {
  orientation_tally tally = {0};
  return orientation_3d(corner_of(m, tetrahedron, 0), corner_of(m, tetrahedron, 1), corner_of(m, tetrahedron, 2),
                        corner_of(m, tetrahedron, 3), &tally);
}

size_t count_non_positive(const mesh *m) {
  size_t count = 0;
  for (size_t i = 0; i < m->tetrahedron_count; ++i) count += tetrahedron_sign(m, i) <= 0;
  return count;
}

static double volume_of(const mesh *m, size_t tetrahedron) {
  const double *a = corner_of(m, tetrahedron, 0), *b = corner_of(m, tetrahedron, 1), *c = corner_of(m, tetrahedron, 2);
  const double *d = corner_of(m, tetrahedron, 3);
  double u[3], v[3], w[3];
  for (int k = 0; k < 3; ++k) {
    u[k] = b[k] - a[k];
    v[k] = c[k] - a[k];
    w[k] = d[k] - a[k];
  }
  return (w[0] * (u[1] * v[2] - u[2] * v[1]) + w[1] * (u[2] * v[0] - u[0] * v[2]) +
          w[2] * (u[0] * v[1] - u[1] * v[0])) /
         6.0;
}

double tetrahedra_volume(const mesh *m) {
  double sum = 0.0;
  for (size_t i = 0; i < m->tetrahedron_count; ++i) sum += volume_of(m, i);
  return sum;
}

double least_volume(const mesh *m) {
  double least = m->tetrahedron_count == 0 ? 0.0 : volume_of(m, 0);
  for (size_t i = 1; i < m->tetrahedron_count; ++i) least = volume_of(m, i) < least ? volume_of(m, i) : least;
  return least;
}

/* A triangle with its least vertex first; `turn` distinguishes the two orientations. */
typedef struct face_use {
  uint32_t vertex[3];
  uint32_t turn;
} face_use;

static face_use make_face(uint32_t a, uint32_t b, uint32_t c) {
  face_use face = {{a, b, c}, 0};
  for (int pass = 0; pass < 3; ++pass) {
    const int i = pass % 2;
    if (face.vertex[i] < face.vertex[i + 1]) continue;
    const uint32_t kept = face.vertex[i];
    face.vertex[i] = face.vertex[i + 1];
    face.vertex[i + 1] = kept;
    face.turn ^= 1;
  }
  return face;
}

static int compare_faces(const void *left, const void *right) {
  return memcmp(left, right, sizeof(face_use));
}

static int compare_numbers(const void *left, const void *right) {
  const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return (a > b) - (a < b);
}

/* Both lists sorted are the same: every directed edge has as many opposites. */
static void check_opposites(const char *name, uint64_t *edges, size_t count, bool is_once) {
  OWNED_MEMORY uint64_t *opposites = malloc((count + 1) * sizeof *opposites);
  assert_non_null(opposites);
  for (size_t i = 0; i < count; ++i) opposites[i] = edges[i] << 32 | edges[i] >> 32;
  qsort(edges, count, sizeof *edges, compare_numbers);
  qsort(opposites, count, sizeof *opposites, compare_numbers);
  for (size_t i = 1; is_once && i < count; ++i)
    if (edges[i] == edges[i - 1]) fail_msg("%s: an edge is used twice in the same direction", name);
  if (memcmp(edges, opposites, count * sizeof *edges) != 0) fail_msg("%s: an edge has no opposite", name);
}

/* Takes pairs out of the sorted list and returns the number of faces that are left at its beginning. */
static size_t keep_boundary(const char *name, face_use *faces, size_t count) {
  size_t kept = 0;
  for (size_t i = 0; i < count;) {
    size_t same = 1;
    while (i + same < count && memcmp(faces[i].vertex, faces[i + same].vertex, sizeof faces[i].vertex) == 0) ++same;
    if (same > 2) fail_msg("%s: a face is used %zu times", name, same);
    if (same == 2 && faces[i].turn == faces[i + 1].turn) fail_msg("%s: two tetrahedra on one side of a face", name);
    if (same == 1) faces[kept++] = faces[i];
    i += same;
  }
  return kept;
}

static void check_all_used(const char *name, const mesh *m) {
  OWNED_MEMORY uint8_t *is_used = calloc(m->vertex_count + 1, 1);
  assert_non_null(is_used);
  for (size_t i = 0; i < 4 * m->tetrahedron_count; ++i) {
    if (m->tetrahedra[i] >= m->vertex_count) fail_msg("%s: a vertex number is out of range", name);
    is_used[m->tetrahedra[i]] = 1;
  }
  for (size_t i = 0; i < m->vertex_count; ++i)
    if (is_used[i] == 0) fail_msg("%s: vertex %zu is not used", name, i);
}

/* The faces used once, sorted; released with free. */
static face_use *boundary_faces(const char *name, const mesh *m, size_t *count_out) {
  static const uint8_t sides[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
  face_use *faces = malloc((4 * m->tetrahedron_count + 1) * sizeof *faces);
  assert_non_null(faces);
  for (size_t i = 0; i < 4 * m->tetrahedron_count; ++i) {
    const uint32_t *t = m->tetrahedra + 4 * (i / 4);
    const uint8_t *side = sides[i % 4];
    faces[i] = make_face(t[side[0]], t[side[1]], t[side[2]]);
  }
  qsort(faces, 4 * m->tetrahedron_count, sizeof *faces, compare_faces);
  *count_out = keep_boundary(name, faces, 4 * m->tetrahedron_count);
  return faces;
}

/* The directed edges of faces, three each; released with free. */
static uint64_t *face_edges(const face_use *faces, size_t count) {
  uint64_t *edges = malloc((3 * count + 1) * sizeof *edges);
  assert_non_null(edges);
  for (size_t i = 0; i < count; ++i) {
    for (size_t k = 0; k < 3; ++k) {
      const uint64_t a = faces[i].vertex[k], b = faces[i].vertex[(k + 1) % 3];
      edges[3 * i + k] = faces[i].turn == 0 ? a << 32 | b : b << 32 | a;
    }
  }
  return edges;
}

void check_faces_agree(const char *name, const mesh *m) {
  check_all_used(name, m);
  size_t count;
  OWNED_MEMORY face_use *faces = boundary_faces(name, m, &count);
  OWNED_MEMORY uint64_t *edges = face_edges(faces, count);
  check_opposites(name, edges, 3 * count, false);
}

static uint32_t root_of(uint32_t *parent, uint32_t vertex) {
  while (parent[vertex] != vertex) vertex = parent[vertex] = parent[parent[vertex]];
  return vertex;
}

void check_boundary_is_one(const char *name, const mesh *m) {
  size_t count, pieces = 0;
  OWNED_MEMORY face_use *faces = boundary_faces(name, m, &count);
  OWNED_MEMORY uint64_t *edges = face_edges(faces, count);
  OWNED_MEMORY uint32_t *parent = malloc((m->vertex_count + 1) * sizeof *parent);
  OWNED_MEMORY uint8_t *is_used = calloc(m->vertex_count + 1, 1);
  assert_non_null(parent);
  assert_non_null(is_used);
  for (uint32_t i = 0; i < m->vertex_count; ++i) parent[i] = i;
  for (size_t i = 0; i < 3 * count; ++i) {
    const uint32_t a = (uint32_t)(edges[i] >> 32), b = (uint32_t)edges[i];
    parent[root_of(parent, a)] = root_of(parent, b);
    is_used[a] = 1;
  }
  for (uint32_t i = 0; i < m->vertex_count; ++i) pieces += is_used[i] != 0 && parent[i] == i;
  if (pieces != 1) fail_msg("%s: the boundary has %zu pieces", name, pieces);
  check_opposites(name, edges, 3 * count, true);
}

void check_outlines_close(const char *name, const uint32_t *corners, const uint32_t *outline_first, uint32_t first,
                          uint32_t end) {
  OWNED_MEMORY uint64_t *edges = malloc(((size_t)outline_first[end] - outline_first[first] + 1) * sizeof *edges);
  assert_non_null(edges);
  size_t count = 0;
  for (uint32_t outline = first; outline < end; ++outline) {
    for (uint32_t i = outline_first[outline]; i < outline_first[outline + 1]; ++i) {
      const uint32_t ahead = i + 1 == outline_first[outline + 1] ? outline_first[outline] : i + 1;
      edges[count++] = (uint64_t)corners[i] << 32 | corners[ahead];
    }
  }
  check_opposites(name, edges, count, true);
}

/* The triangles and the polygon turned round form a closed surface. */
void check_triangles_cover(const mesh *m, uint32_t polygon, size_t first, size_t end) {
  uint64_t edges[256];
  const uint32_t corner_count = m->polygon_first[polygon + 1] - m->polygon_first[polygon];
  const uint32_t *corners = m->corners + m->polygon_first[polygon];
  assert_int_equal(end - first, corner_count - 2);
  size_t count = 0;
  for (uint32_t i = 0; i < corner_count; ++i) {
    edges[count++] = (uint64_t)corners[(i + 1) % corner_count] << 32 | corners[i];
  }
  for (size_t i = 3 * first; i < 3 * end; ++i) {
    const size_t ahead = i % 3 == 2 ? i - 2 : i + 1;
    edges[count++] = (uint64_t)m->triangles[i] << 32 | m->triangles[ahead];
  }
  check_opposites("polygon", edges, count, true);
}
