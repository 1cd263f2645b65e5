/* Uploads of a scene: see device_upload.h. */
#include "cuda/device_upload.h"

#include "cuda/device_memory.h"
#include "cuda/upload_staging.h"

#include <stddef.h>
#include <string.h>

enum { GIVEN_ALIGNMENT = 16 }; /* of an object's positions */

void release_tables(device_state *state) {
  memory *heap = state->heap;
  memory_release(heap, state->objects, state->object_count, sizeof *state->objects);
  memory_release(heap, state->sources, state->object_count, sizeof *state->sources);
  memory_release(heap, state->rules, state->object_count, sizeof *state->rules);
  memory_release(heap, state->given_offset, state->object_count + 1, sizeof *state->given_offset);
  state->objects = NULL;
  state->sources = NULL;
  state->rules = NULL;
  state->given_offset = NULL;
  state->object_count = 0;
}

/* ---------------------------------------------------------------------------------------------- the scene's shape */

/* All of them or none: a later call takes what is there to be whole. */
static graze_result size_tables(device_state *state, size_t object_count) {
  if (state->objects != NULL && state->object_count == object_count) return GRAZE_OK;
  memory *heap = state->heap;
  release_tables(state);
  state->object_count = object_count;
  state->objects = memory_allocate(heap, object_count, sizeof *state->objects);
  state->sources = memory_allocate(heap, object_count, sizeof *state->sources);
  state->rules = memory_allocate(heap, object_count, sizeof *state->rules);
  state->given_offset = memory_allocate(heap, object_count + 1, sizeof *state->given_offset);
  if (state->objects == NULL || state->sources == NULL || state->rules == NULL || state->given_offset == NULL) {
    release_tables(state);
    return GRAZE_OUT_OF_MEMORY;
  }
  memset(state->objects, 0, object_count * sizeof *state->objects);
  memset(state->sources, 0, object_count * sizeof *state->sources);
  memset(state->rules, 0, object_count * sizeof *state->rules);
  memset(state->given_offset, 0, (object_count + 1) * sizeof *state->given_offset);
  return GRAZE_OK;
}

static graze_result upload_vertex_objects(device_state *state, const scene_upload *scene) {
  uint32_t *object_of = memory_allocate(state->heap, scene->vertex_count, sizeof *object_of);
  if (object_of == NULL) return GRAZE_OUT_OF_MEMORY;
  for (size_t i = 0; i < scene->object_count; i++)
    for (size_t j = 0; j < scene->objects[i].vertex_count; j++)
      object_of[scene->objects[i].source.first_vertex + j] = (uint32_t)i;
  const graze_result result =
      upload_all(state, BUFFER_VERTEX_OBJECT, object_of, scene->vertex_count * sizeof *object_of);
  memory_release(state->heap, object_of, scene->vertex_count, sizeof *object_of);
  return result;
}

static graze_result upload_erased(device_state *state, const scene_upload *scene) {
  state->has_erased = false;
  for (size_t i = 0; i < scene->object_count; i++)
    state->has_erased = state->has_erased || scene->objects[i].erased_count > 0;
  if (!state->has_erased) return GRAZE_OK;
  const device_operations *device = &state->operations;
  graze_result result = size_buffer(state, BUFFER_ERASED, scene->primitive_count);
  if (result == GRAZE_OK)
    result = device->clear(device->context, state->buffers[BUFFER_ERASED].data, 0, scene->primitive_count);
  /* What lies between two objects with marks has none: it may go along as zeros. */
  upload_staging staging = staging_begin(state, BUFFER_ERASED);
  for (size_t i = 0; i < scene->object_count && result == GRAZE_OK; i++)
    result = staging_add(&staging, scene->objects[i].source.first_primitive, scene->objects[i].erased,
                         scene->objects[i].erased_count);
  return result == GRAZE_OK ? staging_end(&staging) : result;
}

/* Bytes of an object's elements on the device: corners, pieces, where those of each begin, marks of repeated vertices.
 */
static size_t element_bytes(const object_upload *object) {
  const size_t words = object->corner_count + object->corner_first_count + object->triangulation_count +
                       object->triangulation_first_count;
  return (words * sizeof(uint32_t) + object->repeat_count + sizeof(uint32_t) - 1) / sizeof(uint32_t) * sizeof(uint32_t);
}

/* Triangles alone need no elements: their corners are in the headers. */
static graze_result size_elements(device_state *state, const scene_upload *scene) {
  size_t bytes = 0;
  for (size_t i = 0; i < scene->object_count; i++) bytes += element_bytes(&scene->objects[i]);
  return size_buffer(state, BUFFER_ELEMENTS, state->only_triangles ? 0 : bytes);
}

