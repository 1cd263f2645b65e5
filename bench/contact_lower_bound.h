/* A lower bound of the time of contacts on a device, like frame_lower_bound.h for frames. */
#ifndef GRAZE_BENCH_CONTACT_LOWER_BOUND_H
#define GRAZE_BENCH_CONTACT_LOWER_BOUND_H

#include "graze/graze.h"

/* The input of the contacts: one kind, float positions. */
typedef struct contact_sizes {
  uint64_t vertices, primitives, contacts, points;
  graze_kind kind; /* triangles, tetrahedra or spheres */
} contact_sizes;

double contact_bytes(const contact_sizes *sizes);      /* read and written by all stages */
uint64_t contact_launches(const contact_sizes *sizes); /* kernels and clears */

#endif
