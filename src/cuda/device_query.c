/* A query on a device: room for its lists, its stages, and what they counted.
 *
 * Lists are as long as the last frame needed, and a quarter more. Where that was too short, the counters say what would
 * have been enough, and the query is run again from its search on: nothing is ever dropped, and a scene that moves runs
 * each query once. Where there is no memory for that, or a list is longer than can be numbered, it is run in chunks. */
#include "cuda/device_query.h"

#include "cuda/device_chunks.h"
#include "cuda/device_memory.h"
#include "cuda/device_upload.h"

#include <string.h>

enum {
  TOTALS_BYTES = (sizeof(device_totals) + 255) / 256 * 256,
  FIRST_CANDIDATES = 2, /* a primitive, before anything is known: room is dear, and a second run is not */
  LEAST_CAPACITY = 1024 /* of a list */
};

void view_primitives(const device_frame *frame, size_t primitive_count, device_view *view) {
  char *tables = frame->buffers[BUFFER_TABLES].data;
  view_grid(primitive_count, view);
  view->totals = (device_totals *)(void *)tables;
  view->bucket_start = (uint32_t *)(void *)(tables + TOTALS_BYTES);
  view->pair_first = view->bucket_start + view->bucket_slots + 1;
  view->marks = view->pair_first + view->primitive_count + 1;
}

device_view view_of_query(const device_frame *frame, const frame_query *query) {
  const device_buffer *buffers = frame->buffers;
  device_view view = device_scene_view(frame);
  view_primitives(frame, frame->primitive_count, &view);
  view.bucket_of = buffers[BUFFER_BUCKET_OF].data;
  view.rank_of = buffers[BUFFER_RANK_OF].data;
  view.rows = buffers[BUFFER_ROWS].data;
  view.row_tags = buffers[BUFFER_ROW_TAGS].data;
  view.row_solids = frame->has_tetrahedra ? buffers[BUFFER_ROW_SOLIDS].data : NULL;
  for (int i = 0; i < LIST_PAIRS; i++) view.list[i] = buffers[BUFFER_FIRST_LIST + i].data;
  for (int i = 0; i < LIST_COUNT; i++) view.list_capacity[i] = frame->capacity[i];
  view.keys = buffers[BUFFER_KEYS].data;
  view.sorted_keys = buffers[BUFFER_RANKS].data;
  view.pair_rank = buffers[BUFFER_RANKS].data;
  view.partners = view.pair_rank != NULL ? view.pair_rank + frame->capacity[LIST_PAIRS] : NULL;
  view.pairs = buffers[BUFFER_PAIRS].data;
  view.between = query->between ? 1 : 0;
  view.within = query->within ? 1 : 0;
  view.skip_neighbours = query->skip_neighbours ? 1 : 0;
  view.candidates_only = query->candidates_only ? 1 : 0;
  view.sort_pairs = frame->sorts_pairs ? 1 : 0;
  view.row_limit = UINT32_MAX;
  view.test = query->test;
  return view;
}

/* ---------------------------------------------------------------------------------------------- room for a query */

size_t list_item_bytes(device_list list) {
  return list == LIST_PAIRS ? sizeof(uint64_t) : sizeof(index_pair);
}

/* Capacities before the first query, and lists that a query does not use. */
static void choose_capacities(device_frame *frame, const frame_query *query) {
  const size_t hint = frame->operations.first_capacity;
  const uint64_t primitives = frame->primitive_count;
  const uint64_t candidates = hint != 0 ? hint : FIRST_CANDIDATES * primitives + LEAST_CAPACITY;
  const uint64_t share[LIST_COUNT] = {1, 4, 16, 2, 4, 16, 4, 4}; /* of the candidates, each its part */
  const bool used[LIST_COUNT] = {true,
                                 !query->candidates_only,
                                 !query->candidates_only,
                                 !query->candidates_only && frame->has_tetrahedra,
                                 !query->candidates_only && frame->has_tetrahedra,
                                 !query->candidates_only && frame->has_tetrahedra,
                                 !query->candidates_only && !frame->only_triangles,
                                 true};
  for (int i = 0; i < LIST_COUNT; i++) {
    const uint64_t first = hint != 0 ? hint : candidates / share[i] + LEAST_CAPACITY;
    if (used[i] && frame->capacity[i] == 0) frame->capacity[i] = first < LONGEST_LIST ? first : LONGEST_LIST;
  }
}

