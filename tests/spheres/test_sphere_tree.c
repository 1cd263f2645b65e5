/* Tests the internals of sphere trees: every node encloses its leaves in rational arithmetic, none is larger than
 * necessary, the tree does not depend on the number of workers, errors have a message, and failed allocations lose
 * nothing. */
#include "sphere_sets.h"
#include "testing.h"

#include "spheres/sphere_nodes.h"
#include "test_scale.h"

#include <gmp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SPHERES = 700 };

/* ---------------------------------------------------------------------------------------------- enclosure */

/* |c - x| + r <= R, exactly. */
static bool encloses(const sphere_node *node, const double *sphere) {
  mpq_t sum, difference, reach;
  mpq_inits(sum, difference, reach, NULL);
  for (int axis = 0; axis < 3; axis++) {
    mpq_set_d(difference, node->center[axis]);
    mpq_set_d(reach, sphere[axis]);
    mpq_sub(difference, difference, reach);
    mpq_mul(difference, difference, difference);
    mpq_add(sum, sum, difference);
  }
  mpq_set_d(reach, node->radius);
  mpq_set_d(difference, sphere[3]);
  mpq_sub(reach, reach, difference);
  const bool positive = mpq_sgn(reach) >= 0;
  mpq_mul(reach, reach, reach);
  const bool answer = positive && mpq_cmp(sum, reach) <= 0;
  mpq_clears(sum, difference, reach, NULL);
  return answer;
}

/* How far leaves reach beyond a center. */
static double reach_from(const graze_sphere_tree *tree, const uint32_t *leaves, size_t count, const double center[3]) {
  double largest = 0.0;
  for (size_t i = 0; i < count; i++) {
    const double *s = tree->spheres[leaves[i]];
    const double x = s[0] - center[0], y = s[1] - center[1], z = s[2] - center[2];
    largest = fmax(largest, sqrt(x * x + y * y + z * z) + s[3]);
  }
  return largest;
}

/* The reach is a convex function of the center: near the least one no step makes it smaller. Centers are rounded in
 * units of the whole tree. */
static void require_smallest(const graze_sphere_tree *tree, const sphere_node *node, const uint32_t *leaves,
                             size_t count, random_stream *random) {
  const double size = tree->nodes[0].radius;
  for (int i = 0; i < 40; i++) {
    const double step = node->radius * pow(10.0, -1.0 - i % 6);
    double center[3];
    for (int axis = 0; axis < 3; axis++) center[axis] = node->center[axis] + step * (2.0 * random_unit(random) - 1.0);
    assert_true(reach_from(tree, leaves, count, center) >= node->radius * (1.0 - 1e-9) - 1e-15 * size);
  }
}

/* Collects the leaves below a node, and checks it and all below. */
static size_t check_node(const graze_sphere_tree *tree, uint32_t at, uint32_t *leaves, random_stream *random) {
  const sphere_node *node = &tree->nodes[at];
  size_t count = 0;
  if (node->child_count == 0) {
    assert_memory_equal(node->center, tree->spheres[node->first], sizeof node->center);
    assert_true(node->radius == tree->spheres[node->first][3]);
    leaves[0] = node->first;
    return 1;
  }
  assert_in_range(node->child_count, 2, SPHERE_CHILDREN);
  assert_true(node->first > at && node->first + node->child_count <= tree->node_count);
  for (uint32_t i = 0; i < node->child_count; i++) count += check_node(tree, node->first + i, leaves + count, random);
  for (size_t i = 0; i < count; i++) assert_true(encloses(node, tree->spheres[leaves[i]]));
  require_smallest(tree, node, leaves, count, random);
  assert_int_equal(tree->sums[at].leaf_count, count);
  return count;
}

static void check_tree(const graze_sphere_tree *tree) {
  OWNED_MEMORY uint32_t *leaves = malloc(tree->sphere_count * sizeof *leaves);
  OWNED_MEMORY unsigned char *seen = calloc(tree->sphere_count, 1);
  random_stream random = random_stream_make(tree->sphere_count, 2);
  assert_true(leaves != NULL && seen != NULL);
  assert_int_equal(check_node(tree, 0, leaves, &random), tree->sphere_count);
  for (uint32_t i = 0; i < tree->sphere_count; i++) {
    assert_int_equal(seen[leaves[i]], 0);
    seen[leaves[i]] = 1;
  }
  assert_true(tree->sums[0].height <= SPHERE_DEPTH_MOST);
}

