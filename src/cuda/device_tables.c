/* Tables of objects: see device_tables.h.
 *
 * Poses change every frame, all of 10^5 or a few. The scene has them in memory that the device reads by itself, so that
 * runs of those that differ are copied from there, and no host waits for it before the update ends. Sources and rules
 * change seldom: where an object gets its first pose or loses it, where positions move on the device, where a filter is
 * set.
 *
 * What has changed is found by a look at one byte an object; nothing else here is done an object that has not. */
#include "cuda/device_tables.h"

#include "cuda/device_memory.h"
#include "cuda/upload_staging.h"

#include <string.h>

enum { POSE_GRAIN = 1024 };

const object_news *scene_news(const scene_upload *scene, size_t i) {
  return scene->objects != NULL ? &scene->objects[i].news : &scene->news[i];
}

size_t scene_news_count(const scene_upload *scene) {
  return scene->objects != NULL ? scene->object_count : scene->news_count;
}

/* ---------------------------------------------------------------------------------------------- room */

void release_tables(device_state *state) {
  memory *heap = state->memory.heap;
  memory_release(heap, state->sources, state->object_count, sizeof *state->sources);
  memory_release(heap, state->rules, state->object_count, sizeof *state->rules);
  memory_release(heap, state->given, state->object_count + 1, sizeof *state->given);
  state->sources = NULL;
  state->rules = NULL;
  state->given = NULL;
  state->object_count = 0;
}

static graze_result allocate_tables(device_state *state, size_t object_count) {
  memory *heap = state->memory.heap;
  state->object_count = object_count;
  state->sources = memory_allocate(heap, object_count, sizeof *state->sources);
  state->rules = memory_allocate(heap, object_count, sizeof *state->rules);
  state->given = memory_allocate(heap, object_count + 1, sizeof *state->given);
  if (state->sources == NULL || state->rules == NULL || state->given == NULL) return GRAZE_OUT_OF_MEMORY;
  memset(state->sources, 0, object_count * sizeof *state->sources);
  memset(state->rules, 0, object_count * sizeof *state->rules);
  memset(state->given, 0, (object_count + 1) * sizeof *state->given);
  return GRAZE_OK;
}

graze_result size_tables(device_state *state, size_t object_count) {
  graze_result result = GRAZE_OK;
  if (state->given == NULL || state->object_count != object_count) {
    release_tables(state);
    result = allocate_tables(state, object_count);
    if (result != GRAZE_OK) release_tables(state);
  }
  if (result == GRAZE_OK)
    result = size_buffer(&state->memory, &state->buffers[BUFFER_SOURCES], object_count * sizeof *state->sources);
  if (result == GRAZE_OK)
    result = size_buffer(&state->memory, &state->buffers[BUFFER_RULES], object_count * sizeof *state->rules);
  if (result == GRAZE_OK)
    result = size_buffer(&state->memory, &state->buffers[BUFFER_POSES], object_count * sizeof(rigid_pose));
  return result;
}

/* ---------------------------------------------------------------------------------------------- rows */

