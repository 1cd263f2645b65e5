/* The page of an analysis: for one file, the mesh with the k of each primitive; for several, only the record. */
#include "analyze_outcome.h"
#include "page_file.h"

static void write_result(const void *outcome, FILE *stream) {
  analyze_outcome_write_json(outcome, stream);
}

static bool record_outcome(const analyze_outcome *outcome, const object_list *objects, page_record *record) {
  const mesh_measure *measure = &outcome->measures[0];
  const page_heading heading = {.command = "analyze",
                                .title = outcome->options->paths[0],
                                .more_files = outcome->options->path_count - 1,
                                .write_result = write_result,
                                .outcome = outcome};
  const page_frame frame = {.objects = objects, .crowding = &measure->kept_crowding};
  return page_record_begin(record, &heading, PAGE_EXACT) && (objects->count == 0 || page_record_add(record, &frame)) &&
         page_record_end(record);
}

bool analyze_outcome_write_page(const analyze_outcome *outcome, FILE *stream) {
  const mesh_measure *measure = &outcome->measures[0];
  page_record record = {0};
  object_list objects = {0};
  bool written = outcome->count > 1 || object_list_copy(&objects, measure->file, &measure->kept, 1);
  if (written) {
    written = record_outcome(outcome, &objects, &record);
    if (!written) complain("out of memory");
  }
  written = written && page_file_write(&record, stream);
  page_record_release(&record);
  object_list_release(&objects);
  return written;
}
