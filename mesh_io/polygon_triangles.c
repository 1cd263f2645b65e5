/* Divides the polygons of a mesh into triangles, exactly as the library does when they are added to a scene, so that
 * pictures and pages show what is tested: concave polygons have no correct fan.
 *
 * Workload: once per file, up to millions of quads, and occasionally an outline of 10^5 corners. */
#include "mesh_io/polygon_triangles.h"

#include "geometry/polygon_triangulation.h"

#include <math.h>
#include <string.h>

/* The limit of polygon_triangulate. */
#define MOST_CORNERS ((size_t)1 << 30)

/* Memory for the longest polygon. */
typedef struct polygon_scratch {
  void *points;    /* 3 doubles per corner */
  void *scratch;   /* of polygon_triangulate */
  void *triangles; /* of corner numbers */
} polygon_scratch;

static size_t find_longest(const mesh *m) {
  size_t longest = 0;
  for (size_t i = 0; i < m->polygon_count; i++) {
    const size_t count = m->polygon_first[i + 1] - m->polygon_first[i];
    longest = count > longest ? count : longest;
  }
  return longest;
}

static bool make_scratch(const mesh_reading *reading, size_t longest, polygon_scratch *buffers) {
  const mesh_memory *memory = &reading->memory;
  if (longest > MOST_CORNERS) return mesh_fail(reading, "a polygon has %zu corners, more than 2^30", longest);
  return (mesh_resize(memory, &buffers->points, longest, 3 * sizeof(double)) &&
          mesh_resize(memory, &buffers->scratch, polygon_triangulate_scratch((uint32_t)longest), sizeof(uint32_t)) &&
          mesh_resize(memory, &buffers->triangles, longest, 3 * sizeof(uint32_t))) ||
         mesh_fail(reading, "out of memory for a polygon of %zu corners", longest);
}

static void release_scratch(const mesh_reading *reading, polygon_scratch *buffers) {
  mesh_release(&reading->memory, buffers->points);
  mesh_release(&reading->memory, buffers->scratch);
  mesh_release(&reading->memory, buffers->triangles);
}

/* Whether a quad is convex beyond rounding errors, seen along the axis in which its area is largest; then the
 * triangulation is the fan of its first corner. The test is much faster, and nearly all quads pass it. */
static bool is_clearly_convex(const double *points) {
  double diagonals[2][3], areas[3];
  for (int axis = 0; axis < 3; axis++) {
    diagonals[0][axis] = points[6 + axis] - points[axis];
    diagonals[1][axis] = points[9 + axis] - points[3 + axis];
  }
  for (int axis = 0; axis < 3; axis++) {
    const int x = (axis + 1) % 3, y = (axis + 2) % 3;
    areas[axis] = diagonals[0][x] * diagonals[1][y] - diagonals[0][y] * diagonals[1][x];
  }
  const double ax = fabs(areas[0]), ay = fabs(areas[1]), az = fabs(areas[2]);
  const int axis = az >= ax && az >= ay ? 2 : (ay >= ax ? 1 : 0), x = (axis + 1) % 3, y = (axis + 2) % 3;
  const double side = areas[axis] < 0.0 ? -1.0 : 1.0;
  for (int i = 0; i < 4; i++) {
    const double *a = points + 3 * i, *b = points + 3 * ((i + 1) % 4), *c = points + 3 * ((i + 2) % 4);
    const double left = (b[x] - a[x]) * (c[y] - b[y]), right = (b[y] - a[y]) * (c[x] - b[x]);
    if (!(side * (left - right) > 1e-12 * (fabs(left) + fabs(right)) + 1e-290)) return false;
  }
  return true;
}

/* A triangle begins with its first corner along the polygon, so a convex polygon is the fan of its first corner. */
static void fill_polygon(mesh *m, size_t polygon, const polygon_scratch *buffers) {
  const uint32_t first = m->polygon_first[polygon], count = m->polygon_first[polygon + 1] - first;
  if (count == 3) return;
  const uint32_t *corners = m->corners + first;
  double *points = buffers->points;
  uint32_t(*cut)[3] = buffers->triangles;
  for (uint32_t i = 0; i < count; i++)
    memcpy(points + 3 * (size_t)i, m->positions + 3 * (size_t)corners[i], 3 * sizeof(double));
  if (count == 4 && is_clearly_convex(points))
    memcpy(cut, (const uint32_t[2][3]){{0, 1, 2}, {0, 2, 3}}, 2 * sizeof *cut);
  else
    polygon_triangulate(points, count, buffers->scratch, cut);
  uint32_t *triangle = m->triangles + 3 * (first - 2 * polygon);
  for (uint32_t i = 0; i < count - 2; i++) {
    const uint32_t *t = cut[i];
    const int least = t[0] < t[1] && t[0] < t[2] ? 0 : t[1] < t[2] ? 1 : 2;
    for (int k = 0; k < 3; k++) *triangle++ = corners[t[(least + k) % 3]];
  }
}

bool polygon_triangles_fill(const mesh_reading *reading, mesh *m) {
  polygon_scratch buffers = {0};
  const bool made = make_scratch(reading, find_longest(m), &buffers);
  for (size_t i = 0; made && i < m->polygon_count; i++) fill_polygon(m, i, &buffers);
  release_scratch(reading, &buffers);
  return made;
}
