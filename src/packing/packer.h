/* Fills a closed mesh with spheres that do not overlap, the largest that fits first.
 *
 * A pore is a place where four obstacles fix a sphere: the mesh, or placed spheres. Prototypes that start in the cells
 * of a grid and below the triangles find the pores of the empty mesh. A new sphere creates new pores only next to
 * itself, each touching it; prototypes that start around it find them. So each round takes the largest pores from a
 * heap, refreshes them if spheres were placed since, places those that do not overlap (largest first, then first
 * found), and lets prototypes ascend around them. A round's spheres differ in size by a few hundredths at most, so the
 * order is that precise.
 *
 * All expensive work (prototypes) runs in parallel, on the processor or on a device, and writes to separate places; all
 * decisions are serial. So the spheres are the same for any number of workers, and on a device.
 *
 * Workload: 10^3 to 10^6 spheres; memory is linear in spheres and triangles. */
#ifndef GRAZE_PACKING_PACKER_H
#define GRAZE_PACKING_PACKER_H

#include "base/array.h"
#include "packing/closed_mesh.h"
#include "packing/obstacle_tree_build.h"
#include "packing/packer_stages.h"
#include "packing/prototype.h"

#include <stdint.h>

/* Pseudorandom numbers that are the same on all platforms: the finalizer of MurmurHash3 (Appleby, 2008). */

static inline uint64_t scramble(uint64_t x) {
  x = (x ^ x >> 33) * UINT64_C(0xff51afd7ed558ccd);
  x = (x ^ x >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
  return x ^ x >> 33;
}

/* Number `number` of the sequence of a seed, in [0, 1). */
static inline double scrambled_fraction(uint64_t seed, uint64_t number) {
  return (double)(scramble(scramble(seed + 1) + number) >> 11) * 0x1p-53;
}

/* Pores: places where a sphere is locally largest; the largest first.
 *
 * Workload: about ten pores for each placed sphere. A pore keeps its last measured size: spheres placed since can only
 * have made it smaller. So the heap is ordered by upper bounds, and only the top is refreshed. */

typedef struct pore {
  prototype sphere;
  uint64_t number; /* order of discovery; of equal pores the first found comes first */
  size_t seen;     /* the number of placed spheres when it was measured */
} pore;

/* A heap as an array: no pore is before the one at half its place. */
typedef struct pore_heap {
  array pores;
  uint64_t next_number;
} pore_heap;

void pore_heap_init(pore_heap *heap);
void pore_heap_release(pore_heap *heap, memory *from);

bool pore_comes_before(const pore *a, const pore *b);

/* The largest; NULL when there is none. */
const pore *pore_heap_top(const pore_heap *heap);

/* False, without change, when out of memory. */
bool pore_heap_add(pore_heap *heap, memory *from, const pore *added);
void pore_heap_drop_top(pore_heap *heap);

/* Sorts by the order of the heap. */
void pores_sort(pore *pores, size_t count);

typedef struct packer_limits {
  size_t count;           /* of spheres */
  double fill_rate;       /* of the mesh's volume */
  double smallest_radius; /* scaled as the mesh is */
  uint64_t seed;
} packer_limits;

typedef struct packer {
  const closed_mesh *mesh;
  packer_limits limits;
  memory *heap;
  workers *team;
  packer_stages stages;
  stop_check *stop;
  void (*progress)(void *context, size_t count, double fill_rate);
  void *progress_context;
  bool (*should_finish)(void *context); /* ends the packing after a round; NULL: nothing ends it */
  void *finish_context;

  packing_space space; /* as given to the stages */
  obstacle_tree_memory mesh_memory, sphere_memory;
  array spheres; /* OBSTACLE_SPHERE_NUMBERS doubles each, scaled, in the order of placing */
  size_t count;
  double volume; /* of the spheres, scaled */
  pore_heap pores;
  /* Generations of prototypes that do not start at a sphere. */
  uint64_t generation;      /* number of generations so far */
  size_t generation_count;  /* prototypes of each sort in the last one */
  double generation_radius; /* the largest radius at that time */
  array batch;              /* pore: those of this round */
  array jobs;               /* prototype_job: input of the stages */
} packer;

void packer_init(packer *target);

/* GRAZE_OUT_OF_MEMORY and GRAZE_STOPPED without a message, and any result of the stages. */
graze_result packer_run(packer *target);

/* Refreshes pores with the stages: all take these steps, and pores measured before the last sphere was placed also
 * ascend. */
graze_result packer_refresh(packer *work, pore *pores, size_t count, uint64_t steps);
void packer_release(packer *target);

#endif
