/* Divides the curve for all ranks; see rank_division.h.
 *
 * Workload: two passes over all primitives, in a few frames. */
#include "distributed/rank_division.h"

#include "base/array.h"
#include "graze/inside/parts.h"

#include <math.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------- boxes */

enum { BOXES_AT_ONCE = 512 };

/* Called with the box of every primitive that is not removed. False: out of memory. */
typedef bool box_visit(void *context, const double box[6]);

static graze_result visit_boxes(const graze_scene *scene, box_visit *visit, void *context, rank_failure *failure) {
  double boxes[BOXES_AT_ONCE][6];
  for (graze_object o = {0}; (o = graze_scene_next_object(scene, o)).generation != 0;) {
    graze_object_info info = {0};
    graze_result result = graze_object_get_info(scene, o, &info);
    for (size_t first = 0; result == GRAZE_OK && first < info.primitive_count; first += BOXES_AT_ONCE) {
      const size_t left = info.primitive_count - first, count = left < BOXES_AT_ONCE ? left : BOXES_AT_ONCE;
      result = graze_object_get_boxes(scene, o, first, count, boxes[0]);
      for (size_t i = 0; result == GRAZE_OK && i < count; i++)
        if (boxes[i][0] <= boxes[i][3] && !visit(context, boxes[i])) return rank_failure_say_memory(failure);
    }
    if (result != GRAZE_OK) return rank_failure_note(failure, result);
  }
  return GRAZE_OK;
}

/* Maps doubles to integers of the same order; and back. */
static uint64_t order_of(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits >> 63 != 0 ? ~bits : bits | UINT64_C(1) << 63;
}

static double value_of(uint64_t order) {
  const uint64_t bits = order >> 63 != 0 ? order & ~(UINT64_C(1) << 63) : ~order;
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* Computes the box of all boxes of all ranks. */
static void join_boxes(double box[6], const transport *net) {
  uint64_t order[6];
  for (int i = 0; i < 6; i++) order[i] = i < 3 ? order_of(box[i]) : ~order_of(box[i]);
  transport_reduce(net, TRANSPORT_LEAST, order, 6);
  for (int i = 0; i < 6; i++) box[i] = value_of(i < 3 ? order[i] : ~order[i]);
}

/* ---------------------------------------------------------------------------------------------- division */

typedef struct survey {
  division *parts;
  memory *heap;
  double box[6];
  bool has_owners; /* the curve was divided before */
  array owners;    /* uint32_t, one per primitive: its last part, then its weight */
  array keys;      /* uint64_t, likewise */
} survey;

static bool note_box(void *context, const double box[6]) {
  survey *work = context;
  for (int axis = 0; axis < 3; axis++) {
    work->box[axis] = fmin(work->box[axis], box[axis]);
    work->box[axis + 3] = fmax(work->box[axis + 3], box[axis + 3]);
  }
  if (!work->has_owners) return true;
  const uint32_t owner = division_owner(work->parts, division_key(work->parts, box));
  return array_push(&work->owners, work->heap, &owner);
}

static bool note_key(void *context, const double box[6]) {
  survey *work = context;
  const uint64_t key = division_key(work->parts, box);
  return array_push(&work->keys, work->heap, &key);
}

static void weigh_primitives(survey *work, const transport *net, division_times times, uint64_t *sums,
                             uint32_t *weights) {
  const uint32_t part_count = work->parts->part_count;
  uint32_t *owners = work->owners.data;
  memset(sums, 0, 2 * (size_t)part_count * sizeof *sums);
  for (uint32_t i = 0; i < times.part_count; i++) sums[times.first_part + i] = times.us[i];
  for (size_t i = 0; i < work->owners.count; i++) sums[part_count + owners[i]]++;
  transport_reduce(net, TRANSPORT_SUM, sums, 2 * (size_t)part_count);
  balance_weigh(sums, sums + part_count, part_count, weights);
  for (size_t i = 0; i < work->owners.count; i++) owners[i] = weights[owners[i]];
}

static graze_result divide_space(survey *work, const transport *net, const graze_scene *scene, division_times times,
                                 uint64_t *sums, uint32_t *weights, rank_failure *failure) {
  if (sums == NULL || weights == NULL)
    rank_failure_say_memory(failure);
  else
    visit_boxes(scene, note_box, work, failure);
  graze_result result = rank_failure_agree(failure, net);
  if (result != GRAZE_OK) return result;
  join_boxes(work->box, net);
  division_place(work->parts, work->box);
  visit_boxes(scene, note_key, work, failure);
  result = rank_failure_agree(failure, net);
  if (result != GRAZE_OK) return result;
  if (work->has_owners) weigh_primitives(work, net, times, sums, weights);
  division_make_parts(work->parts, net, work->keys.data, work->has_owners ? work->owners.data : NULL, work->keys.count);
  /* Later divisions use the time that each rank took: the ranges stay with their ranks. */
  if (!work->has_owners) division_give_parts(work->parts, net, work->keys.data, work->keys.count);
  return GRAZE_OK;
}

graze_result rank_divide(division *parts, division_balance *balance, const transport *net, memory *heap,
                         const graze_scene *scene, division_times times, rank_failure *failure) {
  const uint32_t part_count = parts->part_count;
  survey work = {.parts = parts,
                 .heap = heap,
                 .box = {HUGE_VAL, HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL, -HUGE_VAL},
                 .has_owners = balance->divided};
  array_init(&work.owners, sizeof(uint32_t));
  array_init(&work.keys, sizeof(uint64_t));
  uint64_t *sums = memory_allocate(heap, part_count, 2 * sizeof *sums);
  uint32_t *weights = memory_allocate(heap, part_count, sizeof *weights);
  const graze_result result = divide_space(&work, net, scene, times, sums, weights, failure);
  if (result == GRAZE_OK) balance_divided(balance, work.box[0] <= work.box[3]);
  memory_release(heap, sums, part_count, 2 * sizeof *sums);
  memory_release(heap, weights, part_count, sizeof *weights);
  array_release(&work.owners, heap);
  array_release(&work.keys, heap);
  return result;
}
