/* graze as an engine, through its public header: set the pose, update, query. The times include everything that a
 * simulation frame needs, also checks, sorting and hashing. */
#include "bench/rigid_graze.h"

#include "graze/graze.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct graze_bodies {
  graze_scene *scene;
  graze_pairs pairs;
  graze_object_pairs touching;
  graze_object *objects;
  size_t object_count;
} graze_bodies;

static bool fail(rigid_error *error) {
  snprintf(error->text, sizeof error->text, "%s", graze_error_text());
  return false;
}

static void close_bodies(void *opened) {
  graze_bodies *const bodies = opened;
  if (bodies == NULL) return;
  graze_pairs_free(&bodies->pairs);
  graze_object_pairs_free(&bodies->touching);
  graze_scene_destroy(bodies->scene);
  free(bodies->objects);
  free(bodies);
}

static graze_result make_scene(const graze_choice *choice, graze_scene **scene_out) {
  graze_scene_def def = graze_scene_def_default();
  def.worker_count = 1;
  graze_method_def method = graze_method_def_default();
  method.name = choice->method;
  method.tree_builder = choice->builder;
  method.tree_update = choice->update;
  const graze_result result = graze_scene_create(&def, scene_out);
  if (result != GRAZE_OK) return result;
  return choice->set != NULL ? choice->set(*scene_out, &method) : graze_scene_set_method(*scene_out, &method);
}

static graze_result add_body(graze_bodies *bodies, const bench_shape *shape) {
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = (graze_view){shape->positions, shape->vertex_count, 0, GRAZE_FORMAT_DOUBLE3};
  def.triangles = (graze_view){shape->triangles, shape->triangle_count, 0, GRAZE_FORMAT_UINT32_3};
  return graze_scene_add(bodies->scene, GRAZE_KIND_TRIANGLE, &def, NULL, &bodies->objects[bodies->object_count++]);
}

static graze_result set_poses(graze_bodies *bodies, const bench_pose *poses) {
  return graze_scene_set_poses(bodies->scene, bodies->objects, bodies->object_count, poses);
}

/* Creates the bodies, including the first update, which builds the trees. Without poses, bodies keep the identity. */
static void *open_bodies(const rigid_engine *engine, const bench_shape *shapes, size_t shape_count,
                         const bench_pose *poses, size_t body_count, rigid_error *error) {
  graze_bodies *const bodies = calloc(1, sizeof *bodies);
  if (bodies == NULL) return NULL;
  bodies->objects = calloc(body_count, sizeof *bodies->objects);
  graze_result result = bodies->objects != NULL ? make_scene(engine->chosen, &bodies->scene) : GRAZE_OUT_OF_MEMORY;
  for (size_t i = 0; i < body_count && result == GRAZE_OK; i++) result = add_body(bodies, &shapes[i % shape_count]);
  if (result == GRAZE_OK && poses != NULL) result = set_poses(bodies, poses);
  if (result == GRAZE_OK) result = graze_scene_update(bodies->scene);
  if (result == GRAZE_OK) return bodies;
  fail(error);
  close_bodies(bodies);
  return NULL;
}

static void *open_pair(const rigid_engine *engine, const bench_shape shapes[2], rigid_error *error) {
  return open_bodies(engine, shapes, 2, NULL, 2, error);
}

static bool ask(graze_bodies *bodies, rigid_question question, rigid_answer *answer_out, rigid_error *error) {
  graze_query query = graze_query_default();
  query.scope = GRAZE_SCOPE_BETWEEN;
  if (graze_scene_update(bodies->scene) != GRAZE_OK) return fail(error);
  *answer_out = (rigid_answer){0};
  if (question == RIGID_ANY) {
    if (graze_scene_any_pair(bodies->scene, &query, &answer_out->found, NULL) != GRAZE_OK) return fail(error);
    return true;
  }
  if (question == RIGID_TOUCH) {
    graze_object_pairs *const touching = &bodies->touching;
    if (graze_scene_find_object_pairs(bodies->scene, &query, touching) != GRAZE_OK) return fail(error);
    *answer_out = (rigid_answer){touching->count > 0, touching->count, touching->hash, touching->counters->box_tests};
    return true;
  }
  if (graze_scene_find_pairs(bodies->scene, &query, &bodies->pairs) != GRAZE_OK) return fail(error);
  *answer_out = (rigid_answer){bodies->pairs.count > 0, bodies->pairs.count, bodies->pairs.hash,
                               bodies->pairs.counters->box_tests};
  return true;
}

