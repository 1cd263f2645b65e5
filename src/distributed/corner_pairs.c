/* Corner pairs of a slab's regions; see corner_pairs.h. */
#include "distributed/corner_pairs.h"

#include "base/unique_sort.h"
#include "graze/inside/parts.h"

#include <stdlib.h>
#include <string.h>

enum { BOXES_AT_ONCE = 512 };

typedef struct corner_place {
  double place[3];
  uint64_t object; /* the global number */
} corner_place;

typedef struct joining {
  const graze_scene *scene;
  const division *parts;
  memory *heap;
  rank_failure *failure;
  array shared;  /* corner_place, sorted: corners of primitives in several parts */
  array side[2]; /* corner_place: the shared ones of the primitives of a pair */
  array room;    /* double, three per corner */
  array *corner_pairs;
} joining;

/* ---------------------------------------------------------------------------------------------- corners */

static int compare_coordinates(const double *a, const double *b) {
  for (int axis = 0; axis < 3; axis++)
    if (a[axis] != b[axis]) return a[axis] < b[axis] ? -1 : 1;
  return 0;
}

static int compare_places(const void *a, const void *b) {
  const corner_place *x = a, *y = b;
  if (x->object != y->object) return x->object < y->object ? -1 : 1;
  return compare_coordinates(x->place, y->place);
}

static graze_result fetch_corners(joining *work, graze_object object, uint32_t own, size_t *count_out) {
  for (;;) {
    const size_t capacity = work->room.count / 3;
    const graze_result result =
        graze_object_get_corners(work->scene, object, own, capacity, work->room.data, count_out);
    if (result != GRAZE_OK) return rank_failure_note(work->failure, result);
    if (*count_out <= capacity) return GRAZE_OK;
    if (!array_resize(&work->room, work->heap, 3 * *count_out)) return rank_failure_say_memory(work->failure);
  }
}

/* Appends the places of a primitive's corners. Negative zero becomes zero. */
static graze_result add_places(joining *work, graze_object object, uint32_t own, array *to) {
  graze_object_info info = {0};
  size_t count = 0;
  graze_result result = graze_object_get_info(work->scene, object, &info);
  if (result != GRAZE_OK) return rank_failure_note(work->failure, result);
  result = fetch_corners(work, object, own, &count);
  for (size_t i = 0; i < count && result == GRAZE_OK; i++) {
    const double *corner = ARRAY_AS(double, &work->room) + 3 * i;
    const corner_place one = {{corner[0] + 0.0, corner[1] + 0.0, corner[2] + 0.0}, info.global_object};
    if (!array_push(to, work->heap, &one)) result = rank_failure_say_memory(work->failure);
  }
  return result;
}

/* On the curve, the cells of a box are between those of its corners: the box is in one part if these are. */
static bool is_in_several(const joining *work, const double box[6]) {
  if (!(box[0] <= box[3])) return false; /* removed */
  return division_owner(work->parts, division_key(work->parts, box)) !=
         division_owner(work->parts, division_key(work->parts, box + 3));
}

static graze_result list_shared_of(joining *work, graze_object object) {
  double boxes[BOXES_AT_ONCE][6];
  graze_object_info info = {0};
  graze_result result = rank_failure_note(work->failure, graze_object_get_info(work->scene, object, &info));
  for (size_t first = 0; first < info.primitive_count && result == GRAZE_OK; first += BOXES_AT_ONCE) {
    const size_t left = info.primitive_count - first, count = left < BOXES_AT_ONCE ? left : BOXES_AT_ONCE;
    result = rank_failure_note(work->failure, graze_object_get_boxes(work->scene, object, first, count, boxes[0]));
    for (size_t i = 0; i < count && result == GRAZE_OK; i++)
      if (is_in_several(work, boxes[i])) result = add_places(work, object, (uint32_t)(first + i), &work->shared);
  }
  return result;
}

static graze_result list_shared(joining *work) {
  graze_result result = GRAZE_OK;
  for (graze_object o = {0}; result == GRAZE_OK && (o = graze_scene_next_object(work->scene, o)).generation != 0;)
    result = list_shared_of(work, o);
  if (work->shared.count > 0) qsort(work->shared.data, work->shared.count, sizeof(corner_place), compare_places);
  return result;
}

