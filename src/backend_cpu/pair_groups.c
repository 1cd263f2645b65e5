/* Groups of object pairs; see pair_groups.h.
 *
 * Still bodies are numbered along a Morton curve through the centers of their boxes, and the pairs of each moving
 * body are sorted by these numbers: consecutive bodies are close together. */
#include "backend_cpu/pair_groups.h"

#include "base/radix_sort.h"
#include "broad/tree_fit.h"

#include <float.h>

enum { MORTON_BITS = 10, PAIRS_BETWEEN_STOPS = 1 << 16 };

static bool stops_at(stop_check *stop, size_t pair) {
  return pair % PAIRS_BETWEEN_STOPS == 0 && stop_is_requested(stop);
}

/* Sort keys and their values, with space for the sort. */
typedef struct sorted_numbers {
  uint64_t *keys;
  uint32_t *values;
  size_t count;
} sorted_numbers;

static bool numbers_make(sorted_numbers *made, memory *heap, size_t count) {
  made->count = count;
  made->keys = memory_allocate(heap, 2 * count, sizeof *made->keys);
  made->values = memory_allocate(heap, 2 * count, sizeof *made->values);
  return made->keys != NULL && made->values != NULL;
}

static void numbers_sort(sorted_numbers *made, memory *heap, stop_check *stop) {
  radix_sort_pairs_stoppable(made->keys, made->values, made->keys + made->count, made->values + made->count,
                             made->count, 64, heap, NULL, stop);
}

static void numbers_release(sorted_numbers *made, memory *heap) {
  memory_release(heap, made->values, 2 * made->count, sizeof *made->values);
  memory_release(heap, made->keys, 2 * made->count, sizeof *made->keys);
}

/* The center of a box, in [-1, 1] of the space; 0 if a box is infinite. */
static exact_box box_in(const exact_box *space, const exact_box *box) {
  exact_box own;
  for (int axis = 0; axis < 3; axis++) {
    const double middle = 0.5 * space->min[axis] + 0.5 * space->max[axis];
    const double half = 0.5 * space->max[axis] - 0.5 * space->min[axis];
    const double place = (0.5 * box->min[axis] + 0.5 * box->max[axis] - middle) / half;
    own.min[axis] = own.max[axis] = fabs(place) <= 1.0 ? place : 0.0;
  }
  return own;
}

/* Writes the rank of each resting part along the curve to ranks_out. */
static bool rank_resting(memory *heap, const exact_box *boxes, size_t part_count, size_t moving_count,
                         uint32_t *ranks_out) {
  sorted_numbers numbers;
  const bool made = numbers_make(&numbers, heap, part_count - moving_count);
  if (made && numbers.count > 0) {
    exact_box space = boxes[moving_count];
    for (size_t i = moving_count; i < part_count; i++) exact_box_include_box(&space, &boxes[i]);
    for (size_t i = 0; i < numbers.count; i++) {
      const exact_box own = box_in(&space, &boxes[moving_count + i]);
      numbers.keys[i] = morton_code_of(&own, MORTON_BITS);
      numbers.values[i] = (uint32_t)(moving_count + i);
    }
    numbers_sort(&numbers, heap, NULL);
    for (size_t i = 0; i < numbers.count; i++) ranks_out[numbers.values[i]] = (uint32_t)i;
  }
  numbers_release(&numbers, heap);
  return made;
}

static configuration_pair moving_first(configuration_pair pair) {
  return pair.b < pair.a ? (configuration_pair){pair.b, pair.a, pair.column} : pair;
}

static bool has_resting(const configuration_pair *pair, size_t moving_count) {
  return pair->a < moving_count && pair->b >= moving_count;
}

/* Sorts by the moving body, then along the curve; other pairs come last. */
static bool sort_pairs(pair_groups *made, memory *heap, const configuration_pair *given, const uint32_t *ranks,
                       size_t moving_count, stop_check *stop) {
  sorted_numbers numbers;
  const bool has_memory = numbers_make(&numbers, heap, made->pair_count);
  for (size_t i = 0; i < made->pair_count && has_memory && !stops_at(stop, i); i++) {
    const configuration_pair pair = moving_first(given[i]);
    numbers.keys[i] = has_resting(&pair, moving_count) ? (uint64_t)pair.a << 32 | ranks[pair.b] : UINT64_MAX;
    numbers.values[i] = (uint32_t)i;
  }
  if (has_memory && !stop_was_requested(stop)) numbers_sort(&numbers, heap, stop);
  const size_t sorted = has_memory && !stop_was_requested(stop) ? made->pair_count : 0;
  for (size_t i = 0; i < sorted && !stops_at(stop, i); i++) made->pairs[i] = moving_first(given[numbers.values[i]]);
  numbers_release(&numbers, heap);
  return has_memory;
}

/* A group is full, or the last of a moving body, of those with resting bodies, or of all. */
static void cut_groups(pair_groups *made, const exact_box *boxes, size_t moving_count, stop_check *stop) {
  for (size_t i = 0; i < made->pair_count && !stops_at(stop, made->group_count);) {
    const configuration_pair *first = &made->pairs[i];
    pair_group group = {.box = boxes[first->b], .first = i, .has_resting = has_resting(first, moving_count)};
    for (; i < made->pair_count && group.count < PAIR_GROUP_MOST; i++, group.count++) {
      const configuration_pair *pair = &made->pairs[i];
      if (has_resting(pair, moving_count) != group.has_resting || (group.has_resting && pair->a != first->a)) break;
      exact_box_include_box(&group.box, &boxes[pair->b]);
    }
    group.has_box = group.has_resting && group.count > 1;
    made->groups[made->group_count++] = group;
  }
}

bool pair_groups_make(pair_groups *made, memory *heap, const configuration_pair *pairs, size_t pair_count,
                      const exact_box *boxes, size_t part_count, size_t moving_count, stop_check *stop) {
  *made = (pair_groups){.pair_count = pair_count, .group_capacity = pair_count / PAIR_GROUP_MOST + moving_count + 2};
  made->pairs = memory_allocate(heap, pair_count, sizeof *made->pairs);
  made->groups = memory_allocate(heap, made->group_capacity, sizeof *made->groups);
  uint32_t *ranks = memory_allocate(heap, part_count, sizeof *ranks);
  const bool good = made->pairs != NULL && made->groups != NULL && ranks != NULL &&
                    rank_resting(heap, boxes, part_count, moving_count, ranks) &&
                    sort_pairs(made, heap, pairs, ranks, moving_count, stop);
  if (good) cut_groups(made, boxes, moving_count, stop);
  memory_release(heap, ranks, part_count, sizeof *ranks);
  return good;
}

void pair_groups_release(pair_groups *made, memory *heap) {
  memory_release(heap, made->groups, made->group_capacity, sizeof *made->groups);
  memory_release(heap, made->pairs, made->pair_count, sizeof *made->pairs);
}
