/* The rows of graze_frames that measure contacts: about a million pairs of one kind each, which stay on the device. */
#ifndef GRAZE_BENCH_CONTACT_ROWS_H
#define GRAZE_BENCH_CONTACT_ROWS_H

#include "bench/bench_backend.h"
#include "bench/frame_lower_bound.h"

size_t contact_row_count(void);
const char *contact_row_name(size_t row);
bool contact_row_is_large(size_t row); /* left out where little time is given */

/* What the columns of these rows are. */
void contact_rows_head(void);

/* Makes contacts of all pairs `frames` times after some to warm up, and prints medians. The hash is that of all
 * contacts and points, to the bit: the processor's and every device's. False after a message. */
bool contact_row_run(size_t row, const bench_backend *backend, uint32_t threads, size_t frames, bounded_row *row_out);

#endif
