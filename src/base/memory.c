/* memory: the accounting allocator of a scene; see memory.h for its workload. */
/* For madvise, which POSIX does not have. */
#define _DEFAULT_SOURCE

#include "base/memory.h"

#include "base/definition.h"
#include "base/error_text.h"

#include <assert.h>
#include <stdlib.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

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

/* aligned_alloc requires a size that is a multiple of the alignment. */
static void *default_allocate(void *context, size_t bytes, size_t alignment) {
  (void)context;
  const bool large = bytes >= MEMORY_LARGE_BLOCK;
  if (large && alignment < MEMORY_LARGE_PAGE) alignment = MEMORY_LARGE_PAGE;
  size_t padded;
  if (!size_add(bytes, alignment - 1, &padded)) return NULL;
  padded = padded / alignment * alignment;
  void *block = aligned_alloc(alignment, padded);
#if defined(MADV_HUGEPAGE)
  if (large && block != NULL) (void)madvise(block, padded, MADV_HUGEPAGE); /* a hint: failure changes nothing */
#endif
  return block;
}

static void default_release(void *context, void *pointer, size_t bytes) {
  (void)context;
  (void)bytes;
  free(pointer);
}

void graze_allocator_init(void *target, size_t bytes) {
  const graze_allocator standard = {.allocate = default_allocate, .release = default_release};
  definition_write(target, bytes, &standard, sizeof standard);
}

graze_result memory_read_allocator(const graze_allocator *given_or_null, graze_allocator *allocator_out) {
  static const definition_kind kind = {"the allocator", "graze_allocator_default()",
                                       BYTES_THROUGH(graze_allocator, release), sizeof(graze_allocator),
                                       graze_allocator_init};
  const graze_result result = definition_read(&kind, given_or_null, true, allocator_out);
  if (result != GRAZE_OK) return result;
  if (allocator_out->allocate == NULL || allocator_out->release == NULL)
    return fail(GRAZE_INVALID_ARGUMENT, "the allocator has no %s",
                allocator_out->allocate == NULL ? "allocate" : "release");
  return GRAZE_OK;
}

void memory_init(memory *heap, const graze_allocator *allocator_or_null) {
  heap->allocator = allocator_or_null ? *allocator_or_null : graze_allocator_default();
  atomic_init(&heap->bytes_now, 0);
  atomic_init(&heap->bytes_peak, 0);
}

static bool request_bytes(size_t count, size_t element_bytes, size_t *bytes_out) {
  if (!size_multiply(count, element_bytes, bytes_out)) return false;
  if (*bytes_out == 0) *bytes_out = 1;
  return true;
}

void *memory_allocate(memory *heap, size_t count, size_t element_bytes) {
  size_t bytes;
  if (!request_bytes(count, element_bytes, &bytes)) return NULL;
  void *pointer = heap->allocator.allocate(heap->allocator.context, bytes, MEMORY_ALIGNMENT);
  if (!pointer) return NULL;
  assert((uintptr_t)pointer % MEMORY_ALIGNMENT == 0);
  /* The counters order nothing: they are read while the workers are idle. The peak is that of the sums in the order of
   * the additions, so it is exact for that order. */
  const size_t now = atomic_fetch_add_explicit(&heap->bytes_now, bytes, memory_order_relaxed) + bytes;
  size_t peak = atomic_load_explicit(&heap->bytes_peak, memory_order_relaxed);
  while (peak < now && !atomic_compare_exchange_weak_explicit(&heap->bytes_peak, &peak, now, memory_order_relaxed,
                                                              memory_order_relaxed)) {
  }
  return pointer;
}

void memory_release(memory *heap, void *pointer_or_null, size_t count, size_t element_bytes) {
  if (!pointer_or_null) return;
  size_t bytes = 0;
  const bool fits = request_bytes(count, element_bytes, &bytes);
  assert(fits && bytes <= atomic_load(&heap->bytes_now));
  (void)fits;
  atomic_fetch_sub_explicit(&heap->bytes_now, bytes, memory_order_relaxed);
  heap->allocator.release(heap->allocator.context, pointer_or_null, bytes);
}
