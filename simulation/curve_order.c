/* Morton's curve ("A computer oriented geodetic data base and a new technique in file sequencing", 1966), with 1024
 * steps along the largest extent; points of the same step in the order of their numbers. */
#include "simulation/curve_order.h"

#include <stdlib.h>

typedef struct keyed_point {
  uint32_t key, point;
} keyed_point;

static int by_key(const void *left, const void *right) {
  const keyed_point *a = left, *b = right;
  if (a->key != b->key) return a->key < b->key ? -1 : 1;
  return (a->point > b->point) - (a->point < b->point);
}

/* Ten bits, each followed by two zeros. */
static uint32_t spread_bits(uint32_t bits) {
  bits = (bits | bits << 16) & 0x030000FFU;
  bits = (bits | bits << 8) & 0x0300F00FU;
  bits = (bits | bits << 4) & 0x030C30C3U;
  return (bits | bits << 2) & 0x09249249U;
}

/* All axes have the same steps, so that flat sets stay flat. */
static double find_extent(const double *points, size_t count, double least_out[3]) {
  double extent = 0.0;
  for (size_t axis = 0; axis < 3; ++axis) {
    double least = points[axis], most = least;
    for (size_t i = 1; i < count; ++i) {
      const double value = points[3 * i + axis];
      least = value < least ? value : least;
      most = value > most ? value : most;
    }
    least_out[axis] = least;
    extent = most - least > extent ? most - least : extent;
  }
  return extent;
}

static uint32_t step_of(double value, double least, double extent) {
  const double step = extent > 0.0 ? 1023.0 * ((value - least) / extent) : 0.0;
  return step >= 0.0 && step <= 1023.0 ? (uint32_t)step : 0;
}

bool curve_order_make(const double *points, size_t count, uint32_t *order_out) {
  if (count == 0) return true;
  keyed_point *keyed = malloc(count * sizeof *keyed);
  if (keyed == NULL) return false;
  double least[3];
  const double extent = find_extent(points, count, least);
  for (size_t i = 0; i < count; ++i) {
    uint32_t key = 0;
    for (size_t axis = 0; axis < 3; ++axis)
      key |= spread_bits(step_of(points[3 * i + axis], least[axis], extent)) << axis;
    keyed[i] = (keyed_point){key, (uint32_t)i};
  }
  qsort(keyed, count, sizeof *keyed, by_key);
  for (size_t i = 0; i < count; ++i) order_out[i] = keyed[i].point;
  free(keyed);
  return true;
}
