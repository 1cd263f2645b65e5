/* Objects, frames and distances; see distance_search.h.
 *
 * Frames come from a scene file or a pose file, and move objects by rigid motions. An object that moves in any frame is
 * in the scene with the positions of its mesh, and gets a pose in each frame. */
#include "distance_search.h"

#include "pose_targets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The placement of objects in a frame. */
typedef struct frame_places {
  placement *placed; /* of each moving object, in the frame searched last */
  placement *best;   /* the same for the frame with the least distance */
  bool *moves;
} frame_places;

/* ------------------------------------------------------------------------------------------------ reading */

static bool take_frames(const char *path, const pose_table *table, scene_file *file, const object_list *objects) {
  object_names names = {0};
  const bool taken = object_names_make(objects, &names) && scene_file_take_frames(file, table, path, &names);
  object_names_release(&names);
  return taken;
}

static bool read_scene(const distance_options *options, bool poses_have_frames, scene_file *file, object_list *objects,
                       progress *steps) {
  if (!scene_file_read(options->files[0], file)) return false;
  if (options->poses != NULL && !poses_have_frames && !scene_file_take_poses(file, options->poses)) return false;
  return scene_file_load(file, options->allow_large, steps) && scene_file_append(file, NULL, objects);
}

static bool read_files(const distance_options *options, bool poses_have_frames, object_list *objects, progress *steps) {
  objects->separate = options->separate;
  objects->allow_large = options->allow_large;
  for (size_t i = 0; i < options->file_count; i++)
    if (!object_list_read(objects, options->files[i], steps)) return false;
  return options->poses == NULL || poses_have_frames || pose_targets_place(options->poses, objects);
}

/* --rotate and --move are applied after all poses, so they would have to be applied in each frame. */
static bool place_once(const distance_options *options, const scene_file *file, object_list *objects) {
  if (file->frame_count > 0 && options->moves.shift_count + options->moves.rotation_count > 0)
    return decline("--move and --rotate cannot be combined with frames, and there are %s",
                   counted(file->frame_count, "frame").text);
  if (!object_list_move(objects, &options->moves)) return false;
  if (objects->count >= 2) return true;
  return decline("a distance needs two objects, but there is only %s; --separate makes objects of the parts of a file",
                 counted(objects->count, "object").text);
}

static bool read_objects(const distance_options *options, scene_file *file, object_list *objects, progress *steps) {
  pose_table table = {0};
  bool good = options->poses == NULL || pose_table_read(options->poses, false, &table);
  if (good)
    good = options->is_scene ? read_scene(options, table.has_frames, file, objects, steps)
                             : read_files(options, table.has_frames, objects, steps);
  if (good && table.has_frames) good = take_frames(options->poses, &table, file, objects);
  pose_table_release(&table);
  return good && place_once(options, file, objects);
}

/* ------------------------------------------------------------------------------------------------ frames */

/* Messages about a pose begin with its place in the file. */
static bool set_pose(graze_scene *scene, size_t object, const placement *placed, const char *path, size_t line) {
  graze_pose pose;
  if (!placement_is_rigid(placed, &pose))
    return decline("%s:%zu: frames move objects by rigid motions, but this pose scales or shears", path, line);
  const graze_result result = graze_object_set_pose(scene, (graze_object){(uint32_t)object, 1}, &pose);
  if (result != GRAZE_OK) complain("%s:%zu: %s", path, line, library_message(result));
  return result == GRAZE_OK;
}

static const char *frames_path(const distance_outcome *outcome, const scene_file *file) {
  if (outcome->options->poses != NULL) return outcome->options->poses;
  return file->frames_path != NULL ? file->frames_path : outcome->options->files[0];
}

