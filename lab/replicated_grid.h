/* The replicated grid, with duplicate elimination: the rival of owners, in which a candidate is met several times and
 * made unique afterwards.
 *
 * A primitive has an entry in every cell of its level that its box reaches into, one to eight. Two primitives of one
 * level meet in every cell that has entries of both; two of different levels in every cell of the coarser level that
 * both reach into. Each such meeting names the pair once, so that a pair comes as often as it has common cells.
 * replicated_sort.c and replicated_map.c make it one. The cells of a level are found by any hash: two cells of one hash
 * share a slot of the table and nothing else.
 *
 * Weller, Debowski and Zachmann, "kDet: Parallel Constant Time Collision Detection for Polygonal Objects", 2017, store
 * primitives so; Mirzayousef Jadid, "Tetrahedral kDet: Linear Time Collision Detection for Tetrahedral Meshes", 2023,
 * lists all pairs from it, sorts them and keeps one of each, or uses a hash map. What is added: the entries of a cell
 * lie together, so that cells of the coarser levels are looked up once for all of them; and raw candidates go into
 * lists that grow, so that none is ever too short. */
#ifndef GRAZE_LAB_REPLICATED_GRID_H
#define GRAZE_LAB_REPLICATED_GRID_H

#include "broad/candidate_batch.h"
#include "broad/grid_build.h"
#include "lab/cell_hashes.h"

/* A grid whose entries are those of all cells that a box reaches into. */
typedef struct replicated_grid {
  grid grid;
  lab_hash hash;
} replicated_grid;

/* Keys have 19 bits an axis: smaller primitives are stored as if they were of this level. */
enum { REPLICATED_LEVEL_LEAST = 11 };

static inline int replicated_level(const primitive_box *box) {
  const int level = grid_level_of_box(box);
  return level > REPLICATED_LEVEL_LEAST ? level : REPLICATED_LEVEL_LEAST;
}

/* Fills a grid, zeroed but for the hash, from the view; false when out of memory, when stopped, or where there would be
 * more entries than 32 bits number. grid_release takes either. */
bool replicated_build(replicated_grid *g, const search *s);

/* Appends all raw candidates of candidates, lower primitive first, to an initialized list. Which worker's lane a
 * meeting is in is not determined; how often it is in the list is. Sets box tests and neighbors in the counts of the
 * search: a neighbor is counted once, in the cell with the lower corner of what the two boxes share. False when out of
 * memory or stopped. */
bool replicated_raw_candidates(const replicated_grid *g, search *s, pair_list *raw_candidates);

/* Passes each candidate once to the sink of the search. The grid is released as soon as it has been read. Returns false
 * if out of memory or stopped. */
bool replicated_find_by_sort(replicated_grid *g, search *s);
bool replicated_find_by_map(replicated_grid *g, search *s);

/* A worker's own; on a stack a batch would be too large for threads of a host. */
typedef struct hand_over_lane {
  _Alignas(MEMORY_ALIGNMENT) search_counts counts;
  candidate_batch batch;
} hand_over_lane;

/* Makes an empty lane for each worker of the search; NULL if out of memory. */
static inline hand_over_lane *hand_over_lanes_make(search *s) {
  const uint32_t worker_count = workers_count(s->workers);
  hand_over_lane *lanes = memory_allocate(s->memory, worker_count, sizeof *lanes);
  for (uint32_t i = 0; lanes != NULL && i < worker_count; i++) {
    lanes[i].counts = (search_counts){0};
    candidate_batch_init(&lanes[i].batch, s, i);
  }
  return lanes;
}

/* Adds the counts of the lanes to those of the search, and frees them. */
static inline void hand_over_lanes_end(hand_over_lane *lanes, search *s) {
  const uint32_t worker_count = workers_count(s->workers);
  for (uint32_t i = 0; i < worker_count; i++) {
    s->counts.candidates += lanes[i].batch.handed_over;
    s->counts.duplicates += lanes[i].counts.duplicates;
  }
  memory_release(s->memory, lanes, worker_count, sizeof *lanes);
}

/* Returns whether the task of the batch continues. */
static inline bool replicated_hand_over(candidate_batch *batch, index_pair pair) {
  const primitive_header *headers = batch->search->view->headers;
  return candidate_batch_add(batch, pair, &headers[pair.a], &headers[pair.b]);
}

/* The methods. */
extern const method method_grid_sort, method_grid_map, method_sort_djb2, method_sort_fnv1a, method_sort_primes;

#endif
