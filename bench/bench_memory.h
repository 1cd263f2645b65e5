/* The most memory that a scene and the lists that it fills hold together, counted by an allocator of the benchmark's.
 */
#ifndef GRAZE_BENCH_MEMORY_H
#define GRAZE_BENCH_MEMORY_H

#include "graze/host.h"

#include <stdatomic.h>

typedef struct bench_memory {
  graze_allocator beneath;
  _Atomic(size_t) bytes, peak; /* sums, by workers at the same time: they order nothing */
} bench_memory;

void bench_memory_start(bench_memory *memory);

/* An allocator that counts; the memory must outlive what is made with it. */
graze_allocator bench_memory_allocator(bench_memory *memory);

#endif
