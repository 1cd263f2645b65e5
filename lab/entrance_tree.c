/* Descends two trees from a given level and counts intersecting nodes at each level; see entrance_tree.h.
 *
 * An entry, two blocks of that level of two bodies, is a task and is processed depth first. */
#include "lab/entrance_tree.h"

#include "base/timer.h"
#include "broad/tree_bodies.h"
#include "broad/tree_interleaved.h"
#include "lab/tree_entrance.h"

#include <string.h>

typedef struct entrance_forest {
  tree_forest forest;
  search_notes notes; /* of the last search of these bodies */
} entrance_forest;

typedef struct entrance_lane {
  _Alignas(MEMORY_ALIGNMENT) body_traversal traversal;
  uint64_t met[ENTRANCE_PAIRS][TREE_LEVELS]; /* pairs of nodes that may intersect, of the first pairs of bodies */
  uint64_t block_tests, neighbors;
  candidate_batch batch;
  primitive_header headers[CANDIDATE_BATCH][2]; /* of the batch */
} entrance_lane;

typedef struct entrance_search {
  const entrance_forest *of;
  search *search;
  const body_pair_list *pairs;
  tree_tasks tasks; /* for tree_interleaved_relate */
  search_entry *entries;
  size_t entry_count;
  entrance_lane *lanes;
} entrance_search;

static entrance_trees trees_of(const entrance_search *at, size_t pair) {
  const body_pair bodies = at->pairs->pairs[pair];
  const tree_body *s = &at->of->forest.bodies[bodies.s], *t = &at->of->forest.bodies[bodies.t];
  return (entrance_trees){s->leaf_count, t->leaf_count, bodies.s == bodies.t};
}

/* The roots if the first pair suffices. */
static uint32_t level_of(const entrance_search *at, size_t pair) {
  const entrance_trees trees = trees_of(at, pair);
  if (at->search->one_is_enough || at->search->one_of_each) return tree_entrance_root(&trees);
  return tree_entrance_level(&at->of->notes, at->pairs->pairs[pair], &trees);
}

/* Lists all pairs of blocks of the level at which two bodies are entered. */
static bool list_entries(entrance_search *at) {
  for (size_t i = 0; i < at->pairs->count; i++) {
    const entrance_trees trees = trees_of(at, i);
    at->entry_count += (size_t)tree_entrance_blocks(&trees, level_of(at, i));
  }
  at->entries = memory_allocate(at->search->memory, at->entry_count, sizeof *at->entries);
  if (at->entries == NULL || at->entry_count > UINT32_MAX) return false;
  size_t place = 0;
  for (uint32_t i = 0; i < at->pairs->count; i++) {
    const entrance_trees trees = trees_of(at, i);
    const uint32_t level = level_of(at, i), s_count = tree_blocks_at(trees.s_leaves, level),
                   t_count = tree_blocks_at(trees.t_leaves, level);
    for (uint32_t s = 0; s < s_count; s++)
      for (uint32_t t = trees.itself ? s : 0; t < t_count; t++) at->entries[place++] = (search_entry){i, {s, t, level}};
  }
  return true;
}

/* ---------------------------------------------------------------------------------------------- descents */

static bool are_neighbors(const primitive_view *view, const primitive_header *a, const primitive_header *b,
                          index_pair pair) {
  const object_source *source = &view->sources[a->object];
  return headers_share_corner(a, b) || (!headers_have_all_corners(source) && share_corner(source, pair.a, pair.b));
}

static bool is_in_focus(const primitive_view *view, uint32_t object, uint32_t primitive) {
  const object_source *source = &view->sources[object];
  const exact_box box = box_of_corners(source, corners_of(source, primitive));
  return exact_boxes_meet(&box, &view->focus.box);
}

