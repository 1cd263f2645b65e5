/* Mesh operations for the benchmark: one pass each over plain arrays.
 *
 * They run a few times per scene, outside of measured times, so clarity comes before speed. The split sorts all edges
 * once, in n log n, for meshes of up to two million triangles. */
#include "bench/bench_shape.h"

#include "models/seeded_random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void bench_shape_free(bench_shape *shape) {
  free(shape->positions);
  free(shape->triangles);
  memset(shape, 0, sizeof *shape);
}

/* Grows both arrays; on failure the shape keeps its old contents. */
static bool reserve(bench_shape *shape, size_t vertex_count, size_t triangle_count) {
  if (vertex_count > UINT32_MAX || triangle_count > UINT32_MAX) return false;
  double *const positions = realloc(shape->positions, (3 * vertex_count + 1) * sizeof *positions);
  if (positions == NULL) return false;
  shape->positions = positions;
  uint32_t *const triangles = realloc(shape->triangles, (3 * triangle_count + 1) * sizeof *triangles);
  if (triangles == NULL) return false;
  shape->triangles = triangles;
  return true;
}

bool bench_shape_append(bench_shape *shape, const double *positions, size_t vertex_count, const uint32_t *triangles,
                        size_t triangle_count, const double offset[3]) {
  if (!reserve(shape, shape->vertex_count + vertex_count, shape->triangle_count + triangle_count)) return false;
  double *const position = shape->positions + 3 * shape->vertex_count;
  for (size_t i = 0; i < 3 * vertex_count; i++) position[i] = positions[i] + offset[i % 3];
  uint32_t *const corner = shape->triangles + 3 * shape->triangle_count;
  for (size_t i = 0; i < 3 * triangle_count; i++) corner[i] = triangles[i] + (uint32_t)shape->vertex_count;
  shape->vertex_count += vertex_count;
  shape->triangle_count += triangle_count;
  return true;
}

bool bench_shape_copy(const bench_shape *shape, const double offset[3], bench_shape *copy_out) {
  memset(copy_out, 0, sizeof *copy_out);
  return bench_shape_append(copy_out, shape->positions, shape->vertex_count, shape->triangles, shape->triangle_count,
                            offset);
}

void bench_shape_bounds(const bench_shape *shape, double lower_out[3], double upper_out[3]) {
  for (int k = 0; k < 3; k++) lower_out[k] = upper_out[k] = 0.0;
  for (size_t i = 0; i < 3 * shape->triangle_count; i++) {
    const double *const p = shape->positions + 3 * (size_t)shape->triangles[i];
    for (int k = 0; k < 3; k++) {
      lower_out[k] = i == 0 || p[k] < lower_out[k] ? p[k] : lower_out[k];
      upper_out[k] = i == 0 || p[k] > upper_out[k] ? p[k] : upper_out[k];
    }
  }
}

double bench_shape_mean_edge(const bench_shape *shape) {
  double sum = 0.0;
  for (size_t i = 0; i < shape->triangle_count; i++) {
    for (size_t j = 0; j < 3; j++) {
      const double *const p = shape->positions + 3 * (size_t)shape->triangles[3 * i + j];
      const double *const q = shape->positions + 3 * (size_t)shape->triangles[3 * i + (j + 1) % 3];
      const double x = p[0] - q[0], y = p[1] - q[1], z = p[2] - q[2];
      sum += sqrt(x * x + y * y + z * z);
    }
  }
  return shape->triangle_count > 0 ? sum / (3.0 * (double)shape->triangle_count) : 0.0;
}

void bench_shape_fold(bench_shape *shape, int axis) {
  double lower[3], upper[3];
  bench_shape_bounds(shape, lower, upper);
  const double middle = 0.5 * (lower[axis] + upper[axis]);
  for (size_t i = 0; i < shape->vertex_count; i++) {
    double *const x = shape->positions + 3 * i + axis;
    *x = middle + fabs(*x - middle);
  }
}

void bench_shape_turn(bench_shape *shape) {
  double lower[3], upper[3];
  bench_shape_bounds(shape, lower, upper);
  const double middle_x = 0.5 * (lower[0] + upper[0]), middle_z = 0.5 * (lower[2] + upper[2]);
  for (size_t i = 0; i < shape->vertex_count; i++) {
    double *const p = shape->positions + 3 * i;
    const double x = p[0] - middle_x, z = p[2] - middle_z;
    p[0] = middle_x + z;
    p[2] = middle_z - x;
  }
}

/* Returns a random permutation (Fisher and Yates), which the caller frees; NULL if out of memory. */
static uint32_t *shuffled_numbers(size_t count, random_stream *stream) {
  uint32_t *const numbers = malloc((count + 1) * sizeof *numbers);
  if (numbers == NULL) return NULL;
  for (size_t i = 0; i < count; i++) {
    const size_t other = (size_t)(random_bits(stream) % (i + 1));
    numbers[i] = numbers[other];
    numbers[other] = (uint32_t)i;
  }
  return numbers;
}

