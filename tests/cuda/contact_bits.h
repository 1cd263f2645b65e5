/* Compares two contacts bit by bit, field by field; padding is ignored. Valid C and C++. */
#ifndef GRAZE_TESTS_CONTACT_BITS_H
#define GRAZE_TESTS_CONTACT_BITS_H

#include "graze/graze.h"

#include <string.h>

static inline bool same_contact(const graze_contact *a, const graze_contact *b) {
  return memcmp(&a->pair, &b->pair, sizeof a->pair) == 0 && a->kind == b->kind && a->first_point == b->first_point &&
         a->point_count == b->point_count && a->flags == b->flags &&
         memcmp(a->normal, b->normal, sizeof a->normal) == 0 && memcmp(&a->depth, &b->depth, sizeof a->depth) == 0 &&
         memcmp(&a->volume, &b->volume, sizeof a->volume) == 0 &&
         memcmp(a->centroid, b->centroid, sizeof a->centroid) == 0 &&
         memcmp(a->witness_a, b->witness_a, sizeof a->witness_a) == 0 &&
         memcmp(a->witness_b, b->witness_b, sizeof a->witness_b) == 0;
}

#endif
