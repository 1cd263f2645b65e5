/* The memory of a list that belongs to a caller: grown by calls, reused, and freed without its scene.
 *
 * Workload: a list is filled once per frame, and its length changes little between frames, so an eighth of spare
 * capacity avoids most reallocations. Growing does not preserve the contents: calls fill lists from the front. */
#ifndef GRAZE_BASE_ANSWER_LIST_H
#define GRAZE_BASE_ANSWER_LIST_H

#include "base/definition.h"
#include "base/memory.h"
#include "base/workers.h"

enum { LIST_BLOCKS = 10 };

/* The memory of a list. */
typedef struct graze_list_memory {
  graze_allocator allocator; /* of the scene that filled it first */
  workers *cache_owners;     /* of the current call: release their cached memory if memory is short; NULL: none */
  graze_timings timings;
  graze_counters counters;
  void *blocks[LIST_BLOCKS];
  size_t block_bytes[LIST_BLOCKS];
  /* Of lists that stay on a device: the device's number, and how to release their blocks without the scene. */
  void *device_blocks[LIST_BLOCKS];
  size_t device_block_bytes[LIST_BLOCKS];
  int device;
  void (*device_release)(int device, void *block);
} graze_list_memory;

/* The memory of a list for a call, created if there is none; NULL when out of memory. */
graze_list_memory *answer_list_open(graze_list_memory *memory_or_null, const graze_allocator *allocator,
                                    workers *owners_or_null);

/* A block of at least count elements, uninitialized; NULL when out of memory. */
void *answer_list_reserve(graze_list_memory *list, int block, size_t count, size_t element_bytes);

void answer_list_free(graze_list_memory *list_or_null);

/* Writes the fields of a list that its caller knows; its struct_bytes does not change. */
void answer_list_write(const definition_kind *kind, void *list, const void *fields);

#endif
