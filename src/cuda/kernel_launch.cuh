/* The conversion of a stage to a kernel: a loop over its indices with the stride of the whole grid, so that a grid
 * of any size processes all of them. Their number is read on the device, where lists are counted. */
#ifndef GRAZE_CUDA_KERNEL_LAUNCH_CUH
#define GRAZE_CUDA_KERNEL_LAUNCH_CUH

#include "cuda/device_stages.h"

#include <stddef.h>
#include <stdint.h>

#include <cuda_runtime.h>

/* Consecutive kernels overlap: the blocks of a kernel are scheduled as soon as all of the previous one have begun,
 * and wait here until that has ended and its writes are visible. Every kernel begins with this call. */
static __device__ inline void follow_closely() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
  cudaGridDependencySynchronize();
#endif
}

/* Whether the current device supports this: compute capability 9.0 or later. */
static inline bool kernels_overlap() {
  int device = 0, major = 0;
  return cudaGetDevice(&device) == cudaSuccess &&
         cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) == cudaSuccess && major >= 9;
}

/* Launches a kernel with overlap; cudaGetLastError reports a failure. */
template <typename... parameters, typename... arguments>
static void launch_closely(void (*kernel)(parameters...), unsigned blocks, unsigned threads, cudaStream_t stream,
                           arguments... given) {
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(blocks);
  config.blockDim = dim3(threads);
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = kernels_overlap() ? 1 : 0;
  (void)cudaLaunchKernelEx(&config, kernel, given...);
}

/* The threads of a block and, in files that define it, the least number of blocks that a processor must hold, which
 * limits the registers of a kernel and of the functions that it calls. A kernel that calls functions would otherwise
 * use up to 255, whatever its own code needs. */
#ifndef KERNEL_BOUNDS
#define KERNEL_BOUNDS(name) KERNEL_THREADS
#endif

#define DEVICE_KERNEL(view_type, name, count, bound)                                                                   \
  static __global__ void __launch_bounds__(KERNEL_BOUNDS(name))                                                        \
      kernel_##name(const __grid_constant__ view_type view) {                                                          \
    const view_type *v = &view;                                                                                        \
    follow_closely();                                                                                                  \
    const uint32_t end = (uint32_t)(count), stride = gridDim.x * blockDim.x;                                           \
    for (uint64_t index = blockIdx.x * blockDim.x + threadIdx.x; index < end; index += stride)                         \
      stage_##name((uint32_t)index, v);                                                                                \
  }

/* A stage that appends to lists: the threads of a block run the loop together and write their items together. */
#define DEVICE_LIST_KERNEL(view_type, name, count, bound)                                                              \
  static __global__ void __launch_bounds__(KERNEL_BOUNDS(name))                                                        \
      kernel_##name(const __grid_constant__ view_type view) {                                                          \
    const view_type *v = &view;                                                                                        \
    follow_closely();                                                                                                  \
    const uint32_t end = (uint32_t)(count), stride = gridDim.x * blockDim.x;                                           \
    begin_lists();                                                                                                     \
    for (uint64_t first = blockIdx.x * blockDim.x; first < end; first += stride) {                                     \
      if (first + threadIdx.x < end) stage_##name((uint32_t)first + threadIdx.x, v);                                   \
      write_full_lists(lists_of(v));                                                                                   \
    }                                                                                                                  \
    end_lists(lists_of(v));                                                                                            \
  }

/* The number of active threads per warp if there is little work: a power of two such that no block gets a second
 * turn. Each thread then waits for fewer others that diverge. */
static __device__ inline uint32_t threads_at_work(uint32_t count) {
  enum { WARPS_AT_ONCE = 2048 };
  const uint32_t launched = gridDim.x * (blockDim.x / 32), warps = launched < WARPS_AT_ONCE ? launched : WARPS_AT_ONCE;
  uint32_t threads = 32;
  while (threads > 1 && threads / 2 * warps >= count) threads /= 2;
  return threads;
}

