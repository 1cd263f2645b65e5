/* The method "grid", a broad phase: build, then search. The grid is built for each search, because the searched
 * primitives differ between queries. */
#include "base/timer.h"
#include "broad/grid_build.h"
#include "broad/grid_data.h"
#include "broad/grid_search.h"
#include "broad/method.h"
#include "broad/structure_list.h"

/* ---------------------------------------------------------------------------------------------- listing */

/* The cells of a grid as nodes of a structure; see graze/inspect.h. */

enum { CELLS_BETWEEN_STOPS = 4096 };

/* The cell [x, x + 1) in steps of its level; exact, because cell numbers have at most 31 bits. */
static exact_box box_of_cell(const primitive_view *view, grid_cell cell, int level) {
  const double side = ldexp(1.0, level - LEVEL_BIAS);
  const double min[3] = {cell.x * side, cell.y * side, cell.z * side};
  const double max[3] = {min[0] + side, min[1] + side, min[2] + side};
  return box_in_scene(view, min, max);
}

static void add_cell(const grid *g, const primitive_view *view, int level, uint32_t range, structure_list *list) {
  const cell_range *run = &g->ranges[range];
  const double min[3] = {run->bound[0], run->bound[1], run->bound[2]};
  const double max[3] = {run->bound[3], run->bound[4], run->bound[5]};
  const exact_box bound = box_in_scene(view, min, max), cell = box_of_cell(view, run->cell, level);
  graze_structure_node *node = structure_list_add(list, (uint32_t)level, &bound);
  memcpy(node->cell_min, cell.min, sizeof cell.min);
  memcpy(node->cell_max, cell.max, sizeof cell.max);
  structure_list_add_members(list, g->ids + run->first, run[1].first - run->first);
}

static void add_level(const grid *g, const search *s, int level, structure_list *list) {
  const grid_level *of_level = &g->levels[level];
  for (uint32_t range = of_level->first_range; range < of_level->end_range; range++) {
    if (range % CELLS_BETWEEN_STOPS == 0 && stop_is_requested(s->stop)) return;
    add_cell(g, s->view, level, range, list);
  }
}

/* Lists the occupied cells of a built grid, from the highest level down. False when out of memory or stopped. */
static bool grid_list(const grid *g, const search *s, structure_list *list) {
  size_t nodes = 0, members = 0;
  for (int level = 0; level < GRID_LEVEL_COUNT; level++) {
    const uint32_t first = g->levels[level].first_range, end = g->levels[level].end_range;
    structure_list_count(list, (uint32_t)level, end - first);
    if (!structure_list_has_level(list, (uint32_t)level)) continue;
    nodes += end - first;
    members += g->ranges[end].first - g->ranges[first].first;
  }
  if (!structure_list_reserve(list, nodes, members)) return false;
  for (int level = GRID_LEVEL_COUNT - 1; level >= 0; level--)
    if (structure_list_has_level(list, (uint32_t)level)) add_level(g, s, level, list);
  return !stop_was_requested(s->stop);
}

/* ---------------------------------------------------------------------------------------------- the method */

static bool build_timed(grid *g, search *s) {
  const double begin = timer_now_ms();
  const bool done = grid_build(g, s);
  s->build_ms = timer_now_ms() - begin;
  for (int level = 0; level < GRID_LEVEL_COUNT; level++) s->level_count += grid_level_occupied(g, level);
  return done;
}

static graze_result end_search(grid *g, search *s, bool done) {
  grid_release(g, s->memory);
  const graze_result result = search_result(s);
  return done || result != GRAZE_OK ? result : GRAZE_OUT_OF_MEMORY;
}

static graze_result find_in_grid(const void *state, search *s) {
  grid g = {0};
  (void)state;
  const bool done = build_timed(&g, s) && grid_search(&g, s);
  return end_search(&g, s, done);
}

static graze_result list_cells(const void *state, search *s, structure_list *nodes) {
  grid g = {0};
  (void)state;
  const bool done = build_timed(&g, s) && grid_list(&g, s, nodes);
  return end_search(&g, s, done);
}

const cpu_method cpu_grid = {.find = find_in_grid, .list = list_cells};
