/* Kernels of the stages that measure pairs with the double filter alone. Without exact arithmetic their stacks are
 * small, and only registers limit the number of threads. The threads of a warp write contacts, 160 bytes each,
 * together: a single thread would touch one memory sector with each of its twenty stores. */
#define KERNEL_THREADS 64

#include "cuda/kernel_launch.cuh"
#include "cuda/stage_contact.h"

namespace {

enum {
  CONTACT_WORDS = sizeof(graze_contact) / sizeof(double),
  MEASURE_BLOCKS_A_PROCESSOR = 128 /* several times the number that runs concurrently: the work differs between pairs */
};

static_assert(sizeof(graze_contact) % sizeof(double) == 0, "contacts are copied by words of eight bytes");

/* Blocks per processor, chosen for the least time, although a few hundred bytes of registers are spilled. Triangles
 * need 217 registers without spills; four blocks then take 3 % more time than six with 168. Tetrahedra: eight
 * blocks, with 128 registers, take 4 % less time than six, which spill next to nothing. */
enum { BLOCKS_OF_contact_triangles = 6, BLOCKS_OF_contact_tetrahedra = 8 };

/* The percentage of a processor's combined shared memory and first-level cache that eight blocks of tetrahedra need. */
enum { PERCENT_SHARED = 92 };

/* Words of shared memory per thread, in which it measures and from which its contact is written; odd, so that
 * adjacent threads use different banks. */
enum { ROW_OF_contact_triangles = CONTACT_WORDS + 1, ROW_OF_contact_tetrahedra = TETRAHEDRA_ROOM + 1 };

__device__ bool measure_contact_triangles(uint32_t index, const contact_view *v, double *row, graze_contact *contact) {
  (void)row;
  return filtered_contact_triangles(index, v, contact);
}

__device__ bool measure_contact_tetrahedra(uint32_t index, const contact_view *v, double *row, graze_contact *contact) {
  return filtered_contact_tetrahedra(index, v, row, contact);
}

/* Called by a whole warp: writes the contacts of those of its threads that made one, from pair `first` on, through
 * rows that begin at `rows`. */
template <int row_words>
__device__ void write_together(const contact_view *v, uint64_t first, bool made, const graze_contact *contact,
                               double (*rows)[row_words]) {
  const unsigned lane = threadIdx.x & 31u;
  const unsigned all_made = __ballot_sync(0xffffffffu, made);
  if (made) {
    double words[CONTACT_WORDS];
    memcpy(words, contact, sizeof words);
    for (int i = 0; i < CONTACT_WORDS; i++) rows[lane][i] = words[i];
  }
  __syncwarp();
  double *to = (double *)(void *)(v->contacts + first);
  for (unsigned i = lane; i < 32u * CONTACT_WORDS; i += 32u) {
    const unsigned row = i / CONTACT_WORDS;
    if ((all_made >> row & 1u) != 0) to[i] = rows[row][i - row * CONTACT_WORDS];
  }
  __syncwarp();
}

} // namespace

#define MEASURE_KERNEL(view_type, name, count, bound)                                                                  \
  static __global__ void __launch_bounds__(KERNEL_THREADS, BLOCKS_OF_##name)                                           \
      kernel_##name(const __grid_constant__ view_type view) {                                                          \
    __shared__ double rows[KERNEL_THREADS][ROW_OF_##name];                                                             \
    const view_type *v = &view;                                                                                        \
    follow_closely();                                                                                                  \
    const uint32_t end = (uint32_t)(count), stride = gridDim.x * blockDim.x, lane = threadIdx.x & 31u;                 \
    for (uint64_t first = blockIdx.x * blockDim.x + threadIdx.x - lane; first < end; first += stride) {                \
      graze_contact contact;                                                                                           \
      const bool made = first + lane < end && measure_##name((uint32_t)first + lane, v, rows[threadIdx.x], &contact);  \
      write_together<ROW_OF_##name>(v, first, made, &contact, rows + (threadIdx.x - lane));                            \
    }                                                                                                                  \
  }

CONTACT_MEASURE_STAGE_LIST(MEASURE_KERNEL)

bool launch_measures(const stage_launch *launch) {
  const unsigned blocks = blocks_for(launch, KERNEL_THREADS, MEASURE_BLOCKS_A_PROCESSOR);
  if (launch->stage == STAGE_contact_tetrahedra)
    (void)cudaFuncSetAttribute(kernel_contact_tetrahedra, cudaFuncAttributePreferredSharedMemoryCarveout,
                               PERCENT_SHARED);
  switch (launch->stage) {
    CONTACT_MEASURE_STAGE_LIST(DEVICE_LAUNCH)
  default:
    return false;
  }
  return true;
}
