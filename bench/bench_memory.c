/* Counts memory on top of the library's default allocator. Workload: a few hundred allocations per call, none in inner
 * loops. */
#include "bench/bench_memory.h"

void bench_memory_start(bench_memory *memory) {
  memory->beneath = graze_allocator_default();
  atomic_init(&memory->bytes, 0);
  atomic_init(&memory->peak, 0);
}

static void *allocate(void *context, size_t bytes, size_t alignment) {
  bench_memory *const memory = context;
  void *const block = memory->beneath.allocate(memory->beneath.context, bytes, alignment);
  if (block == NULL) return NULL;
  const size_t now = atomic_fetch_add(&memory->bytes, bytes) + bytes;
  size_t peak = atomic_load(&memory->peak);
  while (peak < now && !atomic_compare_exchange_weak(&memory->peak, &peak, now)) continue;
  return block;
}

static void release(void *context, void *block, size_t bytes) {
  bench_memory *const memory = context;
  memory->beneath.release(memory->beneath.context, block, bytes);
  if (block != NULL) atomic_fetch_sub(&memory->bytes, bytes);
}

graze_allocator bench_memory_allocator(bench_memory *memory) {
  graze_allocator allocator = graze_allocator_default();
  allocator.context = memory;
  allocator.allocate = allocate;
  allocator.release = release;
  return allocator;
}
