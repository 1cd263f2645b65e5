/* Compares a CUDA device with the processor: every built-in model at several sizes, all kinds in one scene, torture
 * scenes (touching, one bit apart, extreme scales, crowded buckets), every query, queries about objects and in boxes,
 * touching objects, float and double, every pair test of solids, contacts and wrenches bit by bit, moving frames,
 * distances of poses bit by bit, overflowing lists, k of every object, sphere packings and sphere trees. Requires only
 * the library and the models, so that it builds on a minimal machine with a GPU; exits with 77 without a device. */
#include "backend_choice.h"
#include "contact_bits.h"
#include "graze/batch.h"
#include "graze/cuda.h"
#include "graze/packing.h"
#include "graze/sphere_tree.h"
#include "models/mesh_object.h"
#include "models/model.h"
#include "models/sphere_packing.h"
#include "owned.h"
#include "posed_object.h"
#include "sphere_scenes.h"
#include "torture_scenes.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static size_t compared, differing, pairs_compared, contacts_compared, points_compared;
static const char *device_method = "auto";
static size_t object_pairs_compared, objects_measured, primitives_measured, spheres_compared, distances_compared;

typedef struct scene_pair {
  graze_scene *reference, *device;
} scene_pair;

static void stop(const char *what, const char *message) {
  fprintf(stderr, "device_agreement: %s: %s\n", what, message);
  exit(2);
}

static void check_call(graze_result result, const char *what) {
  if (result != GRAZE_OK) stop(what, graze_error_text());
}

static graze_scene *make_scene(const char *backend, const mesh *meshes, size_t count, bool as_float) {
  graze_scene *scene;
  check_call(create_on(backend, 0, graze_scene_def_default(), &scene), "making a scene");
  for (size_t i = 0; i < count; i++) {
    const graze_object_def def = graze_object_def_default();
    graze_object object;
    const mesh_precision precision = as_float ? MESH_AS_FLOAT : MESH_AS_DOUBLE;
    check_call(mesh_object_add_as(scene, &meshes[i], &def, precision, &object), "adding a mesh");
  }
  graze_method_def method = graze_method_def_default();
  if (strcmp(backend, "cuda") == 0) method.name = device_method;
  check_call(graze_scene_set_method(scene, &method), "choosing a method");
  return scene;
}

/* The first contact that differs; their number where none does. */
static size_t first_difference(const graze_contacts *a, const graze_contacts *b) {
  for (size_t i = 0; i < a->count; i++)
    if (!same_contact(&a->contacts[i], &b->contacts[i])) return i;
  return a->count;
}

static void print_contact(const char *words, const graze_contact *contact) {
  printf("  %s: kind %d, points %u from %u, depth %a, normal %a %a %a, volume %a, centroid %a %a %a, "
         "flags %u, witnesses %a %a %a and %a %a %a\n",
         words, (int)contact->kind, contact->point_count, contact->first_point, contact->depth, contact->normal[0],
         contact->normal[1], contact->normal[2], contact->volume, contact->centroid[0], contact->centroid[1],
         contact->centroid[2], contact->flags, contact->witness_a[0], contact->witness_a[1], contact->witness_a[2],
         contact->witness_b[0], contact->witness_b[1], contact->witness_b[2]);
}

/* Whether two lists of contacts are the same; says where they are not. */
static void compare_lists(const graze_contacts *expected, const graze_contacts *made, const char *name,
                          const char *what) {
  contacts_compared += expected->count;
  points_compared += expected->point_count;
  const size_t at = first_difference(expected, made);
  const bool same_points = expected->point_count == made->point_count &&
                           (made->point_count == 0 || memcmp(expected->points, made->points,
                                                             expected->point_count * sizeof expected->points[0]) == 0);
  if (at == expected->count && same_points) return;
  differing++;
  printf("DIFFERENT: %s, %s: contact %zu of %zu, %zu points, on the device %zu\n", name, what, at, expected->count,
         expected->point_count, made->point_count);
  if (at == expected->count) return;
  print_contact("processor", &expected->contacts[at]);
  print_contact("device", &made->contacts[at]);
}

