/* The method "tree", a broad phase: persistent bounding volume hierarchies of objects, descended in pairs.
 *
 * Paper: Gress, Zachmann, "Object-space interference detection on programmable graphics hardware", 2004. */
#include "base/timer.h"
#include "broad/structure_list.h"
#include "broad/tree_bodies.h"
#include "broad/tree_forest.h"
#include "broad/tree_interleaved.h"

/* One traversal for all pairs of bodies of a scene, from their roots to candidates.
 *
 * Breadth first, level by level, while there are few pairs of blocks; then the list is divided into tasks, which
 * continue depth first (tree_interleaved.h), so that no list of a level is longer than a few thousand, however many
 * pairs there are. If one pair is enough, or one per pair of many bodies, there is no breadth-first phase: the first
 * hit ends the descent.
 *
 * Workload: see tree_descent.h; one pair of bodies in microseconds, 10^5 of them in milliseconds. */

enum {
  ENOUGH_ENTRIES = 512, /* for tasks: the list is not expanded further */
  TASKS_MOST = 1024,
  ROOTS_BETWEEN_STOPS = 1024,
  TASK_ENTRIES = 16, /* minimum, if there are then enough tasks */
  TASKS_ENOUGH = 256,
  TOUCH_BUDGET = 4096 /* pairs of blocks of two bodies for which one pair is enough, before all workers share them */
};

/* ---------------------------------------------------------------------------------------------- breadth first */

/* The list of a level, or that of the next. */
typedef struct entry_list {
  search_entry *entries;
  size_t count, capacity;
} entry_list;

static bool reserve_entries(entry_list *list, memory *heap, size_t capacity) {
  if (list->capacity >= capacity) return true;
  memory_release(heap, list->entries, list->capacity, sizeof *list->entries);
  list->entries = memory_allocate(heap, capacity, sizeof *list->entries);
  list->capacity = list->entries != NULL ? capacity : 0;
  return list->entries != NULL;
}

/* The roots of two bodies: the level is that of the deeper tree. */
static search_entry root_of(const tree_tasks *tasks, uint32_t pair) {
  const body_pair bodies = tasks->pairs[pair];
  const uint32_t s = tree_layout_of(tasks->forest->bodies[bodies.s].leaf_count).top;
  const uint32_t t = tree_layout_of(tasks->forest->bodies[bodies.t].leaf_count).top;
  return (search_entry){pair, {0, 0, s > t ? s : t}};
}

static bool list_roots(const tree_tasks *tasks, size_t pair_count, memory *heap, entry_list *list) {
  if (!reserve_entries(list, heap, pair_count)) return false;
  for (size_t i = 0; i < pair_count; i++) {
    if (i % ROOTS_BETWEEN_STOPS == 0 && stop_is_requested(tasks->search->stop)) break;
    list->entries[list->count++] = root_of(tasks, (uint32_t)i);
  }
  return true;
}

/* Expands all entries above the leaves by one level; returns whether there were any. The capacity for all is
 * reserved. */
static bool expand_entries(const tree_tasks *tasks, const entry_list *from, entry_list *to) {
  tree_lane *lane = &tasks->lanes[0];
  body_traversal *traversal = &lane->traversals[0];
  tree_descent *descent = &traversal->traversal.descent;
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
    if (entry->pair != pair) tree_interleaved_relate(tasks, entry->pair, traversal, &lane->limits[0]);
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
    ready = reserve_entries(&next, heap, list->count * DESCENT_CHILDREN);
    if (!ready) break;
    goes_on = expand_entries(tasks, list, &next);
    const entry_list kept = *list;
    *list = next;
    next = kept;
  }
  memory_release(heap, next.entries, next.capacity, sizeof *next.entries);
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
    candidate_batch_init(&lane->batch, tasks->search, i);
  }
}

static void add_counts(const tree_tasks *tasks, uint32_t worker_count, search *s) {
  for (uint32_t i = 0; i < worker_count; i++) {
    const tree_lane *lane = &tasks->lanes[i];
    s->counts.box_tests += lane->block_tests * DESCENT_CHILDREN;
    s->counts.neighbors += lane->counts.neighbors;
    s->counts.candidates += lane->batch.handed_over;
  }
}

/* Enough tasks that none is long compared to all, and few enough that the descents of a task can be interleaved. */
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
  workers_run(tasks->search->workers, tree_interleaved_run, tasks, tasks->task_count);
}

