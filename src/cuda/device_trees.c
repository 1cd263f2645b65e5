/* The method "tree" on a device: memory of a descent, and its stages.
 *
 * The host builds the trees of objects that are added or whose primitives change, and uploads all trees then. The
 * device refits trees of objects that deform, and poses bodies. The host finds the bodies that may meet. A descent is
 * queued as one stage per level, without a wait for the host between them. */
#include "broad/tree_bodies.h"
#include "cuda/cuda_method.h"
#include "cuda/device_operations.h"
#include "cuda/stage_tree_fit.h"

#include <string.h>

TREE_STAGE_LIST(QUEUED_STAGE)
TREE_FIT_STAGE_LIST(QUEUED_STAGE)

/* ---------------------------------------------------------------------------------------------- trees that are
 * refitted
 *
 * The host lists the bodies that have moved, and receives their bounds and the growth of their boxes: 64 bytes per body
 * in each direction. If the boxes of a body have grown too much, its leaves are reordered and its boxes fitted again.
 *
 * Workload: some bodies per frame, or all; none if objects only move as rigid bodies. */

/* Used by an update only: all buffers are spare. */
typedef struct device_tree_fit {
  device_buffer fittings, arrived;
  device_buffer codes; /* codes and sorted codes */
  device_buffer old_leaves;
} device_tree_fit;

/* Bits of a Morton code per axis: finer than the spacing of leaves in any body of millions. */
enum { CODE_BITS_MOST = 14 };

static uint32_t bits_for(uint64_t count) {
  uint32_t bits = 0;
  while (bits < 63 && (UINT64_C(1) << bits) < count) bits++;
  return bits;
}

static uint32_t most_leaves(const tree_forest *forest) {
  uint32_t most = 1;
  for (size_t i = 0; i < forest->body_count; i++)
    most = forest->bodies[i].leaf_count > most ? forest->bodies[i].leaf_count : most;
  return most;
}

/* Whether any body has a task of at least this kind. */
static bool has_tasks(const tree_forest *forest, uint8_t task) {
  for (size_t i = 0; i < forest->body_count; i++)
    if (forest->bodies[i].task >= task) return true;
  return false;
}

/* The state of one update. */
typedef struct fit_run {
  device_tree_fit *own;
  const device_scene *scene;
  device_forest *trees;
  tree_forest *forest; /* the host's */
} fit_run;

/* ---------------------------------------------------------------------------------------------- memory */

static graze_result size_fitting(const fit_run *run) {
  device_memory *held = run->scene->memory;
  const tree_forest *forest = run->forest;
  const bool orders = has_tasks(forest, TREE_ORDER);
  const size_t leaves = orders ? run->trees->leaf_count : 0;
  graze_result result = size_spare(held, &run->own->fittings, forest->body_count * sizeof(tree_fitting));
  if (result == GRAZE_OK) result = size_spare(held, &run->own->arrived, forest->block_count * sizeof(uint32_t));
  if (result == GRAZE_OK) result = size_spare(held, &run->own->codes, 2 * leaves * sizeof(uint64_t));
  if (result == GRAZE_OK) result = size_spare(held, &run->own->old_leaves, leaves * sizeof(uint32_t));
  const device_operations *device = &held->operations;
  return result == GRAZE_OK && orders ? device->reserve(device->context, 0, leaves) : result;
}

/* Releases the lists of an earlier query if memory is short. */
static graze_result make_room(const fit_run *run) {
  const graze_result result = size_fitting(run);
  return result == GRAZE_OUT_OF_MEMORY && release_spares(run->scene->memory) ? size_fitting(run) : result;
}

static tree_fit_view view_of_fitting(const fit_run *run) {
  const tree_forest *forest = run->forest;
  const uint32_t leaf_bits = bits_for(most_leaves(forest)), taken = leaf_bits + bits_for(forest->body_count);
  const uint32_t code_bits = taken < 64 ? (64 - taken) / 3 : 0;
  uint64_t *codes = run->own->codes.data;
  return (tree_fit_view){.scene = device_scene_view(run->scene),
                         .forest = device_forest_view(run->trees),
                         .fittings = run->own->fittings.data,
                         .arrived = run->own->arrived.data,
                         .codes = codes,
                         .sorted_codes = codes + run->trees->leaf_count,
                         .old_leaves = run->own->old_leaves.data,
                         .code_bits = code_bits < CODE_BITS_MOST ? code_bits : CODE_BITS_MOST,
                         .leaf_bits = leaf_bits};
}

/* ---------------------------------------------------------------------------------------------- stages */

