/* A cluster as a unit of work: its members and an axis in, candidates out. Units know nothing of each other: any of
 * them may be handed to another thread, device or machine, and in any order.
 *
 * The members' boxes are sorted by where they start along the axis. Those that a box overlaps there, of those that
 * start after it, then follow it in a row, and how many they are is known for all before any two are compared: the
 * position of the first start behind its end, less its own and one. That is the count by prefix sums of Mainzer and
 * Zachmann ("CDFC: Collision Detection Based on Fuzzy Clustering for Deformable Objects on GPU's", 2013): the number of
 * starts before a place is the scan of ones at starts, and in an array of nothing but starts it is the index. Sweeps
 * are cut into tasks of equal counts.
 *
 * Huge primitives take part where they reach into the box around the other members, as what they have in common with
 * it: each cluster gets its own virtual piece. Pairs of two huge ones belong to a unit of huge ones alone.
 *
 * Workload: 10^2 to 10^6 members, each overlapping some tens to thousands along the axis, of which ten meet it. */
#ifndef GRAZE_BROAD_CLUSTERS_UNIT_H
#define GRAZE_BROAD_CLUSTERS_UNIT_H

#include "broad/box_kernels.h"
#include "broad/candidate_batch.h"
#include "broad/clusters_cover.h"
#include "broad/clusters_order.h"

/* The unit of huge primitives has no number of a cluster. */
#define UNIT_OF_HUGE UINT32_MAX

enum { MEMBER_IS_SHARED = 1, MEMBER_IS_HUGE = 2 };

typedef struct cluster_unit {
  const primitive_view *view;
  const cluster_cover *cover;
  uint32_t cluster;
  const uint32_t *members; /* ascending; without the huge ones where there are others */
  uint32_t member_count;
  /* Made by unit_measure. */
  primitive_box bound; /* around the members */
  sweep_axis axis;
  uint32_t count; /* of members and of huge primitives that reach into the box */
  /* Made by unit_sort, in memory that its caller gives; an entry each, in the order of starts. */
  box_list boxes;
  uint32_t *ids;
  primitive_header *headers;
  uint32_t *fourth; /* see partner_rule.h; NULL where all are triangles */
  uint8_t *flags;
  uint32_t *ends;    /* of the entries that overlap it along the axis and follow it */
  uint64_t *work;    /* of all entries before; while they are sorted, their keys */
  uint64_t all_work; /* of all */
} cluster_unit;

/* Memory for sorting a unit, of `count` each and one more; floats and numbers have the same size. */
typedef struct unit_scratch {
  float *starts, *ends;
  uint32_t *buckets;
} unit_scratch;

/* Finds the axis, the box around the members where there are huge primitives, and how many entries there will be. */
void unit_measure(cluster_unit *unit, graze_axis axis, stop_check *stop);

/* Sorts the entries and counts their overlaps. It cannot fail; left early when a stop is asked for. */
void unit_sort(cluster_unit *unit, const unit_scratch *scratch, stop_check *stop);

/* What an entry costs beside its overlaps, in overlaps. */
enum { ENTRY_WORK = 8 };

/* The first entry with at least so much work before it. */
uint32_t unit_entry_at(const cluster_unit *unit, uint64_t work);

typedef struct unit_counts {
  uint64_t overlaps, meetings, neighbors, duplicates;
} unit_counts;

enum { SWEEP_ENTRIES = 4096 }; /* boxes compared with one before their hits are handed on */

/* A worker's own. */
typedef struct unit_lane {
  _Alignas(MEMORY_ALIGNMENT) unit_counts counts;
  const box_kernels *kernels;
  uint32_t hits[SWEEP_ENTRIES + BOX_LIST_ROOM];
  candidate_batch batch;
} unit_lane;

/* Hands over the candidates of entries [first, end) with those after them. Whether the task goes on. */
bool unit_sweep(const cluster_unit *unit, uint32_t first, uint32_t end, unit_lane *lane);

#endif
