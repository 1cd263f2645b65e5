/* The stages of a sphere packing on a device: the table of packing/packer_stages.h, written against that of
 * device_operations.h.
 *
 * The mesh's tree goes to the device once, that of the spheres after each round. Jobs go there, are done by two stages
 * and come back: one wait for the host each time. A packing of 10,000 spheres hands over jobs some 130 times. */
#ifndef GRAZE_CUDA_DEVICE_PACKING_H
#define GRAZE_CUDA_DEVICE_PACKING_H

#include "cuda/device_operations.h"
#include "packing/packer_stages.h"

/* Takes the operations over, also where it fails: GRAZE_OUT_OF_MEMORY, without a message. */
graze_result device_packing_open(const stages_def *def, const device_operations *operations, packer_stages *stages_out);

#endif
