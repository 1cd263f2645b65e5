/* segment_row: cutting and joining; see segment_row.h for its workload. */
#include "base/segment_row.h"

#include "base/poison.h"

#include <assert.h>

/* Up to this size segments come from the upper end: a chunk of a pair list and its header. */
#define SMALL_SEGMENT_BYTES ((size_t)65536 + MEMORY_ALIGNMENT)

/* The header of a segment; its memory follows. */
typedef struct segment {
  _Alignas(MEMORY_ALIGNMENT) size_t bytes; /* with the header */
  size_t bytes_below;                      /* of the segment below; 0 for the lowest */
  bool is_free;
  struct segment *free_below, *free_above; /* of free ones */
} segment;

_Static_assert(sizeof(segment) == MEMORY_ALIGNMENT, "what follows a header is aligned");

static segment *segment_above(const segment_row *row, segment *s) {
  unsigned char *end = (unsigned char *)s + s->bytes;
  return end < row->block + row->block_bytes ? (segment *)(void *)end : NULL;
}

static segment *segment_below(segment *s) {
  return s->bytes_below > 0 ? (segment *)(void *)((unsigned char *)s - s->bytes_below) : NULL;
}

static void set_bytes(const segment_row *row, segment *s, size_t bytes) {
  s->bytes = bytes;
  segment *above = segment_above(row, s);
  if (above != NULL) above->bytes_below = bytes;
}

/* ---------------------------------------------------------------------------------------------- the free list */

static void link_free(segment_row *row, segment *s, segment *below, segment *above) {
  s->is_free = true;
  s->free_below = below;
  s->free_above = above;
  *(below != NULL ? &below->free_above : &row->first_free) = s;
  *(above != NULL ? &above->free_below : &row->last_free) = s;
}

static void unlink_free(segment_row *row, segment *s) {
  s->is_free = false;
  *(s->free_below != NULL ? &s->free_below->free_above : &row->first_free) = s->free_above;
  *(s->free_above != NULL ? &s->free_above->free_below : &row->last_free) = s->free_below;
}

/* The highest free segment below `s`; NULL: none. Two walks in step, of which the shorter ends it: down from `s`, and
 * up the free list. Lists of chunks are given back from the top down, one worker's after another's: those of the first
 * are close to the lower end of the list, those of the others a few chunks above one that is free already. */
static segment *free_under(const segment_row *row, segment *s) {
  segment *last = NULL, *next = row->first_free, *down = segment_below(s);
  while (next != NULL && next < s && down != NULL && !down->is_free) {
    last = next;
    next = next->free_above;
    down = segment_below(down);
  }
  return down != NULL && down->is_free ? down : last;
}

/* ---------------------------------------------------------------------------------------------- cutting and joining */

static segment *lowest_that_holds(const segment_row *row, size_t bytes) {
  segment *s = row->first_free;
  while (s != NULL && s->bytes < bytes) s = s->free_above;
  return s;
}

static segment *highest_that_holds(const segment_row *row, size_t bytes) {
  segment *s = row->last_free;
  while (s != NULL && s->bytes < bytes) s = s->free_below;
  return s;
}

/* Cuts `at` bytes off the lower end of a segment; returns the upper part, which is not linked. */
static segment *split(segment_row *row, segment *s, size_t at) {
  segment *upper = (segment *)(void *)((unsigned char *)s + at);
  UNPOISON(upper, sizeof *upper);
  upper->is_free = false;
  upper->bytes_below = at;
  set_bytes(row, upper, s->bytes - at);
  s->bytes = at;
  return upper;
}

/* A segment of that many bytes, or one with a rest too small for a header; NULL: no room. */
static segment *take_segment(segment_row *row, size_t bytes) {
  const bool small = bytes <= SMALL_SEGMENT_BYTES;
  segment *s = small ? highest_that_holds(row, bytes) : lowest_that_holds(row, bytes);
  if (s == NULL) return NULL;
  const size_t rest = s->bytes - bytes;
  if (rest < 2 * sizeof *s) {
    unlink_free(row, s);
    return s;
  }
  if (small) return split(row, s, rest);
  segment *below = s->free_below, *above = s->free_above;
  unlink_free(row, s);
  link_free(row, split(row, s, bytes), below, above);
  return s;
}

static void give_segment(segment_row *row, segment *s) {
  assert(!s->is_free);
  segment *above = segment_above(row, s), *below = segment_below(s);
  if (above != NULL && above->is_free) {
    segment *free_below = above->free_below, *free_above = above->free_above;
    unlink_free(row, above);
    set_bytes(row, s, s->bytes + above->bytes);
    if (below == NULL || !below->is_free) link_free(row, s, free_below, free_above);
  } else if (below == NULL || !below->is_free) {
    segment *under = free_under(row, s);
    link_free(row, s, under, under != NULL ? under->free_above : row->first_free);
  }
  if (below != NULL && below->is_free) set_bytes(row, below, below->bytes + s->bytes);
  POISON(s + 1, s->bytes - sizeof *s);
}

/* ---------------------------------------------------------------------------------------------- the block */

void segment_row_open(segment_row *row, void *block, size_t bytes) {
  assert(bytes % MEMORY_ALIGNMENT == 0 && bytes >= 2 * sizeof(segment));
  *row = (segment_row){.block = block, .block_bytes = bytes};
  segment *whole = block;
  *whole = (segment){.bytes = bytes};
  link_free(row, whole, NULL, NULL);
  POISON(whole + 1, bytes - sizeof *whole);
}

void segment_row_close(segment_row *row) {
  UNPOISON(row->block, row->block_bytes);
  *row = (segment_row){0};
}

bool segment_row_bytes(size_t bytes, size_t *segment_bytes_out) {
  if (!size_add(bytes, sizeof(segment) + MEMORY_ALIGNMENT - 1, segment_bytes_out)) return false;
  *segment_bytes_out = *segment_bytes_out / MEMORY_ALIGNMENT * MEMORY_ALIGNMENT;
  return true;
}

void *segment_row_take(segment_row *row, size_t segment_bytes, size_t bytes, size_t *taken_out) {
  segment *s = take_segment(row, segment_bytes);
  if (s == NULL) return NULL;
  *taken_out = s->bytes;
  UNPOISON(s + 1, bytes);
  return s + 1;
}

size_t segment_row_give(segment_row *row, void *pointer) {
  segment *s = (segment *)pointer - 1;
  const size_t taken = s->bytes;
  give_segment(row, s);
  return taken;
}

bool segment_row_has(const segment_row *row, const void *pointer) {
  const uintptr_t at = (uintptr_t)pointer, first = (uintptr_t)row->block;
  return at >= first && at < first + row->block_bytes;
}

bool segment_row_is_free(const segment_row *row) {
  return row->first_free != NULL && row->first_free->bytes == row->block_bytes;
}
