/* Tables of objects; see device_tables.h.
 *
 * Poses change every frame, all of 10^5 or a few. The scene stores them in memory that the device reads directly, so
 * that runs of changed poses are copied from there, and the host does not wait for the copy before the update ends.
 * Sources and rules change rarely: when an object gets or loses a pose, positions move on the device, a filter is set,
 * or pairs of objects are excluded.
 *
 * A scan of one byte per object finds the changes; there is no other work for unchanged objects. */
#include "cuda/device_tables.h"

#include "cuda/device_memory.h"
#include "cuda/upload_staging.h"

#include <string.h>

enum { POSE_GRAIN = 1024 };

const object_update *scene_object_update(const scene_upload *scene, size_t i) {
  return scene->objects != NULL ? &scene->objects[i].update : &scene->updates[i];
}

size_t scene_update_count(const scene_upload *scene) {
  return scene->objects != NULL ? scene->object_count : scene->update_count;
}

/* ---------------------------------------------------------------------------------------------- memory */

void release_tables(device_scene *state) {
  memory *heap = state->memory->heap;
  memory_release(heap, state->tables.sources, state->tables.count, sizeof *state->tables.sources);
  memory_release(heap, state->tables.rules, state->tables.count, sizeof *state->tables.rules);
  memory_release(heap, state->tables.given, state->tables.count + 1, sizeof *state->tables.given);
  state->tables.sources = NULL;
  state->tables.rules = NULL;
  state->tables.given = NULL;
  state->tables.count = 0;
}

static graze_result allocate_tables(device_scene *state, size_t object_count) {
  memory *heap = state->memory->heap;
  state->tables.count = object_count;
  state->tables.sources = memory_allocate(heap, object_count, sizeof *state->tables.sources);
  state->tables.rules = memory_allocate(heap, object_count, sizeof *state->tables.rules);
  state->tables.given = memory_allocate(heap, object_count + 1, sizeof *state->tables.given);
  if (state->tables.sources == NULL || state->tables.rules == NULL || state->tables.given == NULL)
    return GRAZE_OUT_OF_MEMORY;
  memset(state->tables.sources, 0, object_count * sizeof *state->tables.sources);
  memset(state->tables.rules, 0, object_count * sizeof *state->tables.rules);
  memset(state->tables.given, 0, (object_count + 1) * sizeof *state->tables.given);
  return GRAZE_OK;
}

graze_result size_tables(device_scene *state, size_t object_count) {
  graze_result result = GRAZE_OK;
  if (state->tables.given == NULL || state->tables.count != object_count) {
    release_tables(state);
    result = allocate_tables(state, object_count);
    if (result != GRAZE_OK) release_tables(state);
  }
  if (result == GRAZE_OK)
    result = size_buffer(state->memory, &state->there.sources, object_count * sizeof *state->tables.sources);
  if (result == GRAZE_OK)
    result = size_buffer(state->memory, &state->there.rules, object_count * sizeof *state->tables.rules);
  if (result == GRAZE_OK) result = size_buffer(state->memory, &state->there.poses, object_count * sizeof(rigid_pose));
  return result;
}

/* ---------------------------------------------------------------------------------------------- rows */

/* An upload of table rows: a run of changed rows, with short gaps of unchanged ones. */
typedef struct row_upload {
  device_memory *memory;
  const device_buffer *buffer;
  const void *rows; /* the whole table */
  size_t row_bytes;
  bool staged; /* they are in the memory of upload_staged */
  size_t first, end;
  graze_result result;
} row_upload;

static void send_rows(row_upload *rows) {
  const device_operations *device = &rows->memory->operations;
  const size_t offset = rows->first * rows->row_bytes, bytes = (rows->end - rows->first) * rows->row_bytes;
  const char *from = (const char *)rows->rows + offset;
  rows->first = rows->end;
  if (bytes == 0 || rows->result != GRAZE_OK) return;
  if (rows->staged)
    rows->result = device->upload_staged(device->context, (char *)rows->buffer->data + offset, from, bytes);
  else
    rows->result = upload(rows->memory, rows->buffer, offset, from, bytes);
}

/* Rows are passed in ascending order. A short gap between two runs is cheaper than another copy. */
static void add_rows(row_upload *rows, size_t first, size_t end) {
  if (first >= end) return;
  if (rows->end > rows->first && (first - rows->end) * rows->row_bytes > STAGING_GAP_MOST) send_rows(rows);
  if (rows->end == rows->first) rows->first = first;
  rows->end = end;
}

