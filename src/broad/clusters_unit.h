/* A cluster as a unit of work: members and an axis as input, candidates as output. Units are independent: each may
 * run on another thread, device or machine, in any order.
 *
 * The members' boxes are sorted by their starts along the axis. The boxes that overlap a box there and start after it
 * then follow it in a row, whose length is known before any two are compared: the position of the first start after its
 * end, minus its own position and one. That is the count by prefix sums of Mainzer and Zachmann ("CDFC: Collision
 * Detection Based on Fuzzy Clustering for Deformable Objects on GPU's", 2013): the number of starts before a place is
 * the scan of ones at starts, and in an array of starts only it is the index. Sweeps are divided into tasks of equal
 * counts.
 *
 * A huge primitive that reaches into the box around the other members is represented by its intersection with the box:
 * each cluster gets its own virtual piece. Pairs of two huge primitives belong to a unit of huge primitives only.
 *
 * Workload: 10^2 to 10^6 members, each of which overlaps a few tens to thousands along the axis and meets ten of
 * them. */
#ifndef GRAZE_BROAD_CLUSTERS_UNIT_H
#define GRAZE_BROAD_CLUSTERS_UNIT_H

#include "broad/box_kernels.h"
#include "broad/candidate_batch.h"
#include "broad/clusters_cover.h"
#include "broad/clusters_order.h"

/* The unit of huge primitives has a number that is not a cluster's. */
#define UNIT_OF_HUGE UINT32_MAX

enum { MEMBER_IS_SHARED = 1, MEMBER_IS_HUGE = 2 };

typedef struct cluster_unit {
  const primitive_view *view;
  const cluster_cover *cover;
  uint32_t cluster;
  const uint32_t *members; /* ascending; without huge ones if there are others */
  uint32_t member_count;
  /* Written by unit_measure. */
  primitive_box bound; /* around the members */
  sweep_axis axis;
  uint32_t count; /* of members and of huge primitives that reach into the bound */
  /* Written by unit_sort, in memory from its caller; one element per entry, in the order of starts. */
  box_list boxes;
  uint32_t *ids;
  primitive_header *headers;
  uint32_t *fourth; /* see partner_rule.h; NULL if all are triangles */
  uint8_t *flags;
  uint32_t *ends;    /* the end of the following entries that overlap it along the axis */
  uint64_t *work;    /* of all entries before; during the sort, the keys */
  uint64_t all_work; /* of all */
} cluster_unit;

/* Memory for sorting a unit, `count` + 1 elements each; floats and numbers have the same size. */
typedef struct unit_scratch {
  float *starts, *ends;
  uint32_t *buckets;
} unit_scratch;

/* Finds the axis, the box around the members if there are huge primitives, and the number of entries. */
void unit_measure(cluster_unit *unit, graze_axis axis, stop_check *stop);

/* Sorts the entries and counts their overlaps. It cannot fail; ends early when a stop is requested. */
void unit_sort(cluster_unit *unit, const unit_scratch *scratch, stop_check *stop);

/* The cost of an entry in addition to its overlaps, in units of overlaps. */
enum { ENTRY_WORK = 8 };

/* The first entry with at least this much work before it. */
uint32_t unit_entry_at(const cluster_unit *unit, uint64_t work);

typedef struct unit_counts {
  uint64_t overlaps, meetings, neighbors, duplicates;
} unit_counts;

enum { SWEEP_ENTRIES = 4096 }; /* boxes compared with one before its hits are passed on */

/* The state of a worker. */
typedef struct unit_lane {
  _Alignas(MEMORY_ALIGNMENT) unit_counts counts;
  const box_kernels *kernels;
  uint32_t hits[SWEEP_ENTRIES + BOX_LIST_PADDING];
  candidate_batch batch;
} unit_lane;

/* Passes on the candidates of entries [first, end) with those after them. Returns whether the task continues. */
bool unit_sweep(const cluster_unit *unit, uint32_t first, uint32_t end, unit_lane *lane);

#endif
