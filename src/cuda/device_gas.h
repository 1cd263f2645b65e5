/* The steps of neural gas on a device: the table of spheres/gas_stages.h, written against that of device_operations.h.
 *
 * The spheres of a level go there with their nodes and prototypes, all steps are queued, two stages each, and
 * prototypes come back: one wait for the host a level. */
#ifndef GRAZE_CUDA_DEVICE_GAS_H
#define GRAZE_CUDA_DEVICE_GAS_H

#include "base/memory.h"
#include "cuda/device_operations.h"
#include "spheres/gas_stages.h"

/* Takes the operations over, also where it fails: GRAZE_OUT_OF_MEMORY, without a message. */
graze_result device_gas_open(memory *heap, const device_operations *operations, gas_stages *stages_out);

#endif
