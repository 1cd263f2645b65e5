/* Uploads of a scene; see device_upload.h. */
#include "cuda/device_upload.h"

#include "cuda/device_memory.h"
#include "cuda/device_tables.h"

#include <assert.h>
#include <string.h>

enum { GIVEN_ALIGNMENT = 16 }; /* of an object's positions, and of its radii */

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

static graze_result upload_erased(device_scene *state, const scene_upload *scene) {
  state->has_erased = false;
  for (size_t i = 0; i < scene->object_count; i++)
    state->has_erased = state->has_erased || scene->objects[i].erased_count > 0;
  if (!state->has_erased) return GRAZE_OK;
  const device_operations *device = &state->memory->operations;
  graze_result result = size_buffer(state->memory, &state->there.erased, scene->primitive_count);
  if (result == GRAZE_OK) result = device->clear(device->context, state->there.erased.data, 0, scene->primitive_count);
  /* The memory between two objects with marks is unused, so it may be uploaded as zeros. */
  upload_staging staging = staging_begin(state->memory, &state->staging, &state->there.erased);
  for (size_t i = 0; i < scene->object_count && result == GRAZE_OK; i++)
    result = staging_add(&staging, scene->objects[i].source.first_primitive, scene->objects[i].erased,
                         scene->objects[i].erased_count);
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
  if (result == GRAZE_OK) result = upload_erased(state, scene);
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

graze_result upload_scene(device_scene *state, const scene_upload *scene) {
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
