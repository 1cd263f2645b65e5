/* Reads records of earlier runs of `graze bench`. */
#ifndef GRAZE_BENCH_HISTORY_H
#define GRAZE_BENCH_HISTORY_H

#include "bench_change.h"
#include "mesh_io/json_reader.h"

#include <stdio.h>

typedef struct past_row {
  char *key;               /* all members of bench_record_identity; owned */
  const json_value *value; /* the row itself */
  change_side times;       /* its passes; one for a record from before there were passes */
  size_t doubted_passes;   /* the last passes, repeated because the row was in doubt */
  bool on_device;          /* the processor waits for the device */
  const char *hash;
} past_row;

/* Start with a zeroed struct. Texts are borrowed from the document. */
typedef struct bench_history {
  const char *path;
  json_document document;
  past_row *rows;
  size_t count;
  const char *commit, *date, *compiler, *flags, *device;
  const char *architecture, *processor;
  double processors;
  bool complete;
} bench_history;

/* False after a complaint that names the file and the line; there is then nothing to free. */
bool bench_history_read_file(const char *path, bench_history *history_out);
bool bench_history_read(const char *path, const char *bytes, size_t size, bench_history *history_out);
void bench_history_free(bench_history *history);

/* Returns the text or number of a member of a row, which must be one of bench_record_identity. */
const char *past_row_text(const bench_history *history, const past_row *row, const char *member);
double past_row_number(const bench_history *history, const past_row *row, const char *member);

#endif
