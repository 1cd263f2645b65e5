/* A rope: six rods twisted around a straight one, as close as possible without intersecting.
 *
 * Workload: a worst case for bounding boxes. Boxes of long slanted triangles overlap those of neighboring rods almost
 * everywhere, but no two triangles intersect: many candidates, no pairs. Every rod has closed ends. */
#include "models/model_table.h"
#include "models/seeded_random.h"

#include <stdio.h>

enum { STRAND_COUNT = 6, STEPS_PER_TURN = 24 };

static const double strand_orbit = 1.0, rise_per_turn = 5.5;

typedef struct rope {
  uint64_t around, along;
  double turns;
  double strand_radius, core_radius;
} rope;

/* The least distance of two neighboring helices, by sampling: the square of the distance from a point of one to the
 * point of the other `shift` turns ahead is 2 (1 - cos) + rise^2, smooth and even about its minimum. */
static double neighbor_distance(void) {
  double least = 4.0;
  for (int i = -1000; i <= 1000; ++i) {
    const double shift = (double)i / 4000.0;
    const double rise = rise_per_turn * shift;
    const double square = 2.0 * (1.0 - cosine_of_turns(1.0 / STRAND_COUNT + shift)) + rise * rise;
    if (square < least) least = square;
  }
  return strand_orbit * sqrt(least);
}

/* Chords of a helix with 24 steps per turn lie up to 1 - cos(7.5 degrees) = 0.9 % of the orbit inside; the radii leave
 * 1.5 % for that. Longer ropes are finer, and from three turns on not more twisted. */
static rope choose_rope(double target) {
  rope made;
  const double quads = target / (2.0 * (STRAND_COUNT + 1));
  made.around = rounded_count(sqrt(quads * 0.35), 5);
  made.along = rounded_count(quads / (double)made.around - 1.0, 2);
  const double turns = (double)made.along / STEPS_PER_TURN;
  made.turns = turns < 3.0 ? turns : 3.0;
  made.strand_radius = 0.985 * 0.5 * neighbor_distance();
  made.core_radius = 0.985 * strand_orbit - 1.01 * made.strand_radius;
  return made;
}

/* A ring of vertices around the axis of a rod, in the plane perpendicular to its tangent. */
static void write_ring(const rope *shape, uint64_t strand, uint64_t step, const grid_shape *grid, mesh *m) {
  const double share = (double)step / (double)shape->along;
  const double place = (share - 0.5) * shape->turns * rise_per_turn;
  point3 center = point3_make(place, 0.0, 0.0), outward = point3_make(0.0, 1.0, 0.0);
  point3 tangent = point3_make(1.0, 0.0, 0.0);
  double radius = shape->core_radius;
  if (strand < STRAND_COUNT) {
    const double turns = share * shape->turns + (double)strand / STRAND_COUNT;
    const double cosine = cosine_of_turns(turns), sine = sine_of_turns(turns);
    const double rise = rise_per_turn / (6.283185307179586 * strand_orbit);
    outward = point3_make(0.0, cosine, sine);
    center = point3_make(place, strand_orbit * cosine, strand_orbit * sine);
    tangent = point3_unit(point3_make(rise, -sine, cosine));
    radius = shape->strand_radius;
  }
  const point3 side = point3_cross(tangent, outward);
  for (uint64_t i = 0; i < shape->around; ++i) {
    const double turns = (double)i / (double)shape->around;
    const point3 offset = point3_add(point3_scale(outward, radius * cosine_of_turns(turns)),
                                     point3_scale(side, radius * sine_of_turns(turns)));
    mesh_set_vertex(m, grid_vertex(grid, step, i), point3_add(center, offset));
  }
}

/* Both ends are closed by a fan around an additional vertex. */
static void write_caps(const rope *shape, const grid_shape *grid, mesh *m) {
  size_t triangle = (size_t)(2 * shape->along * shape->around);
  for (uint64_t end = 0; end < 2; ++end) {
    const uint64_t step = end == 0 ? 0 : shape->along, hub = (shape->along + 1) * shape->around + end;
    point3 sum = point3_make(0.0, 0.0, 0.0);
    for (uint64_t i = 0; i < shape->around; ++i) sum = point3_add(sum, mesh_vertex(m, grid_vertex(grid, step, i)));
    mesh_set_vertex(m, hub, point3_scale(sum, 1.0 / (double)shape->around));
    for (uint64_t i = 0; i < shape->around; ++i) {
      const uint64_t a = grid_vertex(grid, step, i), b = grid_vertex(grid, step, i + 1);
      mesh_set_triangle(m, triangle++, hub, end == 0 ? b : a, end == 0 ? a : b);
    }
  }
}

bool make_rods(const model_parameters *parameters, model_output *output) {
  const rope shape = choose_rope((double)parameters->primitives);
  const grid_shape grid = {shape.along, shape.around, false, true};
  if (!model_output_reserve(output, STRAND_COUNT + 1)) return false;
  for (uint64_t strand = 0; strand <= STRAND_COUNT; ++strand) {
    char name[32];
    snprintf(name, sizeof name, "rod_%u", (unsigned)strand);
    mesh *m =
        model_output_add(output, name, grid_vertex_count(&grid) + 2, 2 * shape.along * shape.around + 2 * shape.around);
    if (m == NULL) return false;
    for (uint64_t step = 0; step <= shape.along; ++step) write_ring(&shape, strand, step, &grid, m);
    grid_write_triangles(&grid, m, 0);
    write_caps(&shape, &grid, m);
    mesh_turn(m, parameters->seed);
  }
  return true;
}
