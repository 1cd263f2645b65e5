/* The traversal; see tree_search.h.
 *
 * Breadth first, level by level, while the pairs of blocks are few; then the list is cut into tasks, and each goes on
 * depth first, so that no list of a level is ever longer than some thousands however many pairs there are. Where one
 * pair is enough, or one of each two of many bodies, nothing is done breadth first: the first hit ends it. Where it is
 * asked for, the list begins with all pairs of a level (tree_entrance.h) and not with the roots.
 *
 * The trees of many bodies are larger than the caches: the descents of a task take turns, step by step, so that one
 * goes on while what the others have asked for comes from memory.
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
  TASK_ENTRIES = 16, /* at least, where that leaves enough tasks */
  TASKS_ENOUGH = 256,
  COURSES = 16, /* descents that take turns */
  STEPS_BETWEEN_STOPS = 64,
  TOUCH_BUDGET = 4096, /* pairs of blocks of two bodies, of which one pair is enough, before all workers share them */
  EAGER_BATCH = 8,     /* candidates are tested in so small batches where one pair is enough, or one of two bodies */
  EAGER_ROOM = EAGER_BATCH - 1 + DESCENT_CHILDREN
};

/* Two blocks of two bodies: an entry of the one list for all pairs. */
typedef struct search_entry {
  uint32_t pair; /* of bodies */
  block_pair blocks;
} search_entry;

/* Two bodies whose trees are descended. */
typedef struct body_course {
  uint32_t pair;
  const tree_body *s, *t;
  bool same_object;
  uint32_t candidate_count; /* that wait to be tested, where one of two bodies is enough */
  candidate candidates[EAGER_ROOM];
  tree_course course;
} body_course;

/* A worker's own; on a stack a batch would be too large for threads of a host. */
typedef struct tree_lane {
  _Alignas(MEMORY_ALIGNMENT) search_counts counts;
  const struct tree_tasks *tasks;
  uint64_t block_tests;
  uint32_t begun; /* the course that was begun last */
  body_course courses[COURSES];
  uint64_t met[ENTRANCE_PAIRS][TREE_LEVELS]; /* as the descent counts, of the first pairs */
  candidate_batch batch;
} tree_lane;

enum { NOT_KNOWN, TOUCHES, LEFT_FOR_LATER }; /* of two bodies */

