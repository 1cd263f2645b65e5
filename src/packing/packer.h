/* Fills a closed mesh with spheres that do not overlap, the largest that fits first.
 *
 * A pore is a place where four obstacles hold a sphere: the mesh, or spheres that are placed. The packer knows the
 * pores of the empty mesh, from prototypes that begin in the cells of a grid and below the triangles. A new sphere
 * makes new pores beside itself only, each touching it; prototypes that begin around it find them. So each round takes
 * the largest pores from a heap, looks at them again where spheres were placed since, places those that do not overlap
 * (largest first, then first found), and lets prototypes ascend around them. A round's spheres are within some
 * hundredths of the same size: that is what the order is worth.
 *
 * Everything that costs time (prototypes) runs in parallel, on the processor or on a device, and writes to places of
 * its own; everything that decides is serial. So the spheres are the same for any number of workers, and on a device.
 *
 * Workload: 10^3 to 10^6 spheres; memory is linear in spheres and triangles. */
#ifndef GRAZE_PACKING_PACKER_H
#define GRAZE_PACKING_PACKER_H

#include "packing/closed_mesh.h"
#include "packing/obstacle_tree_build.h"
#include "packing/packer_stages.h"
#include "packing/pore_heap.h"

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
  bool (*should_finish)(void *context); /* ends the packing after a round; NULL: nothing does */
  void *finish_context;

  packing_space space; /* as the stages have it */
  obstacle_tree_memory mesh_room, sphere_room;
  array spheres; /* OBSTACLE_SPHERE_NUMBERS doubles each, scaled, in the order of placing */
  size_t count;
  double volume; /* of the spheres, scaled */
  pore_heap pores;
  uint64_t generation;      /* of prototypes that begin at no sphere: how many there were, */
  size_t generation_count;  /* how many the last one had of each sort, */
  double generation_radius; /* and when it came */
  array batch;              /* pore: looked at in this round */
  array jobs;               /* prototype_job: what the stages are handed */
} packer;

void packer_init(packer *target);

/* GRAZE_OUT_OF_MEMORY and GRAZE_STOPPED without a message, and what the stages answer. */
graze_result packer_run(packer *target);

/* Has the stages look at pores again: those ascend that were seen last before some sphere was placed, and all have
 * these steps done. */
graze_result packer_refresh(packer *work, pore *pores, size_t count, uint64_t steps);
void packer_release(packer *target);

#endif