/* ---------------------------------------------------------------------------------------------- pairs */

static graze_result take_side(joining *work, uint32_t object, uint32_t primitive, array *side) {
  graze_object found;
  uint32_t own;
  side->count = 0;
  graze_result result = graze_scene_find_primitive(work->scene, object, primitive, &found, &own);
  if (result != GRAZE_OK) return rank_failure_note(work->failure, result);
  result = add_places(work, found, own, side);
  corner_place *places = side->data;
  size_t kept = 0;
  for (size_t i = 0; i < side->count && result == GRAZE_OK; i++)
    if (bsearch(&places[i], work->shared.data, work->shared.count, sizeof *places, compare_places) != NULL)
      places[kept++] = places[i];
  side->count = kept;
  return result;
}

/* Within an object the sides are interchangeable. */
static corner_pair corner_pair_of(const corner_place *a, const corner_place *b, uint64_t region) {
  const bool turned = a->object == b->object && compare_coordinates(b->place, a->place) < 0;
  const corner_place *first = turned ? b : a, *second = turned ? a : b;
  corner_pair corner = {.object = {(uint32_t)first->object, (uint32_t)second->object}, .region = region};
  memcpy(corner.place[0], first->place, sizeof first->place);
  memcpy(corner.place[1], second->place, sizeof second->place);
  return corner;
}

static graze_result join_pair(joining *work, const graze_pair *pair, uint64_t region) {
  graze_result result = take_side(work, pair->object_a, pair->primitive_a, &work->side[0]);
  if (result != GRAZE_OK || work->side[0].count == 0) return result;
  result = take_side(work, pair->object_b, pair->primitive_b, &work->side[1]);
  for (size_t i = 0; i < work->side[0].count && result == GRAZE_OK; i++)
    for (size_t k = 0; k < work->side[1].count && result == GRAZE_OK; k++) {
      const corner_pair corner = corner_pair_of(&ARRAY_AS(corner_place, &work->side[0])[i],
                                                &ARRAY_AS(corner_place, &work->side[1])[k], region);
      if (!array_push(work->corner_pairs, work->heap, &corner)) result = rank_failure_say_memory(work->failure);
    }
  return result;
}

int corner_pair_compare(const corner_pair *a, const corner_pair *b) {
  for (int i = 0; i < 2; i++) {
    if (a->object[i] != b->object[i]) return a->object[i] < b->object[i] ? -1 : 1;
    const int order = compare_coordinates(a->place[i], b->place[i]);
    if (order != 0) return order;
  }
  return 0;
}

int corner_pair_order(const void *a, const void *b) {
  const corner_pair *x = a, *y = b;
  const int order = corner_pair_compare(x, y);
  return order != 0 ? order : (x->region > y->region) - (x->region < y->region);
}

graze_result corner_pairs_make(const slab *share, const division *parts, const graze_regions *regions,
                               uint64_t first_region, memory *heap, array *corner_pairs, rank_failure *failure) {
  joining work = {
      .scene = share->scene, .parts = parts, .heap = heap, .failure = failure, .corner_pairs = corner_pairs};
  array_init(&work.shared, sizeof(corner_place));
  array_init(&work.side[0], sizeof(corner_place));
  array_init(&work.side[1], sizeof(corner_place));
  array_init(&work.room, sizeof(double));
  graze_result result = list_shared(&work);
  for (size_t i = 0; i < regions->count && work.shared.count > 0 && result == GRAZE_OK; i++) {
    const graze_region *region = &regions->regions[i];
    for (size_t k = 0; k < region->pair_count && result == GRAZE_OK; k++)
      result = join_pair(&work, &regions->pairs[region->first_pair + k], first_region + i);
  }
  array_sort_unique(corner_pairs, corner_pair_order);
  ARRAYS_RELEASE(heap, &work.shared, &work.side[0], &work.side[1], &work.room);
  return result;
}
