/* Uploads of a scene: see device_upload.h. */
#include "cuda/device_upload.h"

#include "cuda/device_memory.h"

#include <string.h>

enum { GIVEN_ALIGNMENT = 16 }; /* of an object's positions */

void release_tables(device_frame *frame) {
  memory *heap = frame->heap;
  memory_release(heap, frame->objects, frame->object_count, sizeof *frame->objects);
  memory_release(heap, frame->sources, frame->object_count, sizeof *frame->sources);
  memory_release(heap, frame->rules, frame->object_count, sizeof *frame->rules);
  memory_release(heap, frame->given_offset, frame->object_count + 1, sizeof *frame->given_offset);
  memory_release(heap, frame->world_offset, frame->object_count + 1, sizeof *frame->world_offset);
  frame->objects = NULL;
  frame->sources = NULL;
  frame->rules = NULL;
  frame->given_offset = frame->world_offset = NULL;
  frame->object_count = 0;
}

/* ---------------------------------------------------------------------------------------------- the scene's shape */

/* All of them or none: a later call takes what is there to be whole. */
static graze_result size_tables(device_frame *frame, size_t object_count) {
  if (frame->objects != NULL && frame->object_count == object_count) return GRAZE_OK;
  memory *heap = frame->heap;
  release_tables(frame);
  frame->object_count = object_count;
  frame->objects = memory_allocate(heap, object_count, sizeof *frame->objects);
  frame->sources = memory_allocate(heap, object_count, sizeof *frame->sources);
  frame->rules = memory_allocate(heap, object_count, sizeof *frame->rules);
  frame->given_offset = memory_allocate(heap, object_count + 1, sizeof *frame->given_offset);
  frame->world_offset = memory_allocate(heap, object_count + 1, sizeof *frame->world_offset);
  if (frame->objects == NULL || frame->sources == NULL || frame->rules == NULL || frame->given_offset == NULL ||
      frame->world_offset == NULL) {
    release_tables(frame);
    return GRAZE_OUT_OF_MEMORY;
  }
  memset(frame->objects, 0, object_count * sizeof *frame->objects);
  memset(frame->sources, 0, object_count * sizeof *frame->sources);
  memset(frame->rules, 0, object_count * sizeof *frame->rules);
  memset(frame->given_offset, 0, (object_count + 1) * sizeof *frame->given_offset);
  memset(frame->world_offset, 0, (object_count + 1) * sizeof *frame->world_offset);
  return GRAZE_OK;
}

static graze_result upload_vertex_objects(device_frame *frame, const frame_scene *scene) {
  uint32_t *object_of = memory_allocate(frame->heap, scene->vertex_count, sizeof *object_of);
  if (object_of == NULL) return GRAZE_OUT_OF_MEMORY;
  for (size_t i = 0; i < scene->object_count; i++)
    for (size_t j = 0; j < scene->objects[i].vertex_count; j++)
      object_of[scene->objects[i].source.first_vertex + j] = (uint32_t)i;
  const graze_result result =
      upload_all(frame, BUFFER_VERTEX_OBJECT, object_of, scene->vertex_count * sizeof *object_of);
  memory_release(frame->heap, object_of, scene->vertex_count, sizeof *object_of);
  return result;
}

static graze_result upload_erased(device_frame *frame, const frame_scene *scene) {
  frame->has_erased = false;
  for (size_t i = 0; i < scene->object_count; i++)
    frame->has_erased = frame->has_erased || scene->objects[i].erased_count > 0;
  if (!frame->has_erased) return GRAZE_OK;
  const device_operations *device = &frame->operations;
  graze_result result = size_buffer(frame, BUFFER_ERASED, scene->primitive_count);
  if (result == GRAZE_OK)
    result = device->clear(device->context, frame->buffers[BUFFER_ERASED].data, 0, scene->primitive_count);
  for (size_t i = 0; i < scene->object_count && result == GRAZE_OK; i++)
    result = upload(frame, BUFFER_ERASED, scene->objects[i].source.first_primitive, scene->objects[i].erased,
                    scene->objects[i].erased_count);
  return result;
}

/* Bytes of an object's elements on the device: corners, pieces, where those of each begin, marks of repeated vertices.
 */
static size_t element_bytes(const frame_object *object) {
  const size_t words =
      object->corner_count + object->corner_first_count + object->piece_count + object->piece_first_count;
  return (words * sizeof(uint32_t) + object->repeat_count + sizeof(uint32_t) - 1) / sizeof(uint32_t) * sizeof(uint32_t);
}

