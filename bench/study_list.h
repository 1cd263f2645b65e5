/* Studies that several lists share: those of bench_study.c, of bench_suite.c, and of other programs. */
#ifndef GRAZE_STUDY_LIST_H
#define GRAZE_STUDY_LIST_H

#include "bench/study_tools.h"

bool study_clearance(study *at);
bool study_clusters(study *at);
bool study_methods(study *at);
bool study_sphere_trees(study *at);
bool suite_rigid(study *at);

/* Methods to compare, at most BENCH_PANELS_MAX; NULL is the grid. */
typedef struct study_variants {
  const bench_variant *const *list;
  size_t count;
} study_variants;

bool study_depth_of(study *at, const study_variants *of);
bool study_memory_of(study *at, const study_variants *of);

/* Runs on two solid balls, and on two surfaces with many crossing triangles. */
bool study_on_pairs(study *at, bool (*run)(study *at, const bench_scene *scene));

#endif
