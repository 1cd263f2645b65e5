/* Parts of a query on a device: its view, room for grid and lists, the order of its stages. */
#include "cuda/device_query.h"

#include "cuda/device_memory.h"

#include <string.h>

enum { TOTALS_BYTES = (sizeof(device_totals) + 255) / 256 * 256 };

/* The tables of the grid, then what is counted: totals, what pairs push, pairs of each group. The latter begin
 * where they do for all primitives, however few there are in the grid. */
static void view_tables(const device_state *state, size_t primitive_count, size_t push_bytes, device_view *view) {
  char *tables = state->buffers[BUFFER_TABLES].data, *counts = tables + grid_table_bytes(state);
  view_grid(primitive_count, view);
  view_groups(state, primitive_count, view);
  view->bucket_start = (uint32_t *)(void *)tables;
  view->bucket_counts = state->counts_by_words ? NULL : (uint32_t *)(void *)(tables + bucket_counts_place(view));
  view->marks = (uint64_t *)(void *)(tables + marks_place(view));
  view->totals = (device_totals *)(void *)counts;
  view->pushes = push_bytes > 0 ? (device_push *)(void *)(counts + TOTALS_BYTES) : NULL;
  view->pair_first = (uint32_t *)(void *)(counts + TOTALS_BYTES + push_bytes);
}

static size_t count_bytes(const device_state *state, size_t push_bytes) {
  device_view view;
  view_groups(state, state->primitive_count, &view);
  return TOTALS_BYTES + push_bytes + ((size_t)view.group_count + 1) * sizeof(uint32_t);
}

void view_primitives(const device_state *state, size_t primitive_count, device_view *view) {
  view_tables(state, primitive_count, 0, view);
}

bool query_is_by_grid(const device_query *query) {
  return !query->by_trees && !query->by_clusters && !query->by_brute;
}

static bool entries_are_bundled(const device_state *state, const device_query *query) {
  return state->bundles_entries && query_is_by_grid(query);
}

/* Two objects are kept apart where nobody asks for pairs within one of them. Where boxes reach two cells an entry would
 * have to look at more lines of its own level than there are bits for. */
static query_sides sides_of(const device_state *state, const device_query *query, const device_view *view) {
  const query_focus *focus = &query->focus;
  if (!query_is_by_grid(query) || !query->between || query->within || view->reach_bits != 0) return SIDES_NONE;
  if (focus->object_count == 2 && focus->objects[0] != focus->objects[1]) return SIDES_OF_FOCUS;
  return state->object_count == 2 ? SIDES_OF_SCENE : SIDES_NONE;
}

/* Others than the grid compare boxes where they are in space. */
static bool boxes_are_compared(const device_query *query) {
  return query->by_brute || query->by_clusters;
}

/* Kept apart, two objects have no neighbours in each other. */
static pair_rule pair_rule_of(const device_state *state, const device_query *query, const device_view *view) {
  if (state->special_rules > 0) return PAIRS_BY_OBJECTS;
  if (view->sides != SIDES_NONE) return PAIRS_ALL;
  const bool between = query->between || state->object_count == 1; /* there is nothing between one object */
  if (!between || !query->within || view->focus != NULL) return PAIRS_BY_OBJECTS;
  if (!query->skip_neighbours) return PAIRS_ALL;
  return view->only_triangles != 0 || view->only_tetrahedra != 0 ? PAIRS_BUT_NEIGHBOURS : PAIRS_BY_OBJECTS;
}