typedef struct tree_tasks {
  search *search;
  const tree_forest *forest;
  const body_pair *pairs;
  const search_entry *entries;
  uint32_t entry_count, task_count;
  bool by_entrance; /* the search begins where its notes say, and leaves notes */
  /* Where one pair of each two bodies is enough: what is known of each two; how many touch; and after how many pairs of
   * blocks two are left for later. Tasks of the same two see it sooner or later, and no answer depends on it. */
  _Atomic(uint8_t) *touched;
  uint64_t budget;
  _Atomic(size_t) touching;
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

/* The candidate of two leaves; false: they are no pair that is asked for. */
static bool candidate_of(tree_lane *lane, const body_course *bodies, uint32_t s, uint32_t t, candidate *candidate_out) {
  const tree_forest *forest = lane->tasks->forest;
  const primitive_view *view = lane->tasks->search->view;
  const size_t s_leaf = (size_t)bodies->s->first_leaf + s, t_leaf = (size_t)bodies->t->first_leaf + t;
  const primitive_header *a = &forest->headers[s_leaf], *b = &forest->headers[t_leaf];
  const index_pair pair = {view->sources[a->object].first_primitive + forest->leaves[s_leaf],
                           view->sources[b->object].first_primitive + forest->leaves[t_leaf]};
  if (bodies->same_object && view->skip_neighbours && are_neighbours(view, a, b, pair)) {
    lane->counts.neighbours++;
    return false;
  }
  if (view->focus.in_box && !is_in_focus(view, a, b, pair)) return false;
  *candidate_out = pair.a < pair.b ? (candidate){pair, a, b} : (candidate){{pair.b, pair.a}, b, a};
  return true;
}

/* Hands over what the last step of a course has found. Whether the task goes on. */
static bool take_leaves(tree_lane *lane, body_course *bodies) {
  const tree_course *course = &bodies->course;
  for (uint32_t bits = course->bits; bits != 0; bits &= bits - 1) {
    const uint32_t bit = (uint32_t)__builtin_ctz(bits);
    candidate found;
    if (!candidate_of(lane, bodies, course->s + bit / TREE_FANOUT, course->t + bit % TREE_FANOUT, &found)) continue;
    if (!candidate_batch_add(&lane->batch, found.pair, found.a, found.b)) return false;
  }
  return !lane->tasks->search->one_is_enough || lane->batch.count < EAGER_BATCH || candidate_batch_flush(&lane->batch);
}

/* The same where one pair of the two bodies is enough: they wait, and the triangles are asked for. */
static void keep_leaves(tree_lane *lane, body_course *bodies) {
  const primitive_view *view = lane->tasks->search->view;
  const tree_course *course = &bodies->course;
  for (uint32_t bits = course->bits; bits != 0; bits &= bits - 1) {
    const uint32_t bit = (uint32_t)__builtin_ctz(bits);
    candidate *found = &bodies->candidates[bodies->candidate_count];
    if (!candidate_of(lane, bodies, course->s + bit / TREE_FANOUT, course->t + bit % TREE_FANOUT, found)) continue;
    prefetch_triangle(view, found->a);
    prefetch_triangle(view, found->b);
    bodies->candidate_count++;
  }
}

/* Asks for what candidate_of will read. */
static void prefetch_leaves(const tree_forest *forest, const body_course *bodies) {
  const size_t s = (size_t)bodies->s->first_leaf + bodies->course.s,
               t = (size_t)bodies->t->first_leaf + bodies->course.t;
  prefetch(&forest->headers[s]);
  prefetch(&forest->headers[t]);
  prefetch(&forest->leaves[s]);
  prefetch(&forest->leaves[t]);
}

/* ---------------------------------------------------------------------------------------------- tasks */

static tree_relation relation_of(const tree_tasks *tasks, body_pair bodies) {
  const posed_space *s = &tasks->forest->posed[bodies.s], *t = &tasks->forest->posed[bodies.t];
  if (tasks->search->by_boxes && (s->posed || t->posed)) return relate_in_scene(s, t);
  return bodies.s == bodies.t ? relate_to_itself(s) : relate_trees(s, t);
}

static void begin_descent(const tree_tasks *tasks, uint32_t pair, tree_lane *lane, body_course *course) {
  const tree_forest *forest = tasks->forest;
  const body_pair bodies = tasks->pairs[pair];
  course->pair = pair;
  course->s = &forest->bodies[bodies.s];
  course->t = &forest->bodies[bodies.t];
  course->same_object = course->s->object == course->t->object;
  tree_descent *descent = &course->course.descent;
  descent->itself = bodies.s == bodies.t;
  descent->s = tree_layout_of(course->s->leaf_count);
  descent->t = tree_layout_of(course->t->leaf_count);
  descent->s_blocks = forest->blocks + course->s->first_block;
  descent->t_blocks = forest->blocks + course->t->first_block;
  descent->s_slabs = course->s->has_slabs ? forest->slabs + course->s->first_block : NULL;
  descent->t_slabs = course->t->has_slabs ? forest->slabs + course->t->first_block : NULL;
  descent->relation = relation_of(tasks, bodies);
  descent->met = tasks->by_entrance && pair < ENTRANCE_PAIRS ? lane->met[pair] : NULL;
  descent->kernels = SIMD_KERNELS(tree_kernels, tasks->search->simd);
  descent->stop = tasks->search->stop;
}

/* What two bodies have in common with those that were begun before is taken from there: entries of two large ones
 * follow each other. */
static void begin_course(const tree_tasks *tasks, const search_entry *entry, tree_lane *lane, uint32_t place) {
  body_course *course = &lane->courses[place];
  const body_course *begun = &lane->courses[lane->begun];
  if (begun->pair != entry->pair) {
    begin_descent(tasks, entry->pair, lane, course);
  } else if (begun != course) {
    course->pair = begun->pair;
    course->s = begun->s;
    course->t = begun->t;
    course->same_object = begun->same_object;
    course->course.descent = begun->course.descent;
  }
  lane->begun = place;
  course->candidate_count = 0;
  course->course.nearest_first =
      tasks->search->one_of_each && tasks->pairs[entry->pair].s != tasks->pairs[entry->pair].t;
  course->course.descent.block_tests = 0;
  tree_course_begin(&course->course, entry->blocks);
}

/* Tests the candidates of two bodies of which one pair is enough. Whether they are found to touch. */
static bool touch(tree_tasks *tasks, tree_lane *lane, body_course *bodies) {
  search *s = tasks->search;
  const uint64_t found = lane->batch.found;
  memcpy(lane->batch.candidates, bodies->candidates, bodies->candidate_count * sizeof bodies->candidates[0]);
  lane->batch.count = bodies->candidate_count;
  bodies->candidate_count = 0;
  candidate_batch_flush(&lane->batch);
  if (lane->batch.found == found) return false;
  if (atomic_exchange(&tasks->touched[bodies->pair], TOUCHES) == TOUCHES) return true;
  if (atomic_fetch_add(&tasks->touching, 1) + 1 == s->each_enough) search_end_tasks(s, 0);
  return true;
}

/* Whether nothing more is to be found out here about two bodies of which one pair is enough. */
static bool is_settled(const tree_tasks *tasks, const body_course *bodies) {
  _Atomic(uint8_t) *touched = &tasks->touched[bodies->pair];
  if (atomic_load_explicit(touched, memory_order_relaxed) == TOUCHES) return true;
  if (bodies->course.descent.block_tests < tasks->budget) return false;
  atomic_store_explicit(touched, LEFT_FOR_LATER, memory_order_relaxed);
  return true;
}

typedef enum course_state { COURSE_GOES_ON, COURSE_ENDS, TASK_ENDS } course_state;

/* One step of a descent. What it reads was asked for a turn ago: candidates that wait are tested first, then what the
 * last step has found is taken. */
static course_state take_turn(tree_tasks *tasks, tree_lane *lane, body_course *bodies) {
  tree_course *course = &bodies->course;
  const bool at_end = course->count == 0 && course->bits == 0;
  if (tasks->search->one_of_each) {
    if (is_settled(tasks, bodies)) return COURSE_ENDS;
    const uint32_t enough = at_end ? 1 : EAGER_BATCH;
    if (bodies->candidate_count >= enough && touch(tasks, lane, bodies)) return COURSE_ENDS;
    keep_leaves(lane, bodies);
  } else if (course->bits != 0 && !take_leaves(lane, bodies)) {
    return TASK_ENDS;
  }
  course->bits = 0;
  if (at_end) return COURSE_ENDS;
  if (course->count == 0) return COURSE_GOES_ON;
  tree_course_step(course);
  if (course->bits != 0) prefetch_leaves(tasks->forest, bodies);
  return COURSE_GOES_ON;
}

static uint32_t first_entry(const tree_tasks *tasks, uint32_t task) {
  return (uint32_t)((uint64_t)task * tasks->entry_count / tasks->task_count);
}

/* What begin_descent will read. */
static void prefetch_bodies(const tree_tasks *tasks, uint32_t entry, uint32_t end) {
  if (entry >= end) return;
  const body_pair bodies = tasks->pairs[tasks->entries[entry].pair];
  prefetch(&tasks->forest->bodies[bodies.s]);
  prefetch(&tasks->forest->bodies[bodies.t]);
  for (size_t byte = 0; byte < sizeof(posed_space); byte += MEMORY_ALIGNMENT) {
    prefetch((const char *)&tasks->forest->posed[bodies.s] + byte);
    prefetch((const char *)&tasks->forest->posed[bodies.t] + byte);
  }
}

/* The courses of a task that go on, and its entries that are still to be begun. */
typedef struct task_round {
  uint32_t places[COURSES]; /* among the lane's */
  uint32_t count, next, end;
} task_round;

/* Ends the course at a place of the round, and begins the next in its place. */
static void end_course(const tree_tasks *tasks, tree_lane *lane, uint32_t at, task_round *round) {
  lane->block_tests += lane->courses[round->places[at]].course.descent.block_tests;
  if (round->next < round->end)
    begin_course(tasks, &tasks->entries[round->next++], lane, round->places[at]);
  else
    round->places[at] = round->places[--round->count];
  prefetch_bodies(tasks, round->next, round->end);
}

/* False: the task ends early. */
static bool run_round(tree_tasks *tasks, tree_lane *lane, uint32_t task, task_round *round) {
  uint32_t at = 0, steps = 0;
  while (round->count > 0) {
    if (steps++ % STEPS_BETWEEN_STOPS == 0 && search_leaves(tasks->search, task)) return false;
    if (at >= round->count) at = 0;
    const course_state state = take_turn(tasks, lane, &lane->courses[round->places[at]]);
    if (state == TASK_ENDS) return false;
    if (state == COURSE_ENDS) end_course(tasks, lane, at, round);
    at++;
  }
  return true;
}

/* The descents of a task take turns; where one pair is enough, one goes after the other. False: the task ends early. */
static bool descend_in_turns(tree_tasks *tasks, tree_lane *lane, uint32_t task) {
  const uint32_t most = tasks->search->one_is_enough ? 1 : COURSES;
  task_round round = {.next = first_entry(tasks, task), .end = first_entry(tasks, task + 1)};
  lane->courses[lane->begun].pair = UINT32_MAX;
  for (; round.count < most && round.next < round.end; round.count++) {
    round.places[round.count] = round.count;
    begin_course(tasks, &tasks->entries[round.next++], lane, round.count);
  }
  const bool through = run_round(tasks, lane, task, &round);
  for (uint32_t i = 0; i < round.count; i++)
    lane->block_tests += lane->courses[round.places[i]].course.descent.block_tests;
  return through;
}

static void run_task(void *context, uint32_t index, uint32_t worker) {
  tree_tasks *tasks = context;
  tree_lane *lane = &tasks->lanes[worker];
  if (search_leaves(tasks->search, index)) return;
  candidate_batch_begin(&lane->batch, index);
  if (descend_in_turns(tasks, lane, index)) candidate_batch_flush(&lane->batch);
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
  body_course *course = &lane->courses[0];
  tree_descent *descent = &course->course.descent;
  bool any = false;
  uint32_t pair = UINT32_MAX;
  to->count = 0;
  descent->block_tests = 0;
  for (size_t i = 0; i < from->count; i++) {
    const search_entry *entry = &from->entries[i];
    if (entry->blocks.level == 0) {
      to->entries[to->count++] = *entry;
      continue;
    }
    if (entry->pair != pair) begin_descent(tasks, entry->pair, lane, course);
    pair = entry->pair;
    block_pair children[DESCENT_CHILDREN];
    const uint32_t count = tree_expand(descent, entry->blocks, children);
    for (uint32_t child = 0; child < count; child++)
      to->entries[to->count++] = (search_entry){entry->pair, children[child]};
    any = true;
  }
  lane->block_tests += descent->block_tests;
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
    lane->block_tests = 0;
    lane->begun = 0;
    memset(lane->met, 0, sizeof lane->met);
    candidate_batch_init(&lane->batch, tasks->search, i);
  }
}

