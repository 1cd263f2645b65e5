/* Tests sphere trees with neural gas on an emulated device: the nodes equal the processor's bit by bit, for all sets of
 * spheres; failing operations, too little memory, errors. */
#include "backend_choice.h"
#include "host_operations.h"
#include "sphere_sets.h"
#include "spheres/sphere_nodes.h"
#include "test_scale.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

static void configure(index_order order, size_t fail_at, bool stays_lost) {
  const host_device_settings settings = {.order = order, .fail_at = fail_at, .stays_lost = stays_lost};
  host_device_configure(&settings);
}

static void check_released(void) {
  assert_int_equal(host_device_count().bytes, 0);
  assert_int_equal(host_device_count().open_devices, 0);
}

static graze_result create_on_device(graze_sphere_tree_def def, graze_sphere_tree **tree_out) {
  const int device = 2;
  const graze_backend_def backend = backend_on("cuda", &device);
  def.backend = &backend;
  return graze_sphere_tree_create(&def, tree_out);
}

static void assert_same(sphere_set set, const graze_sphere_tree *wanted, const graze_sphere_tree *made) {
  if (wanted->node_count != made->node_count)
    fail_msg("%s: %u nodes, not %u", sphere_set_name(set), made->node_count, wanted->node_count);
  if (memcmp(wanted->nodes, made->nodes, wanted->node_count * sizeof *wanted->nodes) != 0)
    fail_msg("%s: nodes differ", sphere_set_name(set));
}

TEST(sets_have_the_same_trees) {
  for (int set = 0; set < SPHERE_SETS; set++) {
    OWNED(sphere_packing) spheres = sphere_set_make((sphere_set)set, test_sanitized(1000, 2500), 7);
    for (uint32_t magnification = 0; magnification <= 3; magnification += 3) {
      graze_sphere_tree_def def = sphere_set_def(&spheres, GRAZE_SPHERE_BUILDER_NEURAL_GAS, 1);
      def.magnification = magnification;
      def.iterations = magnification == 0 ? 3 : 0;
      graze_sphere_tree *wanted, *made;
      assert_ok(graze_sphere_tree_create(&def, &wanted));
      for (int order = 0; order < INDEX_ORDER_COUNT; order++) {
        configure((index_order)order, 0, false);
        def.worker_count = (uint32_t)order + 1;
        assert_ok(create_on_device(def, &made));
        check_released();
        assert_same((sphere_set)set, wanted, made);
        graze_sphere_tree_destroy(made);
      }
      graze_sphere_tree_destroy(wanted);
    }
  }
}

/* Every operation fails once, or from then on: a code, a message, no tree, nothing lost. */
TEST(operations_may_fail) {
  OWNED(sphere_packing) spheres = sphere_set_make(SET_PACKING, 60, 3);
  graze_sphere_tree_def def = sphere_set_def(&spheres, GRAZE_SPHERE_BUILDER_NEURAL_GAS, 1);
  def.iterations = 2;
  for (int lost = 0; lost < 2; lost++) {
    for (size_t fail_at = 1;; fail_at++) {
      graze_sphere_tree *tree;
      configure(INDICES_FORWARD, fail_at, lost != 0);
      const graze_result result = create_on_device(def, &tree);
      if (result != GRAZE_OK) {
        assert_true(result == GRAZE_OUT_OF_MEMORY || result == GRAZE_DEVICE_FAILED);
        assert_non_null(strstr(graze_error_text(), "of the device failed"));
        assert_null(tree);
      }
      graze_sphere_tree_destroy(tree);
      check_released();
      if (result == GRAZE_OK) break;
    }
  }
}

TEST(little_memory_is_reported) {
  OWNED(sphere_packing) spheres = sphere_set_make(SET_PACKING, 600, 3);
  const graze_sphere_tree_def def = sphere_set_def(&spheres, GRAZE_SPHERE_BUILDER_NEURAL_GAS, 1);
  const host_device_settings settings = {.most_bytes = 20000};
  graze_sphere_tree *tree;
  host_device_configure(&settings);
  assert_int_equal(create_on_device(def, &tree), GRAZE_OUT_OF_MEMORY);
  assert_non_null(strstr(graze_error_text(), "bytes were asked for"));
  check_released();
}

/* Fails each allocation of host memory in turn. */
typedef struct scarcity {
  size_t allowed, live;
} scarcity;

static void *allocate(void *context, size_t bytes, size_t alignment) {
  scarcity *scarce = context;
  if (scarce->allowed == 0) return NULL;
  scarce->allowed--;
  scarce->live++;
  return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void release(void *context, void *block, size_t bytes) {
  (void)bytes;
  ((scarcity *)context)->live--;
  free(block);
}

TEST(host_memory_may_fail) {
  OWNED(sphere_packing) spheres = sphere_set_make(SET_PACKING, 60, 3);
  graze_sphere_tree_def def = sphere_set_def(&spheres, GRAZE_SPHERE_BUILDER_NEURAL_GAS, 1);
  def.threading = GRAZE_THREADING_SERIAL;
  configure(INDICES_FORWARD, 0, false);
  graze_result result = GRAZE_OUT_OF_MEMORY;
  for (size_t allowed = 0; result != GRAZE_OK; allowed++) {
    scarcity scarce = {allowed, 0};
    graze_allocator allocator = graze_allocator_default();
    allocator.context = &scarce;
    allocator.allocate = allocate;
    allocator.release = release;
    def.allocator = &allocator;
    graze_sphere_tree *tree;
    result = create_on_device(def, &tree);
    if (result != GRAZE_OK) assert_int_equal(result, GRAZE_OUT_OF_MEMORY);
    graze_sphere_tree_destroy(tree);
    assert_int_equal(scarce.live, 0);
    check_released();
  }
}

/* Nothing is done elsewhere in silence. */
TEST(refusals_say_why) {
  OWNED(sphere_packing) spheres = sphere_set_make(SET_FIVE, 5, 3);
  graze_sphere_tree_def def = sphere_set_def(&spheres, GRAZE_SPHERE_BUILDER_EXTREMES, 1);
  graze_sphere_tree *tree;
  configure(INDICES_FORWARD, 0, false);
  assert_int_equal(create_on_device(def, &tree), GRAZE_UNSUPPORTED);
  assert_non_null(strstr(graze_error_text(), "only the sphere tree builder neural_gas"));
  def.builder = GRAZE_SPHERE_BUILDER_NEURAL_GAS;
  const int nowhere = HOST_DEVICE_COUNT;
  graze_backend_def backend = backend_on("cuda", &nowhere);
  def.backend = &backend;
  assert_int_equal(graze_sphere_tree_create(&def, &tree), GRAZE_NO_DEVICE);
  backend.name = "abacus";
  assert_int_equal(graze_sphere_tree_create(&def, &tree), GRAZE_INVALID_ARGUMENT);
  assert_null(tree);
}
