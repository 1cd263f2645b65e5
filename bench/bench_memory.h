/* The peak memory of a scene and its lists, counted by an allocator of the benchmark. */
#ifndef GRAZE_BENCH_MEMORY_H
#define GRAZE_BENCH_MEMORY_H

#include "graze/host.h"

#include <stdatomic.h>

typedef struct bench_memory {
  graze_allocator beneath;
  _Atomic(size_t) bytes, peak; /* concurrent sums of workers; they guarantee no order */
} bench_memory;

void bench_memory_start(bench_memory *memory);

/* Returns a counting allocator. `memory` must outlive everything allocated with it. */
graze_allocator bench_memory_allocator(bench_memory *memory);

#endif
