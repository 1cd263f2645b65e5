/* The method "grid": build, then search. */
#include "broad/grid.h"

#include "base/timer.h"

static graze_result find(search *s) {
  grid g = {0};
  const double begin = timer_now_ms();
  const bool built = grid_build(&g, s);
  s->build_ms = timer_now_ms() - begin;
  for (int level = 0; level < GRID_LEVEL_COUNT; level++) s->level_count += grid_level_occupied(&g, level);
  const bool searched = built && grid_search(&g, s);
  grid_release(&g, s->memory);
  return searched ? GRAZE_OK : GRAZE_OUT_OF_MEMORY;
}

const method method_grid = {"grid", "hierarchical hashed grid, built afresh, linear in the number of triangles", false,
                            find};
