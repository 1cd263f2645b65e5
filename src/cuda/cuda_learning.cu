/* The kernel that moves centers of clusters: one block of threads per cluster, whose sums are added in a fixed
 * order. */
#include "cuda/kernel_launch.cuh"
#include "cuda/stage_learning.h"

namespace {

enum { MOVE_THREADS = 256 };

__device__ void join_materials(cluster_material *sum, const cluster_material *part) {
  sum->weight += part->weight;
  sum->spread.count += part->spread.count;
  for (int i = 0; i < 3; i++) {
    sum->position[i] += part->position[i];
    sum->spread.sum[i] += part->spread.sum[i];
  }
  for (int i = 0; i < 6; i++) sum->spread.product[i] += part->spread.product[i];
}

__global__ void __launch_bounds__(MOVE_THREADS) kernel_cluster_move(const __grid_constant__ learning_view view) {
  __shared__ cluster_material materials[MOVE_THREADS];
  const learning_view *v = &view;
  const unsigned cluster = blockIdx.x;
  follow_closely();
  cluster_material *own = &materials[threadIdx.x];
  *own = cluster_material_begin(v, cluster);
  for (unsigned i = threadIdx.x; i < v->point_count; i += MOVE_THREADS) cluster_material_add(v, cluster, i, own);
  for (unsigned half = MOVE_THREADS / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) join_materials(own, &materials[threadIdx.x + half]);
  }
  if (threadIdx.x == 0) cluster_take_material(v, cluster, own);
}

} // namespace

bool launch_learning(const stage_launch *launch) {
  if (launch->stage != STAGE_cluster_move) return false;
  launch_closely(kernel_cluster_move, static_cast<unsigned>(launch->bound), MOVE_THREADS, launch->stream,
                 *static_cast<const learning_view *>(launch->view));
  return true;
}
