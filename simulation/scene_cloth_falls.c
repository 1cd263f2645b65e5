/* Sheets that fall on a static object: a chair of boxes with tiny gaps between its parts, and a lump. */
#include "simulation/scene_table.h"

#include "models/model_builder.h"

static bool fall(scene_stage *stage, mesh *cloth, mesh *below, double edge) {
  simulation_settings settings = simulation_settings_default();
  settings.thickness = 0.3 * edge;
  settings.friction = 0.4;
  return stage_make_world(stage, &settings) && stage_check(stage, simulation_add_cloth(stage->world, cloth, 0.05)) &&
         stage_check(stage, simulation_add_kinematic(stage->world, below));
}

bool start_cloth_chair(scene_stage *stage) {
  static const double boxes[][6] = {{0, 0, 0, 0.5, 0.03, 0.5},
                                    {0, 0.552, -0.46, 0.5, 0.52, 0.03},
                                    {-0.45, -0.382, -0.45, 0.03, 0.35, 0.03},
                                    {0.45, -0.382, -0.45, 0.03, 0.35, 0.03},
                                    {-0.45, -0.382, 0.45, 0.03, 0.35, 0.03},
                                    {0.45, -0.382, 0.45, 0.03, 0.35, 0.03},
                                    {-0.45, 0.152, 0.45, 0.03, 0.12, 0.03},
                                    {0.45, 0.152, 0.45, 0.03, 0.12, 0.03}};
  const uint64_t total = stage->parameters.primitives < 300 ? 300 : stage->parameters.primitives;
  double edge = 0.0;
  if (!stage_reserve(stage, 2)) return false;
  mesh *cloth = stage_add_sheet(stage, "cloth", total - 96, 2.2, 1.1, &edge);
  mesh *chair = cloth == NULL ? NULL : stage_add_boxes(stage, "chair", boxes, 8);
  return chair != NULL && fall(stage, cloth, chair, edge);
}

bool start_cloth_statue(scene_stage *stage) {
  const uint64_t total = stage->parameters.primitives < 300 ? 300 : stage->parameters.primitives;
  double edge = 0.0;
  if (!stage_reserve(stage, 2)) return false;
  mesh *cloth = stage_add_sheet(stage, "cloth", total / 2, 2.6, 0.0, &edge);
  mesh *statue = cloth == NULL ? NULL : stage_add_model(stage, "blob", total / 2, stage->parameters.seed, "statue");
  if (statue == NULL) return false;
  double top = statue->positions[1];
  for (size_t i = 0; i < statue->vertex_count; ++i) {
    top = statue->positions[3 * i + 1] > top ? statue->positions[3 * i + 1] : top;
  }
  mesh_place(statue, 0.6, point3_make(0.0, -0.6 * top - 0.5 * edge, 0.0));
  return fall(stage, cloth, statue, edge);
}
