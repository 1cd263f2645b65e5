/* Atomic operations of the stages, for kernels and for the host emulation.
 *
 * On the device a warp combines its threads' operations if it can: a counter to which every thread adds would otherwise
 * be the bottleneck. None of them orders memory: which thread gets which place in a list is a race, and every list is
 * sorted, or only counted, before it is read. */
#ifndef GRAZE_CUDA_DEVICE_ATOMIC_H
#define GRAZE_CUDA_DEVICE_ATOMIC_H

#include "geometry/device.h"

#include <stdbool.h>
#include <stdint.h>

#if defined(__CUDA_ARCH__)
static_assert(sizeof(unsigned long long) == sizeof(uint64_t), "the device's atomics are of 64 bits");
#endif

#if defined(__CUDACC__)
/* The maximum over the active threads; one instruction if the device has it. */
static __device__ inline uint32_t device_sum(unsigned together, uint32_t amount) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  return __reduce_add_sync(together, amount);
#else
  uint32_t total = 0;
  for (unsigned left = together; left != 0; left &= left - 1)
    total += __shfl_sync(together, amount, __ffs((int)left) - 1);
  return total;
#endif
}

static __device__ inline uint32_t device_union(unsigned together, uint32_t bits) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  return __reduce_or_sync(together, bits);
#else
  uint32_t all = 0;
  for (unsigned left = together; left != 0; left &= left - 1) all |= __shfl_sync(together, bits, __ffs((int)left) - 1);
  return all;
#endif
}

static __device__ inline unsigned long long device_most(unsigned together, unsigned long long value) {
  unsigned long long most = value;
  if (together == 0xffffffffu) {
    for (int step = 16; step != 0; step /= 2) {
      const unsigned long long theirs = __shfl_xor_sync(together, most, step);
      most = theirs > most ? theirs : most;
    }
    return most;
  }
  for (unsigned left = together; left != 0; left &= left - 1) {
    const unsigned long long theirs = __shfl_sync(together, value, __ffs((int)left) - 1);
    most = theirs > most ? theirs : most;
  }
  return most;
}
#endif

#if defined(__CUDACC__)
/* Called by all threads of a block, once in a kernel: adds their values, modulo 2^64, in one operation. */
static __device__ inline void device_add_block(uint64_t *sum, uint64_t amount) {
  __shared__ unsigned long long warp_sum[32]; /* for the largest block */
  unsigned long long total = amount;
  for (int step = 16; step != 0; step /= 2) total += __shfl_xor_sync(0xffffffffu, total, step);
  if (threadIdx.x % 32u == 0) warp_sum[threadIdx.x / 32u] = total;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (unsigned i = 1; i < blockDim.x / 32u; i++) total += warp_sum[i];
  if (total != 0) atomicAdd((unsigned long long *)sum, total);
}
#endif

/* Adds, and returns the old value. */
GEOMETRY_FUNCTION uint32_t device_fetch_add(uint32_t *counter, uint32_t amount) {
#if defined(__CUDA_ARCH__)
  return atomicAdd(counter, amount);
#else
  const uint32_t before = *counter;
  *counter += amount;
  return before;
#endif
}

#if defined(__CUDACC__)
/* Allocates a place from a counter for each thread that wants one, with one operation for the active threads of a warp.
 * The result of the other threads is undefined. */
static __device__ inline uint32_t device_append(uint32_t *counter, bool wants) {
  const unsigned together = __activemask();
  const unsigned wanting = __ballot_sync(together, wants);
  const unsigned lane = threadIdx.x & 31u;
  if (wanting == 0) return 0;
  const int leader = __ffs((int)wanting) - 1;
  uint32_t first = 0;
  if ((int)lane == leader) first = atomicAdd(counter, (uint32_t)__popc(wanting));
  first = __shfl_sync(together, first, leader);
  return first + (uint32_t)__popc(wanting & ((1u << lane) - 1u));
}
#endif

/* The same for lists with more than 2^32 entries; also for the host emulation. */
GEOMETRY_FUNCTION uint64_t device_append_long(uint64_t *counter, bool wants) {
#if defined(__CUDA_ARCH__)
  const unsigned together = __activemask();
  const unsigned wanting = __ballot_sync(together, wants);
  const unsigned lane = threadIdx.x & 31u;
  if (wanting == 0) return 0;
  const int leader = __ffs((int)wanting) - 1;
  unsigned long long first = 0;
  if ((int)lane == leader) first = atomicAdd((unsigned long long *)counter, (unsigned long long)__popc(wanting));
  first = __shfl_sync(together, first, leader);
  return first + (uint64_t)__popc(wanting & ((1u << lane) - 1u));
#else
  return wants ? (*counter)++ : 0;
#endif
}

