/* Entries, the grid and the lists of a query; see device_search.h: views, memory, and the order of stages. */
#include "cuda/device_search.h"

#include <string.h>

GRID_STAGE_LIST(QUEUED_STAGE)
PAIR_STAGE_LIST(QUEUED_STAGE)
ORDER_STAGE_LIST(QUEUED_STAGE)

enum { LEAST_BUCKETS = 1024, BUCKETS_A_PRIMITIVE = 2, BUCKETS_A_MARKED_BLOCK = 4 };

/* Groups of lower primitives: a sum over millions of primitives would take longer than everything else in a query
 * with few pairs. */
enum { MOST_GROUPS = 1 << 21 };
#define MOST_BUCKETS (UINT32_C(1) << 31)

enum { TABLE_ALIGNMENT = 16, TOTALS_BYTES = (sizeof(device_totals) + 255) / 256 * 256 };

void device_search_init(device_search *search, const device_scene *scene) {
  memset(search, 0, sizeof *search);
  search->memory = scene->memory;
  search->scene = scene;
}

/* ---------------------------------------------------------------------------------------------- tables */

static uint32_t bits_for(size_t count) {
  uint32_t bits = 1;
  while (bits < 32 && (UINT64_C(1) << bits) < count) bits++;
  return bits;
}

/* Two to four per primitive. */
static uint32_t buckets_for(size_t primitive_count) {
  uint32_t buckets = LEAST_BUCKETS;
  while (buckets < BUCKETS_A_PRIMITIVE * primitive_count && buckets < MOST_BUCKETS) buckets *= 2;
  return buckets;
}

void view_grid_sizes(size_t primitive_count, grid_view *view) {
  view->bucket_count = buckets_for(primitive_count);
  view->bucket_slots = view->bucket_count + BLOCK_CELLS;
  view->marked_blocks = view->bucket_count / BUCKETS_A_MARKED_BLOCK;
}

uint32_t group_count_of(const device_memory *held, size_t primitive_count, uint32_t *group_bits_out) {
  const size_t given = held->operations.most_groups, most = given != 0 ? given : MOST_GROUPS;
  uint32_t bits = 0;
  while (primitive_count >> bits > most) bits++;
  *group_bits_out = bits;
  return (uint32_t)((primitive_count + (1u << bits) - 1) >> bits);
}

static size_t aligned_bytes(size_t bytes) {
  return (bytes + TABLE_ALIGNMENT - 1) / TABLE_ALIGNMENT * TABLE_ALIGNMENT;
}

static size_t marks_place(const grid_view *grid) {
  return aligned_bytes(((size_t)grid->bucket_slots + 1) * sizeof(uint32_t));
}

static size_t table_bytes(const device_search *search) {
  grid_view view;
  view_grid_sizes(search->scene->primitive_count, &view);
  return marks_place(&view) + view.marked_blocks * sizeof(uint64_t);
}

static size_t wrench_bytes(const device_search *search, const device_query *query) {
  const size_t objects = search->scene->tables.count;
  return query->wrenches != NULL ? objects * objects * sizeof(device_wrench) : 0;
}

static size_t count_bytes(const device_search *search, const device_query *query) {
  uint32_t bits;
  const size_t groups = group_count_of(search->memory, search->scene->primitive_count, &bits);
  return TOTALS_BYTES + wrench_bytes(search, query) + (groups + 1) * sizeof(uint32_t);
}

device_wrench *wrench_sums(const device_search *search, const device_query *query) {
  char *counts = search->lists.counts.data;
  return query->wrenches != NULL ? (device_wrench *)(void *)(counts + TOTALS_BYTES) : NULL;
}

/* As many as in the last query. */
cleared_memory next_counts(const device_search *search, size_t primitive_count) {
  const pair_lists *lists = &search->lists;
  const bool known = lists->count_bytes != 0 && lists->counts_of == primitive_count;
  return known ? (cleared_memory){lists->counts.data, lists->count_bytes} : (cleared_memory){NULL, 0};
}

/* ---------------------------------------------------------------------------------------------- views */

static void view_tables(const device_search *search, size_t primitive_count, size_t wrenches, grid_view *view) {
  char *tables = search->grid.tables.data, *counts = search->lists.counts.data;
  list_view *lists = &view->pairs.lists;
  view->pairs.scene.primitive_count = (uint32_t)primitive_count;
  view_grid_sizes(primitive_count, view);
  (void)group_count_of(search->memory, primitive_count, &lists->group_bits);
  view->bucket_start = (uint32_t *)(void *)tables;
  view->marks = (uint64_t *)(void *)(tables + marks_place(view));
  lists->totals = (device_totals *)(void *)counts;
  lists->pair_first = (uint32_t *)(void *)(counts + TOTALS_BYTES + wrenches);
}

