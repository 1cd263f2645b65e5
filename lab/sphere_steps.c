/* The published grid in plain arrays: listings sorted by cell, and a table of the non-empty cells. Up to a few hundred
 * thousand spheres. */
#include "lab/sphere_steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS_OF_ONE = 8 };

typedef struct cell_place {
  int32_t level, x, y, z;
} cell_place;

typedef struct listing {
  cell_place cell;
  uint32_t sphere;
} listing;

typedef struct level_grid {
  const graze_sphere *spheres;
  double least;   /* width of a cell of level 0 */
  int32_t levels; /* 0: there are no spheres */
  listing *listings;
  size_t listing_count;
  size_t *table; /* first listing of a cell, and one; 0: none. A power of two of places, at most half of them taken */
  size_t mask;
} level_grid;

/* ---------------------------------------------------------------------------------------------- cells */

/* The lowest level whose cells are as wide as the sphere. */
static int32_t level_of(const level_grid *grid, double radius) {
  int32_t level = 0;
  double width = grid->least;
  for (; width < 2.0 * radius; width *= 2.0) level++;
  return level;
}

/* The cells of a level that the sphere's box reaches into: at most two along each axis, where the cells are as wide as
 * it. Returns how many. */
static size_t cells_of(const level_grid *grid, const graze_sphere *sphere, int32_t level,
                       cell_place cells_out[CELLS_OF_ONE]) {
  const double width = ldexp(grid->least, level);
  int32_t low[3], high[3];
  for (int k = 0; k < 3; k++) {
    low[k] = (int32_t)floor((sphere->center[k] - sphere->radius) / width);
    high[k] = (int32_t)floor((sphere->center[k] + sphere->radius) / width);
    if (high[k] > low[k] + 1) high[k] = low[k] + 1; /* a sphere as wide as its cell that ends where a third begins */
  }
  size_t count = 0;
  for (int32_t x = low[0]; x <= high[0]; x++)
    for (int32_t y = low[1]; y <= high[1]; y++)
      for (int32_t z = low[2]; z <= high[2]; z++) cells_out[count++] = (cell_place){level, x, y, z};
  return count;
}

static int compare_places(const cell_place *a, const cell_place *b) {
  if (a->level != b->level) return a->level < b->level ? -1 : 1;
  if (a->x != b->x) return a->x < b->x ? -1 : 1;
  if (a->y != b->y) return a->y < b->y ? -1 : 1;
  return a->z < b->z ? -1 : a->z > b->z;
}

static int compare_listings(const void *first, const void *second) {
  const listing *const a = first, *const b = second;
  const int order = compare_places(&a->cell, &b->cell);
  return order != 0 ? order : a->sphere < b->sphere ? -1 : a->sphere > b->sphere;
}

/* ---------------------------------------------------------------------------------------------- the grid */

static size_t place_in_table(const level_grid *grid, const cell_place *cell) {
  uint64_t key = (uint64_t)(uint32_t)cell->level;
  const int32_t parts[3] = {cell->x, cell->y, cell->z};
  for (int k = 0; k < 3; k++) key = (key ^ (uint32_t)parts[k]) * UINT64_C(0x9E3779B97F4A7C15);
  return (size_t)(key >> 20) & grid->mask;
}

/* The first listing of the cell, or where it would have to stand in the table. */
static size_t find_cell(const level_grid *grid, const cell_place *cell) {
  size_t place = place_in_table(grid, cell);
  while (grid->table[place] != 0 && compare_places(&grid->listings[grid->table[place] - 1].cell, cell) != 0)
    place = (place + 1) & grid->mask;
  return place;
}

static void fill_table(level_grid *grid, sphere_steps *steps) {
  uint32_t in_cell = 0;
  for (size_t i = 0; i < grid->listing_count; i++) {
    const bool begins = i == 0 || compare_places(&grid->listings[i - 1].cell, &grid->listings[i].cell) != 0;
    if (begins) grid->table[find_cell(grid, &grid->listings[i].cell)] = i + 1;
    in_cell = begins ? 1 : in_cell + 1;
    if (in_cell > steps->fullest_cell) steps->fullest_cell = in_cell;
  }
}

static void list_spheres(level_grid *grid, size_t count, sphere_steps *steps) {
  for (size_t i = 0; i < count; i++) {
    cell_place cells[CELLS_OF_ONE];
    const size_t reached = cells_of(grid, &grid->spheres[i], level_of(grid, grid->spheres[i].radius), cells);
    for (size_t k = 0; k < reached; k++) grid->listings[grid->listing_count++] = (listing){cells[k], (uint32_t)i};
    if (reached > steps->listings_most) steps->listings_most = (uint32_t)reached;
  }
  qsort(grid->listings, grid->listing_count, sizeof *grid->listings, compare_listings);
}

/* Cells are counted by 32 bits. */
static bool measure_spheres(const graze_sphere *spheres, size_t count, level_grid *grid) {
  double least = spheres[0].radius, largest = least, reach = 0.0;
  for (size_t i = 0; i < count; i++) {
    least = fmin(least, spheres[i].radius);
    largest = fmax(largest, spheres[i].radius);
    for (int k = 0; k < 3; k++) reach = fmax(reach, fabs(spheres[i].center[k]) + spheres[i].radius);
  }
  grid->least = 2.0 * least;
  if (!(least > 0.0) || !(reach < 0x1p30 * grid->least)) return false;
  grid->levels = level_of(grid, largest) + 1;
  return true;
}

