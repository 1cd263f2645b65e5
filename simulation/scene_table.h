/* The common declarations of scene files: the stage that they set up, and one row each. */
#ifndef GRAZE_SCENE_TABLE_H
#define GRAZE_SCENE_TABLE_H

#include "simulation/moving_scene.h"
#include "simulation/simulation.h"

struct scene_stage {
  const moving_scene *scene;
  scene_parameters parameters; /* defaults filled in */
  mesh *meshes;                /* reserved once, so that bodies can point to them */
  size_t mesh_count, mesh_capacity;
  size_t first_shown, shown_count; /* the meshes that are objects of the frame; 0: all */
  simulation *world;               /* NULL: only `direct` moves it */
  double *rest;                    /* for scenes without a world: positions of frame 1, mesh after mesh */
  uint64_t frame;                  /* from 1 */
  char *error;
  size_t error_bytes;
};

/* Helpers of `start` and `direct`. Each writes a message on failure. */
bool stage_reserve(scene_stage *stage, size_t mesh_capacity);
bool stage_out_of_memory(scene_stage *stage);

/* A mesh of a built-in model (models/model.h), or the first of several; NULL after a message. */
mesh *stage_add_model(scene_stage *stage, const char *model, uint64_t primitives, uint64_t seed, const char *name);

/* A square sheet of about this many triangles in the plane y = height, with offsets of a hundredth of an edge so that
 * it does not fall in perfect symmetry; its edges are about *edge_out long. */
mesh *stage_add_sheet(scene_stage *stage, const char *name, uint64_t triangles, double side, double height,
                      double *edge_out);

/* A grid of rows x columns quads with alternating diagonals; the caller sets positions. A wrapped grid closes in its
 * columns. Vertex (row, column) has the number row * (columns or columns + 1) + column. */
mesh *stage_add_grid(scene_stage *stage, const char *name, uint64_t rows, uint64_t columns, bool wrapped);

/* Starts the next mesh, empty, with this name. */
mesh *stage_add_mesh(scene_stage *stage, const char *name, mesh_kind kind);

/* Creates the world, after its settings were chosen; bodies are then added by simulation_add_*. */
bool stage_make_world(scene_stage *stage, const simulation_settings *settings);
bool stage_check(scene_stage *stage, bool added); /* writes a message on failure */

/* Stores the current positions of all meshes, for scenes without a world. */
bool stage_keep_rest(scene_stage *stage);

/* Boxes of twelve triangles each, as one object; centers and half sides, three numbers each. */
mesh *stage_add_boxes(scene_stage *stage, const char *name, const double (*boxes)[6], size_t box_count);

/* The functions of the rows. */
bool start_cloth_ball(scene_stage *stage);
bool direct_cloth_ball(scene_stage *stage, uint64_t frame);
bool start_cloth_chair(scene_stage *stage);
bool start_cloth_statue(scene_stage *stage);
bool start_whirling_cloth(scene_stage *stage);
bool direct_whirling_cloth(scene_stage *stage, uint64_t frame);
bool start_funnel(scene_stage *stage);
bool direct_funnel(scene_stage *stage, uint64_t frame);
bool start_n_body(scene_stage *stage);
bool direct_n_body(scene_stage *stage, uint64_t frame);
bool start_exploding_solid(scene_stage *stage);
bool direct_exploding_solid(scene_stage *stage, uint64_t frame);
bool start_breaking_solid(scene_stage *stage);
bool direct_breaking_solid(scene_stage *stage, uint64_t frame);
bool start_soft_pair(scene_stage *stage);
bool direct_soft_pair(scene_stage *stage, uint64_t frame);
bool start_soft_on_stiff(scene_stage *stage);
bool start_stiff_on_soft(scene_stage *stage);
bool start_soft_net(scene_stage *stage);
bool start_pass_through(scene_stage *stage);
bool direct_pass_through(scene_stage *stage, uint64_t frame);
bool start_packings(scene_stage *stage);
bool direct_packings(scene_stage *stage, uint64_t frame);

#endif
