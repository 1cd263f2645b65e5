/* Suggests the name nearest to a mistyped one: "did you mean ...?". */
#ifndef GRAZE_CLOSE_MATCH_H
#define GRAZE_CLOSE_MATCH_H

#include <stddef.h>

/* The best name so far. Start with a struct that is zeroed except for `wanted`. */
typedef struct close_match {
  const char *wanted;
  const char *best; /* NULL: none is near enough to suggest */
  size_t distance;
} close_match;

/* Replaces the best name if this one is nearer; of equals, the first stays. */
void close_match_offer(close_match *match, const char *name);

/* Returns the number of letters to insert, delete, replace or swap with a neighbor to turn one word into the other. */
size_t edit_distance(const char *a, const char *b);

#endif