void view_primitives(const device_search *search, size_t primitive_count, grid_view *view) {
  view_tables(search, primitive_count, 0, view);
}

static bool entries_are_bundled(const device_search *search, uint32_t searches) {
  return search->grid.bundles_entries && (searches & SEARCHES_CELLS) != 0;
}

/* The two objects are searched separately if pairs within an object are not requested. If boxes reach two cells, an
 * entry would have more lines of its own level than the bit mask holds. */
static query_sides sides_of(const device_query *query, uint32_t searches, const pair_view *view) {
  const query_focus *focus = &query->focus;
  const bool by_cells = (searches & SEARCHES_CELLS) != 0;
  if (!by_cells || !query->between || query->within || view->entries.reach_bits != 0) return SIDES_NONE;
  if (query->clearance > 0.0) return SIDES_NONE; /* bounds of objects do not grow */
  if (focus->object_count == 2 && focus->objects[0] != focus->objects[1]) return SIDES_OF_FOCUS;
  return view->scene.object_count == 2 ? SIDES_OF_SCENE : SIDES_NONE;
}

/* Two objects that are searched separately have no neighbors in each other. */
static pair_rule pair_rule_of(const device_search *search, const device_query *query, const pair_view *view) {
  if (search->scene->tables.special_rules > 0) return PAIRS_BY_OBJECTS;
  if (view->query.sides != SIDES_NONE) return PAIRS_ALL;
  const bool between =
      query->between || view->scene.object_count == 1; /* a single object has no pairs between objects */
  if (!between || !query->within || view->query.focus != NULL) return PAIRS_BY_OBJECTS;
  if (!query->skip_neighbors) return PAIRS_ALL;
  const bool alike = view->scene.only_triangles != 0 || view->scene.only_tetrahedra != 0;
  return alike ? PAIRS_BUT_NEIGHBORS : PAIRS_BY_OBJECTS;
}

static void view_lists(const device_search *search, list_view *view) {
  const pair_lists *lists = &search->lists;
  uint64_t *grouped_keys = lists->ranks.data;
  view->entries = search->grid.entries.data;
  for (int i = 0; i < LIST_PAIRS; i++) view->list[i] = lists->list[i].data;
  memcpy(view->capacity, lists->capacity, sizeof view->capacity);
  view->keys = lists->list[LIST_PAIRS].data;
  view->pair_rank = grouped_keys != NULL ? (uint32_t *)(grouped_keys + lists->capacity[LIST_PAIRS]) : NULL;
  view->key_bits = bits_for(search->scene->primitive_count);
  view->sort_pairs = lists->sorts_pairs ? 1 : 0;
}

grid_view view_of_query(const device_search *search, const device_query *query, uint32_t searches) {
  const device_grid *grid = &search->grid;
  const bool has_solids = search->scene->kinds.has_batch[BATCH_TETRAHEDRA];
  grid_view view;
  memset(&view, 0, sizeof view); /* compared as bytes */
  pair_view *pairs = &view.pairs;
  pairs->scene = device_scene_view(search->scene);
  view_lists(search, &pairs->lists);
  pairs->lists.ranks = pairs->scene.ranks;
  if (query->wrenches != NULL) pairs->lists.sort_pairs = 1; /* keys are not ranked: their order does not matter */
  view_tables(search, search->scene->primitive_count, wrench_bytes(search, query), &view);
  pairs->entries.cell_boxes = grid->cell_boxes.data;
  pairs->entries.entry_boxes = (searches & COMPARES_BOXES) != 0 ? grid->entry_boxes.data : NULL;
  pairs->entries.entry_solids = has_solids ? grid->entry_solids.data : NULL;
  pairs->entries.reach_bits = has_solids ? 1 : 0;
  pairs->entries.floor_level = grid->floor_level;
  pairs->query.between = query->between ? 1 : 0;
  pairs->query.within = query->within ? 1 : 0;
  pairs->query.skip_neighbors = query->skip_neighbors ? 1 : 0;
  pairs->query.candidates_only = query->candidates_only ? 1 : 0;
  pairs->query.focus = focus_is_narrow(&query->focus) ? search->lists.focus.data : NULL;
  pairs->query.sides = sides_of(query, searches, pairs);
  pairs->query.pair_rule = pair_rule_of(search, query, pairs);
  pairs->query.test = query->test;
  pairs->query.clearance = query->clearance;
  if (query->clearance > 0.0 && (searches & ORDERS_ENTRIES) == 0)
    pairs->scene.grown_boxes = view.clearance_boxes = grid->clearance_boxes.data;
  view.bucket_of = search->lists.list[LIST_CANDIDATES].data;
  view.rank_of = view.bucket_of != NULL ? view.bucket_of + search->scene->primitive_count : NULL;
  view.bundle_boxes = entries_are_bundled(search, searches) ? grid->bundles.data : NULL;
  view.entry_limit = UINT32_MAX;
  return view;
}

