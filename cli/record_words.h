/* What records of `graze bench` and their rows are called where they are told of. */
#ifndef GRAZE_RECORD_WORDS_H
#define GRAZE_RECORD_WORDS_H

#include "bench_history.h"

#include <stdio.h>

/* A line: file, commit, date, how many rows. */
void record_write_heading(const bench_history *history, const char *word, FILE *stream);

/* Lines about machines and compilers where they are not the same. */
void record_write_differences(const bench_history *old, const bench_history *fresh, FILE *stream);

/* Columns from `table` to `threads`. */
void row_write_name(const bench_history *history, const past_row *row, FILE *stream);

/* What a row is beside those columns, where that is not what most rows are. */
void row_write_way(const bench_history *history, const past_row *row, FILE *stream);

#endif
