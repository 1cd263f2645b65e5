/* Lists of pairs of objects, by their global numbers: sorted, without duplicates. */
#ifndef GRAZE_DISTRIBUTED_GLOBAL_OBJECT_LIST_H
#define GRAZE_DISTRIBUTED_GLOBAL_OBJECT_LIST_H

#include "base/array.h"
#include "graze/graze.h"

/* Appends the objects of a pair to an array of graze_object_pair. Objects repeat in runs, and the list is sorted before
 * it grows, so it stays short. False when out of memory. */
bool object_list_add(array *objects, memory *heap, uint32_t object_a, uint32_t object_b);

/* Sorts, and removes duplicates. */
void object_list_sort(array *objects);

/* The index of two objects in a sorted list that contains them. */
size_t object_list_find(const array *objects, uint32_t object_a, uint32_t object_b);

#endif
