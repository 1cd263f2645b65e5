/* Solids that break along the cells of a Voronoi diagram, as in film effects: one flies apart, one falls on a floor.
 * Frame 1 shows the solid whole, as one object; from frame 2 on its pieces are separate objects. */
#include "simulation/scene_table.h"

#include "simulation/convex_cell.h"
#include "simulation/particle_math.h"

#include "models/model_builder.h"
#include "models/seeded_random.h"

#include <stdio.h>
#include <stdlib.h>

/* Before subdivision: the number of sides of the solid, of triangles of all its sides, and the approximate number of
 * further triangles of a piece. */
enum { SIDES = 80, SOLID_TRIANGLES = 480, PIECE_TRIANGLES = 70, LEAST_PIECES = 4 };

/* Pieces are smaller than their cells by this factor, so they do not touch. */
static const double shrunk = 0.98;

/* Directions distributed evenly over the sphere along a spiral. */
static point3 side_direction(size_t number) {
  const double y = 1.0 - (2.0 * (double)number + 1.0) / SIDES, radius = sqrt(1.0 - y * y);
  const double turns = 0.61803398874989485 * (double)number;
  return point3_make(radius * cosine_of_turns(turns), y, radius * sine_of_turns(turns));
}

static bool cut_sides(convex_cell *cell) {
  bool cut = convex_cell_box(cell, 1.0);
  for (size_t i = 0; cut && i < SIDES; ++i) cut = convex_cell_cut(cell, side_direction(i), 0.9);
  return cut;
}

/* The part of the solid that is nearer to its seed than to all others. */
static bool cut_piece(convex_cell *cell, const point3 *seeds, size_t seed_count, size_t number) {
  bool cut = cut_sides(cell);
  for (size_t i = 0; cut && i < seed_count; ++i) {
    const point3 between = point3_minus(seeds[i], seeds[number]);
    const double distance = point3_length(between);
    if (i == number || distance > 2.0 * convex_cell_radius(cell, seeds[number])) continue;
    const point3 normal = point3_scale(between, 1.0 / distance);
    const point3 middle = point3_scale(point3_add(seeds[i], seeds[number]), 0.5);
    cut = convex_cell_cut(cell, normal, point3_dot(normal, middle));
  }
  return cut;
}

static uint32_t refinements(uint64_t primitives) {
  return primitives < 1500 ? 0 : primitives < 20000 ? 1 : primitives < 1000000 ? 2 : 3;
}

static bool add_cell(scene_stage *stage, const char *name, const convex_cell *cell, uint32_t levels, double factor) {
  mesh *made = stage_add_mesh(stage, name, MESH_POLYGONS);
  return made != NULL && stage_check(stage, convex_cell_mesh(cell, levels, factor, made));
}

static bool add_whole(scene_stage *stage, uint32_t levels) {
  convex_cell cell = {0};
  bool added = stage_check(stage, cut_sides(&cell)) && add_cell(stage, "solid", &cell, levels, 1.0);
  convex_cell_free(&cell);
  return added;
}

static bool add_pieces(scene_stage *stage, size_t count, uint32_t levels) {
  random_stream draw = random_stream_make(stage->parameters.seed, 31);
  point3 *seeds = malloc((count + 1) * sizeof *seeds);
  if (seeds == NULL) return stage_out_of_memory(stage);
  for (size_t i = 0; i < count; ++i) {
    /* More of them near the center, where it breaks. */
    const point3 direction = random_direction(&draw);
    seeds[i] = point3_scale(direction, 0.95 * cube_root(1.0 + 7.0 * random_unit(&draw)) - 0.95);
  }
  bool added = true;
  for (size_t i = 0; added && i < count; ++i) {
    char name[32];
    convex_cell cell = {0};
    snprintf(name, sizeof name, "piece_%zu", i);
    added = stage_check(stage, cut_piece(&cell, seeds, count, i));
    if (added && cell.face_count >= 4) added = add_cell(stage, name, &cell, levels, shrunk);
    convex_cell_free(&cell);
  }
  free(seeds);
  return added;
}

static bool break_solid(scene_stage *stage) {
  const uint32_t levels = refinements(stage->parameters.primitives);
  const double uncut = (double)stage->parameters.primitives / (double)(1U << (2 * levels));
  const size_t count = (size_t)rounded_count((uncut - SOLID_TRIANGLES) / PIECE_TRIANGLES, LEAST_PIECES);
  stage->shown_count = 1;
  return stage_reserve(stage, count + 2) && add_whole(stage, levels + 1) && add_pieces(stage, count, levels);
}

static double piece_thickness(const scene_stage *stage) {
  return 0.02 / cube_root((double)stage->mesh_count);
}

bool start_exploding_solid(scene_stage *stage) {
  if (!break_solid(stage)) return false;
  simulation_settings settings = simulation_settings_default();
  settings.gravity = point3_make(0.0, 0.0, 0.0);
  settings.thickness = piece_thickness(stage);
  settings.drag = 0.3;
  settings.iterations = 2;
  if (!stage_make_world(stage, &settings)) return false;
  random_stream draw = random_stream_make(stage->parameters.seed, 37);
  for (size_t i = 1; i < stage->mesh_count; ++i) {
    if (!stage_check(stage, simulation_add_stiff(stage->world, &stage->meshes[i], point3_make(0.0, 0.0, 0.0))))
      return false;
    const point3 out = simulation_center(stage->world, i - 1);
    const point3 velocity = point3_scale(out, random_between(&draw, 0.8, 1.2));
    simulation_push(stage->world, i - 1, velocity, point3_scale(random_direction(&draw), 1.0));
  }
  return true;
}

bool direct_exploding_solid(scene_stage *stage, uint64_t frame) {
  (void)frame;
  stage->first_shown = 1;
  stage->shown_count = stage->mesh_count - 1;
  return true;
}

bool start_breaking_solid(scene_stage *stage) {
  static const double floor_box[1][6] = {{0.0, -1.3, 0.0, 4.0, 0.1, 4.0}};
  if (!break_solid(stage)) return false;
  mesh *ground = stage_add_boxes(stage, "floor", floor_box, 1);
  if (ground == NULL) return false;
  simulation_settings settings = simulation_settings_default();
  settings.thickness = piece_thickness(stage);
  settings.drag = 0.1;
  settings.gravity = point3_make(0.0, -2.0, 0.0);
  if (!stage_make_world(stage, &settings)) return false;
  for (size_t i = 1; i + 1 < stage->mesh_count; ++i) {
    if (!stage_check(stage, simulation_add_stiff(stage->world, &stage->meshes[i], point3_make(0.0, -1.0, 0.0))))
      return false;
  }
  return stage_check(stage, simulation_add_kinematic(stage->world, ground));
}

/* The floor appears with the pieces. */
bool direct_breaking_solid(scene_stage *stage, uint64_t frame) {
  return direct_exploding_solid(stage, frame);
}