TEST(nodes_enclose_their_leaves) {
  for (int set = 0; set < SPHERE_SETS; set++)
    for (int builder = 0; builder < 3; builder++) {
      OWNED(sphere_packing) spheres = sphere_set_make((sphere_set)set, test_scaled(SPHERES, 100), (uint64_t)set);
      OWNED(graze_sphere_tree) *tree = sphere_set_tree(&spheres, (graze_sphere_builder)builder, 1);
      check_tree(tree);
    }
}

/* Ever smaller steps to the middle, of which every level parts off a few: no tree is deeper than its limit. */
TEST(depth_is_bounded) {
  if (test_looks_for_races()) skip(); /* one worker */
  enum { COUNT = 1000 };
  double centers[COUNT][3] = {{0}}, radii[COUNT] = {0};
  for (int i = 0; i < COUNT; i++) centers[i][0] = i == 0 ? -1.0 : ldexp(1.0, 1 - i);
  sphere_packing spheres = {centers, radii, COUNT};
  for (int builder = 0; builder < 3; builder++) {
    OWNED(graze_sphere_tree) *tree = sphere_set_tree(&spheres, (graze_sphere_builder)builder, 1);
    check_tree(tree);
  }
}

TEST(multiplicity_of_sets) {
  static const struct {
    sphere_set set;
    uint32_t least, most;
  } rows[] = {
      {SET_PACKING, 1, 1}, {SET_OVERLAPPING, 3, 200}, {SET_ONE_PLACE, 200, 200}, {SET_POINTS, 1, 1}, {SET_ONE, 1, 1}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    OWNED(sphere_packing) spheres = sphere_set_make(rows[i].set, 200, 4);
    OWNED(graze_sphere_tree) *tree = sphere_set_tree(&spheres, GRAZE_SPHERE_BUILDER_NEURAL_GAS, 2);
    graze_sphere_tree_info info = {.struct_bytes = sizeof info};
    assert_ok(graze_sphere_tree_get_info(tree, &info));
    assert_in_range(info.multiplicity, rows[i].least, rows[i].most);
    assert_int_equal(info.sphere_count, spheres.count);
    assert_true(info.bytes > spheres.count * 32 && info.node_count >= spheres.count && info.depth >= 1);
  }
}

/* ---------------------------------------------------------------------------------------------- workers */

TEST(same_tree_for_all_workers) {
  for (int builder = 0; builder < 3; builder++) {
    OWNED(sphere_packing) spheres = sphere_set_make(SET_PACKING, 6000, 5);
    OWNED(graze_sphere_tree) *alone = sphere_set_tree(&spheres, (graze_sphere_builder)builder, 1);
    for (uint32_t team = 2; team <= 4; team++) {
      if (test_is_sanitized() && team != 2 + (uint32_t)builder) continue;
      OWNED(graze_sphere_tree) *tree = sphere_set_tree(&spheres, (graze_sphere_builder)builder, team);
      assert_int_equal(tree->node_count, alone->node_count);
      assert_memory_equal(tree->nodes, alone->nodes, tree->node_count * sizeof *tree->nodes);
      assert_int_equal(tree->multiplicity, alone->multiplicity);
    }
  }
}

/* ---------------------------------------------------------------------------------------------- refusals */

static void require_refused(const graze_sphere_tree_def *def, graze_result result, const char *words) {
  graze_sphere_tree *tree = (graze_sphere_tree *)(uintptr_t)1;
  assert_int_equal(graze_sphere_tree_create(def, &tree), result);
  assert_null(tree);
  if (strstr(graze_error_text(), words) == NULL) fail_msg("\"%s\" lacks \"%s\"", graze_error_text(), words);
}