static void place_shuffled(const bench_shape *shape, const uint32_t *vertex_place, const uint32_t *triangle_place,
                           bench_shape *shuffled_out) {
  for (size_t i = 0; i < shape->vertex_count; i++)
    memcpy(shuffled_out->positions + 3 * (size_t)vertex_place[i], shape->positions + 3 * i,
           3 * sizeof *shape->positions);
  for (size_t i = 0; i < shape->triangle_count; i++)
    for (size_t corner = 0; corner < 3; corner++)
      shuffled_out->triangles[3 * (size_t)triangle_place[i] + corner] = vertex_place[shape->triangles[3 * i + corner]];
}

bool bench_shape_shuffle(bench_shape *shape) {
  random_stream stream = random_stream_make(1, 0);
  uint32_t *const vertex_place = shuffled_numbers(shape->vertex_count, &stream);
  uint32_t *const triangle_place = shuffled_numbers(shape->triangle_count, &stream);
  bench_shape shuffled = {NULL, shape->vertex_count, NULL, shape->triangle_count};
  const bool made =
      vertex_place != NULL && triangle_place != NULL && reserve(&shuffled, shape->vertex_count, shape->triangle_count);
  if (made) place_shuffled(shape, vertex_place, triangle_place, &shuffled);
  free(vertex_place);
  free(triangle_place);
  bench_shape_free(made ? shape : &shuffled);
  if (made) *shape = shuffled;
  return made;
}

typedef struct edge_side {
  uint64_t edge;   /* smaller vertex in the high half */
  uint32_t corner; /* 3 * triangle + side */
} edge_side;

static int compare_sides(const void *a, const void *b) {
  const edge_side *const p = a, *const q = b;
  if (p->edge != q->edge) return p->edge < q->edge ? -1 : 1;
  return (p->corner > q->corner) - (p->corner < q->corner);
}

static edge_side *sort_sides(const bench_shape *shape) {
  const size_t count = 3 * shape->triangle_count;
  edge_side *const sides = malloc((count + 1) * sizeof *sides);
  if (sides == NULL) return NULL;
  for (size_t i = 0; i < count; i++) {
    const uint64_t a = shape->triangles[i], b = shape->triangles[i % 3 == 2 ? i - 2 : i + 1];
    sides[i] = (edge_side){a < b ? a << 32 | b : b << 32 | a, (uint32_t)i};
  }
  qsort(sides, count, sizeof *sides, compare_sides);
  return sides;
}

/* Adds a vertex for each distinct edge, and stores the new vertex of each side of each triangle. */
static void place_middles(bench_shape *shape, const edge_side *sides, uint32_t *middle_out) {
  const size_t count = 3 * shape->triangle_count;
  for (size_t i = 0; i < count; i++) {
    if (i == 0 || sides[i].edge != sides[i - 1].edge) {
      const double *const p = shape->positions + 3 * (size_t)(sides[i].edge >> 32);
      const double *const q = shape->positions + 3 * (size_t)(uint32_t)sides[i].edge;
      double *const middle = shape->positions + 3 * shape->vertex_count;
      for (int k = 0; k < 3; k++) middle[k] = 0.5 * (p[k] + q[k]);
      shape->vertex_count++;
    }
    middle_out[sides[i].corner] = (uint32_t)(shape->vertex_count - 1);
  }
}

bool bench_shape_split(bench_shape *shape) {
  const size_t count = shape->triangle_count;
  if (count > UINT32_MAX / 12) return false;
  edge_side *const sides = sort_sides(shape);
  uint32_t *const middle = malloc((3 * count + 1) * sizeof *middle);
  const bool made = sides != NULL && middle != NULL && reserve(shape, shape->vertex_count + 3 * count, 4 * count);
  if (made) {
    place_middles(shape, sides, middle);
    /* From the back, so that no triangle is overwritten before it is read. */
    for (size_t i = count; i-- > 0;) {
      const uint32_t a = shape->triangles[3 * i], b = shape->triangles[3 * i + 1], c = shape->triangles[3 * i + 2];
      const uint32_t *const m = middle + 3 * i;
      const uint32_t parts[12] = {a, m[0], m[2], m[0], b, m[1], m[2], m[1], c, m[0], m[1], m[2]};
      memcpy(shape->triangles + 12 * i, parts, sizeof parts);
    }
    shape->triangle_count = 4 * count;
  }
  free(sides);
  free(middle);
  return made;
}

void bench_shape_fit(bench_shape *shape, double side) {
  double lower[3], upper[3], extent = 0.0;
  bench_shape_bounds(shape, lower, upper);
  for (int k = 0; k < 3; k++) extent = fmax(extent, upper[k] - lower[k]);
  const double scale = extent > 0.0 ? side / extent : 1.0;
  for (size_t i = 0; i < 3 * shape->vertex_count; i++)
    shape->positions[i] = scale * (shape->positions[i] - 0.5 * (lower[i % 3] + upper[i % 3]));
}

void bench_shape_round_to_float(bench_shape *shape) {
  for (size_t i = 0; i < 3 * shape->vertex_count; i++) shape->positions[i] = (double)(float)shape->positions[i];
}
