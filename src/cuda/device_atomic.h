/* The atomic steps of the stages, for kernels and for loops on the host.
 *
 * On the device a warp joins its threads' steps into one where it can: a counter that every thread of a launch adds to
 * would otherwise be the slowest thing in it. None of these orders anything: which thread gets which place in a list is
 * a race, and every list is sorted, or only counted, before anyone sees it. */
#ifndef GRAZE_CUDA_DEVICE_ATOMIC_H
#define GRAZE_CUDA_DEVICE_ATOMIC_H

#include "geometry/device.h"

#include <stdbool.h>
#include <stdint.h>

#if defined(__CUDA_ARCH__)
static_assert(sizeof(unsigned long long) == sizeof(uint64_t), "the device's atomics are of 64 bits");
#endif

/* Adds and returns the value before. */
GEOMETRY_FUNCTION uint32_t device_fetch_add(uint32_t *counter, uint32_t amount) {
#if defined(__CUDA_ARCH__)
  return atomicAdd(counter, amount);
#else
  const uint32_t before = *counter;
  *counter += amount;
  return before;
#endif
}

/* Takes `amount` places of a list's counter and returns the first; threads of a warp that are here together take
 * theirs in one step. */
GEOMETRY_FUNCTION uint64_t device_reserve(uint64_t *counter, uint32_t amount) {
#if defined(__CUDA_ARCH__)
  const unsigned together = __activemask();
  const unsigned lane = threadIdx.x & 31u;
  uint32_t before = 0, total = 0;
  for (unsigned left = together; left != 0; left &= left - 1) {
    const unsigned from = (unsigned)__ffs((int)left) - 1u;
    const uint32_t theirs = __shfl_sync(together, amount, (int)from);
    before += from < lane ? theirs : 0u;
    total += theirs;
  }
  const int leader = __ffs((int)together) - 1;
  unsigned long long first = 0;
  if ((int)lane == leader && total != 0) first = atomicAdd((unsigned long long *)counter, (unsigned long long)total);
  return __shfl_sync(together, first, leader) + before;
#else
  const uint64_t first = *counter;
  *counter += amount;
  return first;
#endif
}

/* As device_reserve for one place each, for the threads that want one; what the others get means nothing. */
GEOMETRY_FUNCTION uint64_t device_append(uint64_t *counter, bool wants) {
#if defined(__CUDA_ARCH__)
  const unsigned together = __activemask();
  const unsigned wanting = __ballot_sync(together, wants);
  const unsigned lane = threadIdx.x & 31u;
  if (wanting == 0) return 0;
  const int leader = __ffs((int)wanting) - 1;
  unsigned long long first = 0;
  if ((int)lane == leader) first = atomicAdd((unsigned long long *)counter, (unsigned long long)__popc(wanting));
  first = __shfl_sync(together, first, leader);
  return first + (unsigned)__popc(wanting & ((1u << lane) - 1u));
#else
  const uint64_t first = *counter;
  *counter += wants ? 1u : 0u;
  return first;
#endif
}

/* Adds without asking what was there, once a warp. */
GEOMETRY_FUNCTION void device_tally(uint64_t *counter, uint32_t amount) {
#if defined(__CUDA_ARCH__)
  const unsigned together = __activemask();
  uint32_t total = 0;
  for (unsigned left = together; left != 0; left &= left - 1)
    total += __shfl_sync(together, amount, __ffs((int)left) - 1);
  if ((threadIdx.x & 31u) == (unsigned)__ffs((int)together) - 1u && total != 0)
    atomicAdd((unsigned long long *)counter, (unsigned long long)total);
#else
  *counter += amount;
#endif
}

/* Raises a value that all threads raise. It is read first: once it is high, nobody writes any more. The read may see an
 * old value, which costs a step and nothing else. */
GEOMETRY_FUNCTION void device_raise(uint64_t *highest, uint64_t value) {
#if defined(__CUDA_ARCH__)
  const unsigned together = __activemask();
  unsigned long long most = value;
  for (unsigned left = together; left != 0; left &= left - 1) {
    const unsigned long long theirs = __shfl_sync(together, (unsigned long long)value, __ffs((int)left) - 1);
    most = theirs > most ? theirs : most;
  }
  if ((threadIdx.x & 31u) == (unsigned)__ffs((int)together) - 1u &&
      most > *(volatile unsigned long long *)(void *)highest)
    atomicMax((unsigned long long *)highest, most);
#else
  if (value > *highest) *highest = value;
#endif
}

/* Sets bits, likewise. */
GEOMETRY_FUNCTION void device_set_bits(uint32_t *word, uint32_t bits) {
#if defined(__CUDA_ARCH__)
  const unsigned together = __activemask();
  uint32_t all = 0;
  for (unsigned left = together; left != 0; left &= left - 1) all |= __shfl_sync(together, bits, __ffs((int)left) - 1);
  if ((threadIdx.x & 31u) == (unsigned)__ffs((int)together) - 1u && (all & ~*(volatile uint32_t *)word) != 0)
    atomicOr(word, all);
#else
  *word |= bits;
#endif
}

#endif
