/* Forces between packings: a scene of two objects of spheres, the moving one posed step by step. The method is "tree",
 * whose structure a rigid pose does not change. */
#include "lab/quality_spheres.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

double quality_part(const quality_scenario *scenario, size_t step, size_t steps) {
  const size_t last = scenario->closed ? steps : steps - 1;
  return last > 0 ? (double)step / (double)last : 0.0;
}

double quality_milliseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return 1e3 * (double)time.tv_sec + 1e-6 * (double)time.tv_nsec;
}

static bool keep_message(const char *message, char *error, size_t error_bytes) {
  snprintf(error, error_bytes, "%s", message);
  return false;
}

bool quality_pack(const mesh *body, size_t count, uint64_t seed, graze_packing *packing_out, char *error,
                  size_t error_bytes) {
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = (graze_view){body->positions, body->vertex_count, 0, GRAZE_FORMAT_DOUBLE3};
  def.triangles = (graze_view){body->triangles, body->triangle_count, 0, GRAZE_FORMAT_UINT32_3};
  graze_packing_options options = graze_packing_options_default();
  options.count = count;
  options.seed = seed;
  *packing_out = (graze_packing){0};
  if (graze_pack_spheres(&def, &options, packing_out) == GRAZE_OK) return true;
  return keep_message(graze_error_text(), error, error_bytes);
}

static graze_result add_packing(graze_scene *scene, const graze_packing *packing, size_t count,
                                graze_object *object_out) {
  if (count > packing->count) count = packing->count;
  graze_mesh_def def = graze_mesh_def_default();
  graze_object_def placed = graze_object_def_default();
  def.positions = (graze_view){count > 0 ? packing->spheres[0].center : NULL, count, sizeof *packing->spheres,
                               GRAZE_FORMAT_DOUBLE3};
  def.radii = (graze_view){count > 0 ? &packing->spheres[0].radius : NULL, count, sizeof *packing->spheres,
                           GRAZE_FORMAT_DOUBLE};
  placed.self = false;
  return graze_scene_add(scene, GRAZE_KIND_SPHERE, &def, &placed, object_out);
}

/* Lists that are used again from step to step. */
typedef struct walk {
  graze_scene *scene;
  graze_object moving;
  graze_pairs pairs;
  graze_contacts contacts;
  graze_wrenches wrenches;
} walk;

/* The rule of the thesis, GRAZE_FORCE_VOLUME here: each pair of spheres pushes along its line of centers, with its
 * volume. */
static graze_result sum_volumes(walk *at, const double about[3], quality_sample *sample) {
  const graze_result result =
      graze_scene_make_contacts(at->scene, at->pairs.pairs, at->pairs.count, NULL, &at->contacts);
  for (size_t i = 0; result == GRAZE_OK && i < at->contacts.count; i++) {
    const graze_contact *const contact = &at->contacts.contacts[i];
    double arm[3], force[3];
    for (int axis = 0; axis < 3; axis++) {
      force[axis] = contact->volume * contact->normal[axis];
      arm[axis] = contact->centroid[axis] - about[axis];
      sample->wrench.force[axis] += force[axis];
    }
    for (int axis = 0; axis < 3; axis++) {
      const int next = (axis + 1) % 3, last = (axis + 2) % 3;
      sample->wrench.torque[axis] += arm[next] * force[last] - arm[last] * force[next];
    }
    sample->penalty += contact->volume;
  }
  return result;
}

static graze_result take_step(walk *at, const quality_pose *pose, graze_force force, quality_sample *sample_out) {
  graze_contact_options options = graze_contact_options_default();
  options.force = force;
  memcpy(options.about, pose->translation, sizeof options.about);
  graze_query query = graze_query_default();
  query.scope = GRAZE_SCOPE_BETWEEN;
  const double begin = quality_milliseconds();
  graze_result result = graze_object_set_pose(at->scene, at->moving, pose);
  if (result == GRAZE_OK) result = graze_scene_update(at->scene);
  if (result == GRAZE_OK) result = graze_scene_find_pairs(at->scene, &query, &at->pairs);
  *sample_out = (quality_sample){0};
  if (result == GRAZE_OK && force == GRAZE_FORCE_VOLUME)
    result = sum_volumes(at, options.about, sample_out);
  else if (result == GRAZE_OK)
    result = graze_scene_make_wrenches(at->scene, at->pairs.pairs, at->pairs.count, &options, &at->wrenches);
  sample_out->time_ms = quality_milliseconds() - begin;
  if (result != GRAZE_OK || force == GRAZE_FORCE_VOLUME || at->wrenches.count == 0) return result;
  const graze_wrench *const wrench = &at->wrenches.wrenches[0];
  sample_out->penalty = wrench->volume;
  memcpy(sample_out->wrench.force, wrench->force, sizeof wrench->force);
  memcpy(sample_out->wrench.torque, wrench->torque, sizeof wrench->torque);
  return result;
}

static graze_result begin_walk(const quality_spheres *spheres, walk *at) {
  graze_scene_def def = graze_scene_def_default();
  def.worker_count = 1;
  graze_method_def method = graze_method_def_default();
  method.name = "tree";
  graze_object still;
  graze_result result = graze_scene_create(&def, &at->scene);
  if (result == GRAZE_OK) result = graze_scene_set_method(at->scene, &method);
  if (result == GRAZE_OK) result = add_packing(at->scene, spheres->still, spheres->still_count, &still);
  if (result == GRAZE_OK) result = add_packing(at->scene, spheres->moving, spheres->moving_count, &at->moving);
  return result;
}

bool quality_spheres_run(const quality_scenario *scenario, const quality_spheres *spheres, size_t steps,
                         quality_sample *samples_out, char *error, size_t error_bytes) {
  walk at = {0};
  graze_result result = begin_walk(spheres, &at);
  quality_pose pose;
  scenario->pose(0.0, &pose);
  if (result == GRAZE_OK)
    result = take_step(&at, &pose, spheres->force, &samples_out[0]); /* builds, and is not timed */
  for (size_t i = 0; i < steps && result == GRAZE_OK; i++) {
    scenario->pose(quality_part(scenario, i, steps), &pose);
    result = take_step(&at, &pose, spheres->force, &samples_out[i]);
  }
  if (result != GRAZE_OK) keep_message(graze_error_text(), error, error_bytes);
  graze_wrenches_free(&at.wrenches);
  graze_contacts_free(&at.contacts);
  graze_pairs_free(&at.pairs);
  graze_scene_destroy(at.scene);
  return result == GRAZE_OK;
}
