/* Tests clusters as units of work: several searches on the processor, and several emulated devices, each get some of
 * the clusters and share nothing. Together they find the pairs of one search, each pair once. */
#include "backend_choice.h"
#include "backend_cpu/cpu_state.h"
#include "backend_cuda/cuda_scene.h"
#include "base/number_sequence.h"
#include "broad/clusters.h"
#include "broad/primitive_selection.h"
#include "cuda/device_clusters.h"
#include "host_operations.h"
#include "scene/scene_vertices.h"
#include "scene_calls.h"
#include "scene_runner.h"
#include "testing.h"
#include "torture_scenes.h"

#include <stdlib.h>
#include <string.h>

enum { PARTS = 3, DEVICE_CLUSTERS = 12 };

static graze_method_def method_of(uint32_t clusters) {
  graze_method_def def = graze_method_def_default();
  def.name = "clusters";
  def.clusters = clusters;
  return def;
}

static graze_scene *scene_on(const char *backend, int device, const mesh *meshes, size_t mesh_count,
                             const graze_method_def *chosen) {
  graze_scene *scene;
  graze_scene_def def = graze_scene_def_default();
  def.worker_count = 1;
  assert_ok(create_on(backend, device, def, &scene));
  for (size_t i = 0; i < mesh_count; i++) runner_add(scene, &meshes[i], false, NULL);
  assert_ok(graze_scene_set_method(scene, chosen));
  assert_ok(graze_scene_update(scene));
  return scene;
}

static mesh soup(size_t count, size_t huge) {
  uint64_t seed = 9;
  mesh m = torture_mesh(3 * count, count);
  for (size_t i = 0; i < count; i++) {
    const double size = i < huge ? 4.0 : 0.1; /* more than 16 times the mean */
    double center[3];
    for (int axis = 0; axis < 3; axis++) center[axis] = 2e-3 * (double)sequence_below(&seed, 1000) - 1.0;
    for (int k = 0; k < 9; k++) {
      m.positions[9 * i + k] = center[k % 3] + size * (2e-3 * (double)sequence_below(&seed, 1000) - 1.0);
      m.triangles[3 * i + k / 3] = (uint32_t)(3 * i + k / 3);
    }
  }
  return m;
}

/* ---------------------------------------------------------------------------------------------- on the processor */

/* How often each pair of primitives was handed over. */
typedef struct hits {
  uint8_t *of_pair;
  uint32_t primitives;
  size_t count;
} hits;

static size_t take(void *context, uint32_t worker, uint32_t task, const candidate *candidates, size_t count) {
  hits *found = context;
  (void)worker;
  (void)task;
  for (size_t i = 0; i < count; i++)
    found->of_pair[(size_t)candidates[i].pair.a * found->primitives + candidates[i].pair.b]++;
  found->count += count;
  return 0;
}

static hits no_hits(const graze_scene *scene) {
  const uint32_t primitives = (uint32_t)scene->primitive_count;
  hits none = {calloc((size_t)primitives * primitives, 1), primitives, 0};
  assert_non_null(none.of_pair);
  return none;
}

/* Searches one range by itself, on one thread. Returns how many members its clusters have. */
static uint64_t search_range(const graze_scene *scene, cluster_range range, hits *found) {
  memory heap;
  memory_init(&heap, NULL);
  primitive_view view = scene_view(scene);
  view.between = view.within = true;
  view.skip_neighbors = true;
  search s = {
      .view = &view, .simd = GRAZE_SIMD_SCALAR, .memory = &heap, .workers = scene->workers, .sink = {found, take}};
  search_init_ends(&s);
  primitive_bounds bounds;
  assert_ok(primitive_bounds_make(&s, true, &view, &bounds));
  assert_ok(clusters_find_range(cpu_state_of(scene)->search.own, &s, range));
  const bool whole = range_has_all_clusters(range);
  assert_true(whole == (s.notes.words[0] != 0)); /* a part says nothing of what the whole costs */
  primitive_bounds_release(&bounds, &heap);
  return s.member_count;
}

