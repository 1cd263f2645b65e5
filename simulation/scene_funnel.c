/* A sheet over a funnel, and a ball from above that presses it through: four fifths of the triangles belong to the
 * sheet, as in the benchmark of the UNC group (14.4k, 2k and 1.7k). */
#include "simulation/scene_table.h"

#include "models/model_builder.h"

/* The radius of the funnel over the height, which goes from 0 at its rim down to -1.4. */
static double funnel_radius(double height) {
  return height > -0.7 ? 0.3 + 0.9 * (height + 0.7) / 0.7 : 0.3;
}

static mesh *add_funnel(scene_stage *stage, uint64_t triangles) {
  const uint64_t rows = rounded_count(sqrt((double)triangles / 4.0), 4), columns = 2 * rows;
  mesh *m = stage_add_grid(stage, "funnel", rows, columns, true);
  for (uint64_t row = 0; m != NULL && row <= rows; ++row) {
    const double height = -1.4 * (double)row / (double)rows, radius = funnel_radius(height);
    for (uint64_t column = 0; column < columns; ++column) {
      const double turns = (double)column / (double)columns;
      mesh_set_vertex(m, (size_t)(row * columns + column),
                      point3_make(radius * cosine_of_turns(turns), height, radius * sine_of_turns(turns)));
    }
  }
  return m;
}

bool start_funnel(scene_stage *stage) {
  const uint64_t total = stage->parameters.primitives < 500 ? 500 : stage->parameters.primitives;
  double edge = 0.0;
  if (!stage_reserve(stage, 3)) return false;
  mesh *cloth = stage_add_sheet(stage, "cloth", total - total / 5, 1.8, 0.05, &edge);
  mesh *funnel = cloth == NULL ? NULL : add_funnel(stage, total / 9);
  mesh *ball = funnel == NULL ? NULL : stage_add_model(stage, "sphere", total / 10, 0, "ball");
  if (ball == NULL) return false;
  mesh_place(ball, 0.18, point3_make(0.0, 0.35, 0.0));
  simulation_settings settings = simulation_settings_default();
  settings.thickness = 0.3 * edge;
  settings.friction = 0.1;
  return stage_make_world(stage, &settings) && stage_check(stage, simulation_add_cloth(stage->world, cloth, 0.02)) &&
         stage_check(stage, simulation_add_kinematic(stage->world, funnel)) &&
         stage_check(stage, simulation_add_kinematic(stage->world, ball));
}

/* Moves to below the funnel in three quarters of the frames. */
bool direct_funnel(scene_stage *stage, uint64_t frame) {
  const double seconds = (double)stage->parameters.frames / 30.0, way = 2.2;
  const bool waits = frame < stage->parameters.frames / 8 || simulation_center(stage->world, 2).y < 0.35 - way;
  const point3 still = point3_make(0.0, 0.0, 0.0);
  simulation_set_motion(stage->world, 2, waits ? still : point3_make(0.0, -way / (0.75 * seconds), 0.0), still);
  return true;
}
