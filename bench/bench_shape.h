/* Triangle meshes of the benchmark, and operations that derive scenes from them: fold, split, copy, rotate, shuffle.
 *
 * Plain arrays of at most a few million triangles. Every coordinate is rounded to float when a scene is finished, so
 * that libraries of either precision get the same input. Functions return false if out of memory and then do not change
 * their input. */
#ifndef GRAZE_BENCH_SHAPE_H
#define GRAZE_BENCH_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bench_shape {
  double *positions; /* 3 * vertex_count, owned */
  size_t vertex_count;
  uint32_t *triangles; /* 3 * triangle_count, owned */
  size_t triangle_count;
} bench_shape;

void bench_shape_free(bench_shape *shape); /* zeroed structs are allowed */

/* Appends vertices and triangles, moved by `offset`. They must not be those of `shape`. */
bool bench_shape_append(bench_shape *shape, const double *positions, size_t vertex_count, const uint32_t *triangles,
                        size_t triangle_count, const double offset[3]);

bool bench_shape_copy(const bench_shape *shape, const double offset[3], bench_shape *copy_out);

/* Computes the bounding box of all vertices that triangles use; zeros for a shape without triangles. */
void bench_shape_bounds(const bench_shape *shape, double lower_out[3], double upper_out[3]);

double bench_shape_mean_edge(const bench_shape *shape);

/* Folds the shape like paper at the middle of its extent along an axis: x -> middle + |x - middle|. */
void bench_shape_fold(bench_shape *shape, int axis);

/* Rotates by 90 degrees about the vertical (second) axis through the center of the bounds. */
void bench_shape_turn(bench_shape *shape);

/* Scales the shape uniformly and moves it, so that its bounds fit into a cube with this side around the origin. */
void bench_shape_fit(bench_shape *shape, double side);

/* Splits each triangle into four at the midpoints of its edges; triangles that share an edge share its midpoint. */
bool bench_shape_split(bench_shape *shape);

/* Reorders vertices and triangles by a fixed random permutation. */
bool bench_shape_shuffle(bench_shape *shape);

void bench_shape_round_to_float(bench_shape *shape);

#ifdef __cplusplus
}
#endif

#endif
