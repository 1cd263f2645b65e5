/* A sheet whose center is held and rotated, faster and faster, so that it winds up and then swings out. */
#include "simulation/scene_table.h"

#include "simulation/particle_math.h"

#include "models/model_builder.h"

static const double held_radius = 0.12;

bool start_whirling_cloth(scene_stage *stage) {
  const uint64_t total = stage->parameters.primitives < 200 ? 200 : stage->parameters.primitives;
  double edge = 0.0;
  if (!stage_reserve(stage, 1)) return false;
  mesh *cloth = stage_add_sheet(stage, "cloth", total, 2.0, 0.0, &edge);
  if (cloth == NULL) return false;
  simulation_settings settings = simulation_settings_default();
  settings.thickness = 0.3 * edge;
  settings.drag = 1.0;
  return stage_make_world(stage, &settings) && stage_check(stage, simulation_add_cloth(stage->world, cloth, 0.05)) &&
         stage_keep_rest(stage);
}

/* Held vertices move on circles: the velocity takes each from its position to its target. */
bool direct_whirling_cloth(scene_stage *stage, uint64_t frame) {
  const mesh *cloth = &stage->meshes[0];
  const double seconds = 1.0 / 30.0, time = (double)frame * seconds;
  const double turns = 0.15 * time * time, reach = held_radius + 1.5 * sqrt(2.0 / (double)cloth->triangle_count);
  const double sine = sine_of_turns(turns), cosine = cosine_of_turns(turns);
  for (size_t i = 0; i < cloth->vertex_count; ++i) {
    const point3 rest = particle_at(stage->rest, i), now = mesh_vertex(cloth, i);
    if (rest.x * rest.x + rest.z * rest.z > reach * reach) continue;
    const point3 goal = point3_make(cosine * rest.x + sine * rest.z, rest.y, cosine * rest.z - sine * rest.x);
    simulation_pin(stage->world, 0, i, point3_scale(point3_minus(goal, now), 1.0 / seconds));
  }
  return true;
}