graze_result size_lists(device_frame *frame) {
  graze_result result = GRAZE_OK;
  for (int i = 0; i < LIST_COUNT && result == GRAZE_OK; i++)
    result = size_buffer(frame, (device_buffer_name)(BUFFER_FIRST_LIST + i),
                         frame->capacity[i] * list_item_bytes((device_list)i));
  if (result == GRAZE_OK) result = size_buffer(frame, BUFFER_RANKS, frame->capacity[LIST_PAIRS] * sizeof(uint64_t));
  if (result == GRAZE_OK) result = size_buffer(frame, BUFFER_PAIRS, frame->capacity[LIST_PAIRS] * sizeof(graze_pair));
  const device_operations *device = &frame->operations;
  const device_view view = device_scene_view(frame);
  const size_t longest_scan = (view.bucket_slots > view.primitive_count ? view.bucket_slots : view.primitive_count) + 1;
  if (result == GRAZE_OK)
    result =
        device->reserve(device->context, longest_scan, frame->sorts_pairs ? (size_t)frame->capacity[LIST_PAIRS] : 0);
  return result;
}

static size_t table_bytes(const device_view *view) {
  const size_t words = (size_t)view->bucket_slots + 1 + view->primitive_count + 1 + view->mark_count / 32;
  return TOTALS_BYTES + words * sizeof(uint32_t);
}

graze_result size_rows(device_frame *frame) {
  const size_t primitives = frame->primitive_count;
  const device_view view = device_scene_view(frame);
  graze_result result = size_buffer(frame, BUFFER_TABLES, table_bytes(&view));
  if (result == GRAZE_OK) result = size_buffer(frame, BUFFER_BUCKET_OF, primitives * sizeof(uint32_t));
  if (result == GRAZE_OK) result = size_buffer(frame, BUFFER_RANK_OF, primitives * sizeof(uint32_t));
  if (result == GRAZE_OK) result = size_buffer(frame, BUFFER_ROWS, primitives * sizeof(device_row));
  if (result == GRAZE_OK) result = size_buffer(frame, BUFFER_ROW_TAGS, primitives * sizeof(primitive_tag));
  if (result == GRAZE_OK && frame->has_tetrahedra)
    result = size_buffer(frame, BUFFER_ROW_SOLIDS, primitives * sizeof(solid_corners));
  return result;
}

uint64_t room_for(uint64_t needed) {
  const uint64_t room = needed + needed / 4 + LEAST_CAPACITY;
  return room < LONGEST_LIST ? room : LONGEST_LIST;
}

/* Makes room for what the counters ask for. When a list was cut short, those made from it have counted too little: they
 * grow in the same proportion, so that the next run is likely the last. */
bool enlarge_lists(device_frame *frame, const device_totals *totals) {
  bool enlarged = false;
  double growth = 1.0;
  for (int i = 0; i < LIST_COUNT; i++) {
    const uint64_t count = totals->list[i], capacity = frame->capacity[i];
    const uint64_t expected = (uint64_t)((double)count * growth);
    if (count > capacity || (growth > 1.0 && expected > capacity)) frame->capacity[i] = room_for(expected);
    enlarged = enlarged || count > capacity;
    if (count > capacity && i == LIST_CANDIDATES) growth = (double)count / (double)capacity;
  }
  return enlarged;
}

/* A list was cut short, or pairs cannot be ranked and have to be sorted. */
static bool needs_another_run(device_frame *frame, const device_totals *totals) {
  const bool enlarged = enlarge_lists(frame, totals), sorts = totals->long_list != 0 && !frame->sorts_pairs;
  frame->sorts_pairs = frame->sorts_pairs || sorts;
  return enlarged || sorts;
}

bool lists_too_long(const device_totals *totals) {
  for (int i = 0; i < LIST_COUNT; i++)
    if (totals->list[i] > LONGEST_LIST) return true;
  return false;
}

