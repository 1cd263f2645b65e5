/* The steps of neural gas on a device: implements the table of spheres/gas_stages.h with that of device_operations.h.
 *
 * The spheres of a level are uploaded with their nodes and prototypes, all steps are queued, two stages each, and
 * prototypes are downloaded: the host waits once per level. */
#ifndef GRAZE_CUDA_DEVICE_GAS_H
#define GRAZE_CUDA_DEVICE_GAS_H

#include "base/memory.h"
#include "cuda/device_operations.h"
#include "spheres/gas_stages.h"

/* Takes ownership of the operations, also on failure: GRAZE_OUT_OF_MEMORY, without a message. */
graze_result device_gas_open(memory *heap, const device_operations *operations, gas_stages *stages_out);

#endif
