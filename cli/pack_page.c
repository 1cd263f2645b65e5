/* The page of a packing: the body, and its spheres in the order of placement. */
#include "pack_outcome.h"
#include "page_file.h"

static void write_result(const void *outcome, FILE *stream) {
  pack_outcome_write_json(outcome, stream);
}

static bool record_outcome(const pack_outcome *outcome, const object_list *objects, page_record *record) {
  const page_heading heading = {.command = "pack",
                                .title = outcome->options->file,
                                .up = up_axis_name(outcome->options->drawing.camera.up),
                                .write_result = write_result,
                                .outcome = outcome};
  const page_frame frame = {.objects = objects};
  return page_record_begin(record, &heading, PAGE_EXACT) && page_record_add(record, &frame) && page_record_end(record);
}

bool pack_outcome_write_page(const pack_outcome *outcome, const mesh *spheres, FILE *stream) {
  page_record record = {0};
  object_list objects = {0};
  bool written = object_list_copy(&objects, outcome->options->file, outcome->body, 1) &&
                 object_list_copy(&objects, "spheres", spheres, 1);
  if (written) {
    written = record_outcome(outcome, &objects, &record);
    if (!written) complain("out of memory");
  }
  written = written && page_file_write(&record, stream);
  page_record_release(&record);
  object_list_release(&objects);
  return written;
}
