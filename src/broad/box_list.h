/* Boxes in entries: a structure of arrays for the vector units. */
#ifndef GRAZE_BROAD_BOX_LIST_H
#define GRAZE_BROAD_BOX_LIST_H

#include "base/memory.h"

#include <stddef.h>
#include <stdint.h>

/* Space after each array for kernels that access whole vectors: SIMD_ROOM, rounded up so that arrays stay 64-byte
 * aligned. */
enum { BOX_LIST_PADDING = 16 };

typedef struct box_list {
  float *bound[6];  /* min x y z, max x y z */
  uint32_t *number; /* the number of each box; NULL: its place in the list */
  size_t count, capacity;
} box_list;

/* Reserves memory for `capacity` boxes and keeps the existing ones. False when out of memory; the list is then
 * unchanged. A zeroed struct is an empty list. */
bool box_list_reserve(box_list *entries, memory *heap, size_t capacity);
void box_list_release(box_list *entries, memory *heap);

/* The same for an empty list without numbers, such as that of all entries. */
bool box_list_reserve_places(box_list *entries, memory *heap, size_t capacity);

/* The memory of the list, for other uses before boxes are written. */
void *box_list_memory(const box_list *entries);
size_t box_list_bytes(const box_list *entries);

/* Writes boxes that meet nothing after the last one, as many as a vector may read there. */
void box_list_close(box_list *entries);

/* The box around entries [first, end), at least one. */
void box_list_around(const box_list *entries, size_t first, size_t end, float bound_out[6]);

#endif
