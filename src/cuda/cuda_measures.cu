/* Kernels of the stages that measure pairs as far as the double filter decides them: no exact arithmetic, so that their
 * stacks are small and as many threads as registers allow are at work. Contacts, 160 bytes each, are written by the
 * threads of a warp together: one thread would touch a sector of memory with each of its twenty stores. */
#define KERNEL_THREADS 128

/* That a processor is to hold at once: with 217 registers a thread nothing is spilled. Three of them, which spill some
 * hundred bytes, take 3 % less time for triangles and a quarter more for tetrahedra. */
#define MEASURE_BLOCKS_AT_ONCE 2

#include "cuda/kernel_launch.cuh"
#include "cuda/stage_contact.h"

namespace {

enum {
  CONTACT_WORDS = sizeof(graze_contact) / sizeof(uint64_t),
  CONTACT_ROW = CONTACT_WORDS + 1, /* odd, so that threads that write side by side use different banks */
  MEASURE_BLOCKS_A_PROCESSOR = 64  /* several times as many as run at once: pairs differ in their work */
};

static_assert(sizeof(graze_contact) % sizeof(uint64_t) == 0, "contacts are copied by words of eight bytes");

/* By a whole warp: the contacts of those of its threads that have made one, from pair `first` on. */
__device__ void write_together(const device_view *v, uint64_t first, bool made, const graze_contact *contact) {
  __shared__ uint64_t rows[KERNEL_THREADS][CONTACT_ROW];
  const unsigned lane = threadIdx.x & 31u, warp = threadIdx.x - lane;
  const unsigned all_made = __ballot_sync(0xffffffffu, made);
  if (made) {
    uint64_t words[CONTACT_WORDS];
    memcpy(words, contact, sizeof words);
    for (int i = 0; i < CONTACT_WORDS; i++) rows[threadIdx.x][i] = words[i];
  }
  __syncwarp();
  uint64_t *to = (uint64_t *)(void *)(v->contacts + first);
  for (unsigned i = lane; i < 32u * CONTACT_WORDS; i += 32u) {
    const unsigned row = i / CONTACT_WORDS;
    if ((all_made >> row & 1u) != 0) to[i] = rows[warp + row][i - row * CONTACT_WORDS];
  }
  __syncwarp();
}

} // namespace

#define MEASURE_KERNEL(name, count, bound)                                                                             \
  static __global__ void __launch_bounds__(KERNEL_THREADS, MEASURE_BLOCKS_AT_ONCE)                                     \
      kernel_##name(const __grid_constant__ device_view view) {                                                        \
    const device_view *v = &view;                                                                                      \
    follow_closely();                                                                                                  \
    const uint32_t end = (uint32_t)(count), stride = gridDim.x * blockDim.x, lane = threadIdx.x & 31u;                 \
    for (uint64_t first = blockIdx.x * blockDim.x + threadIdx.x - lane; first < end; first += stride) {                \
      graze_contact contact;                                                                                           \
      const bool made = first + lane < end && filtered_##name((uint32_t)first + lane, v, &contact);                    \
      write_together(v, first, made, &contact);                                                                        \
    }                                                                                                                  \
  }

DEVICE_MEASURE_STAGE_LIST(MEASURE_KERNEL)

void launch_measure_stage(device_stage stage, size_t pairs, unsigned processors, cudaStream_t stream,
                          const device_view *view) {
  const size_t needed = (pairs + KERNEL_THREADS - 1) / KERNEL_THREADS, most = MEASURE_BLOCKS_A_PROCESSOR * processors;
  const unsigned blocks = (unsigned)(needed < most ? needed : most);
  switch (stage) {
    DEVICE_MEASURE_STAGE_LIST(DEVICE_LAUNCH)
  default:
    break;
  }
}
