/* The spheres of one round, and which of them overlap.
 *
 * They are of nearly the same size, so a hashed grid of cells as wide as the largest diameter has a few in each cell,
 * and all spheres that overlap one are in the 27 cells around it. */
#ifndef GRAZE_PACKING_PLACING_H
#define GRAZE_PACKING_PLACING_H

#include "base/memory.h"
#include "packing/prototype.h"

typedef struct placing {
  double cell;        /* width */
  uint32_t *heads;    /* the last sphere of each slot, plus one; 0: none */
  uint32_t *before;   /* per sphere: the one before it in its slot, likewise */
  prototype *spheres; /* of the round */
  size_t slot_count, capacity, count;
} placing;

/* For at most `capacity` spheres of at most this radius. False when out of memory; call placing_close in either
 * case. */
bool placing_open(placing *round, memory *heap, size_t capacity, double largest_radius);
void placing_close(placing *round, memory *heap);

/* Adds the sphere unless it overlaps an earlier one. */
bool placing_try(placing *round, const prototype *sphere);

#endif
