/* The row of graze_frames that measures the k-free measure of a million triangles instead of pairs. */
#ifndef GRAZE_BENCH_CROWDING_ROW_H
#define GRAZE_BENCH_CROWDING_ROW_H

#include "bench/bench_backend.h"

extern const char crowding_row_name[];

/* Measures `frames` times after a warm-up, and prints medians under the heading of graze_frames: `pairs` are near
 * pairs, and the hash covers all counts and diameters. Returns false after a message. */
bool crowding_row_run(const bench_backend *backend, uint32_t threads, size_t frames);

#endif
