/* Common functions of the tests of contacts on a device: a scene of all kinds, and comparisons of contacts and errors
 * with the processor. */
#ifndef GRAZE_TESTS_CONTACT_COMPARISON_H
#define GRAZE_TESTS_CONTACT_COMPARISON_H

#include "contact_bits.h"
#include "graze/cuda.h"
#include "scene_calls.h"
#include "scene_runner.h"
#include "sphere_scenes.h"
#include "testing.h"
#include "torture_scenes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------- scenes */

static inline running_variant device_variant(bool as_float) {
  running_variant variant = running_variant_reference();
  variant.method = "auto";
  variant.as_float = as_float;
  return variant;
}

/* One object of each kind and three more, all in one place; the last two are of spheres around vertices of others. */
enum { MIXED_OBJECTS = 8, MIXED_MODELS = 6 };

static inline mesh spheres_around(const mesh *m, double radius) {
  mesh spheres = sphere_mesh(m->vertex_count);
  memcpy(spheres.positions, m->positions, 3 * m->vertex_count * sizeof(double));
  for (size_t i = 0; i < m->vertex_count; i++) spheres.radii[i] = radius * (double)(i % 4);
  return spheres;
}

static inline void make_mixed(uint64_t primitives, mesh meshes_out[MIXED_OBJECTS]) {
  static const char *const models[MIXED_MODELS] = {"blob", "panels", "tet-ball", "cells", "torus", "tet-box"};
  for (size_t i = 0; i < MIXED_MODELS; i++) {
    meshes_out[i] = torture_first_mesh(models[i], primitives, i);
    torture_round_to_float(&meshes_out[i], 1);
  }
  meshes_out[MIXED_MODELS] = spheres_around(&meshes_out[0], 0.0625);
  meshes_out[MIXED_MODELS + 1] = spheres_around(&meshes_out[3], 0.03125);
}

static inline void free_mixed(mesh meshes[MIXED_OBJECTS]) {
  for (size_t i = 0; i < MIXED_OBJECTS; i++) mesh_free(&meshes[i]);
}

/* So many of the pairs, or all if there are fewer, from all over the list. */
static inline void thin_pairs(pair_answer *pairs, size_t most) {
  if (pairs->count <= most) return;
  for (size_t i = 0; i < most; i++) pairs->pairs[i] = pairs->pairs[i * pairs->count / most];
  pairs->count = most;
}

/* ---------------------------------------------------------------------------------------------- comparing */

static inline void compare_contacts(const graze_contacts *wanted, const graze_contacts *found, const char *name) {
  if (wanted->count != found->count || wanted->point_count != found->point_count)
    fail_msg("%s: %zu contacts of %zu points, on the device %zu of %zu", name, wanted->count, wanted->point_count,
             found->count, found->point_count);
  for (size_t i = 0; i < wanted->count; i++)
    if (!same_contact(&wanted->contacts[i], &found->contacts[i]))
      fail_msg("%s: contact %zu differs on the device", name, i);
  if (wanted->point_count > 0)
    assert_memory_equal(found->points, wanted->points, wanted->point_count * sizeof wanted->points[0]);
}

/* Release by graze_contacts_free. */
static inline graze_contacts contacts_of(const graze_scene *scene, const graze_pair *pairs, size_t count,
                                         graze_test test) {
  graze_contact_options options = graze_contact_options_default();
  options.test = test;
  graze_contacts contacts = make_contacts(scene, pairs, count, &options);
  return contacts;
}

/* The results on the device, which is the host here; borrowed. */
static inline graze_contacts contacts_left(const graze_device_contacts *left) {
  return (graze_contacts){.contacts = left->device_contacts,
                          .count = left->count,
                          .points = left->device_points,
                          .point_count = left->point_count};
}

/* Both scenes refuse the pairs with the same words, and hand out nothing. */
static inline void compare_refusal(graze_scene *judging, graze_scene *scene, const graze_pair *pairs, size_t count) {
  OWNED(graze_contacts) contacts = {0};
  OWNED(graze_device_contacts) left = {0};
  char message[512];
  assert_int_equal(graze_scene_make_contacts(judging, pairs, count, NULL, &contacts), GRAZE_INVALID_ARGUMENT);
  snprintf(message, sizeof message, "%s", graze_error_text());
  assert_int_equal(graze_scene_make_contacts(scene, pairs, count, NULL, &contacts), GRAZE_INVALID_ARGUMENT);
  assert_string_equal(graze_error_text(), message);
  assert_int_equal(contacts.count, 0);
  assert_int_equal(graze_scene_make_contacts_on_device(scene, pairs, count, NULL, &left), GRAZE_INVALID_ARGUMENT);
  assert_string_equal(graze_error_text(), message);
  assert_true(left.count == 0 && left.device_contacts == NULL && left.point_count == 0 && left.device_points == NULL);
}

#endif