static void queue_order_of_leaves(stage_queue *queue, const tree_fit_view *v) {
  const uint32_t bits = 3 * v->code_bits + v->leaf_bits + bits_for(v->forest.body_count);
  queue_stage(queue, tree_code, v);
  queue_sort(queue, v->codes, v->sorted_codes, v->forest.leaf_count, bits > 0 ? bits : 1);
  queue_stage(queue, tree_order, v);
}

static graze_result run_tasks(const fit_run *run, tree_fitting *fittings) {
  device_memory *held = run->scene->memory;
  const device_operations *device = &held->operations;
  const size_t bytes = run->forest->body_count * sizeof *fittings;
  graze_result result = upload(held, &run->own->fittings, 0, fittings, bytes);
  if (result != GRAZE_OK) return result;
  const tree_fit_view view = view_of_fitting(run);
  stage_queue queue = {device, GRAZE_OK};
  queue_clear(&queue, view.arrived, 0, run->forest->block_count * sizeof(uint32_t));
  queue_stage(&queue, tree_bounds, &view);
  queue_stage(&queue, tree_space, &view);
  if (has_tasks(run->forest, TREE_ORDER)) queue_order_of_leaves(&queue, &view);
  queue_stage(&queue, tree_fit, &view);
  return queue.result == GRAZE_OK ? device->download(device->context, fittings, view.fittings, bytes) : queue.result;
}

/* Poses all bodies; they belong to the scene's objects. */
static graze_result pose_bodies(const device_scene *scene, const device_forest *trees) {
  const tree_fit_view view = {.scene = device_scene_view(scene), .forest = device_forest_view(trees)};
  stage_queue queue = {&scene->memory->operations, GRAZE_OK};
  queue_stage(&queue, tree_pose, &view);
  return queue.result;
}

/* ---------------------------------------------------------------------------------------------- tasks */

static void list_tasks(const tree_forest *forest, tree_fitting *fittings_out) {
  memset(fittings_out, 0, forest->body_count * sizeof *fittings_out);
  for (size_t i = 0; i < forest->body_count; i++) fittings_out[i].task = forest->bodies[i].task;
}

static void take_measures(const fit_run *run, const tree_fitting *fittings) {
  tree_forest *forest = run->forest;
  for (uint32_t i = 0; i < forest->body_count; i++) {
    if (fittings[i].task == TREE_DONE) continue;
    const tree_measures measured = {fitting_box(&fittings[i]), 0x1p-24 * (double)fittings[i].area, fittings[i].small};
    tree_forest_take_measures(forest, i, &measured, &run->scene->tables.sources[forest->bodies[i].object]);
  }
}

/* Whether bodies of the host's forest have tasks for a device. */
static bool fit_is_due(const tree_forest *forest) {
  return has_tasks(forest, TREE_FIT);
}

/* Runs these tasks, if the device has all of the forest's trees, and reports the measurements to the host. Tasks that
 * fail stay as they are. */
static graze_result run_fit(device_tree_fit *own, const device_scene *scene, device_forest *trees,
                            tree_forest *forest) {
  const fit_run run = {own, scene, trees, forest};
  memory *scratch = scene->memory->scratch;
  graze_result result = GRAZE_OK;
  if (!has_tasks(forest, TREE_FIT)) return GRAZE_OK;
  tree_fitting *fittings = memory_allocate(scratch, forest->body_count, sizeof *fittings);
  if (fittings == NULL) return GRAZE_OUT_OF_MEMORY;
  /* At most twice: reordering again does not improve the boxes. */
  while (result == GRAZE_OK && has_tasks(forest, TREE_FIT)) {
    list_tasks(forest, fittings);
    result = make_room(&run);
    if (result == GRAZE_OK) result = run_tasks(&run, fittings);
    if (result == GRAZE_OK) take_measures(&run, fittings);
  }
  /* If reordering fails, the order of leaves is unknown. */
  if (result != GRAZE_OK) trees->of = NULL;
  memory_release(scratch, fittings, forest->body_count, sizeof *fittings);
  return result;
}

static void release_fit(device_tree_fit *own, device_memory *held) {
  release_buffer(held, &own->fittings);
  release_buffer(held, &own->arrived);
  release_buffer(held, &own->codes);
  release_buffer(held, &own->old_leaves);
}

/* ---------------------------------------------------------------------------------------------- the method */

enum { LEAST_ENTRIES = 1 << 14, ENTRIES_A_PAIR = 32 };

/* The longest list that thread indices can address. */
#define MOST_ENTRIES ((uint64_t)UINT32_MAX / TREE_NODE_PAIRS - 1)

