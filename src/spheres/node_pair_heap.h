/* Pairs of nodes that wait to be opened; the one with the greatest key is next.
 *
 * Workload: up to about 10^5 pairs, at most sixteen added for each one removed. A binary heap; of equal keys the lowest
 * numbers come first, so that a search is the same on all platforms. */
#ifndef GRAZE_SPHERES_NODE_PAIR_HEAP_H
#define GRAZE_SPHERES_NODE_PAIR_HEAP_H

#include "base/array.h"

typedef struct keyed_node_pair {
  double key;
  uint32_t a, b;
} keyed_node_pair;

typedef struct node_pair_heap {
  array pairs; /* of keyed_node_pair; none is before the one at half its place */
  memory *from;
} node_pair_heap;

void node_pair_heap_init(node_pair_heap *heap, memory *from);
void node_pair_heap_release(node_pair_heap *heap);

/* False when out of memory. */
bool node_pair_heap_add(node_pair_heap *heap, keyed_node_pair pair);

/* Removes the pair with the greatest key; the heap must not be empty. */
keyed_node_pair node_pair_heap_take(node_pair_heap *heap);

static inline size_t node_pair_heap_count(const node_pair_heap *heap) {
  return heap->pairs.count;
}

#endif
