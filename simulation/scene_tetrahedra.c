/* Bodies of tetrahedra, after the thesis on tetrahedral meshes: two soft ones that accelerate into each other, a soft
 * one on a stiff one, a stiff one on a soft one, and one that passes through another along x by a rule. */
#include "simulation/scene_table.h"

#include "simulation/particle_math.h"

#include "models/model_builder.h"

#include <stdlib.h>
#include <string.h>

static mesh *add_ball(scene_stage *stage, const char *shape, uint64_t tetrahedra, const char *name, double scale,
                      point3 place) {
  mesh *ball = stage_add_model(stage, shape, tetrahedra, 0, name);
  if (ball != NULL) mesh_place(ball, scale, place);
  return ball;
}

/* A length that is small compared with the outer faces: a ball of n tetrahedra has edges of about 2 / cbrt(n). */
static double usual_thickness(uint64_t tetrahedra) {
  return 0.25 / cube_root((double)tetrahedra);
}

static uint64_t half_of(const scene_stage *stage) {
  return stage->parameters.primitives < 200 ? 100 : stage->parameters.primitives / 2;
}

/* The stiffness of edges. */
static const double softness = 0.004;

bool start_soft_pair(scene_stage *stage) {
  const uint64_t half = half_of(stage);
  if (!stage_reserve(stage, 2)) return false;
  mesh *left = add_ball(stage, "tet-ball", half, "left", 0.5, point3_make(-0.75, 0.0, 0.0));
  mesh *right = left == NULL ? NULL : add_ball(stage, "tet-ball", half, "right", 0.5, point3_make(0.75, 0.15, 0.1));
  if (right == NULL) return false;
  simulation_settings settings = simulation_settings_default();
  settings.gravity = point3_make(0.0, 0.0, 0.0);
  settings.thickness = usual_thickness(half);
  settings.drag = 0.2;
  const point3 still = point3_make(0.0, 0.0, 0.0);
  return stage_make_world(stage, &settings) &&
         stage_check(stage, simulation_add_soft(stage->world, left, softness, still)) &&
         stage_check(stage, simulation_add_soft(stage->world, right, softness, still));
}

/* Driven towards each other for two thirds of the frames. */
bool direct_soft_pair(scene_stage *stage, uint64_t frame) {
  if (3 * frame > 2 * stage->parameters.frames) return true;
  simulation_drive(stage->world, 0, point3_make(0.06, 0.0, 0.0));
  simulation_drive(stage->world, 1, point3_make(-0.06, 0.0, 0.0));
  return true;
}

bool start_soft_on_stiff(scene_stage *stage) {
  const uint64_t half = half_of(stage);
  if (!stage_reserve(stage, 2)) return false;
  mesh *soft = add_ball(stage, "tet-ball", half, "soft", 0.6, point3_make(0.0, 0.95, 0.0));
  mesh *stiff = soft == NULL ? NULL : add_ball(stage, "tet-torus", half, "stiff", 0.6, point3_make(0.0, 0.0, 0.0));
  if (stiff == NULL) return false;
  simulation_settings settings = simulation_settings_default();
  settings.thickness = usual_thickness(half);
  settings.gravity = point3_make(0.0, -3.0, 0.0);
  return stage_make_world(stage, &settings) &&
         stage_check(stage, simulation_add_soft(stage->world, soft, softness, point3_make(0.0, -0.5, 0.0))) &&
         stage_check(stage, simulation_add_kinematic(stage->world, stiff));
}

/* ---------------------------------------------------------------------------------------------- stiff on soft */

static void bounds_of(const mesh *body, double low[3], double high[3]) {
  for (int k = 0; k < 3; ++k) low[k] = high[k] = body->vertex_count > 0 ? body->positions[k] : 0.0;
  for (size_t i = 0; i < 3 * body->vertex_count; ++i) {
    if (body->positions[i] < low[i % 3]) low[i % 3] = body->positions[i];
    if (body->positions[i] > high[i % 3]) high[i % 3] = body->positions[i];
  }
}

/* Scales a mesh to this length along its longest side, and places its bottom above the origin at this height. Returns
 * the height of its top. */