/* Rows of a table on their way: a run of those that differ, and the few between them that do not. */
typedef struct row_upload {
  device_memory *memory;
  const device_buffer *buffer;
  const void *rows; /* all of the table */
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

/* Rows from call to call ascend. So few bytes between two are cheaper than another copy. */
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

static row_upload begin_sources(device_state *state) {
  return (row_upload){.memory = &state->memory,
                      .buffer = &state->buffers[BUFFER_SOURCES],
                      .rows = state->sources,
                      .row_bytes = sizeof *state->sources};
}

/* ---------------------------------------------------------------------------------------------- positions, rules */

/* Where an object's positions are, now that they have a place; true where that is news. */
static bool point_source(device_state *state, const object_news *news) {
  object_source *source = &state->sources[news->object];
  given_place *given = &state->given[news->object];
  const void *positions =
      news->on_device ? news->positions : (const char *)state->buffers[BUFFER_GIVEN].data + given->offset;
  const void *radii = news->radii == NULL ? NULL : (const char *)state->buffers[BUFFER_GIVEN].data + given->radii;
  const bool differs = source->positions != positions || source->is_double != news->is_double ||
                       source->radii != radii || source->radii_are_double != news->radii_are_double;
  source->positions = positions;
  source->radii = radii;
  source->radii_are_double = news->radii_are_double;
  source->is_double = news->is_double;
  given->stream = news->stream;
  given->on_device = news->on_device;
  return differs;
}

static bool rules_are_alike(const object_rule *a, const object_rule *b) {
  return a->category == b->category && a->mask == b->mask && a->self == b->self;
}

/* Keeps some pairs back, between objects or within one. */
static bool rule_is_special(const object_rule *rule) {
  return rule->category != 1 || (rule->mask & 1u) == 0 || !rule->self;
}

static graze_result upload_news(device_state *state, const scene_upload *scene) {
  row_upload sources = begin_sources(state);
  row_upload rules = {.memory = &state->memory,
                      .buffer = &state->buffers[BUFFER_RULES],
                      .rows = state->rules,
                      .row_bytes = sizeof *state->rules};
  for (size_t i = 0; i < scene->news_count; i++) {
    const object_news *news = &scene->news[i];
    const size_t row = news->object;
    if (point_source(state, news)) add_rows(&sources, row, row + 1);
    if (rules_are_alike(&news->rule, &state->rules[row])) continue;
    state->special_rules -= rule_is_special(&state->rules[row]) ? 1u : 0u;
    state->special_rules += rule_is_special(&news->rule) ? 1u : 0u;
    state->rules[row] = news->rule;
    add_rows(&rules, row, row + 1);
  }
  const graze_result result = end_rows(&sources);
  return result == GRAZE_OK ? end_rows(&rules) : result;
}

/* ---------------------------------------------------------------------------------------------- poses */

typedef struct row_range {
  size_t first, end;
} row_range;

static void include_row(row_range *range, size_t row) {
  if (range->first == range->end) range->first = row;
  range->end = row + 1;
}

/* What a task has found to differ: poses, and sources of objects that have one now, or none any more. */
typedef struct pose_block {
  row_range poses, sources;
} pose_block;

typedef struct pose_work {
  device_state *state;
  const scene_upload *scene;
  pose_block *blocks; /* a task each */
} pose_work;

static void take_pose(const pose_work *work, size_t row, pose_block *block) {
  device_state *state = work->state;
  const rigid_pose *there = state->buffers[BUFFER_POSES].data;
  include_row(&block->poses, row);
  const rigid_pose *pose = work->scene->posed[row * work->scene->slot_stride] ? there + row : NULL;
  if (state->sources[row].pose == pose) return;
  state->sources[row].pose = pose;
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

static graze_result send_poses(device_state *state, const rigid_pose *rows, const pose_block *blocks, uint32_t count) {
  row_upload sources = begin_sources(state);
  row_upload poses = {.memory = &state->memory,
                      .buffer = &state->buffers[BUFFER_POSES],
                      .rows = rows,
                      .row_bytes = sizeof *rows,
                      .staged = true};
  for (uint32_t i = 0; i < count; i++) {
    add_rows(&poses, blocks[i].poses.first, blocks[i].poses.end);
    add_rows(&sources, blocks[i].sources.first, blocks[i].sources.end);
  }
  const graze_result result = end_rows(&poses);
  return result == GRAZE_OK ? end_rows(&sources) : result;
}

static graze_result upload_poses(device_state *state, const scene_upload *scene) {
  if (scene->object_count == 0 || (scene->objects == NULL && !scene->poses_differ)) return GRAZE_OK;
  const uint32_t count = (uint32_t)((scene->object_count + POSE_GRAIN - 1) / POSE_GRAIN);
  pose_block *blocks = memory_allocate(state->memory.scratch, count, sizeof *blocks);
  if (blocks == NULL) return GRAZE_OUT_OF_MEMORY;
  pose_work work = {state, scene, blocks};
  workers_run(scene->workers, pose_task, &work, count);
  const graze_result result = send_poses(state, scene->poses, blocks, count);
  memory_release(state->memory.scratch, blocks, count, sizeof *blocks);
  return result;
}

/* ---------------------------------------------------------------------------------------------- all */

/* Elements have been pointed at before. */
static void fill_rows(device_state *state, const scene_upload *scene) {
  state->on_device_count = state->special_rules = 0;
  for (size_t i = 0; i < scene->object_count; i++) {
    const object_upload *object = &scene->objects[i];
    object_source *source = &state->sources[i];
    (void)point_source(state, &object->news);
    state->on_device_count += object->news.on_device;
    source->first_vertex = object->source.first_vertex;
    source->first_primitive = object->source.first_primitive;
    source->corner_count = object->source.corner_count;
    source->kind = object->source.kind;
    state->rules[i] = object->news.rule;
    state->special_rules += rule_is_special(&object->news.rule) ? 1u : 0u;
  }
}

graze_result upload_tables(device_state *state, const scene_upload *scene) {
  graze_result result = GRAZE_OK;
  if (scene->objects != NULL) {
    fill_rows(state, scene);
    result = upload(&state->memory, &state->buffers[BUFFER_SOURCES], 0, state->sources,
                    scene->object_count * sizeof *state->sources);
    if (result == GRAZE_OK)
      result = upload(&state->memory, &state->buffers[BUFFER_RULES], 0, state->rules,
                      scene->object_count * sizeof *state->rules);
  } else {
    result = upload_news(state, scene);
  }
  return result == GRAZE_OK ? upload_poses(state, scene) : result;
}
