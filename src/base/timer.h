/* timer: wall time for the stages of a frame; monotonic, so that a change of the date does no harm. */
#ifndef GRAZE_BASE_TIMER_H
#define GRAZE_BASE_TIMER_H

#include <time.h>

/* Milliseconds since a fixed but unknown moment. */
static inline double timer_now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

#endif