static double stand(mesh *body, double size, double bottom) {
  double low[3], high[3], longest = 0.0;
  bounds_of(body, low, high);
  for (int k = 0; k < 3; ++k) longest = high[k] - low[k] > longest ? high[k] - low[k] : longest;
  const double scale = longest > 0.0 ? size / longest : 1.0;
  mesh_place(
      body, scale,
      point3_make(-0.5 * scale * (low[0] + high[0]), bottom - scale * low[1], -0.5 * scale * (low[2] + high[2])));
  return bottom + scale * (high[1] - low[1]);
}

static mesh *add_copy(scene_stage *stage, const mesh *body, const char *name) {
  mesh *copy = stage_add_mesh(stage, name, MESH_TETRAHEDRA);
  if (copy == NULL) return NULL;
  copy->positions = malloc(3 * body->vertex_count * sizeof(double) + 1);
  copy->tetrahedra = malloc(4 * body->tetrahedron_count * sizeof(uint32_t) + 1);
  if (copy->positions == NULL || copy->tetrahedra == NULL) {
    stage_out_of_memory(stage);
    return NULL;
  }
  memcpy(copy->positions, body->positions, 3 * body->vertex_count * sizeof(double));
  memcpy(copy->tetrahedra, body->tetrahedra, 4 * body->tetrahedron_count * sizeof(uint32_t));
  copy->vertex_count = body->vertex_count;
  copy->tetrahedron_count = body->tetrahedron_count;
  return copy;
}

static mesh *add_body(scene_stage *stage, size_t number, const char *shape, const char *name) {
  const mesh *bodies = stage->parameters.bodies;
  return bodies != NULL ? add_copy(stage, &bodies[number], name)
                        : stage_add_model(stage, shape, half_of(stage), 0, name);
}

/* The plate is the third mesh and not an object of the frames. */
bool start_stiff_on_soft(scene_stage *stage) {
  static const double plate[1][6] = {{0.0, -0.1, 0.0, 2.0, 0.05, 2.0}};
  if (!stage_reserve(stage, 3)) return false;
  mesh *soft = add_body(stage, 0, "tet-torus", "soft");
  mesh *stiff = soft == NULL ? NULL : add_body(stage, 1, "tet-ball", "stiff");
  mesh *below = stiff == NULL ? NULL : stage_add_boxes(stage, "plate", plate, 1);
  if (below == NULL) return false;
  stand(stiff, 0.9, stand(soft, 1.3, 0.0) + 0.15);
  stage->shown_count = 2;
  simulation_settings settings = simulation_settings_default();
  settings.thickness = usual_thickness(half_of(stage));
  settings.gravity = point3_make(0.0, -2.0, 0.0);
  const point3 still = point3_make(0.0, 0.0, 0.0), falling = point3_make(0.0, -0.3, 0.0);
  return stage_make_world(stage, &settings) &&
         stage_check(stage, simulation_add_soft(stage->world, soft, 4.0 * softness, still)) &&
         stage_check(stage, simulation_add_stiff(stage->world, stiff, falling)) &&
         stage_check(stage, simulation_add_kinematic(stage->world, below));
}

/* ---------------------------------------------------------------------------------------------- through each other */

bool start_pass_through(scene_stage *stage) {
  const uint64_t half = half_of(stage);
  if (!stage_reserve(stage, 2)) return false;
  mesh *fixed = add_ball(stage, "tet-ball", half, "fixed", 1.0, point3_make(0.0, 0.0, 0.0));
  mesh *moving = fixed == NULL ? NULL : stage_add_model(stage, "tet-ball", half, stage->parameters.seed + 1, "moving");
  if (moving == NULL) return false;
  mesh_place(moving, 1.0, point3_make(-2.1, 0.1, 0.05));
  return stage_keep_rest(stage);
}

/* From one side to the other, in even steps. */
bool direct_pass_through(scene_stage *stage, uint64_t frame) {
  const mesh *fixed = &stage->meshes[0];
  mesh *moving = &stage->meshes[1];
  const double *rest = stage->rest + 3 * fixed->vertex_count;
  const double way =
      stage->parameters.frames < 2 ? 0.0 : 4.2 * (double)(frame - 1) / (double)(stage->parameters.frames - 1);
  for (size_t i = 0; i < moving->vertex_count; ++i) {
    const point3 from = particle_at(rest, i);
    mesh_set_vertex(moving, i, point3_make(from.x + way, from.y, from.z));
  }
  return true;
}
