/* The common part of all scenes: stages. */
#include "simulation/scene_table.h"

#include "simulation/particle_math.h"

#include "models/model_builder.h"
#include "models/seeded_random.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool stage_out_of_memory(scene_stage *stage) {
  snprintf(stage->error, stage->error_bytes, "scene %s: out of memory", stage->scene->name);
  return false;
}

bool stage_reserve(scene_stage *stage, size_t mesh_capacity) {
  stage->meshes = calloc(mesh_capacity + 1, sizeof *stage->meshes);
  stage->mesh_capacity = mesh_capacity;
  return stage->meshes != NULL || stage_out_of_memory(stage);
}

mesh *stage_add_mesh(scene_stage *stage, const char *name, mesh_kind kind) {
  if (stage->mesh_count == stage->mesh_capacity) {
    stage_out_of_memory(stage);
    return NULL;
  }
  char *copy = malloc(strlen(name) + 1);
  if (copy == NULL) {
    stage_out_of_memory(stage);
    return NULL;
  }
  strcpy(copy, name);
  mesh *added = &stage->meshes[stage->mesh_count++];
  *added = (mesh){.name = copy, .kind = kind};
  return added;
}

mesh *stage_add_model(scene_stage *stage, const char *model_name, uint64_t primitives, uint64_t seed,
                      const char *name) {
  const model_parameters parameters = {primitives, seed};
  mesh *made = NULL;
  size_t count = 0;
  if (!model_make(model_find(model_name), &parameters, &made, &count, stage->error, stage->error_bytes)) return NULL;
  mesh *added = stage_add_mesh(stage, name, made[0].kind);
  if (added != NULL) {
    char *kept = added->name;
    free(made[0].name);
    *added = made[0];
    added->name = kept;
    made[0] = (mesh){0};
  }
  mesh_list_free(made, count);
  return added;
}

mesh *stage_add_grid(scene_stage *stage, const char *name, uint64_t rows, uint64_t columns, bool wrapped) {
  mesh *m = stage_add_mesh(stage, name, MESH_POLYGONS);
  if (m == NULL) return NULL;
  const uint64_t across = wrapped ? columns : columns + 1;
  m->vertex_count = (size_t)((rows + 1) * across);
  m->triangle_count = m->polygon_count = (size_t)(2 * rows * columns);
  m->positions = calloc(3 * m->vertex_count + 1, sizeof(double));
  m->triangles = malloc((3 * m->triangle_count + 1) * sizeof(uint32_t));
  if (m->positions == NULL || m->triangles == NULL) {
    stage_out_of_memory(stage);
    return NULL;
  }
  for (uint64_t row = 0; row < rows; ++row) {
    for (uint64_t column = 0; column < columns; ++column) {
      const uint64_t next = (column + 1) % across;
      const uint64_t a = row * across + column, b = row * across + next, c = a + across, d = b + across;
      const size_t t = (size_t)(2 * (row * columns + column));
      const bool falling = (row + column) % 2 == 1;
      mesh_set_triangle(m, t, a, b, falling ? c : d);
      mesh_set_triangle(m, t + 1, falling ? b : a, d, c);
    }
  }
  return m;
}

mesh *stage_add_sheet(scene_stage *stage, const char *name, uint64_t triangles, double side, double height,
                      double *edge_out) {
  const uint64_t quads = rounded_count(sqrt((double)triangles / 2.0), 2);
  mesh *m = stage_add_grid(stage, name, quads, quads, false);
  if (m == NULL) return NULL;
  const double edge = side / (double)quads;
  random_stream draw = random_stream_make(stage->parameters.seed, 17);
  for (uint64_t row = 0; row <= quads; ++row) {
    for (uint64_t column = 0; column <= quads; ++column) {
      const double x = (double)column * edge - 0.5 * side, z = 0.5 * side - (double)row * edge;
      const double up = height + 0.01 * edge * random_between(&draw, -1.0, 1.0);
      mesh_set_vertex(m, (size_t)(row * (quads + 1) + column), point3_make(x, up, z));
    }
  }
  *edge_out = edge;
  return m;
}