/* Contacts of the pairs that both scenes have found, by the same test. */
static void compare_contacts(const scene_pair *scenes, const graze_pairs *wanted, const graze_pairs *found,
                             graze_test test, const char *name, const char *what) {
  graze_contact_options options = graze_contact_options_default();
  options.test = test;
  OWNED(graze_contacts) expected = {0}, made = {0};
  check_call(graze_scene_make_contacts(scenes->reference, wanted->pairs, wanted->count, &options, &expected), name);
  check_call(graze_scene_make_contacts(scenes->device, found->pairs, found->count, &options, &made), name);
  compare_lists(&expected, &made, name, what);
}

/* Forces and torques of the same pairs. */
static void compare_wrenches(const scene_pair *scenes, const graze_pairs *pairs, graze_test test, const char *name,
                             const char *what) {
  graze_contact_options options = graze_contact_options_default();
  options.stiffness = 2.0;
  options.test = test;
  OWNED(graze_wrenches) expected = {0}, summed = {0};
  check_call(graze_scene_make_wrenches(scenes->reference, pairs->pairs, pairs->count, &options, &expected), name);
  check_call(graze_scene_make_wrenches(scenes->device, pairs->pairs, pairs->count, &options, &summed), name);
  if (expected.count != summed.count || (summed.count > 0 && memcmp(expected.wrenches, summed.wrenches,
                                                                    expected.count * sizeof *expected.wrenches) != 0)) {
    differing++;
    printf("DIFFERENT: %s, %s: %zu wrenches, on the device %zu\n", name, what, expected.count, summed.count);
  }
}

/* Longer lists take the processor minutes: those of chazelle, where every triangle meets half of all others. */
enum { MOST_CONTACTS = 1000000 };

/* Pairs that certainly meet, and one scope: contacts do not depend on how a pair was asked for. */
static bool has_contacts(const graze_query *query, size_t count) {
  return !query->candidates_only && query->scope == GRAZE_SCOPE_BOTH && count <= MOST_CONTACTS;
}

/* The lists themselves, as the hash says nothing of their order; and the hashes, as the device makes its own. */
static bool same_pairs(const graze_pairs *a, const graze_pairs *b) {
  return a->count == b->count && a->hash == b->hash &&
         (a->count == 0 || memcmp(a->pairs, b->pairs, a->count * sizeof *a->pairs) == 0);
}

static void compare_answers(const scene_pair *scenes, const graze_query *query, const graze_pairs *wanted,
                            const graze_pairs *found, const char *name, const char *what) {
  const graze_counters *expected = wanted->counters, *counters = found->counters;
  compared++;
  pairs_compared += wanted->count;
  if (same_pairs(wanted, found) && expected->inverted == counters->inverted && expected->flat == counters->flat) {
    if (!has_contacts(query, wanted->count)) return;
    compare_contacts(scenes, wanted, found, query->test, name, what);
    compare_wrenches(scenes, wanted, query->test, name, what);
    return;
  }
  differing++;
  printf("DIFFERENT: %s, %s: %zu pairs %016" PRIx64 ", on the device %zu pairs %016" PRIx64 "\n", name, what,
         wanted->count, wanted->hash, found->count, found->hash);
}

/* Which objects touch: the same question where one pair of two objects is enough. */
static void compare_touching(const scene_pair *scenes, const graze_query *query, const char *name, const char *what) {
  OWNED(graze_object_pairs) wanted = {0}, found = {0};
  check_call(graze_scene_find_object_pairs(scenes->reference, query, &wanted), name);
  check_call(graze_scene_find_object_pairs(scenes->device, query, &found), name);
  object_pairs_compared += wanted.count;
  if (wanted.count != found.count ||
      (found.count > 0 && memcmp(wanted.pairs, found.pairs, wanted.count * sizeof *wanted.pairs) != 0)) {
    differing++;
    printf("DIFFERENT: %s, %s: %zu pairs of objects, on the device %zu\n", name, what, wanted.count, found.count);
  }
}

