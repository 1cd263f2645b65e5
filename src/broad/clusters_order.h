/* Sorts intervals by their starts, and counts for each the others that start within it, by buckets of starts and prefix
 * sums.
 *
 * Buckets divide the range of starts evenly; there are about as many as starts. One pass counts, the prefix sums of the
 * counts give the start of each bucket, one pass distributes; a bucket has a start or two, and is sorted by itself. The
 * same table finds the first start after an end: all starts of earlier buckets are before it, all of later ones after
 * it.
 *
 * Rounding may affect the bucket of a number, but never contradicts the order: subtraction, and multiplication by a
 * positive number, are monotone as rounded.
 *
 * Workload: 10^2 to 10^6 intervals, most starts evenly spread; otherwise long buckets cost the logarithm of their
 * length. For the processor and for GPUs. */
#ifndef GRAZE_BROAD_CLUSTERS_ORDER_H
#define GRAZE_BROAD_CLUSTERS_ORDER_H

#include "broad/clusters_axis.h"

typedef struct start_buckets {
  float least, scale;
  uint32_t count;
  uint32_t *first; /* start of each bucket, and the end; count + 1 */
} start_buckets;

GEOMETRY_FUNCTION uint32_t bucket_of(const start_buckets *buckets, float start) {
  const float place = (start - buckets->least) * buckets->scale;
  if (!(place > 0.0f)) return 0;
  const uint32_t last = buckets->count - 1;
  return place < (float)last ? (uint32_t)place : last;
}

/* The sort key of a start: its value, then its number, in the low half. */
GEOMETRY_FUNCTION uint64_t start_key(float start, uint32_t number) {
  return (uint64_t)ordered_float_bits(start) << 32 | number;
}

GEOMETRY_FUNCTION void sift_down(uint64_t *heap, uint32_t at, uint32_t count) {
  const uint64_t moved = heap[at];
  for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
    if (child + 1 < count && heap[child + 1] > heap[child]) child++;
    if (heap[child] <= moved) break;
    heap[at] = heap[child];
  }
  heap[at] = moved;
}

/* Williams, "Algorithm 232: heapsort", 1964: for the few long buckets. */
GEOMETRY_FUNCTION void sort_long_bucket(uint64_t *keys, uint32_t count) {
  bool ascending = true;
  for (uint32_t i = 1; i < count && ascending; i++) ascending = keys[i - 1] < keys[i];
  if (ascending) return;
  for (uint32_t i = count / 2; i-- > 0;) sift_down(keys, i, count);
  for (uint32_t end = count; end-- > 1;) {
    const uint64_t greatest = keys[0];
    keys[0] = keys[end];
    keys[end] = greatest;
    sift_down(keys, 0, end);
  }
}

GEOMETRY_FUNCTION void sort_bucket(uint64_t *keys, uint32_t count) {
  enum { LONG_BUCKET = 32 };
  if (count > LONG_BUCKET) {
    sort_long_bucket(keys, count);
    return;
  }
  for (uint32_t i = 1; i < count; i++) {
    const uint64_t moved = keys[i];
    uint32_t at = i;
    for (; at > 0 && keys[at - 1] > moved; at--) keys[at] = keys[at - 1];
    keys[at] = moved;
  }
}

/* Buckets for the range of starts, at least one; `first` has capacity for one more than those. */
GEOMETRY_FUNCTION start_buckets buckets_for(const float *starts, uint32_t count, uint32_t *first) {
  float least = starts[0], greatest = starts[0];
  for (uint32_t i = 1; i < count; i++) {
    least = starts[i] < least ? starts[i] : least;
    greatest = starts[i] > greatest ? starts[i] : greatest;
  }
  start_buckets buckets = {least, (float)count / (greatest - least), count, first};
  if (!(buckets.scale <= 0x1p120f)) buckets.scale = 0.0f; /* all starts are equal: one bucket */
  return buckets;
}

/* Writes the keys of the starts in ascending order. */
GEOMETRY_FUNCTION void sort_starts(const start_buckets *buckets, const float *starts, uint32_t count,
                                   uint64_t *keys_out) {
  uint32_t *first = buckets->first;
  for (uint32_t i = 0; i <= buckets->count; i++) first[i] = 0;
  for (uint32_t i = 0; i < count; i++) first[bucket_of(buckets, starts[i])]++;
  uint32_t sum = 0;
  for (uint32_t i = 0; i <= buckets->count; i++) {
    const uint32_t of_bucket = first[i];
    first[i] = sum;
    sum += of_bucket;
  }
  for (uint32_t i = 0; i < count; i++) keys_out[first[bucket_of(buckets, starts[i])]++] = start_key(starts[i], i);
  for (uint32_t i = buckets->count; i > 0; i--) first[i] = first[i - 1];
  first[0] = 0;
  for (uint32_t i = 0; i < buckets->count; i++) sort_bucket(keys_out + first[i], first[i + 1] - first[i]);
}

/* The end of the starts that a closed interval covers: the first of the ascending keys [first, count) whose start is
 * above `end`; a start that equals the end is covered. Steps double from `first` on. */
GEOMETRY_FUNCTION uint32_t end_of_covered(const uint64_t *keys, uint32_t first, uint32_t count, uint64_t end_key) {
  uint32_t step = 1, low = first;
  while (count - low > step && keys[low + step - 1] <= end_key) {
    low += step;
    step *= 2;
  }
  uint32_t high = count - low > step ? low + step : count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (keys[middle] <= end_key)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* The same for the interval that starts at `place` in the order and ends at `end`, using its bucket. */
GEOMETRY_FUNCTION uint32_t end_of_overlaps(const start_buckets *buckets, const uint64_t *keys, uint32_t place,
                                           float end) {
  const uint32_t bucket = bucket_of(buckets, end);
  const uint32_t begin = buckets->first[bucket], behind = buckets->first[bucket + 1];
  const uint32_t first = begin > place + 1 ? begin : place + 1;
  if (first >= behind) return first;
  return end_of_covered(keys, first, behind, start_key(end, UINT32_MAX));
}

#endif