static graze_result end_rows(row_upload *rows) {
  send_rows(rows);
  return rows->result;
}

static row_upload begin_sources(device_scene *state) {
  return (row_upload){.memory = state->memory,
                      .buffer = &state->there.sources,
                      .rows = state->tables.sources,
                      .row_bytes = sizeof *state->tables.sources};
}

/* ---------------------------------------------------------------------------------------------- positions, rules */

/* Sets the address of an object's positions, once they have one; true if it changed. */
static bool point_source(device_scene *state, const object_update *update) {
  object_source *source = &state->tables.sources[update->object];
  given_place *given = &state->tables.given[update->object];
  const void *positions = update->on_device ? update->positions : (const char *)state->there.given.data + given->offset;
  const void *radii = update->radii == NULL ? NULL : (const char *)state->there.given.data + given->radii;
  const bool differs = source->positions != positions || source->is_double != update->is_double ||
                       source->radii != radii || source->radii_are_double != update->radii_are_double;
  source->positions = positions;
  source->radii = radii;
  source->radii_are_double = update->radii_are_double;
  source->is_double = update->is_double;
  given->stream = update->stream;
  given->on_device = update->on_device;
  return differs;
}

static bool rules_are_alike(const object_rule *a, const object_rule *b) {
  return a->category == b->category && a->mask == b->mask && a->self == b->self && a->excludes == b->excludes &&
         a->part_of == b->part_of;
}

/* Whether a rule excludes pairs, between objects or within one, or depends on the objects of a pair. */
static bool rule_is_special(const object_rule *rule) {
  return rule->category != 1 || (rule->mask & 1u) == 0 || !rule->self || rule->excludes || rule->part_of != 0;
}

static graze_result upload_updates(device_scene *state, const scene_upload *scene) {
  row_upload sources = begin_sources(state);
  row_upload rules = {.memory = state->memory,
                      .buffer = &state->there.rules,
                      .rows = state->tables.rules,
                      .row_bytes = sizeof *state->tables.rules};
  for (size_t i = 0; i < scene->update_count; i++) {
    const object_update *update = &scene->updates[i];
    const size_t row = update->object;
    if (point_source(state, update)) add_rows(&sources, row, row + 1);
    if (rules_are_alike(&update->rule, &state->tables.rules[row])) continue;
    state->tables.special_rules -= rule_is_special(&state->tables.rules[row]) ? 1u : 0u;
    state->tables.special_rules += rule_is_special(&update->rule) ? 1u : 0u;
    state->tables.rules[row] = update->rule;
    add_rows(&rules, row, row + 1);
  }
  const graze_result result = end_rows(&sources);
  return result == GRAZE_OK ? end_rows(&rules) : result;
}

/* Uploads all excluded pairs if one changed: they change rarely, and a hash set has no order from which to select a
 * few. Lists of an earlier query are released if memory is short. */
static graze_result upload_excluded(device_scene *state, const scene_upload *scene) {
  object_tables *tables = &state->tables;
  if (tables->excluded_version == scene->excluded_version) return GRAZE_OK;
  tables->excluded_count = 0; /* until the upload is complete */
  const size_t count = (size_t)scene->excluded.count;
  if (count > 0) {
    const size_t bytes = count * sizeof *scene->excluded.keys;
    graze_result result = upload_all(state->memory, &state->there.excluded, scene->excluded.keys, bytes);
    if (result == GRAZE_OUT_OF_MEMORY && release_spares(state->memory))
      result = upload_all(state->memory, &state->there.excluded, scene->excluded.keys, bytes);
    if (result != GRAZE_OK) return result;
  }
  tables->excluded_count = count;
  tables->excluded_version = scene->excluded_version;
  return GRAZE_OK;
}

/* ---------------------------------------------------------------------------------------------- poses */

typedef struct row_range {
  size_t first, end;
} row_range;

static void include_row(row_range *range, size_t row) {
  if (range->first == range->end) range->first = row;
  range->end = row + 1;
}

/* The changes that a task found: poses, and sources of objects that got or lost a pose. */
typedef struct pose_block {
  row_range poses, sources;
} pose_block;