TEST(bad_spheres_are_refused) {
  double centers[2][3] = {{0, 0, 0}, {1, 0, 0}}, radii[2] = {1, 1};
  sphere_packing spheres = {centers, radii, 2};
  const graze_sphere_tree_def good = sphere_set_def(&spheres, GRAZE_SPHERE_BUILDER_NEURAL_GAS, 1);
  graze_sphere_tree_def def = good;
  require_refused(NULL, GRAZE_INVALID_ARGUMENT, "graze_sphere_tree_def_default()");
  def.radii.count = 1;
  require_refused(&def, GRAZE_INVALID_ARGUMENT, "2 spheres have 1 radii");
  def.centers.count = def.radii.count = 0;
  require_refused(&def, GRAZE_INVALID_ARGUMENT, "at least one sphere");
  def = good;
  def.centers.format = GRAZE_FORMAT_UINT32_3;
  require_refused(&def, GRAZE_INVALID_ARGUMENT, "centers have format");
  def = good;
  def.builder = (graze_sphere_builder)3;
  require_refused(&def, GRAZE_INVALID_ARGUMENT, "unknown sphere tree builder 3");
  def = good;
  def.magnification = 4;
  require_refused(&def, GRAZE_INVALID_ARGUMENT, "the magnification is 4");
  def = good;
  def.builder = GRAZE_SPHERE_BUILDER_BIGGEST;
  def.magnification = 1;
  require_refused(&def, GRAZE_INVALID_ARGUMENT, "the builder \"biggest\" has no option magnification (given: 1)");
  def = good;
  def.builder = GRAZE_SPHERE_BUILDER_EXTREMES;
  def.iterations = 4;
  require_refused(&def, GRAZE_INVALID_ARGUMENT, "the builder \"extremes\" has no option iterations (given: 4)");
  const int device = 0;
  graze_backend_def backend = graze_backend_def_default();
  backend.devices = &device;
  backend.device_count = 1;
  def = good;
  def.backend = &backend;
  require_refused(&def, GRAZE_UNSUPPORTED, "the backend cpu has no devices");
  radii[1] = -1.0;
  require_refused(&good, GRAZE_INVALID_ARGUMENT, "the radius of sphere 1 is -1");
  radii[1] = NAN;
  require_refused(&good, GRAZE_NOT_FINITE, "the radius of sphere 1");
  radii[1] = 1.0;
  centers[1][1] = HUGE_VAL;
  require_refused(&good, GRAZE_NOT_FINITE, "coordinate y of sphere 1 is inf");
  def = good;
  def.centers.count = def.radii.count = (size_t)UINT32_MAX + 1;
  require_refused(&def, GRAZE_TOO_LARGE, "");
  assert_int_equal(graze_sphere_tree_create(&good, NULL), GRAZE_INVALID_ARGUMENT);
}

TEST(bad_questions_are_refused) {
  double centers[1][3] = {{1, 0, 0}}, radii[1] = {1};
  sphere_packing spheres = {centers, radii, 1};
  graze_sphere_tree *tree = sphere_set_tree(&spheres, GRAZE_SPHERE_BUILDER_NEURAL_GAS, 1);
  graze_pose pose = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};
  graze_sphere_options options = graze_sphere_options_default();
  graze_sphere_volume volume = {.struct_bytes = sizeof volume, .volume = 77.0};
  graze_sphere_distance distance = {.struct_bytes = sizeof distance};
  assert_int_equal(graze_sphere_trees_volume(NULL, NULL, tree, NULL, NULL, &volume), GRAZE_INVALID_ARGUMENT);
  assert_int_equal(graze_sphere_trees_distance(tree, NULL, NULL, NULL, NULL, &distance), GRAZE_INVALID_ARGUMENT);
  assert_int_equal(graze_sphere_trees_volume(tree, NULL, tree, NULL, NULL, NULL), GRAZE_INVALID_ARGUMENT);
  options.stiffness = NAN;
  assert_int_equal(graze_sphere_trees_volume(tree, NULL, tree, NULL, &options, &volume), GRAZE_INVALID_ARGUMENT);
  pose.rotation[0] = 1.1;
  assert_int_equal(graze_sphere_trees_volume(tree, NULL, tree, &pose, NULL, &volume), GRAZE_NOT_A_ROTATION);
  assert_non_null(strstr(graze_error_text(), "the pose of b is not a rotation"));
  pose.rotation[0] = -1.0;
  assert_int_equal(graze_sphere_trees_distance(tree, &pose, tree, NULL, NULL, &distance), GRAZE_NOT_A_ROTATION);
  assert_non_null(strstr(graze_error_text(), "the pose of a is a reflection"));
  pose.rotation[0] = 1.0;
  pose.translation[2] = NAN;
  assert_int_equal(graze_sphere_trees_distance(tree, &pose, tree, NULL, NULL, &distance), GRAZE_NOT_FINITE);
  assert_non_null(strstr(graze_error_text(), "translation z of the pose of a"));
  assert_true(volume.volume == 77.0);
  graze_sphere_tree_destroy(tree);
  graze_sphere_tree_destroy(NULL);
}