/* Moving objects are reset from their pose before the first frame to the positions of their mesh. */
static bool open_places(const distance_outcome *outcome, const scene_file *file, frame_places *places) {
  object_list *objects = outcome->objects;
  const bool is_scene = outcome->options->is_scene;
  const size_t pose_count = file->frame_count == 0 ? 0 : file->frame_ends[file->frame_count - 1];
  places->placed = calloc(objects->count, sizeof *places->placed);
  places->best = calloc(objects->count, sizeof *places->best);
  places->moves = calloc(objects->count, sizeof *places->moves);
  if (places->placed == NULL || places->best == NULL || places->moves == NULL) return decline("out of memory");
  for (size_t i = 0; i < pose_count; i++) places->moves[file->poses[i].body] = true;
  for (size_t i = 0; i < objects->count; i++)
    places->placed[i] = is_scene && !places->moves[i] ? file->bodies[i].placed : placement_identity();
  if (pose_count == 0 || !is_scene) return true;
  object_list_release(objects);
  if (!scene_file_append(file, places->placed, objects)) return false;
  for (size_t i = 0; i < objects->count; i++) places->placed[i] = file->bodies[i].placed;
  return true;
}

static void release_places(frame_places *places) {
  free(places->placed);
  free(places->best);
  free(places->moves);
}

/* Objects that a frame does not name stay in place. */
static bool place_frame(const distance_outcome *outcome, const scene_file *file, graze_scene *scene, size_t frame,
                        const frame_places *places) {
  const size_t first = frame == 0 ? 0 : file->frame_ends[frame - 1];
  const char *path = frames_path(outcome, file);
  for (size_t i = 0; frame == 0 && outcome->options->is_scene && i < outcome->objects->count; i++)
    if (places->moves[i] && !set_pose(scene, i, &places->placed[i], outcome->options->files[0], file->bodies[i].line))
      return false;
  for (size_t i = first; i < file->frame_ends[frame]; i++) {
    const frame_pose *pose = &file->poses[i];
    places->placed[pose->body] = pose->placed;
    if (!set_pose(scene, pose->body, &pose->placed, path, pose->line)) return false;
  }
  return true;
}

/* ------------------------------------------------------------------------------------------------ searching */

/* Other methods would build trees in every frame. */
static bool fill_scene(const distance_outcome *outcome, const scene_file *file, graze_scene *scene) {
  graze_method_def method = graze_method_def_default();
  graze_object object;
  method.name = "tree";
  graze_result result = graze_scene_set_method(scene, &method);
  for (size_t i = 0; result == GRAZE_OK && i < outcome->objects->count; i++)
    result = object_list_add_to(outcome->objects, i, scene, &object);
  if (result != GRAZE_OK) complain("%s", library_message(result));
  return result == GRAZE_OK && exclude_objects(&outcome->options->exclusions, outcome->objects,
                                               (const size_t(*)[2])file->exclusions, file->exclusion_count, scene);
}

/* Rounds a number of elements up to a power of two, so that arrays rarely grow. */
static size_t room_of(size_t count) {
  size_t room = 16;
  while (room < count) room *= 2;
  return room;
}

/* Appends `count` elements to an array with `*total` elements. */
static bool append_elements(void **all, size_t *total, size_t element_bytes, const void *elements, size_t count) {
  if (count == 0) return true;
  if (*all == NULL || room_of(*total + count) > room_of(*total)) {
    void *larger = realloc(*all, room_of(*total + count) * element_bytes);
    if (larger == NULL) return decline("out of memory");
    *all = larger;
  }
  memcpy((char *)*all + *total * element_bytes, elements, count * element_bytes);
  *total += count;
  return true;
}

static bool take_frame(distance_outcome *outcome, const graze_nearest_list *nearests, const graze_containments *insides,
                       bool *is_best_out) {
  const size_t first = outcome->row_count;
  void *rows = outcome->rows, *inside_rows = outcome->insides;
  const bool had_best = outcome->best < first;
  bool good = append_elements(&rows, &outcome->row_count, sizeof *outcome->rows, nearests->nearests, nearests->count);
  outcome->rows = rows;
  good = good && append_elements(&inside_rows, &outcome->inside_count, sizeof *outcome->insides, insides->containments,
                                 insides->count);
  outcome->insides = inside_rows;
  if (!had_best) outcome->best = first;
  for (size_t i = first; i < outcome->row_count; i++)
    if (outcome->rows[i].distance < outcome->rows[outcome->best].distance) outcome->best = i;
  *is_best_out = good && outcome->best >= first && outcome->best < outcome->row_count;
  outcome->frames[outcome->frame_count] = (distance_frame){outcome->row_count, outcome->inside_count};
  return good;
}

