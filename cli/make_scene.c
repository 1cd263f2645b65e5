/* Writes frames to files. The frame number replaces %d in the name; frames are numbered from 1, as in play. */
#include "make_scene.h"

#include "frame_file.h"
#include "frame_list.h"
#include "interruption.h"
#include "output_file.h"
#include "progress.h"

#include "mesh_io/mesh_file.h"
#include "mesh_io/mesh_format.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_BYTES = 4096, DIGITS_MOST = 24 };

bool make_scene_output_fits(const make_scene_options *options) {
  number_place place;
  if (options->output == NULL || path_is_folder(options->output)) return true;
  if (!number_place_find(options->output, &place))
    return decline("--output %s: each frame of a scene needs its own file: give a name with %%04d, or a folder",
                   options->output);
  if (!number_place_is_only(&place, options->output, "--output ")) return false;
  bool compressed;
  const mesh_format *format = mesh_format_of_name(options->output, &compressed);
  if (mesh_format_is_written(format, options->scene->kind)) return true;
  return decline("%s: %s files can store the scene %s, but this format cannot", options->output, options->scene->name,
                 mesh_endings_storing(1u << options->scene->kind).text);
}

/* Returns a name with a place for the number; NULL when out of memory. */
static char *pattern_of(const make_scene_options *options) {
  static const char *const endings[] = {"obj", "msh", "vtk", "csv"};
  const char *output = options->output == NULL ? "" : options->output;
  const size_t room = strlen(output) + strlen(options->scene->name) + sizeof "/_%04d.obj";
  char *pattern = malloc(room);
  if (pattern == NULL) return NULL;
  if (options->output != NULL && !path_is_folder(output)) {
    snprintf(pattern, room, "%s", output);
  } else {
    const bool joint = options->output != NULL && output[strlen(output) - 1] != '/';
    snprintf(pattern, room, "%s%s%s_%%04d.%s", output, joint ? "/" : "", options->scene->name,
             endings[options->scene->kind]);
  }
  return pattern;
}

static bool write_frame(const scene_stage *stage, const char *pattern, uint64_t frame, bool separate) {
  size_t count = 0;
  const mesh *meshes = scene_stage_meshes(stage, &count);
  bool written = true;
  if (!separate) return frame_file_write(pattern, frame, NULL, meshes, count);
  for (size_t i = 0; written && i < count; i++) written = frame_file_write(pattern, frame, &i, &meshes[i], 1);
  return written;
}

static uint64_t primitives_of(const scene_stage *stage) {
  size_t count = 0;
  uint64_t sum = 0;
  const mesh *meshes = scene_stage_meshes(stage, &count);
  for (size_t i = 0; i < count; i++) sum += mesh_element_count(&meshes[i]);
  return sum;
}

/* The number of the last frame written. */
static bool write_all(scene_stage *stage, const char *pattern, bool separate, progress *steps, uint64_t *last_out) {
  const uint64_t frames = scene_stage_frames(stage);
  const double start = clock_milliseconds();
  for (uint64_t frame = 1; frame <= frames && !interruption_came(NULL); frame++) {
    char message[MESSAGE_BYTES] = "";
    if (frame > 1 && !scene_stage_next(stage, message, sizeof message)) {
      progress_bar_done(steps);
      if (message[0] == '\0') return true;
      return decline("%s", message);
    }
    if (!write_frame(stage, pattern, frame, separate)) return false;
    *last_out = frame;
    const double spent = clock_milliseconds() - start;
    progress_frames(steps, (size_t)frame, (size_t)frames, spent / (double)frame * (double)(frames - frame));
  }
  return true;
}

static exit_code report_scene(const make_scene_options *options, const scene_stage *stage, const char *pattern,
                              uint64_t last) {
  const uint64_t frames = scene_stage_frames(stage);
  if (!options->quiet && last > 0) {
    write_harmless(stdout, pattern);
    printf(": %s, %s in the last (%s, seed %" PRIu64 ")\n", counted(last, "frame").text,
           counted(primitives_of(stage), "primitive").text, options->scene->name, options->parameters.seed);
  }
  if (last == frames) return finish_standard_output();
  complain("interrupted: %" PRIu64 " of %" PRIu64 " frames were written", last, frames);
  return EXIT_CODE_STOPPED;
}

exit_code make_scene_frames(make_scene_options *options) {
  char message[MESSAGE_BYTES] = "";
  interruption_watch();
  options->parameters.should_stop = interruption_came;
  char *pattern = pattern_of(options);
  if (pattern == NULL) return complain("out of memory");
  scene_stage *stage = scene_stage_open(options->scene, &options->parameters, message, sizeof message);
  exit_code code = EXIT_CODE_TROUBLE;
  if (stage == NULL) {
    complain("%s", message);
  } else {
    progress steps = progress_start(options->quiet);
    uint64_t last = 0;
    const bool complete = write_all(stage, pattern, options->separate, &steps, &last);
    progress_bar_done(&steps);
    if (complete) code = report_scene(options, stage, pattern, last);
  }
  scene_stage_close(stage);
  free(pattern);
  return code;
}
