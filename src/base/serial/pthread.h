/* The part of pthread.h that the library's locks use, for platforms without threads: such a build finds this file in
 * its place (GRAZE_THREADS in CMake). The C library there still defines the types.
 *
 * There is one thread, so a lock is never contended. A thread must not take a lock twice: with threads it would wait
 * forever. */
#ifndef GRAZE_BASE_SERIAL_PTHREAD_H
#define GRAZE_BASE_SERIAL_PTHREAD_H

#include <sys/types.h>

static inline int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes_or_null) {
  (void)mutex;
  (void)attributes_or_null;
  return 0;
}
static inline int pthread_mutex_destroy(pthread_mutex_t *mutex) {
  (void)mutex;
  return 0;
}
static inline int pthread_mutex_lock(pthread_mutex_t *mutex) {
  (void)mutex;
  return 0;
}
static inline int pthread_mutex_trylock(pthread_mutex_t *mutex) {
  (void)mutex;
  return 0;
}
static inline int pthread_mutex_unlock(pthread_mutex_t *mutex) {
  (void)mutex;
  return 0;
}

#endif
