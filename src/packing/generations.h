/* Prototypes that do not start at a sphere: in the cells of a grid over the mesh, and below triangles, so that no thin
 * part is missed.
 *
 * They come in generations. The first is a few hundred cells and triangles, for the largest spheres, whose prototypes
 * reach much of the mesh and are slow. Each time the spheres have halved in size, a generation with four times as many
 * triangles follows, until every triangle was used, or enough of them. */
#ifndef GRAZE_PACKING_GENERATIONS_H
#define GRAZE_PACKING_GENERATIONS_H

#include "packing/packer.h"

/* Whether a generation is due, given the radius of the largest pore. */
bool generation_is_due(const packer *work, double radius);

/* Fills the jobs with the next generation; some may start outside the mesh. */
graze_result generation_start(packer *work);

/* The same with places all over the mesh, for use when no pore is left; different ones each time. */
graze_result generation_sweep(packer *work);

#endif
