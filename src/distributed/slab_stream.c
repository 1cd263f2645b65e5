/* Scenes larger than memory; see slab_stream.h.
 *
 * Workload: a source of some hundred pieces and some dozen slabs. Every piece is loaded twice, for the common box with
 * a sample of places and for the list of slabs that it reaches, and then once for each of those slabs. A source of
 * spatially compact pieces is read about three times. Memory holds one piece, one slab, and one byte for each piece and
 * slab; while space is divided, also at most 1,024 places of 32 bytes for each slab. */
#include "distributed/slab_stream.h"

#include "distributed/portion_list.h"
#include "distributed/slab_of_scene.h"
#include "graze/inside/parts.h"

#include <math.h>
#include <string.h>

enum { BOXES_AT_ONCE = 512, PLACES_PER_PART = 1024 };

typedef struct stream_state {
  const slab_source *source;
  const slab_stream_def *def;
  memory heap;
  graze_scene *piece;
  slab slab;
  division parts;
  portion_list list;
  array places; /* double[3]: the lower corners of about one primitive in place_stride */
  uint64_t place_stride;
  array keys;       /* uint64_t: their keys */
  uint8_t *reaches; /* by piece, one byte per part */
  double box[6];
  uint64_t primitive_count;
  double clearance;
  uint64_t expected_loads;
  slab_stream_totals totals;
  rank_failure *failure;
} stream_state;

static graze_result load_piece(stream_state *state, size_t piece) {
  for (graze_object o = {0}; (o = graze_scene_next_object(state->piece, o)).generation != 0;) {
    const graze_result result = graze_scene_remove_object(state->piece, o);
    if (result != GRAZE_OK) return rank_failure_note(state->failure, result);
  }
  if (state->def->advance != NULL)
    state->def->advance(state->def->advance_context, state->totals.loaded_count, state->expected_loads);
  state->totals.loaded_count++;
  return state->source->load(state->source->context, piece, state->piece, state->failure);
}

/* ---------------------------------------------------------------------------------------------- the division */

/* Whether the element of this number is among those chosen, one in `stride`. Multiples of the golden ratio are evenly
 * distributed even for numbers with a common step, such as those of two meshes that alternate in a file. */
static bool is_chosen(uint64_t number, uint64_t stride) {
  return number * UINT64_C(0x9e3779b97f4a7c15) <= UINT64_MAX / stride;
}

/* Drops about half of the places. */
static void thin_places(stream_state *state) {
  double(*places)[3] = state->places.data;
  size_t kept = 0;
  for (size_t i = 0; i < state->places.count; i++)
    if (is_chosen(i, 2)) memmove(places[kept++], places[i], sizeof *places);
  state->places.count = kept;
  state->place_stride *= 2;
}

static bool include_box(stream_state *state, const double box[6]) {
  for (int axis = 0; axis < 3; axis++) {
    state->box[axis] = fmin(state->box[axis], box[axis]);
    state->box[axis + 3] = fmax(state->box[axis + 3], box[axis + 3]);
  }
  if (!is_chosen(state->primitive_count++, state->place_stride)) return true;
  if (!array_push(&state->places, &state->heap, box)) return false;
  if (state->places.count == (size_t)PLACES_PER_PART * state->def->part_count) thin_places(state);
  return true;
}

static graze_result include_piece(stream_state *state) {
  double boxes[BOXES_AT_ONCE][6];
  for (graze_object o = {0}; (o = graze_scene_next_object(state->piece, o)).generation != 0;) {
    graze_object_info info = {0};
    graze_result result = graze_object_get_info(state->piece, o, &info);
    for (size_t first = 0; result == GRAZE_OK && first < info.primitive_count; first += BOXES_AT_ONCE) {
      const size_t left = info.primitive_count - first, count = left < BOXES_AT_ONCE ? left : BOXES_AT_ONCE;
      result = graze_object_get_boxes(state->piece, o, first, count, boxes[0]);
      for (size_t i = 0; result == GRAZE_OK && i < count; i++)
        if (boxes[i][0] <= boxes[i][3] && !include_box(state, boxes[i])) return rank_failure_say_memory(state->failure);
    }
    if (result != GRAZE_OK) return rank_failure_note(state->failure, result);
  }
  return GRAZE_OK;
}

static graze_result divide_pieces(stream_state *state) {
  const transport alone = transport_alone();
  graze_result result = GRAZE_OK;
  for (size_t piece = 0; result == GRAZE_OK && piece < state->source->piece_count; piece++) {
    result = load_piece(state, piece);
    if (result == GRAZE_OK) result = include_piece(state);
  }
  if (result == GRAZE_OK && !array_resize(&state->keys, &state->heap, state->places.count))
    result = rank_failure_say_memory(state->failure);
  if (result != GRAZE_OK) return result;
  division_place(&state->parts, state->box);
  for (size_t i = 0; i < state->places.count; i++)
    ARRAY_AS(uint64_t, &state->keys)[i] = division_key(&state->parts, ARRAY_AS(double, &state->places) + 3 * i);
  division_make_parts(&state->parts, &alone, state->keys.data, NULL, state->keys.count);
  array_release(&state->places, &state->heap);
  array_release(&state->keys, &state->heap);
  return GRAZE_OK;
}

/* ---------------------------------------------------------------------------------------------- slabs */

