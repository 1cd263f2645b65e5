/* A cloth draped over a ball: two objects in contact, shaped by formulas, not by a simulation.
 *
 * Workload: frames of a cloth simulation. The square sheet lies on the upper half of the ball, slightly above it, with
 * a roughness that dips below its surface in places, and hangs straight down from the equator. The excess of a flat
 * sheet on a ball forms folds: they begin above the equator, grow deeper outward, bulge into loops, and in the lower
 * part loops of neighboring folds press into each other. So there are pairs of cloth with ball and of cloth with cloth,
 * both in thin regions: five thousand of each at 90,000 triangles, growing with about the square root of their
 * number. */
#include "models/model_table.h"
#include "models/seeded_random.h"
#include "models/smooth_noise.h"

static const double two_pi = 6.28318530717958647692;

/* FOLD_DOUBLINGS doublings of an angle give its FOLD_COUNT-fold. */
enum { FOLD_DOUBLINGS = 4, FOLD_COUNT = 1 << FOLD_DOUBLINGS };

/* The ball has radius 1. */
static const double half_side = 2.5;                        /* of the flat sheet */
static const double clearance = 0.0005, roughness = 0.0024; /* of cloth over ball; the roughness exceeds it in places */
static const double folds_begin = 1.0, folds_end = 2.1;     /* distances from the center, along the sheet */
static const double fold_depth = 0.16, fold_bulge = 0.39;   /* the bulge as a fraction of the width of a fold */
static const double depth_variation = 0.3, bulge_variation = 0.06; /* from fold to fold */
static const double phase_variation = 0.1, wrinkles = 0.06;        /* both as fractions of the width of a fold */

/* A direction around the axis of the ball as cosine and sine. */
typedef struct heading {
  double cosine, sine;
} heading;

static heading heading_turned(heading a, heading b) {
  const heading sum = {a.cosine * b.cosine - a.sine * b.sine, a.sine * b.cosine + a.cosine * b.sine};
  return sum;
}

static heading heading_of_turns(double turns) {
  const heading made = {cosine_of_turns(turns), sine_of_turns(turns)};
  return made;
}

/* A smooth step from 0 to 1 between the two distances, with slope 0 at both. */
static double smooth_step(double from, double to, double value) {
  const double share = (value - from) / (to - from);
  if (share <= 0.0) return 0.0;
  if (share >= 1.0) return 1.0;
  return share * share * (3.0 - 2.0 * share);
}

/* The effect of the folds at a position of the sheet: its lift off the ball, and its rotation around the axis in turns.
 * A fold is a loop: its bulge completes two cycles while its depth completes one, so that the middle of a fold is wider
 * than its neck. */
static void shape_folds(heading at, double distance, uint64_t seed, double *lift_out, double *turns_out) {
  const double growth = smooth_step(folds_begin, folds_end, distance);
  /* Noise over the circle of the folds, so that neighbors differ; it changes slowly along a fold. */
  const point3 place = point3_make(2.5 * at.cosine, 2.5 * at.sine, 0.6 * distance);
  const double depth = 1.0 + depth_variation * smooth_noise(place, random_mix(seed + 1));
  const double bulge = 1.0 + bulge_variation * smooth_noise(place, random_mix(seed + 2));
  const double phase = phase_variation * smooth_noise(place, random_mix(seed + 3));
  heading fold = at;
  for (int i = 0; i < FOLD_DOUBLINGS; ++i) fold = heading_turned(fold, fold);
  fold = heading_turned(fold, heading_of_turns(phase));
  *lift_out = fold_depth * growth * depth * (1.0 + fold.cosine);
  *turns_out = fold_bulge * growth * bulge * 2.0 * fold.sine * fold.cosine / FOLD_COUNT;
}

/* Maps a position of the flat sheet: along a circle of the ball through its top down to the equator, then straight
 * down. Lifts are along the radius of the ball, horizontal from the equator on. */
static point3 drape(double x, double z, uint64_t seed) {
  const double distance = sqrt(x * x + z * z), quarter = 0.25 * two_pi;
  if (distance == 0.0) return point3_make(0.0, 1.0 + clearance, 0.0);
  const heading at = {x / distance, z / distance};
  double lift, turns;
  shape_folds(at, distance, seed, &lift, &turns);
  const bool hangs = distance > quarter;
  const heading meridian = hangs ? (heading){0.0, 1.0} : heading_of_turns(distance / two_pi);
  const double fall = hangs ? distance - quarter : 0.0;
  const double fine = fractal_noise(point3_make(14.0 * x, 14.0 * z, 0.5), random_mix(seed + 4), 2);
  const double sway = 0.12 * fall * smooth_noise(point3_make(1.4 * x, 1.4 * z, 2.5), random_mix(seed + 5));
  const double radius = 1.0 + clearance + roughness * fine + lift + sway;
  const heading around = heading_turned(at, heading_of_turns(turns + wrinkles / FOLD_COUNT * fall * fine));
  const double out = radius * meridian.sine;
  return point3_make(out * around.cosine, radius * meridian.cosine - fall, out * around.sine);
}

bool make_draped_cloth(const model_parameters *parameters, model_output *output) {
  const double target = (double)parameters->primitives;
  if (!model_output_reserve(output, 2)) return false;
  const mesh *ball = add_geodesic_sphere(output, "ball", target / 4.0);
  if (ball == NULL) return false;
  const double rest = target - (double)ball->triangle_count; /* negative if the ball alone exceeds the target */
  const grid_shape shape = grid_shape_fit(rest > 2.0 ? rest : 2.0, 1.0, 1, 1);
  mesh *cloth = model_output_add(output, "cloth", grid_vertex_count(&shape), 2 * shape.rows * shape.columns);
  if (cloth == NULL) return false;
  grid_write_triangles(&shape, cloth, 0);
  const uint64_t seed = random_mix(parameters->seed + 13);
  for (uint64_t row = 0; row <= shape.rows; ++row) {
    for (uint64_t column = 0; column <= shape.columns; ++column) {
      const double x = half_side * (2.0 * (double)column / (double)shape.columns - 1.0);
      const double z = half_side * (1.0 - 2.0 * (double)row / (double)shape.rows);
      mesh_set_vertex(cloth, grid_vertex(&shape, row, column), drape(x, z, seed));
    }
  }
  return true;
}
