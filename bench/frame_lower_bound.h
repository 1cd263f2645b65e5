/* A lower bound of the time of a frame on a device: the bytes that its stages move, divided by the bandwidth, plus the
 * number of launches times the cost of one. */
#ifndef GRAZE_FRAME_LOWER_BOUND_H
#define GRAZE_FRAME_LOWER_BOUND_H

#include <stddef.h>
#include <stdint.h>

/* The sizes of a frame: its scene and its counters. */
typedef struct frame_sizes {
  uint64_t vertices, primitives;
  uint64_t position_bytes; /* of an input vertex: 12 or 24 */
  uint64_t corner_bytes;   /* of a primitive besides its header: 16 for tetrahedra, 0 for triangles */
  uint64_t candidates;
  uint64_t left_over; /* candidates that the float filter did not decide */
  uint64_t pairs;
} frame_sizes;

/* The stages in order: their number, their names, and the bytes that each reads and writes. */
size_t frame_stage_count(void);
const char *frame_stage_name(size_t stage);
double frame_stage_bytes(size_t stage, const frame_sizes *sizes);

double frame_bytes(const frame_sizes *sizes); /* of all stages */

/* A measured row, with its minimum of bytes and launches. */
typedef struct bounded_row {
  const char *name;
  double bytes;
  uint64_t elements; /* divisor of the bytes: primitives, or contacts */
  uint64_t launches;
  double milliseconds;
} bounded_row;

#endif