static graze_result note_reach(stream_state *state) {
  const size_t reach_count = state->source->piece_count * state->def->part_count;
  for (size_t piece = 0; piece < state->source->piece_count; piece++) {
    graze_result result = load_piece(state, piece);
    if (result == GRAZE_OK)
      result = portion_list_collect(&state->list, &state->heap, state->piece, &state->parts, state->clearance,
                                    PORTIONS_OF_ALL, NULL, state->failure);
    if (result != GRAZE_OK) return result;
    const portion *portions = state->list.portions.data;
    for (size_t i = 0; i < state->list.portions.count; i++)
      state->reaches[piece * state->def->part_count + portions[i].part] = 1;
  }
  state->expected_loads = state->totals.loaded_count;
  for (size_t i = 0; i < reach_count; i++) state->expected_loads += state->reaches[i];
  return GRAZE_OK;
}

/* Takes the primitives of the loaded piece that belong to the slab's part. */
static graze_result take_piece(stream_state *state, size_t piece, void **blocks) {
  const uint32_t part = state->slab.part, part_count = state->def->part_count;
  graze_result result = portion_list_collect(&state->list, &state->heap, state->piece, &state->parts, state->clearance,
                                             part, NULL, state->failure);
  if (result != GRAZE_OK) return result;
  uint64_t size = 0;
  for (size_t i = 0; i < state->list.portions.count; i++)
    size += portion_bytes(&ARRAY_AS(portion, &state->list.portions)[i]);
  if (size == 0) return GRAZE_OK;
  blocks[part] = memory_allocate(&state->heap, size, 1);
  if (blocks[part] == NULL) return rank_failure_say_memory(state->failure);
  result = portion_list_write(&state->list, &state->heap, state->piece, part_count, blocks, state->failure);
  if (result == GRAZE_OK)
    result = slab_take(&state->slab, &state->heap, (uint32_t)piece, blocks[part], size, state->failure);
  memory_release(&state->heap, blocks[part], size, 1);
  blocks[part] = NULL;
  return result;
}

static graze_result find_slab(stream_state *state, const graze_query *query, graze_pairs *pairs, void **blocks) {
  const uint32_t part = state->slab.part;
  graze_result result = slab_clear(&state->slab, state->failure);
  for (size_t piece = 0; result == GRAZE_OK && piece < state->source->piece_count; piece++) {
    if (!state->reaches[piece * state->def->part_count + part]) continue;
    result = load_piece(state, piece);
    if (result == GRAZE_OK) result = take_piece(state, piece, blocks);
  }
  if (result == GRAZE_OK)
    result = slab_update_and_find(&state->slab, &state->parts, state->clearance, query, pairs, state->failure);
  if (result != GRAZE_OK) return result;
  const uint64_t held = state->slab.held_count;
  state->totals.pair_count += pairs->count;
  state->totals.hash += pairs->hash;
  state->totals.held_count += held;
  if (held > state->totals.greatest_held_count) state->totals.greatest_held_count = held;
  if (pairs->counters->peak_bytes > state->totals.peak_bytes) state->totals.peak_bytes = pairs->counters->peak_bytes;
  if (state->def->take == NULL || state->def->take(state->def->take_context, pairs->pairs, pairs->count))
    return GRAZE_OK;
  return rank_failure_say(state->failure, GRAZE_STOPPED, "stopped by the caller");
}

static graze_result find_all(stream_state *state, const graze_query *query, void **blocks) {
  graze_result result = divide_pieces(state);
  if (result == GRAZE_OK) result = note_reach(state);
  graze_pairs pairs = {0};
  for (uint32_t part = 0; result == GRAZE_OK && part < state->def->part_count; part++) {
    state->slab.part = part;
    result = find_slab(state, query, &pairs, blocks);
  }
  graze_pairs_free(&pairs);
  return result;
}

static graze_result open_stream(stream_state *state, size_t reach_count, void **blocks) {
  const bool has_parts = division_create(&state->parts, &state->heap, state->def->part_count);
  const graze_result result = slab_create(&state->slab, state->def->scene, state->def->method, state->failure);
  if (result != GRAZE_OK) return result;
  if (!has_parts || blocks == NULL || state->reaches == NULL) return rank_failure_say_memory(state->failure);
  memset(state->reaches, 0, reach_count);
  for (uint32_t i = 0; i < state->def->part_count; i++) blocks[i] = NULL;
  return rank_failure_note(state->failure, graze_scene_create(state->def->scene, &state->piece));
}

graze_result slab_stream_find(const slab_source *source, const slab_stream_def *def, const graze_query *query,
                              slab_stream_totals *totals_out, rank_failure *failure) {
  stream_state state = {.source = source,
                        .def = def,
                        .place_stride = 1,
                        .box = {HUGE_VAL, HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL, -HUGE_VAL},
                        .clearance = query != NULL ? query->clearance : 0,
                        .expected_loads = (2 + (uint64_t)def->part_count) * source->piece_count,
                        .failure = failure};
  const size_t reach_count = source->piece_count * def->part_count;
  memory_init(&state.heap, def->allocator);
  portion_list_init(&state.list);
  array_init(&state.places, 3 * sizeof(double));
  array_init(&state.keys, sizeof(uint64_t));
  *failure = (rank_failure){0};
  state.reaches = memory_allocate(&state.heap, reach_count, 1);
  void **blocks = memory_allocate(&state.heap, def->part_count, sizeof *blocks);
  graze_result result = open_stream(&state, reach_count, blocks);
  if (result == GRAZE_OK) result = find_all(&state, query, blocks);
  state.totals.primitive_count = state.primitive_count;
  *totals_out = result == GRAZE_OK ? state.totals : (slab_stream_totals){0};
  memory_release(&state.heap, blocks, def->part_count, sizeof *blocks);
  memory_release(&state.heap, state.reaches, reach_count, 1);
  portion_list_release(&state.list, &state.heap);
  array_release(&state.places, &state.heap);
  array_release(&state.keys, &state.heap);
  division_destroy(&state.parts, &state.heap);
  slab_destroy(&state.slab, &state.heap);
  graze_scene_destroy(state.piece);
  return result;
}
