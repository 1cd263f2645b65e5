/* The state of the method "clusters" between frames: the number of its clusters, and their centers, which each update
 * moves. */
#ifndef GRAZE_BROAD_CLUSTERS_STATE_H
#define GRAZE_BROAD_CLUSTERS_STATE_H

#include "broad/clusters_learning.h"
#include "broad/method.h"

/* Chooses the number of clusters from the cost of earlier searches.
 *
 * The cost of a search per primitive, in units of false positives, which are overlaps along the axis of boxes that do
 * not meet:
 *
 *   cost = false positives + (member + meeting * meetings of a member) (members - 1) + cluster * clusters
 *
 * The second term is for primitives at borders, which are members of several clusters and meet others in each of them,
 * the third for finding these members. Most primitives are on surfaces. There, with c clusters, the overlaps of a
 * primitive are proportional to the number of the cluster's primitives over its length, c^-1/2, and the length of
 * borders to c^1/2. So the cost of twice or half as many clusters can be estimated, and the number is doubled or halved
 * if that cost is less by a margin. It depends on counts and not on time: the same frames have the same clusters on
 * every machine.
 *
 * Workload: once per update. */

enum {
  CLUSTERS_AT_START = 2,
  CLUSTERS_AT_START_APART = 4, /* if the objects are apart from each other */
  CLUSTERS_ADAPTIVE_MOST = 256,
  /* Updates without a doubling after the number has been halved; twice as many after each further halving. The cost
   * of more clusters at their borders is known only after a trial, and trials must not happen every other frame. */
  CLUSTERS_PATIENCE = 128,
  CLUSTERS_PATIENCE_MOST = 1 << 14
};

/* Where a search stores its cost in search_notes. */
enum { NOTE_CLUSTERS, NOTE_SEARCHED, NOTE_MEMBERS, NOTE_OVERLAPS, NOTE_MEETINGS };

typedef struct cluster_costs {
  double member, meeting, cluster;
} cluster_costs;

/* Roughly fitted to times on a processor: docs/lab/clusters.md. */
static const cluster_costs processor_costs = {100.0, 40.0, 1.0};

#define CHANGE_MARGIN 0.05 /* of the cost */

static inline uint32_t clusters_next_count(const search_notes *notes, const cluster_costs *costs, uint32_t now) {
  if (notes->words[NOTE_CLUSTERS] == 0 || notes->words[NOTE_SEARCHED] == 0) return now;
  const double searched = (double)notes->words[NOTE_SEARCHED];
  const double false_positives = (double)(notes->words[NOTE_OVERLAPS] - notes->words[NOTE_MEETINGS]) / searched;
  const double members = (double)notes->words[NOTE_MEMBERS] / searched;
  const double meetings = (double)notes->words[NOTE_MEETINGS] / (double)notes->words[NOTE_MEMBERS];
  const double borders = members > 1.0 ? (costs->member + costs->meeting * meetings) * (members - 1.0) : 0.0;
  const double clusters = costs->cluster * (double)now, root = 1.41421356;
  const double bound = (1.0 - CHANGE_MARGIN) * (false_positives + borders + clusters);
  if (false_positives / root + borders * root + 2.0 * clusters < bound)
    return 2 * now < CLUSTERS_ADAPTIVE_MOST ? 2 * now : CLUSTERS_ADAPTIVE_MOST;
  if (now > 1 && false_positives * root + borders / root + 0.5 * clusters < bound) return now / 2;
  return now;
}

typedef struct clusters_state {
  uint32_t wanted; /* number of clusters; 0: adapts */
  graze_axis axis;
  graze_metric distance;
  fuzzy_rule rule;
  uint32_t patience, wait; /* updates without a doubling: after the next halving, and from now on */
  cluster_learner learner;
} clusters_state;

graze_result clusters_create(memory *heap, const method_options *options, void **state_out);
graze_result clusters_update(void *state, const update_input *input);
/* The number of points that centers are learned from. */
uint32_t clusters_sample_size(size_t primitive_count, uint32_t cluster_count);

/* Learns `count` centers from the learner's points. The learner has memory for them. Without points there are no
 * centers. */
void clusters_learn(clusters_state *state, uint32_t count, workers *team);

/* The number of clusters for the next frame, given the current number and the cost of searches since the last
 * update. */
uint32_t clusters_adapt(clusters_state *state, const search_notes *notes, const cluster_costs *costs, uint32_t now);

void clusters_destroy(memory *heap, void *state);

#endif
