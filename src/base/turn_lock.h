/* A lock that serialises calls, in any order. */
#ifndef GRAZE_BASE_TURN_LOCK_H
#define GRAZE_BASE_TURN_LOCK_H

#include <pthread.h>

typedef struct turn_lock {
  pthread_mutex_t mutex;
} turn_lock;

static inline void turn_lock_init(turn_lock *lock) {
  pthread_mutex_init(&lock->mutex, NULL);
}
static inline void turn_lock_destroy(turn_lock *lock) {
  pthread_mutex_destroy(&lock->mutex);
}
static inline void turn_lock_take(turn_lock *lock) {
  pthread_mutex_lock(&lock->mutex);
}
static inline void turn_lock_leave(turn_lock *lock) {
  pthread_mutex_unlock(&lock->mutex);
}

#endif
