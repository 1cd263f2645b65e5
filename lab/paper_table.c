/* Writes tables of papers. Each line of the file ends with the machine and the build of the measurement. */
#include "lab/paper_table.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool fail_with_errno(const paper_table *table) {
  snprintf(table->at->error, table->at->error_bytes, "%s: %s", table->path, strerror(errno));
  return false;
}

bool paper_table_open(const study *at, const char *name, const paper_column *columns, size_t column_count,
                      paper_table *table) {
  *table = (paper_table){.at = at, .columns = columns, .column_count = column_count};
  if (at->settings->figures != NULL) {
    snprintf(table->path, sizeof table->path, "%s/paper_%s.csv", at->settings->figures, name);
    table->csv = fopen(table->path, "w");
    if (table->csv == NULL) return fail_with_errno(table);
    for (size_t i = 0; i < column_count; i++) fprintf(table->csv, "%s,", columns[i].heading);
    fprintf(table->csv, "commit,machine,device,date\n");
  }
  study_speaks(at);
  for (size_t i = 0; i < column_count; i++) printf("%s%*s", i > 0 ? " " : "", columns[i].width, columns[i].heading);
  printf("\n");
  fflush(stdout);
  return true;
}

static void end_cell(paper_table *table) {
  if (++table->next < table->column_count) return;
  const bench_output *const out = table->at->out;
  table->next = 0;
  printf("\n");
  fflush(stdout);
  if (table->csv == NULL) return;
  fprintf(table->csv, "%s,%s,%s,%s\n", out->record.commit, out->record.machine, out->device, out->record.date);
  fflush(table->csv);
}

void paper_table_words(paper_table *table, const char *words) {
  if (table->next == 0) study_speaks(table->at);
  printf("%s%*s", table->next > 0 ? " " : "", table->columns[table->next].width, words);
  if (table->csv != NULL) fprintf(table->csv, "%s,", words);
  end_cell(table);
}

void paper_table_number(paper_table *table, double value, int decimals) {
  const int width = abs(table->columns[table->next].width);
  if (isnan(value)) {
    printf("%s%*s", table->next > 0 ? " " : "", width, "-");
    if (table->csv != NULL) fputc(',', table->csv);
  } else {
    printf("%s%*.*f", table->next > 0 ? " " : "", width, decimals, value);
    if (table->csv != NULL) fprintf(table->csv, "%.*f,", decimals, value);
  }
  end_cell(table);
}

bool paper_table_close(paper_table *table, bool good) {
  if (table->csv == NULL) return good;
  const bool written = ferror(table->csv) == 0;
  const bool closed = fclose(table->csv) == 0;
  table->csv = NULL;
  if (!good || (written && closed)) return good;
  return fail_with_errno(table);
}

size_t paper_size(const study *at, size_t published) {
  const size_t scaled = study_scaled(at, published), most = at->settings->suite->triangles;
  return most != 0 && scaled > most ? most : scaled;
}