static void ask_both(const scene_pair *scenes, const graze_query *query, const char *name, const char *what) {
  OWNED(graze_pairs) wanted = {0}, found = {0};
  const graze_result expected_result = graze_scene_find_pairs(scenes->reference, query, &wanted);
  if (expected_result != GRAZE_UNSUPPORTED) check_call(expected_result, name);
  const graze_result result = graze_scene_find_pairs(scenes->device, query, &found);
  if (expected_result != GRAZE_UNSUPPORTED || result != expected_result) { /* else a question that both refuse */
    if (expected_result == GRAZE_UNSUPPORTED) stop(name, "the processor refuses what the device does not");
    check_call(result, name);
    compare_answers(scenes, query, &wanted, &found, name, what);
    if (!query->candidates_only && query->test == GRAZE_TEST_SAT) compare_touching(scenes, query, name, what);
  }
}

static void ask_all(const scene_pair *scenes, const char *name) {
  for (int scope = GRAZE_SCOPE_BETWEEN; scope <= GRAZE_SCOPE_BOTH; scope++)
    for (int neighbors = 0; neighbors < 2; neighbors++)
      for (int boxes = 0; boxes < 2; boxes++)
        for (int test = GRAZE_TEST_SAT; test <= GRAZE_TEST_GJK; test += GRAZE_TEST_GJK) {
          if (test != GRAZE_TEST_SAT && (boxes != 0 || neighbors != 0 || scope != GRAZE_SCOPE_BOTH)) continue;
          graze_query query = graze_query_default();
          query.scope = (graze_scope)scope;
          query.neighbors = (graze_neighbors)neighbors;
          query.candidates_only = boxes != 0;
          query.test = (graze_test)test;
          char what[96];
          snprintf(what, sizeof what, "scope %d, neighbors %d, boxes %d, test %d", scope, neighbors, boxes, test);
          ask_both(scenes, &query, name, what);
        }
}

/* The box of an object, cut by its center and by corners of primitives: what touches the border is asked for too. */
static void choose_box(const scene_pair *scenes, graze_object object, uint32_t round, graze_query *query) {
  check_call(graze_object_get_box(scenes->reference, object, query->box_min, query->box_max), "the box of an object");
  /* It has vertices, and no sphere that reaches beyond what doubles hold. */
  query->in_box = query->box_min[0] <= query->box_max[0] && isfinite(query->box_min[0]) &&
                  isfinite(query->box_max[0]) && isfinite(query->box_min[1]) && isfinite(query->box_max[1]) &&
                  isfinite(query->box_min[2]) && isfinite(query->box_max[2]);
  if (!query->in_box) return;
  const int axis = (int)(round % 3);
  double corner[3];
  check_call(graze_object_get_posed_positions(scenes->reference, object, 0,
                                              (graze_output_view){corner, 1, 0, GRAZE_FORMAT_DOUBLE3}),
             "a vertex");
  if (round % 4 == 0) query->box_max[axis] = 0.5 * query->box_min[axis] + 0.5 * query->box_max[axis];
  if (round % 4 == 1) query->box_min[axis] = corner[axis];
  if (round % 4 == 2) query->box_min[axis] = -HUGE_VAL;
  if (round % 4 == 3) query->box_min[axis] = query->box_max[axis] = nextafter(corner[axis], HUGE_VAL);
}

/* Queries about objects and in boxes, alternating with a query for everything, so that their graphs alternate. */
static void ask_parts(const scene_pair *scenes, uint32_t object_count, const char *name) {
  for (uint32_t round = 0; round < 24; round++) {
    graze_query query = graze_query_default();
    query.scope = (graze_scope)(GRAZE_SCOPE_BETWEEN + round % 3);
    query.candidates_only = round % 7 == 3;
    query.about_count = round / 3 % 3;
    query.about_a = (graze_object){round % object_count, 1};
    query.about_b = (graze_object){(round / 2 + round % 2) % object_count, 1};
    if (query.about_count == 0 || round % 2 == 0) choose_box(scenes, query.about_b, round, &query);
    char what[96];
    snprintf(what, sizeof what, "part %u, about %u, in a box %d", round, query.about_count, query.in_box);
    ask_both(scenes, &query, name, what);
    const graze_query everything = graze_query_default();
    if (round % 8 == 7) ask_both(scenes, &everything, name, "between parts");
  }
}

