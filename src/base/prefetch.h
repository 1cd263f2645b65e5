/* Prefetching of memory. */
#ifndef GRAZE_BASE_PREFETCH_H
#define GRAZE_BASE_PREFETCH_H

/* GCC treats a function that only prefetches as one without effect, and drops calls of it that it has not inlined
 * early. The empty instruction is an effect that it keeps. */
static inline void prefetch(const void *place) {
  __builtin_prefetch(place);
  __asm__ volatile("");
}

#endif