/* Reads a value that other threads raise or set; it may be old. */
GEOMETRY_FUNCTION uint64_t device_read(const uint64_t *value) {
#if defined(__CUDA_ARCH__)
  return *(const volatile unsigned long long *)(const void *)value;
#else
  return *value;
#endif
}

/* True for one thread, the last of `count` to arrive; it acts for the active threads of its warp. It sees all values
 * that they raised before. */
GEOMETRY_FUNCTION bool device_arrives_last(uint32_t *counter, uint32_t count) {
#if defined(__CUDA_ARCH__)
  const unsigned together = __activemask();
  const uint32_t arriving = (uint32_t)__popc(together);
  __threadfence();
  __syncwarp(together);
  if ((threadIdx.x & 31u) != (unsigned)__ffs((int)together) - 1u) return false;
  const bool last = atomicAdd(counter, arriving) + arriving == count;
  __threadfence();
  return last;
#else
  return ++*counter == count;
#endif
}

/* True for the last of `count` threads to arrive at one of many counters. It sees what the others wrote before. */
GEOMETRY_FUNCTION bool device_arrives_last_alone(uint32_t *counter, uint32_t count) {
#if defined(__CUDA_ARCH__)
  __threadfence();
  const bool last = atomicAdd(counter, 1u) + 1u == count;
  __threadfence();
  return last;
#else
  return ++*counter == count;
#endif
}

/* Adds to a sum that few threads add to. */
GEOMETRY_FUNCTION void device_add_long(uint64_t *sum, uint64_t amount) {
#if defined(__CUDA_ARCH__)
  atomicAdd((unsigned long long *)sum, (unsigned long long)amount);
#else
  *sum += amount;
#endif
}

/* Adds without reading the old value, once per warp. */
GEOMETRY_FUNCTION void device_tally(uint64_t *counter, uint32_t amount) {
#if defined(__CUDA_ARCH__)
  const unsigned together = __activemask();
  const uint32_t total = device_sum(together, amount);
  if ((threadIdx.x & 31u) == (unsigned)__ffs((int)together) - 1u && total != 0)
    atomicAdd((unsigned long long *)counter, (unsigned long long)total);
#else
  *counter += amount;
#endif
}

/* Raises a value that all threads raise. It is read first: once it is high, there are no more writes. The read may
 * return an old value, which only costs an extra operation. */
GEOMETRY_FUNCTION void device_raise(uint64_t *highest, uint64_t value) {
#if defined(__CUDA_ARCH__)
  const unsigned together = __activemask();
  const unsigned long long most = device_most(together, value);
  if ((threadIdx.x & 31u) == (unsigned)__ffs((int)together) - 1u &&
      most > *(volatile unsigned long long *)(void *)highest)
    atomicMax((unsigned long long *)highest, most);
#else
  if (value > *highest) *highest = value;
#endif
}

/* Raises a value that few threads raise, without waiting. */
GEOMETRY_FUNCTION void device_raise_once(uint64_t *highest, uint64_t value) {
#if defined(__CUDA_ARCH__)
  atomicMax((unsigned long long *)highest, (unsigned long long)value);
#else
  if (value > *highest) *highest = value;
#endif
}

/* Adds modulo 2^64, with one operation for the active threads of a warp that add to the same number. */
GEOMETRY_FUNCTION void device_add_alike(uint64_t *sum, uint64_t amount) {
#if defined(__CUDA_ARCH__)
  const unsigned alike = __match_any_sync(__activemask(), (unsigned long long)(uintptr_t)sum);
  unsigned long long total = amount;
  if (alike == 0xffffffffu) {
    for (int step = 16; step != 0; step /= 2) total += __shfl_xor_sync(alike, total, step);
  } else {
    total = 0;
    for (unsigned left = alike; left != 0; left &= left - 1)
      total += __shfl_sync(alike, (unsigned long long)amount, __ffs((int)left) - 1);
  }
  if ((threadIdx.x & 31u) == (unsigned)__ffs((int)alike) - 1u && total != 0)
    atomicAdd((unsigned long long *)sum, total);
#else
  *sum += amount;
#endif
}

