/* Pairs of bodies: a few are compared one by one, many by a tree over their boxes. See tree_bodies.h.
 *
 * Workload: 2 bodies millions of times per second, some dozens, or up to 10^5 once per frame. */
#include "broad/tree_bodies.h"

#include "base/simd_choice.h"
#include "broad/tree_descent.h"
#include "broad/tree_ranks.h"

#include <string.h>

/* ---------------------------------------------------------------------------------------------- pairs of bodies */

enum { FIRST_CAPACITY = 64 };

static bool body_pair_list_reserve(body_pair_list *list, memory *heap, size_t capacity) {
  if (capacity <= list->capacity) return true;
  body_pair *pairs = memory_allocate(heap, capacity, sizeof *pairs);
  if (pairs == NULL) return false;
  if (list->count > 0) memcpy(pairs, list->pairs, list->count * sizeof *pairs);
  memory_release(heap, list->pairs, list->capacity, sizeof *pairs);
  list->pairs = pairs;
  list->capacity = capacity;
  return true;
}

static bool body_pair_list_append(body_pair_list *list, memory *heap, uint32_t s, uint32_t t) {
  if (list->count == list->capacity &&
      !body_pair_list_reserve(list, heap, list->capacity > 0 ? 2 * list->capacity : FIRST_CAPACITY))
    return false;
  list->pairs[list->count++] = (body_pair){s, t};
  return true;
}

void body_pair_list_release(body_pair_list *list, memory *heap) {
  memory_release(heap, list->pairs, list->capacity, sizeof *list->pairs);
  *list = (body_pair_list){0};
}

/* Whether the query requests pairs of the two, and both are in its region; their boxes may be apart. */
static bool bodies_are_requested(const tree_forest *forest, const primitive_view *view, uint32_t s, uint32_t t) {
  if (!objects_meet(view, forest->bodies[s].object, forest->bodies[t].object)) return false;
  const query_focus *focus = &view->focus;
  return !focus->in_box ||
         (exact_boxes_meet(&forest->boxes[s], &focus->box) && exact_boxes_meet(&forest->boxes[t], &focus->box));
}

/* ---------------------------------------------------------------------------------------------- many bodies */

/* A tree over the ranks of the bodies' boxes, descended with itself; see tree_ranks.h.
 *
 * Breadth first until there are enough pairs of blocks for tasks, then each task continues depth first. A worker
 * appends the pairs of its tasks to a lane of its own, and each task records its span there; spans are joined in the
 * order of the tasks, which is that of the Morton curve for any distribution of tasks. Consecutive bodies are
 * close to each other, so that the descent of their trees finds them in the caches.
 *
 * Workload: 10^2 to 10^5 bodies once per frame, about one pair of each. */

enum {
  ENOUGH_BLOCKS = 512, /* the list is not expanded further */
  MOST_BLOCKS = ENOUGH_BLOCKS * DESCENT_CHILDREN,
  TASKS_MOST = 256
};

/* The location of a task's pairs. */
typedef struct pair_span {
  uint32_t worker;
  size_t first, count; /* in its lane */
} pair_span;

typedef struct rank_tasks {
  const rank_tree *tree;
  bool all;                       /* all pairs of bodies are requested, wherever they are */
  block_pair *entries, *children; /* capacity for MOST_BLOCKS each */
  uint32_t entry_count, task_count;
  pair_list found;
  pair_span spans[TASKS_MOST];
  atomic_bool out_of_memory; /* set by any task, ends all */
} rank_tasks;

/* The state of a task. */
typedef struct rank_task {
  rank_tasks *tasks;
  uint32_t worker;
} rank_task;

static tree_descent descent_of(const rank_tree *tree) {
  tree_descent descent = {.s = tree_layout_of(tree->count),
                          .s_blocks = tree->blocks,
                          .t_blocks = tree->blocks,
                          .relation = {.unit_s = 1.0f, .unit_t = 1.0f, .aligned = true},
                          .kernels = SIMD_KERNELS(tree_kernels, tree->search->simd),
                          .itself = true,
                          .stop = tree->search->stop};
  descent.t = descent.s;
  return descent;
}

/* ---------------------------------------------------------------------------------------------- tasks */