order_view view_of_order(const device_search *search, const pair_view *pairs) {
  const pair_lists *lists = &search->lists;
  order_view view;
  memset(&view, 0, sizeof view);
  view.scene = pairs->scene;
  view.lists = pairs->lists;
  view.grouped_keys = view.sorted_keys = lists->ranks.data;
  view.pairs = lists->pairs.data;
  return view;
}

/* ---------------------------------------------------------------------------------------------- memory of a query */

/* Until primitives become entries, their buckets and ranks are stored in the memory of candidates. */
size_t list_bytes(const device_search *search, device_list list) {
  uint64_t items = search->lists.capacity[list];
  if (list == LIST_CANDIDATES && items < search->scene->primitive_count) items = search->scene->primitive_count;
  return items * (list == LIST_PAIRS ? sizeof(uint64_t) : sizeof(index_pair));
}

/* For each pair, its key by lower primitive and its rank among those. */
static size_t rank_bytes(uint64_t pairs) {
  return pairs * (sizeof(uint64_t) + sizeof(uint32_t));
}

graze_result size_lists(device_search *search) {
  device_memory *held = search->memory;
  pair_lists *lists = &search->lists;
  const uint64_t pairs = lists->capacity[LIST_PAIRS];
  graze_result result = GRAZE_OK;
  for (int i = 0; i < LIST_COUNT && result == GRAZE_OK; i++)
    result = size_spare(held, &lists->list[i], list_bytes(search, (device_list)i));
  if (result == GRAZE_OK) result = size_spare(held, &lists->ranks, rank_bytes(pairs));
  if (result == GRAZE_OK) result = size_spare(held, &lists->pairs, pairs * sizeof(graze_pair));
  const device_operations *device = &held->operations;
  const size_t primitives = search->scene->primitive_count;
  grid_view view;
  view_grid_sizes(primitives, &view);
  const size_t longest_scan = (view.bucket_slots > primitives ? view.bucket_slots : primitives) + 1;
  return result == GRAZE_OK ? device->reserve(device->context, longest_scan, lists->sorts_pairs ? (size_t)pairs : 0)
                            : result;
}

/* If the number of primitives and the capacities are unchanged, the counts keep their location. */
static graze_result size_counts(device_search *search, const device_query *query) {
  pair_lists *lists = &search->lists;
  const size_t primitives = search->scene->primitive_count, bytes = count_bytes(search, query);
  if (bytes > lists->counts.bytes || lists->counts_of != primitives) {
    lists->counts_are_clear = false;
    lists->count_bytes = 0;
  }
  lists->counts_of = primitives;
  return size_buffer(search->memory, &lists->counts, bytes);
}

static graze_result size_tables(device_search *search) {
  device_grid *grid = &search->grid;
  const size_t primitives = search->scene->primitive_count, bytes = table_bytes(search);
  if (bytes > grid->tables.bytes || grid->tables_of != primitives) grid->is_clear = false;
  grid->tables_of = primitives;
  return size_buffer(search->memory, &grid->tables, bytes);
}

graze_result size_entries(device_search *search, const device_query *query, uint32_t searches) {
  device_memory *held = search->memory;
  device_grid *grid = &search->grid;
  const size_t primitives = search->scene->primitive_count;
  graze_result result = size_tables(search);
  if (result == GRAZE_OK) result = size_counts(search, query);
  if (result == GRAZE_OK) result = size_buffer(held, &grid->entries, primitives * sizeof(device_entry));
  if (result == GRAZE_OK) result = size_buffer(held, &grid->cell_boxes, primitives * sizeof(cell_box));
  if (result == GRAZE_OK && (searches & COMPARES_BOXES) != 0)
    result = size_buffer(held, &grid->entry_boxes, primitives * sizeof(entry_box));
  if (result == GRAZE_OK && query->clearance > 0.0)
    result = size_buffer(held, &grid->clearance_boxes, primitives * sizeof(primitive_box));
  if (result == GRAZE_OK && entries_are_bundled(search, searches))
    result = size_buffer(held, &grid->bundles, (primitives / BUNDLE_ENTRIES + 1) * sizeof(entry_box));
  if (result == GRAZE_OK && search->scene->kinds.has_batch[BATCH_TETRAHEDRA])
    result = size_buffer(held, &grid->entry_solids, primitives * sizeof(solid_corners));
  return result;
}

