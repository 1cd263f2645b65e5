/* Reads the ranges of a grid; see grid_range_reader.h. */
#include "broad/grid_range_reader.h"

#include "base/simd_choice.h"
#include "broad/grid_data.h"

range_reader range_reader_of(const grid *g, const search *s) {
  return (range_reader){.grid = g, .memory = s->memory, .kernels = SIMD_KERNELS(box_kernels, s->simd)};
}

bool reserve_boxes(range_reader *reader, box_list *list, size_t more) {
  const size_t needed = list->count + more;
  if (needed <= list->capacity) return true;
  return box_list_reserve(list, reader->memory, needed + needed / 2 + 256);
}

static bool cull_entries(range_reader *reader, size_t first, size_t end, const float bound[6], box_list *list) {
  if (!reserve_boxes(reader, list, end - first)) return false;
  reader->kernels->cull(&reader->grid->entries, first, end, bound, list);
  reader->box_tests += end - first;
  return true;
}

/* The requested part of a range: entries [first, end), numbered within it, that meet the box. */
typedef struct range_query {
  range_reader *reader;
  const cell_range *run;
  size_t first, end;
  const float *bound;
  box_list *list;
} range_query;

static bool cull_segments(const range_query *q, int tier, size_t first, size_t end);

/* Appends the entries in parts [first, end) of a tier's segments: entries, or segments of the tier below. */
static bool cull_parts(const range_query *q, int tier, size_t first, size_t end) {
  if (tier > 0) return cull_segments(q, tier - 1, first, end);
  const size_t low = first > q->first ? first : q->first, high = end < q->end ? end : q->end;
  return cull_entries(q->reader, q->run->first + low, q->run->first + high, q->bound, q->list);
}

/* Appends the entries in segments [first, end) of a tier, numbered within the range. */
static bool cull_segments(const range_query *q, int tier, size_t first, size_t end) {
  const int shift = SEGMENT_BITS * (tier + 1);
  const size_t last = grid_segments_of(q->run, tier) - 1, from = q->first >> shift, to = (q->end - 1) >> shift;
  if (first < from) first = from < last ? from : last;
  if (end > to + 1) end = to + 1;
  const box_list *segments = &q->reader->grid->segments[tier];
  const size_t width = q->reader->kernels->width, before = grid_first_segment(q->run, tier);
  for (size_t group = first; group < end; group += width) {
    uint32_t bits = q->reader->kernels->meet(segments->bound, before + group, q->bound);
    if (end - group < width) bits &= (1u << (end - group)) - 1;
    q->reader->box_tests += width;
    /* Consecutive segments are read as one: adding the lowest bit clears their bits and sets the bit just above, and
     * leaves the higher bits unchanged. */
    for (uint32_t above; bits != 0; bits &= above) {
      above = bits + (bits & (0u - bits));
      const size_t low = group + (size_t)__builtin_ctz(bits), high = group + (size_t)__builtin_ctz(above) - 1;
      if (!cull_parts(q, tier, low * SEGMENT_PARTS, grid_segment_end(q->run, tier, high))) return false;
    }
  }
  return true;
}

bool cull_range(range_reader *reader, const cell_range *run, size_t first, size_t end, const float bound[6],
                box_list *list) {
  if (!grid_has_tier(run, 0)) return cull_entries(reader, first, end, bound, list);
  if (first == end) return true;
  int highest = 0;
  while (grid_has_tier(run, highest + 1)) highest++;
  const range_query q = {reader, run, first - run->first, end - run->first, bound, list};
  return cull_segments(&q, highest, 0, grid_segments_of(run, highest));
}

size_t cell_range_of_entry(const grid *g, size_t entry) {
  size_t low = 0, high = g->range_count;
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    if (g->ranges[middle].first <= entry)
      low = middle;
    else
      high = middle;
  }
  return low;
}
