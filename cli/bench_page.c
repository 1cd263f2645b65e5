/* The page of a benchmark: its record, without a scene. */
#include "bench_records.h"
#include "complaint.h"
#include "page_file.h"

typedef struct bench_run_record {
  const bench_output *out;
  bool complete;
} bench_run_record;

static void write_result(const void *outcome, FILE *stream) {
  const bench_run_record *run = outcome;
  bench_records_write_json(run->out, run->complete, stream);
}

bool bench_records_write_page(const bench_output *out, bool complete, FILE *stream) {
  const bench_run_record run = {out, complete};
  const page_heading heading = {
      .command = "bench", .title = "benchmark", .write_result = write_result, .outcome = &run};
  page_record record;
  bool written = page_record_begin(&record, &heading, PAGE_EXACT) && page_record_end(&record);
  if (!written) complain("out of memory");
  written = written && page_file_write(&record, stream);
  page_record_release(&record);
  return written;
}
