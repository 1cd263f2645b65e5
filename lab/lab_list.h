/* The programs of graze-lab: tables, and the suites of forces and of papers. */
#ifndef GRAZE_LAB_LIST_H
#define GRAZE_LAB_LIST_H

#include "bench/bench_run.h"
#include "bench/study_tools.h"

typedef struct lab_table {
  const char *name, *title;
  bool (*run)(study *at);
} lab_table;

extern const lab_table lab_tables[];
extern const size_t lab_table_count;

/* Runs the tables of settings->tables, or all. Prints them and adds rows to `out`. On failure, `error` has a message.
 */
bench_ending lab_tables_run(const bench_settings *settings, bench_output *out, char *error, size_t error_bytes);

bool study_curve(study *at);
bool study_quality(study *at);
bool suite_papers(study *at);

/* Names of papers and of their figures. */
size_t papers_name_count(void);
const char *papers_name(size_t number);
bool papers_of_devices(size_t number); /* whether it supports devices */
void papers_write_names(FILE *stream); /* one line each, with a description */

#endif