static bool grid_make(const graze_sphere *spheres, size_t count, level_grid *grid, sphere_steps *steps) {
  *grid = (level_grid){.spheres = spheres};
  if (count == 0) return true;
  if (count > UINT32_MAX / (2 * CELLS_OF_ONE) || !measure_spheres(spheres, count, grid)) return false;
  size_t places = 1;
  while (places < 2 * CELLS_OF_ONE * count) places *= 2;
  grid->mask = places - 1;
  grid->listings = malloc(CELLS_OF_ONE * count * sizeof *grid->listings);
  grid->table = calloc(places, sizeof *grid->table);
  if (grid->listings == NULL || grid->table == NULL) return false;
  list_spheres(grid, count, steps);
  fill_table(grid, steps);
  if ((uint32_t)grid->levels > steps->levels) steps->levels = (uint32_t)grid->levels;
  return true;
}

static void grid_free(level_grid *grid) {
  free(grid->listings);
  free(grid->table);
}

/* ---------------------------------------------------------------------------------------------- the query */

static bool overlap(const graze_sphere *a, const graze_sphere *b) {
  double square = 0.0;
  for (int k = 0; k < 3; k++) square += (a->center[k] - b->center[k]) * (a->center[k] - b->center[k]);
  const double sum = a->radius + b->radius;
  return square <= sum * sum;
}

/* Of all cells that list both, the one with the lower corner of the common part of their boxes counts the pair. */
static bool counts_here(const level_grid *grid, const cell_place *cell, const graze_sphere *a, const graze_sphere *b) {
  const double width = ldexp(grid->least, cell->level);
  const int32_t place[3] = {cell->x, cell->y, cell->z};
  for (int k = 0; k < 3; k++) {
    const double low = fmax(a->center[k] - a->radius, b->center[k] - b->radius);
    if ((int32_t)floor(low / width) != place[k]) return false;
  }
  return true;
}

/* What one processor does: `equal` says whether spheres of its own size are its own to count. */
static uint32_t ask(const level_grid *grid, const graze_sphere *sphere, bool equal, sphere_steps *steps) {
  uint32_t asked = 0, met = 0;
  for (int32_t level = level_of(grid, sphere->radius); level < grid->levels; level++) {
    cell_place cells[CELLS_OF_ONE];
    const size_t reached = cells_of(grid, sphere, level, cells);
    asked += (uint32_t)reached;
    for (size_t k = 0; k < reached; k++) {
      const size_t first = grid->table[find_cell(grid, &cells[k])];
      for (size_t i = first; i != 0 && i <= grid->listing_count; i++) {
        if (compare_places(&grid->listings[i - 1].cell, &cells[k]) != 0) break;
        const graze_sphere *const other = &grid->spheres[grid->listings[i - 1].sphere];
        const bool larger = other->radius > sphere->radius || (equal && other->radius == sphere->radius);
        met++;
        steps->pairs += larger && overlap(sphere, other) && counts_here(grid, &cells[k], sphere, other);
      }
    }
  }
  if (asked > steps->cells_most) steps->cells_most = asked;
  if (met > steps->met_most) steps->met_most = met;
  return asked + met;
}

static void ask_all(const level_grid *grid, const graze_sphere *spheres, size_t count, bool equal,
                    sphere_steps *steps) {
  for (size_t i = 0; i < count && grid->levels > 0; i++) {
    const uint32_t own = ask(grid, &spheres[i], equal, steps);
    steps->each[steps->count++] = own;
    steps->steps += own;
    if (own > steps->steps_most) steps->steps_most = own;
  }
}

bool sphere_steps_count(const graze_sphere *a, size_t a_count, const graze_sphere *b, size_t b_count,
                        sphere_steps *steps_out) {
  *steps_out = (sphere_steps){.each = malloc((a_count + b_count + 1) * sizeof *steps_out->each)};
  level_grid grids[2] = {{0}};
  const bool made = steps_out->each != NULL && grid_make(a, a_count, &grids[0], steps_out) &&
                    grid_make(b, b_count, &grids[1], steps_out);
  if (made) {
    ask_all(&grids[1], a, a_count, true, steps_out);
    ask_all(&grids[0], b, b_count, false, steps_out);
  }
  for (int i = 0; i < 2; i++) grid_free(&grids[i]);
  if (!made) sphere_steps_free(steps_out);
  return made;
}

void sphere_steps_free(sphere_steps *counted) {
  free(counted->each);
  *counted = (sphere_steps){0};
}

uint64_t sphere_steps_busiest(const sphere_steps *counted, size_t processors) {
  uint64_t most = 0;
  for (size_t i = 0; i < processors && i < counted->count; i++) {
    uint64_t own = 0;
    for (size_t k = i; k < counted->count; k += processors) own += counted->each[k];
    if (own > most) most = own;
  }
  return most;
}
