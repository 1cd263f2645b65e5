/* Frames from files: each file of a frame is read when needed. */
#include "frame_source.h"

static const char *name_of_frame(void *context, size_t frame) {
  return frame_list_name(context, frame);
}

static bool load_frame(void *context, size_t frame, object_list *objects, bool notes) {
  const frame_list *frames = context;
  /* A progress bar is already shown, so single files print no lines. */
  progress steps = {.quiet = !notes, .silent = true};
  for (size_t i = 0; i < frames->track_count; i++) {
    const char *file = frames->files[frame * frames->track_count + i];
    if (file != NULL && !object_list_read(objects, file, &steps)) return false;
  }
  return true;
}

frame_source frame_source_of_files(frame_list *frames) {
  return (frame_source){.context = frames,
                        .count = frames->count,
                        .spent_on = "reading files",
                        .parts_alone = frames->track_count > 1,
                        .name = name_of_frame,
                        .load = load_frame};
}
