/* The least time of contacts on a device, as frame_lower_bound.h has it of frames. */
#ifndef GRAZE_BENCH_CONTACT_LOWER_BOUND_H
#define GRAZE_BENCH_CONTACT_LOWER_BOUND_H

#include "graze/graze.h"

/* What the contacts are of: one kind, positions of floats. */
typedef struct contact_sizes {
  uint64_t vertices, primitives, contacts, points;
  graze_kind kind; /* triangles, tetrahedra or spheres */
} contact_sizes;

double contact_bytes(const contact_sizes *sizes);      /* read and written by all stages */
uint64_t contact_launches(const contact_sizes *sizes); /* kernels and clearings */

#endif