/* Returns whether the task continues. */
static bool hand_over(entrance_search *at, entrance_lane *lane, uint32_t s, uint32_t t) {
  const tree_forest *forest = &at->of->forest;
  const primitive_view *view = at->search->view;
  const size_t s_leaf = (size_t)lane->traversal.s->first_leaf + s, t_leaf = (size_t)lane->traversal.t->first_leaf + t;
  const tree_body *s_body = lane->traversal.s, *t_body = lane->traversal.t;
  const object_source *s_source = &view->sources[s_body->object], *t_source = &view->sources[t_body->object];
  primitive_header *a = &lane->headers[lane->batch.count][0], *b = &lane->headers[lane->batch.count][1];
  *a = placed_header(&forest->headers[s_leaf], s_body->object, s_source->first_vertex);
  *b = placed_header(&forest->headers[t_leaf], t_body->object, t_source->first_vertex);
  const index_pair pair = {s_source->first_primitive + forest->leaves[s_leaf],
                           t_source->first_primitive + forest->leaves[t_leaf]};
  if (lane->traversal.same_object && view->skip_neighbors && are_neighbors(view, a, b, pair)) {
    lane->neighbors++;
    return true;
  }
  if (view->focus.in_box && !(is_in_focus(view, a->object, pair.a) && is_in_focus(view, b->object, pair.b)))
    return true;
  return pair.a < pair.b ? candidate_batch_add(&lane->batch, pair, a, b)
                         : candidate_batch_add(&lane->batch, (index_pair){pair.b, pair.a}, b, a);
}

static bool descend(entrance_search *at, entrance_lane *lane, const search_entry *entry) {
  tree_descent *descent = &lane->traversal.traversal.descent;
  block_pair stack[DESCENT_STACK];
  uint32_t count = 0;
  stack[count++] = entry->blocks;
  while (count > 0) {
    const block_pair pair = stack[--count];
    const uint32_t bits = descent_meet(descent, pair);
    if (entry->pair < ENTRANCE_PAIRS) lane->met[entry->pair][pair.level] += (uint64_t)__builtin_popcount(bits);
    for (uint32_t left = bits; left != 0; left &= left - 1) {
      const uint32_t bit = (uint32_t)__builtin_ctz(left);
      if (pair.level > 0)
        stack[count++] = descent_child(descent, pair, bit);
      else if (!hand_over(at, lane, TREE_FANOUT * pair.s + bit / TREE_FANOUT, TREE_FANOUT * pair.t + bit % TREE_FANOUT))
        return false;
    }
    if (descent->block_tests % 512 == 0 && search_leaves(at->search, lane->batch.task)) return false;
  }
  return true;
}

static void run_entry(void *context, uint32_t index, uint32_t worker) {
  entrance_search *at = context;
  entrance_lane *lane = &at->lanes[worker];
  const search_entry *entry = &at->entries[index];
  if (search_leaves(at->search, index)) return;
  if (lane->traversal.pair != entry->pair) tree_interleaved_relate(&at->tasks, entry->pair, &lane->traversal, NULL);
  lane->traversal.traversal.descent.block_tests = 0;
  candidate_batch_begin(&lane->batch, index);
  if (descend(at, lane, entry)) candidate_batch_flush(&lane->batch);
  lane->block_tests += lane->traversal.traversal.descent.block_tests;
}

/* ---------------------------------------------------------------------------------------------- a search */

/* Stores notes for the next search of the same bodies, unless this one ended early. */
static void keep_notes(const entrance_search *at, uint32_t worker_count, search *s) {
  if (s->one_is_enough || s->one_of_each || atomic_load(&s->task_end) != UINT32_MAX) return;
  for (uint32_t pair = 0; pair < at->pairs->count && pair < ENTRANCE_PAIRS; pair++) {
    uint64_t met[TREE_LEVELS] = {0};
    for (uint32_t worker = 0; worker < worker_count; worker++)
      for (uint32_t level = 0; level < TREE_LEVELS; level++) met[level] += at->lanes[worker].met[pair][level];
    const entrance_trees trees = trees_of(at, pair);
    tree_note_entrance(&s->notes, pair, at->pairs->pairs[pair], tree_next_entrance(&trees, level_of(at, pair), met));
  }
}

