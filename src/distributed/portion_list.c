/* Assigns the primitives of a scene to parts; see portion_list.h.
 *
 * Workload: every primitive of a rank once a frame. Nearly all belong to one part, those at borders to two or a few,
 * and a primitive that extends through the scene to all. */
#include "distributed/portion_list.h"

#include "graze/inside/parts.h"

#include <stdlib.h>
#include <string.h>

enum { BOXES_AT_ONCE = 512, GROUP = 16 };

/* A primitive of the current object, and a part that gets it. */
typedef struct delivery {
  uint32_t part, primitive;
} delivery;

typedef struct collection {
  portion_list *list;
  memory *heap;
  const graze_scene *scene;
  const division *parts;
  const sent_objects *sent;
  double margin;
  uint32_t only;
  array deliveries;  /* delivery, of one object */
  uint32_t *reached; /* scratch for all parts, like `have`: */
  size_t *count_of;  /* one per part: the number of its deliveries of the object, then their destination; 0 between
                        objects */
  rank_failure *failure;
} collection;

void portion_list_init(portion_list *list) {
  array_init(&list->portions, sizeof(portion));
  array_init(&list->primitives, sizeof(uint32_t));
  array_init(&list->drops, sizeof(portion_place));
}

void portion_list_release(portion_list *list, memory *heap) {
  ARRAYS_RELEASE(heap, &list->portions, &list->primitives, &list->drops);
}

static bool deliver_to(collection *work, uint32_t part, uint32_t primitive) {
  const delivery one = {part, primitive};
  if (work->only != PORTIONS_OF_ALL && part != work->only) return true;
  return array_push(&work->deliveries, work->heap, &one);
}

static uint32_t reach_of(const collection *work, double box[6]) {
  widen_box(box, work->margin);
  const uint64_t lower = division_key(work->parts, box), upper = division_key(work->parts, box + 3);
  return division_reach(work->parts, lower, upper, work->reached);
}

static bool is_there(const double box[6]) {
  return box[0] <= box[3]; /* not removed */
}

static bool deliver_primitive(collection *work, double box[6], uint32_t primitive) {
  if (!is_there(box)) return true;
  const uint32_t count = reach_of(work, box);
  for (uint32_t i = 0; i < count; i++)
    if (!deliver_to(work, work->reached[i], primitive)) return false;
  return true;
}

/* Consecutive primitives are mostly close to each other: if their common box reaches only one part, so does each of
 * them. */
