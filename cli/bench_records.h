/* Measurements for other programs: CSV and JSON of the same rows. docs/man/graze-bench.1.scd documents the members. */
#ifndef GRAZE_BENCH_RECORDS_H
#define GRAZE_BENCH_RECORDS_H

#include "bench/bench_table.h"

#include <stdio.h>

/* Writes a header, and a line per row with commit, machine and date. */
void bench_records_write_csv(const bench_output *out, FILE *stream);

/* Writes one object: the environment and the rows. `complete` states whether everything requested was measured. */
void bench_records_write_json(const bench_output *out, bool complete, FILE *stream);

/* The members of a row that form its key; NULL after the last. */
extern const char *const bench_record_identity[];

/* Members that belong to the key of rows in older records: a row with a value other than the usual one was measured
 * with a variant that no longer exists. Ends with a row without a name. */
typedef struct retired_member {
  const char *name, *usual;
} retired_member;

extern const retired_member bench_record_retired[];

/* Writes a page with the rows; false after a complaint. */
bool bench_records_write_page(const bench_output *out, bool complete, FILE *stream);

#endif
