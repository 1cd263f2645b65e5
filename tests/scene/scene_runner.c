/* Runs scenes for tests; see scene_runner.h. */
#include "scene_runner.h"
#include "testing.h"

#include "chosen_backend.h"
#include "graze/names.h"
#include "models/mesh_object.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

running_variant running_variant_reference(void) {
  return (running_variant){
      .method = "brute", .simd = GRAZE_SIMD_SCALAR, .worker_count = 1, .threading = GRAZE_THREADING_SERIAL};
}

/* See scene_runner.h. */
static graze_backend_def backend_of(const running_variant *variant) {
  return strcmp(variant->method, "brute") == 0 ? graze_backend_def_default() : chosen_backend();
}

/* A word behind the name "clusters": a number of clusters, an axis or a distance. */
static void read_cluster_option(const char *word, graze_method_def *method) {
  if (strtoul(word, NULL, 10) > 0) method->clusters = (uint32_t)strtoul(word, NULL, 10);
  int value;
  if (graze_enumeration_find(GRAZE_ENUMERATION_AXIS, word, &value)) method->axis = (graze_axis)value;
  if (graze_enumeration_find(GRAZE_ENUMERATION_METRIC, word, &value)) method->metric = (graze_metric)value;
}

static graze_result set_method(graze_scene *scene, const char *words, graze_method_def *method) {
  char copy[64], *rest = NULL;
  snprintf(copy, sizeof copy, "%s", words);
  method->name = strtok_r(copy, " ", &rest);
  for (const char *word; (word = strtok_r(NULL, " ", &rest)) != NULL;) read_cluster_option(word, method);
  return graze_scene_set_method(scene, method);
}

static graze_result make_empty(const running_variant *variant, graze_scene **scene_out) {
  graze_scene_def def = graze_scene_def_default();
  def.worker_count = variant->worker_count;
  def.threading = variant->threading;
  def.tasks = variant->tasks;
  const graze_backend_def backend = backend_of(variant);
  def.backend = &backend;
  graze_result result = graze_scene_create(&def, scene_out);
  if (result != GRAZE_OK) return result;
  graze_method_def method = graze_method_def_default();
  method.simd = variant->simd;
  result = set_method(*scene_out, variant->method, &method);
  if (result != GRAZE_OK) {
    graze_scene_destroy(*scene_out);
    *scene_out = NULL;
  }
  return result;
}

bool running_variant_available(const running_variant *variant) {
  graze_scene *scene;
  const graze_result result = make_empty(variant, &scene);
  graze_scene_destroy(scene);
  assert_true(result == GRAZE_OK || result == GRAZE_UNSUPPORTED);
  return result == GRAZE_OK;
}

static void check_floats(const mesh *m) {
  for (size_t i = 0; i < 3 * m->vertex_count; i++) assert_true((double)(float)m->positions[i] == m->positions[i]);
}

graze_object runner_add(graze_scene *scene, const mesh *m, bool as_float, const object_filter *filter) {
  graze_object_def placed = graze_object_def_default();
  if (as_float) check_floats(m);
  if (filter != NULL) {
    placed.category = filter->category;
    placed.mask = filter->mask;
    placed.self = filter->self;
  }
  graze_object object = {0, 0};
  const graze_result result = mesh_object_add_as(scene, m, &placed, as_float ? MESH_AS_FLOAT : MESH_AS_DOUBLE, &object);
  assert_ok(result);
  return object;
}

graze_scene *runner_scene(const running_variant *variant, const mesh *meshes, size_t mesh_count,
                          const object_filter *filters) {
  graze_scene *scene;
  assert_ok(make_empty(variant, &scene));
  for (size_t i = 0; i < mesh_count; i++) {
    const graze_object object = runner_add(scene, &meshes[i], variant->as_float, filters != NULL ? &filters[i] : NULL);
    assert_int_equal(object.index, i);
  }
  assert_ok(graze_scene_update(scene));
  return scene;
}

static int compare_pairs(const graze_pair *a, const graze_pair *b) {
  if (a->object_a != b->object_a) return a->object_a < b->object_a ? -1 : 1;
  if (a->primitive_a != b->primitive_a) return a->primitive_a < b->primitive_a ? -1 : 1;
  if (a->object_b != b->object_b) return a->object_b < b->object_b ? -1 : 1;
  if (a->primitive_b != b->primitive_b) return a->primitive_b < b->primitive_b ? -1 : 1;
  return 0;
}

static bool first_is_lower(const graze_pair *pair) {
  if (pair->object_a != pair->object_b) return pair->object_a < pair->object_b;
  return pair->primitive_a < pair->primitive_b;
}

