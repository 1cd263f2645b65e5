/* Figures of the thesis on tetrahedra that have a file of their own, for the list in paper_tetrahedra.c. */
#ifndef GRAZE_PAPER_TETRAHEDRA_FIGURES_H
#define GRAZE_PAPER_TETRAHEDRA_FIGURES_H

#include "bench/study_tools.h"

bool figure_tetra_pass(study *at);
bool figure_tetra_brute(study *at);

#endif
