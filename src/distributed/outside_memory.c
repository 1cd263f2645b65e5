/* Memory for divided scenes outside libgraze: that of base/memory.h, with the allocators of the public interface.
 * libgraze_mpi and programs with a shared libgraze use it; a static libgraze has base/memory.c itself. */
#include "base/memory.h"

void memory_init(memory *heap, const graze_allocator *allocator_or_null) {
  heap->allocator = allocator_or_null != NULL ? *allocator_or_null : graze_allocator_default();
  atomic_init(&heap->bytes_now, 0);
  atomic_init(&heap->bytes_peak, 0);
}

bool size_multiply(size_t a, size_t b, size_t *product_out) {
  if (b != 0 && a > SIZE_MAX / b) return false;
  *product_out = a * b;
  return true;
}

bool size_add(size_t a, size_t b, size_t *sum_out) {
  if (a > SIZE_MAX - b) return false;
  *sum_out = a + b;
  return true;
}

void *memory_allocate(memory *heap, size_t count, size_t element_bytes) {
  size_t bytes;
  if (!size_multiply(count, element_bytes, &bytes)) return NULL;
  return heap->allocator.allocate(heap->allocator.context, bytes > 0 ? bytes : 1, MEMORY_ALIGNMENT);
}

void memory_release(memory *heap, void *pointer_or_null, size_t count, size_t element_bytes) {
  const size_t bytes = count * element_bytes;
  if (pointer_or_null != NULL) heap->allocator.release(heap->allocator.context, pointer_or_null, bytes > 0 ? bytes : 1);
}
