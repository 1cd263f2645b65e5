/* Sorts pairs of several searches; see pair_sort.h. */
#include "pair_sort.h"

#include <stdlib.h>

static int compare_pairs(const void *a, const void *b) {
  const graze_pair *x = a, *y = b;
  if (x->object_a != y->object_a) return x->object_a < y->object_a ? -1 : 1;
  if (x->primitive_a != y->primitive_a) return x->primitive_a < y->primitive_a ? -1 : 1;
  if (x->object_b != y->object_b) return x->object_b < y->object_b ? -1 : 1;
  return (x->primitive_b > y->primitive_b) - (x->primitive_b < y->primitive_b);
}

void sort_pairs(graze_pair *pairs, size_t count) {
  if (count > 0) qsort(pairs, count, sizeof *pairs, compare_pairs);
}
