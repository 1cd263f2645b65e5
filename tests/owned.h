/* Variables that are released at the end of their block, on every way out of it.
 *
 *   OWNED(type) name          by type_free(&name)
 *   OWNED_BY(free) type name  by free(&name)
 *   OWNED_MEMORY type *name   by free(name) */
#ifndef GRAZE_TESTS_OWNED_H
#define GRAZE_TESTS_OWNED_H

#include <stdlib.h>
#include <string.h>

#define OWNED_BY(release) __attribute__((cleanup(release), unused))
#define OWNED(type) OWNED_BY(type##_free) type
#define OWNED_MEMORY OWNED_BY(free_owned_memory)

/* Defines type_free for OWNED(type) *name, by type_destroy. */
#define DESTROY_OWNED(type)                                                                                            \
  static inline void type##_free(type *const *object) {                                                                \
    type##_destroy(*object);                                                                                           \
  }

static inline void free_owned_memory(const void *variable) {
  void *block;
  memcpy(&block, variable, sizeof block);
  free(block);
}

#endif