static bool same_crowding(const graze_crowding *a, const graze_crowding *b) {
  return a->count == b->count && a->levels == b->levels && a->k == b->k && a->primitive_count == b->primitive_count &&
         memcmp(a->k_of, b->k_of, a->count * sizeof *a->k_of) == 0 &&
         memcmp(a->neighbors_of, b->neighbors_of, a->count * sizeof *a->neighbors_of) == 0 &&
         memcmp(a->diameter_of, b->diameter_of, a->count * sizeof *a->diameter_of) == 0;
}

/* Every count of every primitive, and the size of its ball to the last bit. */
static void measure_both(const scene_pair *scenes, uint32_t index, const char *name) {
  const graze_object object = {index, 1};
  OWNED(graze_crowding) wanted = {0}, found = {0};
  check_call(graze_scene_measure_crowding(scenes->reference, object, &wanted), name);
  check_call(graze_scene_measure_crowding(scenes->device, object, &found), name);
  objects_measured++;
  primitives_measured += wanted.count;
  if (!same_crowding(&wanted, &found)) {
    differing++;
    printf("DIFFERENT: %s, object %u: k %u, levels %u; on the device %u, %u\n", name, index, wanted.k, wanted.levels,
           found.k, found.levels);
  }
}

/* Frames that move one object after the other: the device's kept sequences are done again. */
static void ask_moving(const scene_pair *scenes, size_t object_count, const char *name) {
  const graze_query query = graze_query_default();
  for (uint32_t frame = 0; frame < 6; frame++) {
    const double angle = 0.05 * (frame + 1), c = cos(angle), s = sin(angle);
    const double rotation[9] = {c, -s, 0, s, c, 0, 0, 0, 1}, translation[3] = {0.01 * frame, 0.02, -0.005 * frame};
    const graze_object object = {frame % (uint32_t)object_count, 1};
    check_call(pose_object(scenes->reference, object, rotation, translation), name);
    check_call(pose_object(scenes->device, object, rotation, translation), name);
    check_call(graze_scene_update(scenes->reference), name);
    check_call(graze_scene_update(scenes->device), name);
    ask_both(scenes, &query, name, "moving");
    if (frame % 3 == 2) ask_parts(scenes, (uint32_t)object_count, name);
    measure_both(scenes, object.index, name);
  }
}

/* Every second object is excluded from the next; then all of them are from the first, and then none from any. */
static void ask_excluding(const scene_pair *scenes, uint32_t object_count, const char *name) {
  const graze_query query = graze_query_default();
  for (int step = 0; step < 3; step++) {
    for (uint32_t i = 1; i < object_count; i++) {
      const graze_object a = {step == 0 ? i - 1 : 0, 1}, b = {i, 1};
      const bool excluded = step == 1 || (step == 0 && i % 2 == 1);
      check_call(graze_scene_exclude(scenes->reference, a, b, excluded), name);
      check_call(graze_scene_exclude(scenes->device, a, b, excluded), name);
    }
    check_call(graze_scene_update(scenes->reference), name);
    check_call(graze_scene_update(scenes->device), name);
    ask_both(scenes, &query, name, "excluding");
    ask_parts(scenes, object_count, name);
  }
}

