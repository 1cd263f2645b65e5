/* Reads scene files. Workload: from two objects to about 10^5 of a few meshes, and frames with about 10^6 poses in
 * total, so equal files are found by sorting, and names by binary search. */
#include "scene_file.h"

#include "complaint.h"
#include "pose_targets.h"
#include "pose_value.h"

#include "mesh_io/mesh_name.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS_BYTES = 256 };

bool scene_file_is_named(const char *path) {
  return mesh_name_ends_in(path, strlen(path), ".json");
}

bool scene_file_is_only(char *const *files, size_t count, const char *place, bool *is_scene_out) {
  for (size_t i = 0; i < count && !*is_scene_out; i++) {
    *is_scene_out = scene_file_is_named(files[i]);
    if (!*is_scene_out || count == 1) continue;
    return decline("%s is a scene file, which must be %s; add the other files to its objects", files[i], place);
  }
  return true;
}

static const json_value *value_at(const scene_file *scene, size_t number) {
  return &scene->text.document.values[number];
}

/* Resolves a path relative to the folder of the scene file. NULL when out of memory. */
static char *path_beside(const char *scene_path, const char *path) {
  const char *slash = strrchr(scene_path, '/');
  const size_t folder = path[0] == '/' || slash == NULL ? 0 : (size_t)(slash - scene_path) + 1;
  char *joined = malloc(folder + strlen(path) + 1);
  if (joined == NULL) return NULL;
  memcpy(joined, scene_path, folder);
  strcpy(joined + folder, path);
  return joined;
}

/* ---------------------------------------------------------------------------------------------- objects */

/* The mesh of an object in the scene file. */
typedef struct mesh_request {
  const char *file;
  double scale[3];
  size_t body;
} mesh_request;

static bool read_name(scene_file *scene, const json_value *object, const char *file, scene_body *body) {
  const json_value *name = json_member(&scene->text, object, "name");
  body->name = file;
  body->line = object->line;
  if (name == NULL) return true;
  if (name->kind != JSON_STRING || name->text[0] == '\0')
    return json_refuse(&scene->text, name, "the name of an object", "a text");
  if (strspn(name->text, "0123456789") == strlen(name->text))
    return json_refuse(&scene->text, name, "the name of an object",
                       "text that is not all digits (digits are object numbers)");
  body->name = name->text;
  return true;
}

static bool read_scale(const scene_file *scene, const json_value *object, const char *words, double scale[3]) {
  const json_value *value = json_member(&scene->text, object, "scale");
  for (int i = 0; i < 3; i++) scale[i] = value != NULL && value->kind == JSON_NUMBER ? value->number : 1.0;
  if (value == NULL) return true;
  char scale_words[WORDS_BYTES];
  snprintf(scale_words, sizeof scale_words, "%.200s: \"scale\"", words);
  if (value->kind != JSON_NUMBER && value->kind != JSON_ARRAY)
    return json_refuse(&scene->text, value, scale_words, "a number or an array of 3");
  if (value->kind == JSON_ARRAY && !json_numbers(&scene->text, value, scale_words, 3, scale)) return false;
  if (scale[0] != 0.0 && scale[1] != 0.0 && scale[2] != 0.0) return true;
  return json_refuse(&scene->text, value, scale_words, "other than 0, which flattens the object");
}

static bool read_body(scene_file *scene, const json_value *object, scene_body *body, mesh_request *request) {
  static const char *const names[] = {"name", "file", "scale", "pose", NULL};
  if (!json_members_are(&scene->text, object, "an object of the scene", names)) return false;
  const json_value *file = json_member(&scene->text, object, "file"), *pose = json_member(&scene->text, object, "pose");
  if (file == NULL) return decline("%s:%zu: an object of the scene has no \"file\"", scene->text.path, object->line);
  if (file->kind != JSON_STRING || file->text[0] == '\0' || scene_file_is_named(file->text))
    return json_refuse(&scene->text, file, "the file of an object", "the name of a mesh file");
  request->file = file->text;
  body->placed = placement_identity();
  if (!read_name(scene, object, file->text, body)) return false;
  char words[WORDS_BYTES];
  snprintf(words, sizeof words, "object \"%.60s\"", body->name);
  if (!read_scale(scene, object, words, request->scale)) return false;
  snprintf(words, sizeof words, "the pose of \"%.60s\"", body->name);
  return pose == NULL || pose_value_read(&scene->text, pose, words, &body->placed);
}

