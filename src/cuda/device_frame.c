/* The way of a frame on a device: what is uploaded when, which stage follows which, and how large the lists are.
 *
 * Lists are as long as the last frame needed, and a quarter more. Where that was too short, the counters say what would
 * have been enough, and the query is run again from its search on: nothing is ever dropped, and a scene that moves runs
 * each query once. */
#include "cuda/device_frame.h"

#include <string.h>

enum {
  FIRST_CANDIDATES = 2,  /* a primitive, before anything is known: room is dear, and a second run is not */
  LEAST_CAPACITY = 1024, /* of a list */
  GIVEN_ALIGNMENT = 16,  /* of an object's positions */
  LEAST_BUCKETS = 1024
};

#define LONGEST_LIST ((uint64_t)UINT32_MAX - 1)

void device_frame_init(device_frame *frame, memory *heap, const device_operations *operations) {
  memset(frame, 0, sizeof *frame);
  frame->operations = *operations;
  frame->heap = heap;
}

static void release_tables(device_frame *frame) {
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

void device_frame_release(device_frame *frame) {
  const device_operations *device = &frame->operations;
  for (int i = 0; i < BUFFER_COUNT; i++)
    device->release(device->context, frame->buffers[i].data, frame->buffers[i].bytes);
  release_tables(frame);
  device->close(device->context);
  memset(frame, 0, sizeof *frame);
}

/* Gives a buffer at least so many bytes; its content is lost where it grows. */
static graze_result size_buffer(device_frame *frame, device_buffer_name name, size_t bytes) {
  device_buffer *buffer = &frame->buffers[name];
  if (buffer->data != NULL && bytes <= buffer->bytes) return GRAZE_OK;
  const device_operations *device = &frame->operations;
  device->release(device->context, buffer->data, buffer->bytes);
  frame->bytes -= buffer->data != NULL ? buffer->bytes : 0;
  buffer->data = NULL;
  buffer->bytes = 0;
  if (bytes == 0) bytes = 1;
  const graze_result result = device->allocate(device->context, bytes, &buffer->data);
  if (result != GRAZE_OK) return result;
  buffer->bytes = bytes;
  frame->bytes += bytes;
  return GRAZE_OK;
}

static graze_result upload(device_frame *frame, device_buffer_name name, size_t offset, const void *from,
                           size_t bytes) {
  const device_operations *device = &frame->operations;
  if (bytes == 0) return GRAZE_OK;
  return device->upload(device->context, (char *)frame->buffers[name].data + offset, from, bytes);
}

/* A buffer of its own for the whole array. */
static graze_result upload_all(device_frame *frame, device_buffer_name name, const void *from, size_t bytes) {
  const graze_result result = size_buffer(frame, name, bytes);
  return result == GRAZE_OK ? upload(frame, name, 0, from, bytes) : result;
}

/* ---------------------------------------------------------------------------------------------- the scene's shape */

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
      frame->world_offset == NULL)
    return GRAZE_OUT_OF_MEMORY;
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

/* Bytes of an object's elements on the device: corners, where each begins, pieces, marks of repeated vertices. */
static size_t element_bytes(const frame_object *object) {
  const size_t words = object->corner_count + object->corner_first_count + object->piece_count;
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
    const void *corners = NULL, *corner_first = NULL, *pieces = NULL, *repeats = NULL;
    if (!frame->only_triangles) {
      result = upload_next(frame, object->source.corners, object->corner_count * sizeof(uint32_t), &offset, &corners);
      if (result == GRAZE_OK)
        result = upload_next(frame, object->source.corner_first, object->corner_first_count * sizeof(uint32_t), &offset,
                             &corner_first);
      if (result == GRAZE_OK)
        result = upload_next(frame, object->source.pieces, object->piece_count * sizeof(uint32_t), &offset, &pieces);
      if (result == GRAZE_OK)
        result = upload_next(frame, object->source.repeats, object->repeat_count, &offset, &repeats);
    }
    source->corners = corners;
    source->corner_first = corner_first;
    source->pieces = pieces;
    source->repeats = repeats;
    begin += element_bytes(object);
  }
  return result;
}

