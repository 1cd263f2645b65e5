/* Pores: places where a sphere is locally largest; the largest first.
 *
 * Workload: about ten pores for each placed sphere. A pore keeps its last measured size: spheres placed since can only
 * have made it smaller. So the heap is ordered by upper bounds, and only the top is refreshed. */
#ifndef GRAZE_PACKING_PORE_HEAP_H
#define GRAZE_PACKING_PORE_HEAP_H

#include "base/array.h"
#include "packing/prototype.h"

typedef struct pore {
  prototype sphere;
  uint64_t number; /* order of discovery; of equal pores the first found comes first */
  size_t seen;     /* the number of placed spheres when it was measured */
} pore;

/* A heap as an array: no pore is before the one at half its place. */
typedef struct pore_heap {
  array pores;
  uint64_t next_number;
} pore_heap;

void pore_heap_init(pore_heap *heap);
void pore_heap_release(pore_heap *heap, memory *from);

bool pore_comes_before(const pore *a, const pore *b);

/* The largest; NULL when there is none. */
const pore *pore_heap_top(const pore_heap *heap);

/* False, without change, when out of memory. */
bool pore_heap_add(pore_heap *heap, memory *from, const pore *added);
void pore_heap_drop_top(pore_heap *heap);

/* Sorts by the order of the heap. */
void pores_sort(pore *pores, size_t count);

#endif