/* Triangles alone need no elements: their corners are in the tags. */
static graze_result size_elements(device_frame *frame, const frame_scene *scene) {
  size_t bytes = 0;
  for (size_t i = 0; i < scene->object_count; i++) bytes += element_bytes(&scene->objects[i]);
  return size_buffer(frame, BUFFER_ELEMENTS, frame->only_triangles ? 0 : bytes);
}

/* Uploads one array behind the last and says where it is. */
static graze_result upload_next(device_frame *frame, const void *from, size_t bytes, size_t *offset,
                                const void **place_out) {
  *place_out = NULL;
  if (bytes == 0) return GRAZE_OK;
  *place_out = (const char *)frame->buffers[BUFFER_ELEMENTS].data + *offset;
  const graze_result result = upload(frame, BUFFER_ELEMENTS, *offset, from, bytes);
  *offset += bytes;
  return result;
}

static graze_result upload_elements(device_frame *frame, const frame_scene *scene) {
  graze_result result = size_elements(frame, scene);
  size_t begin = 0;
  for (size_t i = 0; i < scene->object_count && result == GRAZE_OK; i++) {
    const frame_object *object = &scene->objects[i];
    object_source *source = &frame->sources[i];
    size_t offset = begin;
    const void *corners = NULL, *corner_first = NULL, *pieces = NULL, *piece_first = NULL, *repeats = NULL;
    if (!frame->only_triangles) {
      result = upload_next(frame, object->source.corners, object->corner_count * sizeof(uint32_t), &offset, &corners);
      if (result == GRAZE_OK)
        result = upload_next(frame, object->source.corner_first, object->corner_first_count * sizeof(uint32_t), &offset,
                             &corner_first);
      if (result == GRAZE_OK)
        result = upload_next(frame, object->source.pieces, object->piece_count * sizeof(uint32_t), &offset, &pieces);
      if (result == GRAZE_OK)
        result = upload_next(frame, object->source.piece_first, object->piece_first_count * sizeof(uint32_t), &offset,
                             &piece_first);
      if (result == GRAZE_OK)
        result = upload_next(frame, object->source.repeats, object->repeat_count, &offset, &repeats);
    }
    source->corners = corners;
    source->corner_first = corner_first;
    source->pieces = pieces;
    source->piece_first = piece_first;
    source->repeats = repeats;
    begin += element_bytes(object);
  }
  return result;
}

static graze_result upload_topology(device_frame *frame, const frame_scene *scene) {
  frame->only_triangles = frame->only_tetrahedra = true;
  frame->sorts_pairs = false;
  frame->has_tetrahedra = false;
  for (size_t i = 0; i < scene->object_count; i++) {
    if (scene->objects[i].primitive_count == 0) continue; /* an object that was removed has no kind */
    const graze_kind kind = scene->objects[i].source.kind;
    frame->only_triangles = frame->only_triangles && kind == GRAZE_KIND_TRIANGLE;
    frame->only_tetrahedra = frame->only_tetrahedra && kind == GRAZE_KIND_TETRAHEDRON;
    frame->has_tetrahedra = frame->has_tetrahedra || kind == GRAZE_KIND_TETRAHEDRON;
  }
  frame->vertex_count = scene->vertex_count;
  frame->primitive_count = scene->primitive_count;
  graze_result result = upload_all(frame, BUFFER_TAGS, scene->tags, scene->primitive_count * sizeof *scene->tags);
  if (result == GRAZE_OK) result = upload_vertex_objects(frame, scene);
  if (result == GRAZE_OK) result = upload_erased(frame, scene);
  if (result == GRAZE_OK) result = upload_elements(frame, scene);
  return result;
}

/* ---------------------------------------------------------------------------------------------- positions and poses */

static size_t position_bytes(const frame_object *object) {
  return object->vertex_count * 3 * (object->is_double ? sizeof(double) : sizeof(float));
}

/* Where each object's positions lie. True where that is not as it was: then all are uploaded again. */
static bool lay_out_positions(device_frame *frame, const frame_scene *scene) {
  bool differs = !frame->uploaded;
  size_t given = 0, world = 0;
  for (size_t i = 0; i <= scene->object_count; i++) {
    differs = differs || frame->given_offset[i] != given || frame->world_offset[i] != world;
    frame->given_offset[i] = given;
    frame->world_offset[i] = world;
    if (i == scene->object_count) break;
    const frame_object *object = &scene->objects[i];
    if (!object->on_device) given += (position_bytes(object) + GIVEN_ALIGNMENT - 1) / GIVEN_ALIGNMENT * GIVEN_ALIGNMENT;
    if (object->posed) world += object->vertex_count * 3 * sizeof(double);
  }
  return differs;
}

