/* Records of earlier runs of `graze bench`, read again. */
#ifndef GRAZE_BENCH_HISTORY_H
#define GRAZE_BENCH_HISTORY_H

#include "bench_change.h"
#include "mesh_io/json_reader.h"

#include <stdio.h>

typedef struct past_row {
  char *key;               /* all members of bench_record_identity: what it was; owned */
  const json_value *value; /* the row itself */
  change_side times;       /* of its passes; of a record from before there were passes, one */
  size_t doubted_passes;   /* the last ones */
  bool on_device;          /* the processor waits there */
  const char *hash;
} past_row;

/* Begin with a zeroed one. Texts are borrowed from the document. */
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

/* False after a complaint, which names the file and the line; nothing is left to free then. */
bool bench_history_read_file(const char *path, bench_history *history_out);
bool bench_history_read(const char *path, const char *bytes, size_t size, bench_history *history_out);
void bench_history_free(bench_history *history);

/* The text or number of a row's own member, which must be one of bench_record_identity. */
const char *past_row_text(const bench_history *history, const past_row *row, const char *member);
double past_row_number(const bench_history *history, const past_row *row, const char *member);

#endif