/* The second object about the first: near, in it, and far away. */
static void ask_distances(const scene_pair *scenes, const char *name) {
  enum { POSES = 32 };
  const graze_object still = {0, 1}, moving = {1, 1};
  graze_pose poses[POSES];
  graze_nearest wanted[POSES], found[POSES];
  for (int i = 0; i < POSES; i++) {
    const double quaternion[4] = {1.0, 0.3 * i, 0.1 * i - 1.0, 0.5}, far = i % 8 == 7 ? 100.0 : 0.1 * i;
    const double translation[3] = {far * cos(i), far * sin(i), 0.1 * far};
    poses[i] = graze_pose_from_quaternion(quaternion, translation);
  }
  const graze_id_pair pair = {still, moving};
  graze_batch_def batch = graze_batch_def_default();
  batch.moving = &moving;
  batch.moving_count = 1;
  batch.poses = poses;
  batch.pose_count = POSES;
  batch.pairs = &pair;
  batch.pair_count = 1;
  batch.nearest_out = wanted;
  check_call(graze_scene_run_batch(scenes->reference, &batch), name);
  batch.nearest_out = found;
  check_call(graze_scene_run_batch(scenes->device, &batch), name);
  distances_compared += POSES;
  for (int i = 0; i < POSES; i++)
    if (memcmp(&wanted[i], &found[i], sizeof wanted[i]) != 0) {
      differing++;
      printf("%s, distance of pose %d: %.17g on the device in place of %.17g\n", name, i, found[i].distance,
             wanted[i].distance);
    }
}

static void compare_meshes(const char *name, const mesh *meshes, size_t count, bool as_float, bool moving) {
  const scene_pair scenes = {make_scene("cpu", meshes, count, as_float), make_scene("cuda", meshes, count, as_float)};
  check_call(graze_scene_update(scenes.reference), name);
  check_call(graze_scene_update(scenes.device), name);
  ask_all(&scenes, name);
  ask_parts(&scenes, (uint32_t)count, name);
  for (uint32_t i = 0; i < count; i++) measure_both(&scenes, i, name);
  if (moving) ask_moving(&scenes, count, name);
  if (count > 1) ask_distances(&scenes, name);
  if (count > 1) ask_excluding(&scenes, (uint32_t)count, name);
  graze_scene_destroy(scenes.reference);
  graze_scene_destroy(scenes.device);
}

static mesh *make_meshes(const model *made_from, uint64_t primitives, size_t *count_out) {
  model_parameters parameters = model_parameters_default();
  parameters.primitives = primitives;
  mesh *meshes;
  char error[256];
  if (!model_make(made_from, &parameters, &meshes, count_out, error, sizeof error)) stop(made_from->name, error);
  return meshes;
}

static void free_meshes(mesh *meshes, size_t count) {
  for (size_t i = 0; i < count; i++) mesh_free(&meshes[i]);
  free(meshes);
}

static void compare_model(const model *made_from, uint64_t primitives, bool as_float, bool moving) {
  size_t count;
  mesh *meshes = make_meshes(made_from, primitives, &count);
  compare_meshes(made_from->name, meshes, count, as_float, moving);
  free_meshes(meshes, count);
}

/* One object of each kind and two more, all in one place. */
static void compare_kinds(uint64_t primitives) {
  static const char *const names[] = {"blob", "panels", "tet-ball", "cells", "torus", "tet-box", "spheres"};
  enum { OBJECTS = sizeof names / sizeof names[0] };
  mesh *made[OBJECTS], objects[OBJECTS];
  size_t counts[OBJECTS];
  for (size_t i = 0; i < OBJECTS; i++) {
    made[i] = make_meshes(model_find(names[i]), primitives, &counts[i]);
    objects[i] = made[i][0];
  }
  compare_meshes("all kinds", objects, OBJECTS, primitives > 1000, primitives < 10000);
  for (size_t i = 0; i < OBJECTS; i++) free_meshes(made[i], counts[i]);
}

static void compare_spheres(const sphere_scene *made) {
  mesh *meshes;
  size_t count;
  made->make(&meshes, &count);
  compare_meshes(made->name, meshes, count, made->has_floats, strstr(made->name, "largest") == NULL);
  free_meshes(meshes, count);
}

static void compare_torture(const torture_scene *made) {
  mesh *meshes;
  size_t count;
  made->make(&meshes, &count);
  compare_meshes(made->name, meshes, count, made->is_float, false);
  free_meshes(meshes, count);
}

/* ---------------------------------------------------------------------------------------------- packings */

static graze_result pack_on(const char *name, const graze_mesh_def *body, size_t spheres, graze_packing *packing) {
  const int device = 0;
  const graze_backend_def backend = backend_on(name, &device);
  graze_packing_options options = graze_packing_options_default();
  options.count = spheres;
  options.backend = &backend;
  return graze_pack_spheres(body, &options, packing);
}

