/* Cuts convex cells.
 *
 * The intersection of a plane and an edge is computed from the end of the edge that is lower by (x, y, z): both faces
 * at the edge get the same bits, so that vertices can be found by equality. Cells have about a dozen faces. */
#include "simulation/convex_cell.h"

#include "simulation/particle_math.h"
#include "simulation/surface_edges.h"

#include <stdlib.h>
#include <string.h>

void convex_cell_free(convex_cell *cell) {
  free(cell->points);
  free(cell->first);
  *cell = (convex_cell){0};
}

static bool reserve(convex_cell *cell, size_t points, size_t faces) {
  if (points > cell->point_capacity) {
    point3 *grown = realloc(cell->points, 2 * points * sizeof *grown);
    if (grown == NULL) return false;
    cell->points = grown;
    cell->point_capacity = 2 * points;
  }
  if (faces + 1 > cell->face_capacity) {
    size_t *grown = realloc(cell->first, 2 * (faces + 1) * sizeof *grown);
    if (grown == NULL) return false;
    cell->first = grown;
    cell->face_capacity = 2 * (faces + 1);
  }
  return true;
}

bool convex_cell_box(convex_cell *cell, double half) {
  static const int8_t signs[6][4][3] = {
      {{-1, -1, -1}, {-1, -1, 1}, {-1, 1, 1}, {-1, 1, -1}}, {{1, -1, -1}, {1, 1, -1}, {1, 1, 1}, {1, -1, 1}},
      {{-1, -1, -1}, {1, -1, -1}, {1, -1, 1}, {-1, -1, 1}}, {{-1, 1, -1}, {-1, 1, 1}, {1, 1, 1}, {1, 1, -1}},
      {{-1, -1, -1}, {-1, 1, -1}, {1, 1, -1}, {1, -1, -1}}, {{-1, -1, 1}, {1, -1, 1}, {1, 1, 1}, {-1, 1, 1}}};
  if (!reserve(cell, 24, 6)) return false;
  cell->point_count = 24;
  cell->face_count = 6;
  for (size_t i = 0; i < 24; ++i) {
    const int8_t *s = signs[i / 4][i % 4];
    cell->points[i] = point3_make((double)s[0] * half, (double)s[1] * half, (double)s[2] * half);
  }
  for (size_t i = 0; i <= 6; ++i) cell->first[i] = 4 * i;
  return true;
}

static bool is_before(point3 a, point3 b) {
  if (a.x != b.x) return a.x < b.x;
  if (a.y != b.y) return a.y < b.y;
  return a.z < b.z;
}

