/* The measurements of `graze-mpi bench`: a line for each frame and number of ranks, as text and as JSON. */
#ifndef GRAZE_MPI_RANK_LINES_H
#define GRAZE_MPI_RANK_LINES_H

#include "crew.h"

#include <stdio.h>

typedef struct rank_line {
  int ranks;
  size_t frame; /* from 1 */
  double milliseconds;
  double threads_ms; /* with as many threads of one process */
  graze_timings stages;
  graze_mpi_totals totals;
} rank_line;

typedef struct rank_lines {
  rank_line *lines; /* owned; by ranks, then by frame */
  size_t count, capacity;
} rank_lines;

/* Appends a zeroed line; NULL when out of memory. */
rank_line *rank_lines_add(rank_lines *lines);
void rank_lines_release(rank_lines *lines);

/* The time of the slowest rank over the mean. */
double rank_line_imbalance(const rank_line *line);

void rank_lines_write(const rank_lines *lines, FILE *stream);
void rank_lines_write_json(const rank_lines *lines, FILE *stream);

#endif
