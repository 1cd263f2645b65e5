/* Simultaneous descent of two trees. The first pairs of nodes are opened level by level, until there are enough for the
 * workers; each of these is then a task, descended depth first.
 *
 * Workload: 10^3 to 10^7 pairs of nodes a query. A stack is as deep as the deeper tree, with 15 pairs a level. */
#include "spheres/sphere_search.h"

#include "base/array.h"

#include <stdatomic.h>
#include <string.h>

enum { FRONTIER = 256, FOUND_BATCH = 128, STACK_MOST = SPHERE_DEPTH_MOST * (NODE_PAIRS - 1) + 1 };

typedef struct search_job {
  const posed_trees *pair;
  pair_list *found;
  const node_pair *frontier;
  size_t most;
  atomic_size_t found_count; /* approximate: updated batch by batch, to end a search that has found enough */
  _Atomic(uint64_t) opened;
  atomic_bool failed;
} search_job;

/* Pairs that a task has found and not yet passed on. */
typedef struct found_batch {
  search_job *job;
  uint32_t worker, count;
  index_pair pairs[FOUND_BATCH];
} found_batch;

static void flush_found(found_batch *batch) {
  search_job *job = batch->job;
  if (!pair_list_append(job->found, sphere_tree_heap(job->pair->a), batch->worker, batch->pairs, batch->count))
    atomic_store(&job->failed, true);
  const size_t before = atomic_fetch_add_explicit(&job->found_count, batch->count, memory_order_relaxed);
  if (job->most != 0 && before + batch->count >= job->most) atomic_store(&job->failed, true);
  batch->count = 0;
}

static void take_leaves(found_batch *batch, const node_pair *at) {
  if (!leaves_meet(batch->job->pair, at)) return;
  batch->pairs[batch->count++] = leaf_spheres(batch->job->pair, at);
  if (batch->count == FOUND_BATCH) flush_found(batch);
}

static void descend(void *context, uint32_t index, uint32_t worker) {
  search_job *job = context;
  const posed_trees *pair = job->pair;
  found_batch batch = {.job = job, .worker = worker};
  index_pair stack[STACK_MOST];
  uint32_t depth = 1;
  uint64_t opened_count = 0;
  stack[0] = (index_pair){job->frontier[index].a, job->frontier[index].b};
  while (depth > 0 && !atomic_load_explicit(&job->failed, memory_order_relaxed)) {
    node_pair opened[NODE_PAIRS];
    const index_pair top = stack[--depth];
    const uint32_t count = node_pair_open(pair, top.a, top.b, false, opened);
    opened_count++;
    for (uint32_t i = 0; i < count; i++) {
      if (is_leaf_pair(pair, &opened[i]))
        take_leaves(&batch, &opened[i]);
      else
        stack[depth++] = (index_pair){opened[i].a, opened[i].b};
    }
  }
  flush_found(&batch);
  atomic_fetch_add_explicit(&job->opened, opened_count, memory_order_relaxed);
}

/* Opens pairs of nodes from the front of a queue until it has enough; those before `*head_out` are done. */
static bool open_frontier(search_job *job, array *queue, size_t *head_out) {
  const posed_trees *pair = job->pair;
  memory *heap = sphere_tree_heap(pair->a);
  found_batch batch = {.job = job, .worker = 0};
  const node_pair roots = node_pair_of_roots(pair);
  size_t head = 0;
  bool good = true;
  if (is_leaf_pair(pair, &roots))
    take_leaves(&batch, &roots);
  else
    good = array_push(queue, heap, &roots);
  for (; good && head < queue->count && queue->count - head < FRONTIER; head++) {
    node_pair opened[NODE_PAIRS];
    const node_pair front = ARRAY_AS(node_pair, queue)[head];
    const uint32_t count = node_pair_open(pair, front.a, front.b, false, opened);
    for (uint32_t i = 0; i < count && good; i++) {
      if (is_leaf_pair(pair, &opened[i]))
        take_leaves(&batch, &opened[i]);
      else
        good = array_push(queue, heap, &opened[i]);
    }
  }
  flush_found(&batch);
  *head_out = head;
  return good;
}

bool sphere_search(const posed_trees *pair, pair_list *found, size_t most, uint64_t *opened_out) {
  search_job job = {.pair = pair, .found = found, .most = most};
  array queue;
  size_t head = 0;
  array_init(&queue, sizeof(node_pair));
  const bool good = open_frontier(&job, &queue, &head);
  *opened_out = head;
  if (good && head < queue.count) {
    job.frontier = ARRAY_AS(node_pair, &queue) + head;
    workers_run(pair->a->team, descend, &job, (uint32_t)(queue.count - head));
    *opened_out += atomic_load(&job.opened);
  }
  array_release(&queue, sphere_tree_heap(pair->a));
  return good && !atomic_load(&job.failed);
}

/* ---------------------------------------------------------------------------------------------- overlaps of one tree
 */

/* The number of spheres of a tree that can cover a point: one more than the most others that any of them overlaps, as
 * spheres with a common interior point overlap each other. Exact, from a search of the tree against itself; 1 for a
 * packing.
 *
 * If spheres overlap more than OVERLAPS_MOST others on average, the search stops, and the number is that of all
 * spheres. */

enum { OVERLAPS_MOST = 64 };

static const rigid_pose nowhere = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};

static uint32_t most_overlaps(const graze_sphere_tree *tree, const pair_list *found, uint32_t *counts) {
  uint32_t most = 0;
  orientation_tally tally = {0};
  memset(counts, 0, tree->sphere_count * sizeof *counts);
  for (uint32_t worker = 0; worker < found->worker_count; worker++)
    for (const pair_chunk *chunk = pair_list_first_chunk(found, worker); chunk != NULL; chunk = chunk->next)
      for (size_t i = 0; i < chunk->count; i++) {
        const double *a = tree->spheres[chunk->pairs[i].a], *b = tree->spheres[chunk->pairs[i].b];
        if (chunk->pairs[i].a == chunk->pairs[i].b || !spheres_overlap(a, a[3], b, b[3], &tally)) continue;
        const uint32_t count = ++counts[chunk->pairs[i].a];
        most = count > most ? count : most;
      }
  return most;
}

bool sphere_tree_count_overlaps(graze_sphere_tree *tree) {
  posed_trees itself;
  pair_list found;
  uint64_t opened;
  posed_trees_make(tree, &nowhere, tree, &nowhere, &itself);
  uint32_t *counts = memory_allocate(&tree->heap, tree->sphere_count, sizeof *counts);
  bool good = pair_list_init(&found, &tree->heap, workers_count(tree->team)) && counts != NULL;
  tree->multiplicity = tree->sphere_count;
  const size_t limit = ((size_t)OVERLAPS_MOST + 1) * tree->sphere_count + OVERLAPS_MOST * OVERLAPS_MOST;
  if (good && sphere_search(&itself, &found, limit, &opened))
    tree->multiplicity = 1 + most_overlaps(tree, &found, counts);
  else if (good)
    good = pair_list_count(&found) >= limit;
  pair_list_release(&found, &tree->heap);
  memory_release(&tree->heap, counts, tree->sphere_count, sizeof *counts);
  return good;
}
