/* The page of a run: its frames, recorded as they are played.
 *
 * Workload: tens to hundreds of frames of thousands of primitives. The regions of each frame are computed after its
 * measurement. */
#include "bcf_names.h"
#include "page_file.h"
#include "play_outcome.h"

static bool has_regions(const graze_query *query) {
  return !query->candidates_only && query->pair_limit == 0 && query->clearance == 0.0;
}

static bool begin_page(play_run *run) {
  const play_options *options = run->options;
  const page_heading heading = {.command = "play",
                                .title = options->scene != NULL ? options->scene->name : options->operands[0],
                                .more_files = options->operand_count - 1,
                                .method = run->methods[0].method.name,
                                .query = &options->search.query,
                                .excludes = run->exclusions.count > 0,
                                .up = up_axis_name(options->drawing.camera.up)};
  return run->page.frame_count > 0 || page_record_begin(&run->page, &heading, PAGE_ROUNDED);
}

static graze_result make_regions(const play_run *run, graze_regions *regions) {
  const graze_query *query = &run->options->search.query;
  const method_run *method = &run->methods[0];
  graze_region_options how = graze_region_options_default();
  how.test = query->test;
  how.object_depths = false;
  char **names = bcf_object_labels_make(&run->objects);
  if (names == NULL) return GRAZE_OUT_OF_MEMORY;
  how.object_names = (const char *const *)names;
  how.object_name_count = run->objects.count;
  const graze_result result =
      graze_scene_make_regions(method->shown.scene, method->pairs.pairs, method->pairs.count, &how, regions);
  bcf_object_labels_free(names, run->objects.count);
  return result;
}

bool play_page_add(play_run *run, size_t frame) {
  const bool grouped = has_regions(&run->options->search.query);
  const method_run *method = &run->methods[0];
  graze_regions regions = {0};
  const graze_result result = grouped ? make_regions(run, &regions) : GRAZE_OK;
  bool added = result == GRAZE_OK;
  if (!added) complain("%s", library_message(result));
  if (added) {
    const page_frame recorded = {
        .name = run->source.name == NULL ? NULL : run->source.name(run->source.context, frame),
        .objects = &run->objects,
        .pairs = &method->pairs,
        .regions = grouped ? &regions : NULL,
        .timings = method->pairs.timings,
        .counters = method->pairs.counters,
        .frame_ms = method->last_ms,
    };
    added = begin_page(run) && page_record_add(&run->page, &recorded);
    if (!added) complain("out of memory");
  }
  graze_regions_free(&regions);
  return added;
}

/* Without a frame there is no record: a message told why the first was not added. */
bool play_page_write(play_run *run, FILE *stream) {
  if (run->page.frame_count == 0) return false;
  if (page_record_end(&run->page)) return page_file_write(&run->page, stream);
  return decline("out of memory");
}
