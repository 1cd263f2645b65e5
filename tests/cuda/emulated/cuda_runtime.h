/* Emulates the part of CUDA that the kernels of search and scan need, on the host. Replaces the header of this name.
 * The threads of a block are fibers, which yield where they wait for other threads of their warp or block.
 *
 * In a collective step of a warp, each thread waits until all have reached it, so that none is more than one step
 * ahead, and a value remains until all threads have read it. Blocks run one after the other; shared memory is static.
 */
#ifndef GRAZE_TESTS_EMULATED_CUDA_RUNTIME_H
#define GRAZE_TESTS_EMULATED_CUDA_RUNTIME_H

#include <cstring>
#include <functional>

#define __global__
#define __device__
#define __host__
#define __shared__ static
#define __grid_constant__
#define __noinline__
#define __forceinline__ inline
#define __launch_bounds__(...)

struct dim3 {
  unsigned x;
  dim3(unsigned count = 1) : x(count) {}
};

struct alignas(16) uint4 {
  unsigned x, y, z, w;
};

extern dim3 blockIdx, gridDim, blockDim;
#define threadIdx (emulated_thread())
dim3 emulated_thread();

/* Named by headers of other stages, and not there. */
unsigned __activemask();
int __syncthreads_or(int holds);

/* The values of all threads of a warp, once all are present. */
const unsigned long long *emulated_step(unsigned long long given);
void __syncthreads();
void emulated_grid(unsigned blocks, unsigned threads, const std::function<void()> &kernel);

/* All threads of a warp do all of these together. */
static inline void __syncwarp(unsigned = ~0u) {
  (void)emulated_step(0);
}

static inline unsigned __ballot_sync(unsigned, bool holds) {
  const unsigned long long *given = emulated_step(holds ? 1 : 0);
  unsigned bits = 0;
  for (unsigned i = 0; i < 32; i++) bits |= static_cast<unsigned>(given[i]) << i;
  return bits;
}

static inline bool __any_sync(unsigned mask, bool holds) {
  return __ballot_sync(mask, holds) != 0;
}

/* Whatever number it is, by its bits. */
template <typename number> const unsigned long long *emulated_exchange(number given) {
  unsigned long long bits = 0;
  static_assert(sizeof given <= sizeof bits, "shuffles exchange at most eight bytes");
  memcpy(&bits, &given, sizeof given);
  return emulated_step(bits);
}

template <typename number> number emulated_number(unsigned long long bits) {
  number taken;
  memcpy(&taken, &bits, sizeof taken);
  return taken;
}

template <typename number> number __shfl_sync(unsigned, number given, int lane) {
  return emulated_number<number>(emulated_exchange(given)[lane & 31]);
}

template <typename number> number __shfl_up_sync(unsigned, number given, unsigned step) {
  const unsigned lane = threadIdx.x % 32;
  return emulated_number<number>(emulated_exchange(given)[lane >= step ? lane - step : lane]);
}

template <typename number> number __shfl_xor_sync(unsigned, number given, int step) {
  const unsigned lane = threadIdx.x % 32;
  return emulated_number<number>(emulated_exchange(given)[lane ^ static_cast<unsigned>(step)]);
}

static inline void __threadfence() {} /* one thread runs at a time */

static inline int __popc(unsigned bits) {
  return __builtin_popcount(bits);
}

static inline int __popcll(unsigned long long bits) {
  return __builtin_popcountll(bits);
}

static inline int __ffs(int bits) {
  return __builtin_ffs(bits);
}

template <typename number> number atomicAdd(number *to, number amount) {
  const number before = *to;
  *to = before + amount;
  return before;
}

static inline unsigned min(unsigned a, unsigned b) {
  return a < b ? a : b;
}

/* ---------------------------------------------------------------------------------------------- launches */

typedef struct emulated_stream *cudaStream_t;
typedef enum cudaError { cudaSuccess } cudaError_t;
enum { cudaDevAttrComputeCapabilityMajor, cudaFuncAttributePreferredSharedMemoryCarveout };
enum { cudaLaunchAttributeProgrammaticStreamSerialization };

struct cudaLaunchAttribute {
  int id;
  struct {
    int programmaticStreamSerializationAllowed;
  } val;
};

struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim;
  cudaStream_t stream;
  cudaLaunchAttribute *attrs;
  unsigned numAttrs;
};

static inline cudaError_t cudaGetDevice(int *device) {
  *device = 0;
  return cudaSuccess;
}

static inline cudaError_t cudaDeviceGetAttribute(int *value, int, int) {
  *value = 7;
  return cudaSuccess;
}

template <typename kernel> cudaError_t cudaFuncSetAttribute(kernel, int, int) {
  return cudaSuccess;
}

template <typename... parameters, typename... arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(parameters...), arguments... given) {
  emulated_grid(config->gridDim.x, config->blockDim.x, [&] { kernel(given...); });
  return cudaSuccess;
}

#endif
