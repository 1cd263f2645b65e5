/* The outcome of `graze analyze` and its output formats. */
#ifndef GRAZE_ANALYZE_OUTCOME_H
#define GRAZE_ANALYZE_OUTCOME_H

#include "backend_options.h"
#include "mesh_measure.h"

#include <stdio.h>

typedef struct analyze_options {
  char **paths; /* files and folders, borrowed from the arguments */
  size_t path_count;
  bool allow_large, quiet;
  backend_options scene;                  /* backend, device, number of threads */
  size_t worst_count;                     /* the number of most crowded primitives to list */
  const char *json, *csv, *plot, *report; /* NULL: not requested; "-": stdout */
} analyze_options;

typedef struct analyze_outcome {
  const analyze_options *options;
  const mesh_measure *measures;
  size_t count;          /* all files */
  size_t measured_count; /* readable files */
} analyze_outcome;

/* Writes the k of one file with its reasons and bounds; of several files, a table and a summary. */
void analyze_outcome_write_words(const analyze_outcome *outcome, FILE *stream);

/* Writes one JSON object, one line per file. */
void analyze_outcome_write_json(const analyze_outcome *outcome, FILE *stream);

/* Writes a header, then one line for each measured file. */
void analyze_outcome_write_csv(const analyze_outcome *outcome, FILE *stream);

/* Writes box plots of k over the number of primitives, as SVG. */
void analyze_outcome_write_plot(const analyze_outcome *outcome, FILE *stream);

/* The factor of the bound for the kind as the papers publish it; docs/theory/k_free.md explains why it is not proven.
 */
uint64_t mesh_measure_paper_factor(const mesh_measure *measure);

/* Returns factor * primitives * k, saturated at the largest number. */
uint64_t mesh_measure_bound(const mesh_measure *measure, uint64_t factor);

#endif