/* The same if threads raise values of several owners: once per warp if it has one owner. */
GEOMETRY_FUNCTION void device_raise_of(uint32_t owner, uint64_t *highest, uint64_t value) {
#if defined(__CUDA_ARCH__)
  const unsigned together = __activemask();
  int alike = 0;
  (void)__match_all_sync(together, owner, &alike);
  if (alike != 0) {
    device_raise(highest, value);
    return;
  }
  if (value > *(volatile unsigned long long *)(void *)highest)
    atomicMax((unsigned long long *)highest, (unsigned long long)value);
#else
  (void)owner;
  device_raise(highest, value);
#endif
}

#if defined(__CUDA_ARCH__)
/* Reads a word that only gains bits, from this processor's cache: bits that others set may be missing, but no bit is
 * wrong. */
static __device__ inline uint64_t device_glance(const uint64_t *word) {
  uint64_t bits;
  asm volatile("ld.relaxed.cta.global.u64 %0, [%1];" : "=l"(bits) : "l"(word));
  return bits;
}
#endif

/* Whether the previous thread in the warp is active and has the same number: it may then act for both. */
GEOMETRY_FUNCTION bool thread_before_has(uint32_t together, uint32_t number) {
#if defined(__CUDA_ARCH__)
  const unsigned lane = threadIdx.x & 31u;
  const uint32_t before = __shfl_up_sync(together, number, 1);
  return lane != 0 && (together >> (lane - 1u) & 1u) != 0 && before == number;
#else
  (void)together, (void)number;
  return false;
#endif
}

/* The active threads of a warp; one on the host. */
GEOMETRY_FUNCTION uint32_t device_together(void) {
#if defined(__CUDA_ARCH__)
  return __activemask();
#else
  return 1;
#endif
}

/* A pending addition of one to a counter. */
typedef struct counted_one {
  uint32_t before; /* old value of the counter, for the first of the combined threads */
  uint32_t together, first;
} counted_one;

/* Adds one to the counter with this number, with one operation for neighboring threads with the same counter. */
GEOMETRY_FUNCTION counted_one device_count_in(uint32_t *counters, uint32_t number) {
  counted_one one = {0, 1, 0};
#if defined(__CUDA_ARCH__)
  const unsigned together = __activemask(), lane = threadIdx.x & 31u, up_to_here = (2u << lane) - 1u;
  const bool joins = thread_before_has(together, number);
  const unsigned firsts = __ballot_sync(together, !joins), after = firsts & ~up_to_here;
  const unsigned before_next = after != 0 ? (after & (0u - after)) - 1u : ~0u;
  one.together = together;
  one.first = 31u - (unsigned)__clz((int)(firsts & up_to_here));
  const uint32_t joined = (uint32_t)__popc(together & before_next & ~((1u << lane) - 1u));
  if (!joins) one.before = atomicAdd(&counters[number], joined);
#else
  one.before = counters[number]++;
#endif
  return one;
}

/* The value before the addition; called by all threads that have counted together. */
GEOMETRY_FUNCTION uint32_t device_counted_before(counted_one one) {
#if defined(__CUDA_ARCH__)
  return __shfl_sync(one.together, one.before, (int)one.first) + ((threadIdx.x & 31u) - one.first);
#else
  return one.before;
#endif
}

/* Sets bits of a word that few threads set. */
GEOMETRY_FUNCTION void device_set_mark(uint64_t *word, uint64_t bits) {
#if defined(__CUDA_ARCH__)
  if ((bits & ~device_glance(word)) != 0) atomicOr((unsigned long long *)word, (unsigned long long)bits);
#else
  *word |= bits;
#endif
}

/* Sets bits of a word that all threads set, as device_raise does. */
GEOMETRY_FUNCTION void device_set_bits(uint32_t *word, uint32_t bits) {
#if defined(__CUDA_ARCH__)
  const unsigned together = __activemask();
  const uint32_t all = device_union(together, bits);
  if ((threadIdx.x & 31u) == (unsigned)__ffs((int)together) - 1u && (all & ~*(volatile uint32_t *)word) != 0)
    atomicOr(word, all);
#else
  *word |= bits;
#endif
}

#endif
