/* Cooperative kernels, run on the host thread by thread. Valid C and C++. */
#ifndef GRAZE_TESTS_EMULATED_KERNELS_H
#define GRAZE_TESTS_EMULATED_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct grid_view;

/* Launched as on a device with this many multiprocessors. */
void emulated_search(const struct grid_view *view, unsigned processors);

/* The states, of so many bytes, are zero before the first scan; each leaves them so. */
size_t emulated_scan_bytes(size_t count);
void emulated_scan(uint32_t *counts, size_t count, const uint64_t *sum_or_null, void *states);

#ifdef __cplusplus
}
#endif

#endif