static bool deliver_group(collection *work, double (*boxes)[6], size_t count, uint32_t first) {
  double common[6] = {HUGE_VAL, HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  for (size_t i = 0; i < count; i++)
    for (int axis = 0; axis < 3; axis++) {
      if (boxes[i][axis] < common[axis]) common[axis] = boxes[i][axis];
      if (boxes[i][axis + 3] > common[axis + 3]) common[axis + 3] = boxes[i][axis + 3];
    }
  if (!is_there(common)) return true;
  const bool is_in_one = reach_of(work, common) == 1;
  const uint32_t part = work->reached[0];
  for (size_t i = 0; i < count; i++) {
    const uint32_t primitive = first + (uint32_t)i;
    if (is_in_one && !is_there(boxes[i])) continue;
    if (!(is_in_one ? deliver_to(work, part, primitive) : deliver_primitive(work, boxes[i], primitive))) return false;
  }
  return true;
}

static graze_result deliver_object(collection *work, graze_object object, size_t primitive_count) {
  double boxes[BOXES_AT_ONCE][6];
  work->deliveries.count = 0;
  for (size_t first = 0; first < primitive_count; first += BOXES_AT_ONCE) {
    const size_t left = primitive_count - first, count = left < BOXES_AT_ONCE ? left : BOXES_AT_ONCE;
    const graze_result result = graze_object_get_boxes(work->scene, object, first, count, boxes[0]);
    if (result != GRAZE_OK) return rank_failure_note(work->failure, result);
    for (size_t i = 0; i < count; i += GROUP) {
      const size_t some = count - i < GROUP ? count - i : GROUP;
      if (!deliver_group(work, boxes + i, some, (uint32_t)(first + i))) return rank_failure_say_memory(work->failure);
    }
  }
  return GRAZE_OK;
}

static int compare_parts(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* Writes the parts with deliveries to work->reached, ascending, and counts the deliveries of each. */
static uint32_t count_deliveries(collection *work) {
  const delivery *deliveries = work->deliveries.data;
  uint32_t part_count = 0;
  for (size_t i = 0; i < work->deliveries.count; i++)
    if (work->count_of[deliveries[i].part]++ == 0) work->reached[part_count++] = deliveries[i].part;
  qsort(work->reached, part_count, sizeof *work->reached, compare_parts);
  return part_count;
}

/* Appends the object's portions, and their lists ordered by part. */
static graze_result sort_deliveries(collection *work, graze_object object) {
  portion_list *list = work->list;
  const size_t first = list->primitives.count, count = work->deliveries.count;
  const delivery *deliveries = work->deliveries.data;
  if (!array_resize(&list->primitives, work->heap, first + count)) return rank_failure_say_memory(work->failure);
  const uint32_t part_count = count_deliveries(work);
  size_t at = first;
  bool has_room = true;
  for (uint32_t i = 0; i < part_count; i++) {
    const portion one = {object, work->reached[i], at, work->count_of[work->reached[i]], 0};
    has_room = has_room && array_push(&list->portions, work->heap, &one);
    work->count_of[one.part] = at;
    at += one.count;
  }
  for (size_t i = 0; has_room && i < count; i++)
    ARRAY_AS(uint32_t, &list->primitives)[work->count_of[deliveries[i].part]++] = deliveries[i].primitive;
  for (uint32_t i = 0; i < part_count; i++) work->count_of[work->reached[i]] = 0;
  return has_room ? GRAZE_OK : rank_failure_say_memory(work->failure);
}

graze_result portion_list_measure(portion_list *list, memory *heap, const graze_scene *scene, size_t first_portion,
                                  rank_failure *failure) {
  portion *portions = ARRAY_AS(portion, &list->portions) + first_portion;
  const size_t count = list->portions.count - first_portion;
  if (count == 0) return GRAZE_OK;
  size_t *starts = memory_allocate(heap, count + 1, sizeof *starts);
  size_t *bytes = memory_allocate(heap, count, sizeof *bytes);
  graze_result result = GRAZE_OUT_OF_MEMORY;
  if (starts != NULL && bytes != NULL) {
    for (size_t i = 0; i < count; i++) starts[i] = portions[i].first;
    starts[count] = portions[count - 1].first + portions[count - 1].count;
    result = graze_object_measure_parts(scene, portions[0].object, list->primitives.data, starts, count, bytes);
    if (result != GRAZE_OK) rank_failure_note(failure, result);
    for (size_t i = 0; result == GRAZE_OK && i < count; i++) portions[i].bytes = bytes[i];
  } else {
    rank_failure_say_memory(failure);
  }
  memory_release(heap, starts, count + 1, sizeof *starts);
  memory_release(heap, bytes, count, sizeof *bytes);
  return result;
}

static graze_result collect_objects(collection *work) {
  for (graze_object o = {0}; (o = graze_scene_next_object(work->scene, o)).generation != 0;) {
    if (work->sent != NULL && sent_objects_has(work->sent, work->scene, o.index)) continue;
    graze_object_info info = {0};
    graze_result result = graze_object_get_info(work->scene, o, &info);
    if (result != GRAZE_OK) return rank_failure_note(work->failure, result);
    const size_t first_portion = work->list->portions.count;
    result = deliver_object(work, o, info.primitive_count);
    if (result == GRAZE_OK) result = sort_deliveries(work, o);
    if (result == GRAZE_OK)
      result = portion_list_measure(work->list, work->heap, work->scene, first_portion, work->failure);
    if (result != GRAZE_OK) return result;
  }
  return GRAZE_OK;
}

graze_result portion_list_collect(portion_list *list, memory *heap, const graze_scene *scene, const division *parts,
                                  double clearance, uint32_t part, const sent_objects *sent_or_null,
                                  rank_failure *failure) {
  list->portions.count = list->primitives.count = list->drops.count = 0;
  collection work = {.list = list,
                     .heap = heap,
                     .scene = scene,
                     .parts = parts,
                     .sent = sent_or_null,
                     .margin = box_margin(clearance),
                     .only = part,
                     .failure = failure};
  array_init(&work.deliveries, sizeof(delivery));
  work.reached = memory_allocate(heap, parts->part_count, sizeof *work.reached);
  work.count_of = memory_allocate(heap, parts->part_count, sizeof *work.count_of);
  graze_result result = GRAZE_OUT_OF_MEMORY;
  if (work.reached != NULL && work.count_of != NULL) {
    memset(work.count_of, 0, parts->part_count * sizeof *work.count_of);
    result = collect_objects(&work);
  } else {
    rank_failure_say_memory(failure);
  }
  memory_release(heap, work.reached, parts->part_count, sizeof *work.reached);
  memory_release(heap, work.count_of, parts->part_count, sizeof *work.count_of);
  array_release(&work.deliveries, heap);
  return result;
}

/* ---------------------------------------------------------------------------------------------- bytes */

/* The header of each portion: the bytes of the part, and the object's index. A drop has no bytes. */
enum { HEAD_WORDS = 2, HEAD_BYTES = 8 * HEAD_WORDS };

size_t portion_bytes(const portion *one) {
  return HEAD_BYTES + one->bytes;
}

uint64_t portion_list_count_others(const portion_list *list, uint32_t part) {
  uint64_t count = 0;
  for (size_t i = 0; i < list->portions.count; i++) {
    const portion *one = &ARRAY_AS(portion, &list->portions)[i];
    count += one->part != part ? one->count : 0;
  }
  return count;
}

void portion_list_sum_bytes(const portion_list *list, uint64_t *part_bytes) {
  for (size_t i = 0; i < list->portions.count; i++) {
    const portion *one = &ARRAY_AS(portion, &list->portions)[i];
    part_bytes[one->part] += portion_bytes(one);
  }
  for (size_t i = 0; i < list->drops.count; i++)
    part_bytes[ARRAY_AS(portion_place, &list->drops)[i].part] += HEAD_BYTES;
}

/* The position of the next portion of each part, and the state of a call for one object. */
typedef struct portion_writing {
  unsigned char **next;
  size_t *starts;
  void **places;
  uint32_t part_count;
} portion_writing;

static bool writing_make(portion_writing *work, memory *heap, uint32_t part_count, void *const *blocks) {
  work->part_count = part_count;
  work->next = memory_allocate(heap, part_count, sizeof *work->next);
  work->starts = memory_allocate(heap, (size_t)part_count + 1, sizeof *work->starts);
  work->places = memory_allocate(heap, part_count, sizeof *work->places);
  if (work->next == NULL || work->starts == NULL || work->places == NULL) return false;
  for (uint32_t i = 0; i < part_count; i++) work->next[i] = blocks[i];
  return true;
}

static void writing_release(portion_writing *work, memory *heap) {
  memory_release(heap, work->next, work->part_count, sizeof *work->next);
  memory_release(heap, work->starts, (size_t)work->part_count + 1, sizeof *work->starts);
  memory_release(heap, work->places, work->part_count, sizeof *work->places);
}

/* Writes the portions of one object. */
static graze_result write_object(const portion_list *list, const graze_scene *scene, const portion *portions,
                                 size_t count, portion_writing *work) {
  for (size_t i = 0; i < count; i++) {
    const portion *one = &portions[i];
    const uint64_t head[HEAD_WORDS] = {one->bytes, one->object.index};
    memcpy(work->next[one->part], head, sizeof head);
    work->places[i] = work->next[one->part] + sizeof head;
    work->starts[i] = one->first;
    work->starts[i + 1] = one->first + one->count;
    work->next[one->part] += portion_bytes(one);
  }
  return graze_object_write_parts(scene, portions[0].object, list->primitives.data, work->starts, count, work->places);
}

graze_result portion_list_write(const portion_list *list, memory *heap, const graze_scene *scene, uint32_t part_count,
                                void *const *blocks, rank_failure *failure) {
  const portion *portions = list->portions.data;
  portion_writing work = {0};
  graze_result result = GRAZE_OK;
  if (!writing_make(&work, heap, part_count, blocks)) result = rank_failure_say_memory(failure);
  for (size_t first = 0, end; result == GRAZE_OK && first < list->portions.count; first = end) {
    for (end = first + 1; end < list->portions.count && portions[end].object.index == portions[first].object.index;)
      end++;
    result = rank_failure_note(failure, write_object(list, scene, portions + first, end - first, &work));
  }
  for (size_t i = 0; result == GRAZE_OK && i < list->drops.count; i++) {
    const portion_place *place = &ARRAY_AS(portion_place, &list->drops)[i];
    const uint64_t head[HEAD_WORDS] = {0, place->object};
    memcpy(work.next[place->part], head, sizeof head);
    work.next[place->part] += sizeof head;
  }
  writing_release(&work, heap);
  return result;
}

/* ---------------------------------------------------------------------------------------------- sent objects */

typedef struct sent_state {
  uint64_t stamp;
  uint32_t generation; /* 0: there was no object */
} sent_state;

void sent_objects_init(sent_objects *sent) {
  array_init(&sent->states, sizeof(sent_state));
}

void sent_objects_release(sent_objects *sent, memory *heap) {
  array_release(&sent->states, heap);
}

bool sent_objects_note(sent_objects *sent, memory *heap, const graze_scene *scene) {
  sent->states.count = 0;
  for (graze_object o = {0}; (o = graze_scene_next_object(scene, o)).generation != 0;) {
    const sent_state none = {0};
    while (sent->states.count <= o.index)
      if (!array_push(&sent->states, heap, &none)) return false;
    sent_state *state = &ARRAY_AS(sent_state, &sent->states)[o.index];
    state->generation = o.generation;
    if (graze_object_get_stamp(scene, o, &state->stamp) != GRAZE_OK) return false;
  }
  return true;
}

bool sent_objects_has(const sent_objects *sent, const graze_scene *scene, uint32_t index) {
  if (index >= sent->states.count) return false;
  const sent_state *state = &ARRAY_AS(sent_state, &sent->states)[index];
  const graze_object id = {index, state->generation};
  uint64_t stamp;
  return graze_object_is_valid(scene, id) && graze_object_get_stamp(scene, id, &stamp) == GRAZE_OK &&
         stamp == state->stamp;
}

/* ---------------------------------------------------------------------------------------------- sent portions */

void sent_portions_init(sent_portions *sent) {
  sent_objects_init(&sent->objects);
  sent_objects_init(&sent->next_objects);
  array_init(&sent->places, sizeof(portion_place));
  array_init(&sent->next_places, sizeof(portion_place));
}

void sent_portions_release(sent_portions *sent, memory *heap) {
  sent_objects_release(&sent->objects, heap);
  sent_objects_release(&sent->next_objects, heap);
  array_release(&sent->places, heap);
  array_release(&sent->next_places, heap);
}

void sent_portions_forget(sent_portions *sent) {
  sent->objects.states.count = sent->places.count = 0;
}

/* Compares the old places of one object with its new portions; both are in the order of parts. */
static bool compare_object(sent_portions *sent, memory *heap, portion_list *list, const portion_place *old,
                           size_t old_count, const portion *portions, size_t portion_count) {
  for (size_t i = 0, k = 0; i < old_count || k < portion_count;) {
    const bool is_new = i == old_count || (k < portion_count && portions[k].part <= old[i].part);
    if (!is_new) {
      if (!array_push(&list->drops, heap, &old[i++])) return false;
      continue;
    }
    if (i < old_count && old[i].part == portions[k].part) i++;
    const portion_place place = {portions[k].object.index, portions[k].part};
    if (!array_push(&sent->next_places, heap, &place)) return false;
    k++;
  }
  return true;
}

bool sent_portions_compare(sent_portions *sent, memory *heap, const graze_scene *scene, portion_list *list) {
  const portion_place *old = sent->places.data;
  const portion *portions = list->portions.data;
  const size_t old_end = sent->places.count, portion_end = list->portions.count;
  sent->next_places.count = list->drops.count = 0;
  if (!sent_objects_note(&sent->next_objects, heap, scene)) return false;
  for (size_t i = 0, k = 0, old_next, portion_next; i < old_end || k < portion_end; i = old_next, k = portion_next) {
    const bool old_first = i < old_end && (k == portion_end || old[i].object <= portions[k].object.index);
    const uint32_t object = old_first ? old[i].object : portions[k].object.index;
    for (old_next = i; old_next < old_end && old[old_next].object == object;) old_next++;
    for (portion_next = k; portion_next < portion_end && portions[portion_next].object.index == object;) portion_next++;
    const bool stays = portion_next == k && sent_objects_has(&sent->objects, scene, object);
    for (size_t n = i; stays && n < old_next; n++)
      if (!array_push(&sent->next_places, heap, &old[n])) return false;
    if (!stays && !compare_object(sent, heap, list, old + i, old_next - i, portions + k, portion_next - k))
      return false;
  }
  return true;
}

void sent_portions_commit(sent_portions *sent) {
  const sent_portions before = *sent;
  sent->objects = before.next_objects;
  sent->next_objects = before.objects;
  sent->places = before.next_places;
  sent->next_places = before.places;
}
