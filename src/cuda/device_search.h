/* What all searches on a device share: entries and the grid, the lists of a query, and what it counts.
 *
 * Entries are the grid's, in the order of its buckets, but for a method that has its own order. Lists keep their room
 * from query to query. */
#ifndef GRAZE_CUDA_DEVICE_SEARCH_H
#define GRAZE_CUDA_DEVICE_SEARCH_H

#include "base/stop_check.h"
#include "cuda/contact_view.h"
#include "cuda/device_queue.h"
#include "cuda/device_scene.h"
#include "cuda/grid_view.h"

/* ---------------------------------------------------------------------------------------------- what is asked */

/* How a method searches, as bits. */
enum {
  SEARCHES_CELLS = 1, /* it looks up entries in cells: these may be bundled, and two objects may be kept apart */
  COMPARES_BOXES = 2, /* where they are in space */
  ORDERS_ENTRIES = 4  /* entries are in an order of its own, and there is no grid */
};

/* What two objects push is asked for, in place of the pairs. Public numbers are the scene's own. */
typedef struct push_question {
  const push_rule *rule;
  device_push *sums_out; /* a place for every two objects, the lower one's number times the number of objects */
} push_question;

typedef struct device_query {
  bool between, within, skip_neighbors, candidates_only;
  graze_test test;
  double clearance;
  query_focus focus;
  stop_check *stop;            /* asked between launches; NULL: nothing stops it */
  const push_question *pushes; /* NULL: pairs are asked for */
  bool is_part;                /* of the pairs: only the method knows which */
} device_query;

/* What a query found out. */
typedef struct device_answer {
  size_t pair_count;
  const graze_pair *device_pairs; /* sorted, on the device, until the next update, query or measure; unless pushes were
                                     asked for */
  uint64_t hash;                  /* of all of them, where they are there */
  graze_counters counters;        /* those that a query fills */
  graze_timings timings;
} device_answer;

/* ---------------------------------------------------------------------------------------------- what is there */

typedef struct device_grid {
  device_buffer tables; /* counts of buckets and then sums over them, marks; zeros when a query begins */
  device_buffer entries, cell_boxes, entry_boxes, bundles, entry_solids;
  device_buffer clearance_boxes; /* of a query with a clearance */
  size_t tables_of;              /* so many primitives tables are laid out for */
  bool is_clear;                 /* they are zeros */
  bool bundles_entries;          /* the last one about everything has found cells crowded */
  uint32_t floor_level;          /* of the last update: see device_floor.h */
  const void *kept_for; /* who has left entries as it needs them, and nothing that they follow from has changed */
} device_grid;

typedef struct pair_lists {
  device_buffer list[LIST_COUNT]; /* that of pairs is their keys */
  device_buffer ranks;            /* and grouped keys; or sorted keys */
  device_buffer pairs;
  device_buffer counts; /* what a query begins with as zeros: totals, what pairs push, pairs of each group */
  device_buffer focus;
  uint64_t capacity[LIST_COUNT];
  bool sorts_pairs;      /* a query has found a primitive with more partners than are ranked */
  size_t counts_of;      /* so many primitives counts are laid out for */
  size_t count_bytes;    /* that the last query began with; 0: none did */
  bool counts_are_clear; /* so many bytes of them are zero */
} pair_lists;

typedef struct device_search {
  device_memory *memory;
  const device_scene *scene;
  device_grid grid;
  pair_lists lists;
} device_search;

void device_search_init(device_search *search, const device_scene *scene);

/* ---------------------------------------------------------------------------------------------- views */

/* The sizes of the grid of so many primitives. */
void view_grid_sizes(size_t primitive_count, grid_view *view);

/* The groups of so many primitives by which pairs are counted: how many. */
uint32_t group_count_of(const device_memory *held, size_t primitive_count, uint32_t *group_bits_out);

/* Of a query by a method that searches so, with the lists as they are now; all entries are searched. */
grid_view view_of_query(const device_search *search, const device_query *query, uint32_t searches);

/* Has the view look at so many primitives, at most those of the scene: its tables are for them alone. */
void view_primitives(const device_search *search, size_t primitive_count, grid_view *view);

order_view view_of_order(const device_search *search, const pair_view *pairs);

/* Where sums of what pairs push lie; NULL where nobody asks for them. */
device_push *push_sums(const device_search *search, const device_query *query);

/* What the update to so many primitives may clear for the query after it. */
cleared_memory next_counts(const device_search *search, size_t primitive_count);

/* ---------------------------------------------------------------------------------------------- room */

/* Room for the entries of all primitives of the scene, their grid, and what a query counts. */
graze_result size_entries(device_search *search, const device_query *query, uint32_t searches);

/* What the query is about, where that is not everything. */
graze_result upload_focus(device_search *search, const device_query *query);

/* Room for the lists, as long as their capacities say, and for scan and sort. */
graze_result size_lists(device_search *search);

/* Bytes of a list as long as its capacity says, and of that of the candidates at least for one a primitive; the list of
 * pairs is that of their keys. */
size_t list_bytes(const device_search *search, device_list list);

/* Whether a list was too short; its capacity is then enough for it, as far as that can be known. */
bool enlarge_lists(pair_lists *lists, const device_totals *totals);

/* Whether a list is longer than can be numbered. */
bool lists_too_long(const device_totals *totals);

/* From what a query of the grid about everything has compared: whether those after it have bundles. */
void note_crowd(device_grid *grid, const device_totals *totals);

/* ---------------------------------------------------------------------------------------------- stages */

/* Zeros where things are counted, and where the grid will be, unless the update before or the query before that has
 * left them there. Before any stage, and outside of a sequence, which so does not depend on it. */
graze_result clear_counts(device_search *search, const device_query *query);
graze_result clear_grid(device_search *search);

/* Behind the search, whose tables are zeros again when all that is queued has been done. It takes all of the memory's
 * bandwidth: kernels that come after it should need little. */
void queue_grid_clearing(stage_queue *queue, const grid_view *v);

/* The grid, and its search; the filters of the candidates there are; tests of what those left; pairs in order. */
void queue_entries(stage_queue *queue, const grid_view *v);
void queue_grid_search(stage_queue *queue, const grid_view *v);
void queue_filters(stage_queue *queue, const pair_view *v);
void queue_tests(stage_queue *queue, const pair_view *v);
void queue_order(stage_queue *queue, const order_view *v, uint32_t group_count);

/* ---------------------------------------------------------------------------------------------- what was counted */

/* The times between the marks of a query. */
graze_timings timings_of(const device_operations *device);

/* Waits, and fetches what was counted; and what pairs push, where it was asked for. */
graze_result fetch_totals(device_search *search, const device_query *query, device_totals *totals_out);

#endif