void queue_rows(stage_queue *queue) {
  const device_view *v = queue->view;
  queue_mark(queue, MARK_BEGIN);
  queue_clear(queue, v->totals, 0, table_bytes(v));
  queue_stage(queue, STAGE_box);
  queue_mark(queue, MARK_BOXES);
  queue_scan(queue, v->bucket_start, (size_t)v->bucket_slots + 1);
  queue_stage(queue, STAGE_row);
  queue_mark(queue, MARK_BUILT);
}

void queue_tests(stage_queue *queue) {
  const device_view *v = queue->view;
  if (v->candidates_only != 0) {
    queue_stage(queue, STAGE_box_pair);
    return;
  }
  queue_stage(queue, v->only_triangles != 0 ? STAGE_filter : STAGE_filter_kinds);
  queue_stage(queue, STAGE_inside);
  queue_stage(queue, STAGE_exact);
  queue_stage(queue, STAGE_wide);
  queue_stage(queue, STAGE_tetrahedra);
  queue_stage(queue, STAGE_close);
  queue_stage(queue, STAGE_others);
}

/* Where keys are sorted, free places hold the highest key and stay behind the pairs. */
void queue_order(stage_queue *queue) {
  const device_view *v = queue->view;
  if (v->sort_pairs == 0) {
    queue_scan(queue, v->pair_first, (size_t)v->primitive_count + 1);
    queue_stage(queue, STAGE_partner);
    queue_stage(queue, STAGE_rank);
    return;
  }
  if (queue->result == GRAZE_OK)
    queue->result = queue->device->sort(queue->device->context, v->keys, v->sorted_keys, v->list_capacity[LIST_PAIRS],
                                        2 * v->key_bits);
  queue_stage(queue, STAGE_unpack);
}

static void queue_search(stage_queue *queue) {
  const device_view *v = queue->view;
  if (v->sort_pairs != 0) queue_clear(queue, v->keys, 0xff, v->list_capacity[LIST_PAIRS] * sizeof *v->keys);
  queue_stage(queue, STAGE_search);
  queue_mark(queue, MARK_SEARCHED);
  queue_tests(queue);
  queue_mark(queue, MARK_TESTED);
  queue_order(queue);
  queue_mark(queue, MARK_ORDERED);
}

/* The lists are empty again; the grid stays. */
static void queue_again(stage_queue *queue) {
  const device_view *v = queue->view;
  queue_clear(queue, v->totals->list, 0, sizeof v->totals->list);
  queue_clear(queue, v->totals->tally, 0, sizeof v->totals->tally);
  queue_clear(queue, &v->totals->long_list, 0, sizeof v->totals->long_list);
  queue_clear(queue, v->pair_first, 0, ((size_t)v->primitive_count + 1) * sizeof *v->pair_first);
  queue_search(queue);
}

static graze_result run_query(device_frame *frame, const frame_query *query, bool again, device_totals *totals_out) {
  const device_operations *device = &frame->operations;
  graze_result result = size_lists(frame);
  if (result != GRAZE_OK) return result;
  const device_view view = view_of_query(frame, query);
  stage_queue queue = {device, &view, GRAZE_OK};
  if (again) {
    queue_again(&queue);
  } else {
    if (!device->begin(device->context, SEQUENCE_QUERY, &view, sizeof view)) {
      queue_rows(&queue);
      queue_search(&queue);
    }
    result = device->end(device->context);
  }
  if (queue.result != GRAZE_OK) result = queue.result;
  return result == GRAZE_OK ? device->download(device->context, totals_out, view.totals, sizeof *totals_out) : result;
}

uint64_t tally_sum(const device_totals *totals, device_tally_name name) {
  uint64_t sum = 0;
  for (int i = 0; i < TALLY_SLOTS; i++) sum += totals->tally[name][i];
  return sum;
}

uint64_t bit_count(uint32_t bits) {
  uint64_t count = 0;
  for (; bits != 0; bits &= bits - 1) count++;
  return count;
}