typedef struct pose_work {
  device_scene *state;
  const scene_upload *scene;
  pose_block *blocks; /* one per task */
} pose_work;

static void take_pose(const pose_work *work, size_t row, pose_block *block) {
  device_scene *state = work->state;
  const rigid_pose *there = state->there.poses.data;
  include_row(&block->poses, row);
  const rigid_pose *pose = work->scene->posed[row * work->scene->slot_stride] ? there + row : NULL;
  if (state->tables.sources[row].pose == pose) return;
  state->tables.sources[row].pose = pose;
  include_row(&block->sources, row);
}

static void pose_task(void *context, uint32_t task, uint32_t worker) {
  const pose_work *work = context;
  const scene_upload *scene = work->scene;
  const size_t first = (size_t)task * POSE_GRAIN, left = scene->object_count - first;
  const size_t end = first + (left < POSE_GRAIN ? left : (size_t)POSE_GRAIN);
  pose_block block = {{0, 0}, {0, 0}};
  (void)worker;
  for (size_t i = first; i < end; i++) {
    object_change *change = &scene->changes[i * scene->slot_stride];
    if (scene->objects == NULL && (*change & CHANGED_POSE) == 0) continue;
    *change &= (object_change)~CHANGED_POSE;
    take_pose(work, i, &block);
  }
  work->blocks[task] = block;
}

static graze_result send_poses(device_scene *state, const rigid_pose *rows, const pose_block *blocks, uint32_t count) {
  row_upload sources = begin_sources(state);
  row_upload poses = {
      .memory = state->memory, .buffer = &state->there.poses, .rows = rows, .row_bytes = sizeof *rows, .staged = true};
  for (uint32_t i = 0; i < count; i++) {
    add_rows(&poses, blocks[i].poses.first, blocks[i].poses.end);
    add_rows(&sources, blocks[i].sources.first, blocks[i].sources.end);
  }
  const graze_result result = end_rows(&poses);
  return result == GRAZE_OK ? end_rows(&sources) : result;
}

static graze_result upload_poses(device_scene *state, const scene_upload *scene) {
  if (scene->object_count == 0 || (scene->objects == NULL && !scene->poses_differ)) return GRAZE_OK;
  const uint32_t count = (uint32_t)((scene->object_count + POSE_GRAIN - 1) / POSE_GRAIN);
  pose_block *blocks = memory_allocate(state->memory->scratch, count, sizeof *blocks);
  if (blocks == NULL) return GRAZE_OUT_OF_MEMORY;
  pose_work work = {state, scene, blocks};
  workers_run(scene->workers, pose_task, &work, count);
  const graze_result result = send_poses(state, scene->poses, blocks, count);
  memory_release(state->memory->scratch, blocks, count, sizeof *blocks);
  return result;
}

/* ---------------------------------------------------------------------------------------------- all tables */

/* The addresses of elements are set already. */
static void fill_rows(device_scene *state, const scene_upload *scene) {
  state->tables.on_device_count = state->tables.special_rules = 0;
  for (size_t i = 0; i < scene->object_count; i++) {
    const object_upload *object = &scene->objects[i];
    object_source *source = &state->tables.sources[i];
    (void)point_source(state, &object->update);
    state->tables.on_device_count += object->update.on_device;
    source->first_vertex = object->source.first_vertex;
    source->first_primitive = object->source.first_primitive;
    source->corner_count = object->source.corner_count;
    source->kind = object->source.kind;
    source->shape = object->update.shape;
    state->tables.rules[i] = object->update.rule;
    state->tables.special_rules += rule_is_special(&object->update.rule) ? 1u : 0u;
  }
}

graze_result upload_tables(device_scene *state, const scene_upload *scene) {
  graze_result result = GRAZE_OK;
  if (scene->objects != NULL) {
    fill_rows(state, scene);
    result = upload(state->memory, &state->there.sources, 0, state->tables.sources,
                    scene->object_count * sizeof *state->tables.sources);
    if (result == GRAZE_OK)
      result = upload(state->memory, &state->there.rules, 0, state->tables.rules,
                      scene->object_count * sizeof *state->tables.rules);
  } else {
    result = upload_updates(state, scene);
  }
  if (result == GRAZE_OK) result = upload_excluded(state, scene);
  return result == GRAZE_OK ? upload_poses(state, scene) : result;
}