static bool take_bodies(void *context, uint32_t s, uint32_t t, uint32_t bits) {
  rank_task *task = context;
  const rank_tree *tree = task->tasks->tree;
  index_pair pairs[DESCENT_CHILDREN];
  size_t count = 0;
  for (; bits != 0; bits &= bits - 1) {
    const uint32_t bit = (uint32_t)__builtin_ctz(bits);
    const uint32_t a = tree->leaves[s + bit / TREE_FANOUT], b = tree->leaves[t + bit % TREE_FANOUT];
    if (task->tasks->all || bodies_are_requested(tree->forest, tree->search->view, a, b))
      pairs[count++] = (index_pair){a < b ? a : b, a < b ? b : a};
  }
  if (pair_list_append(&task->tasks->found, tree->search->memory, task->worker, pairs, count)) return true;
  atomic_store(&task->tasks->out_of_memory, true);
  return false;
}

static uint32_t first_entry(const rank_tasks *tasks, uint32_t task) {
  return (uint32_t)((uint64_t)task * tasks->entry_count / tasks->task_count);
}

static void run_task(void *context, uint32_t index, uint32_t worker) {
  rank_tasks *tasks = context;
  rank_task task = {tasks, worker};
  tree_descent descent = descent_of(tasks->tree);
  const size_t before = tasks->found.lanes[worker].count;
  bool goes_on = !atomic_load(&tasks->out_of_memory);
  for (uint32_t i = first_entry(tasks, index); i < first_entry(tasks, index + 1) && goes_on; i++)
    goes_on = tree_descend(&descent, tasks->entries[i], take_bodies, &task);
  tasks->spans[index] = (pair_span){worker, before, tasks->found.lanes[worker].count - before};
}

/* Expands all entries by one level; returns whether this can be repeated. */
static bool expand_entries(rank_tasks *tasks, tree_descent *descent) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < tasks->entry_count; i++)
    count += tree_expand(descent, tasks->entries[i], tasks->children + count);
  block_pair *kept = tasks->entries;
  tasks->entries = tasks->children;
  tasks->children = kept;
  tasks->entry_count = count;
  return count > 0 && count < ENOUGH_BLOCKS && tasks->entries[0].level > 0;
}

/* All entries are of one level, since a tree is descended with itself. */
static void make_tasks(rank_tasks *tasks) {
  tree_descent descent = descent_of(tasks->tree);
  tasks->entries[0] = descent_root(&descent);
  tasks->entry_count = 1;
  bool goes_on = tasks->entries[0].level > 0;
  while (goes_on && !stop_is_requested(tasks->tree->search->stop)) goes_on = expand_entries(tasks, &descent);
  tasks->task_count = tasks->entry_count < TASKS_MOST ? tasks->entry_count : TASKS_MOST;
}

/* ---------------------------------------------------------------------------------------------- the list */

/* Appends a span to the list, which has the capacity. All chunks of a lane but the last are full. */
static void join_span(const rank_tasks *tasks, const pair_span *span, body_pair_list *list) {
  const pair_chunk *chunk = pair_list_first_chunk(&tasks->found, span->worker);
  size_t skipped = span->first;
  for (; chunk != NULL && skipped >= chunk->count; chunk = chunk->next) skipped -= chunk->count;
  for (size_t left = span->count; left > 0 && chunk != NULL; chunk = chunk->next, skipped = 0)
    for (size_t i = skipped; i < chunk->count && left > 0; i++, left--)
      list->pairs[list->count++] = (body_pair){chunk->pairs[i].a, chunk->pairs[i].b};
}

static bool join_spans(const rank_tasks *tasks, body_pair_list *list) {
  if (!body_pair_list_reserve(list, tasks->tree->search->memory, list->count + pair_list_count(&tasks->found)))
    return false;
  for (uint32_t i = 0; i < tasks->task_count; i++) join_span(tasks, &tasks->spans[i], list);
  return true;
}

static bool descend_ranks(const rank_tree *tree, body_pair_list *list) {
  const search *s = tree->search;
  rank_tasks tasks = {.tree = tree, .all = !s->view->rules_differ && !s->view->focus.in_box};
  block_pair *both_lists = memory_allocate(s->memory, 2 * MOST_BLOCKS, sizeof *both_lists);
  bool ready = pair_list_init(&tasks.found, s->memory, workers_count(s->workers)) && both_lists != NULL;
  if (ready) {
    tasks.entries = both_lists;
    tasks.children = both_lists + MOST_BLOCKS;
    make_tasks(&tasks);
    workers_run(s->workers, run_task, &tasks, tasks.task_count);
    ready = !atomic_load(&tasks.out_of_memory) && join_spans(&tasks, list);
  }
  pair_list_release(&tasks.found, s->memory);
  memory_release(s->memory, both_lists, 2 * MOST_BLOCKS, sizeof *both_lists);
  return ready;
}

/* Adds the pairs of different bodies, for many bodies. False when out of memory; the list may be incomplete only if
 * the search is stopped. */
