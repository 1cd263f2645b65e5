/* stop_check: cancellation of running work by the caller.
 *
 * Workers check often, between pieces of a few microseconds. The caller's function is called every few milliseconds, by
 * the first worker that finds it due. After it has returned true it is not called again. Without a stop_check, a check
 * costs one comparison with NULL. */
#ifndef GRAZE_BASE_STOP_CHECK_H
#define GRAZE_BASE_STOP_CHECK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* The documented limit is 10 ms; work between two checks may take the remainder. */
#define STOP_CHECK_INTERVAL_MS 2.0

typedef struct stop_check {
  bool (*should_stop)(void *context); /* called on any thread, on one at a time */
  void *context;
  double interval_ms;     /* between two calls: STOP_CHECK_INTERVAL_MS, or a value set before work begins */
  _Atomic(double) due_ms; /* time of the next call; which worker makes it is not determined */
  atomic_flag calling;
  atomic_bool stopped;
} stop_check;

/* The first check calls the function at once. */
void stop_check_init(stop_check *stop, bool (*should_stop)(void *context), void *context);

/* Calls the function if it is due; returns whether it has ever returned true. */
bool stop_check_poll(stop_check *stop);

/* The same for work that may have no stop_check. */
static inline bool stop_is_requested(stop_check *stop_or_null) {
  return stop_or_null != NULL && stop_check_poll(stop_or_null);
}

/* Whether the function has returned true, without calling it. */
static inline bool stop_was_requested(const stop_check *stop_or_null) {
  return stop_or_null != NULL && atomic_load_explicit(&stop_or_null->stopped, memory_order_relaxed);
}

#endif