_Static_assert(sizeof(tree_view) <= METHOD_VIEW_MOST, "the view fits into a run");

typedef struct device_trees {
  device_search *search;
  tree_forest host; /* the host's copy: the bodies, their poses, and the trees that the host built */
  device_forest forest;
  device_tree_fit fit;
  device_buffer pairs, related, entries, more_entries; /* of a descent */
  size_t pair_capacity;
  uint64_t entry_capacity;
  const body_pair_list
      *query_pairs;  /* of the current query: pairs of bodies that may meet, and bodies searched within themselves */
  uint64_t searched; /* leaves of these bodies */
} device_trees;

static graze_result create_trees(device_search *shared, const method_options *options, void **state_out) {
  device_trees *own = memory_allocate(shared->memory->heap, 1, sizeof *own);
  if (own == NULL) return GRAZE_OUT_OF_MEMORY;
  memset(own, 0, sizeof *own);
  own->search = shared;
  const tree_options chosen = tree_options_of(options);
  tree_forest_init(&own->host, shared->memory->heap, &chosen);
  *state_out = own;
  return GRAZE_OK;
}

static void destroy_trees(void *state) {
  device_trees *own = state;
  device_memory *held = own->search->memory;
  device_forest_release(&own->forest, held);
  release_fit(&own->fit, held);
  release_buffer(held, &own->pairs);
  release_buffer(held, &own->related);
  release_buffer(held, &own->entries);
  release_buffer(held, &own->more_entries);
  tree_forest_release(&own->host);
  memory_release(held->heap, own, 1, sizeof *own);
}

static graze_result update_trees(void *state, const update_input *input) {
  device_trees *own = state;
  const device_scene *scene = own->search->scene;
  const object_source *sources = input->view->sources;
  tree_forest *forest = &own->host;
  graze_result result = tree_forest_update_for_device(forest, input);
  if (result != GRAZE_OK) return result;
  const bool takes = own->forest.of == NULL || forest->shapes_are_new;
  if (takes) result = device_forest_take(&own->forest, scene->memory, forest, sources);
  if (takes || fit_is_due(forest)) own->search->grid.kept_for = NULL; /* leaves move among entries */
  if (result != GRAZE_OK) return result;
  forest->shapes_are_new = false;
  result = run_fit(&own->fit, scene, &own->forest, forest);
  tree_forest_pose_measured(forest, sources, input->workers);
  return result == GRAZE_OK ? pose_bodies(scene, &own->forest) : result;
}

static bool suits(const void *state) {
  return tree_forest_suits(&((const device_trees *)state)->host);
}

static bool is_ready(const void *state) {
  return ((const device_trees *)state)->forest.of != NULL;
}

static const device_forest *uploaded_trees(const void *state) {
  return &((const device_trees *)state)->forest;
}

/* ---------------------------------------------------------------------------------------------- a descent */

/* Uploads the pairs of bodies, preceded by their number. The buffer is larger than needed, so that the stages do not
 * change from frame to frame. */
static graze_result upload_pairs(device_trees *own) {
  device_memory *held = own->search->memory;
  const size_t count = own->query_pairs->count;
  const body_pair number = {(uint32_t)count, 0};
  if (count > own->pair_capacity || own->pair_capacity == 0) own->pair_capacity = count + count / 4 + 64;
  graze_result result = size_spare(held, &own->pairs, (1 + own->pair_capacity) * sizeof(body_pair));
  if (result == GRAZE_OK) result = size_spare(held, &own->related, own->pair_capacity * sizeof(related_trees));
  if (result == GRAZE_OK) result = upload(held, &own->pairs, 0, &number, sizeof number);
  return result == GRAZE_OK
             ? upload(held, &own->pairs, sizeof number, own->query_pairs->pairs, count * sizeof(body_pair))
             : result;
}

static graze_result reserve_trees(void *state, const device_query *query) {
  device_trees *own = state;
  device_memory *held = own->search->memory;
  const size_t pairs = own->query_pairs->count, hint = held->operations.first_capacity;
  (void)query;
  if (pairs > MOST_ENTRIES) return GRAZE_TOO_LARGE;
  graze_result result = upload_pairs(own);
  if (own->entry_capacity == 0) {
    own->entry_capacity = hint != 0 ? hint : ENTRIES_A_PAIR * (uint64_t)pairs + LEAST_ENTRIES;
    if (own->entry_capacity > MOST_ENTRIES) own->entry_capacity = MOST_ENTRIES;
  }
  const size_t bytes = (size_t)own->entry_capacity * sizeof(tree_entry);
  if (result == GRAZE_OK) result = size_spare(held, &own->entries, bytes);
  if (result == GRAZE_OK) result = size_spare(held, &own->more_entries, bytes);
  return result;
}

