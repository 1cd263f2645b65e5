/* The traversal; see tree_search.h.
 *
 * Breadth first, level by level, while the pairs of blocks are few; then the list is cut into tasks, and each goes on
 * depth first, so that no list of a level is ever longer than some thousands however many pairs there are. Where one
 * pair is enough nothing is done breadth first: the first hit ends it. Where it is asked for, the list begins with all
 * pairs of a level (tree_entrance.h) and not with the roots.
 *
 * Workload: see tree_descent.h; one pair of bodies in microseconds, 10^5 of them in milliseconds. */
#include "broad/tree_search.h"

#include "base/simd_choice.h"
#include "base/timer.h"
#include "broad/candidate_batch.h"
#include "broad/tree_descent.h"
#include "broad/tree_entrance.h"

#include <string.h>

enum {
  ENOUGH_ENTRIES = 512, /* for tasks: the list is not made longer */
  TASKS_MOST = 1024,
  ROOTS_BETWEEN_STOPS = 1024,
  EAGER_BATCH = 8 /* candidates are tested in so small batches where one pair is enough */
};

/* Two blocks of two bodies: an entry of the one list for all pairs. */
typedef struct search_entry {
  uint32_t pair; /* of bodies */
  block_pair blocks;
} search_entry;

/* A worker's own; on a stack a batch would be too large for threads of a host. */
typedef struct tree_lane {
  _Alignas(MEMORY_ALIGNMENT) search_counts counts;
  tree_descent descent;
  const struct tree_tasks *tasks;
  const tree_body *s, *t; /* whose trees are descended */
  bool same_object;
  uint64_t met[ENTRANCE_PAIRS][TREE_LEVELS]; /* as the descent counts, of the first pairs */
  candidate_batch batch;
} tree_lane;

typedef struct tree_tasks {
  search *search;
  const tree_forest *forest;
  const body_pair *pairs;
  const search_entry *entries;
  uint32_t entry_count, task_count;
  bool by_entrance; /* the search begins where its notes say, and leaves notes */
  tree_lane *lanes;
} tree_tasks;

/* ---------------------------------------------------------------------------------------------- candidates */

static bool are_neighbours(const primitive_view *view, const primitive_header *a, const primitive_header *b,
                           index_pair pair) {
  if (headers_share_corner(a, b)) return true;
  const object_source *source = &view->sources[a->object];
  return !headers_have_all_corners(source) && share_corner(source, pair.a, pair.b);
}

/* Whether both primitives are in the query's box, by exact coordinates. */
static bool is_in_focus(const primitive_view *view, const primitive_header *a, const primitive_header *b,
                        index_pair pair) {
  const object_source *p = &view->sources[a->object], *q = &view->sources[b->object];
  const exact_box p_box = box_of_corners(p, corners_of(p, pair.a)), q_box = box_of_corners(q, corners_of(q, pair.b));
  return exact_boxes_meet(&p_box, &view->focus.box) && exact_boxes_meet(&q_box, &view->focus.box);
}

/* Whether the task goes on. */
static bool add_candidate(tree_lane *lane, uint32_t s, uint32_t t) {
  const tree_forest *forest = lane->tasks->forest;
  const primitive_view *view = lane->tasks->search->view;
  const size_t s_leaf = (size_t)lane->s->first_leaf + s, t_leaf = (size_t)lane->t->first_leaf + t;
  const primitive_header *a = &forest->headers[s_leaf], *b = &forest->headers[t_leaf];
  index_pair pair = {view->sources[a->object].first_primitive + forest->leaves[s_leaf],
                     view->sources[b->object].first_primitive + forest->leaves[t_leaf]};
  if (lane->same_object && view->skip_neighbours && are_neighbours(view, a, b, pair)) {
    lane->counts.neighbours++;
    return true;
  }
  if (view->focus.in_box && !is_in_focus(view, a, b, pair)) return true;
  if (pair.a < pair.b) return candidate_batch_add(&lane->batch, pair, a, b);
  return candidate_batch_add(&lane->batch, (index_pair){pair.b, pair.a}, b, a);
}

