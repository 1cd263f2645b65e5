/* The rows of graze_frames that measure contacts: about a million pairs of one kind each, which stay on the device. */
#ifndef GRAZE_BENCH_CONTACT_ROWS_H
#define GRAZE_BENCH_CONTACT_ROWS_H

#include "bench/bench_backend.h"
#include "bench/frame_lower_bound.h"

size_t contact_row_count(void);
const char *contact_row_name(size_t row);
bool contact_row_is_large(size_t row); /* skipped with --quick */

/* Prints the heading of these rows. */
void contact_rows_head(void);

/* Makes contacts of all pairs `frames` times after a warm-up, and prints medians. The hash covers the bits of all
 * contacts and points, which are the same on the processor and on every device. Returns false after a message. */
bool contact_row_run(size_t row, const bench_backend *backend, uint32_t threads, size_t frames, bounded_row *row_out);

#endif