static void view_trees(const void *state, const grid_view *grid, void *view_out) {
  const device_trees *own = state;
  tree_view *view = view_out;
  view->pairs = grid->pairs;
  view->forest = device_forest_view(&own->forest);
  view->body_pairs = own->pairs.data;
  view->related = own->related.data;
  view->entries[0] = own->entries.data;
  view->entries[1] = own->more_entries.data;
  view->entry_capacity = own->entry_capacity;
  view->pair_capacity = (uint32_t)own->pair_capacity;
  view->top = own->forest.top;
  view->are_entries = own->search->grid.kept_for == own && grid->pairs.scene.slots == 0.0f ? 1 : 0;
}

static bool enlarge_candidates(void *state, const device_totals *totals) {
  device_trees *own = state;
  uint64_t most = 0;
  for (int i = 0; i <= TREE_LEVELS; i++) most = totals->tree_entries[i] > most ? totals->tree_entries[i] : most;
  if (most <= own->entry_capacity) return false;
  own->entry_capacity = grown_capacity(most);
  return true;
}

static bool is_too_long(const void *state, const device_totals *totals) {
  (void)totals;
  return ((const device_trees *)state)->entry_capacity > MOST_ENTRIES;
}

static void reset_capacities(void *state) {
  ((device_trees *)state)->entry_capacity = 0;
}

static void queue_leaves(stage_queue *queue, const void *view) {
  const tree_view *v = view;
  queue_mark(queue, MARK_BEGIN);
  queue_mark(queue, MARK_BOXES);
  if (v->are_entries == 0) queue_stage(queue, tree_leaf, v);
  queue_mark(queue, MARK_BUILT);
}

static void queue_descent(stage_queue *queue, const grid_view *grid, const void *view) {
  tree_view stepped = *(const tree_view *)view;
  (void)grid;
  queue_stage(queue, tree_relate, &stepped);
  for (; stepped.step <= stepped.top; stepped.step++) queue_stage(queue, tree_descend, &stepped);
}

static void count_candidates(void *state, const device_query *query, const device_totals *totals,
                             graze_counters *counters) {
  (void)query;
  (void)totals;
  counters->searched = ((const device_trees *)state)->searched;
}

static const search_steps by_descent = {.searches = ORDERS_ENTRIES,
                                        .reserve = reserve_trees,
                                        .view = view_trees,
                                        .queue_entries = queue_leaves,
                                        .queue_candidates = queue_descent,
                                        .enlarge = enlarge_candidates,
                                        .is_too_long = is_too_long,
                                        .reset_capacities = reset_capacities,
                                        .count = count_candidates};

/* If no bodies meet, the device is not used. */
static graze_result find_among(const tree_forest *forest, device_trees *own, device_wrenches *wrenches,
                               const cuda_request *request, device_answer *answer_out) {
  const search *host = request->host;
  body_pair_list list = {0};
  graze_result result = tree_find_body_pairs(forest, host, &list);
  if (result == GRAZE_OK && stop_was_requested(host->stop)) result = GRAZE_STOPPED;
  if (result == GRAZE_OK && !tree_count_searched(forest, &list, host->memory, &own->searched))
    result = GRAZE_OUT_OF_MEMORY;
  own->query_pairs = &list;
  if (result == GRAZE_OK && list.count > 0)
    result = device_find(own->search, wrenches, &by_descent, own, request->query, answer_out);
  own->query_pairs = NULL;
  body_pair_list_release(&list, host->memory);
  return result;
}

static graze_result find_with_trees(void *state, device_wrenches *wrenches, const cuda_request *request,
                                    device_answer *answer_out) {
  device_trees *own = state;
  memory *heap = request->host->memory;
  tree_forest grown;
  if (!(request->query->clearance > 0.0)) return find_among(&own->host, own, wrenches, request, answer_out);
  const graze_result result = tree_bodies_grow(&own->host, request->query->clearance, heap, &grown)
                                  ? find_among(&grown, own, wrenches, request, answer_out)
                                  : GRAZE_OUT_OF_MEMORY;
  tree_bodies_release(&grown, heap);
  return result;
}

const cuda_method cuda_tree = {.steps = &by_descent,
                               .create = create_trees,
                               .update = update_trees,
                               .suits = suits,
                               .is_ready = is_ready,
                               .find = find_with_trees,
                               .trees = uploaded_trees,
                               .destroy = destroy_trees};
