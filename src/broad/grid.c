/* The method "grid": build, then search in the way that was chosen. */
#include "broad/grid_replicated.h"

#include "base/timer.h"

static bool search_grid(grid *g, search *s) {
  switch (s->dedup) {
  case GRAZE_DEDUP_SORT:
    return replicated_find_by_sort(g, s);
  case GRAZE_DEDUP_MAP:
    return replicated_find_by_map(g, s);
  case GRAZE_DEDUP_OWNER:
    break;
  }
  return grid_search(g, s);
}

static graze_result find(search *s) {
  grid g = {0};
  const double begin = timer_now_ms();
  const bool built = grid_build(&g, s, s->dedup == GRAZE_DEDUP_OWNER ? GRID_OWNER_CELL : GRID_REACHED_CELLS);
  s->build_ms = timer_now_ms() - begin;
  for (int level = 0; level < GRID_LEVEL_COUNT; level++) s->level_count += grid_level_occupied(&g, level);
  const bool searched = built && search_grid(&g, s);
  grid_release(&g, s->memory);
  return searched ? GRAZE_OK : GRAZE_OUT_OF_MEMORY;
}

const method method_grid = {"grid", "hierarchical hashed grid, built afresh, linear in the number of triangles", false,
                            find};