graze_result upload_focus(device_search *search, const device_query *query) {
  if (!focus_is_narrow(&query->focus)) return GRAZE_OK;
  device_focus focus;
  memset(&focus, 0, sizeof focus);
  focus.query = query->focus;
  return upload_all(search->memory, &search->lists.focus, &focus, sizeof focus);
}

/* Increases capacities to the counters. If a list overflowed, those derived from it were counted too low: they grow
 * in the same proportion, so that the next run is probably the last. */
bool enlarge_lists(pair_lists *lists, const device_totals *totals) {
  bool enlarged = false;
  double growth = 1.0;
  for (int i = 0; i < LIST_COUNT; i++) {
    const uint64_t count = totals->list[i], capacity = lists->capacity[i];
    const uint64_t expected = (uint64_t)((double)count * growth);
    if (count > capacity || (growth > 1.0 && expected > capacity)) lists->capacity[i] = grown_capacity(expected);
    enlarged = enlarged || count > capacity;
    if (count > capacity && i == LIST_CANDIDATES) growth = (double)count / (double)capacity;
  }
  return enlarged;
}

bool lists_too_long(const device_totals *totals) {
  for (int i = 0; i < LIST_COUNT; i++)
    if (totals->list[i] > LONGEST_LIST) return true;
  return false;
}

/* Bundles pay if an entry is compared with at least this many boxes, and only one in this many meets it. They are
 * kept down to half of these limits, so that a moving scene does not alternate between two graphs. */
enum { CROWDED_BOXES = 512, CROWDED_IN_VAIN = 32 };

void update_bundling(device_grid *grid, const device_totals *totals) {
  const uint64_t compared = tally_sum(totals, TALLY_BOX_TESTS) + tally_sum(totals, TALLY_SPARED);
  const uint64_t boxes = grid->bundles_entries ? 2 * compared : compared;
  const uint64_t met = totals->list[LIST_CANDIDATES] + tally_sum(totals, TALLY_NEIGHBORS);
  grid->bundles_entries =
      compared > 0 && boxes / CROWDED_BOXES >= totals->entry_count && boxes / CROWDED_IN_VAIN >= met;
}

/* ---------------------------------------------------------------------------------------------- stages */

graze_result clear_counts(device_search *search, const device_query *query) {
  const device_operations *device = &search->memory->operations;
  pair_lists *lists = &search->lists;
  const size_t bytes = count_bytes(search, query);
  const bool are_clear = lists->counts_are_clear && bytes <= lists->count_bytes;
  lists->counts_are_clear = false;
  lists->count_bytes = bytes;
  return are_clear ? GRAZE_OK : device->clear(device->context, lists->counts.data, 0, bytes);
}

graze_result clear_grid(device_search *search) {
  const device_operations *device = &search->memory->operations;
  const bool is_clear = search->grid.is_clear;
  search->grid.is_clear = false;
  return is_clear ? GRAZE_OK : device->clear(device->context, search->grid.tables.data, 0, table_bytes(search));
}

void queue_grid_clearing(stage_queue *queue, const grid_view *v) {
  queue_beside(queue, true);
  queue_clear(queue, v->bucket_start, 0, (size_t)((char *)(v->marks + v->marked_blocks) - (char *)v->bucket_start));
  queue_beside(queue, false);
}

static void queue_boxes(stage_queue *queue, const grid_view *v) {
  if (v->pairs.query.focus == NULL) {
    queue_stage(queue, box, v);
    return;
  }
  queue_stage(queue, focus, v);
  queue_stage(queue, box_focused, v);
}

void queue_entries(stage_queue *queue, const grid_view *v) {
  queue_mark(queue, MARK_BEGIN);
  if (v->clearance_boxes != NULL) queue_stage(queue, clearance_box, v);
  queue_boxes(queue, v);
  queue_mark(queue, MARK_BOXES);
  queue_scan(queue, v->bucket_start, (size_t)v->bucket_slots + 1, NULL);
  queue_stage(queue, entry, v);
  if (v->bundle_boxes != NULL) queue_stage(queue, bundle, v);
  queue_mark(queue, MARK_BUILT);
}

