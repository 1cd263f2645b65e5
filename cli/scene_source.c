/* Frames of a built-in scene: its meshes are copied into the list of objects when the next frame has moved them. */
#include "scene_source.h"

#include "close_match.h"
#include "complaint.h"

#include <inttypes.h>
#include <stdlib.h>

enum { MESSAGE_BYTES = 1024 };

bool scene_source_open(scene_source *source, const moving_scene *scene, const scene_parameters *parameters) {
  char message[MESSAGE_BYTES] = "";
  source->name = scene->name;
  source->stage = scene_stage_open(scene, parameters, message, sizeof message);
  if (source->stage == NULL) complain("%s", message);
  return source->stage != NULL;
}

void scene_source_close(scene_source *source) {
  scene_stage_close(source->stage);
  *source = (scene_source){0};
}

static bool load_frame(void *context, size_t frame, object_list *objects, bool notes) {
  (void)notes;
  scene_source *source = context;
  for (; source->shown < frame; source->shown++) {
    char message[MESSAGE_BYTES] = "";
    if (scene_stage_next(source->stage, message, sizeof message)) continue;
    if (message[0] != '\0') complain("frame %zu: %s", frame + 1, message);
    return false;
  }
  size_t count = 0;
  const mesh *meshes = scene_stage_meshes(source->stage, &count);
  objects->separate = true;
  return object_list_copy(objects, source->name, meshes, count);
}

frame_source frame_source_of_scene(scene_source *source) {
  return (frame_source){.context = source,
                        .count = (size_t)scene_stage_frames(source->stage),
                        .spent_on = "moving the scene",
                        .load = load_frame};
}

void write_scenes(FILE *stream) {
  fputs("Moving scenes:\n", stream);
  for (size_t i = 0; i < moving_scene_count(); i++) {
    const moving_scene *scene = moving_scene_at(i);
    fprintf(stream, "  %-16s %s (%s primitives, %" PRIu64 " frames)\n", scene->name, scene->description,
            grouped_number(scene->primitives).text, scene->frames);
  }
}

void refuse_scene(const char *name) {
  close_match match = {.wanted = name};
  for (size_t i = 0; i < moving_scene_count(); i++) close_match_offer(&match, moving_scene_at(i)->name);
  if (match.best != NULL) {
    complain("there is no scene \"%s\"; did you mean %s? 'graze play --list' lists all", name, match.best);
  } else {
    complain("there is no scene \"%s\"; 'graze play --list' lists all", name);
  }
}
