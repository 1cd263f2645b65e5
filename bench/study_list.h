/* Studies that several lists have: those of bench_study.c, of bench_suite.c, and of other programs. */
#ifndef GRAZE_STUDY_LIST_H
#define GRAZE_STUDY_LIST_H

#include "bench/study_tools.h"

bool study_clearance(study *at);
bool study_clusters(study *at);
bool study_methods(study *at);
bool study_sphere_trees(study *at);
bool suite_rigid(study *at);

/* Methods side by side, at most BENCH_PANELS_MAX; NULL is the grid itself. */
typedef struct study_variants {
  const bench_variant *const *list;
  size_t count;
} study_variants;

bool study_depth_of(study *at, const study_variants *of);
bool study_memory_of(study *at, const study_variants *of);

/* Runs on two full balls, and on two surfaces whose triangles cross all over. */
bool study_on_pairs(study *at, bool (*run)(study *at, const bench_scene *scene));

#endif
