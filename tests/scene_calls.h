/* Calls on scenes that must succeed, as most tests make them, and scenes and lists that end with their block. */
#ifndef GRAZE_TESTS_SCENE_CALLS_H
#define GRAZE_TESTS_SCENE_CALLS_H

#include "graze/contacts.h"
#include "graze/nearest.h"
#include "graze/regions.h"
#include "testing.h"

/* OWNED_SCENE *name: graze_scene_destroy(name) runs at the end of the block. */
#define OWNED_SCENE OWNED_BY(destroy_owned_scene) graze_scene

static inline void destroy_owned_scene(graze_scene *const *scene) {
  graze_scene_destroy(*scene);
}

DESTROY_OWNED(graze_workers)

static inline graze_scene *create_scene(const graze_scene_def *def) {
  graze_scene *scene;
  assert_ok(graze_scene_create(def, &scene));
  return scene;
}

static inline graze_pairs find_pairs(const graze_scene *scene, const graze_query *query) {
  graze_pairs pairs = {0};
  assert_ok(graze_scene_find_pairs(scene, query, &pairs));
  return pairs;
}

static inline graze_object_pairs find_object_pairs(const graze_scene *scene, const graze_query *query) {
  graze_object_pairs pairs = {0};
  assert_ok(graze_scene_find_object_pairs(scene, query, &pairs));
  return pairs;
}

static inline graze_contacts make_contacts(const graze_scene *scene, const graze_pair *pairs, size_t count,
                                           const graze_contact_options *options) {
  graze_contacts contacts = {0};
  assert_ok(graze_scene_make_contacts(scene, pairs, count, options, &contacts));
  return contacts;
}

static inline graze_wrenches make_wrenches(const graze_scene *scene, const graze_pair *pairs, size_t count,
                                           const graze_contact_options *options) {
  graze_wrenches wrenches = {0};
  assert_ok(graze_scene_make_wrenches(scene, pairs, count, options, &wrenches));
  return wrenches;
}

static inline graze_wrenches find_wrenches(const graze_scene *scene, const graze_query *query,
                                           const graze_contact_options *options) {
  graze_wrenches wrenches = {0};
  assert_ok(graze_scene_find_wrenches(scene, query, options, &wrenches));
  return wrenches;
}

static inline graze_crowding measure_crowding(const graze_scene *scene, graze_object object) {
  graze_crowding crowding = {0};
  assert_ok(graze_scene_measure_crowding(scene, object, &crowding));
  return crowding;
}

static inline graze_nearest_list find_nearest(const graze_scene *scene, const graze_nearest_options *options) {
  graze_nearest_list nearests = {0};
  assert_ok(graze_scene_find_nearest(scene, options, &nearests));
  return nearests;
}

static inline graze_regions find_regions(const graze_scene *scene, const graze_query *query,
                                         const graze_region_options *options) {
  graze_regions regions = {0};
  assert_ok(graze_scene_find_regions(scene, query, options, &regions));
  return regions;
}

#endif
