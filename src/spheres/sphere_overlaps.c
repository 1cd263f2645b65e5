/* The number of spheres of a tree that can cover a point: one more than the most others that any of them overlaps, as
 * spheres with a common interior point overlap each other. Exact, from a search of the tree against itself; 1 for a
 * packing.
 *
 * If spheres overlap more than OVERLAPS_MOST others on average, the search stops, and the number is that of all
 * spheres. */
#include "spheres/sphere_overlaps.h"

#include "spheres/sphere_search.h"

#include <string.h>

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
