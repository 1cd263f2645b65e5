/* timer: monotonic wall time for the stages of a frame. */
#ifndef GRAZE_BASE_TIMER_H
#define GRAZE_BASE_TIMER_H

#include <stdint.h>
#include <time.h>

/* Milliseconds since a fixed but unknown moment. */
static inline double timer_now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

/* The same in nanoseconds, without floating point: for threads outside a guard (float_environment.h). */
static inline int64_t timer_now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

#endif