static bool ask_pair(void *pair, const bench_pose *pose, rigid_question question, rigid_answer *answer_out,
                     rigid_error *error) {
  graze_bodies *const bodies = pair;
  if (graze_object_set_pose(bodies->scene, bodies->objects[1], pose) != GRAZE_OK) return fail(error);
  return ask(bodies, question, answer_out, error);
}

static bool ask_frame(void *pair, const bench_shape shapes[2], rigid_answer *answer_out, rigid_error *error) {
  graze_bodies *const bodies = pair;
  for (size_t i = 0; i < 2; i++) {
    const graze_view positions = {shapes[i].positions, shapes[i].vertex_count, 0, GRAZE_FORMAT_DOUBLE3};
    if (graze_object_set_positions(bodies->scene, bodies->objects[i], 0, positions) != GRAZE_OK) return fail(error);
  }
  return ask(bodies, RIGID_ALL, answer_out, error);
}

static bool ask_world(void *world, const bench_pose *poses, rigid_question question, rigid_answer *answer_out,
                      rigid_error *error) {
  graze_bodies *const bodies = world;
  if (set_poses(bodies, poses) != GRAZE_OK) return fail(error);
  return ask(bodies, question, answer_out, error);
}

#define GRAZE_FUNCTIONS                                                                                                \
  .open_pair = open_pair, .ask_pair = ask_pair, .ask_frame = ask_frame, .close_pair = close_bodies,                    \
  .open_world = open_bodies, .ask_world = ask_world, .close_world = close_bodies

enum { ALL_BUT_FRAMES = RIGID_HAS_ANY | RIGID_HAS_ALL | RIGID_HAS_WORLD | RIGID_IS_EXACT };

static const graze_choice tree = {"tree", GRAZE_TREE_BUILDER_AUTO, GRAZE_TREE_UPDATE_AUTO, NULL};
static const graze_choice tree_refitted = {"tree", GRAZE_TREE_BUILDER_AUTO, GRAZE_TREE_UPDATE_REFIT, NULL};
static const graze_choice tree_by_morton = {"tree", GRAZE_TREE_BUILDER_MORTON, GRAZE_TREE_UPDATE_REBUILD, NULL};
static const graze_choice tree_by_splits = {"tree", GRAZE_TREE_BUILDER_SPLITS, GRAZE_TREE_UPDATE_REBUILD, NULL};
static const graze_choice grid = {"grid", GRAZE_TREE_BUILDER_AUTO, GRAZE_TREE_UPDATE_AUTO, NULL};
static const graze_choice clusters = {"clusters", GRAZE_TREE_BUILDER_AUTO, GRAZE_TREE_UPDATE_AUTO, NULL};
static const graze_choice brute = {"brute", GRAZE_TREE_BUILDER_AUTO, GRAZE_TREE_UPDATE_AUTO, NULL};

static const rigid_engine engines[] = {
    {.name = "tree", .takes_part = ALL_BUT_FRAMES | RIGID_HAS_FRAMES, .chosen = &tree, GRAZE_FUNCTIONS},
    {.name = "tree-refit", .takes_part = RIGID_HAS_FRAMES | RIGID_IS_EXACT, .chosen = &tree_refitted, GRAZE_FUNCTIONS},
    {.name = "tree-morton",
     .takes_part = RIGID_HAS_FRAMES | RIGID_IS_EXACT,
     .chosen = &tree_by_morton,
     GRAZE_FUNCTIONS},
    {.name = "tree-splits",
     .takes_part = RIGID_HAS_FRAMES | RIGID_IS_EXACT,
     .chosen = &tree_by_splits,
     GRAZE_FUNCTIONS},
    {.name = "grid", .takes_part = ALL_BUT_FRAMES | RIGID_HAS_FRAMES, .chosen = &grid, GRAZE_FUNCTIONS},
    {.name = "clusters",
     .takes_part = RIGID_HAS_ANY | RIGID_HAS_ALL | RIGID_HAS_FRAMES | RIGID_IS_EXACT,
     .chosen = &clusters,
     GRAZE_FUNCTIONS},
    {.name = "brute",
     .takes_part = RIGID_HAS_ANY | RIGID_HAS_ALL | RIGID_IS_EXACT | RIGID_IS_SQUARE,
     .chosen = &brute,
     GRAZE_FUNCTIONS},
};

const rigid_engine *rigid_graze_engines(size_t *count_out) {
  *count_out = sizeof engines / sizeof engines[0];
  return engines;
}

rigid_engine rigid_graze_engine(const char *name, unsigned takes_part, const graze_choice *chosen) {
  return (rigid_engine){.name = name, .takes_part = takes_part, .chosen = chosen, GRAZE_FUNCTIONS};
}
