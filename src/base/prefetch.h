/* Prefetching of memory. */
#ifndef GRAZE_BASE_PREFETCH_H
#define GRAZE_BASE_PREFETCH_H

/* GCC takes a function that does nothing but prefetch for one without an effect, and drops calls of it that it has not
 * inlined early: the empty instruction is an effect that it keeps. */
static inline void prefetch(const void *place) {
  __builtin_prefetch(place);
  __asm__ volatile("");
}

#endif