static graze_counters counters_of(const device_totals *totals, const frame_query *query) {
  const uint64_t *list = totals->list;
  const uint64_t candidates = list[LIST_CANDIDATES], by_number = tally_sum(totals, TALLY_BY_NUMBER);
  const uint64_t exact = tally_sum(totals, TALLY_EXACT), wide = tally_sum(totals, TALLY_WIDE);
  const uint64_t double_late = tally_sum(totals, TALLY_DOUBLE), late = exact + wide + double_late;
  /* Triangles that the double filter alone has decided: undecided ones came from it, or were neighbours. */
  const uint64_t double_early = list[LIST_TRIANGLES] + tally_sum(totals, TALLY_HINGED) - list[LIST_UNDECIDED];
  graze_counters counters = {.searched = totals->row_count,
                             .levels = bit_count(totals->level_mask),
                             .box_tests = tally_sum(totals, TALLY_BOX_TESTS),
                             .candidates = candidates,
                             .neighbours = tally_sum(totals, TALLY_NEIGHBOURS),
                             .float_decided = candidates - by_number - double_early - late,
                             .double_decided = double_early + double_late,
                             .exact_decided = exact,
                             .wide_decided = wide,
                             .pairs = list[LIST_PAIRS]};
  if (query->candidates_only) {
    counters.float_decided = counters.exact_decided = counters.wide_decided = 0;
    counters.double_decided = candidates;
  }
  return counters;
}

graze_timings timings_of(const device_operations *device) {
  void *context = device->context;
  return (graze_timings){.bounds_ms = device->milliseconds(context, MARK_BEGIN, MARK_BOXES),
                         .build_ms = device->milliseconds(context, MARK_BOXES, MARK_BUILT),
                         .search_ms = device->milliseconds(context, MARK_BUILT, MARK_SEARCHED),
                         .test_ms = device->milliseconds(context, MARK_SEARCHED, MARK_TESTED),
                         .order_ms = device->milliseconds(context, MARK_TESTED, MARK_ORDERED)};
}

/* The query in one run, or as many as its lists need to be long enough. */
static graze_result find_at_once(device_frame *frame, const frame_query *query, uint64_t *searches,
                                 device_totals *totals_out) {
  graze_result result = run_query(frame, query, false, totals_out);
  for (; result == GRAZE_OK; result = run_query(frame, query, true, totals_out)) {
    ++*searches;
    if (lists_too_long(totals_out)) return GRAZE_TOO_LARGE; /* with the room that the frame had */
    if (!needs_another_run(frame, totals_out)) break;
  }
  return result;
}

/* Lists of an earlier query give way to the grid. */
static graze_result make_room_for_rows(device_frame *frame) {
  const graze_result result = size_rows(frame);
  return result == GRAZE_OUT_OF_MEMORY && release_lists(frame) ? size_rows(frame) : result;
}

graze_result device_frame_find(device_frame *frame, const frame_query *query, frame_answer *answer_out) {
  memset(answer_out, 0, sizeof *answer_out);
  if (frame->primitive_count == 0) return GRAZE_OK;
  choose_capacities(frame, query);
  graze_result result = choose_objects(frame, query);
  if (result == GRAZE_OK) result = make_room_for_rows(frame);
  if (result != GRAZE_OK) return result;
  uint64_t searches = 0;
  device_totals totals;
  result = find_at_once(frame, query, &searches, &totals);
  if (result == GRAZE_OK) answer_out->timings = timings_of(&frame->operations);
  if (result == GRAZE_OUT_OF_MEMORY || result == GRAZE_TOO_LARGE) {
    chunked_answer chunked;
    result = find_in_chunks(frame, query, &chunked);
    totals = chunked.totals;
    searches += chunked.searches;
    answer_out->timings = chunked.timings;
  }
  if (result != GRAZE_OK) return result;
  answer_out->pair_count = totals.list[LIST_PAIRS];
  answer_out->device_pairs = frame->buffers[BUFFER_PAIRS].data;
  answer_out->counters = counters_of(&totals, query);
  answer_out->counters.reruns = searches - 1;
  return GRAZE_OK;
}

graze_result device_frame_fetch(device_frame *frame, const frame_answer *answer, size_t count, graze_pair *pairs_out) {
  const device_operations *device = &frame->operations;
  if (count == 0) return GRAZE_OK;
  return device->download(device->context, pairs_out, answer->device_pairs, count * sizeof *pairs_out);
}