/* `huge` of the primitives are: they alone are in the unit behind the last cluster. */
static void compare_ranges(const mesh *meshes, size_t mesh_count, size_t huge, uint32_t clusters,
                           const uint32_t *borders, size_t border_count) {
  const graze_method_def chosen = method_of(clusters);
  OWNED_SCENE *scene = scene_on("cpu", 0, meshes, mesh_count, &chosen);
  const graze_query query = graze_query_default();
  free(runner_find(scene, &query).pairs); /* makes the method ready */
  hits whole = no_hits(scene), parts = no_hits(scene);
  const uint64_t members = search_range(scene, (cluster_range){0, CLUSTERS_END}, &whole);
  uint64_t member_sum = 0;
  uint32_t first = 0;
  size_t most = 0;
  for (size_t i = 0; i <= border_count; i++) {
    const uint32_t end = i < border_count ? borders[i] : CLUSTERS_END;
    const size_t before = parts.count;
    member_sum += search_range(scene, (cluster_range){first, end}, &parts);
    most = parts.count - before > most ? parts.count - before : most;
    first = end;
  }
  assert_int_equal(member_sum, members);
  hits of_huge = no_hits(scene);
  assert_int_equal(search_range(scene, (cluster_range){clusters, CLUSTERS_END}, &of_huge), huge);
  assert_int_equal(parts.count, whole.count);
  assert_true(clusters == 1 || border_count == 0 || most < whole.count);
  for (size_t i = 0; i < (size_t)whole.primitives * whole.primitives; i++) {
    assert_true(whole.of_pair[i] <= 1);
    assert_int_equal(parts.of_pair[i], whole.of_pair[i]);
  }
  free(whole.of_pair);
  free(parts.of_pair);
  free(of_huge.of_pair);
}

/* In three, one by one, with ranges that have no cluster, with huge primitives, whose pairs with each other have a
 * number of their own, and where there is one cluster alone. */