static bool search_pairs(const entrance_forest *of, search *s, const body_pair_list *pairs) {
  const uint32_t worker_count = workers_count(s->workers);
  entrance_search at = {.of = of,
                        .search = s,
                        .pairs = pairs,
                        .tasks = {.search = s, .forest = &of->forest, .pairs = pairs->pairs},
                        .lanes = memory_allocate(s->memory, worker_count, sizeof *at.lanes)};
  const bool ready = at.lanes != NULL && list_entries(&at);
  for (uint32_t i = 0; i < worker_count && ready; i++) {
    entrance_lane *lane = &at.lanes[i];
    memset(lane->met, 0, sizeof lane->met);
    lane->traversal.pair = UINT32_MAX;
    lane->block_tests = lane->neighbors = 0;
    candidate_batch_init(&lane->batch, s, i);
  }
  if (ready) workers_run(s->workers, run_entry, &at, (uint32_t)at.entry_count);
  for (uint32_t i = 0; i < worker_count && ready; i++) {
    s->counts.box_tests += at.lanes[i].block_tests * DESCENT_CHILDREN;
    s->counts.neighbors += at.lanes[i].neighbors;
    s->counts.candidates += at.lanes[i].batch.handed_over;
  }
  if (ready) keep_notes(&at, worker_count, s);
  memory_release(s->memory, at.entries, at.entry_count, sizeof *at.entries);
  memory_release(s->memory, at.lanes, worker_count, sizeof *at.lanes);
  return ready;
}

static graze_result find(const void *state, search *s) {
  const entrance_forest *of = state;
  body_pair_list pairs = {0};
  const double begin = timer_now_ms();
  graze_result result = tree_find_body_pairs(&of->forest, s, &pairs);
  s->build_ms = timer_now_ms() - begin;
  if (result == GRAZE_OK && !tree_count_searched(&of->forest, &pairs, s->memory, &s->searched_count))
    result = GRAZE_OUT_OF_MEMORY;
  if (result == GRAZE_OK && pairs.count > 0 && !search_pairs(of, s, &pairs)) result = GRAZE_OUT_OF_MEMORY;
  body_pair_list_release(&pairs, s->memory);
  return result != GRAZE_OK ? result : search_result(s);
}

/* ---------------------------------------------------------------------------------------------- the method */

static graze_result create(memory *heap, const method_options *options, void **state_out) {
  entrance_forest *of = memory_allocate(heap, 1, sizeof *of);
  if (of == NULL) return GRAZE_OUT_OF_MEMORY;
  *of = (entrance_forest){0};
  tree_options chosen = {GRAZE_TREE_BUILDER_AUTO, GRAZE_TREE_UPDATE_AUTO};
  if (options->def != NULL) chosen = (tree_options){options->def->tree_builder, options->def->tree_update};
  tree_forest_init(&of->forest, heap, &chosen);
  *state_out = of;
  return GRAZE_OK;
}

/* Added and removed objects change the numbers of bodies. */
static graze_result update(void *state, const update_input *input) {
  entrance_forest *of = state;
  object_change changes = 0;
  for (size_t i = 0; i < input->view->object_count; i++) changes |= input->changes[i];
  of->notes = (changes & CHANGED_TOPOLOGY) != 0 ? (search_notes){0} : *input->notes;
  return tree_forest_update(&of->forest, input);
}

static bool suits(const void *state) {
  const tree_forest *forest = &((const entrance_forest *)state)->forest;
  bool spread = false;
  for (size_t i = 0; i < forest->body_count; i++) spread = spread || forest->bodies[i].badly_spread;
  return !spread;
}

static void destroy(memory *heap, void *state) {
  tree_forest_release(&((entrance_forest *)state)->forest);
  memory_release(heap, state, 1, sizeof(entrance_forest));
}

static const cpu_method on_processor = {
    .create = create, .update = update, .suits = suits, .find = find, .destroy = destroy};

const method method_tree_entrance = {.name = "tree-entrance",
                                     .description = "trees entered at the nodes that met most before",
                                     .traits = METHOD_KEEPS_STATE | METHOD_FILTERS_ROUNDED,
                                     .cpu = &on_processor};
