/* Triangles that share nothing or almost nothing: soup, needles, and the mix of very different sizes.
 *
 * The size of soup triangles shrinks with the cube root of their number, so that the expected number of partners of a
 * triangle stays the same. The needles break tests with tolerances: aspects up to 1e8, in planes that agree exactly or
 * up to rounding. The mix breaks structures with one cell size. */
#include "models/model_table.h"
#include "models/seeded_random.h"

#include <stdio.h>

/* Three corners at random directions from a random center; the size varies by a factor of four. */
bool make_soup(const model_parameters *parameters, model_output *output) {
  const uint64_t count = parameters->primitives;
  if (!model_output_reserve(output, 1)) return false;
  mesh *m = model_output_add(output, "soup", 3 * count, count);
  if (m == NULL) return false;
  random_stream stream = random_stream_make(parameters->seed, 21);
  const double size = 0.9 / cube_root((double)count);
  for (uint64_t i = 0; i < count; ++i) {
    const double x = random_unit(&stream), y = random_unit(&stream), z = random_unit(&stream);
    const double reach = size * random_between(&stream, 0.4, 1.6);
    for (uint64_t corner = 0; corner < 3; ++corner) {
      const point3 offset = point3_scale(random_direction(&stream), reach);
      mesh_set_vertex(m, 3 * i + corner, point3_add(point3_make(x, y, z), offset));
    }
    mesh_set_triangle(m, i, 3 * i, 3 * i + 1, 3 * i + 2);
  }
  return true;
}

/* ------------------------------------------------------------------------------------------------ needles */

enum { NEEDLES_PER_FAN = 64 };

typedef struct fan_plane {
  point3 center, first, second; /* unit vectors that span the plane */
} fan_plane;

static point3 plane_point(const fan_plane *plane, double u, double v) {
  const point3 sum = point3_add(point3_scale(plane->first, u), point3_scale(plane->second, v));
  return point3_add(plane->center, sum);
}

/* Needles from the hub (u, 0) in all directions, each with its own two tips. The width is a power of ten from 0 to -8
 * times a random fraction of the spacing, so that needles of one fan intersect only at the hub. */
static void write_fan(mesh *m, uint64_t fan, uint64_t needles, const fan_plane *plane, double hub,
                      random_stream *stream) {
  const uint64_t first_vertex = fan * (1 + 2 * needles);
  mesh_set_vertex(m, first_vertex, plane_point(plane, hub, 0.0));
  const double spacing = 1.0 / (double)needles;
  for (uint64_t i = 0; i < needles; ++i) {
    const double turns = ((double)i + random_between(stream, 0.0, 0.4)) * spacing;
    double width = random_between(stream, 0.1, 0.5) * 6.28 * spacing;
    for (uint64_t power = random_bits(stream) % 9; power > 0; --power) width /= 10.0;
    const double reach = random_between(stream, 0.6, 1.0);
    const double cosine = reach * cosine_of_turns(turns), sine = reach * sine_of_turns(turns);
    const uint64_t tip = first_vertex + 1 + 2 * i;
    mesh_set_vertex(m, tip, plane_point(plane, hub + cosine, sine));
    mesh_set_vertex(m, tip + 1, plane_point(plane, hub + cosine - width * sine, sine + width * cosine));
    mesh_set_triangle(m, fan * needles + i, first_vertex, tip, tip + 1);
  }
}

/* Every second plane is z = constant, where all corners of both fans agree exactly; the others are tilted, where they
 * agree up to rounding. Centers are on a cubic lattice wide enough for a fan pair each. */
static fan_plane choose_plane(uint64_t number, uint64_t side, random_stream *stream) {
  fan_plane plane;
  plane.center = point3_make(3.0 * (double)(number % side), 3.0 * (double)(number / side % side),
                             3.0 * (double)(number / side / side));
  plane.first = point3_make(1.0, 0.0, 0.0);
  plane.second = point3_make(0.0, 1.0, 0.0);
  if (number % 2 == 0) return plane;
  plane.first = random_direction(stream);
  const point3 other = fabs(plane.first.x) < 0.6 ? point3_make(1.0, 0.0, 0.0) : point3_make(0.0, 1.0, 0.0);
  plane.second = point3_unit(point3_cross(plane.first, other));
  return plane;
}