static bool take_leaves(void *context, uint32_t s, uint32_t t, uint32_t bits) {
  tree_lane *lane = context;
  for (; bits != 0; bits &= bits - 1) {
    const uint32_t bit = (uint32_t)__builtin_ctz(bits);
    if (!add_candidate(lane, s + bit / TREE_FANOUT, t + bit % TREE_FANOUT)) return false;
  }
  if (lane->tasks->search->one_is_enough && lane->batch.count >= EAGER_BATCH)
    return candidate_batch_flush(&lane->batch);
  return true;
}

/* ---------------------------------------------------------------------------------------------- tasks */

static tree_relation relation_of(const tree_tasks *tasks, body_pair bodies) {
  const posed_space *s = &tasks->forest->posed[bodies.s], *t = &tasks->forest->posed[bodies.t];
  if (tasks->search->by_boxes && (s->posed || t->posed)) return relate_in_scene(s, t);
  return bodies.s == bodies.t ? relate_to_itself(s) : relate_trees(s, t);
}

static void begin_descent(const tree_tasks *tasks, uint32_t pair, tree_lane *lane) {
  const tree_forest *forest = tasks->forest;
  const body_pair bodies = tasks->pairs[pair];
  lane->s = &forest->bodies[bodies.s];
  lane->t = &forest->bodies[bodies.t];
  lane->same_object = lane->s->object == lane->t->object;
  tree_descent *descent = &lane->descent;
  descent->itself = bodies.s == bodies.t;
  descent->s = tree_layout_of(lane->s->leaf_count);
  descent->t = tree_layout_of(lane->t->leaf_count);
  descent->s_blocks = forest->blocks + lane->s->first_block;
  descent->t_blocks = forest->blocks + lane->t->first_block;
  descent->s_slabs = lane->s->has_slabs ? forest->slabs + lane->s->first_block : NULL;
  descent->t_slabs = lane->t->has_slabs ? forest->slabs + lane->t->first_block : NULL;
  descent->relation = relation_of(tasks, bodies);
  descent->met = tasks->by_entrance && pair < ENTRANCE_PAIRS ? lane->met[pair] : NULL;
}

static uint32_t first_entry(const tree_tasks *tasks, uint32_t task) {
  return (uint32_t)((uint64_t)task * tasks->entry_count / tasks->task_count);
}

static void run_task(void *context, uint32_t index, uint32_t worker) {
  const tree_tasks *tasks = context;
  tree_lane *lane = &tasks->lanes[worker];
  const uint32_t end = first_entry(tasks, index + 1);
  uint32_t pair = UINT32_MAX;
  candidate_batch_begin(&lane->batch, index);
  for (uint32_t i = first_entry(tasks, index); i < end; i++) {
    const search_entry *entry = &tasks->entries[i];
    if (search_leaves(tasks->search, index)) return;
    if (entry->pair != pair) begin_descent(tasks, entry->pair, lane);
    pair = entry->pair;
    if (!tree_descend(&lane->descent, entry->blocks, take_leaves, lane)) return;
  }
  candidate_batch_flush(&lane->batch);
}

/* ---------------------------------------------------------------------------------------------- breadth first */

/* The list of a level, and that of the next. */
typedef struct entry_list {
  search_entry *entries;
  size_t count, room;
} entry_list;

static bool make_room(entry_list *list, memory *heap, size_t room) {
  if (list->room >= room) return true;
  memory_release(heap, list->entries, list->room, sizeof *list->entries);
  list->entries = memory_allocate(heap, room, sizeof *list->entries);
  list->room = list->entries != NULL ? room : 0;
  return list->entries != NULL;
}