/* The same spheres and gaps, to the bit; and the time that either took. */
static void compare_packings(const char *model_name, uint64_t primitives, size_t spheres) {
  size_t count;
  mesh *meshes = make_meshes(model_find(model_name), primitives, &count);
  graze_mesh_def body = graze_mesh_def_default();
  body.positions = (graze_view){meshes->positions, meshes->vertex_count, 0, GRAZE_FORMAT_DOUBLE3};
  body.triangles = (graze_view){meshes->triangles, meshes->triangle_count, 0, GRAZE_FORMAT_UINT32_3};
  graze_packing wanted = {0}, found = {0};
  check_call(pack_on("cpu", &body, spheres, &wanted), model_name);
  check_call(pack_on("cuda", &body, spheres, &found), model_name);
  size_t at = 0;
  while (at < wanted.count && at < found.count &&
         memcmp(&wanted.spheres[at], &found.spheres[at], sizeof *wanted.spheres) == 0)
    at++;
  spheres_compared += wanted.count;
  if (wanted.count != found.count || at < wanted.count || wanted.largest_gap != found.largest_gap ||
      wanted.p95_gap != found.p95_gap || found.certified != 1) {
    differing++;
    printf("DIFFERENT: packing of %s: sphere %zu of %zu, on the device %zu, gaps %a and %a, on the device %a and %a\n",
           model_name, at, wanted.count, found.count, wanted.largest_gap, wanted.p95_gap, found.largest_gap,
           found.p95_gap);
  }
  printf("packing of %s, %" PRIu64 " triangles, %zu spheres, %.4f full: %.0f ms, on the device %.0f\n", model_name,
         (uint64_t)meshes->triangle_count, wanted.count, wanted.fill_rate, wanted.packing_ms, found.packing_ms);
  graze_packing_free(&wanted);
  graze_packing_free(&found);
  free_meshes(meshes, count);
}

/* Closed models; the largest are those of the goal, 10,000 spheres in 70,000 triangles. */
static void compare_all_packings(uint64_t most, const char *part) {
  static const char *const names[] = {"blob", "torus", "sphere"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    if (strstr("packing", part) == NULL && strstr(names[i], part) == NULL) continue;
    compare_packings(names[i], 300, most >= 1000 ? 200 : 40);
    if (most >= 10000) compare_packings(names[i], 8000, 2000);
    if (most >= 100000) compare_packings(names[i], 70000, 10000);
  }
}

/* ---------------------------------------------------------------------------------------------- sphere trees */

DESTROY_OWNED(graze_sphere_tree)

static graze_sphere_tree *make_tree(const char *name, const sphere_packing *spheres, double *milliseconds_out) {
  const int device = 0;
  const graze_backend_def backend = backend_on(name, &device);
  graze_sphere_tree_def def = graze_sphere_tree_def_default();
  def.centers = (graze_view){spheres->centers, spheres->count, 0, GRAZE_FORMAT_DOUBLE3};
  def.radii = (graze_view){spheres->radii, spheres->count, 0, GRAZE_FORMAT_DOUBLE};
  def.backend = &backend;
  struct timespec start, end;
  graze_sphere_tree *tree;
  (void)timespec_get(&start, TIME_UTC);
  check_call(graze_sphere_tree_create(&def, &tree), "making a sphere tree");
  (void)timespec_get(&end, TIME_UTC);
  *milliseconds_out = 1e3 * (double)(end.tv_sec - start.tv_sec) + 1e-6 * (double)(end.tv_nsec - start.tv_nsec);
  return tree;
}

/* The answer of a query with a budget depends on every node that it expands, in the order of their bounds. */
static bool same_answers(const graze_sphere_tree *a, const graze_sphere_tree *b) {
  graze_sphere_options options = graze_sphere_options_default();
  for (int i = 0; i < 20; i++) {
    const graze_pose pose = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0.1 * i, 0.03 * i, -0.02 * i}};
    graze_sphere_volume volumes[2] = {{0}, {0}};
    options.budget = UINT64_C(1) << i;
    for (int k = 0; k < 2; k++) {
      const graze_sphere_tree *tree = k == 0 ? a : b;
      volumes[k].struct_bytes = sizeof volumes[k];
      check_call(graze_sphere_trees_volume(tree, NULL, tree, &pose, &options, &volumes[k]), "a volume");
    }
    if (memcmp(&volumes[0], &volumes[1], sizeof volumes[0]) != 0) return false;
  }
  return true;
}

