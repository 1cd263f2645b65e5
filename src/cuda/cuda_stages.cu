/* Kernels of the stages with one thread per index: those without exact tiers, and without cooperating threads. */
#define KERNEL_THREADS 128

#include "cuda/kernel_launch.cuh"
#include "cuda/stage_clusters.h"
#include "cuda/stage_contact.h"
#include "cuda/stage_crowding.h"
#include "cuda/stage_entries.h"
#include "cuda/stage_exact.h"
#include "cuda/stage_filter.h"
#include "cuda/stage_focus.h"
#include "cuda/stage_gas.h"
#include "cuda/stage_order.h"
#include "cuda/stage_search.h"
#include "cuda/stage_tree.h"
#include "cuda/stage_tree_fit.h"
#include "cuda/stage_vertices.h"

/* More than run concurrently, because the work differs between entries (measured). */
enum { BLOCKS_A_PROCESSOR = 128 };

#define LIGHT_STAGE_LIST(X)                                                                                            \
  SCENE_LIGHT_STAGE_LIST(X)                                                                                            \
  GRID_LIGHT_STAGE_LIST(X)                                                                                             \
  TREE_LIGHT_STAGE_LIST(X)                                                                                             \
  TREE_FIT_STAGE_LIST(X)                                                                                               \
  CLUSTER_LIGHT_STAGE_LIST(X)                                                                                          \
  LEARNING_LIGHT_STAGE_LIST(X)                                                                                         \
  ORDER_LIGHT_STAGE_LIST(X) CROWDING_LIGHT_STAGE_LIST(X) CONTACT_LIGHT_STAGE_LIST(X) GAS_STAGE_LIST(X)

#define TEST_STAGE_LIST(X)                                                                                             \
  BRUTE_STAGE_LIST(X) TREE_TEST_STAGE_LIST(X) PAIR_TEST_STAGE_LIST(X) CROWDING_TEST_STAGE_LIST(X)

LIGHT_STAGE_LIST(DEVICE_KERNEL)
ORDER_PAIR_STAGE_LIST(DEVICE_PAIR_KERNEL)
TEST_STAGE_LIST(DEVICE_LIST_KERNEL)
PAIR_DOUBLE_STAGE_LIST(DEVICE_SPREAD_KERNEL)

bool launch_light(const stage_launch *launch) {
  const unsigned blocks = blocks_for(launch, KERNEL_THREADS, BLOCKS_A_PROCESSOR);
  switch (launch->stage) {
    LIGHT_STAGE_LIST(DEVICE_LAUNCH)
    ORDER_PAIR_STAGE_LIST(DEVICE_LAUNCH)
    TEST_STAGE_LIST(DEVICE_LAUNCH)
    PAIR_DOUBLE_STAGE_LIST(DEVICE_LAUNCH)
  default:
    return false;
  }
  return true;
}

cudaError_t find_kernels() {
  cudaFuncAttributes attributes;
  return cudaFuncGetAttributes(&attributes, kernel_rounding);
}
