/* The study of the method clusters over any three scenes, for the table `clusters` and for the papers. */
#ifndef GRAZE_STUDY_CLUSTERS_H
#define GRAZE_STUDY_CLUSTERS_H

#include "bench/study_tools.h"

enum { CLUSTER_SCENES = BENCH_PANELS_MAX };

/* Ways to cluster, in the order of their rows; the first four are complete. */
typedef enum cluster_way {
  CLUSTER_PRINCIPAL,
  CLUSTER_PRINCIPAL_THREADED, /* with the most threads, as the other that says so */
  CLUSTER_X,
  CLUSTER_X_THREADED,
  CLUSTER_THESIS,
  CLUSTER_HARD,
  CLUSTER_WAYS
} cluster_way;

typedef struct cluster_scenes {
  const char *names[CLUSTER_SCENES]; /* titles of panels */
  const char *times_file, *members_file;
  bool (*make)(const study *at, size_t scene, bench_scene *scene_out, void *context); /* a message where it fails */
  void (*show)(const study *at, size_t scene, void *context); /* rows were measured: prints, and keeps */
  void *context;
} cluster_scenes;

/* Measures, shows, compares, draws. */
bool study_clusters_of(study *at, const cluster_scenes *of);

/* For `show`. */
size_t cluster_count_count(const study *at);
uint32_t cluster_count_at(size_t number);
const bench_row *cluster_grid_row(const study *at, size_t scene);
const bench_row *cluster_row(const study *at, size_t scene, size_t way, size_t count); /* a cluster_way, a number */

#endif