static void write_box(mesh *m, size_t number, const double box[6]) {
  static const uint8_t sides[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                                       {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  for (size_t k = 0; k < 8; ++k) {
    const double x = box[0] + (k & 1 ? box[3] : -box[3]), y = box[1] + (k & 2 ? box[4] : -box[4]);
    mesh_set_vertex(m, 8 * number + k, point3_make(x, y, box[2] + (k & 4 ? box[5] : -box[5])));
  }
  for (size_t k = 0; k < 12; ++k) {
    const uint64_t first = 8 * number;
    mesh_set_triangle(m, 12 * number + k, first + sides[k][0], first + sides[k][1], first + sides[k][2]);
  }
}

mesh *stage_add_boxes(scene_stage *stage, const char *name, const double (*boxes)[6], size_t box_count) {
  mesh *m = stage_add_mesh(stage, name, MESH_POLYGONS);
  if (m == NULL) return NULL;
  m->vertex_count = 8 * box_count;
  m->triangle_count = m->polygon_count = 12 * box_count;
  m->positions = malloc(3 * m->vertex_count * sizeof(double) + 1);
  m->triangles = malloc(3 * m->triangle_count * sizeof(uint32_t) + 1);
  if (m->positions == NULL || m->triangles == NULL) {
    stage_out_of_memory(stage);
    return NULL;
  }
  for (size_t i = 0; i < box_count; ++i) write_box(m, i, boxes[i]);
  return m;
}

static bool say_why(scene_stage *stage, graze_result result) {
  if (result == GRAZE_OUT_OF_MEMORY) return stage_out_of_memory(stage);
  snprintf(stage->error, stage->error_bytes, "scene %s: %s", stage->scene->name, graze_error_text());
  return false;
}

bool stage_make_world(scene_stage *stage, const simulation_settings *settings) {
  simulation_settings filled = *settings;
  filled.worker_count = stage->parameters.worker_count;
  filled.should_stop = stage->parameters.should_stop;
  stage->world = simulation_create(&filled);
  return stage->world != NULL || stage_out_of_memory(stage);
}

bool stage_check(scene_stage *stage, bool added) {
  return added || stage_out_of_memory(stage);
}

bool stage_keep_rest(scene_stage *stage) {
  size_t count = 0;
  for (size_t i = 0; i < stage->mesh_count; ++i) count += 3 * stage->meshes[i].vertex_count;
  stage->rest = malloc((count + 1) * sizeof(double));
  if (stage->rest == NULL) return stage_out_of_memory(stage);
  double *kept = stage->rest;
  for (size_t i = 0; i < stage->mesh_count; ++i) {
    const size_t numbers = 3 * stage->meshes[i].vertex_count;
    memcpy(kept, stage->meshes[i].positions, numbers * sizeof(double));
    kept += numbers;
  }
  return true;
}

scene_stage *scene_stage_open(const moving_scene *scene, const scene_parameters *parameters, char *error,
                              size_t error_bytes) {
  scene_stage *stage = calloc(1, sizeof *stage);
  if (stage == NULL) {
    snprintf(error, error_bytes, "scene %s: out of memory", scene->name);
    return NULL;
  }
  *stage =
      (scene_stage){.scene = scene, .parameters = *parameters, .frame = 1, .error = error, .error_bytes = error_bytes};
  if (stage->parameters.primitives == 0) stage->parameters.primitives = scene->primitives;
  if (stage->parameters.frames == 0) stage->parameters.frames = scene->frames;
  bool started = stage->parameters.primitives <= SCENE_PRIMITIVE_LIMIT && stage->parameters.frames <= SCENE_FRAME_LIMIT;
  if (!started) {
    snprintf(error, error_bytes, "scene %s: at most %" PRIu64 " primitives and %" PRIu64 " frames", scene->name,
             SCENE_PRIMITIVE_LIMIT, SCENE_FRAME_LIMIT);
  }
  started = started && scene->start(stage);
  if (started) return stage;
  scene_stage_close(stage);
  return NULL;
}

void scene_stage_close(scene_stage *stage) {
  if (stage == NULL) return;
  simulation_destroy(stage->world);
  mesh_list_free(stage->meshes, stage->mesh_count);
  free(stage->rest);
  free(stage);
}

uint64_t scene_stage_frames(const scene_stage *stage) {
  return stage->parameters.frames;
}

const mesh *scene_stage_meshes(const scene_stage *stage, size_t *count_out) {
  *count_out = stage->shown_count == 0 ? stage->mesh_count : stage->shown_count;
  return stage->meshes + stage->first_shown;
}

bool scene_stage_next(scene_stage *stage, char *error, size_t error_bytes) {
  stage->error = error;
  stage->error_bytes = error_bytes;
  if (error_bytes > 0) error[0] = '\0';
  ++stage->frame;
  if (stage->scene->direct != NULL && !stage->scene->direct(stage, stage->frame)) return false;
  if (stage->world == NULL) return true;
  const graze_result result = simulation_advance(stage->world);
  if (result == GRAZE_OK || result == GRAZE_STOPPED) return result == GRAZE_OK;
  return say_why(stage, result);
}