TEST(test_ranges) {
  const uint32_t thirds[] = {4, 8}, each[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, empty[] = {0, 5, 5, 12, 12, 900};
  OWNED(mesh) small = soup(600, 0), with_huge = soup(600, 10);
  compare_ranges(&small, 1, 0, 12, NULL, 0);
  compare_ranges(&small, 1, 0, 12, thirds, 2);
  compare_ranges(&small, 1, 0, 12, each, 12);
  compare_ranges(&small, 1, 0, 1, thirds, 2);
  compare_ranges(&with_huge, 1, 10, 12, thirds, 2);
  compare_ranges(&with_huge, 1, 10, 12, each, 12);
  compare_ranges(&with_huge, 1, 10, 12, empty, 6);
}

/* ---------------------------------------------------------------------------------------------- on several devices */

static int compare_pairs(const void *a_pair, const void *b_pair) {
  const graze_pair *a = a_pair, *b = b_pair;
  const uint32_t first[4] = {a->object_a, a->primitive_a, a->object_b, a->primitive_b};
  const uint32_t second[4] = {b->object_a, b->primitive_a, b->object_b, b->primitive_b};
  for (int i = 0; i < 4; i++)
    if (first[i] != second[i]) return first[i] < second[i] ? -1 : 1;
  return 0;
}

typedef struct device_parts {
  graze_scene *scenes[PARTS];
  graze_pair *pairs[PARTS];
  size_t count[PARTS];
  uint64_t hash;
} device_parts;

static graze_result find_range(graze_scene *scene, uint32_t first, uint32_t end, device_answer *answer_out) {
  const device_query query = {.between = true, .within = true, .skip_neighbors = true, .test = GRAZE_TEST_SAT};
  device_state *device = scene_device(scene);
  return device_clusters_find(device->method.own, &device->wrenches, &query, (cluster_range){first, end}, answer_out);
}

/* Every device gets the clusters of the first: who owns a point is then the same everywhere. */
static void hand_over_clusters(const device_parts *parts) {
  const device_clusters *first = scene_device(parts->scenes[0])->method.own;
  const clusters_state *learned = first->learned;
  const cluster_centers centers = learner_centers(&learned->learner, learned->distance);
  assert_int_equal(centers.count, DEVICE_CLUSTERS);
  sweep_axis axes[DEVICE_CLUSTERS];
  for (uint32_t k = 0; k < centers.count; k++) axes[k] = coordinate_axis((int)(k % 3));
  for (int i = 0; i < PARTS; i++)
    assert_ok(device_clusters_take(scene_device(parts->scenes[i])->method.own, &centers, axes));
}

static void find_part(device_parts *parts, int part, const uint32_t borders[PARTS + 1]) {
  device_answer answer;
  graze_scene *scene = parts->scenes[part];
  assert_ok(find_range(scene, borders[part], borders[part + 1], &answer));
  parts->count[part] = answer.pair_count;
  parts->pairs[part] = malloc((answer.pair_count + 1) * sizeof(graze_pair));
  assert_non_null(parts->pairs[part]);
  assert_ok(device_find_fetch(&scene_device(scene)->search, &answer, answer.pair_count, parts->pairs[part]));
  parts->hash += answer.hash;
}

static void compare_union(const device_parts *parts, const pair_answer *wanted) {
  OWNED_MEMORY graze_pair *all = malloc((wanted->count + 1) * sizeof *all);
  assert_non_null(all);
  size_t count = 0;
  for (int i = 0; i < PARTS; i++) count += parts->count[i];
  assert_int_equal(count, wanted->count); /* with the comparison below: each comes from one device */
  count = 0;
  for (int i = 0; i < PARTS; i++) {
    if (parts->count[i] > 0) memcpy(all + count, parts->pairs[i], parts->count[i] * sizeof *all);
    count += parts->count[i];
  }
  qsort(all, count, sizeof *all, compare_pairs);
  assert_true(count == 0 || memcmp(all, wanted->pairs, count * sizeof *all) == 0);
  assert_int_equal(parts->hash, wanted->hash);
}

static void compare_devices(const mesh *meshes, size_t mesh_count, const uint32_t borders[PARTS + 1]) {
  const graze_method_def chosen = method_of(DEVICE_CLUSTERS);
  const running_variant reference = running_variant_reference();
  graze_scene *judge = runner_scene(&reference, meshes, mesh_count, NULL);
  device_parts parts = {0};
  for (int i = 0; i < PARTS; i++) {
    const host_device_settings settings = {.order = (index_order)(i % INDEX_ORDER_COUNT)};
    host_device_configure(&settings);
    parts.scenes[i] = scene_on("cuda", i, meshes, mesh_count, &chosen);
  }
  const graze_query query = graze_query_default();
  free(runner_find(parts.scenes[0], &query).pairs); /* learns */
  hand_over_clusters(&parts);
  for (int i = PARTS; i-- > 0;) find_part(&parts, i, borders);
  pair_answer wanted = runner_find(judge, &query);
  assert_true(wanted.count > 100);
  compare_union(&parts, &wanted);
  for (int i = 0; i < PARTS; i++) {
    graze_scene_destroy(parts.scenes[i]);
    free(parts.pairs[i]);
  }
  free(wanted.pairs);
  graze_scene_destroy(judge);
  assert_int_equal(host_device_count().open_devices, 0);
  assert_int_equal(host_device_count().bytes, 0);
}

TEST(test_devices) {
  const uint32_t even[PARTS + 1] = {0, 4, 8, CLUSTERS_END}, uneven[PARTS + 1] = {0, 1, 1, CLUSTERS_END};
  mesh m = soup(1500, 5); /* enough pairs for every part, also under sanitizers */
  compare_devices(&m, 1, even);
  compare_devices(&m, 1, uneven);
  mesh_free(&m);
  mesh *meshes;
  size_t mesh_count;
  torture_model("blobs", 900, 3, &meshes, &mesh_count);
  compare_devices(meshes, mesh_count, even);
  for (size_t i = 0; i < mesh_count; i++) mesh_free(&meshes[i]);
  free(meshes);
}

/* The grid would find the pairs of the others too: where memory is short a part is refused. */
TEST(test_little_memory) {
  const graze_method_def chosen = method_of(DEVICE_CLUSTERS);
  OWNED(mesh) m = soup(1000, 0);
  const host_device_settings any = {0};
  host_device_configure(&any);
  graze_scene *scene = scene_on("cuda", 0, &m, 1, &chosen);
  const graze_query query = graze_query_default();
  const pair_answer whole = runner_find(scene, &query);
  assert_int_equal(whole.counters.clusters, DEVICE_CLUSTERS);
  device_answer answer;
  assert_ok(find_range(scene, 0, 5, &answer));
  assert_true(answer.pair_count > 0 && answer.pair_count < whole.count);
  graze_scene_destroy(scene);
  scene = scene_on("cuda", 0, &m, 1, &chosen);
  const host_device_settings little = {.most_bytes = host_device_count().bytes + 100000};
  host_device_configure(&little);
  assert_int_equal(find_range(scene, 0, 5, &answer), GRAZE_OUT_OF_MEMORY);
  free(whole.pairs);
  graze_scene_destroy(scene);
}
