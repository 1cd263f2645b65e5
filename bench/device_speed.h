/* What a device can do at best: its bandwidth, and the cost of a launch within a graph. device_speed.cu measures it;
 * device_speed_absent.c takes its place in builds without CUDA. */
#ifndef GRAZE_DEVICE_SPEED_H
#define GRAZE_DEVICE_SPEED_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct device_speed {
  double bytes_a_second; /* read and written, by a copy of 1 GiB from one place of the device to another */
  double launch_ms;      /* of an empty kernel in a graph of 100 that follow each other */
} device_speed;

/* Medians of 20, after three to warm up. On failure writes one message. */
bool device_speed_measure(int device, device_speed *speed_out, char *error, size_t error_bytes);

#ifdef __cplusplus
}
#endif

#endif
