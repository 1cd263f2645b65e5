/* Disjoint sets of numbers, each represented by its least member (union-find with path halving).
 *
 * Paper: Tarjan, van Leeuwen, "Worst-case analysis of set union algorithms", 1984. */
#ifndef GRAZE_BASE_DISJOINT_SETS_H
#define GRAZE_BASE_DISJOINT_SETS_H

#include <stddef.h>
#include <stdint.h>

static inline void disjoint_sets_init(uint32_t *parent, size_t count) {
  for (size_t i = 0; i < count; i++) parent[i] = (uint32_t)i;
}

/* The least member. */
static inline uint32_t disjoint_sets_find(uint32_t *parent, uint32_t member) {
  while (parent[member] != member) {
    parent[member] = parent[parent[member]];
    member = parent[member];
  }
  return member;
}

static inline void disjoint_sets_unite(uint32_t *parent, uint32_t a, uint32_t b) {
  const uint32_t p = disjoint_sets_find(parent, a), q = disjoint_sets_find(parent, b);
  if (p < q) parent[q] = p;
  if (q < p) parent[p] = q;
}

#endif
