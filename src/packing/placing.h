/* The spheres of one round: which of them overlap others of the round.
 *
 * They are of nearly the same size, so that a hashed grid of cells as wide as the largest diameter has a few in each
 * cell, and what overlaps a sphere lies in the 27 cells around it. */
#ifndef GRAZE_PACKING_PLACING_H
#define GRAZE_PACKING_PLACING_H

#include "base/memory.h"
#include "packing/prototype.h"

typedef struct placing {
  double cell;        /* width */
  uint32_t *heads;    /* the last sphere of each slot, one more than its number; 0: none */
  uint32_t *before;   /* a sphere each: the one before it in its slot, likewise */
  prototype *spheres; /* those of the round */
  size_t slot_count, capacity, count;
} placing;

/* For at most `capacity` spheres of at most this radius. False when out of memory; placing_close is due either way. */
bool placing_open(placing *round, memory *heap, size_t capacity, double largest_radius);
void placing_close(placing *round, memory *heap);

/* Takes the sphere in unless it overlaps one that was. */
bool placing_try(placing *round, const prototype *sphere);

#endif