static graze_result upload_topology(device_frame *frame, const frame_scene *scene) {
  frame->only_triangles = true;
  frame->has_tetrahedra = false;
  for (size_t i = 0; i < scene->object_count; i++) {
    frame->only_triangles = frame->only_triangles && scene->objects[i].source.kind == GRAZE_KIND_TRIANGLE;
    frame->has_tetrahedra = frame->has_tetrahedra || scene->objects[i].source.kind == GRAZE_KIND_TETRAHEDRON;
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

/* ---------------------------------------------------------------------------------------------- the view */

static uint32_t bits_for(size_t count) {
  uint32_t bits = 1;
  while (bits < 32 && (UINT64_C(1) << bits) < count) bits++;
  return bits;
}

/* One to two buckets a primitive. */
static uint32_t buckets_for(size_t primitive_count) {
  uint32_t buckets = LEAST_BUCKETS;
  while (buckets < primitive_count && buckets < UINT32_C(1) << 31) buckets *= 2;
  return buckets;
}

static device_view view_of_scene(const device_frame *frame) {
  const device_buffer *buffers = frame->buffers;
  const size_t lanes = frame->operations.vertex_lanes;
  device_view view;
  memset(&view, 0, sizeof view); /* compared as bytes */
  view.vertex_count = (uint32_t)frame->vertex_count;
  view.vertex_lanes = (uint32_t)(frame->vertex_count < lanes ? frame->vertex_count : lanes);
  view.primitive_count = (uint32_t)frame->primitive_count;
  view.object_count = (uint32_t)frame->object_count;
  view.bucket_count = buckets_for(frame->primitive_count);
  view.key_bits = bits_for(frame->primitive_count);
  view.objects = buffers[BUFFER_OBJECTS].data;
  view.sources = buffers[BUFFER_SOURCES].data;
  view.rules = buffers[BUFFER_RULES].data;
  view.tags = buffers[BUFFER_TAGS].data;
  view.vertex_object = buffers[BUFFER_VERTEX_OBJECT].data;
  view.erased = frame->has_erased ? buffers[BUFFER_ERASED].data : NULL;
  view.extent = buffers[BUFFER_EXTENT].data;
  view.frame = buffers[BUFFER_FRAME].data;
  view.near_vertices = buffers[BUFFER_NEAR].data;
  view.only_triangles = frame->only_triangles ? 1 : 0;
  return view;
}

static device_view view_of_query(const device_frame *frame, const frame_query *query) {
  const device_buffer *buffers = frame->buffers;
  device_view view = view_of_scene(frame);
  view.totals = buffers[BUFFER_TOTALS].data;
  view.bucket_start = buffers[BUFFER_BUCKETS].data;
  view.bucket_of = buffers[BUFFER_BUCKET_OF].data;
  view.rank_of = buffers[BUFFER_RANK_OF].data;
  view.rows = buffers[BUFFER_ROWS].data;
  view.row_tags = buffers[BUFFER_ROW_TAGS].data;
  for (int i = 0; i < LIST_PAIRS; i++) view.list[i] = buffers[BUFFER_FIRST_LIST + i].data;
  for (int i = 0; i < LIST_COUNT; i++) view.list_capacity[i] = frame->capacity[i];
  view.keys = buffers[BUFFER_KEYS].data;
  view.sorted_keys = buffers[BUFFER_SORTED_KEYS].data;
  view.pairs = buffers[BUFFER_PAIRS].data;
  view.between = query->between ? 1 : 0;
  view.within = query->within ? 1 : 0;
  view.skip_neighbours = query->skip_neighbours ? 1 : 0;
  view.candidates_only = query->candidates_only ? 1 : 0;
  view.test = query->test;
  return view;
}

/* ---------------------------------------------------------------------------------------------- queueing */

/* Operations one after the other, as far as the first that fails. */
typedef struct stage_queue {
  const device_operations *device;
  const device_view *view;
  graze_result result;
} stage_queue;

static void queue_stage(stage_queue *queue, device_stage stage) {
  const device_view *v = queue->view;
  size_t bound = 0;
  switch (stage) {
#define STAGE_BOUND(name, count, most)                                                                                 \
  case STAGE_##name:                                                                                                   \
    bound = (size_t)(most);                                                                                            \
    break;
    DEVICE_STAGE_LIST(STAGE_BOUND)
#undef STAGE_BOUND
  case STAGE_COUNT:
    break;
  }
  if (queue->result == GRAZE_OK && bound > 0)
    queue->result = queue->device->run(queue->device->context, stage, bound, v);
}

static void queue_clear(stage_queue *queue, void *data, int byte, size_t bytes) {
  if (queue->result == GRAZE_OK && bytes > 0)
    queue->result = queue->device->clear(queue->device->context, data, byte, bytes);
}

static void queue_mark(stage_queue *queue, device_mark mark) {
  if (queue->result == GRAZE_OK) queue->result = queue->device->mark(queue->device->context, mark);
}

/* ---------------------------------------------------------------------------------------------- update */

static graze_result upload_scene(device_frame *frame, const frame_scene *scene) {
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

/* Positions on the device are read after what makes them. */
static graze_result wait_for_positions(device_frame *frame, const frame_scene *scene) {
  const device_operations *device = &frame->operations;
  graze_result result = GRAZE_OK;
  for (size_t i = 0; i < scene->object_count && result == GRAZE_OK; i++) {
    const frame_object *object = &scene->objects[i];
    const bool waited = i > 0 && scene->objects[i - 1].on_device && scene->objects[i - 1].stream == object->stream;
    if (object->on_device && !waited) result = device->wait_for(device->context, object->stream);
  }
  return result;
}

static void queue_update(stage_queue *queue, bool has_tetrahedra) {
  const device_view *v = queue->view;
  queue_mark(queue, MARK_UPDATE_BEGIN);
  queue_clear(queue, v->extent, 0, sizeof *v->extent);
  queue_stage(queue, STAGE_pose);
  queue_stage(queue, STAGE_frame);
  queue_stage(queue, STAGE_near);
  if (has_tetrahedra) queue_stage(queue, STAGE_volume);
  queue_mark(queue, MARK_UPDATE_END);
}

graze_result device_frame_update(device_frame *frame, const frame_scene *scene, bool *finite_out,
                                 double *milliseconds_out) {
  const device_operations *device = &frame->operations;
  *finite_out = true;
  *milliseconds_out = 0.0;
  memset(&frame->extent, 0, sizeof frame->extent);
  graze_result result = upload_scene(frame, scene);
  if (result == GRAZE_OK) result = size_buffer(frame, BUFFER_EXTENT, sizeof(device_extent));
  if (result == GRAZE_OK) result = size_buffer(frame, BUFFER_FRAME, sizeof(scene_frame));
  if (result == GRAZE_OK) result = size_buffer(frame, BUFFER_NEAR, frame->vertex_count * sizeof(near_vertex));
  if (result == GRAZE_OK) result = wait_for_positions(frame, scene);
  if (result != GRAZE_OK || frame->vertex_count == 0) return result;
  const device_view view = view_of_scene(frame);
  stage_queue queue = {device, &view, GRAZE_OK};
  if (!device->begin(device->context, SEQUENCE_UPDATE, &view, sizeof view)) queue_update(&queue, frame->has_tetrahedra);
  result = device->end(device->context);
  if (queue.result != GRAZE_OK) result = queue.result;
  if (result == GRAZE_OK) result = device->download(device->context, &frame->extent, view.extent, sizeof frame->extent);
  if (result != GRAZE_OK) return result;
  *finite_out = frame->extent.not_finite == 0;
  *milliseconds_out = device->milliseconds(device->context, MARK_UPDATE_BEGIN, MARK_UPDATE_END);
  return GRAZE_OK;
}

/* ---------------------------------------------------------------------------------------------- room for a query */

static size_t list_item_bytes(device_list list) {
  return list == LIST_PAIRS ? sizeof(uint64_t) : sizeof(index_pair);
}

/* Capacities before the first query, and lists that a query does not use. */
static void choose_capacities(device_frame *frame, const frame_query *query) {
  const size_t hint = frame->operations.first_capacity;
  const uint64_t primitives = frame->primitive_count;
  const uint64_t candidates = hint != 0 ? hint : FIRST_CANDIDATES * primitives + LEAST_CAPACITY;
  const uint64_t share[LIST_COUNT] = {1, 4, 16, 4, 4, 4}; /* of the candidates, each its part */
  const bool used[LIST_COUNT] = {true,
                                 !query->candidates_only,
                                 !query->candidates_only,
                                 !query->candidates_only && frame->has_tetrahedra,
                                 !query->candidates_only && !frame->only_triangles,
                                 true};
  for (int i = 0; i < LIST_COUNT; i++) {
    const uint64_t first = hint != 0 ? hint : candidates / share[i] + LEAST_CAPACITY;
    if (used[i] && frame->capacity[i] == 0) frame->capacity[i] = first < LONGEST_LIST ? first : LONGEST_LIST;
  }
}

static graze_result size_lists(device_frame *frame) {
  graze_result result = GRAZE_OK;
  for (int i = 0; i < LIST_COUNT && result == GRAZE_OK; i++)
    result = size_buffer(frame, (device_buffer_name)(BUFFER_FIRST_LIST + i),
                         frame->capacity[i] * list_item_bytes((device_list)i));
  if (result == GRAZE_OK)
    result = size_buffer(frame, BUFFER_SORTED_KEYS, frame->capacity[LIST_PAIRS] * sizeof(uint64_t));
  if (result == GRAZE_OK) result = size_buffer(frame, BUFFER_PAIRS, frame->capacity[LIST_PAIRS] * sizeof(graze_pair));
  const device_operations *device = &frame->operations;
  if (result == GRAZE_OK)
    result =
        device->reserve(device->context, (size_t)buckets_for(frame->primitive_count) + 1, frame->capacity[LIST_PAIRS]);
  return result;
}

static graze_result size_rows(device_frame *frame) {
  const size_t primitives = frame->primitive_count;
  graze_result result = size_buffer(frame, BUFFER_TOTALS, sizeof(device_totals));
  if (result == GRAZE_OK)
    result = size_buffer(frame, BUFFER_BUCKETS, ((size_t)buckets_for(primitives) + 1) * sizeof(uint32_t));
  if (result == GRAZE_OK) result = size_buffer(frame, BUFFER_BUCKET_OF, primitives * sizeof(uint32_t));
  if (result == GRAZE_OK) result = size_buffer(frame, BUFFER_RANK_OF, primitives * sizeof(uint32_t));
  if (result == GRAZE_OK) result = size_buffer(frame, BUFFER_ROWS, primitives * sizeof(device_row));
  if (result == GRAZE_OK) result = size_buffer(frame, BUFFER_ROW_TAGS, primitives * sizeof(primitive_tag));
  return result;
}

/* A quarter more than was needed, so that a scene that moves does not outgrow it at once. */
static uint64_t room_for(uint64_t needed) {
  const uint64_t room = needed + needed / 4 + LEAST_CAPACITY;
  return room < LONGEST_LIST ? room : LONGEST_LIST;
}

/* Makes room for what the counters ask for. When a list was cut short, those made from it have counted too little: they
 * grow in the same proportion, so that the next run is likely the last. */
static bool enlarge_lists(device_frame *frame, const device_totals *totals) {
  bool enlarged = false;
  double growth = 1.0;
  for (int i = 0; i < LIST_COUNT; i++) {
    const uint64_t count = totals->list[i], capacity = frame->capacity[i];
    const uint64_t expected = (uint64_t)((double)count * growth);
    if (count > capacity || (growth > 1.0 && expected > capacity)) frame->capacity[i] = room_for(expected);
    enlarged = enlarged || count > capacity;
    if (count > capacity && i == LIST_CANDIDATES) growth = (double)count / (double)capacity;
  }
  return enlarged;
}

static bool lists_too_long(const device_totals *totals) {
  for (int i = 0; i < LIST_COUNT; i++)
    if (totals->list[i] > LONGEST_LIST) return true;
  return false;
}

/* ---------------------------------------------------------------------------------------------- query */

/* Which objects can be in a pair at all: one that has no other and is not asked about itself cannot. */
static graze_result choose_objects(device_frame *frame, const frame_query *query) {
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

static void queue_rows(stage_queue *queue) {
  const device_view *v = queue->view;
  queue_mark(queue, MARK_BEGIN);
  queue_clear(queue, v->totals, 0, sizeof *v->totals);
  queue_clear(queue, v->bucket_start, 0, ((size_t)v->bucket_count + 1) * sizeof *v->bucket_start);
  queue_stage(queue, STAGE_box);
  queue_mark(queue, MARK_BOXES);
  if (queue->result == GRAZE_OK)
    queue->result = queue->device->scan(queue->device->context, v->bucket_start, (size_t)v->bucket_count + 1);
  queue_stage(queue, STAGE_row);
  queue_mark(queue, MARK_BUILT);
}

static void queue_tests(stage_queue *queue) {
  const device_view *v = queue->view;
  queue_clear(queue, v->keys, 0xff, v->list_capacity[LIST_PAIRS] * sizeof *v->keys);
  if (v->candidates_only != 0) {
    queue_stage(queue, STAGE_box_pair);
    return;
  }
  queue_stage(queue, STAGE_filter);
  queue_stage(queue, STAGE_exact);
  queue_stage(queue, STAGE_wide);
  queue_stage(queue, STAGE_tetrahedra);
  queue_stage(queue, STAGE_others);
}

static void queue_search(stage_queue *queue) {
  const device_view *v = queue->view;
  queue_stage(queue, STAGE_search);
  queue_mark(queue, MARK_SEARCHED);
  queue_tests(queue);
  queue_mark(queue, MARK_TESTED);
  /* Free places hold the highest key and stay behind the pairs. */
  if (queue->result == GRAZE_OK)
    queue->result = queue->device->sort(queue->device->context, v->keys, v->sorted_keys, v->list_capacity[LIST_PAIRS],
                                        2 * v->key_bits);
  queue_stage(queue, STAGE_unpack);
  queue_mark(queue, MARK_ORDERED);
}

/* The lists are empty again; the grid stays. */
static void queue_again(stage_queue *queue) {
  const device_view *v = queue->view;
  queue_clear(queue, v->totals->list, 0, sizeof v->totals->list);
  queue_clear(queue, v->totals->tally, 0, sizeof v->totals->tally);
  queue_search(queue);
}

static graze_result run_query(device_frame *frame, const frame_query *query, bool again, device_totals *totals_out) {
  const device_operations *device = &frame->operations;
  graze_result result = size_lists(frame);
  if (result != GRAZE_OK) return result;
  const device_view view = view_of_query(frame, query);
  stage_queue queue = {device, &view, GRAZE_OK};
  if (again) {
    queue_again(&queue);
  } else {
    if (!device->begin(device->context, SEQUENCE_QUERY, &view, sizeof view)) {
      queue_rows(&queue);
      queue_search(&queue);
    }
    result = device->end(device->context);
  }
  if (queue.result != GRAZE_OK) result = queue.result;
  return result == GRAZE_OK ? device->download(device->context, totals_out, view.totals, sizeof *totals_out) : result;
}

static uint64_t tally_sum(const device_totals *totals, device_tally_name name) {
  uint64_t sum = 0;
  for (int i = 0; i < TALLY_SLOTS; i++) sum += totals->tally[name][i];
  return sum;
}

static uint64_t bit_count(uint32_t bits) {
  uint64_t count = 0;
  for (; bits != 0; bits &= bits - 1) count++;
  return count;
}

static graze_counters counters_of(const device_totals *totals, const frame_query *query) {
  const uint64_t *list = totals->list;
  const uint64_t candidates = list[LIST_CANDIDATES], by_number = tally_sum(totals, TALLY_BY_NUMBER);
  const uint64_t exact = tally_sum(totals, TALLY_EXACT), wide = tally_sum(totals, TALLY_WIDE);
  const uint64_t double_late = tally_sum(totals, TALLY_DOUBLE), late = exact + wide + double_late;
  /* Triangles that the double filter alone has decided: undecided ones came from it, or were neighbours. */
  const uint64_t double_early = list[LIST_TRIANGLES] + tally_sum(totals, TALLY_HINGED) - list[LIST_UNDECIDED];
  graze_counters counters = {.searched = totals->row_count,
                             .levels = bit_count(totals->level_mask),
                             .box_tests = tally_sum(totals, TALLY_BOX_TESTS),
                             .candidates = candidates,
                             .neighbours = tally_sum(totals, TALLY_NEIGHBOURS),
                             .float_decided = candidates - by_number - double_early - late,
                             .double_decided = double_early + double_late,
                             .exact_decided = exact,
                             .wide_decided = wide,
                             .pairs = list[LIST_PAIRS]};
  if (query->candidates_only) {
    counters.float_decided = counters.exact_decided = counters.wide_decided = 0;
    counters.double_decided = candidates;
  }
  return counters;
}

static graze_timings timings_of(const device_operations *device) {
  void *context = device->context;
  return (graze_timings){.bounds_ms = device->milliseconds(context, MARK_BEGIN, MARK_BOXES),
                         .build_ms = device->milliseconds(context, MARK_BOXES, MARK_BUILT),
                         .search_ms = device->milliseconds(context, MARK_BUILT, MARK_SEARCHED),
                         .test_ms = device->milliseconds(context, MARK_SEARCHED, MARK_TESTED),
                         .order_ms = device->milliseconds(context, MARK_TESTED, MARK_ORDERED)};
}

graze_result device_frame_find(device_frame *frame, const frame_query *query, frame_answer *answer_out) {
  memset(answer_out, 0, sizeof *answer_out);
  if (frame->primitive_count == 0) return GRAZE_OK;
  choose_capacities(frame, query);
  device_totals totals;
  graze_result result = choose_objects(frame, query);
  if (result == GRAZE_OK) result = size_rows(frame);
  uint64_t reruns = 0;
  if (result == GRAZE_OK) result = run_query(frame, query, false, &totals);
  for (; result == GRAZE_OK && enlarge_lists(frame, &totals); reruns++) {
    if (lists_too_long(&totals)) return GRAZE_TOO_LARGE;
    result = run_query(frame, query, true, &totals);
  }
  if (result != GRAZE_OK) return result;
  answer_out->pair_count = totals.list[LIST_PAIRS];
  answer_out->device_pairs = frame->buffers[BUFFER_PAIRS].data;
  answer_out->counters = counters_of(&totals, query);
  answer_out->counters.reruns = reruns;
  answer_out->timings = timings_of(&frame->operations);
  return GRAZE_OK;
}

graze_result device_frame_fetch(device_frame *frame, const frame_answer *answer, size_t count, graze_pair *pairs_out) {
  const device_operations *device = &frame->operations;
  if (count == 0) return GRAZE_OK;
  return device->download(device->context, pairs_out, answer->device_pairs, count * sizeof *pairs_out);
}
