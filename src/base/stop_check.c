/* Checks whether the caller cancels the call; see stop_check.h. */
#include "base/stop_check.h"

#include "base/timer.h"

void stop_check_init(stop_check *stop, bool (*should_stop)(void *context), void *context) {
  stop->should_stop = should_stop;
  stop->context = context;
  stop->interval_ms = STOP_CHECK_INTERVAL_MS;
  atomic_init(&stop->due_ms, 0.0);
  atomic_flag_clear(&stop->calling);
  atomic_init(&stop->stopped, false);
}

bool stop_check_poll(stop_check *stop) {
  if (stop_was_requested(stop)) return true;
  if (timer_now_ms() < atomic_load_explicit(&stop->due_ms, memory_order_relaxed)) return false;
  if (atomic_flag_test_and_set_explicit(&stop->calling, memory_order_acquire)) return false;
  if (!stop_was_requested(stop) && stop->should_stop(stop->context)) atomic_store(&stop->stopped, true);
  atomic_store_explicit(&stop->due_ms, timer_now_ms() + stop->interval_ms, memory_order_relaxed);
  atomic_flag_clear_explicit(&stop->calling, memory_order_release);
  return stop_was_requested(stop);
}
