/* The methods "grid" and "brute" on a device: both search the entries of the grid, and have no state of their own. */
#include "cuda/cuda_method.h"

BRUTE_STAGE_LIST(QUEUED_STAGE)

static void queue_search(stage_queue *queue, const grid_view *grid, const void *view) {
  (void)view;
  queue_grid_search(queue, grid);
}

static const search_steps by_cells = {.searches = SEARCHES_CELLS, .queue_candidates = queue_search};

const cuda_method cuda_grid = {.steps = &by_cells};

/* Queues as many launches as all pairs of primitives need. */
static void queue_brute(stage_queue *queue, const grid_view *grid, const void *view) {
  const uint64_t primitives = grid->pairs.scene.primitive_count, all = primitives * primitives;
  (void)view;
  for (brute_view part = {.pairs = grid->pairs}; part.first_pair < all; part.first_pair += BRUTE_PAIRS)
    queue_stage(queue, brute, &part);
}

static const search_steps by_all_pairs = {.searches = COMPARES_BOXES, .queue_candidates = queue_brute};

const cuda_method cuda_brute = {.steps = &by_all_pairs};
