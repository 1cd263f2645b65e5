/* Whether a method became slower beside the other methods: a change of a tenth that the noise of each of its rows
 * hides.
 *
 * The methods of one scene are measured one after the other, so that what the machine does just then is much the same
 * for all of them. What a row changed by beside the median of the others of its scene is therefore steadier than the
 * row, and the median of that over all scenes of a method steadier again. It cannot tell that all methods became
 * slower: bench_change.h does. */
#ifndef GRAZE_METHOD_CHANGE_H
#define GRAZE_METHOD_CHANGE_H

#include "bench_change.h"

typedef struct method_row {
  size_t scene, method; /* numbers: rows of one scene are alike in all but the method */
  double change;        /* the natural logarithm of a ratio */
} method_row;

typedef struct method_told {
  size_t scenes;          /* with at least two other methods to be compared with */
  double change, limit;   /* beside the others; what it would have had to be to be told */
  change_verdict verdict; /* CHANGE_NONE where there are too few scenes */
} method_told;

/* `told_out` has room for as many as there are numbers of methods. False where memory runs out. */
bool method_change_judge(const method_row *rows, size_t count, size_t method_count, method_told *told_out);

#endif
