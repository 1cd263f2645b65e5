/* A scene on a device: its uploads.
 *
 * Poses change every frame, all of 10^5 or a few. The scene stores them in memory that the device reads directly, so
 * that runs of changed poses are copied from there, and the host does not wait for the copy before the update ends.
 * Sources and rules change rarely: when an object gets or loses a pose, positions move on the device, a filter is set,
 * or pairs of objects are excluded.
 *
 * A scan of one byte per object finds the changes; there is no other work for unchanged objects. */
#include "cuda/device_scene.h"

#include <assert.h>
#include <string.h>

enum {
  POSE_GRAIN = 1024,
  GIVEN_ALIGNMENT = 16 /* of an object's positions, and of its radii */
};

static const object_update *scene_object_update(const scene_upload *scene, size_t i) {
  return scene->objects != NULL ? &scene->objects[i].update : &scene->updates[i];
}

static size_t scene_update_count(const scene_upload *scene) {
  return scene->objects != NULL ? scene->object_count : scene->update_count;
}

/* ---------------------------------------------------------------------------------------------- memory */

static void release_tables(device_scene *state) {
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

static graze_result size_tables(device_scene *state, size_t object_count) {
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

static graze_result upload_tables(device_scene *state, const scene_upload *scene) {
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

/* ---------------------------------------------------------------------------------------------- elements */

static graze_result upload_vertex_objects(device_scene *state, const scene_upload *scene) {
  uint32_t *object_of = memory_allocate(state->memory->heap, scene->vertex_count, sizeof *object_of);
  if (object_of == NULL) return GRAZE_OUT_OF_MEMORY;
  for (size_t i = 0; i < scene->object_count; i++)
    for (size_t j = 0; j < scene->objects[i].update.vertex_count; j++)
      object_of[scene->objects[i].source.first_vertex + j] = (uint32_t)i;
  const graze_result result =
      upload_all(state->memory, &state->there.vertex_object, object_of, scene->vertex_count * sizeof *object_of);
  memory_release(state->memory->heap, object_of, scene->vertex_count, sizeof *object_of);
  return result;
}

static graze_result upload_numbers(device_scene *state, const scene_upload *scene) {
  device_object *objects = memory_allocate(state->memory->heap, scene->object_count, sizeof *objects);
  if (objects == NULL) return GRAZE_OUT_OF_MEMORY;
  for (size_t i = 0; i < scene->object_count; i++) {
    const object_upload *object = &scene->objects[i];
    objects[i] = (device_object){.public_object = object->public_object,
                                 .public_primitive = object->public_primitive,
                                 .primitive_count = (uint32_t)object->primitive_count,
                                 .by_number = object->by_number};
  }
  const graze_result result =
      upload_all(state->memory, &state->there.objects, objects, scene->object_count * sizeof *objects);
  memory_release(state->memory->heap, objects, scene->object_count, sizeof *objects);
  return result;
}

static graze_result upload_ranks(device_scene *state, const scene_upload *scene) {
  const size_t count = scene->primitive_count;
  scene_buffers *there = &state->there;
  state->has_ranks = scene->rank_keys != NULL;
  if (!state->has_ranks) return GRAZE_OK;
  graze_result result = upload_all(state->memory, &there->rank_keys, scene->rank_keys, count * sizeof(uint64_t));
  if (result == GRAZE_OK)
    result = upload_all(state->memory, &there->rank_primitives, scene->rank_primitives, count * sizeof(uint32_t));
  if (result == GRAZE_OK) result = upload_all(state->memory, &there->ranks, scene->ranks, count * sizeof(uint32_t));
  return result;
}

/* Uploads the vertex numbers of parts: the tables of objects with one number per vertex, in sequence. */
static graze_result upload_part_numbers(device_scene *state, const scene_upload *scene, part_vertices *rows) {
  size_t count = 0;
  for (size_t i = 0; i < scene->object_count; i++)
    count += scene->objects[i].vertex_numbers != NULL ? scene->objects[i].update.vertex_count : 0;
  const graze_result result = size_buffer(state->memory, &state->there.part_numbers, count * sizeof(uint32_t));
  if (result != GRAZE_OK) return result;
  upload_staging staging = staging_begin(state->memory, &state->staging, &state->there.part_numbers);
  size_t first = 0;
  for (size_t i = 0; i < scene->object_count; i++) {
    const object_upload *object = &scene->objects[i];
    const size_t numbers = object->vertex_numbers != NULL ? object->update.vertex_count : 0;
    rows[i] = (part_vertices){NULL, object->vertex_number};
    if (numbers == 0) continue;
    rows[i].numbers = (const uint32_t *)state->there.part_numbers.data + first;
    const graze_result added =
        staging_add(&staging, first * sizeof(uint32_t), object->vertex_numbers, numbers * sizeof(uint32_t));
    if (added != GRAZE_OK) return added;
    first += numbers;
  }
  return staging_end(&staging);
}

static graze_result upload_parts(device_scene *state, const scene_upload *scene) {
  state->has_parts = scene->has_parts;
  if (!scene->has_parts) return GRAZE_OK;
  part_vertices *rows = memory_allocate(state->memory->heap, scene->object_count, sizeof *rows);
  if (rows == NULL) return GRAZE_OUT_OF_MEMORY;
  graze_result result = upload_part_numbers(state, scene, rows);
  if (result == GRAZE_OK)
    result = upload_all(state->memory, &state->there.parts, rows, scene->object_count * sizeof *rows);
  memory_release(state->memory->heap, rows, scene->object_count, sizeof *rows);
  return result;
}

static graze_result upload_removed(device_scene *state, const scene_upload *scene) {
  state->has_removed = false;
  for (size_t i = 0; i < scene->object_count; i++)
    state->has_removed = state->has_removed || scene->objects[i].removed_count > 0;
  if (!state->has_removed) return GRAZE_OK;
  const device_operations *device = &state->memory->operations;
  graze_result result = size_buffer(state->memory, &state->there.removed, scene->primitive_count);
  if (result == GRAZE_OK) result = device->clear(device->context, state->there.removed.data, 0, scene->primitive_count);
  /* The memory between two objects with marks is unused, so it may be uploaded as zeros. */
  upload_staging staging = staging_begin(state->memory, &state->staging, &state->there.removed);
  for (size_t i = 0; i < scene->object_count && result == GRAZE_OK; i++)
    result = staging_add(&staging, scene->objects[i].source.first_primitive, scene->objects[i].removed,
                         scene->objects[i].removed_count);
  return result == GRAZE_OK ? staging_end(&staging) : result;
}

/* Bytes of an object's elements on the device: corners and pieces with the first of each, and marks of repeated
 * vertices. */
static size_t element_bytes(const object_upload *object) {
  const size_t words = object->corner_count + object->corner_first_count + object->triangulation_count +
                       object->triangulation_first_count;
  return (words * sizeof(uint32_t) + object->repeat_count + sizeof(uint32_t) - 1) / sizeof(uint32_t) * sizeof(uint32_t);
}

/* Whether an earlier object has the same positions and elements. */
static bool is_shared(const scene_upload *scene, size_t object) {
  return scene->objects[object].first_of_shape != object;
}

/* Triangles need no element memory if all primitives are triangles: their corners are in the headers. */
static graze_result size_elements(device_scene *state, const scene_upload *scene) {
  size_t bytes = 0;
  for (size_t i = 0; i < scene->object_count; i++) bytes += is_shared(scene, i) ? 0 : element_bytes(&scene->objects[i]);
  return size_buffer(state->memory, &state->there.elements, state->kinds.only_triangles ? 0 : bytes);
}

/* An upload of elements: arrays in sequence. */
typedef struct element_upload {
  upload_staging staging;
  size_t offset;
  graze_result result;
} element_upload;

/* Adds an array and returns its address on the device; NULL if it is empty. */
static const void *add_elements(element_upload *elements, const void *from, size_t bytes) {
  if (bytes == 0 || elements->result != GRAZE_OK) return NULL;
  const size_t offset = elements->offset;
  elements->result = staging_add(&elements->staging, offset, from, bytes);
  elements->offset += bytes;
  return (const char *)elements->staging.buffer->data + offset;
}

static const uint32_t *add_words(element_upload *elements, const uint32_t *from, size_t count) {
  return add_elements(elements, from, count * sizeof *from);
}

static void add_object_elements(element_upload *elements, const object_upload *object, object_source *source_out) {
  const size_t begin = elements->offset;
  source_out->corners = add_words(elements, object->source.corners, object->corner_count);
  source_out->corner_first = add_words(elements, object->source.corner_first, object->corner_first_count);
  source_out->triangulation = add_words(elements, object->source.triangulation, object->triangulation_count);
  source_out->triangulation_first =
      add_words(elements, object->source.triangulation_first, object->triangulation_first_count);
  source_out->repeats = add_elements(elements, object->source.repeats, object->repeat_count);
  elements->offset = begin + element_bytes(object);
}

static void share_elements(const object_source *from, object_source *source_out) {
  source_out->corners = from->corners;
  source_out->corner_first = from->corner_first;
  source_out->triangulation = from->triangulation;
  source_out->triangulation_first = from->triangulation_first;
  source_out->repeats = from->repeats;
}

static graze_result upload_elements(device_scene *state, const scene_upload *scene) {
  element_upload elements = {staging_begin(state->memory, &state->staging, &state->there.elements), 0,
                             size_elements(state, scene)};
  static const object_upload none = {0};
  object_source *sources = state->tables.sources;
  for (size_t i = 0; i < scene->object_count; i++) {
    if (is_shared(scene, i))
      share_elements(&sources[scene->objects[i].first_of_shape], &sources[i]);
    else
      add_object_elements(&elements, state->kinds.only_triangles ? &none : &scene->objects[i], &sources[i]);
  }
  return elements.result == GRAZE_OK ? staging_end(&elements.staging) : elements.result;
}

static graze_result upload_sample(device_scene *state, const scene_upload *scene) {
  uint32_t vertices[SAMPLE_MOST][3];
  state->sample_count = axis_sample_count(scene->primitive_count);
  for (size_t i = 0; i < state->sample_count; i++) {
    const primitive_header *header = &scene->headers[axis_sample_primitive(scene->primitive_count, i)];
    for (size_t corner = 0; corner < 3; corner++) vertices[i][corner] = header->corner[(i + corner) % 3];
  }
  return upload_all(state->memory, &state->there.sample, vertices, state->sample_count * sizeof *vertices);
}

static graze_result upload_topology(device_scene *state, const scene_upload *scene) {
  state->kinds.only_triangles = state->kinds.only_tetrahedra = true;
  memset(state->kinds.has_batch, 0, sizeof state->kinds.has_batch);
  state->kinds.has_surfaces = false;
  for (size_t i = 0; i < scene->object_count; i++) {
    if (scene->objects[i].primitive_count == 0) continue; /* a removed object has no kind */
    const kind_batch batch = kind_batch_of(scene->objects[i].source.kind);
    state->kinds.only_triangles = state->kinds.only_triangles && batch == BATCH_TRIANGLES;
    state->kinds.only_tetrahedra = state->kinds.only_tetrahedra && batch == BATCH_TETRAHEDRA;
    state->kinds.has_batch[batch] = true;
    state->kinds.has_surfaces = state->kinds.has_surfaces || !kind_is_solid(scene->objects[i].source.kind);
  }
  state->vertex_count = scene->vertex_count;
  state->primitive_count = scene->primitive_count;
  graze_result result =
      upload_all(state->memory, &state->there.headers, scene->headers, scene->primitive_count * sizeof *scene->headers);
  if (result == GRAZE_OK) result = upload_numbers(state, scene);
  if (result == GRAZE_OK) result = upload_ranks(state, scene);
  if (result == GRAZE_OK) result = upload_vertex_objects(state, scene);
  if (result == GRAZE_OK) result = upload_parts(state, scene);
  if (result == GRAZE_OK) result = upload_removed(state, scene);
  if (result == GRAZE_OK) result = upload_elements(state, scene);
  if (result == GRAZE_OK) result = upload_sample(state, scene);
  return result;
}

/* ---------------------------------------------------------------------------------------------- positions */

static size_t aligned(size_t bytes) {
  return (bytes + GIVEN_ALIGNMENT - 1) / GIVEN_ALIGNMENT * GIVEN_ALIGNMENT;
}

/* Only of those that are uploaded. */
static size_t position_bytes(const object_update *update) {
  return update->on_device ? 0 : update->vertex_count * 3 * (update->is_double ? sizeof(double) : sizeof(float));
}

static size_t radius_bytes(const object_update *update) {
  return update->radii == NULL ? 0 : update->vertex_count * (update->radii_are_double ? sizeof(double) : sizeof(float));
}

static size_t given_bytes(const object_update *update) {
  return aligned(position_bytes(update)) + aligned(radius_bytes(update));
}

/* Assigns the offset of each object's positions. */
static void lay_out_positions(device_scene *state, const scene_upload *scene) {
  size_t offset = 0;
  for (size_t i = 0; i < scene->object_count; i++) {
    const object_update *update = &scene->objects[i].update;
    given_place *given = &state->tables.given[i];
    given->is_shared = is_shared(scene, i);
    given->offset = given->is_shared ? state->tables.given[scene->objects[i].first_of_shape].offset : offset;
    given->radii = given->offset + aligned(position_bytes(update));
    if (!given->is_shared) offset += given_bytes(update);
  }
  state->tables.given[scene->object_count].offset = offset;
}

static graze_result add_given(upload_staging *staging, const given_place *given, const object_update *update) {
  const graze_result result = staging_add(staging, given->offset, update->positions, position_bytes(update));
  return result == GRAZE_OK ? staging_add(staging, given->radii, update->radii, radius_bytes(update)) : result;
}

/* Uploads moved objects, and small unmoved ones between them: a short gap is cheaper than another copy. */
static graze_result upload_positions(device_scene *state, const scene_upload *scene) {
  graze_result result =
      size_buffer(state->memory, &state->there.given, state->tables.given[scene->object_count].offset);
  upload_staging staging = staging_begin(state->memory, &state->staging, &state->there.given);
  size_t unmoved = 0; /* bytes of unmoved objects gathered since the last moved one */
  size_t next = 0;    /* the object after the last gathered one */
  for (size_t i = 0; i < scene_update_count(scene) && result == GRAZE_OK; i++) {
    const object_update *update = scene_object_update(scene, i);
    /* A gap would be uploaded as zeros. */
    if (update->object != next && staging.bytes > 0) result = staging_end(&staging);
    next = (size_t)update->object + 1;
    const given_place *given = &state->tables.given[update->object];
    const size_t bytes = given->is_shared ? 0 : given_bytes(update);
    if (bytes == 0 || result != GRAZE_OK) continue;
    const bool moved = scene->objects != NULL || update->moved;
    unmoved = moved ? 0 : unmoved + bytes;
    if (moved || (unmoved <= STAGING_GAP_MOST && staging_joins(&staging, given->offset, bytes)))
      result = add_given(&staging, given, update);
    else if (staging.bytes > 0)
      result = staging_end(&staging); /* otherwise the gap would be uploaded as zeros */
  }
  return result == GRAZE_OK ? staging_end(&staging) : result;
}

graze_result device_scene_upload(device_scene *state, const scene_upload *scene) {
  const bool all = scene->objects != NULL;
  graze_result result = all ? size_tables(state, scene->object_count) : GRAZE_OK;
  assert(all || state->uploaded);
  state->uploaded = false; /* until the upload is complete */
  if (result == GRAZE_OK && all) lay_out_positions(state, scene);
  if (result == GRAZE_OK && all) result = upload_topology(state, scene);
  if (result == GRAZE_OK) result = upload_positions(state, scene);
  if (result == GRAZE_OK) result = upload_tables(state, scene);
  state->uploaded = result == GRAZE_OK;
  return result;
}

/* ---------------------------------------------------------------------------------------------- a scene */

void device_scene_init(device_scene *state, device_memory *held) {
  memset(state, 0, sizeof *state);
  state->memory = held;
}

void device_scene_release(device_scene *state) {
  release_tables(state);
  staging_release(&state->staging, state->memory->heap);
}

bool device_scene_has_place(const device_scene *state, const object_update *update, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const size_t object = update[i].object;
    const object_source *source = &state->tables.sources[object];
    if (source->shape != update[i].shape) return false; /* other objects read its positions */
    if (state->tables.given[object].on_device != update[i].on_device) return false;
    if (!update[i].on_device && source->is_double != update[i].is_double) return false;
    if (update[i].radii != NULL && source->radii_are_double != update[i].radii_are_double) return false;
  }
  return true;
}

scene_arrays device_scene_view(const device_scene *state) {
  const scene_buffers *there = &state->there;
  scene_arrays view;
  memset(&view, 0, sizeof view); /* compared as bytes */
  view.vertex_count = (uint32_t)state->vertex_count;
  view.primitive_count = (uint32_t)state->primitive_count;
  view.object_count = (uint32_t)state->tables.count;
  view.only_triangles = state->kinds.only_triangles ? 1 : 0;
  view.only_tetrahedra = state->kinds.only_tetrahedra ? 1 : 0;
  view.objects = there->objects.data;
  view.sources = there->sources.data;
  view.rules = there->rules.data;
  view.parts = state->has_parts ? there->parts.data : NULL;
  if (state->tables.excluded_count > 0) {
    view.excluded.keys = there->excluded.data;
    view.excluded.count = state->tables.excluded_count;
  }
  view.headers = there->headers.data;
  view.removed = state->has_removed ? there->removed.data : NULL;
  if (state->has_ranks) {
    view.rank_keys = there->rank_keys.data;
    view.rank_primitives = there->rank_primitives.data;
    view.ranks = there->ranks.data;
  }
  view.extent = there->extent.data;
  view.normalization = there->normalization.data;
  view.rounded_vertices = there->rounded.data;
  if (state->slot_bits != 0) {
    view.map = there->map.data;
    view.slots = (float)(1u << state->slot_bits);
  }
  return view;
}
