/* Balls in disordered orbits around an attracting center: they collide and gather. */
#include "simulation/scene_table.h"

#include "models/model_builder.h"
#include "models/seeded_random.h"

#include <stdio.h>

/* Balls of about this many triangles. */
enum { BALL_TRIANGLES = 320, LEAST_BALLS = 8 };

/* A position in a cubic lattice with some jitter, so that no two balls intersect at first. */
static point3 lattice_place(uint64_t number, uint64_t side, double spacing, random_stream *draw) {
  const double middle = 0.5 * (double)(side - 1);
  const point3 place = point3_make((double)(number % side) - middle, (double)(number / side % side) - middle,
                                   (double)(number / side / side) - middle);
  const double x = random_between(draw, -0.2, 0.2), y = random_between(draw, -0.2, 0.2);
  const point3 play = point3_make(x, y, random_between(draw, -0.2, 0.2));
  return point3_scale(point3_add(place, play), spacing);
}

bool start_n_body(scene_stage *stage) {
  const uint64_t count = rounded_count((double)stage->parameters.primitives / BALL_TRIANGLES, LEAST_BALLS);
  const uint64_t triangles = stage->parameters.primitives / count;
  const uint64_t side = rounded_count(cube_root((double)count) + 0.499, 1);
  const double spacing = 2.0 / (double)side;
  random_stream draw = random_stream_make(stage->parameters.seed, 23);
  if (!stage_reserve(stage, (size_t)count)) return false;
  simulation_settings settings = simulation_settings_default();
  settings.gravity = point3_make(0.0, 0.0, 0.0);
  settings.drag = 0.05;
  settings.thickness = 0.04 * spacing;
  if (!stage_make_world(stage, &settings)) return false;
  for (uint64_t i = 0; i < count; ++i) {
    char name[32];
    snprintf(name, sizeof name, "ball_%llu", (unsigned long long)i);
    mesh *ball = stage_add_model(stage, "sphere", triangles < 20 ? 20 : triangles, 0, name);
    if (ball == NULL) return false;
    const point3 place = lattice_place(i, side, spacing, &draw);
    mesh_place(ball, random_between(&draw, 0.14, 0.27) * spacing, place);
    const point3 around = point3_make(-place.z, 0.0, place.x);
    const point3 velocity = point3_add(point3_scale(around, 0.6), point3_scale(random_direction(&draw), 0.3));
    if (!stage_check(stage, simulation_add_stiff(stage->world, ball, velocity))) return false;
  }
  return true;
}

bool direct_n_body(scene_stage *stage, uint64_t frame) {
  (void)frame;
  for (size_t i = 0; i < stage->mesh_count; ++i) {
    const point3 center = simulation_center(stage->world, i);
    simulation_push(stage->world, i, point3_scale(center, -1.0 / 30.0), point3_make(0.0, 0.0, 0.0));
  }
  return true;
}
