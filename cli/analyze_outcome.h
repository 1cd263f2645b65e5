/* What `graze analyze` found, and the forms in which it tells it. */
#ifndef GRAZE_ANALYZE_OUTCOME_H
#define GRAZE_ANALYZE_OUTCOME_H

#include "analyze_options.h"
#include "mesh_measure.h"

#include <stdio.h>

typedef struct analyze_outcome {
  const analyze_options *options;
  const mesh_measure *measures;
  size_t count;          /* of all files */
  size_t measured_count; /* of those that could be read */
} analyze_outcome;

/* The k of one file with its reasons and bounds; of several files a table and a summary. */
void analyze_outcome_write_words(const analyze_outcome *outcome, FILE *stream);

/* One JSON object; one line a file. */
void analyze_outcome_write_json(const analyze_outcome *outcome, FILE *stream);

/* A header, then one line for each file that was measured. */
void analyze_outcome_write_csv(const analyze_outcome *outcome, FILE *stream);

/* Box plots of k over the number of primitives, as SVG. */
void analyze_outcome_write_plot(const analyze_outcome *outcome, FILE *stream);

/* factor * primitives * k, or the largest number where that is more. */
uint64_t mesh_measure_bound(const mesh_measure *measure, uint64_t factor);

#endif