static int compare_requests(const void *first, const void *second) {
  const mesh_request *a = first, *b = second;
  const int order = strcmp(a->file, b->file);
  if (order != 0) return order;
  for (int i = 0; i < 3; i++)
    if (a->scale[i] != b->scale[i]) return a->scale[i] < b->scale[i] ? -1 : 1;
  return 0;
}

/* Equal requests share one part. */
static bool make_parts(scene_file *scene, mesh_request *requests) {
  qsort(requests, scene->body_count, sizeof *requests, compare_requests);
  scene->parts = calloc(scene->body_count + 1, sizeof *scene->parts);
  if (scene->parts == NULL) return decline("out of memory");
  for (size_t i = 0; i < scene->body_count; i++) {
    if (i == 0 || compare_requests(&requests[i - 1], &requests[i]) != 0) {
      scene_part *part = &scene->parts[scene->part_count++];
      memcpy(part->scale, requests[i].scale, sizeof part->scale);
      part->path = path_beside(scene->text.path, requests[i].file);
      if (part->path == NULL) return decline("out of memory");
    }
    scene->bodies[requests[i].body].part = scene->part_count - 1;
  }
  return true;
}

static bool read_bodies(scene_file *scene) {
  const json_value *objects = json_member(&scene->text, json_file_root(&scene->text), "objects");
  if (objects == NULL) return decline("%s: the member \"objects\" is missing", scene->text.path);
  if (objects->kind != JSON_ARRAY || objects->count == 0)
    return json_refuse(&scene->text, objects, "\"objects\"", "an array of one or more objects");
  mesh_request *requests = calloc(objects->count, sizeof *requests);
  scene->bodies = calloc(objects->count, sizeof *scene->bodies);
  bool good = (requests != NULL && scene->bodies != NULL) || decline("out of memory");
  for (size_t i = objects->first; good && i != 0; i = value_at(scene, i)->next) {
    const size_t body = scene->body_count++;
    requests[body].body = body;
    good = read_body(scene, value_at(scene, i), &scene->bodies[body], &requests[body]);
  }
  good = good && make_parts(scene, requests);
  free(requests);
  return good;
}

/* ---------------------------------------------------------------------------------------------- names */

/* A list of objects with only names, and their index. Names point into the list. */
typedef struct body_names {
  object_list list;
  object_names names;
} body_names;

static void release_names(body_names *made) {
  object_names_release(&made->names);
  free(made->list.entries);
}

static bool make_names(const scene_file *scene, body_names *made) {
  *made = (body_names){.list = {.entries = calloc(scene->body_count, sizeof(object_entry)), .named = true}};
  if (made->list.entries == NULL) return decline("out of memory");
  made->list.count = scene->body_count;
  for (size_t i = 0; i < scene->body_count; i++) made->list.entries[i].file = scene->bodies[i].name;
  if (!object_names_make(&made->list, &made->names)) return false;
  for (size_t i = 1; i < made->names.count; i++) {
    const object_name *a = &made->names.names[i - 1], *b = &made->names.names[i];
    if (strcmp(a->text, b->text) != 0) continue;
    return decline("%s:%zu: duplicate object name \"%.60s\"; it is first used in line %zu", scene->text.path,
                   scene->bodies[b->object].line, b->text, scene->bodies[a->object].line);
  }
  return true;
}

/* ---------------------------------------------------------------------------------------------- exclusions */

static bool read_exclusion(scene_file *scene, const object_names *names, const json_value *pair) {
  const scene_body *bodies = scene->bodies;
  size_t *excluded = scene->exclusions[scene->exclusion_count++];
  if (pair->kind != JSON_ARRAY || pair->count != 2)
    return json_refuse(&scene->text, pair, "a pair of \"exclude\"", "an array of the names of two objects");
  size_t at = pair->first;
  for (int i = 0; i < 2; i++, at = value_at(scene, at)->next) {
    const json_value *name = value_at(scene, at);
    char place[WORDS_BYTES];
    snprintf(place, sizeof place, "%.200s:%zu", scene->text.path, name->line);
    if (name->kind != JSON_STRING) return json_refuse(&scene->text, name, "a pair of \"exclude\"", "two names");
    if (!object_names_find(names, place, name->text, &excluded[i])) return false;
  }
  if (excluded[0] != excluded[1]) return true;
  return decline("%s:%zu: \"%.60s\" cannot be excluded from itself", scene->text.path, pair->line,
                 bodies[excluded[0]].name);
}