void queue_grid_search(stage_queue *queue, const grid_view *v) {
  queue_stage(queue, search, v);
}

/* For tetrahedra only, which separating faces can decide. */
static bool filters_solids(const pair_view *v) {
  return v->scene.only_triangles == 0 && v->scene.only_tetrahedra != 0 && v->scene.slots == 0.0f;
}

/* Most scenes need few of the filter's rules, and use a stage without the others. */
void queue_filters(stage_queue *queue, const pair_view *v) {
  if (v->query.candidates_only == 0 && v->query.clearance > 0.0)
    queue_stage(queue, within, v);
  else if (v->scene.parts != NULL)
    queue_stage(queue, filter_parts, v);
  else if (v->query.candidates_only != 0)
    queue_stage(queue, box_pair, v);
  else if (filters_solids(v))
    queue_stage(queue, filter_solids, v);
  else if (v->scene.only_triangles == 0)
    queue_stage(queue, filter_kinds, v);
  else if (v->scene.slots != 0.0f || v->query.skip_neighbors == 0)
    queue_stage(queue, filter, v);
  else
    queue_stage(queue, filter_triangles, v);
}

/* The stage of all other kinds is omitted if no candidate can reach it. */
void queue_tests(stage_queue *queue, const pair_view *v) {
  if (v->query.candidates_only != 0 || v->query.clearance > 0.0) return;
  queue_stage(queue, inside, v);
  queue_stage(queue, inside_turned, v);
  queue_stage(queue, double_triangles, v);
  queue_stage(queue, exact_triangles, v);
  queue_stage(queue, double_tetrahedra, v);
  queue_stage(queue, exact_tetrahedra, v);
  if (v->scene.parts != NULL || !filters_solids(v) || v->query.test == GRAZE_TEST_GJK)
    queue_stage(queue, exact_others, v);
}

/* If keys are sorted, free elements hold the highest key, so that they sort after the pairs. */
void queue_order(stage_queue *queue, const order_view *v, uint32_t group_count) {
  const list_view *lists = &v->lists;
  if (lists->sort_pairs == 0) {
    queue_scan(queue, lists->pair_first, (size_t)group_count + 1, &lists->totals->list[LIST_PAIRS]);
    queue_stage(queue, partner, v);
    queue_stage(queue, rank, v);
    return;
  }
  queue_sort(queue, lists->keys, v->sorted_keys, lists->capacity[LIST_PAIRS], 2 * lists->key_bits);
  queue_stage(queue, unpack, v);
}

/* ---------------------------------------------------------------------------------------------- counters */

graze_timings timings_of(const device_operations *device) {
  void *context = device->context;
  return (graze_timings){.bounds_ms = device->milliseconds(context, MARK_BEGIN, MARK_BOXES),
                         .build_ms = device->milliseconds(context, MARK_BOXES, MARK_BUILT),
                         .search_ms = device->milliseconds(context, MARK_BUILT, MARK_SEARCHED),
                         .test_ms = device->milliseconds(context, MARK_SEARCHED, MARK_TESTED),
                         .order_ms = device->milliseconds(context, MARK_TESTED, MARK_ORDERED)};
}

/* Downloads both in one step: they are adjacent. */
static graze_result fetch_wrenches(device_search *search, const device_query *query, device_totals *totals_out) {
  const device_operations *device = &search->memory->operations;
  const size_t wrenches = wrench_bytes(search, query), bytes = TOTALS_BYTES + wrenches;
  char *fetched = memory_allocate(search->memory->scratch, bytes, 1);
  if (fetched == NULL) return GRAZE_OUT_OF_MEMORY;
  const graze_result result = device->download(device->context, fetched, search->lists.counts.data, bytes);
  if (result == GRAZE_OK) memcpy(totals_out, fetched, sizeof *totals_out);
  if (result == GRAZE_OK) memcpy(query->wrenches->sums_out, fetched + TOTALS_BYTES, wrenches);
  memory_release(search->memory->scratch, fetched, bytes, 1);
  return result;
}

graze_result fetch_totals(device_search *search, const device_query *query, device_totals *totals_out) {
  const device_operations *device = &search->memory->operations;
  if (query->wrenches != NULL) return fetch_wrenches(search, query, totals_out);
  return device->download(device->context, totals_out, search->lists.counts.data, sizeof *totals_out);
}
