/* Detects that a method became slower relative to the other methods: a change of a tenth that is hidden by the noise of
 * each row.
 *
 * The methods of a scene are measured one after the other, so other work on the machine affects them nearly equally.
 * The change of a row relative to the median of the others in its scene has therefore less noise than the row, and the
 * median over all scenes of a method even less. A slowdown of all methods is not detected here but by
 * bench_change.h. */
#ifndef GRAZE_METHOD_CHANGE_H
#define GRAZE_METHOD_CHANGE_H

#include "bench_change.h"

typedef struct method_row {
  size_t scene, method; /* numbers: rows of one scene differ only in the method */
  double change;        /* natural logarithm of a ratio */
} method_row;

typedef struct method_result {
  size_t scenes;          /* scenes with at least two other methods */
  double change, limit;   /* relative to the others; the least change that would be reported */
  change_verdict verdict; /* CHANGE_NONE if there are too few scenes */
} method_result;

/* `results_out` has space for the number of methods. False when out of memory. */
bool method_change_judge(const method_row *rows, size_t count, size_t method_count, method_result *results_out);

#endif