static void add_counts(const tree_tasks *tasks, uint32_t worker_count, search *s) {
  for (uint32_t i = 0; i < worker_count; i++) {
    const tree_lane *lane = &tasks->lanes[i];
    s->counts.box_tests += lane->block_tests * DESCENT_CHILDREN;
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

/* So many that none is long beside all, and so few that descents of a task have others to take turns with. */
static uint32_t task_count_of(const search *s, uint32_t entry_count) {
  uint32_t count = entry_count < TASKS_MOST ? entry_count : TASKS_MOST;
  if (s->one_is_enough || count <= TASKS_ENOUGH) return count;
  const uint32_t long_enough = entry_count / TASK_ENTRIES;
  if (long_enough < count) count = long_enough > TASKS_ENOUGH ? long_enough : TASKS_ENOUGH;
  return count;
}

static void run_tasks(tree_tasks *tasks, const entry_list *list) {
  tasks->entries = list->entries;
  tasks->entry_count = (uint32_t)list->count;
  tasks->task_count = task_count_of(tasks->search, tasks->entry_count);
  workers_run(tasks->search->workers, run_task, tasks, tasks->task_count);
}

/* Which two bodies touch: each depth first from the roots, by one task. What was left for later, of few bodies that are
 * large, is spread over all workers. False when out of memory. */
static bool search_touching(tree_tasks *tasks, size_t pair_count, entry_list *list) {
  memory *heap = tasks->search->memory;
  tasks->touched = memory_allocate(heap, pair_count, sizeof *tasks->touched);
  if (tasks->touched == NULL) return false;
  for (size_t i = 0; i < pair_count; i++) atomic_init(&tasks->touched[i], NOT_KNOWN);
  tasks->budget = pair_count < ENOUGH_ENTRIES ? TOUCH_BUDGET : UINT64_MAX;
  run_tasks(tasks, list);
  list->count = 0;
  for (uint32_t i = 0; i < pair_count; i++)
    if (atomic_load(&tasks->touched[i]) == LEFT_FOR_LATER) list_entrance(tasks, i, list);
  tasks->budget = UINT64_MAX;
  const bool ready = expand_breadth_first(tasks, heap, list);
  if (ready && list->count > 0) run_tasks(tasks, list);
  memory_release(heap, tasks->touched, pair_count, sizeof *tasks->touched);
  return ready;
}

static bool search_for_pairs(tree_tasks *tasks, entry_list *list) {
  const search *s = tasks->search;
  if (!s->one_is_enough && !expand_breadth_first(tasks, s->memory, list)) return false;
  run_tasks(tasks, list);
  return true;
}

static graze_result search_pairs(const tree_forest *forest, search *s, const body_pair_list *pairs) {
  const uint32_t worker_count = workers_count(s->workers);
  entry_list list = {0};
  tree_tasks tasks = {.search = s,
                      .forest = forest,
                      .pairs = pairs->pairs,
                      .by_entrance = forest->options.entrance && !s->one_is_enough && !s->one_of_each,
                      .lanes = memory_allocate(s->memory, worker_count, sizeof *tasks.lanes)};
  bool ready = tasks.lanes != NULL;
  if (ready) {
    init_lanes(&tasks, worker_count);
    ready = list_entrances(&tasks, pairs->count, s->memory, &list);
  }
  if (ready) ready = s->one_of_each ? search_touching(&tasks, pairs->count, &list) : search_for_pairs(&tasks, &list);
  if (ready) {
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