/* A stage that appends to lists, typically of few indices. */
#define DEVICE_SPREAD_KERNEL(view_type, name, count, bound)                                                            \
  static __global__ void __launch_bounds__(KERNEL_BOUNDS(name))                                                        \
      kernel_##name(const __grid_constant__ view_type view) {                                                          \
    const view_type *v = &view;                                                                                        \
    follow_closely();                                                                                                  \
    const uint32_t end = (uint32_t)(count), at_work = threads_at_work(end), of_block = blockDim.x / 32 * at_work;      \
    const uint32_t lane = threadIdx.x % 32, number = threadIdx.x / 32 * at_work + lane;                                \
    begin_lists();                                                                                                     \
    for (uint64_t first = blockIdx.x * of_block; first < end; first += gridDim.x * of_block) {                         \
      if (lane < at_work && first + number < end) stage_##name((uint32_t)first + number, v);                           \
      write_full_lists(lists_of(v));                                                                                   \
    }                                                                                                                  \
    end_lists(lists_of(v));                                                                                            \
  }

/* A stage that writes pairs: the values that the threads of a block return are added in one step. Slots reduce
 * contention between blocks. */
#define DEVICE_PAIR_KERNEL(view_type, name, count, bound)                                                              \
  static __global__ void __launch_bounds__(KERNEL_BOUNDS(name))                                                        \
      kernel_##name(const __grid_constant__ view_type view) {                                                          \
    const view_type *v = &view;                                                                                        \
    follow_closely();                                                                                                  \
    const uint32_t end = (uint32_t)(count), stride = gridDim.x * blockDim.x;                                           \
    uint64_t sum = 0;                                                                                                  \
    for (uint64_t index = blockIdx.x * blockDim.x + threadIdx.x; index < end; index += stride)                         \
      sum += stage_##name((uint32_t)index, v);                                                                         \
    device_add_block(device_tally_slot(&v->lists, TALLY_HASH, blockIdx.x * 32u), sum);                                 \
  }

#define DEVICE_LAUNCH(view_type, name, count, bound)                                                                   \
  case STAGE_##name:                                                                                                   \
    launch_closely(kernel_##name, blocks, KERNEL_THREADS, launch->stream,                                              \
                   *static_cast<const view_type *>(launch->view));                                                     \
    break;

/* The parameters of a stage's launch: the bound of its indices, and the number of processors. */
struct stage_launch {
  device_stage stage;
  size_t bound;
  unsigned processors;
  cudaStream_t stream;
  const void *view; /* of the stage's row */
};

/* Blocks for all indices of a launch, at most `most_a_processor` per processor. */
static inline unsigned blocks_for(const stage_launch *launch, unsigned threads, unsigned most_a_processor) {
  const size_t blocks = (launch->bound + threads - 1) / threads, most = (size_t)most_a_processor * launch->processors;
  return (unsigned)(blocks < most ? blocks : most);
}

enum { EXACT_BLOCKS_A_PROCESSOR = 16 }; /* deep stacks: more blocks cost memory and save no time */

/* Each file of kernels launches its own stages and returns false for others. cudaGetLastError reports a failure. */
bool launch_light(const stage_launch *launch);
bool launch_exact(const stage_launch *launch);
bool launch_clearance(const stage_launch *launch);
bool launch_crowding(const stage_launch *launch);
bool launch_near_tests(const stage_launch *launch);
bool launch_configurations(const stage_launch *launch);
bool launch_distances(const stage_launch *launch);
bool launch_exact_contacts(const stage_launch *launch);
bool launch_measures(const stage_launch *launch);
bool launch_wrenches(const stage_launch *launch);
bool launch_packing(const stage_launch *launch);
bool launch_vertices(const stage_launch *launch);
bool launch_search(const stage_launch *launch);
bool launch_clusters(const stage_launch *launch);

/* Whether the kernels support the current device and its driver. */
cudaError_t find_kernels();

/* Computes the exclusive prefix sums of counts. If the device knows that their sum is zero, they are unchanged. The
 * states, whose size is for this number of counts or more, are zero before the first scan, and zero again after
 * each. */
enum { SCAN_TILE = 8192 }; /* counts per block */
size_t scan_states_bytes(size_t count);
void launch_scan(uint32_t *counts, size_t count, const uint64_t *sum_or_null, void *states, cudaStream_t stream);

#endif
