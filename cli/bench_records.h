/* What was measured, for other programs: CSV and JSON of the same rows. docs/man/graze-bench.1.scd names the members.
 */
#ifndef GRAZE_BENCH_RECORDS_H
#define GRAZE_BENCH_RECORDS_H

#include "bench/bench_table.h"

#include <stdio.h>

/* A heading, and a line a row, signed with commit, machine and date. */
void bench_records_write_csv(const bench_output *out, FILE *stream);

/* One object: what it was measured on, and the rows. `complete` tells whether all that was asked for is there. */
void bench_records_write_json(const bench_output *out, bool complete, FILE *stream);

/* The members of a row by which it is known again in another run; NULL after the last. */
extern const char *const bench_record_identity[];

/* Members by which rows of older records are known besides: a row that has another value than the usual one was made by
 * a variant that is gone. Ends with a row without a name. */
typedef struct retired_member {
  const char *name, *usual;
} retired_member;

extern const retired_member bench_record_retired[];

#endif