static entrance_trees trees_of(const tree_tasks *tasks, size_t pair) {
  const body_pair bodies = tasks->pairs[pair];
  const tree_body *s = &tasks->forest->bodies[bodies.s], *t = &tasks->forest->bodies[bodies.t];
  return (entrance_trees){s->leaf_count, t->leaf_count, bodies.s == bodies.t};
}

static uint32_t entrance_of(const tree_tasks *tasks, size_t pair) {
  const entrance_trees trees = trees_of(tasks, pair);
  if (!tasks->by_entrance) return tree_entrance_root(&trees);
  return tree_entrance_level(&tasks->forest->notes, tasks->pairs[pair], &trees);
}

/* All pairs of blocks of the level at which two bodies are entered; of the roots it is one. */
static void list_entrance(const tree_tasks *tasks, uint32_t pair, entry_list *list) {
  const uint32_t level = entrance_of(tasks, pair);
  if (!tasks->by_entrance) {
    list->entries[list->count++] = (search_entry){pair, {0, 0, level}};
    return;
  }
  const entrance_trees trees = trees_of(tasks, pair);
  const uint32_t s_count = tree_blocks_at(trees.s_leaves, level), t_count = tree_blocks_at(trees.t_leaves, level);
  for (uint32_t s = 0; s < s_count; s++)
    for (uint32_t t = trees.itself ? s : 0; t < t_count; t++)
      list->entries[list->count++] = (search_entry){pair, {s, t, level}};
}

static bool list_entrances(const tree_tasks *tasks, size_t pair_count, memory *heap, entry_list *list) {
  size_t room = pair_count;
  for (size_t i = 0; i < pair_count && tasks->by_entrance; i++) {
    const entrance_trees trees = trees_of(tasks, i);
    room += (size_t)tree_entrance_blocks(&trees, entrance_of(tasks, i)) - 1;
  }
  if (!make_room(list, heap, room)) return false;
  for (size_t i = 0; i < pair_count; i++) {
    if (i % ROOTS_BETWEEN_STOPS == 0 && stop_is_asked_for(tasks->search->stop)) break;
    list_entrance(tasks, (uint32_t)i, list);
  }
  return true;
}

/* One level down for all entries above the leaves; whether there were any. Room for all has been made. */
static bool expand_entries(const tree_tasks *tasks, const entry_list *from, entry_list *to) {
  tree_lane *lane = &tasks->lanes[0];
  bool any = false;
  uint32_t pair = UINT32_MAX;
  to->count = 0;
  for (size_t i = 0; i < from->count; i++) {
    const search_entry *entry = &from->entries[i];
    if (entry->blocks.level == 0) {
      to->entries[to->count++] = *entry;
      continue;
    }
    if (entry->pair != pair) begin_descent(tasks, entry->pair, lane);
    pair = entry->pair;
    block_pair children[DESCENT_CHILDREN];
    const uint32_t count = tree_expand(&lane->descent, entry->blocks, children);
    for (uint32_t child = 0; child < count; child++)
      to->entries[to->count++] = (search_entry){entry->pair, children[child]};
    any = true;
  }
  return any;
}

static bool expand_breadth_first(const tree_tasks *tasks, memory *heap, entry_list *list) {
  entry_list next = {0};
  bool goes_on = true, ready = true;
  while (goes_on && list->count > 0 && list->count < ENOUGH_ENTRIES) {
    ready = make_room(&next, heap, list->count * DESCENT_CHILDREN);
    if (!ready) break;
    goes_on = expand_entries(tasks, list, &next);
    const entry_list kept = *list;
    *list = next;
    next = kept;
  }
  memory_release(heap, next.entries, next.room, sizeof *next.entries);
  return ready;
}

/* ---------------------------------------------------------------------------------------------- a search */

