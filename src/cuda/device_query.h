/* The parts of a query on a device that are shared: by its two ways, all at once (device_find.c) or in chunks of
 * entries where memory or numbers are short (device_chunks.c), and by the k-free measure (device_crowding.c). */
#ifndef GRAZE_CUDA_DEVICE_QUERY_H
#define GRAZE_CUDA_DEVICE_QUERY_H

#include "cuda/device_contacts.h"

/* With the lists as they are now; all entries are searched. */
device_view view_of_query(const device_state *state, const device_query *query);

/* Has the view look at so many primitives, at most those of the scene: its tables are for them alone. */
void view_primitives(const device_state *state, size_t primitive_count, device_view *view);

/* ---------------------------------------------------------------------------------------------- room */

/* Room for the grid of all primitives of the scene, and for so many bytes of what pairs push. */
graze_result size_entries(device_state *state, const device_query *query, size_t push_bytes);

/* What the query is about, where that is not everything. */
graze_result upload_focus(device_state *state, const device_query *query);

/* Neither by trees nor by clusters, and not the reference. */
bool query_is_by_grid(const device_query *query);

/* Room for the lists, as long as state->capacity says, and for scan and sort. */
graze_result size_lists(device_state *state);

/* Bytes of a list as long as state->capacity says, and of that of the candidates at least for one a primitive; the list
 * of pairs is that of their keys. */
size_t list_bytes(const device_state *state, device_list list);

/* Whether a list was too short; state->capacity is then enough for it, as far as that can be known. */
bool enlarge_lists(device_state *state, const device_totals *totals);

/* Whether a bucket has more entries than a byte can count; words count them then. */
bool widen_counts(device_state *state, const device_totals *totals);

/* From what a query of the grid about everything has compared: whether those after it have bundles. */
void note_crowd(device_state *state, const device_totals *totals);

/* Whether a list is longer than can be numbered. */
bool lists_too_long(const device_totals *totals);

/* ---------------------------------------------------------------------------------------------- stages */

/* Zeros where things are counted, and where the grid will be, unless the update before or the query before that has
 * left them there. Before any stage, and outside of a sequence, which so does not depend on it. */
graze_result clear_counts(device_state *state, const device_query *query, const device_view *view);
graze_result clear_grid(device_state *state, const device_view *view);

/* Behind the search, whose tables are zeros again when all that is queued has been done. It takes all of the memory's
 * bandwidth: kernels that come after it should need little. */
void queue_grid_clearing(stage_queue *queue);

/* The grid; the filters of the candidates there are; tests of what those left; pairs in order. */
void queue_entries(stage_queue *queue);
void queue_filters(stage_queue *queue);
void queue_tests(stage_queue *queue);
void queue_order(stage_queue *queue);

/* ---------------------------------------------------------------------------------------------- trees */

/* Where the trees lie, and the lists of their descent: device_trees.c. */
void view_trees(const device_state *state, device_view *view);

/* Room for a descent, and its pairs of bodies. */
graze_result size_descent(device_state *state, const device_query *query);

/* Whether a list of it was too short, and the next run has more room; and whether that is more than can be numbered. */
bool enlarge_descent(device_state *state, const device_totals *totals);
bool descent_is_too_long(const device_state *state);

/* Leaves as entries, in place of the grid; candidates, in place of its search. */
void queue_leaves(stage_queue *queue);
void queue_descent(stage_queue *queue);

/* ---------------------------------------------------------------------------------------------- clusters */

/* Where the clusters lie, and the arrays of their sweep: device_clusters.c. */
void view_clusters(const device_state *state, const device_query *query, device_view *view);

/* Room for the memberships of a query. */
graze_result size_sweep(device_state *state);

/* Whether there were too many of them, or too few launches, and the next run has more; and whether that is more than
 * can be numbered. */
bool enlarge_sweep(device_state *state, const device_totals *totals);
bool sweep_is_too_long(const device_totals *totals);

/* Keeps what a sweep has cost, for the number of clusters of the next frame. */
void note_sweep(device_state *state, const device_totals *totals);

/* Candidates, in place of the search of the grid; entries are the grid's. */
void queue_sweep(stage_queue *queue);

/* ---------------------------------------------------------------------------------------------- pushes */

/* Bytes of the sums for every two objects, which lie behind the totals; 0 where nobody asks for them. */
size_t push_table_bytes(const device_state *state, const device_query *query);

/* Room for what so many pairs push, and the rule by which they do, where it is asked for: device_pushes.c. */
graze_result size_pushes(device_state *state, const device_query *query, uint64_t pair_room);
void view_pushes(const device_state *state, device_view *view);

/* From the keys of the pairs, in place of their order. */
void queue_pushes(stage_queue *queue, const contact_variants *variants);

/* ---------------------------------------------------------------------------------------------- what was counted */

/* The times between the marks of a query. */
graze_timings timings_of(const device_operations *device);

/* Waits, and fetches what was counted; and what pairs push, where it was asked for. */
graze_result fetch_totals(device_state *state, const device_query *query, const device_view *view,
                          device_totals *totals_out);

#endif
