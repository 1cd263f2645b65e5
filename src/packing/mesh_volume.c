/* Exact volumes; see mesh_volume.h. */
#include "packing/mesh_volume.h"

#include "geometry/expansion.h"

#include <math.h>
#include <string.h>

/* A determinant is six products of three numbers, with 4 components each. The components of a sum do not overlap and
 * are between 2^-1022 and 2^100: 22 if they were full, never more than 1122 / 2. */
enum { DETERMINANT_COMPONENTS = 24, SUM_COMPONENTS = 640 };

static double tame(double coordinate) {
  return fabs(coordinate) < 0x1p-300 ? 0.0 : coordinate;
}

/* x times (ay bz - az by): at most 8 components. */
static uint32_t product_of(double x, const double *a, const double *b, int y, int z, double *product_out) {
  double left[2], right[2], minor[4];
  const uint32_t left_count = expansion_from_two_term(two_product(tame(a[y]), tame(b[z])), left);
  const uint32_t right_count = expansion_from_two_term(two_product(-tame(a[z]), tame(b[y])), right);
  const uint32_t count = expansion_sum(left_count, left, right_count, right, minor);
  return expansion_scale(count, minor, tame(x), product_out);
}

/* Six times the volume between the triangle and the origin. */
static uint32_t determinant(const double *corners, double determinant_out[DETERMINANT_COMPONENTS]) {
  double parts[3][8], both[16];
  uint32_t counts[3];
  for (int k = 0; k < 3; k++)
    counts[k] = product_of(corners[k], corners + 3, corners + 6, (k + 1) % 3, (k + 2) % 3, parts[k]);
  const uint32_t count = expansion_sum(counts[0], parts[0], counts[1], parts[1], both);
  return expansion_sum(count, both, counts[2], parts[2], determinant_out);
}

/* An exact sum of determinants. */
typedef struct volume_sum {
  double components[SUM_COMPONENTS];
  uint32_t count;
} volume_sum;

static void volume_sum_add(volume_sum *sum, const double *corners) {
  double next[SUM_COMPONENTS + DETERMINANT_COMPONENTS], part[DETERMINANT_COMPONENTS];
  const uint32_t part_count = determinant(corners, part);
  sum->count = expansion_sum(sum->count, sum->components, part_count, part, next);
  memcpy(sum->components, next, sum->count * sizeof *next);
}

static double volume_sum_round(const volume_sum *sum) {
  return expansion_estimate(sum->count, sum->components) / 6.0;
}

double mesh_volume(const double *corners, size_t triangle_count) {
  volume_sum sum = {.count = 0};
  for (size_t t = 0; t < triangle_count; t++) volume_sum_add(&sum, corners + 9 * t);
  return volume_sum_round(&sum);
}

double mesh_part_volume(const double *corners, const uint32_t *triangles, size_t count) {
  volume_sum sum = {.count = 0};
  for (size_t i = 0; i < count; i++) volume_sum_add(&sum, corners + 9 * (size_t)triangles[i]);
  return volume_sum_round(&sum);
}
