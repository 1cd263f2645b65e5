/* Defines the replicated grid as methods: one for each duplicate elimination, and one for each cell hash. */
#include "lab/replicated_grid.h"

#include "base/timer.h"

static graze_result find(search *s, lab_hash hash, bool (*find_by)(replicated_grid *g, search *s)) {
  replicated_grid g = {.hash = hash};
  const double begin = timer_now_ms();
  bool done = replicated_build(&g, s);
  s->build_ms = timer_now_ms() - begin;
  for (int level = 0; level < GRID_LEVEL_COUNT; level++) s->level_count += grid_level_occupied(&g.grid, level);
  done = done && find_by(&g, s);
  grid_release(&g.grid, s->memory);
  const graze_result result = search_result(s);
  return done || result != GRAZE_OK ? result : GRAZE_OUT_OF_MEMORY;
}

#define REPLICATED(row, words, hash, find_by)                                                                          \
  static graze_result find_##row(const void *state, search *s) {                                                       \
    (void)state;                                                                                                       \
    return find(s, hash, find_by);                                                                                     \
  }                                                                                                                    \
  static const cpu_method row##_on_processor = {.find = find_##row};                                                   \
  const method method_##row = {.name = words,                                                                          \
                               .description = "grid with an entry in every cell that a box overlaps",                  \
                               .traits = METHOD_NEEDS_ROUNDED_VERTICES | METHOD_NEEDS_BOXES | METHOD_MAKES_BOXES,      \
                               .cpu = &row##_on_processor};

REPLICATED(grid_sort, "grid-sort", LAB_HASH_MORTON, replicated_find_by_sort)
REPLICATED(grid_map, "grid-map", LAB_HASH_MORTON, replicated_find_by_map)
REPLICATED(sort_djb2, "grid-sort-djb2", LAB_HASH_DJB2, replicated_find_by_sort)
REPLICATED(sort_fnv1a, "grid-sort-fnv1a", LAB_HASH_FNV1A, replicated_find_by_sort)
REPLICATED(sort_primes, "grid-sort-primes", LAB_HASH_PRIMES, replicated_find_by_sort)