static void init_lanes(tree_tasks *tasks, uint32_t worker_count) {
  for (uint32_t i = 0; i < worker_count; i++) {
    tree_lane *lane = &tasks->lanes[i];
    lane->counts = (search_counts){0};
    lane->tasks = tasks;
    lane->descent.stop = tasks->search->stop;
    lane->descent.block_tests = 0;
    memset(lane->met, 0, sizeof lane->met);
    lane->descent.kernels = SIMD_KERNELS(tree_kernels, tasks->search->simd);
    candidate_batch_init(&lane->batch, tasks->search, i);
  }
}

static void add_counts(const tree_tasks *tasks, uint32_t worker_count, search *s) {
  for (uint32_t i = 0; i < worker_count; i++) {
    const tree_lane *lane = &tasks->lanes[i];
    s->counts.box_tests += lane->descent.block_tests * DESCENT_CHILDREN;
    s->counts.neighbours += lane->counts.neighbours;
    s->counts.candidates += lane->batch.handed_over;
  }
}

/* For the next search of the same bodies. One that ended early has not met all that there is. */
static void note_entrances(const tree_tasks *tasks, size_t pair_count, uint32_t worker_count, search *s) {
  if (!tasks->by_entrance || atomic_load(&s->task_end) != UINT32_MAX) return;
  for (uint32_t pair = 0; pair < pair_count && pair < ENTRANCE_PAIRS; pair++) {
    uint64_t met[TREE_LEVELS] = {0};
    for (uint32_t worker = 0; worker < worker_count; worker++)
      for (uint32_t level = 0; level < TREE_LEVELS; level++) met[level] += tasks->lanes[worker].met[pair][level];
    const entrance_trees trees = trees_of(tasks, pair);
    const uint32_t next = tree_next_entrance(&trees, entrance_of(tasks, pair), met);
    tree_note_entrance(&s->notes, pair, tasks->pairs[pair], next);
  }
}

static graze_result search_pairs(const tree_forest *forest, search *s, const body_pair_list *pairs) {
  const uint32_t worker_count = workers_count(s->workers);
  entry_list list = {0};
  tree_tasks tasks = {.search = s,
                      .forest = forest,
                      .pairs = pairs->pairs,
                      .by_entrance = forest->options.entrance && !s->one_is_enough,
                      .lanes = memory_allocate(s->memory, worker_count, sizeof *tasks.lanes)};
  bool ready = tasks.lanes != NULL;
  if (ready) {
    init_lanes(&tasks, worker_count);
    ready = list_entrances(&tasks, pairs->count, s->memory, &list);
    if (ready && !s->one_is_enough) ready = expand_breadth_first(&tasks, s->memory, &list);
  }
  if (ready) {
    tasks.entries = list.entries;
    tasks.entry_count = (uint32_t)list.count;
    tasks.task_count = list.count < TASKS_MOST ? (uint32_t)list.count : TASKS_MOST;
    workers_run(s->workers, run_task, &tasks, tasks.task_count);
    add_counts(&tasks, worker_count, s);
    note_entrances(&tasks, pairs->count, worker_count, s);
  }
  memory_release(s->memory, list.entries, list.room, sizeof *list.entries);
  memory_release(s->memory, tasks.lanes, worker_count, sizeof *tasks.lanes);
  return ready ? search_result(s) : GRAZE_OUT_OF_MEMORY;
}

graze_result tree_search(const tree_forest *forest, search *s) {
  body_pair_list pairs = {0};
  const double begin = timer_now_ms();
  graze_result result = tree_find_body_pairs(forest, s, &pairs);
  s->build_ms = timer_now_ms() - begin;
  if (result == GRAZE_OK && !tree_count_searched(forest, &pairs, s->memory, &s->searched_count))
    result = GRAZE_OUT_OF_MEMORY;
  if (result == GRAZE_OK && pairs.count > UINT32_MAX) result = GRAZE_OUT_OF_MEMORY;
  if (result == GRAZE_OK && pairs.count > 0) result = search_pairs(forest, s, &pairs);
  body_pair_list_release(&pairs, s->memory);
  return result != GRAZE_OK ? result : search_result(s);
}
