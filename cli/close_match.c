/* The distance between two words, for suggestions.
 *
 * F. J. Damerau, "A technique for computer detection and correction of spelling errors", 1964: most typing errors are
 * one insertion, deletion, replacement or swap of neighbors. Workload: a few dozen names of at most a few dozen
 * letters, once before the tool ends. */
#include "close_match.h"

#include <string.h>

/* Words longer than any name of the tool match none. */
enum { WORD_LETTERS = 40 };

static size_t least(size_t a, size_t b) {
  return a < b ? a : b;
}

size_t edit_distance(const char *a, const char *b) {
  const size_t a_length = strlen(a), b_length = strlen(b);
  if (a_length > WORD_LETTERS || b_length > WORD_LETTERS) return a_length > b_length ? a_length : b_length;
  size_t cost[WORD_LETTERS + 1][WORD_LETTERS + 1];
  for (size_t i = 0; i <= a_length; i++) cost[i][0] = i;
  for (size_t j = 0; j <= b_length; j++) cost[0][j] = j;
  for (size_t i = 1; i <= a_length; i++) {
    for (size_t j = 1; j <= b_length; j++) {
      const size_t replaced = cost[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
      cost[i][j] = least(replaced, least(cost[i - 1][j], cost[i][j - 1]) + 1);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        cost[i][j] = least(cost[i][j], cost[i - 2][j - 2] + 1);
      }
    }
  }
  return cost[a_length][b_length];
}

/* A third of the letters may be wrong: "grdi" finds "grid", "xyz" finds nothing. */
void close_match_offer(close_match *match, const char *name) {
  const size_t distance = edit_distance(match->wanted, name);
  const size_t longest = strlen(match->wanted) > strlen(name) ? strlen(match->wanted) : strlen(name);
  if (distance * 3 > longest + 1) return;
  if (match->best != NULL && distance >= match->distance) return;
  match->best = name;
  match->distance = distance;
}