static bool compare_by_ranks(const tree_forest *forest, const search *s, body_pair_list *list) {
  rank_tree tree;
  bool ready = rank_tree_make(forest, s, &tree);
  if (ready && !stop_is_requested(s->stop)) ready = descend_ranks(&tree, list);
  rank_tree_release(&tree);
  return ready;
}

/* ---------------------------------------------------------------------------------------------- clearance */

bool tree_bodies_grow(const tree_forest *forest, double clearance, memory *heap, tree_forest *grown_out) {
  *grown_out = *forest;
  grown_out->posed = memory_allocate(heap, forest->body_count, sizeof *grown_out->posed);
  grown_out->boxes = memory_allocate(heap, forest->body_count, sizeof *grown_out->boxes);
  if (grown_out->posed == NULL || grown_out->boxes == NULL) return false;
  for (size_t i = 0; i < forest->body_count; i++) {
    grown_out->posed[i] = posed_space_grown(&forest->posed[i], clearance);
    grown_out->boxes[i] = box_of_posed(&grown_out->posed[i]);
  }
  return true;
}

void tree_bodies_release(tree_forest *grown, memory *heap) {
  memory_release(heap, grown->posed, grown->body_count, sizeof *grown->posed);
  memory_release(heap, grown->boxes, grown->body_count, sizeof *grown->boxes);
}

/* ---------------------------------------------------------------------------------------------- few bodies */

enum { FEW_BODIES = 32 };

static bool add_selves(const tree_forest *forest, const search *s, body_pair_list *list) {
  for (uint32_t i = 0; i < forest->body_count && s->view->within; i++)
    if (bodies_are_requested(forest, s->view, i, i) && !body_pair_list_append(list, s->memory, i, i)) return false;
  return true;
}

/* Compares one body with those of [first, end) except itself. */
static bool compare_one(const tree_forest *forest, const search *s, uint32_t one, uint32_t first, uint32_t end,
                        body_pair_list *list) {
  for (uint32_t other = first; other < end; other++) {
    if (other == one || !bodies_are_requested(forest, s->view, one, other) ||
        !exact_boxes_meet(&forest->boxes[one], &forest->boxes[other]))
      continue;
    if (!body_pair_list_append(list, s->memory, one < other ? one : other, one < other ? other : one)) return false;
  }
  return true;
}

static bool compare_all(const tree_forest *forest, const search *s, body_pair_list *list) {
  const uint32_t count = (uint32_t)forest->body_count;
  for (uint32_t i = 0; i < count; i++)
    if (!compare_one(forest, s, i, i + 1, count, list)) return false;
  return true;
}

/* Compares a named object with all others, or with the other named one. */
static bool compare_named(const tree_forest *forest, const search *s, body_pair_list *list) {
  const query_focus *focus = &s->view->focus;
  const uint32_t one = forest->body_of[focus->objects[0]];
  const uint32_t other = focus->object_count == 2 ? forest->body_of[focus->objects[1]] : 0;
  if (one == NO_BODY || other == NO_BODY) return true;
  const uint32_t end = focus->object_count == 2 ? other + 1 : (uint32_t)forest->body_count;
  return compare_one(forest, s, one, other, end, list);
}

graze_result tree_find_body_pairs(const tree_forest *forest, const search *s, body_pair_list *list) {
  list->count = 0;
  bool done = add_selves(forest, s, list);
  if (done && view_crosses_objects(s->view) && forest->body_count > 1) {
    if (s->view->focus.object_count > 0)
      done = compare_named(forest, s, list);
    else
      done = forest->body_count <= FEW_BODIES ? compare_all(forest, s, list) : compare_by_ranks(forest, s, list);
  }
  return done ? GRAZE_OK : GRAZE_OUT_OF_MEMORY;
}

bool tree_count_searched(const tree_forest *forest, const body_pair_list *list, memory *heap, uint64_t *count_out) {
  uint64_t count = 0;
  *count_out = 0;
  if (list->count == 0) return true;
  uint8_t *seen = memory_allocate(heap, forest->body_count, sizeof *seen);
  if (seen == NULL) return false;
  memset(seen, 0, forest->body_count);
  for (size_t i = 0; i < list->count; i++) seen[list->pairs[i].s] = seen[list->pairs[i].t] = 1;
  for (size_t i = 0; i < forest->body_count; i++) count += seen[i] != 0 ? forest->bodies[i].leaf_count : 0;
  memory_release(heap, seen, forest->body_count, sizeof *seen);
  *count_out = count;
  return true;
}
