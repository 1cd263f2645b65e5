/* "Did you mean ...?": the name nearest to one that was mistyped. */
#ifndef GRAZE_CLOSE_MATCH_H
#define GRAZE_CLOSE_MATCH_H

#include <stddef.h>

/* The best of the names that were offered so far. Begin with a zeroed struct and its `wanted`. */
typedef struct close_match {
  const char *wanted;
  const char *best; /* NULL: none is near enough to be worth a question */
  size_t distance;
} close_match;

/* Takes the name in when it is nearer than those before; the first of equals stays. */
void close_match_offer(close_match *match, const char *name);

/* The number of letters to insert, delete, replace or swap with their neighbor to make one word of the other. */
size_t edit_distance(const char *a, const char *b);

#endif
