/* A lock that serializes calls, in any order. */
#ifndef GRAZE_BASE_CALL_LOCK_H
#define GRAZE_BASE_CALL_LOCK_H

#include <pthread.h>

typedef struct call_lock {
  pthread_mutex_t mutex;
} call_lock;

static inline void call_lock_init(call_lock *lock) {
  pthread_mutex_init(&lock->mutex, NULL);
}
static inline void call_lock_destroy(call_lock *lock) {
  pthread_mutex_destroy(&lock->mutex);
}
static inline void call_lock_take(call_lock *lock) {
  pthread_mutex_lock(&lock->mutex);
}
static inline void call_lock_release(call_lock *lock) {
  pthread_mutex_unlock(&lock->mutex);
}

#endif
