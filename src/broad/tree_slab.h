/* Slabs: in addition to its box, a node of a rigid body's tree has two parallel planes that enclose its contents.
 *
 * Boxes along the axes of a body are thick around an oblique piece of surface, so nodes of two grazing bodies are hard
 * to separate. Between two planes along the surface the piece is thin; the box of the other tree's node, rotated into
 * this one's axes, is also compared with them. This corresponds to an oriented box for the one direction that matters
 * most. Four siblings are stored together, as their boxes are. Compiled for a GPU too. */
#ifndef GRAZE_BROAD_TREE_SLAB_H
#define GRAZE_BROAD_TREE_SLAB_H

#include "broad/tree_layout.h"

/* A point x of a node has |normal . x - middle| <= half, exactly, in the body's own coordinates. */
typedef struct tree_slab {
  float normal[3][TREE_FANOUT]; /* of length about 1 */
  float middle[TREE_FANOUT];
  float half[TREE_FANOUT]; /* always finite: it is multiplied by numbers that may be 0 */
} tree_slab;

struct body_work; /* tree_body.h */

/* Fits all slabs for the current order and positions. */
void tree_fit_slabs(const struct body_work *work);

#endif
