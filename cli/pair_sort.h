/* The order of pairs in lists. */
#ifndef GRAZE_PAIR_SORT_H
#define GRAZE_PAIR_SORT_H

#include "graze/graze.h"

/* Sorts by object_a, primitive_a, object_b and primitive_b, for pairs that several searches found. */
void sort_pairs(graze_pair *pairs, size_t count);

#endif
