/* Forces and torques between solids, from the volumes that their pairs share.
 *
 * Pairs are measured in parallel; their sums are taken in the order of the list, so that they do not depend on who
 * measured what. */
#include "base/float_environment.h"
#include "narrow/primitive_pair.h"
#include "scene/scene_device.h"
#include "scene/scene_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WRENCH_GRAIN = 256 };

static bool pushes(const graze_scene *scene, const graze_pair *pair) {
  return pair->object_a != pair->object_b && kind_is_solid(scene->sources[pair->object_a].kind) &&
         kind_is_solid(scene->sources[pair->object_b].kind);
}

typedef struct push_work {
  const graze_scene *scene;
  graze_contact *pushes; /* a pair of the list each; without a kind where it does not push */
} push_work;

static void push_range(void *context, size_t first, size_t end, uint32_t worker) {
  const push_work *work = context;
  const measured_scene measured = scene_measured(work->scene, NULL);
  (void)worker;
  for (size_t i = first; i < end; i++) {
    const graze_pair *pair = &work->scene->pairs[i];
    work->pushes[i] = (graze_contact){.pair = *pair};
    if (!pushes(work->scene, pair)) continue;
    const scene_object *objects = scene_objects(work->scene);
    const index_pair numbers = {objects[pair->object_a].first_primitive + pair->primitive_a,
                                objects[pair->object_b].first_primitive + pair->primitive_b};
    pair_measure_solids(&measured, numbers, &work->pushes[i]);
  }
}

static graze_result make_pushes(graze_scene *scene, graze_contact *pushes_out) {
  if (scene->device != NULL) return scene_device_make_pushes(scene, pushes_out);
  push_work work = {scene, pushes_out};
  workers_for(scene->workers, scene->pair_count, WRENCH_GRAIN, push_range, &work);
  return GRAZE_OK;
}

static int compare_wrenches(const void *a, const void *b) {
  const graze_wrench *x = a, *y = b;
  if (x->object_a != y->object_a) return x->object_a < y->object_a ? -1 : 1;
  return (x->object_b > y->object_b) - (x->object_b < y->object_b);
}

static bool is_last(const array *wrenches, const graze_wrench *wrench) {
  return wrenches->count > 0 && compare_wrenches(ARRAY_AS(graze_wrench, wrenches) + wrenches->count - 1, wrench) == 0;
}

/* A wrench for every two objects that push, without sums, in order. Pairs of one primitive come together, so that most
 * repetitions are seen at once; the rest goes with the sort. */
static bool name_wrenches(graze_scene *scene, const graze_contact *list) {
  array *wrenches = &scene->wrenches;
  wrenches->count = 0;
  for (size_t i = 0; i < scene->pair_count; i++) {
    if (list[i].kind != GRAZE_CONTACT_VOLUME) continue;
    const graze_wrench wrench = {.object_a = list[i].pair.object_a, .object_b = list[i].pair.object_b};
    if (is_last(wrenches, &wrench)) continue;
    if (!array_push(wrenches, &scene->memory, &wrench)) return false;
  }
  graze_wrench *named = wrenches->data;
  if (wrenches->count > 1) qsort(named, wrenches->count, sizeof *named, compare_wrenches);
  size_t kept = 0;
  for (size_t i = 0; i < wrenches->count; i++)
    if (kept == 0 || compare_wrenches(&named[kept - 1], &named[i]) != 0) named[kept++] = named[i];
  wrenches->count = kept;
  return true;
}

static void add_push(graze_wrench *wrench, const graze_contact *push, double stiffness) {
  const double strength = stiffness * push->volume;
  const double force[3] = {strength * push->normal[0], strength * push->normal[1], strength * push->normal[2]};
  const double *at = push->centroid;
  const double torque[3] = {at[1] * force[2] - at[2] * force[1], at[2] * force[0] - at[0] * force[2],
                            at[0] * force[1] - at[1] * force[0]};
  wrench->pair_count++;
  wrench->volume += push->volume;
  for (int axis = 0; axis < 3; axis++) {
    wrench->centroid[axis] += push->volume * at[axis];
    wrench->force[axis] += force[axis];
    wrench->torque[axis] += torque[axis];
  }
}

static void sum_pushes(graze_scene *scene, const graze_contact *list, double stiffness) {
  graze_wrench *wrenches = scene->wrenches.data;
  const size_t count = scene->wrenches.count;
  for (size_t i = 0; i < scene->pair_count; i++) {
    if (list[i].kind != GRAZE_CONTACT_VOLUME) continue;
    const graze_wrench key = {.object_a = list[i].pair.object_a, .object_b = list[i].pair.object_b};
    add_push(bsearch(&key, wrenches, count, sizeof key, compare_wrenches), &list[i], stiffness);
  }
  for (size_t i = 0; i < count; i++)
    for (int axis = 0; axis < 3 && wrenches[i].volume > 0.0; axis++) wrenches[i].centroid[axis] /= wrenches[i].volume;
}

graze_result graze_scene_sum_wrenches(graze_scene *scene, double stiffness, graze_wrenches *wrenches_out) {
  GUARD_FLOAT_ENVIRONMENT();
  if (scene == NULL || wrenches_out == NULL) return GRAZE_INVALID_ARGUMENT;
  *wrenches_out = (graze_wrenches){0};
  if (!isfinite(stiffness))
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "the stiffness is %g; a finite number is needed", stiffness);
  if (!scene->updated)
    return scene_fail(scene, GRAZE_NOT_UPDATED, "the scene was changed after its last update: call graze_scene_update");
  graze_contact *pushes = memory_allocate(&scene->scratch.heap, scene->pair_count, sizeof *pushes);
  graze_result result = pushes != NULL ? make_pushes(scene, pushes) : scene_fail_memory(scene);
  if (result == GRAZE_OK && !name_wrenches(scene, pushes)) result = scene_fail_memory(scene);
  if (result == GRAZE_OK) {
    sum_pushes(scene, pushes, stiffness);
    *wrenches_out = (graze_wrenches){scene->wrenches.data, scene->wrenches.count};
  }
  memory_release(&scene->scratch.heap, pushes, scene->pair_count, sizeof *pushes);
  return result;
}
