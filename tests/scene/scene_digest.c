/* Hashes the results of a scene; see scene_digest.h. Structs are hashed field by field, because padding is undefined.
 */
#include "scene_digest.h"
#include "testing.h"

#include "torture_scenes.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static void take(uint64_t *digest, const void *data, size_t bytes) {
  const unsigned char *byte = data;
  for (size_t i = 0; i < bytes; i++) *digest = (*digest ^ byte[i]) * UINT64_C(0x100000001b3);
}

static void take_contacts(graze_scene *scene, const pair_answer *answer, graze_test test, uint64_t *digest) {
  graze_contact_options options = graze_contact_options_default();
  options.test = test;
  OWNED(graze_contacts) contacts = make_contacts(scene, answer->pairs, answer->count, &options);
  for (size_t i = 0; i < contacts.count; i++) {
    const graze_contact *contact = &contacts.contacts[i];
    take(digest, &contact->kind, sizeof contact->kind);
    take(digest, &contact->first_point, sizeof contact->first_point);
    take(digest, &contact->point_count, sizeof contact->point_count);
    take(digest, contact->normal, sizeof contact->normal);
    take(digest, &contact->depth, sizeof contact->depth);
    take(digest, &contact->volume, sizeof contact->volume);
    take(digest, contact->centroid, sizeof contact->centroid);
  }
  take(digest, contacts.points, contacts.point_count * sizeof *contacts.points);
}

static void take_wrenches(graze_scene *scene, const pair_answer *answer, graze_test test, uint64_t *digest) {
  graze_contact_options options = graze_contact_options_default();
  options.stiffness = 3.0;
  options.test = test;
  OWNED(graze_wrenches) wrenches = make_wrenches(scene, answer->pairs, answer->count, &options);
  for (size_t i = 0; i < wrenches.count; i++) {
    take(digest, &wrenches.wrenches[i].volume, sizeof(double));
    take(digest, wrenches.wrenches[i].centroid, 3 * sizeof(double));
    take(digest, wrenches.wrenches[i].force, 3 * sizeof(double));
    take(digest, wrenches.wrenches[i].torque, 3 * sizeof(double));
  }
}

static void take_crowding(graze_scene *scene, size_t object_count, uint64_t *digest) {
  for (size_t i = 0; i < object_count; i++) {
    OWNED(graze_crowding) crowding = measure_crowding(scene, (graze_object){(uint32_t)i, 1});
    take(digest, crowding.k_of, crowding.count * sizeof *crowding.k_of);
    take(digest, crowding.diameter_of, crowding.count * sizeof *crowding.diameter_of);
    take(digest, &crowding.mean, sizeof crowding.mean);
  }
}

static void take_any(graze_scene *scene, const graze_query *query, uint64_t *digest) {
  bool found;
  graze_pairs pair = {0};
  assert_ok(graze_scene_any_pair(scene, query, &found, &pair));
  assert_int_equal(pair.count, found ? 1 : 0);
  graze_pairs_free(&pair);
  take(digest, &found, sizeof found);
}

static bool only_surfaces(const mesh *meshes, size_t mesh_count) {
  for (size_t i = 0; i < mesh_count; i++)
    if (meshes[i].kind != MESH_POLYGONS) return false;
  return true;
}

uint64_t scene_digest(const running_variant *variant, const mesh *meshes, size_t mesh_count, graze_test test,
                      uint64_t *wide_out) {
  uint64_t digest = UINT64_C(0xcbf29ce484222325);
  OWNED_SCENE *scene = runner_scene(variant, meshes, mesh_count, NULL);
  graze_query query = graze_query_default();
  query.test = test;
  if (only_surfaces(meshes, mesh_count)) {
    query.neighbors = GRAZE_NEIGHBORS_BEYOND;
    const pair_answer beyond = runner_find(scene, &query);
    take(&digest, &beyond.hash, sizeof beyond.hash);
    free(beyond.pairs);
    query.neighbors = GRAZE_NEIGHBORS_SKIP;
  }
  take_any(scene, &query, &digest);
  const pair_answer answer = runner_find(scene, &query);
  if (wide_out != NULL) *wide_out = answer.counters.wide_decided;
  take(&digest, &answer.hash, sizeof answer.hash);
  take_wrenches(scene, &answer, test, &digest);
  take_contacts(scene, &answer, test, &digest);
  take_crowding(scene, mesh_count, &digest);
  free(answer.pairs);
  return digest;
}

size_t digest_kinds(uint64_t primitives, mesh *meshes_out, size_t room) {
  static const char *const names[] = {"tet-pair", "cells", "panels", "sphere"};
  size_t count = 0;
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    OWNED_MEMORY mesh *made;
    size_t made_count;
    torture_model(names[i], primitives, 1, &made, &made_count);
    assert_true(count + made_count <= room);
    memcpy(meshes_out + count, made, made_count * sizeof *made);
    count += made_count;
  }
  return count;
}