static void check_counters(const graze_counters *counters, const graze_query *query, size_t count) {
  const uint64_t decided =
      counters->float_decided + counters->double_decided + counters->exact_decided + counters->wide_decided;
  /* Under `beyond` some candidates are no pair by their numbers alone: triangles that share three vertices or repeat
   * one. */
  if (query->neighbors == GRAZE_NEIGHBORS_SKIP || query->candidates_only)
    assert_int_equal(decided, counters->candidates);
  else
    assert_true(decided <= counters->candidates);
  assert_int_equal(counters->pairs, count);
  assert_true(counters->candidates >= count);
  if (!chosen_is_divided()) assert_true(counters->searched <= counters->primitives); /* else once on each device */
  assert_true(counters->scene_bytes <= counters->peak_bytes);
}

graze_counters runner_counters(const graze_scene *scene) {
  graze_counters counters = {0};
  assert_ok(graze_scene_get_counters(scene, &counters));
  return counters;
}

pair_answer runner_find(const graze_scene *scene, const graze_query *query) {
  OWNED(graze_pairs) found = find_pairs(scene, query);
  for (size_t i = 0; i < found.count; i++) {
    assert_true(first_is_lower(&found.pairs[i]));
    assert_true(i == 0 || compare_pairs(&found.pairs[i - 1], &found.pairs[i]) < 0);
  }
  assert_true(found.hash == graze_pairs_hash(found.pairs, found.count));
  if (query->pair_limit == 0) {
    assert_false(found.limit_reached);
    check_counters(found.counters, query, found.count);
  }
  pair_answer answer = {.pairs = malloc((found.count + 1) * sizeof(graze_pair)),
                        .count = found.count,
                        .hash = found.hash,
                        .limit_reached = found.limit_reached != 0,
                        .timings = *found.timings,
                        .counters = *found.counters};
  assert_non_null(answer.pairs);
  if (found.count > 0) memcpy(answer.pairs, found.pairs, found.count * sizeof(graze_pair));
  return answer;
}

static void fail_at(const char *what, const graze_pair *pair, const char *scene_name, const char *variant_name) {
  fail_msg("%s, %s: %s pair (object %u triangle %u, object %u triangle %u)", scene_name, variant_name, what,
           pair->object_a, pair->primitive_a, pair->object_b, pair->primitive_b);
}

void runner_compare(const pair_answer *wanted, const pair_answer *found, const char *scene_name,
                    const char *variant_name) {
  for (size_t i = 0; i < wanted->count || i < found->count; i++) {
    if (i == wanted->count) fail_at("phantom", &found->pairs[i], scene_name, variant_name);
    if (i == found->count) fail_at("missed", &wanted->pairs[i], scene_name, variant_name);
    const int order = compare_pairs(&wanted->pairs[i], &found->pairs[i]);
    if (order < 0) fail_at("missed", &wanted->pairs[i], scene_name, variant_name);
    if (order > 0) fail_at("phantom", &found->pairs[i], scene_name, variant_name);
  }
  if (wanted->hash != found->hash || wanted->limit_reached != found->limit_reached)
    fail_msg("%s, %s: hash %016" PRIx64 " instead of %016" PRIx64, scene_name, variant_name, found->hash, wanted->hash);
}

void running_variant_words(const running_variant *variant, char *words_out, size_t words_bytes) {
  snprintf(words_out, words_bytes, "%s simd%d workers%u threading%d%s%s", variant->method, (int)variant->simd,
           variant->worker_count, (int)variant->threading, variant->tasks != NULL ? " tasks" : "",
           variant->as_float ? " float" : "");
}

enum { HOST_WORKERS = 4 };

static void run_reversed(void *context, graze_task *task, void *task_context, uint32_t count) {
  (void)context;
  for (uint32_t i = count; i-- > 0;) task(task_context, i, i % HOST_WORKERS);
}

/* Steps through all indices by a stride that has no factor in common with their number. */
static void run_shuffled(void *context, graze_task *task, void *task_context, uint32_t count) {
  (void)context;
  const uint64_t stride = 2654435761u; /* prime */
  for (uint64_t i = 0; i < count; i++) {
    const uint32_t index = count == stride ? (uint32_t)i : (uint32_t)((i * stride + count / 3) % count);
    task(task_context, index, (index * 7 + 3) % HOST_WORKERS);
  }
}

const graze_task_system host_runs_reversed = {sizeof host_runs_reversed, NULL, HOST_WORKERS, run_reversed};
const graze_task_system host_runs_shuffled = {sizeof host_runs_shuffled, NULL, HOST_WORKERS, run_shuffled};
