/* Boxes in entries: a structure of arrays for the vector units. */
#ifndef GRAZE_BROAD_BOX_LIST_H
#define GRAZE_BROAD_BOX_LIST_H

#include "base/memory.h"

#include <stddef.h>
#include <stdint.h>

/* Room behind each array for kernels that read and write whole vectors: SIMD_ROOM, and arrays stay 64-byte aligned. */
enum { BOX_LIST_ROOM = 16 };

typedef struct box_list {
  float *bound[6];  /* min x y z, max x y z */
  uint32_t *number; /* what each box is the box of; NULL: each of its place in the list */
  size_t count, capacity;
} box_list;

/* Makes room for `capacity` boxes, keeping what is there. False when out of memory; the entries are then as before. A
 * zeroed struct is an empty one. */
bool box_list_reserve(box_list *entries, memory *heap, size_t capacity);
void box_list_release(box_list *entries, memory *heap);

/* The same for an empty list without numbers, as that of all entries is. */
bool box_list_reserve_places(box_list *entries, memory *heap, size_t capacity);

/* All of its memory, for who has another use for it before there are boxes. */
void *box_list_memory(const box_list *entries);
size_t box_list_bytes(const box_list *entries);

/* Puts boxes that meet nothing behind the last one, as many as a vector may read there. */
void box_list_close(box_list *entries);

/* The box around entries [first, end), of which there is at least one. */
void box_list_around(const box_list *entries, size_t first, size_t end, float bound_out[6]);

#endif
