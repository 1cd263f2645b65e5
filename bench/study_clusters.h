/* The study of the method clusters over any three scenes, for the table `clusters` and for the papers. */
#ifndef GRAZE_STUDY_CLUSTERS_H
#define GRAZE_STUDY_CLUSTERS_H

#include "bench/study_tools.h"

enum { CLUSTER_SCENES = BENCH_PANELS_MAX };

/* Ways to cluster, in the order of their rows; variants follow them. */
typedef enum cluster_way {
  CLUSTER_PRINCIPAL,
  CLUSTER_PRINCIPAL_THREADED, /* with the most threads, like the other one with this suffix */
  CLUSTER_X,
  CLUSTER_X_THREADED,
  CLUSTER_WAYS
} cluster_way;

typedef struct cluster_scenes cluster_scenes;
struct cluster_scenes {
  const char *names[CLUSTER_SCENES]; /* titles of panels */
  const char *times_file, *members_file;
  bool (*make)(const study *at, size_t scene, bench_scene *scene_out, void *context); /* a message on failure */
  void (*show)(const study *at, const cluster_scenes *of, size_t scene); /* prints and stores the measured rows */
  void *context;
  const bench_variant *const *lossy; /* lose pairs, but none with one cluster */
  size_t lossy_count;
};

/* Measures, prints, compares and draws. */
bool study_clusters_of(study *at, const cluster_scenes *of);

/* For `show`. */
size_t cluster_count_count(const study *at);
uint32_t cluster_count_at(size_t number);
const bench_row *cluster_grid_row(const study *at, const cluster_scenes *of, size_t scene);

/* `way` is a cluster_way, or CLUSTER_WAYS plus the number of a variant; `count` is an index. */
const bench_row *cluster_row(const study *at, const cluster_scenes *of, size_t scene, size_t way, size_t count);

/* The table `clusters`, with or without variants. */
bool study_cloth_clusters(study *at, const bench_variant *const *lossy, size_t lossy_count);

#endif
