/* Batches of the float filter of clearances. Corners are given coordinates relative to a corner of the pair, so the
 * precision of floats depends on the size of the pair, not of the scene. No rounded vertices are needed. */
#include "narrow/near_batch.h"

#include "broad/vertex_normalization.h"
#include "geometry/float_rounding.h"
#include "geometry/triangle_neighbors.h"

#include <math.h>
#include <string.h>

/* The clearance is between 1 and 2 units. If it is less than 2^-24 of the scene it is smaller, so that triangles stay
 * within the range of the filter; pairs less than 2^-20 of a unit apart are then undecided. */
near_units near_units_make(const primitive_view *view) {
  int exponent;
  frexp(view->clearance, &exponent);
  const double factor = fmin(ldexp(1.0, 1 - exponent), 0x1p24 * view->normalization->scale);
  near_units units = {0.0, {0.0f, 0.0f}};
  if (!(factor > 0.0 && factor < HUGE_VAL)) return units;
  const double clearance = view->clearance * factor;
  units.factor = factor;
  units.limits.least = float_round_down(clearance);
  units.limits.most = float_round_up(fmax(clearance, 0x1p-20));
  return units;
}

static bool is_filtered(const primitive_view *view, const candidate *pair) {
  const uint32_t a = pair->a->object, b = pair->b->object;
  if (!view->only_triangles && batch_of_pair(view->sources[a].kind, view->sources[b].kind) != BATCH_TRIANGLES)
    return false;
  if (a != b || view->skip_neighbors) return true;
  return !corner_is_repeated(pair->a->corner) && !corner_is_repeated(pair->b->corner) &&
         !headers_share_corner(pair->a, pair->b);
}

static void write_corner(near_pairs *pairs, size_t place, int row, const double *corner, const double *origin,
                         double factor) {
  for (int axis = 0; axis < 3; axis++)
    pairs->coordinates[row + axis][place] = (float)((corner[axis] - origin[axis]) * factor);
}

/* A method lists all candidates of one triangle in sequence, so fetched corners are often reused. */
void near_batch_decide(const near_kernels *kernels, const primitive_view *view, const near_units *units,
                       const candidate *candidates, size_t count, uint8_t answers_out[NEAR_CHUNK]) {
  near_pairs pairs;
  uint8_t places[NEAR_CHUNK], answers[NEAR_CAPACITY];
  const primitive_header *last_a = NULL, *last_b = NULL;
  double p[9] = {0}, q[9] = {0};
  size_t filtered = 0;
  memset(answers_out, NEAR_UNDECIDED, count);
  for (size_t i = 0; i < count; i++) {
    const candidate *pair = &candidates[i];
    if (!is_filtered(view, pair)) continue;
    if (pair->a != last_a) fetch_triangle(view, pair->a, p);
    if (pair->b != last_b) fetch_triangle(view, pair->b, q);
    last_a = pair->a;
    last_b = pair->b;
    for (int corner = 0; corner < 2; corner++)
      write_corner(&pairs, filtered, 3 * corner, p + 3 * (corner + 1), p, units->factor);
    for (int corner = 0; corner < 3; corner++)
      write_corner(&pairs, filtered, 6 + 3 * corner, q + 3 * corner, p, units->factor);
    places[filtered++] = (uint8_t)i;
  }
  if (filtered == 0) return;
  for (int row = 0; row < NEAR_COORDINATES; row++)
    for (size_t i = filtered; i < filtered + (NEAR_CAPACITY - NEAR_CHUNK); i++) pairs.coordinates[row][i] = 0.0f;
  kernels->decide(&pairs, filtered, units->limits, answers);
  for (size_t i = 0; i < filtered; i++) answers_out[places[i]] = answers[i];
}