/* Finds which two bodies touch: each pair depth first from the roots, by one task. Deferred pairs, of few large
 * bodies, are divided among all workers. False when out of memory. */
static bool search_touching(tree_tasks *tasks, size_t pair_count, entry_list *list) {
  memory *heap = tasks->search->memory;
  tasks->touched = memory_allocate(heap, pair_count, sizeof *tasks->touched);
  if (tasks->touched == NULL) return false;
  for (size_t i = 0; i < pair_count; i++) atomic_init(&tasks->touched[i], NOT_KNOWN);
  tasks->budget = pair_count < ENOUGH_ENTRIES ? TOUCH_BUDGET : UINT64_MAX;
  run_tasks(tasks, list);
  list->count = 0;
  for (uint32_t i = 0; i < pair_count; i++)
    if (atomic_load(&tasks->touched[i]) == LEFT_FOR_LATER) list->entries[list->count++] = root_of(tasks, i);
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

static graze_result search_pairs(const tree_forest *forest, const tree_forest *ungrown_or_null, search *s,
                                 const body_pair_list *pairs) {
  const uint32_t worker_count = workers_count(s->workers);
  entry_list list = {0};
  tree_tasks tasks = {.search = s,
                      .forest = forest,
                      .ungrown_or_null = ungrown_or_null,
                      .pairs = pairs->pairs,
                      .lanes = memory_allocate(s->memory, worker_count, sizeof *tasks.lanes)};
  bool ready = tasks.lanes != NULL;
  if (ready) {
    init_lanes(&tasks, worker_count);
    ready = list_roots(&tasks, pairs->count, s->memory, &list);
  }
  if (ready) ready = s->one_of_each ? search_touching(&tasks, pairs->count, &list) : search_for_pairs(&tasks, &list);
  if (ready) add_counts(&tasks, worker_count, s);
  memory_release(s->memory, list.entries, list.capacity, sizeof *list.entries);
  memory_release(s->memory, tasks.lanes, worker_count, sizeof *tasks.lanes);
  return ready ? search_result(s) : GRAZE_OUT_OF_MEMORY;
}

static graze_result search_forest(const tree_forest *forest, const tree_forest *ungrown_or_null, search *s) {
  body_pair_list pairs = {0};
  const double begin = timer_now_ms();
  graze_result result = tree_find_body_pairs(forest, s, &pairs);
  s->build_ms = timer_now_ms() - begin;
  if (result == GRAZE_OK && !tree_count_searched(forest, &pairs, s->memory, &s->searched_count))
    result = GRAZE_OUT_OF_MEMORY;
  if (result == GRAZE_OK && pairs.count > UINT32_MAX) result = GRAZE_OUT_OF_MEMORY;
  if (result == GRAZE_OK && pairs.count > 0) result = search_pairs(forest, ungrown_or_null, s, &pairs);
  body_pair_list_release(&pairs, s->memory);
  return result != GRAZE_OK ? result : search_result(s);
}

/* ---------------------------------------------------------------------------------------------- clearance */

static graze_result search_within(const tree_forest *forest, search *s) {
  tree_forest grown;
  const graze_result result = tree_bodies_grow(forest, s->view->clearance, s->memory, &grown)
                                  ? search_forest(&grown, forest, s)
                                  : GRAZE_OUT_OF_MEMORY;
  tree_bodies_release(&grown, s->memory);
  return result;
}

/* Passes the candidates of the search's query to its sink, in tasks whose content does not depend on the workers,
 * and counts. */
static graze_result tree_search(const tree_forest *forest, search *s) {
  return s->view->clearance > 0.0 ? search_within(forest, s) : search_forest(forest, NULL, s);
}

/* ---------------------------------------------------------------------------------------------- listing */

/* The nodes of trees as nodes of a structure; see graze/inspect.h. Each body lists its leaves as members once. Those of
 * a node are consecutive, so a node refers to its part. */

/* The number of leaves below each node of a level except the last. */
static uint64_t leaves_below(uint32_t level) {
  return UINT64_C(1) << 2 * level;
}
static size_t nodes_of_level(const tree_body *body, uint32_t level) {
  return (size_t)((body->leaf_count + leaves_below(level) - 1) / leaves_below(level));
}

/* The box of a lane in the coordinates of the object. The rounding error of the difference is less than what
 * set_tree_side adds. */
static exact_box box_of_lane(const tree_block *block, uint32_t lane, const body_space *space) {
  exact_box box;
  for (int axis = 0; axis < 3; axis++) {
    const double center = block->center[axis][lane], half = block->half[axis][lane], scale = 1.0 / space->unit;
    box.min[axis] = unscaled(space->origin[axis], center - half, scale);
    box.max[axis] = unscaled(space->origin[axis], center + half, scale);
  }
  return box;
}

static void add_level(const tree_forest *forest, const tree_body *body, size_t first_member, uint32_t level,
                      structure_list *list) {
  const tree_layout layout = tree_layout_of(body->leaf_count);
  const tree_block *blocks = forest->blocks + body->first_block + layout.first[level];
  const size_t count = nodes_of_level(body, level), first_below = list->node_count + count;
  const bool has_below = level > 0 && structure_list_has_level(list, level - 1);
  for (size_t i = 0; i < count; i++) {
    const exact_box box = box_of_lane(&blocks[i / TREE_FANOUT], (uint32_t)(i % TREE_FANOUT), &body->space);
    graze_structure_node *node = structure_list_add(list, level, &box);
    const uint64_t first = i * leaves_below(level), left = body->leaf_count - first;
    node->object = body->object;
    node->first_member = first_member + first;
    node->member_count = left < leaves_below(level) ? left : leaves_below(level);
    if (!has_below) continue;
    const size_t below = nodes_of_level(body, level - 1) - TREE_FANOUT * i;
    node->first_child = first_below + TREE_FANOUT * i;
    node->child_count = below < TREE_FANOUT ? below : TREE_FANOUT;
  }
}

static void add_body(const tree_forest *forest, const primitive_view *view, const tree_body *body,
                     structure_list *list) {
  const uint32_t *leaves = forest->leaves + body->first_leaf;
  const size_t first_member = list->member_count;
  if (list->members != NULL)
    for (size_t i = 0; i < body->leaf_count; i++)
      list->members[first_member + i].primitive = view->sources[body->object].first_primitive + leaves[i];
  for (uint32_t level = tree_layout_of(body->leaf_count).top + 1; level-- > 0;)
    if (structure_list_has_level(list, level)) add_level(forest, body, first_member, level, list);
  list->member_count += body->leaf_count;
}

/* Lists the trees of all bodies, each from its root down. */
static graze_result tree_list(const tree_forest *forest, search *s, structure_list *list) {
  size_t nodes = 0, members = 0;
  for (size_t i = 0; i < forest->body_count; i++) {
    const tree_body *body = &forest->bodies[i];
    members += body->leaf_count;
    for (uint32_t level = 0; level <= tree_layout_of(body->leaf_count).top; level++) {
      const size_t count = nodes_of_level(body, level);
      structure_list_count(list, level, count);
      if (structure_list_has_level(list, level)) nodes += count;
    }
  }
  if (!structure_list_reserve(list, nodes, members)) return GRAZE_OUT_OF_MEMORY;
  for (size_t i = 0; i < forest->body_count && !stop_is_requested(s->stop); i++)
    add_body(forest, s->view, &forest->bodies[i], list);
  s->searched_count = members;
  return search_result(s);
}

/* ---------------------------------------------------------------------------------------------- the method */

static graze_result create_forest(memory *heap, const method_options *options, void **state_out) {
  tree_forest *forest = memory_allocate(heap, 1, sizeof *forest);
  if (forest == NULL) return GRAZE_OUT_OF_MEMORY;
  const tree_options chosen = tree_options_of(options);
  tree_forest_init(forest, heap, &chosen);
  *state_out = forest;
  return GRAZE_OK;
}

static graze_result update_forest(void *state, const update_input *input) {
  return tree_forest_update(state, input);
}

static bool forest_suits(const void *state) {
  return tree_forest_suits(state);
}

static graze_result find_in_trees(const void *state, search *s) {
  return tree_search(state, s);
}

static graze_result list_trees(const void *state, search *s, structure_list *nodes) {
  return tree_list(state, s, nodes);
}

static void destroy_forest(memory *heap, void *state) {
  tree_forest_release(state);
  memory_release(heap, state, 1, sizeof(tree_forest));
}

const cpu_method cpu_tree = {.create = create_forest,
                             .update = update_forest,
                             .suits = forest_suits,
                             .find = find_in_trees,
                             .list = list_trees,
                             .destroy = destroy_forest};
