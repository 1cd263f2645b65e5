/* The free space of a packing: the largest pore, and the distances of free points from the nearest obstacle. */
#ifndef GRAZE_PACKING_PACKING_GAPS_H
#define GRAZE_PACKING_PACKING_GAPS_H

#include "packing/packer.h"

typedef struct packing_gaps {
  double largest, p95; /* scaled as the mesh is */
  double bound;        /* proven: no gap is larger */
} packing_gaps;

/* Call after packer_run; changes its heap of pores. */
graze_result packing_gaps_measure(packer *work, packing_gaps *gaps_out);

#endif
