/* A packing by random insertion, largest spheres first: a random point of the body becomes the center of the largest
 * sphere there that touches earlier spheres or the surface. It is kept if its radius is in the current class of sizes;
 * after too many failures in a row the next smaller class follows.
 *
 * A class has a grid of cells of its radius, and every sphere is listed in the cells near it. Large spheres are in many
 * cells, but a cell is near few spheres. */
#include "models/sphere_packing.h"

#include "models/seeded_random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TRIES_IN_A_ROW = 400, CELLS_MOST = 256 };

static const double class_ratio = 0.8, first_class = 0.25, shrink = 1.0 - 0x1p-40;

/* Lists of spheres by cell: chained entries. */
typedef struct packing_grid {
  double size;
  int side;
  uint32_t *heads, *next, *sphere; /* entry 0 is none */
  size_t entry_count, entry_capacity;
} packing_grid;

typedef struct packing {
  packed_body body;
  sphere_packing *made;
  packing_grid grid;
  random_stream random;
} packing;

/* ---------------------------------------------------------------------------------------------- bodies */

const char *packed_body_name(packed_body body) {
  static const char *const names[] = {"ball", "ring", "dumbbell"};
  return body < PACKED_BODIES ? names[body] : NULL;
}

static double larger(double a, double b) {
  return a > b ? a : b;
}

/* A lower bound of the depth of a point in the body; negative outside. */
static double depth_in(packed_body body, const double p[3]) {
  const double across = sqrt(p[0] * p[0] + p[1] * p[1]);
  if (body == PACKED_RING) return 0.3 - sqrt((across - 0.7) * (across - 0.7) + p[2] * p[2]);
  const double square = across * across + p[2] * p[2];
  if (body == PACKED_BALL) return 1.0 - sqrt(square);
  const double middle = 0.15 - sqrt(p[1] * p[1] + p[2] * p[2]) - larger(fabs(p[0]) - 0.6, 0.0);
  const double left = 0.4 - sqrt(square + 1.2 * p[0] + 0.36), right = 0.35 - sqrt(square - 1.2 * p[0] + 0.36);
  return larger(middle, larger(left, right));
}

/* ---------------------------------------------------------------------------------------------- the grid */

static void cell_range(const packing_grid *grid, const double center[3], double reach, int low[3], int high[3]) {
  for (int axis = 0; axis < 3; axis++) {
    const double from = (center[axis] - reach + 1.0) / grid->size, to = (center[axis] + reach + 1.0) / grid->size;
    low[axis] = from < 0.0 ? 0 : (int)from;
    high[axis] = to >= (double)grid->side ? grid->side - 1 : (int)to;
  }
}

static bool list_in_cell(packing_grid *grid, size_t cell, uint32_t sphere) {
  if (grid->entry_count >= grid->entry_capacity) {
    const size_t room = 2 * grid->entry_capacity + 1024;
    uint32_t *next = realloc(grid->next, room * sizeof *next);
    if (next != NULL) grid->next = next;
    uint32_t *numbers = next != NULL ? realloc(grid->sphere, room * sizeof *numbers) : NULL;
    if (numbers == NULL) return false;
    grid->sphere = numbers;
    grid->entry_capacity = room;
  }
  grid->next[grid->entry_count] = grid->heads[cell];
  grid->sphere[grid->entry_count] = sphere;
  grid->heads[cell] = (uint32_t)grid->entry_count++;
  return true;
}

/* A sphere is near a cell if its radius plus the cell size reaches the cell. */
static bool list_sphere(packing *at, uint32_t sphere, double most) {
  packing_grid *grid = &at->grid;
  int low[3], high[3];
  cell_range(grid, at->made->centers[sphere], at->made->radii[sphere] + most, low, high);
  for (int x = low[0]; x <= high[0]; x++)
    for (int y = low[1]; y <= high[1]; y++)
      for (int z = low[2]; z <= high[2]; z++)
        if (!list_in_cell(grid, ((size_t)x * (size_t)grid->side + (size_t)y) * (size_t)grid->side + (size_t)z, sphere))
          return false;
  return true;
}

static bool begin_class(packing *at, double most) {
  packing_grid *grid = &at->grid;
  const double side = ceil(2.0 / most);
  grid->side = side > CELLS_MOST ? CELLS_MOST : (int)side;
  grid->size = 2.0 / (double)grid->side;
  grid->entry_count = 1;
  free(grid->heads);
  grid->heads = calloc((size_t)grid->side * (size_t)grid->side * (size_t)grid->side, sizeof *grid->heads);
  bool good = grid->heads != NULL;
  for (size_t i = 0; i < at->made->count && good; i++) good = list_sphere(at, (uint32_t)i, most);
  return good;
}

/* ---------------------------------------------------------------------------------------------- insertion */

/* The radius of a sphere at a point, at most `most`; the result is arbitrary below `least`. */
static double free_radius(const packing *at, const double p[3], double least, double most) {
  const packing_grid *grid = &at->grid;
  double radius = depth_in(at->body, p);
  radius = radius < most ? radius : most;
  size_t cell = 0;
  for (int axis = 0; axis < 3; axis++) {
    const int place = (int)((p[axis] + 1.0) / grid->size);
    cell = cell * (size_t)grid->side + (size_t)(place < grid->side ? place : grid->side - 1);
  }
  for (uint32_t entry = grid->heads[cell]; entry != 0 && radius >= least; entry = grid->next[entry]) {
    const double *c = at->made->centers[grid->sphere[entry]];
    const double x = p[0] - c[0], y = p[1] - c[1], z = p[2] - c[2];
    const double left = sqrt(x * x + y * y + z * z) - at->made->radii[grid->sphere[entry]];
    radius = left < radius ? left : radius;
  }
  return radius * shrink;
}

static bool insert_class(packing *at, size_t count, double most) {
  if (!begin_class(at, most)) return false;
  sphere_packing *made = at->made;
  for (int failed = 0; failed < TRIES_IN_A_ROW && made->count < count;) {
    double p[3];
    for (int axis = 0; axis < 3; axis++) p[axis] = 2.0 * random_unit(&at->random) - 1.0;
    const double radius = free_radius(at, p, class_ratio * most, most);
    failed++;
    if (radius < class_ratio * most) continue;
    failed = 0;
    memcpy(made->centers[made->count], p, sizeof p);
    made->radii[made->count] = radius;
    if (!list_sphere(at, (uint32_t)made->count++, most)) return false;
  }
  return true;
}

bool sphere_packing_make(packed_body body, size_t count, uint64_t seed, sphere_packing *packing_out) {
  const size_t room = count > 0 ? count : 1;
  sphere_packing made = {malloc(room * sizeof *made.centers), malloc(room * sizeof *made.radii), 0};
  packing at = {.body = body, .made = &made, .random = random_stream_make(seed, 1)};
  bool good = made.centers != NULL && made.radii != NULL;
  for (double most = first_class; good && made.count < count; most *= class_ratio)
    good = insert_class(&at, count, most);
  free(at.grid.heads);
  free(at.grid.next);
  free(at.grid.sphere);
  if (!good) sphere_packing_free(&made);
  *packing_out = made;
  return good;
}

void sphere_packing_free(sphere_packing *made) {
  free(made->centers);
  free(made->radii);
  *made = (sphere_packing){0};
}
