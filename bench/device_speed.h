/* The peak speed of a device: its bandwidth, and the cost of a launch in a graph. device_speed.cu measures it;
 * device_speed_absent.c replaces it in builds without CUDA. */
#ifndef GRAZE_DEVICE_SPEED_H
#define GRAZE_DEVICE_SPEED_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct device_speed {
  double bytes_a_second; /* read and written by a copy of 1 GiB within the device */
  double launch_ms;      /* of an empty kernel in a graph of 100 consecutive ones */
} device_speed;

/* Returns medians of 20 runs after three warm-up runs. On failure, writes one message. */
bool device_speed_measure(int device, device_speed *speed_out, char *error, size_t error_bytes);

#ifdef __cplusplus
}
#endif

#endif
