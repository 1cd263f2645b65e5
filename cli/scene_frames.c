/* Frames of a scene file. Objects share their meshes between frames, so a frame is a list of poses. */
#include "scene_frames.h"

#include "complaint.h"

#include <stdlib.h>

bool scene_frames_open(scene_frames *frames, const scene_file *scene) {
  *frames = (scene_frames){.scene = scene, .placed = calloc(scene->body_count + 1, sizeof(placement))};
  if (frames->placed == NULL) return decline("out of memory");
  for (size_t i = 0; i < scene->body_count; i++) frames->placed[i] = scene->bodies[i].placed;
  return true;
}

void scene_frames_close(scene_frames *frames) {
  free(frames->placed);
  *frames = (scene_frames){0};
}

static bool load_frame(void *context, size_t frame, object_list *objects, bool notes) {
  (void)notes;
  scene_frames *frames = context;
  const scene_file *scene = frames->scene;
  for (; frames->next <= frame && frames->next < scene->frame_count; frames->next++) {
    const size_t first = frames->next == 0 ? 0 : scene->frame_ends[frames->next - 1];
    for (size_t i = first; i < scene->frame_ends[frames->next]; i++)
      frames->placed[scene->poses[i].body] = scene->poses[i].placed;
  }
  return scene_file_append(scene, frames->placed, objects);
}

frame_source frame_source_of_scene_file(scene_frames *frames) {
  const scene_file *scene = frames->scene;
  return (frame_source){.context = frames,
                        .count = scene->frame_count == 0 ? 1 : scene->frame_count,
                        .spent_on = "placing objects",
                        .parts_alone = scene->body_count > 1,
                        .exclusions = (const size_t(*)[2])scene->exclusions,
                        .exclusion_count = scene->exclusion_count,
                        .load = load_frame};
}