/* If text or JSON is written. */
static bool wants_insides(const distance_options *options) {
  return !options->quiet || options->json != NULL;
}

static graze_result find_nearests(const graze_scene *scene, const distance_options *options,
                                  graze_nearest_list *nearests, graze_containments *insides) {
  graze_nearest_options how = graze_nearest_options_default();
  const bool all = options->all || (!options->each && options->within < HUGE_VAL);
  how.scope = options->each ? GRAZE_NEAREST_EACH_OBJECT : all ? GRAZE_NEAREST_OBJECT_PAIRS : GRAZE_NEAREST_OF_ALL;
  how.max_distance = options->within;
  how.depths = options->depths;
  const graze_result result = graze_scene_find_nearest(scene, &how, nearests);
  if (result != GRAZE_OK || !wants_insides(options)) return result;
  return graze_scene_find_containments(scene, NULL, insides);
}

static bool search_frame(distance_outcome *outcome, const scene_file *file, graze_scene *scene, size_t frame,
                         const frame_places *places) {
  graze_nearest_list nearests = {0};
  graze_containments insides = {0};
  bool good = !outcome->has_frames || place_frame(outcome, file, scene, frame, places);
  if (good) {
    graze_result result = graze_scene_update(scene);
    if (result == GRAZE_OK) result = find_nearests(scene, outcome->options, &nearests, &insides);
    if (result != GRAZE_OK) complain("%s", library_message(result));
    bool is_best = false;
    outcome->frame_count++;
    good = result == GRAZE_OK && take_frame(outcome, &nearests, &insides, &is_best);
    if (is_best) memcpy(places->best, places->placed, outcome->objects->count * sizeof *places->best);
  }
  graze_nearest_list_free(&nearests);
  graze_containments_free(&insides);
  return good;
}

static bool search_frames(distance_outcome *outcome, const scene_file *file, graze_scene *scene,
                          const frame_places *places, size_t count, progress *steps) {
  const double start = clock_milliseconds();
  bool good = true;
  if (count == 1)
    progress_working(steps, "searching", object_list_primitive_count(outcome->objects),
                     object_list_amount(outcome->objects).text);
  for (size_t frame = 0; good && frame < count; frame++) {
    good = search_frame(outcome, file, scene, frame, places);
    const double spent = clock_milliseconds() - start;
    progress_frames(steps, frame + 1, count, spent / (double)(frame + 1) * (double)(count - frame - 1));
  }
  progress_bar_done(steps);
  progress_done(steps, good ? "done" : "failed");
  return good;
}

static bool place_for_picture(const distance_outcome *outcome, const scene_file *file, const frame_places *places) {
  for (size_t i = 0; outcome->has_frames && outcome->best < outcome->row_count && i < outcome->objects->count; i++)
    if (places->moves[i] && !object_list_place(outcome->objects, i, &places->best[i], frames_path(outcome, file)))
      return false;
  return true;
}

bool distance_search(graze_scene *scene, scene_file *file, distance_outcome *outcome) {
  const distance_options *options = outcome->options;
  progress steps = progress_start(options->quiet);
  frame_places places = {0};
  const double start = clock_milliseconds();
  bool good = read_objects(options, file, outcome->objects, &steps) && open_places(outcome, file, &places);
  const double middle = clock_milliseconds();
  outcome->has_frames = file->frame_count > 0;
  const size_t count = outcome->has_frames ? file->frame_count : 1;
  outcome->reading_ms = middle - start;
  good = good && fill_scene(outcome, file, scene);
  if (good && (outcome->frames = calloc(count + 1, sizeof *outcome->frames)) == NULL) good = decline("out of memory");
  good = good && search_frames(outcome, file, scene, &places, count, &steps);
  outcome->search_ms = clock_milliseconds() - middle;
  if (good && options->picture != NULL) good = place_for_picture(outcome, file, &places);
  release_places(&places);
  return good;
}
