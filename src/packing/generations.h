/* Prototypes that begin at no sphere: in the cells of a grid over the mesh, and below triangles, so that no thin part
 * is passed over.
 *
 * They come in generations. The first is some hundred cells and triangles, for the largest spheres, whose prototypes
 * see much of the mesh and take long. Each time that the spheres have become half as large comes a generation of four
 * times as many triangles, until every triangle has had its turn, or enough of them. */
#ifndef GRAZE_PACKING_GENERATIONS_H
#define GRAZE_PACKING_GENERATIONS_H

#include "packing/packer.h"

/* Whether a generation is due now that the largest pore has this radius. */
bool generation_is_due(const packer *work, double radius);

/* Fills the jobs with the next generation; some may lie outside of the mesh. */
graze_result generation_start(packer *work);

/* Likewise with places all over the mesh, for when no pore is left: other ones each time. */
graze_result generation_sweep(packer *work);

#endif