device_view view_of_query(const device_state *state, const device_query *query) {
  const device_buffer *buffers = state->buffers;
  device_view view = device_scene_view(state);
  view_tables(state, state->primitive_count, push_table_bytes(state, query), &view);
  view.bucket_of = buffers[BUFFER_FIRST_LIST + LIST_CANDIDATES].data;
  view.rank_of = view.bucket_of != NULL ? view.bucket_of + state->primitive_count : NULL;
  view.entries = buffers[BUFFER_ENTRIES].data;
  view.cell_boxes = buffers[BUFFER_CELL_BOXES].data;
  view.entry_boxes = boxes_are_compared(query) ? buffers[BUFFER_ENTRY_BOXES].data : NULL;
  view.bundle_boxes = entries_are_bundled(state, query) ? buffers[BUFFER_BUNDLES].data : NULL;
  view.entry_solids = state->has_batch[BATCH_TETRAHEDRA] ? buffers[BUFFER_ENTRY_SOLIDS].data : NULL;
  for (int i = 0; i < LIST_PAIRS; i++) view.list[i] = buffers[BUFFER_FIRST_LIST + i].data;
  for (int i = 0; i < LIST_COUNT; i++) view.list_capacity[i] = state->capacity[i];
  view.keys = buffers[BUFFER_KEYS].data;
  view.sorted_keys = view.grouped_keys = buffers[BUFFER_RANKS].data;
  view.pair_rank = view.grouped_keys != NULL ? (uint32_t *)(view.grouped_keys + state->capacity[LIST_PAIRS]) : NULL;
  view.pairs = buffers[BUFFER_PAIRS].data;
  view.between = query->between ? 1 : 0;
  view.within = query->within ? 1 : 0;
  view.skip_neighbours = query->skip_neighbours ? 1 : 0;
  view.candidates_only = query->candidates_only ? 1 : 0;
  view.focus = focus_is_narrow(&query->focus) ? buffers[BUFFER_FOCUS].data : NULL;
  view.sides = sides_of(state, query, &view);
  view.pair_rule = pair_rule_of(state, query, &view);
  view.floor_level = state->floor_level;
  view.sort_pairs = state->sorts_pairs ? 1 : 0;
  view.entry_limit = UINT32_MAX;
  view.test = query->test;
  view.searched_by = query->by_trees ? 1 : query->by_brute ? 2 : query->by_clusters ? 3 : 0;
  if (query->by_trees) view_trees(state, &view);
  if (query->by_clusters) view_clusters(state, query, &view);
  if (query->push_rule != NULL) view_pushes(state, &view);
  return view;
}

/* ---------------------------------------------------------------------------------------------- room for a query */

/* Until primitives are entries, bucket and rank of each lie where candidates will. */
size_t list_bytes(const device_state *state, device_list list) {
  uint64_t items = state->capacity[list];
  if (list == LIST_CANDIDATES && items < state->primitive_count) items = state->primitive_count;
  return items * (list == LIST_PAIRS ? sizeof(uint64_t) : sizeof(index_pair));
}

/* Of so many pairs: keys by their lower primitives, and where each comes there. */
static size_t rank_bytes(uint64_t pairs) {
  return pairs * (sizeof(uint64_t) + sizeof(uint32_t));
}

graze_result size_lists(device_state *state) {
  graze_result result = GRAZE_OK;
  for (int i = 0; i < LIST_COUNT && result == GRAZE_OK; i++)
    result = size_spare(&state->memory, &state->buffers[BUFFER_FIRST_LIST + i], list_bytes(state, (device_list)i));
  if (result == GRAZE_OK)
    result = size_spare(&state->memory, &state->buffers[BUFFER_RANKS], rank_bytes(state->capacity[LIST_PAIRS]));
  if (result == GRAZE_OK)
    result =
        size_spare(&state->memory, &state->buffers[BUFFER_PAIRS], state->capacity[LIST_PAIRS] * sizeof(graze_pair));
  const device_operations *device = &state->memory.operations;
  const device_view view = device_scene_view(state);
  const size_t longest_scan = (view.bucket_slots > view.primitive_count ? view.bucket_slots : view.primitive_count) + 1;
  if (result == GRAZE_OK)
    result =
        device->reserve(device->context, longest_scan, state->sorts_pairs ? (size_t)state->capacity[LIST_PAIRS] : 0);
  return result;
}

/* Where primitives are as many as before and there is as much room, tables lie where they did. */
graze_result size_entries(device_state *state, const device_query *query, size_t push_bytes) {
  const size_t primitives = state->primitive_count, tables = grid_table_bytes(state) + count_bytes(state, push_bytes);
  if (tables > state->buffers[BUFFER_TABLES].bytes || state->tables_of != primitives) {
    state->grid_is_clear = state->counts_are_clear = false;
    state->count_bytes = 0;
  }
  state->tables_of = primitives;
  graze_result result = size_buffer(&state->memory, &state->buffers[BUFFER_TABLES], tables);
  if (result == GRAZE_OK)
    result = size_buffer(&state->memory, &state->buffers[BUFFER_ENTRIES], primitives * sizeof(device_entry));
  if (result == GRAZE_OK)
    result = size_buffer(&state->memory, &state->buffers[BUFFER_CELL_BOXES], primitives * sizeof(cell_box));
  if (result == GRAZE_OK && boxes_are_compared(query))
    result = size_buffer(&state->memory, &state->buffers[BUFFER_ENTRY_BOXES], primitives * sizeof(entry_box));
  if (result == GRAZE_OK && entries_are_bundled(state, query))
    result = size_buffer(&state->memory, &state->buffers[BUFFER_BUNDLES],
                         (primitives / BUNDLE_ENTRIES + 1) * sizeof(entry_box));
  if (result == GRAZE_OK && state->has_batch[BATCH_TETRAHEDRA])
    result = size_buffer(&state->memory, &state->buffers[BUFFER_ENTRY_SOLIDS], primitives * sizeof(solid_corners));
  return result;
}

