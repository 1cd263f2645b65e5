/* Figures of kDet that have their own file, for the list in paper_kdet.c. */
#ifndef GRAZE_PAPER_KDET_FIGURES_H
#define GRAZE_PAPER_KDET_FIGURES_H

#include "bench/study_tools.h"

bool figure_kdet_grid(study *at);
bool figure_kdet_k(study *at);

#endif
