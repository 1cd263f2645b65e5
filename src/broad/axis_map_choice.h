/* Detects a badly distributed scene and chooses its map from a sample of its primitives. Runs on the processor, also
 * for scenes on devices. */
#ifndef GRAZE_BROAD_AXIS_MAP_CHOICE_H
#define GRAZE_BROAD_AXIS_MAP_CHOICE_H

#include "broad/axis_map.h"
#include "broad/vertex_normalization.h"

enum {
  SAMPLE_MOST = 1024,
  SAMPLE_FIRST = 256,
  SAMPLE_LEAST = 32,          /* too few samples below this */
  SAMPLE_SHARE = 4,           /* at most every fourth primitive: comparing all of few primitives is as fast */
  SAMPLE_CLUSTERS_MOST = 120, /* two ends each, and some other borders: below AXIS_SEGMENTS */
  CLUSTER_TABLE = 2048,       /* at least twice the sample, a power of two */
  CLUSTER_KNOTS = 2 * SAMPLE_CLUSTERS_MOST + 4
};

/* The number of samples for this number of primitives: 0 for scenes that are too small for a map. */
size_t axis_sample_count(size_t primitive_count);

/* The number of samples that decide whether the scene is unevenly spread. */
static inline size_t axis_first_samples(size_t sample_count) {
  return sample_count < SAMPLE_FIRST ? sample_count : SAMPLE_FIRST;
}

/* A corner of a primitive, chosen by numbers only: the scene's vertex, and its object. Vertices without primitives
 * are never chosen. */
typedef struct sampled_corner {
  uint32_t vertex, object;
} sampled_corner;
size_t axis_sample_primitive(size_t primitive_count, size_t number); /* the primitive of a sample */
sampled_corner axis_sample_corner(const primitive_header *header, size_t number);

/* Samples that are close together. */
typedef struct sample_cluster {
  double low[3], high[3];
  double half;      /* of its longest side */
  int exponent;     /* 2^exponent is above its longest side; equal for clusters of similar size */
  uint32_t members; /* samples */
  uint32_t crowd;   /* the number of them in the fullest cell */
  int32_t cell[3];  /* the fullest cell */
} sample_cluster;

/* Working memory: about 50 KB, too much for a stack. The caller writes the sample. */
typedef struct axis_map_work {
  double sample[SAMPLE_MOST][3];
  uint8_t cluster_of[SAMPLE_MOST];
  uint32_t cell_key[CLUSTER_TABLE];
  uint16_t cell_count[CLUSTER_TABLE];
  sample_cluster clusters[SAMPLE_CLUSTERS_MOST];
  uint32_t cluster_count;
  double knots[CLUSTER_KNOTS];
  axis_map map;
} axis_map_work;

/* Whether too many of the first samples share cells of the normalized cube. The other samples are needed only then. */
bool axis_sample_is_crowded(axis_map_work *work, size_t first_count, const normalizing_transform *normalization);

/* Whether a map improves a crowded scene with this normalization and these bounds; the map is then in work->map. */
bool axis_map_choose(axis_map_work *work, size_t sample_count, const normalizing_transform *normalization,
                     const vertex_bounds *bounds);

/* Whether a map chosen for an earlier frame still fits: few more of the first samples than in that frame are outside
 * of its clusters, and few more share cells. */
bool axis_map_fits(axis_map_work *work, size_t first_count, const axis_map *map);

#endif