graze_result upload_focus(device_state *state, const device_query *query) {
  if (!focus_is_narrow(&query->focus)) return GRAZE_OK;
  device_focus focus;
  memset(&focus, 0, sizeof focus);
  focus.asked = query->focus;
  return upload_all(&state->memory, &state->buffers[BUFFER_FOCUS], &focus, sizeof focus);
}

/* Makes room for what the counters ask for. When a list was cut short, those made from it have counted too little: they
 * grow in the same proportion, so that the next run is likely the last. */
bool enlarge_lists(device_state *state, const device_totals *totals) {
  bool enlarged = false;
  double growth = 1.0;
  for (int i = 0; i < LIST_COUNT; i++) {
    const uint64_t count = totals->list[i], capacity = state->capacity[i];
    const uint64_t expected = (uint64_t)((double)count * growth);
    if (count > capacity || (growth > 1.0 && expected > capacity)) state->capacity[i] = room_for(expected);
    enlarged = enlarged || count > capacity;
    if (count > capacity && i == LIST_CANDIDATES) growth = (double)count / (double)capacity;
  }
  return enlarged;
}

bool widen_counts(device_state *state, const device_totals *totals) {
  if (totals->crowded == 0) return false;
  state->counts_by_words = true;
  state->grid_is_clear = false; /* where words will count there are sums */
  return true;
}

/* Bundles pay where an entry is compared with so many boxes, and so few of these meet it. They stay for half as many,
 * so that a scene that moves does not take turns, each of which is another graph. */
enum { CROWDED_BOXES = 512, CROWDED_IN_VAIN = 32 };

void note_crowd(device_state *state, const device_totals *totals) {
  const uint64_t compared = tally_sum(totals, TALLY_BOX_TESTS) + tally_sum(totals, TALLY_SPARED);
  const uint64_t boxes = state->bundles_entries ? 2 * compared : compared;
  const uint64_t met = totals->list[LIST_CANDIDATES] + tally_sum(totals, TALLY_NEIGHBOURS);
  state->bundles_entries =
      compared > 0 && boxes / CROWDED_BOXES >= totals->entry_count && boxes / CROWDED_IN_VAIN >= met;
}

bool lists_too_long(const device_totals *totals) {
  for (int i = 0; i < LIST_COUNT; i++)
    if (totals->list[i] > LONGEST_LIST) return true;
  return false;
}

graze_result clear_counts(device_state *state, const device_query *query, const device_view *view) {
  const device_operations *device = &state->memory.operations;
  const size_t bytes = count_bytes(state, push_table_bytes(state, query));
  const bool are_clear = state->counts_are_clear && bytes <= state->count_bytes;
  state->counts_are_clear = false;
  state->count_bytes = bytes;
  return are_clear ? GRAZE_OK : device->clear(device->context, view->totals, 0, bytes);
}

graze_result clear_grid(device_state *state, const device_view *view) {
  const device_operations *device = &state->memory.operations;
  const bool is_clear = state->grid_is_clear;
  state->grid_is_clear = false;
  return is_clear ? GRAZE_OK : device->clear(device->context, view->bucket_start, 0, grid_table_bytes(state));
}

void queue_grid_clearing(stage_queue *queue) {
  const device_view *v = queue->view;
  uint32_t *counts = v->bucket_counts != NULL ? v->bucket_counts : v->bucket_start;
  queue_beside(queue, true);
  queue_clear(queue, counts, 0, (size_t)((char *)(v->marks + v->marked_blocks) - (char *)counts));
  queue_beside(queue, false);
}

