/* Compares the measurements of the thesis with those of a run. */
#ifndef GRAZE_QUALITY_THESIS_H
#define GRAZE_QUALITY_THESIS_H

#include "lab/quality_outcome.h"

#include <stdio.h>

/* Spheres by volume and by gradient, and the voxmap. */
enum { QUALITY_WAYS = 3 };

/* The outcomes at equal time, of the first packing, each way by its own model. */
typedef struct quality_board {
  quality_outcome outcomes[QUALITY_SCENARIOS][QUALITY_WAYS];
  bool measured[QUALITY_SCENARIOS];
} quality_board;

/* The values that the thesis prints, of scenarios that were measured: a table, and comma separated values. */
void quality_thesis_print(const quality_board *board);
void quality_thesis_write(const quality_board *board, FILE *stream);

#endif
