/* The method "grid", a broad phase: build, then search. The grid is built for each search, because the searched
 * primitives differ between queries. */
#include "base/timer.h"
#include "broad/grid_build.h"
#include "broad/grid_listing.h"
#include "broad/grid_search.h"

static bool build(grid *g, search *s) {
  const double begin = timer_now_ms();
  const bool done = grid_build(g, s);
  s->build_ms = timer_now_ms() - begin;
  for (int level = 0; level < GRID_LEVEL_COUNT; level++) s->level_count += grid_level_occupied(g, level);
  return done;
}

static graze_result end(grid *g, search *s, bool done) {
  grid_release(g, s->memory);
  const graze_result result = search_result(s);
  return done || result != GRAZE_OK ? result : GRAZE_OUT_OF_MEMORY;
}

static graze_result find(const void *state, search *s) {
  grid g = {0};
  (void)state;
  const bool done = build(&g, s) && grid_search(&g, s);
  return end(&g, s, done);
}

static graze_result list(const void *state, search *s, structure_list *nodes) {
  grid g = {0};
  (void)state;
  const bool done = build(&g, s) && grid_list(&g, s, nodes);
  return end(&g, s, done);
}

const cpu_method cpu_grid = {.find = find, .list = list};
