/* Pores: places where a sphere would be largest, the largest first.
 *
 * Workload: some ten pores for each sphere that is placed. A pore is kept as it was last seen: spheres that were placed
 * since can only have made it smaller, so the heap's order is by upper bounds, and only what comes to the top is looked
 * at again. */
#ifndef GRAZE_PACKING_PORE_HEAP_H
#define GRAZE_PACKING_PORE_HEAP_H

#include "base/array.h"
#include "packing/prototype.h"

typedef struct pore {
  prototype sphere;
  uint64_t number; /* in the order of finding; between equals the first found comes first */
  size_t seen;     /* how many spheres had been placed when it was looked at */
} pore;

/* An array of pores, none after the pore at half its place. */
typedef struct pore_heap {
  array pores;
  uint64_t next_number;
} pore_heap;

void pore_heap_init(pore_heap *heap);
void pore_heap_release(pore_heap *heap, memory *from);

bool pore_comes_before(const pore *a, const pore *b);

/* The largest; NULL when there is none. */
const pore *pore_heap_top(const pore_heap *heap);

/* False, and nothing changed, when out of memory. */
bool pore_heap_add(pore_heap *heap, memory *from, const pore *added);
void pore_heap_drop_top(pore_heap *heap);

/* Sorts by the order of the heap. */
void pores_sort(pore *pores, size_t count);

#endif
