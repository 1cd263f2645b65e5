/* The method "grid", a broad phase: build, then search with the duplicate elimination that was chosen. The grid itself
 * is made for one search, as what is searched differs from query to query; between searches the options are all there
 * is to keep. */
#include "broad/grid_replicated.h"

#include "base/timer.h"

/* Zeroed they are the defaults. */
typedef struct grid_options {
  graze_hash hash;
  graze_dedup dedup;
} grid_options;

static graze_result create(memory *heap, const method_options *options, void **state_out) {
  grid_options *kept = memory_allocate(heap, 1, sizeof *kept);
  if (kept == NULL) return GRAZE_OUT_OF_MEMORY;
  *kept = options->def != NULL ? (grid_options){options->def->hash, options->def->dedup} : (grid_options){0};
  *state_out = kept;
  return GRAZE_OK;
}

static void destroy(memory *heap, void *state) {
  memory_release(heap, state, 1, sizeof(grid_options));
}

static bool search_grid(grid *g, search *s, graze_dedup dedup) {
  switch (dedup) {
  case GRAZE_DEDUP_SORT:
    return replicated_find_by_sort(g, s);
  case GRAZE_DEDUP_MAP:
    return replicated_find_by_map(g, s);
  case GRAZE_DEDUP_OWNER:
    break;
  }
  return grid_search(g, s);
}

static graze_result find(const void *state, search *s) {
  const grid_options *options = state;
  grid g = {.hash = options->hash};
  const double begin = timer_now_ms();
  bool done = grid_build(&g, s, options->dedup == GRAZE_DEDUP_OWNER ? GRID_OWNER_CELL : GRID_REACHED_CELLS);
  s->build_ms = timer_now_ms() - begin;
  for (int level = 0; level < GRID_LEVEL_COUNT; level++) s->level_count += grid_level_occupied(&g, level);
  done = done && search_grid(&g, s, options->dedup);
  grid_release(&g, s->memory);
  const graze_result result = search_result(s);
  return done || result != GRAZE_OK ? result : GRAZE_OUT_OF_MEMORY;
}

static const cpu_method on_processor = {.create = create, .find = find, .destroy = destroy};

const method method_grid = {.name = "grid",
                            .description = "hierarchical hashed grid, built afresh, linear in the number of triangles",
                            .auto_reason = "it needs nothing of the frames before",
                            .traits = METHOD_NEEDS_ROUNDED_VERTICES | METHOD_NEEDS_BOXES | METHOD_MAKES_BOXES |
                                      METHOD_AUTO_ON_DEVICE,
                            .options = METHOD_OPTION_HASH | METHOD_OPTION_DEDUP,
                            .cpu = &on_processor};