static void compare_trees(packed_body body, size_t count) {
  OWNED(sphere_packing) spheres;
  double alone, there;
  if (!sphere_packing_make(body, count, 1, &spheres)) stop(packed_body_name(body), "out of memory");
  OWNED(graze_sphere_tree) *wanted = make_tree("cpu", &spheres, &alone), *made = make_tree("cuda", &spheres, &there);
  graze_sphere_tree_info infos[2] = {{0}, {0}};
  infos[0].struct_bytes = infos[1].struct_bytes = sizeof infos[0];
  check_call(graze_sphere_tree_get_info(wanted, &infos[0]), "a sphere tree");
  check_call(graze_sphere_tree_get_info(made, &infos[1]), "a sphere tree");
  if (infos[0].node_count != infos[1].node_count || infos[0].depth != infos[1].depth || !same_answers(wanted, made)) {
    differing++;
    printf("DIFFERENT: sphere tree of %s: %" PRIu64 " nodes, depth %" PRIu64 ", on the device %" PRIu64 ", %" PRIu64
           "\n",
           packed_body_name(body), infos[0].node_count, infos[0].depth, infos[1].node_count, infos[1].depth);
  }
  printf("sphere tree of %s, %zu spheres: %.1f ms, on the device %.1f\n", packed_body_name(body), spheres.count, alone,
         there);
  spheres_compared += spheres.count;
}

static void compare_all_trees(uint64_t most, const char *part) {
  for (int body = 0; body < PACKED_BODIES && strstr("sphere tree", part) != NULL; body++) {
    compare_trees((packed_body)body, 500);
    if (most >= 10000) compare_trees((packed_body)body, 10000);
    if (most >= 100000) compare_trees((packed_body)body, 100000);
  }
}

int main(int count, char **arguments) {
  char words[256];
  if (graze_cuda_describe(0, words, sizeof words) != GRAZE_OK) {
    printf("skipped: no CUDA device (%s)\n", words);
    return 77;
  }
  /* The most primitives, a part of the names of models, "packing" or "sphere tree", few under compute-sanitizer, and
   * the device's method. */
  const uint64_t most = count > 1 ? strtoull(arguments[1], NULL, 10) : 100000;
  const char *part = count > 2 ? arguments[2] : "";
  if (count > 3) device_method = arguments[3];
  for (size_t i = 0; i < model_count(); i++)
    for (uint64_t primitives = 30; primitives <= most && strstr(model_at(i)->name, part) != NULL; primitives *= 15)
      compare_model(model_at(i), primitives, i % 2 == 0 || primitives > 1000, primitives < 10000);
  for (uint64_t primitives = 30; primitives <= most && part[0] == '\0'; primitives *= 15) compare_kinds(primitives);
  for (size_t i = 0; i < sphere_scene_count(); i++)
    if (strstr(sphere_scene_at(i)->name, part) != NULL) compare_spheres(sphere_scene_at(i));
  for (size_t i = 0; i < torture_scene_count() && most >= 450; i++) /* thousands of triangles each */
    if (strstr(torture_scene_at(i)->name, part) != NULL) compare_torture(torture_scene_at(i));
  compare_all_packings(most, part);
  compare_all_trees(most, part);
  printf("%s, method %s: %zu queries, %zu pairs, %zu pairs of objects, %zu contacts, %zu points, k of %zu objects, "
         "%zu primitives, %zu spheres of packings and trees, %zu distances of poses; %zu differ from the processor's\n",
         words, device_method, compared, pairs_compared, object_pairs_compared, contacts_compared, points_compared,
         objects_measured, primitives_measured, spheres_compared, distances_compared, differing);
  return differing == 0 ? 0 : 1;
}
