/* The page of a check, with its one frame. */
#include "check_outcome.h"
#include "page_file.h"

static bool record_outcome(const check_outcome *outcome, page_record *record) {
  const check_options *options = outcome->options;
  const page_heading heading = {
      .command = "check",
      .title = options->files[0],
      .more_files = options->file_count - 1,
      .method = outcome->method,
      .query = &options->search.query,
      .solid = options->solid,
      .excludes = outcome->excluded_count > 0,
      .units = options->units,
      .up = up_axis_name(options->drawing.camera.up),
  };
  const page_frame frame = {
      .objects = outcome->objects,
      .pairs = &outcome->pairs,
      .regions = outcome->has_regions ? &outcome->regions : NULL,
      .distances = outcome->distances.count > 0 ? &outcome->distances : NULL,
      .wrenches = &outcome->wrenches,
      .containments = outcome->has_containments ? &outcome->containments : NULL,
      .timings = &outcome->timings,
      .counters = &outcome->counters,
      .frame_ms = outcome->frame_ms,
  };
  return page_record_begin(record, &heading, PAGE_EXACT) && page_record_add(record, &frame) && page_record_end(record);
}

bool check_outcome_write_page(const check_outcome *outcome, FILE *stream) {
  page_record record;
  bool written = record_outcome(outcome, &record);
  if (!written) complain("out of memory");
  written = written && page_file_write(&record, stream);
  page_record_release(&record);
  return written;
}
