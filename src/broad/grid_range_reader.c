/* Reading the ranges of a grid; see grid_range_reader.h. */
#include "broad/grid_range_reader.h"

#include "base/simd_choice.h"

range_reader range_reader_of(const grid *g, const search *s) {
  return (range_reader){.grid = g, .memory = s->memory, .kernels = SIMD_KERNELS(box_kernels, s->simd)};
}

bool make_list_room(range_reader *reader, box_list *list, size_t more) {
  const size_t needed = list->count + more;
  if (needed <= list->capacity) return true;
  return box_list_reserve(list, reader->memory, needed + needed / 2 + 256);
}

/* Entries [first, end) of a crowded range, by way of the boxes around its segments. */
static void cull_segments(range_reader *reader, const cell_range *run, size_t first, size_t end, const float bound[6],
                          box_list *list) {
  const grid *g = reader->grid;
  const size_t width = reader->kernels->width, first_segment = grid_first_segment(run);
  const size_t last = grid_segments_of(run) - 1, needed = (end - run->first + SEGMENT_ENTRIES - 1) / SEGMENT_ENTRIES;
  const size_t begin_segment = (first - run->first) / SEGMENT_ENTRIES;
  const size_t end_segment = needed <= last ? needed : last + 1;
  for (size_t group = begin_segment <= last ? begin_segment : last; group < end_segment; group += width) {
    uint32_t bits = reader->kernels->meet(g->segment_bound, first_segment + group, bound);
    if (end_segment - group < width) bits &= (1u << (end_segment - group)) - 1;
    reader->box_tests += width;
    /* Segments that follow each other are read as one: their bits and the lowest of them added up leave one bit just
     * above, and all that is further up as it was. */
    for (uint32_t above; bits != 0; bits &= above) {
      above = bits + (bits & (0u - bits));
      const size_t segment = group + (size_t)__builtin_ctz(bits), begin = run->first + segment * SEGMENT_ENTRIES;
      const size_t last_segment = group + (size_t)__builtin_ctz(above) - 1, low = begin > first ? begin : first;
      const size_t segment_end = grid_segment_end(run, last_segment), high = segment_end < end ? segment_end : end;
      reader->kernels->cull(&g->entries, low, high, bound, list);
      reader->box_tests += high - low;
    }
  }
}

bool cull_range(range_reader *reader, const cell_range *run, size_t first, size_t end, const float bound[6],
                box_list *list) {
  if (!make_list_room(reader, list, end - first)) return false;
  if (run[1].first - run->first >= CROWDED_ENTRIES) {
    cull_segments(reader, run, first, end, bound, list);
  } else {
    reader->kernels->cull(&reader->grid->entries, first, end, bound, list);
    reader->box_tests += end - first;
  }
  return true;
}

bool make_hit_room(range_reader *reader, hit_list *hits, const box_list *list) {
  if (list->count <= hits->capacity) return true;
  const size_t capacity = list->capacity;
  uint32_t *entries = memory_allocate(reader->memory, capacity + SIMD_ROOM_HITS, sizeof *entries);
  if (entries == NULL) return false;
  release_hits(reader, hits);
  *hits = (hit_list){entries, capacity};
  return true;
}

void release_hits(range_reader *reader, hit_list *hits) {
  memory_release(reader->memory, hits->entries, hits->capacity + SIMD_ROOM_HITS, sizeof *hits->entries);
  *hits = (hit_list){0};
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
