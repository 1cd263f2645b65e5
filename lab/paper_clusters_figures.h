/* Figures of the paper on clusters that have their own file. */
#ifndef GRAZE_PAPER_CLUSTERS_FIGURES_H
#define GRAZE_PAPER_CLUSTERS_FIGURES_H

#include "bench/study_tools.h"

bool paper_clusters_cloth(study *at);
bool paper_clusters_funnel(study *at);

#endif
