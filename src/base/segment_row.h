/* segment_row: a block that memory is cut out of, and joined again when it comes back.
 *
 * The block is a row of segments, each behind a header of its own; no two free ones lie side by side. Free ones are
 * linked in the order of addresses. Placement is by two ends: small segments, as the chunks of pair lists are, come
 * from the highest free place that holds them, large arrays from the lowest (first fit: Knuth, The Art of Computer
 * Programming 1, section 2.5, 1997). Chunks live to the end of a query, and arrays of the build do not: were chunks
 * put into the holes that the sort leaves, the arrays that follow would not fit there any more. Of logged queries the
 * best fit needed up to 1.33 times the bytes that were out at once, two ends at most 1.02 times.
 *
 * Workload: some tens of arrays of a page to 1 GB and up to some ten thousand chunks of 64 KiB. Not for several threads
 * at once: whoever owns the row has a lock. */
#ifndef GRAZE_BASE_SEGMENT_ROW_H
#define GRAZE_BASE_SEGMENT_ROW_H

#include "base/memory.h"

struct segment;

typedef struct segment_row {
  unsigned char *block; /* NULL: none */
  size_t block_bytes;
  struct segment *first_free, *last_free; /* by address */
} segment_row;

/* A block of a multiple of MEMORY_ALIGNMENT bytes, at least two of them and aligned so, becomes one free segment. */
void segment_row_open(segment_row *row, void *block, size_t bytes);

/* The block is nobody's row any more, and may go back to where it came from. */
void segment_row_close(segment_row *row);

/* What `bytes` take of a row, with the header; false where the sum overflows. */
bool segment_row_bytes(size_t bytes, size_t *segment_bytes_out);

/* Memory of that many bytes with the header, aligned to MEMORY_ALIGNMENT, of which the first `bytes` are used; NULL:
 * there is no room. `taken_out`: what it took, which may be a header more. */
void *segment_row_take(segment_row *row, size_t segment_bytes, size_t bytes, size_t *taken_out);

/* Takes it back; returns what it had taken. */
size_t segment_row_give(segment_row *row, void *pointer);

/* Whether memory was cut out of this block. */
bool segment_row_has(const segment_row *row, const void *pointer);

/* Whether nothing is out. */
bool segment_row_is_free(const segment_row *row);

#endif