/* The ends of what doubles hold: nothing overflows into a wrong answer. */
TEST(ends_of_doubles) {
  static const double sizes[] = {1e-320, 1e-300, 1e-160, 1e150, 1e200, 1e300};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    OWNED(sphere_packing) spheres = sphere_set_make(SET_OVERLAPPING, 40, 3);
    for (size_t j = 0; j < spheres.count; j++) {
      for (int axis = 0; axis < 3; axis++) spheres.centers[j][axis] *= sizes[i];
      spheres.radii[j] *= sizes[i];
    }
    graze_sphere_tree *tree = sphere_set_tree(&spheres, (graze_sphere_builder)(i % 3), 1);
    graze_pose pose = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {1.5 * sizes[i], 0, 0}};
    graze_sphere_volume volume = {.struct_bytes = sizeof volume};
    graze_sphere_distance distance = {.struct_bytes = sizeof distance};
    assert_ok(graze_sphere_trees_volume(tree, NULL, tree, &pose, NULL, &volume));
    assert_true(volume.pair_count > 0);
    graze_sphere_options options = graze_sphere_options_default();
    options.budget = 3;
    graze_sphere_volume some = {.struct_bytes = sizeof some};
    assert_ok(graze_sphere_trees_volume(tree, NULL, tree, &pose, &options, &some));
    assert_true(some.lower <= volume.volume && volume.volume <= some.upper);
    assert_ok(graze_sphere_trees_distance(tree, NULL, tree, &pose, NULL, &distance));
    assert_true(distance.distance == 0.0);
    pose.translation[0] = 50.0 * sizes[i];
    assert_ok(graze_sphere_trees_distance(tree, NULL, tree, &pose, NULL, &distance));
    assert_true(distance.distance > 40.0 * sizes[i]);
    graze_sphere_tree_destroy(tree);
  }
}

/* ---------------------------------------------------------------------------------------------- memory */

typedef struct failing_heap {
  size_t left; /* allocations until the one that fails */
  size_t live;
} failing_heap;

static void *allocate(void *context, size_t bytes, size_t alignment) {
  failing_heap *heap = context;
  if (heap->left == 0) return NULL;
  heap->left--;
  heap->live++;
  return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void release(void *context, void *block, size_t bytes) {
  failing_heap *heap = context;
  (void)bytes;
  heap->live--;
  free(block);
}

/* Each allocation fails in turn: a code and a message, nothing kept, and the tree answers when there is memory again.
 */
TEST(failed_allocations_lose_nothing) {
  OWNED(sphere_packing) spheres = sphere_set_make(SET_OVERLAPPING, 200, 6);
  failing_heap heap = {SIZE_MAX, 0};
  graze_allocator allocator = graze_allocator_default();
  allocator.context = &heap;
  allocator.allocate = allocate;
  allocator.release = release;
  graze_sphere_tree_def def = sphere_set_def(&spheres, GRAZE_SPHERE_BUILDER_NEURAL_GAS, 1);
  def.allocator = &allocator;
  graze_sphere_tree *tree = NULL;
  for (size_t allowed = 0; tree == NULL; allowed++) {
    heap.left = allowed;
    const graze_result result = graze_sphere_tree_create(&def, &tree);
    assert_true(result == GRAZE_OK || (result == GRAZE_OUT_OF_MEMORY && heap.live == 0));
    assert_true(allowed < 2000);
  }
  const size_t live = heap.live;
  graze_sphere_options options = graze_sphere_options_default();
  graze_sphere_volume volume = {.struct_bytes = sizeof volume};
  graze_sphere_distance distance = {.struct_bytes = sizeof distance};
  const graze_pose pose = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0.5, 0, 0}}, far = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {5, 0, 0}};
  for (int question = 0; question < 3; question++) {
    graze_result result = GRAZE_OUT_OF_MEMORY;
    for (size_t allowed = 0; result != GRAZE_OK; allowed++) {
      heap.left = allowed;
      options.budget = question == 1 ? 50 : 0;
      result = question < 2 ? graze_sphere_trees_volume(tree, NULL, tree, &pose, &options, &volume)
                            : graze_sphere_trees_distance(tree, NULL, tree, &far, &options, &distance);
      assert_true(result == GRAZE_OK || result == GRAZE_OUT_OF_MEMORY);
      assert_int_equal(heap.live, live);
    }
  }
  graze_sphere_tree_destroy(tree);
  assert_int_equal(heap.live, 0);
}