void queue_entries(stage_queue *queue) {
  const device_view *v = queue->view;
  queue_mark(queue, MARK_BEGIN);
  if (v->focus != NULL) queue_stage(queue, STAGE_focus);
  queue_stage(queue, v->focus != NULL ? STAGE_box_focused : STAGE_box);
  queue_mark(queue, MARK_BOXES);
  if (v->bucket_counts != NULL)
    queue_byte_scan(queue, v->bucket_counts, (size_t)v->bucket_slots + 1, v->bucket_start);
  else
    queue_scan(queue, v->bucket_start, (size_t)v->bucket_slots + 1, NULL);
  queue_stage(queue, STAGE_entry);
  if (v->bundle_boxes != NULL) queue_stage(queue, STAGE_bundle);
  queue_mark(queue, MARK_BUILT);
}

/* Most scenes need few of the questions that a filter may have to ask, and have a stage without the others. */
static device_stage filter_of(const device_view *v) {
  const bool bent = v->slots != 0.0f;
  if (v->only_triangles != 0) return bent || v->skip_neighbours == 0 ? STAGE_filter : STAGE_filter_triangles;
  return v->only_tetrahedra != 0 && !bent ? STAGE_filter_solids : STAGE_filter_kinds;
}

/* Whether a candidate may be left to the stage of all other kinds. */
static bool feeds_others(const device_view *v) {
  return filter_of(v) != STAGE_filter_solids || v->test == GRAZE_TEST_GJK;
}

void queue_filters(stage_queue *queue) {
  queue_stage(queue, queue->view->candidates_only != 0 ? STAGE_box_pair : filter_of(queue->view));
}

void queue_tests(stage_queue *queue) {
  const device_view *v = queue->view;
  if (v->candidates_only != 0) return;
  queue_stage(queue, STAGE_inside);
  queue_stage(queue, STAGE_inside_turned);
  queue_stage(queue, STAGE_exact);
  queue_stage(queue, STAGE_wide);
  queue_stage(queue, STAGE_tetrahedra);
  queue_stage(queue, STAGE_close);
  if (feeds_others(v)) queue_stage(queue, STAGE_others);
}

/* Where keys are sorted, free places hold the highest key and stay behind the pairs. */
void queue_order(stage_queue *queue) {
  const device_view *v = queue->view;
  if (v->sort_pairs == 0) {
    queue_scan(queue, v->pair_first, (size_t)v->group_count + 1, &v->totals->list[LIST_PAIRS]);
    queue_stage(queue, STAGE_partner);
    queue_stage(queue, STAGE_rank);
    return;
  }
  if (queue->result == GRAZE_OK)
    queue->result = queue->device->sort(queue->device->context, v->keys, v->sorted_keys, v->list_capacity[LIST_PAIRS],
                                        2 * v->key_bits);
  queue_stage(queue, STAGE_unpack);
}

graze_timings timings_of(const device_operations *device) {
  void *context = device->context;
  return (graze_timings){.bounds_ms = device->milliseconds(context, MARK_BEGIN, MARK_BOXES),
                         .build_ms = device->milliseconds(context, MARK_BOXES, MARK_BUILT),
                         .search_ms = device->milliseconds(context, MARK_BUILT, MARK_SEARCHED),
                         .test_ms = device->milliseconds(context, MARK_SEARCHED, MARK_TESTED),
                         .order_ms = device->milliseconds(context, MARK_TESTED, MARK_ORDERED)};
}

/* One wait for both: they lie side by side. */
static graze_result fetch_pushes(device_state *state, const device_query *query, const device_view *view,
                                 device_totals *totals_out) {
  const device_operations *device = &state->memory.operations;
  const size_t push_bytes = push_table_bytes(state, query), bytes = TOTALS_BYTES + push_bytes;
  char *fetched = memory_allocate(state->memory.scratch, bytes, 1);
  if (fetched == NULL) return GRAZE_OUT_OF_MEMORY;
  const graze_result result = device->download(device->context, fetched, view->totals, bytes);
  if (result == GRAZE_OK) memcpy(totals_out, fetched, sizeof *totals_out);
  if (result == GRAZE_OK) memcpy(query->pushes_out, fetched + TOTALS_BYTES, push_bytes);
  memory_release(state->memory.scratch, fetched, bytes, 1);
  return result;
}

graze_result fetch_totals(device_state *state, const device_query *query, const device_view *view,
                          device_totals *totals_out) {
  const device_operations *device = &state->memory.operations;
  if (query->push_rule != NULL) return fetch_pushes(state, query, view, totals_out);
  return device->download(device->context, totals_out, view->totals, sizeof *totals_out);
}