/* Elements on their way: each array behind the last. */
typedef struct element_upload {
  upload_staging staging;
  size_t offset;
  graze_result result;
} element_upload;

/* Adds one array and says where it will be; NULL where it is empty. */
static const void *add_elements(element_upload *elements, const void *from, size_t bytes) {
  if (bytes == 0 || elements->result != GRAZE_OK) return NULL;
  const size_t offset = elements->offset;
  elements->result = staging_add(&elements->staging, offset, from, bytes);
  elements->offset += bytes;
  return (const char *)elements->staging.state->buffers[BUFFER_ELEMENTS].data + offset;
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

static graze_result upload_elements(device_state *state, const scene_upload *scene) {
  element_upload elements = {staging_begin(state, BUFFER_ELEMENTS), 0, size_elements(state, scene)};
  static const object_upload none = {0};
  for (size_t i = 0; i < scene->object_count; i++)
    add_object_elements(&elements, state->only_triangles ? &none : &scene->objects[i], &state->sources[i]);
  return elements.result == GRAZE_OK ? staging_end(&elements.staging) : elements.result;
}

static graze_result upload_sample(device_state *state, const scene_upload *scene) {
  uint32_t vertices[SAMPLE_MOST];
  state->sample_count = axis_sample_count(scene->primitive_count);
  for (size_t i = 0; i < state->sample_count; i++)
    vertices[i] = axis_sample_corner(scene->headers, scene->primitive_count, i).vertex;
  return upload_all(state, BUFFER_SAMPLE, vertices, state->sample_count * sizeof *vertices);
}

static graze_result upload_topology(device_state *state, const scene_upload *scene) {
  state->only_triangles = state->only_tetrahedra = true;
  state->sorts_pairs = false;
  state->has_tetrahedra = false;
  for (size_t i = 0; i < scene->object_count; i++) {
    if (scene->objects[i].primitive_count == 0) continue; /* an object that was removed has no kind */
    const kind_batch batch = kind_batch_of(scene->objects[i].source.kind);
    state->only_triangles = state->only_triangles && batch == BATCH_TRIANGLES;
    state->only_tetrahedra = state->only_tetrahedra && batch == BATCH_TETRAHEDRA;
    state->has_tetrahedra = state->has_tetrahedra || batch == BATCH_TETRAHEDRA;
  }
  state->vertex_count = scene->vertex_count;
  state->primitive_count = scene->primitive_count;
  graze_result result =
      upload_all(state, BUFFER_HEADERS, scene->headers, scene->primitive_count * sizeof *scene->headers);
  if (result == GRAZE_OK) result = upload_vertex_objects(state, scene);
  if (result == GRAZE_OK) result = upload_erased(state, scene);
  if (result == GRAZE_OK) result = upload_elements(state, scene);
  if (result == GRAZE_OK) result = upload_sample(state, scene);
  return result;
}

/* ---------------------------------------------------------------------------------------------- positions and poses */

static size_t position_bytes(const object_upload *object) {
  return object->vertex_count * 3 * (object->is_double ? sizeof(double) : sizeof(float));
}

/* Where each object's positions lie. True where that is not as it was: then all are uploaded again. */
static bool lay_out_positions(device_state *state, const scene_upload *scene) {
  bool differs = !state->uploaded;
  size_t given = 0;
  for (size_t i = 0; i <= scene->object_count; i++) {
    differs = differs || state->given_offset[i] != given;
    state->given_offset[i] = given;
    if (i == scene->object_count) break;
    const object_upload *object = &scene->objects[i];
    if (!object->on_device) given += (position_bytes(object) + GIVEN_ALIGNMENT - 1) / GIVEN_ALIGNMENT * GIVEN_ALIGNMENT;
  }
  return differs;
}

/* Those that have moved, and the small ones between them that have not: so few bytes are cheaper than another copy. */
static graze_result upload_positions(device_state *state, const scene_upload *scene, bool all) {
  graze_result result = size_buffer(state, BUFFER_GIVEN, state->given_offset[scene->object_count]);
  upload_staging staging = staging_begin(state, BUFFER_GIVEN);
  size_t unmoved = 0; /* bytes of those gathered since the last that has moved */
  for (size_t i = 0; i < scene->object_count && result == GRAZE_OK; i++) {
    const object_upload *object = &scene->objects[i];
    if (object->on_device) continue;
    const size_t offset = state->given_offset[i], bytes = position_bytes(object);
    const bool moved = all || object->moved;
    unmoved = moved ? 0 : unmoved + bytes;
    if (moved || (unmoved <= STAGING_GAP_MOST && staging_joins(&staging, offset, bytes)))
      result = staging_add(&staging, offset, object->positions, bytes);
    else if (staging.bytes > 0)
      result = staging_end(&staging); /* else the gap would be sent as zeros */
  }
  return result == GRAZE_OK ? staging_end(&staging) : result;
}

static device_object device_object_of(const device_state *state, const scene_upload *scene, size_t index) {
  const object_upload *object = &scene->objects[index];
  device_object result;
  memset(&result, 0, sizeof result); /* compared as bytes */
  result.given = object->on_device ? object->positions
                                   : (const char *)state->buffers[BUFFER_GIVEN].data + state->given_offset[index];
  result.posed = object->pose != NULL ? 1 : 0;
  if (object->pose != NULL) result.pose = *object->pose;
  result.first_vertex = object->source.first_vertex;
  result.given_is_double = object->is_double ? 1 : 0;
  result.public_object = object->public_object;
  result.public_primitive = object->public_primitive;
  result.primitive_count = (uint32_t)object->primitive_count;
  result.by_number = object->by_number;
  result.takes_part = state->objects[index].takes_part; /* as the last query chose */
  return result;
}

/* Whether the source has changed; what else it holds changes with the topology alone. */
static bool point_source(const device_state *state, const object_upload *object, size_t index) {
  const device_object *there = (const device_object *)state->buffers[BUFFER_OBJECTS].data + index;
  const device_object *here = &state->objects[index];
  object_source *source = &state->sources[index];
  const rigid_pose *pose =
      here->posed != 0 ? (const rigid_pose *)((const char *)there + offsetof(device_object, pose)) : NULL;
  const bool differs =
      source->positions != here->given || source->pose != pose || source->is_double != (here->given_is_double != 0);
  source->positions = here->given;
  source->pose = pose;
  source->is_double = here->given_is_double != 0;
  source->first_vertex = object->source.first_vertex;
  source->first_primitive = object->source.first_primitive;
  source->corner_count = object->source.corner_count;
  source->kind = object->source.kind;
  return differs;
}

static bool rules_are_alike(const object_rule *a, const object_rule *b) {
  return a->category == b->category && a->mask == b->mask && a->self == b->self;
}

/* The tables of objects, uploaded where they differ from the last ones: a copy each. */
static graze_result upload_tables(device_state *state, const scene_upload *scene, bool all) {
  bool objects_differ = all, sources_differ = all, rules_differ = all;
  graze_result result = size_buffer(state, BUFFER_OBJECTS, scene->object_count * sizeof *state->objects);
  if (result != GRAZE_OK) return result;
  for (size_t i = 0; i < scene->object_count; i++) {
    const device_object object = device_object_of(state, scene, i);
    objects_differ = objects_differ || memcmp(&object, &state->objects[i], sizeof object) != 0;
    state->objects[i] = object;
    if (point_source(state, &scene->objects[i], i)) sources_differ = true;
    rules_differ = rules_differ || !rules_are_alike(&scene->objects[i].rule, &state->rules[i]);
    state->rules[i] = scene->objects[i].rule;
  }
  if (objects_differ)
    result = upload_all(state, BUFFER_OBJECTS, state->objects, scene->object_count * sizeof *state->objects);
  if (sources_differ && result == GRAZE_OK)
    result = upload_all(state, BUFFER_SOURCES, state->sources, scene->object_count * sizeof *state->sources);
  if (rules_differ && result == GRAZE_OK)
    result = upload_all(state, BUFFER_RULES, state->rules, scene->object_count * sizeof *state->rules);
  return result;
}

graze_result upload_scene(device_state *state, const scene_upload *scene) {
  graze_result result = size_tables(state, scene->object_count);
  const bool new_topology = scene->topology_changed || !state->uploaded;
  const bool new_layout = result == GRAZE_OK && lay_out_positions(state, scene);
  state->uploaded = false; /* until all of it is */
  if (result == GRAZE_OK && new_topology) result = upload_topology(state, scene);
  if (result == GRAZE_OK) result = upload_positions(state, scene, new_topology || new_layout);
  if (result == GRAZE_OK) result = upload_tables(state, scene, new_topology || new_layout);
  state->uploaded = result == GRAZE_OK;
  return result;
}

graze_result choose_objects(device_state *state, const device_query *query) {
  bool differs = false;
  for (size_t i = 0; i < state->object_count; i++) {
    const uint32_t takes_part = (query->between && state->object_count > 1) || (query->within && state->rules[i].self);
    differs = differs || state->objects[i].takes_part != takes_part;
    state->objects[i].takes_part = takes_part;
  }
  if (!differs) return GRAZE_OK;
  const graze_result result =
      upload(state, BUFFER_OBJECTS, 0, state->objects, state->object_count * sizeof *state->objects);
  /* What the device has is then unknown: the next query uploads again. */
  for (size_t i = 0; i < state->object_count && result != GRAZE_OK; i++) state->objects[i].takes_part = UINT32_MAX;
  return result;
}
