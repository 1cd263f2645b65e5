/* Names records of `graze bench` and their rows in text. */
#ifndef GRAZE_RECORD_WORDS_H
#define GRAZE_RECORD_WORDS_H

#include "bench_history.h"

#include <stdio.h>

/* Writes a line: file, commit, date, number of rows. */
void record_write_heading(const bench_history *history, const char *word, FILE *stream);

/* Writes lines about different machines and compilers. */
void record_write_differences(const bench_history *old, const bench_history *fresh, FILE *stream);

/* Writes the columns from `table` to `threads`. */
void row_write_name(const bench_history *history, const past_row *row, FILE *stream);

/* Writes the other members of the key of a row that differ from their usual values. */
void row_write_setup(const bench_history *history, const past_row *row, FILE *stream);

#endif
