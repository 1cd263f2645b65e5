/* Uploads of a scene: see device_upload.h. */
#include "cuda/device_upload.h"

#include "cuda/device_memory.h"

#include <string.h>

enum { GIVEN_ALIGNMENT = 16 }; /* of an object's positions */

void release_tables(device_state *state) {
  memory *heap = state->heap;
  memory_release(heap, state->objects, state->object_count, sizeof *state->objects);
  memory_release(heap, state->sources, state->object_count, sizeof *state->sources);
  memory_release(heap, state->rules, state->object_count, sizeof *state->rules);
  memory_release(heap, state->given_offset, state->object_count + 1, sizeof *state->given_offset);
  memory_release(heap, state->world_offset, state->object_count + 1, sizeof *state->world_offset);
  state->objects = NULL;
  state->sources = NULL;
  state->rules = NULL;
  state->given_offset = state->world_offset = NULL;
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
  state->world_offset = memory_allocate(heap, object_count + 1, sizeof *state->world_offset);
  if (state->objects == NULL || state->sources == NULL || state->rules == NULL || state->given_offset == NULL ||
      state->world_offset == NULL) {
    release_tables(state);
    return GRAZE_OUT_OF_MEMORY;
  }
  memset(state->objects, 0, object_count * sizeof *state->objects);
  memset(state->sources, 0, object_count * sizeof *state->sources);
  memset(state->rules, 0, object_count * sizeof *state->rules);
  memset(state->given_offset, 0, (object_count + 1) * sizeof *state->given_offset);
  memset(state->world_offset, 0, (object_count + 1) * sizeof *state->world_offset);
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
  for (size_t i = 0; i < scene->object_count && result == GRAZE_OK; i++)
    result = upload(state, BUFFER_ERASED, scene->objects[i].source.first_primitive, scene->objects[i].erased,
                    scene->objects[i].erased_count);
  return result;
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

/* Uploads one array behind the last and says where it is. */
static graze_result upload_next(device_state *state, const void *from, size_t bytes, size_t *offset,
                                const void **place_out) {
  *place_out = NULL;
  if (bytes == 0) return GRAZE_OK;
  *place_out = (const char *)state->buffers[BUFFER_ELEMENTS].data + *offset;
  const graze_result result = upload(state, BUFFER_ELEMENTS, *offset, from, bytes);
  *offset += bytes;
  return result;
}

static graze_result upload_elements(device_state *state, const scene_upload *scene) {
  graze_result result = size_elements(state, scene);
  size_t begin = 0;
  for (size_t i = 0; i < scene->object_count && result == GRAZE_OK; i++) {
    const object_upload *object = &scene->objects[i];
    object_source *source = &state->sources[i];
    size_t offset = begin;
    const void *corners = NULL, *corner_first = NULL, *triangulation = NULL, *triangulation_first = NULL,
               *repeats = NULL;
    if (!state->only_triangles) {
      result = upload_next(state, object->source.corners, object->corner_count * sizeof(uint32_t), &offset, &corners);
      if (result == GRAZE_OK)
        result = upload_next(state, object->source.corner_first, object->corner_first_count * sizeof(uint32_t), &offset,
                             &corner_first);
      if (result == GRAZE_OK)
        result = upload_next(state, object->source.triangulation, object->triangulation_count * sizeof(uint32_t),
                             &offset, &triangulation);
      if (result == GRAZE_OK)
        result = upload_next(state, object->source.triangulation_first,
                             object->triangulation_first_count * sizeof(uint32_t), &offset, &triangulation_first);
      if (result == GRAZE_OK)
        result = upload_next(state, object->source.repeats, object->repeat_count, &offset, &repeats);
    }
    source->corners = corners;
    source->corner_first = corner_first;
    source->triangulation = triangulation;
    source->triangulation_first = triangulation_first;
    source->repeats = repeats;
    begin += element_bytes(object);
  }
  return result;
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
  size_t given = 0, world = 0;
  for (size_t i = 0; i <= scene->object_count; i++) {
    differs = differs || state->given_offset[i] != given || state->world_offset[i] != world;
    state->given_offset[i] = given;
    state->world_offset[i] = world;
    if (i == scene->object_count) break;
    const object_upload *object = &scene->objects[i];
    if (!object->on_device) given += (position_bytes(object) + GIVEN_ALIGNMENT - 1) / GIVEN_ALIGNMENT * GIVEN_ALIGNMENT;
    if (object->posed) world += object->vertex_count * 3 * sizeof(double);
  }
  return differs;
}

static graze_result upload_positions(device_state *state, const scene_upload *scene, bool all) {
  graze_result result = size_buffer(state, BUFFER_GIVEN, state->given_offset[scene->object_count]);
  if (result == GRAZE_OK) result = size_buffer(state, BUFFER_WORLD, state->world_offset[scene->object_count]);
  for (size_t i = 0; i < scene->object_count && result == GRAZE_OK; i++) {
    const object_upload *object = &scene->objects[i];
    if (!object->on_device && (all || object->moved))
      result = upload(state, BUFFER_GIVEN, state->given_offset[i], object->positions, position_bytes(object));
  }
  return result;
}

static device_object device_object_of(const device_state *state, const scene_upload *scene, size_t index) {
  const object_upload *object = &scene->objects[index];
  device_object result;
  memset(&result, 0, sizeof result); /* compared as bytes */
  result.given = object->on_device ? object->positions
                                   : (const char *)state->buffers[BUFFER_GIVEN].data + state->given_offset[index];
  if (object->posed) {
    result.world = (double *)(void *)((char *)state->buffers[BUFFER_WORLD].data + state->world_offset[index]);
    memcpy(result.rotation, object->rotation, sizeof result.rotation);
    memcpy(result.translation, object->translation, sizeof result.translation);
  }
  result.first_vertex = object->source.first_vertex;
  result.given_is_double = object->is_double ? 1 : 0;
  result.public_object = object->public_object;
  result.public_primitive = object->public_primitive;
  result.primitive_count = (uint32_t)object->primitive_count;
  result.by_number = object->by_number;
  result.takes_part = state->objects[index].takes_part; /* as the last query chose */
  return result;
}

/* The tables of objects, uploaded where they differ from the last ones. */
static graze_result upload_tables(device_state *state, const scene_upload *scene, bool all) {
  bool objects_differ = all, rules_differ = all;
  for (size_t i = 0; i < scene->object_count; i++) {
    const device_object object = device_object_of(state, scene, i);
    objects_differ = objects_differ || memcmp(&object, &state->objects[i], sizeof object) != 0;
    state->objects[i] = object;
    object_source *source = &state->sources[i];
    source->positions = object.world != NULL ? (const void *)object.world : object.given;
    source->is_double = object.world != NULL || object.given_is_double != 0;
    source->first_vertex = scene->objects[i].source.first_vertex;
    source->first_primitive = scene->objects[i].source.first_primitive;
    source->corner_count = scene->objects[i].source.corner_count;
    source->kind = scene->objects[i].source.kind;
    const object_rule *rule = &scene->objects[i].rule;
    rules_differ = rules_differ || rule->category != state->rules[i].category || rule->mask != state->rules[i].mask ||
                   rule->self != state->rules[i].self;
    state->rules[i] = *rule;
  }
  graze_result result = GRAZE_OK;
  if (objects_differ)
    result = upload_all(state, BUFFER_OBJECTS, state->objects, scene->object_count * sizeof *state->objects);
  if (objects_differ && result == GRAZE_OK)
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
