/* A scene file: objects that place meshes, excluded pairs, and poses for each frame. docs/guide/scene_file.md documents
 * the format. */
#ifndef GRAZE_SCENE_FILE_H
#define GRAZE_SCENE_FILE_H

#include "json_members.h"
#include "object_names.h"
#include "pose_table.h"

/* A mesh file with a scale: read once, however many objects place it. */
typedef struct scene_part {
  char *path; /* owned */
  double scale[3];
  shared_mesh shared;
} scene_part;

typedef struct scene_body {
  const char *name; /* borrowed from the text of the file */
  size_t line;
  size_t part;
  placement placed;
} scene_body;

/* A body, and its placement by a frame. */
typedef struct frame_pose {
  size_t body, line;
  placement placed;
} frame_pose;

/* Zeroed: no scene. */
typedef struct scene_file {
  json_file text;
  scene_body *bodies;
  size_t body_count;
  scene_part *parts;
  size_t part_count;
  size_t (*exclusions)[2]; /* bodies */
  size_t exclusion_count;
  char *frames_path;  /* of a pose file; NULL: the frames are in the scene file, or there are none */
  frame_pose *poses;  /* of all frames, one after the other */
  size_t *frame_ends; /* one more than the last pose of each frame */
  size_t frame_count;
} scene_file;

/* Whether a file with this name is read as a scene: it ends in .json. */
bool scene_file_is_named(const char *path);

/* Whether there is a scene file; false after a complaint if there are other files beside it. `place` completes the
 * message: it must be "the only file". */
bool scene_file_is_only(char *const *files, size_t count, const char *place, bool *is_scene_out);

/* Reads the scene and its frames, but no mesh. `path` must outlive the scene. False after a complaint that names the
 * file, the line, the object and the value. Call scene_file_release in any case. */
bool scene_file_read(const char *path, scene_file *scene_out);

/* The same for bytes in memory, without the file of the frames. */
bool scene_file_take(const char *path, const char *bytes, size_t size, scene_file *scene_out);

/* Places bodies by the file of --poses. False after a complaint. */
bool scene_file_take_poses(scene_file *scene, const char *path);

/* Replaces the frames of the scene by those of a pose file; `names` are those of its bodies. False after a
 * complaint. */
bool scene_file_take_frames(scene_file *scene, const pose_table *table, const char *path, const object_names *names);

/* Reads the meshes; false after a complaint. */
bool scene_file_load(scene_file *scene, bool allow_large, progress *steps);

/* Appends an object for each body, which shares the mesh of its part. `placed` has a placement for each body; NULL: as
 * in the scene. False after a complaint. */
bool scene_file_append(const scene_file *scene, const placement *placed, object_list *objects);

/* Releases only the meshes, after objects were added to a scene. */
void scene_file_release_meshes(scene_file *scene);
void scene_file_release(scene_file *scene);

#endif