bool make_needles(const model_parameters *parameters, model_output *output) {
  const uint64_t target = parameters->primitives;
  const uint64_t needles = target >= 2 * NEEDLES_PER_FAN ? NEEDLES_PER_FAN : (target + 1) / 2;
  const uint64_t fans = rounded_count((double)target / (2.0 * (double)needles), 1);
  const uint64_t side = rounded_count(ceil(cube_root((double)fans)), 1);
  if (!model_output_reserve(output, 2)) return false;
  mesh *lower = model_output_add(output, "fans", fans * (1 + 2 * needles), fans * needles);
  mesh *upper =
      lower == NULL ? NULL : model_output_add(output, "crossing_fans", fans * (1 + 2 * needles), fans * needles);
  if (upper == NULL) return false;
  random_stream stream = random_stream_make(parameters->seed, 22);
  for (uint64_t fan = 0; fan < fans; ++fan) {
    const fan_plane plane = choose_plane(fan, side, &stream);
    write_fan(lower, fan, needles, &plane, -0.35, &stream);
    write_fan(upper, fan, needles, &plane, 0.35, &stream);
  }
  return true;
}

/* ------------------------------------------------------------------------------------------------ two sizes and more
 */

enum { STONE_COUNT = 12 };

static bool add_floor(model_output *output, double half_side) {
  mesh *m = model_output_add(output, "floor", 4, 2);
  if (m == NULL) return false;
  for (size_t i = 0; i < 4; ++i) {
    const double x = i == 1 || i == 2 ? half_side : -half_side, z = i >= 2 ? -half_side : half_side;
    mesh_set_vertex(m, i, point3_make(x, 0.0, z));
  }
  mesh_set_triangle(m, 0, 0, 1, 2);
  mesh_set_triangle(m, 1, 0, 2, 3);
  return true;
}

/* Stones form a ring around the blob, sunk to different depths; each is a flattened sphere. */
static bool add_stones(model_output *output, double target, random_stream *stream) {
  for (int i = 0; i < STONE_COUNT; ++i) {
    char name[32];
    snprintf(name, sizeof name, "stone_%d", i);
    mesh *m = add_geodesic_sphere(output, name, target / STONE_COUNT);
    if (m == NULL) return false;
    mesh_turn(m, random_bits(stream) | 1);
    const double size = random_between(stream, 0.15, 0.4), flat = random_between(stream, 0.5, 0.8);
    for (size_t vertex = 0; vertex < m->vertex_count; ++vertex) m->positions[3 * vertex + 1] *= flat;
    const double turns = ((double)i + random_unit(stream) * 0.5) / STONE_COUNT;
    const double away = random_between(stream, 1.5, 2.2);
    const double height = size * random_between(stream, -0.2, 0.4);
    mesh_place(m, size, point3_make(away * cosine_of_turns(turns), height, away * sine_of_turns(turns)));
  }
  return true;
}

bool make_mix(const model_parameters *parameters, model_output *output) {
  const double target = (double)parameters->primitives;
  const double stones = target / 50.0 < 20.0 * STONE_COUNT ? 20.0 * STONE_COUNT : target / 50.0;
  const double fine = target - stones - 2.0 < 20.0 ? 20.0 : target - stones - 2.0;
  if (!model_output_reserve(output, 2 + STONE_COUNT)) return false;
  random_stream stream = random_stream_make(parameters->seed, 23);
  if (!add_floor(output, 500.0)) return false;
  mesh *blob = add_blob(output, "blob", fine, parameters->seed);
  if (blob == NULL) return false;
  mesh_place(blob, 1.0, point3_make(0.0, 0.45, 0.0));
  return add_stones(output, stones, &stream);
}