static bool read_exclusions(scene_file *scene, const object_names *names) {
  const json_value *list = json_member(&scene->text, json_file_root(&scene->text), "exclude");
  if (list == NULL) return true;
  if (list->kind != JSON_ARRAY) return json_refuse(&scene->text, list, "\"exclude\"", "an array of pairs of names");
  scene->exclusions = calloc(list->count + 1, sizeof *scene->exclusions);
  if (scene->exclusions == NULL) return decline("out of memory");
  for (size_t i = list->first; i != 0; i = value_at(scene, i)->next)
    if (!read_exclusion(scene, names, value_at(scene, i))) return false;
  return true;
}

/* ---------------------------------------------------------------------------------------------- frames */

/* Frames without a row do not exist. */
bool scene_file_take_frames(scene_file *scene, const pose_table *table, const char *path, const object_names *names) {
  size_t *targets = pose_targets_find(table, path, names);
  if (targets == NULL) return false;
  free(scene->poses);
  free(scene->frame_ends);
  scene->frame_count = 0;
  scene->poses = calloc(table->count + 1, sizeof *scene->poses);
  scene->frame_ends = calloc(table->count + 1, sizeof *scene->frame_ends);
  const bool reserved = (scene->poses != NULL && scene->frame_ends != NULL) || decline("out of memory");
  for (size_t i = 0; reserved && i < table->count; i++) {
    const pose_row *row = &table->rows[i];
    scene->poses[i] = (frame_pose){targets[i], row->line, row->placed};
    scene->frame_count += i == 0 || row->frame != table->rows[i - 1].frame;
    scene->frame_ends[scene->frame_count - 1] = i + 1;
  }
  free(targets);
  return reserved;
}

/* Frames are numbered from 1 here, so that a frame without a pose is visible. */
static bool read_frame(const scene_file *scene, const json_value *frame, uint64_t number, pose_table *table) {
  if (frame->kind != JSON_OBJECT)
    return json_refuse(&scene->text, frame, "a frame", "an object with a pose for each object that moves");
  for (size_t i = frame->first; i != 0; i = value_at(scene, i)->next) {
    const json_value *pose = value_at(scene, i);
    char words[WORDS_BYTES];
    placement placed;
    snprintf(words, sizeof words, "frame %" PRIu64 ", the pose of \"%.60s\"", number, pose->key);
    if (!pose_value_read(&scene->text, pose, words, &placed)) return false;
    if (!pose_table_append(table, pose->key, pose->line, number, &placed)) return false;
  }
  return true;
}

/* In a frame without poses nothing moves, but it is a frame. */
static bool spread_frames(scene_file *scene, const pose_table *table, size_t count) {
  size_t *ends = calloc(count + 1, sizeof *ends);
  if (ends == NULL) return decline("out of memory");
  for (size_t i = 0; i < table->count; i++) ends[table->rows[i].frame - 1] = i + 1;
  for (size_t i = 1; i < count; i++)
    if (ends[i] == 0) ends[i] = ends[i - 1];
  free(scene->frame_ends);
  scene->frame_ends = ends;
  scene->frame_count = count;
  return true;
}

static bool read_inline_frames(scene_file *scene, const json_value *frames, const object_names *names) {
  pose_table table = {.has_frames = true};
  uint64_t number = 0;
  bool good = true;
  for (size_t i = frames->first; good && i != 0; i = value_at(scene, i)->next)
    good = read_frame(scene, value_at(scene, i), ++number, &table);
  good = good && scene_file_take_frames(scene, &table, scene->text.path, names) &&
         spread_frames(scene, &table, frames->count);
  pose_table_release(&table);
  return good;
}

static bool read_frames(scene_file *scene, const object_names *names) {
  const json_value *frames = json_member(&scene->text, json_file_root(&scene->text), "frames");
  if (frames == NULL) return true;
  if (frames->kind == JSON_ARRAY && frames->count > 0) return read_inline_frames(scene, frames, names);
  if (frames->kind != JSON_STRING || scene_file_is_named(frames->text))
    return json_refuse(&scene->text, frames, "\"frames\"", "an array of frames, or the name of a CSV file with them");
  scene->frames_path = path_beside(scene->text.path, frames->text);
  return scene->frames_path != NULL || decline("out of memory");
}

