/* Cloth on a ball, after the benchmark of the UNC group in which a rotating ball winds up a sheet: nine tenths of the
 * triangles belong to the sheet. In the last half of the frames the ball rotates about the vertical. */
#include "simulation/scene_table.h"

#include "models/model_builder.h"

static const double ball_radius = 0.5;

bool start_cloth_ball(scene_stage *stage) {
  const uint64_t total = stage->parameters.primitives < 100 ? 100 : stage->parameters.primitives;
  double edge = 0.0;
  if (!stage_reserve(stage, 2)) return false;
  mesh *cloth = stage_add_sheet(stage, "cloth", total - total / 10, 2.0, 0.0, &edge);
  mesh *ball = cloth == NULL ? NULL : stage_add_model(stage, "sphere", total / 10, 0, "ball");
  if (ball == NULL) return false;
  mesh_place(ball, ball_radius, point3_make(0.0, -ball_radius - 0.5 * edge, 0.0));
  simulation_settings settings = simulation_settings_default();
  settings.thickness = 0.3 * edge;
  settings.friction = 0.6;
  return stage_make_world(stage, &settings) && stage_check(stage, simulation_add_cloth(stage->world, cloth, 0.05)) &&
         stage_check(stage, simulation_add_kinematic(stage->world, ball));
}

bool direct_cloth_ball(scene_stage *stage, uint64_t frame) {
  const point3 still = point3_make(0.0, 0.0, 0.0);
  const bool turns = 2 * frame > stage->parameters.frames + 10;
  simulation_set_motion(stage->world, 1, still, turns ? point3_make(0.0, 2.0, 0.0) : still);
  return true;
}
