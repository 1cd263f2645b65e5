/* Triangle meshes of the benchmark and the changes that turn one mesh into many test cases: fold, split, copy, turn,
 * shuffle.
 *
 * Plain arrays of at most a few million triangles. Every coordinate is rounded to float when a scene is finished, so
 * that libraries of either precision are asked the same question. Functions return false when memory runs out and then
 * leave their input as it was. */
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

/* Appends the vertices and triangles of `part`, moved by `offset`; shape and part may not be the same. */
bool bench_shape_append(bench_shape *shape, const double *positions, size_t vertex_count, const uint32_t *triangles,
                        size_t triangle_count, const double offset[3]);

bool bench_shape_copy(const bench_shape *shape, const double offset[3], bench_shape *copy_out);

/* Lower and upper corner over all vertices that a triangle uses; zeros for a shape without triangles. */
void bench_shape_bounds(const bench_shape *shape, double lower_out[3], double upper_out[3]);

double bench_shape_mean_edge(const bench_shape *shape);

/* Folds the shape like paper at the middle of its extent along an axis: x -> middle + |x - middle|. */
void bench_shape_fold(bench_shape *shape, int axis);

/* A quarter turn about the vertical (second) axis through the middle of the bounds. */
void bench_shape_turn(bench_shape *shape);

/* Scales the shape evenly and moves it, so that its bounds fit into a cube of this side around the origin. */
void bench_shape_fit(bench_shape *shape, double side);

/* Cuts each triangle into four at the middles of its edges; triangles that shared an edge share its middle. */
bool bench_shape_split(bench_shape *shape);

/* Vertices and triangles in an order that has nothing to do with where they are: always the same one. */
bool bench_shape_shuffle(bench_shape *shape);

void bench_shape_round_to_float(bench_shape *shape);

#ifdef __cplusplus
}
#endif

#endif
