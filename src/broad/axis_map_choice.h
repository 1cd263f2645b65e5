/* Detects a badly distributed scene and chooses its map from a sample of its primitives. Runs on the processor, also
 * for scenes on devices. */
#ifndef GRAZE_BROAD_AXIS_MAP_CHOICE_H
#define GRAZE_BROAD_AXIS_MAP_CHOICE_H

#include "broad/axis_map.h"
#include "broad/vertex_normalization.h"

enum {
  SAMPLE_MOST = 1024,
  SAMPLE_FIRST = 256,
  SAMPLE_LEAST = 32,          /* of fewer nothing can be told */
  SAMPLE_SHARE = 4,           /* at most every fourth primitive: few primitives are compared as fast as looked at */
  SAMPLE_CLUSTERS_MOST = 120, /* two ends each, and some borders more: below AXIS_SEGMENTS */
  CLUSTER_TABLE = 2048,       /* at least twice the sample, a power of two */
  CLUSTER_KNOTS = 2 * SAMPLE_CLUSTERS_MOST + 4
};

/* How many primitives of so many are sampled: 0 for scenes that are too small to care. */
size_t axis_sample_count(size_t primitive_count);

/* How many of them tell whether the scene is badly spread. */
static inline size_t axis_first_samples(size_t sample_count) {
  return sample_count < SAMPLE_FIRST ? sample_count : SAMPLE_FIRST;
}

/* A corner of a primitive that numbers alone choose: the scene's vertex, and the object it belongs to. Vertices that no
 * primitive has are never chosen. */
typedef struct sampled_corner {
  uint32_t vertex, object;
} sampled_corner;
size_t axis_sample_primitive(size_t primitive_count, size_t number); /* whose corner it is */
sampled_corner axis_sample_corner(const primitive_header *header, size_t number);

/* Samples that lie together. */
typedef struct sample_cluster {
  double low[3], high[3];
  double half;      /* of its longest side */
  int exponent;     /* 2^exponent is above its longest side; alike for clusters of about one size */
  uint32_t members; /* samples */
  uint32_t crowd;   /* of them in the fullest cell */
  int32_t cell[3];  /* which that is */
} sample_cluster;

/* Room to choose in: some 50 KB, too much for a stack. The caller fills in the sample. */
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

/* Whether too many of the first samples share cells of the normalized cube. Only then are the others needed. */
bool axis_sample_is_crowded(axis_map_work *work, size_t first_count, const normalizing_transform *normalization);

/* Whether a crowded scene, whose normalized cube and bounds are given, does better with a map, which then is work->map.
 */
bool axis_map_choose(axis_map_work *work, size_t sample_count, const normalizing_transform *normalization,
                     const vertex_bounds *bounds);

/* Whether a map that was chosen for an earlier frame is about as good for the first samples of this one as it was then:
 * hardly more of them lie where it has no cluster, and hardly more share cells. */
bool axis_map_fits(axis_map_work *work, size_t first_count, const axis_map *map);

#endif
