/* The stages of a sphere packing on a device: implements the table of packing/packer_stages.h with that of
 * device_operations.h.
 *
 * The mesh's tree is uploaded once, that of the spheres after each round. Jobs are uploaded, run by two stages and
 * downloaded: the host waits once each time. A packing of 10,000 spheres passes jobs about 130 times. */
#ifndef GRAZE_CUDA_DEVICE_PACKING_H
#define GRAZE_CUDA_DEVICE_PACKING_H

#include "cuda/device_operations.h"
#include "packing/packer_stages.h"

/* Takes ownership of the operations, also on failure: GRAZE_OUT_OF_MEMORY, without a message. */
graze_result device_packing_open(const stages_def *def, const device_operations *operations, packer_stages *stages_out);

#endif