static bool is_same(point3 a, point3 b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

static point3 meeting_point(point3 a, point3 b, point3 normal, double offset) {
  const point3 low = is_before(a, b) ? a : b, high = is_before(a, b) ? b : a;
  const double from = point3_dot(normal, low) - offset, to = point3_dot(normal, high) - offset;
  return point3_add(low, point3_scale(point3_minus(high, low), from / (from - to)));
}

/* Points of the new face, with their directions from its center. */
typedef struct rim_point {
  point3 point;
  double angle; /* increases with the angle, from 0 to 4 */
} rim_point;

static int by_angle(const void *left, const void *right) {
  const rim_point *a = left, *b = right;
  if (a->angle != b->angle) return a->angle < b->angle ? -1 : 1;
  return is_before(a->point, b->point) ? -1 : is_before(b->point, a->point) ? 1 : 0;
}

static double diamond_angle(double x, double y) {
  const double sum = (x < 0.0 ? -x : x) + (y < 0.0 ? -y : y);
  if (sum <= 0.0) return 0.0;
  if (y >= 0.0) return x >= 0.0 ? y / sum : 1.0 - x / sum;
  return x < 0.0 ? 2.0 - y / sum : 3.0 + x / sum;
}

/* Sorts around the center, and removes duplicates. */
static size_t order_rim(rim_point *rim, size_t count, point3 normal) {
  point3 middle = point3_make(0.0, 0.0, 0.0);
  for (size_t i = 0; i < count; ++i) middle = point3_add(middle, rim[i].point);
  middle = point3_scale(middle, 1.0 / (double)count);
  const point3 aside = normal.x * normal.x < 0.5 ? point3_make(1.0, 0.0, 0.0) : point3_make(0.0, 1.0, 0.0);
  const point3 u = point3_unit(point3_cross(normal, aside)), v = point3_cross(normal, u);
  for (size_t i = 0; i < count; ++i) {
    const point3 from = point3_minus(rim[i].point, middle);
    rim[i].angle = diamond_angle(point3_dot(from, u), point3_dot(from, v));
  }
  qsort(rim, count, sizeof *rim, by_angle);
  size_t kept = 0;
  for (size_t i = 0; i < count; ++i) {
    if (kept == 0 || !is_same(rim[kept - 1].point, rim[i].point)) rim[kept++] = rim[i];
  }
  return kept;
}

/* The part of a face on this side of the plane; points on the plane are recorded. */
static void cut_face(const point3 *ring, size_t count, point3 normal, double offset, convex_cell *cut, rim_point *rim,
                     size_t *rim_count) {
  const size_t start = cut->point_count;
  for (size_t i = 0; i < count; ++i) {
    const point3 a = ring[i], b = ring[(i + 1) % count];
    const bool a_stays = point3_dot(normal, a) <= offset, b_stays = point3_dot(normal, b) <= offset;
    if (a_stays) cut->points[cut->point_count++] = a;
    if (a_stays == b_stays) continue;
    const point3 p = meeting_point(a, b, normal, offset);
    cut->points[cut->point_count++] = p;
    rim[(*rim_count)++].point = p;
  }
  if (cut->point_count - start < 3) {
    cut->point_count = start;
    return;
  }
  cut->first[++cut->face_count] = cut->point_count;
}

bool convex_cell_cut(convex_cell *cell, point3 normal, double offset) {
  bool beyond = false;
  for (size_t i = 0; i < cell->point_count && !beyond; ++i) beyond = point3_dot(normal, cell->points[i]) > offset;
  if (!beyond) return true;
  convex_cell cut = {0};
  rim_point *rim = malloc((2 * cell->point_count + 1) * sizeof *rim);
  if (rim == NULL || !reserve(&cut, 4 * cell->point_count + 4, cell->face_count + 1)) {
    free(rim);
    convex_cell_free(&cut);
    return false;
  }
  size_t rim_count = 0;
  cut.first[0] = 0;
  for (size_t i = 0; i < cell->face_count; ++i) {
    const size_t first = cell->first[i];
    cut_face(cell->points + first, cell->first[i + 1] - first, normal, offset, &cut, rim, &rim_count);
  }
  if (rim_count >= 3) rim_count = order_rim(rim, rim_count, normal);
  if (rim_count >= 3) {
    for (size_t i = 0; i < rim_count; ++i) cut.points[cut.point_count++] = rim[i].point;
    cut.first[++cut.face_count] = cut.point_count;
  }
  free(rim);
  convex_cell_free(cell);
  *cell = cut;
  return true;
}

point3 convex_cell_middle(const convex_cell *cell) {
  point3 sum = point3_make(0.0, 0.0, 0.0);
  for (size_t i = 0; i < cell->point_count; ++i) sum = point3_add(sum, cell->points[i]);
  return cell->point_count == 0 ? sum : point3_scale(sum, 1.0 / (double)cell->point_count);
}

double convex_cell_radius(const convex_cell *cell, point3 from) {
  double most = 0.0;
  for (size_t i = 0; i < cell->point_count; ++i) {
    const double length = point3_length(point3_minus(cell->points[i], from));
    most = length > most ? length : most;
  }
  return most;
}

/* The vertices of all faces, each once; a cell has few enough for a linear search. */
static uint32_t vertex_of(mesh *made, point3 p) {
  for (size_t i = 0; i < made->vertex_count; ++i) {
    if (is_same(particle_at(made->positions, i), p)) return (uint32_t)i;
  }
  particle_set(made->positions, made->vertex_count, p);
  return (uint32_t)made->vertex_count++;
}

static bool make_fans(const convex_cell *cell, mesh *made) {
  made->positions = malloc(3 * (cell->point_count + cell->face_count + 1) * sizeof(double));
  made->triangles = malloc(3 * (cell->point_count + 1) * sizeof(uint32_t));
  if (made->positions == NULL || made->triangles == NULL) return false;
  for (size_t face = 0; face < cell->face_count; ++face) {
    const size_t first = cell->first[face], count = cell->first[face + 1] - first;
    point3 middle = point3_make(0.0, 0.0, 0.0);
    for (size_t i = 0; i < count; ++i) middle = point3_add(middle, cell->points[first + i]);
    const uint32_t center = vertex_of(made, point3_scale(middle, 1.0 / (double)count));
    for (size_t i = 0; i < count; ++i) {
      const uint32_t a = vertex_of(made, cell->points[first + i]),
                     b = vertex_of(made, cell->points[first + (i + 1) % count]);
      uint32_t *t = made->triangles + 3 * made->triangle_count;
      if (a == b) continue;
      t[0] = center;
      t[1] = a;
      t[2] = b;
      ++made->triangle_count;
    }
  }
  return true;
}

static const surface_edge *find_edge(const surface_edge *edges, size_t count, uint32_t a, uint32_t b) {
  const uint32_t low = a < b ? a : b, high = a < b ? b : a;
  size_t begin = 0;
  for (size_t length = count; length > 0;) {
    const size_t half = length / 2;
    const surface_edge *middle = &edges[begin + half];
    if (middle->a < low || (middle->a == low && middle->b < high)) {
      begin += half + 1;
      length -= half + 1;
    } else {
      length = half;
    }
  }
  return &edges[begin];
}

/* Splits each triangle into four at the midpoints of its sides. */
static bool refine(mesh *made) {
  surface_edge *edges = NULL;
  size_t edge_count = 0;
  if (!surface_edges_make(made->triangles, made->triangle_count, &edges, &edge_count)) return false;
  double *positions = realloc(made->positions, 3 * (made->vertex_count + edge_count) * sizeof(double));
  if (positions != NULL) made->positions = positions;
  uint32_t *finer = malloc(12 * (made->triangle_count + 1) * sizeof *finer);
  if (positions == NULL || finer == NULL) {
    free(edges);
    free(finer);
    return false;
  }
  for (size_t i = 0; i < edge_count; ++i) {
    const point3 sum = point3_add(particle_at(positions, edges[i].a), particle_at(positions, edges[i].b));
    particle_set(positions, made->vertex_count + i, point3_scale(sum, 0.5));
  }
  for (size_t i = 0; i < made->triangle_count; ++i) {
    const uint32_t *t = made->triangles + 3 * i;
    uint32_t m[3];
    for (size_t k = 0; k < 3; ++k) {
      m[k] = (uint32_t)(made->vertex_count + (size_t)(find_edge(edges, edge_count, t[k], t[(k + 1) % 3]) - edges));
    }
    const uint32_t four[12] = {t[0], m[0], m[2], m[0], t[1], m[1], m[2], m[1], t[2], m[0], m[1], m[2]};
    memcpy(finer + 12 * i, four, sizeof four);
  }
  free(made->triangles);
  free(edges);
  made->triangles = finer;
  made->vertex_count += edge_count;
  made->triangle_count *= 4;
  return true;
}

bool convex_cell_mesh(const convex_cell *cell, uint32_t levels, double factor, mesh *made) {
  if (!make_fans(cell, made)) return false;
  for (uint32_t i = 0; i < levels; ++i) {
    if (!refine(made)) return false;
  }
  made->polygon_count = made->triangle_count;
  const point3 middle = convex_cell_middle(cell);
  for (size_t i = 0; i < made->vertex_count; ++i) {
    const point3 from = point3_minus(particle_at(made->positions, i), middle);
    particle_set(made->positions, i, point3_add(middle, point3_scale(from, factor)));
  }
  return true;
}
