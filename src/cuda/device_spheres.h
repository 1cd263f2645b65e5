/* The stages of a sphere packing and of neural gas on a device: implement the tables of packing/packer_stages.h and
 * spheres/gas_stages.h with that of device_operations.h. Each has its own memory on the device, and no scene. */
#ifndef GRAZE_CUDA_DEVICE_SPHERES_H
#define GRAZE_CUDA_DEVICE_SPHERES_H

#include "base/memory.h"
#include "cuda/device_operations.h"
#include "packing/packer_stages.h"
#include "spheres/gas_stages.h"

/* The mesh's tree is uploaded once, that of the spheres after each round. Jobs are uploaded, run by two stages and
 * downloaded: the host waits once each time. A packing of 10,000 spheres passes jobs about 130 times.
 *
 * Takes ownership of the operations, also on failure: GRAZE_OUT_OF_MEMORY, without a message. */
graze_result device_packing_open(const stages_def *def, const device_operations *operations, packer_stages *stages_out);

/* The spheres of a level are uploaded with their nodes and prototypes, all steps are queued, two stages each, and
 * prototypes are downloaded: the host waits once per level.
 *
 * Takes ownership of the operations, also on failure: GRAZE_OUT_OF_MEMORY, without a message. */
graze_result device_gas_open(memory *heap, const device_operations *operations, gas_stages *stages_out);

#endif
