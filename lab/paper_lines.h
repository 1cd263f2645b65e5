/* The lines of a figure, over frames or another count: memory for their numbers, and one panel with their drawing. */
#ifndef GRAZE_PAPER_LINES_H
#define GRAZE_PAPER_LINES_H

#include "bench/study_tools.h"

typedef struct paper_lines {
  size_t line_count, count; /* of points */
  double *points;
  double *values; /* the points of the first line, then those of the second, ... */
} paper_lines;

/* False, with a message, when out of memory. */
bool paper_lines_make(const study *at, size_t line_count, size_t count, paper_lines *lines_out);

/* Draws where there are two points or more, and gives the room back in every case. `words` are the chart's titles and
 * the names of its lines. */
bool paper_lines_draw(const study *at, paper_lines *lines, const line_chart *words, const char *file);

#endif
