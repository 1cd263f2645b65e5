/* Frames that rank 0 plays and all ranks search; see shared_frames.h. */
#include "shared_frames.h"

#include <stdlib.h>

/* Marks the objects from `first` on as taken or not. */
static bool mark_objects(shared_frames *frames, const object_list *objects, size_t first, bool taken) {
  if (objects->count > frames->capacity) {
    bool *moved = realloc(frames->taken, 2 * objects->count * sizeof *moved);
    if (moved == NULL) return decline("out of memory");
    frames->taken = moved;
    frames->capacity = 2 * objects->count;
  }
  for (size_t i = first; i < objects->count; i++) frames->taken[i] = taken;
  return true;
}

static bool complain_of_ranks(void) {
  return decline("%s", graze_mpi_error_text());
}

/* Ranges cannot be split into parts: with --separate, rank 0 reads the file. */
static bool load_file(shared_frames *frames, const char *file, object_list *objects, bool notes) {
  progress steps = {.quiet = !notes, .silent = true};
  const size_t first = objects->count;
  uint64_t counts[2] = {0};
  bool taken = false;
  if (!objects->separate && crew_take_file(frames->crew, file, (uint32_t)first, false, &taken, counts) != GRAZE_OK)
    return complain_of_ranks();
  if (taken && !object_list_note(objects, file, GRAZE_KIND_TRIANGLE, counts[0], counts[1]))
    return decline("out of memory");
  if (!taken && !object_list_read(objects, file, &steps)) return false;
  return mark_objects(frames, objects, first, taken);
}

static bool load_files(shared_frames *frames, size_t frame, object_list *objects, bool notes) {
  const frame_list *files = frames->files;
  for (size_t i = 0; i < files->track_count; i++) {
    const char *file = files->files[frame * files->track_count + i];
    if (file != NULL && !load_file(frames, file, objects, notes)) return false;
  }
  return true;
}

static bool load_frame(void *context, size_t frame, object_list *objects, bool notes) {
  shared_frames *frames = context;
  bool loaded = crew_begin_frame(frames->crew) == GRAZE_OK;
  if (frames->files != NULL)
    loaded = loaded && load_files(frames, frame, objects, notes);
  else
    loaded = loaded && frames->inner.load(frames->inner.context, frame, objects, notes) &&
             mark_objects(frames, objects, 0, false);
  bool hands = false;
  for (size_t i = 0; loaded && i < objects->count; i++) hands = hands || !frames->taken[i];
  if (loaded && hands && crew_hand_out(frames->crew, objects, frames->taken) != GRAZE_OK) return complain_of_ranks();
  return loaded;
}

static const char *name_of_frame(void *context, size_t frame) {
  const shared_frames *frames = context;
  return frames->inner.name == NULL ? NULL : frames->inner.name(frames->inner.context, frame);
}

static frame_source take_source(void *context, const frame_source *source, const frame_list *files_or_null) {
  shared_frames *frames = context;
  frames->inner = *source;
  frames->files = files_or_null;
  frame_source shared = *source;
  shared.context = frames;
  shared.name = source->name == NULL ? NULL : name_of_frame;
  shared.load = load_frame;
  return shared;
}

static graze_result find_pairs(void *context, const graze_query *query, const size_t (*exclusions)[2],
                               size_t exclusion_count, graze_pairs *pairs_out, double *milliseconds_out) {
  shared_frames *frames = context;
  graze_result result = GRAZE_OK;
  if (!frames->excluded && exclusion_count > 0) result = crew_exclude(frames->crew, exclusions, exclusion_count);
  frames->excluded = result == GRAZE_OK;
  if (result == GRAZE_OK) result = crew_find(frames->crew, query, true);
  if (result != GRAZE_OK) return result;
  const crew_answer *answer = &frames->crew->answer;
  *pairs_out = (graze_pairs){.pairs = answer->pairs,
                             .count = answer->totals.pair_count,
                             .hash = answer->totals.hash,
                             .timings = &answer->timings,
                             .counters = &answer->counters};
  *milliseconds_out = answer->milliseconds;
  return GRAZE_OK;
}

static const char *message_of(void *context, graze_result result) {
  (void)context;
  return result == GRAZE_OUT_OF_MEMORY && graze_mpi_error_text()[0] == '\0' ? "out of memory" : graze_mpi_error_text();
}

frame_searcher shared_frames_searcher(shared_frames *frames) {
  return (frame_searcher){.context = frames, .take = take_source, .find = find_pairs, .message = message_of};
}

void shared_frames_release(shared_frames *frames) {
  free(frames->taken);
  *frames = (shared_frames){0};
}
