/* The row of graze_frames that is no frame of pairs: the k-free measure of a million triangles. */
#ifndef GRAZE_BENCH_CROWDING_ROW_H
#define GRAZE_BENCH_CROWDING_ROW_H

#include "bench/bench_backend.h"

extern const char crowding_row_name[];

/* Measures `frames` times after some to warm up, and prints medians under the head of graze_frames: `pairs` are those
 * that were counted as near, the hash is that of all counts and diameters. False after a message. */
bool crowding_row_run(const bench_backend *backend, uint32_t threads, size_t frames);

#endif
