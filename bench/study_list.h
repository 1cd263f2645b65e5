/* The studies that have a file of their own, for the lists in bench_study.c and, the last three, in bench_suite.c. */
#ifndef GRAZE_STUDY_LIST_H
#define GRAZE_STUDY_LIST_H

#include "bench/study_tools.h"

bool study_clusters(study *at);
bool study_methods(study *at);
bool study_curve(study *at);
bool study_sphere_trees(study *at);
bool study_quality(study *at);
bool suite_rigid(study *at);
bool suite_papers(study *at);

#endif
