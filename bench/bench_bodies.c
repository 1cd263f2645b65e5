/* Bodies for the benchmark. Models are centered on the origin, with a radius of about 1 and up to a million
 * primitives. */
#include "bench/bench_bodies.h"

#include "models/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool make_meshes(const char *model_name, size_t primitives, mesh **meshes_out, size_t *count_out, char *error,
                        size_t error_bytes) {
  const model *const found = model_find(model_name);
  if (found == NULL) {
    snprintf(error, error_bytes, "there is no model \"%s\"", model_name);
    return false;
  }
  const model_parameters parameters = {.primitives = primitives};
  return model_make(found, &parameters, meshes_out, count_out, error, error_bytes);
}

bool bench_bodies_make(const char *model_name, size_t primitives, bench_scene *scene_out, char *error,
                       size_t error_bytes) {
  *scene_out = (bench_scene){.name = model_name, .kind = BENCH_SELF};
  return make_meshes(model_name, primitives, &scene_out->bodies, &scene_out->body_count, error, error_bytes);
}

/* Rotates about (1, 2, 3) by twice the arc tangent of sqrt(14) / 5, so that no axis is near another axis. */
static void turn(mesh *body, const double offset[3]) {
  const double x = 0.2, y = 0.4, z = 0.6, s = 2.0 / (1.0 + x * x + y * y + z * z);
  const double rotation[3][3] = {{1.0 - s * (y * y + z * z), s * (x * y - z), s * (x * z + y)},
                                 {s * (x * y + z), 1.0 - s * (x * x + z * z), s * (y * z - x)},
                                 {s * (x * z - y), s * (y * z + x), 1.0 - s * (x * x + y * y)}};
  for (size_t i = 0; i < body->vertex_count; i++) {
    double *const p = body->positions + 3 * i;
    const double old[3] = {p[0], p[1], p[2]};
    for (int k = 0; k < 3; k++)
      p[k] = rotation[k][0] * old[0] + rotation[k][1] * old[1] + rotation[k][2] * old[2] + offset[k];
  }
}

/* Takes ownership of the only mesh of each list. */
static bool join_pair(mesh *lists[2], const size_t counts[2], bench_scene *scene_out) {
  mesh *const bodies = calloc(2, sizeof *bodies);
  const bool made = bodies != NULL && counts[0] == 1 && counts[1] == 1;
  for (int i = 0; i < 2; i++) {
    if (made) {
      bodies[i] = lists[i][0];
      memset(&lists[i][0], 0, sizeof lists[i][0]);
    }
    mesh_list_free(lists[i], counts[i]);
  }
  if (!made) {
    free(bodies);
    return false;
  }
  scene_out->bodies = bodies;
  scene_out->body_count = 2;
  return true;
}

bool bench_bodies_make_pair(const char *name, const char *model_name, size_t primitives_each, const double offset[3],
                            bench_scene *scene_out, char *error, size_t error_bytes) {
  *scene_out = (bench_scene){.name = name, .kind = BENCH_BOTH};
  mesh *lists[2] = {NULL, NULL};
  size_t counts[2] = {0, 0};
  for (int i = 0; i < 2; i++) {
    if (!make_meshes(model_name, primitives_each, &lists[i], &counts[i], error, error_bytes)) {
      mesh_list_free(lists[0], counts[0]);
      return false;
    }
  }
  if (!join_pair(lists, counts, scene_out)) {
    snprintf(error, error_bytes, "out of memory for a pair of %s, or the model has several objects", model_name);
    return false;
  }
  turn(&scene_out->bodies[1], offset);
  return true;
}

/* The least and greatest x of a body with at least one vertex. */
static void extent_of(const mesh *body, double *low_out, double *high_out) {
  *low_out = *high_out = body->positions[0];
  for (size_t i = 1; i < body->vertex_count; i++) {
    *low_out = fmin(*low_out, body->positions[3 * i]);
    *high_out = fmax(*high_out, body->positions[3 * i]);
  }
}

bool bench_bodies_pass_through(bench_scene *scene, size_t steps) {
  double low[2], high[2];
  extent_of(&scene->bodies[0], &low[0], &high[0]);
  extent_of(&scene->bodies[scene->body_count - 1], &low[1], &high[1]);
  scene->poses = calloc(steps, sizeof *scene->poses);
  if (scene->poses == NULL) return false;
  scene->pose_count = steps;
  const double first = low[0] - high[1], last = high[0] - low[1];
  for (size_t i = 0; i < steps; i++) {
    const double part = steps > 1 ? (double)i / (double)(steps - 1) : 0.5;
    bench_pose *const pose = &scene->poses[i];
    for (int k = 0; k < 3; k++) pose->rotation[4 * k] = 1.0;
    pose->translation[0] = 1.05 * (first + part * (last - first));
  }
  return true;
}