static bool read_frames_file(scene_file *scene) {
  const char *path = scene->frames_path;
  pose_table table;
  body_names made = {0};
  bool good = pose_table_read(path, true, &table);
  if (good && (!table.has_frames || table.count == 0)) {
    complain("%s: %s", path, table.has_frames ? "the file has no frames" : "frames need a column \"frame\"");
    good = false;
  }
  good = good && make_names(scene, &made) && scene_file_take_frames(scene, &table, path, &made.names);
  release_names(&made);
  pose_table_release(&table);
  return good;
}

/* ---------------------------------------------------------------------------------------------- the whole */

static bool read_members(scene_file *scene) {
  static const char *const names[] = {"format", "version", "description", "objects", "exclude", "frames", NULL};
  const json_value *root = json_file_root(&scene->text), *about = json_member(&scene->text, root, "description");
  if (!json_file_has_format(&scene->text, "graze-scene", 1) ||
      !json_members_are(&scene->text, root, "a scene file", names))
    return false;
  if (about != NULL && about->kind != JSON_STRING) return json_refuse(&scene->text, about, "\"description\"", "a text");
  body_names made = {0};
  const bool good = read_bodies(scene) && make_names(scene, &made) && read_exclusions(scene, &made.names) &&
                    read_frames(scene, &made.names);
  release_names(&made);
  return good;
}

bool scene_file_take(const char *path, const char *bytes, size_t size, scene_file *scene_out) {
  *scene_out = (scene_file){0};
  return json_file_take(path, bytes, size, &scene_out->text) && read_members(scene_out);
}

bool scene_file_read(const char *path, scene_file *scene_out) {
  *scene_out = (scene_file){0};
  if (!json_file_read(path, "a scene file", &scene_out->text) || !read_members(scene_out)) return false;
  return scene_out->frames_path == NULL || read_frames_file(scene_out);
}

bool scene_file_take_poses(scene_file *scene, const char *path) {
  body_names made;
  pose_table table = {0};
  size_t *targets = NULL;
  const bool good = make_names(scene, &made) && pose_targets_read(path, &made.list, &table, &targets);
  for (size_t i = 0; good && i < table.count; i++) {
    scene->bodies[targets[i]].placed = table.rows[i].placed;
  }
  free(targets);
  pose_table_release(&table);
  release_names(&made);
  return good;
}

/* ---------------------------------------------------------------------------------------------- meshes */

bool scene_file_load(scene_file *scene, bool allow_large, progress *steps) {
  for (size_t i = 0; i < scene->part_count; i++) {
    scene_part *part = &scene->parts[i];
    object_list read = {.allow_large = allow_large, .only_regular = true};
    bool good = object_list_read(&read, part->path, steps);
    if (good && read.count != 1) {
      complain("%s: an object of a scene file must be one mesh, but the file has %zu", part->path, read.count);
      good = false;
    }
    const double *s = part->scale;
    const placement scaled = {{{s[0], 0, 0, 0}, {0, s[1], 0, 0}, {0, 0, s[2], 0}}};
    if (good && !placement_is_identity(&scaled)) good = object_list_place(&read, 0, &scaled, part->path);
    if (good) {
      part->shared.mesh = read.meshes[0];
      read.meshes[0] = (mesh){0};
    }
    object_list_release(&read);
    if (!good) return false;
  }
  return true;
}

bool scene_file_append(const scene_file *scene, const placement *placed, object_list *objects) {
  objects->named = true;
  for (size_t i = 0; i < scene->body_count; i++) {
    const scene_body *body = &scene->bodies[i];
    scene_part *part = &scene->parts[body->part];
    char words[WORDS_BYTES];
    snprintf(words, sizeof words, "%.180s:%zu", scene->text.path, body->line);
    if (!object_list_share(objects, body->name, part->path, &part->shared)) return false;
    if (!object_list_place(objects, objects->count - 1, placed != NULL ? &placed[i] : &body->placed, words))
      return false;
  }
  return true;
}

void scene_file_release_meshes(scene_file *scene) {
  for (size_t i = 0; i < scene->part_count; i++) shared_mesh_release_mesh(&scene->parts[i].shared);
}

void scene_file_release(scene_file *scene) {
  for (size_t i = 0; i < scene->part_count; i++) {
    shared_mesh_release(&scene->parts[i].shared);
    free(scene->parts[i].path);
  }
  free(scene->parts);
  free(scene->bodies);
  free(scene->exclusions);
  free(scene->frames_path);
  free(scene->poses);
  free(scene->frame_ends);
  json_file_free(&scene->text);
  *scene = (scene_file){0};
}
