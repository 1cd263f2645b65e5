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

/* ---------------------------------------------------------------------------------------------- shared volumes of
 * tetrahedra
 *
 * The steps of stage_contact.h, with load balance between the
 * threads of a warp.
 *
 * A pair takes one to eighty steps, seven on average, and the maximum of 32 pairs is typically thirty. So threads do
 * not wait for the slowest one: when enough threads are idle, they write their results and take the next pairs of
 * their warp. Most of the time all threads are at the same step, each of its own pair. The state of a pair is in
 * shared memory, interleaved by thread, so that there are no bank conflicts. */

namespace {

enum {
  WARP = 32,
  WARPS_A_BLOCK = KERNEL_THREADS / WARP,
  BLOCKS_AT_ONCE = 6, /* per processor, limited by shared memory; a thread may then have 168 registers */
  ENOUGH_IDLE = 18    /* idle threads of a warp for which new pairs are taken: a start costs as much as two steps */
};

constexpr unsigned ALL = 0xffffffffu;

/* The pairs of a warp: runs of 32 at a constant stride, so that all warps have pairs from every part of the list. */
__device__ uint64_t pair_of_warp(unsigned number) {
  const uint64_t warps = gridDim.x * static_cast<uint64_t>(WARPS_A_BLOCK);
  const unsigned warp = blockIdx.x * WARPS_A_BLOCK + threadIdx.x / WARP;
  return (number / WARP * warps + warp) * WARP + number % WARP;
}

/* A thread's pair and its remaining work. */
struct volume_work {
  volume_run run;
  bool has, more; /* it has a pair; the pair has steps left */
};

/* Called by a thread without steps left: writes its volume and takes this pair, if it exists. */
__device__ void take_pair(const contact_view *v, uint64_t index, uint64_t end, const overlap_scratch *scratch,
                          volume_work *work) {
  if (work->has) end_volume(v, &work->run);
  work->has = index < end && begin_volume(v, static_cast<uint32_t>(index), scratch, &work->run, &work->more);
}

__global__ void __launch_bounds__(KERNEL_THREADS, BLOCKS_AT_ONCE)
    kernel_contact_volumes(const __grid_constant__ contact_view view) {
  __shared__ double space[OVERLAP_SCRATCH][KERNEL_THREADS];
  const contact_view *v = &view;
  follow_closely();
  const overlap_scratch scratch = {&space[0][threadIdx.x], KERNEL_THREADS};
  const uint64_t end = device_contact_count(v);
  const unsigned before = (1u << threadIdx.x % WARP) - 1u;
  unsigned taken = 0; /* by the warp */
  volume_work work;
  work.has = work.more = false;
  for (;;) {
    const unsigned idle = __ballot_sync(ALL, !work.more);
    const bool has_pairs = pair_of_warp(taken) < end;
    if (idle == ALL || (has_pairs && __popc(idle) >= ENOUGH_IDLE)) {
      if (!work.more) take_pair(v, pair_of_warp(taken + __popc(idle & before)), end, &scratch, &work);
      taken += __popc(idle);
      if (!has_pairs) break; /* no thread had steps left either: all volumes are written */
    }
    __syncwarp();
    if (work.more) work.more = overlap_cut_step(&work.run.measure.cut, &scratch);
    __syncwarp();
  }
}

} // namespace

/* As many blocks as run concurrently, so that each thread has many pairs: at the end a warp waits for its last one. */
static void launch_volumes(const stage_launch *launch) {
  (void)cudaFuncSetAttribute(kernel_contact_volumes, cudaFuncAttributePreferredSharedMemoryCarveout,
                             cudaSharedmemCarveoutMaxShared);
  launch_closely(kernel_contact_volumes, blocks_for(launch, KERNEL_THREADS, BLOCKS_AT_ONCE), KERNEL_THREADS,
                 launch->stream, *static_cast<const contact_view *>(launch->view));
}

bool launch_measures(const stage_launch *launch) {
  const unsigned blocks = blocks_for(launch, KERNEL_THREADS, MEASURE_BLOCKS_A_PROCESSOR);
  if (launch->stage == STAGE_contact_tetrahedra)
    (void)cudaFuncSetAttribute(kernel_contact_tetrahedra, cudaFuncAttributePreferredSharedMemoryCarveout,
                               PERCENT_SHARED);
  switch (launch->stage) {
  case STAGE_contact_volumes:
    launch_volumes(launch);
    break;
    CONTACT_MEASURE_STAGE_LIST(DEVICE_LAUNCH)
  default:
    return false;
  }
  return true;
}
