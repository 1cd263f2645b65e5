/* The shared part of all searches on a device: entries and the grid, the lists of a query, and its counters.
 *
 * Entries are those of the grid, in the order of its buckets, unless the method has its own order. Lists keep their
 * memory between queries. */
#ifndef GRAZE_CUDA_DEVICE_SEARCH_H
#define GRAZE_CUDA_DEVICE_SEARCH_H

#include "base/stop_check.h"
#include "cuda/contact_view.h"
#include "cuda/device_operations.h"
#include "cuda/device_scene.h"
#include "cuda/pair_view.h"

/* ---------------------------------------------------------------------------------------------- queries */

/* Properties of a method's search, as bits. */
enum {
  SEARCHES_CELLS = 1, /* looks up entries in cells: these may be bundled, and two objects may be separated */
  COMPARES_BOXES = 2, /* compares boxes in space */
  ORDERS_ENTRIES = 4  /* entries have the method's order, and there is no grid */
};

/* A query for the wrenches of objects instead of pairs. Public numbers are the scene's own. */
typedef struct wrench_query {
  const wrench_rule *rule;
  device_wrench *sums_out; /* one per pair of objects, at the lower one's number times the number of objects */
} wrench_query;

typedef struct device_query {
  bool between, within, skip_neighbors, candidates_only;
  graze_test test;
  double clearance;
  query_focus focus;
  stop_check *stop;             /* checked between launches; NULL: nothing stops it */
  const wrench_query *wrenches; /* NULL: pairs are requested */
  bool is_part;                 /* only part of the pairs, which the method defines */
} device_query;

/* The result of a query. */
typedef struct device_answer {
  size_t pair_count;
  const graze_pair *device_pairs; /* sorted, on the device, until the next update, query or measure; not for wrenches */
  uint64_t hash;                  /* of all pairs, if they are on the device */
  graze_counters counters;        /* those of a query */
  graze_timings timings;
} device_answer;

/* ---------------------------------------------------------------------------------------------- data on the device */

typedef struct device_grid {
  device_buffer tables; /* counts of buckets, later their sums; marks; zeros when a query begins */
  device_buffer entries, cell_boxes, entry_boxes, bundles, entry_solids;
  device_buffer clearance_boxes; /* of a query with a clearance */
  size_t tables_of;              /* number of primitives that tables are laid out for */
  bool is_clear;                 /* tables are zero */
  bool bundles_entries;          /* the last query about everything found crowded cells */
  uint32_t floor_level;          /* of the last update: see device_update.h */
  const void *kept_for;          /* the owner of valid entries, if their inputs have not changed */
} device_grid;

typedef struct pair_lists {
  device_buffer list[LIST_COUNT]; /* for pairs, their keys */
  device_buffer ranks;            /* ranks and grouped keys, or sorted keys */
  device_buffer pairs;
  device_buffer counts; /* zeroed before a query: totals, wrenches, pairs of each group */
  device_buffer focus;
  uint64_t capacity[LIST_COUNT];
  bool sorts_pairs;      /* a query found a primitive with too many partners to rank */
  size_t counts_of;      /* number of primitives that counts are laid out for */
  size_t count_bytes;    /* size used by the last query; 0: none */
  bool counts_are_clear; /* their first count_bytes bytes are zero */
} pair_lists;

typedef struct device_search {
  device_memory *memory;
  const device_scene *scene;
  device_grid grid;
  pair_lists lists;
} device_search;

void device_search_init(device_search *search, const device_scene *scene);

/* ---------------------------------------------------------------------------------------------- views */

/* The sizes of the grid for this number of primitives. */
void view_grid_sizes(size_t primitive_count, grid_view *view);

/* The number of groups in which pairs of this number of primitives are counted. */
uint32_t group_count_of(const device_memory *held, size_t primitive_count, uint32_t *group_bits_out);

/* The view of a query by a method with these properties, with the current lists; all entries are searched. */
grid_view view_of_query(const device_search *search, const device_query *query, uint32_t searches);

/* Restricts the view to this number of primitives, at most those of the scene; its tables are for these only. */
void view_primitives(const device_search *search, size_t primitive_count, grid_view *view);

order_view view_of_order(const device_search *search, const pair_view *pairs);

/* The location of wrench sums; NULL if they are not requested. */
device_wrench *wrench_sums(const device_search *search, const device_query *query);

/* The memory that the update to this number of primitives may clear for the next query. */
cleared_memory next_counts(const device_search *search, size_t primitive_count);

/* ---------------------------------------------------------------------------------------------- memory of a query */

/* Allocates the entries of all primitives of the scene, their grid, and the counters of a query. */
graze_result size_entries(device_search *search, const device_query *query, uint32_t searches);

/* Uploads the focus of a query, if it is not everything. */
graze_result upload_focus(device_search *search, const device_query *query);

/* Allocates the lists with their capacities, and memory for scan and sort. */
graze_result size_lists(device_search *search);

/* The bytes of a list with its capacity; that of the candidates has at least one per primitive, and that of pairs
 * consists of their keys. */
size_t list_bytes(const device_search *search, device_list list);

/* Whether a list was too short; its capacity is then set to the known need. */
bool enlarge_lists(pair_lists *lists, const device_totals *totals);

/* Whether a list exceeds the greatest length. */
bool lists_too_long(const device_totals *totals);

/* Decides from the comparisons of a grid query about everything whether later queries use bundles. */
void update_bundling(device_grid *grid, const device_totals *totals);

/* ---------------------------------------------------------------------------------------------- stages */

/* Clears the counters and the memory of the grid, unless the last update or query did. Called before any stage and
 * outside of a sequence, so that the sequence does not depend on it. */
graze_result clear_counts(device_search *search, const device_query *query);
graze_result clear_grid(device_search *search);

/* Clears the tables after the search, once all queued operations are done. It uses all of the memory bandwidth: later
 * concurrent kernels should need little. */
void queue_grid_clearing(stage_queue *queue, const grid_view *v);

/* Queues the grid and its search; the filters of the candidates; the exact tests; the sort of pairs. */
void queue_entries(stage_queue *queue, const grid_view *v);
void queue_grid_search(stage_queue *queue, const grid_view *v);
void queue_filters(stage_queue *queue, const pair_view *v);
void queue_tests(stage_queue *queue, const pair_view *v);
void queue_order(stage_queue *queue, const order_view *v, uint32_t group_count);

/* ---------------------------------------------------------------------------------------------- counters */

/* The times between the marks of a query. */
graze_timings timings_of(const device_operations *device);

/* Waits, and downloads the counters, and wrenches if they were requested. */
graze_result fetch_totals(device_search *search, const device_query *query, device_totals *totals_out);

#endif
