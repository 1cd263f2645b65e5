/* Scanned bodies filled with tetrahedra, for scenes of the thesis on tetrahedra that were published with such bodies.
 */
#ifndef GRAZE_PAPER_FILLED_H
#define GRAZE_PAPER_FILLED_H

#include "bench/study_tools.h"
#include "mesh_io/mesh.h"

enum { PAPER_FILLED = 2 };

/* A bunny and a head, of about so many tetrahedra each, where the folder of real meshes is there; else `made_out` is
 * false and there are none. The caller releases them by paper_filled_free in every case. False with a message. */
bool paper_filled_make(const study *at, const size_t tetrahedra[PAPER_FILLED], mesh bodies_out[PAPER_FILLED],
                       bool *made_out);
void paper_filled_free(mesh bodies[PAPER_FILLED]);

#endif