static graze_result upload_positions(device_frame *frame, const frame_scene *scene, bool all) {
  graze_result result = size_buffer(frame, BUFFER_GIVEN, frame->given_offset[scene->object_count]);
  if (result == GRAZE_OK) result = size_buffer(frame, BUFFER_WORLD, frame->world_offset[scene->object_count]);
  for (size_t i = 0; i < scene->object_count && result == GRAZE_OK; i++) {
    const frame_object *object = &scene->objects[i];
    if (!object->on_device && (all || object->moved))
      result = upload(frame, BUFFER_GIVEN, frame->given_offset[i], object->positions, position_bytes(object));
  }
  return result;
}

static device_object device_object_of(const device_frame *frame, const frame_scene *scene, size_t index) {
  const frame_object *object = &scene->objects[index];
  device_object result;
  memset(&result, 0, sizeof result); /* compared as bytes */
  result.given = object->on_device ? object->positions
                                   : (const char *)frame->buffers[BUFFER_GIVEN].data + frame->given_offset[index];
  if (object->posed) {
    result.world = (double *)(void *)((char *)frame->buffers[BUFFER_WORLD].data + frame->world_offset[index]);
    memcpy(result.rotation, object->rotation, sizeof result.rotation);
    memcpy(result.translation, object->translation, sizeof result.translation);
  }
  result.first_vertex = object->source.first_vertex;
  result.given_is_double = object->is_double ? 1 : 0;
  result.takes_part = frame->objects[index].takes_part; /* as the last query chose */
  return result;
}

/* The tables of objects, uploaded where they differ from the last ones. */
static graze_result upload_tables(device_frame *frame, const frame_scene *scene, bool all) {
  bool objects_differ = all, rules_differ = all;
  for (size_t i = 0; i < scene->object_count; i++) {
    const device_object object = device_object_of(frame, scene, i);
    objects_differ = objects_differ || memcmp(&object, &frame->objects[i], sizeof object) != 0;
    frame->objects[i] = object;
    object_source *source = &frame->sources[i];
    source->positions = object.world != NULL ? (const void *)object.world : object.given;
    source->is_double = object.world != NULL || object.given_is_double != 0;
    source->first_vertex = scene->objects[i].source.first_vertex;
    source->first_primitive = scene->objects[i].source.first_primitive;
    source->kind = scene->objects[i].source.kind;
    const object_rule *rule = &scene->objects[i].rule;
    rules_differ = rules_differ || rule->category != frame->rules[i].category || rule->mask != frame->rules[i].mask ||
                   rule->self != frame->rules[i].self;
    frame->rules[i] = *rule;
  }
  graze_result result = GRAZE_OK;
  if (objects_differ)
    result = upload_all(frame, BUFFER_OBJECTS, frame->objects, scene->object_count * sizeof *frame->objects);
  if (objects_differ && result == GRAZE_OK)
    result = upload_all(frame, BUFFER_SOURCES, frame->sources, scene->object_count * sizeof *frame->sources);
  if (rules_differ && result == GRAZE_OK)
    result = upload_all(frame, BUFFER_RULES, frame->rules, scene->object_count * sizeof *frame->rules);
  return result;
}

graze_result upload_scene(device_frame *frame, const frame_scene *scene) {
  graze_result result = size_tables(frame, scene->object_count);
  const bool new_topology = scene->topology_changed || !frame->uploaded;
  const bool new_layout = result == GRAZE_OK && lay_out_positions(frame, scene);
  frame->uploaded = false; /* until all of it is */
  if (result == GRAZE_OK && new_topology) result = upload_topology(frame, scene);
  if (result == GRAZE_OK) result = upload_positions(frame, scene, new_topology || new_layout);
  if (result == GRAZE_OK) result = upload_tables(frame, scene, new_topology || new_layout);
  frame->uploaded = result == GRAZE_OK;
  return result;
}

graze_result choose_objects(device_frame *frame, const frame_query *query) {
  bool differs = false;
  for (size_t i = 0; i < frame->object_count; i++) {
    const uint32_t takes_part = (query->between && frame->object_count > 1) || (query->within && frame->rules[i].self);
    differs = differs || frame->objects[i].takes_part != takes_part;
    frame->objects[i].takes_part = takes_part;
  }
  if (!differs) return GRAZE_OK;
  const graze_result result =
      upload(frame, BUFFER_OBJECTS, 0, frame->objects, frame->object_count * sizeof *frame->objects);
  /* What the device has is then unknown: the next query uploads again. */
  for (size_t i = 0; i < frame->object_count && result != GRAZE_OK; i++) frame->objects[i].takes_part = UINT32_MAX;
  return result;
}
