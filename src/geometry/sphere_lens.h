/* The intersection of two balls that meet, the lens: volume, centroid, area of its disc, depth and witnesses.
 *
 * Let L >= l be the radii, d the distance of the centers, R = L + l, m = L - l. If d <= m, the lens is the smaller
 * ball. Otherwise it consists of a cap of each ball, of heights
 *   b = h (d + m) / (2 d) of the small one and a = h g / (2 d) of the large one, h = R - d the depth, g = d - m.
 * Of these terms, only h and g involve subtractions. They are computed as
 *   h = (R^2 - d^2) / (R + d),   g = (d^2 - m^2) / (d + m)
 * with numerators in 106 bits, or exact before rounding if that is not enough (expansion.h). So h and g have a relative
 * error of a few 2^-53, however close the balls are to touching or to containing each other. Then
 *   volume   = pi / 3 (a^2 (3 L - a) + b^2 (3 l - b)),
 *   area     = pi h g (R + d) (d + m) / (4 d^2),  minus the derivative of the volume by d,
 *   centroid = on the axis, at l - b from the small center to the plane of the disc, and from there to the mean of the
 *              caps' centroids, which are at q(a, L) and q(b, l) from it, q(a, L) = a (4 L - a) / (4 (3 L - a)).
 *
 * Guaranteed, and tested against 8192 bits: volume, area and depth have a relative error of at most 2^-48, the centroid
 * an error of 2^-48 of the smaller radius plus the rounding of its coordinates. Lengths are in units of the largest
 * radius or difference. Values below 2^-300 of that become zero, and a ball with such a radius counts as inside the
 * other; the guarantee holds for radii whose ratio is below 2^200. Volume and area are in units of the lens; converted
 * to given units, results beyond the largest double become infinite, and those below the smallest zero.
 *
 * Workload: one call for each contact of balls; the exact numerators, of 24 and 32 terms, are for balls that barely
 * touch, or barely contain each other. */
#ifndef GRAZE_GEOMETRY_SPHERE_LENS_H
#define GRAZE_GEOMETRY_SPHERE_LENS_H

#include "geometry/double_double.h"
#include "geometry/local_coordinates.h"

#define SPHERE_PI 3.14159265358979323846

/* For balls a and b. The normal is a unit vector from the center of a to that of b: b moved along it by the depth
 * touches a; moved farther it is apart. */
typedef struct sphere_lens {
  double volume, area; /* in units of 2^(3 unit) and 2^(2 unit) */
  int unit;
  double depth;
  double centroid[3], normal[3];
  double witness_a[3], witness_b[3]; /* on the surfaces, on the line of the centers: witness_a - witness_b = depth n */
  bool is_contained;                 /* one ball is in the other: the lens is that ball, and has no disc */
} sphere_lens;

/* Two balls in units of their own size. The factor keeps differences of coordinates finite. */
typedef struct sphere_frame {
  double factor, inverse; /* 1 except for coordinates near the largest double */
  double grow, shrink;    /* brings differences and radii near one, and back */
  two_term way[3];        /* from the center of a to that of b, exactly, in these units */
  double large, small;    /* radii */
  bool a_is_small;
} sphere_frame;

/* Converts a length of the frame to given units. */
GEOMETRY_FUNCTION double sphere_frame_length(const sphere_frame *frame, double length) {
  return length * frame->shrink * frame->inverse;
}

GEOMETRY_FUNCTION two_term two_term_scaled(two_term value, double factor) {
  return two_term_make(flush_tiny(value.head * factor), flush_tiny(value.tail * factor));
}

GEOMETRY_FUNCTION sphere_frame sphere_frame_make(const double *a, double r, const double *b, double s) {
  sphere_frame frame;
  const double coordinates[8] = {a[0], a[1], a[2], b[0], b[1], b[2], r, s};
  const bool is_far = largest_magnitude(coordinates, 8) > 0x1p1000;
  frame.factor = is_far ? 0x1p-30 : 1.0;
  frame.inverse = is_far ? 0x1p30 : 1.0;
  double largest = r > s ? r * frame.factor : s * frame.factor;
  for (int axis = 0; axis < 3; axis++) {
    frame.way[axis] = two_difference(b[axis] * frame.factor, a[axis] * frame.factor);
    largest = fabs(frame.way[axis].head) > largest ? fabs(frame.way[axis].head) : largest;
  }
  int exponent = largest > 0.0 ? -binary_exponent(largest) : 0;
  exponent = exponent > 1000 ? 1000 : exponent;
  frame.grow = power_of_two(exponent);
  frame.shrink = power_of_two(-exponent);
  for (int axis = 0; axis < 3; axis++) frame.way[axis] = two_term_scaled(frame.way[axis], frame.grow);
  frame.a_is_small = r < s;
  frame.large = (frame.a_is_small ? s : r) * frame.factor * frame.grow;
  frame.small = flush_tiny((frame.a_is_small ? r : s) * frame.factor * frame.grow);
  return frame;
}

/* x^2 - d^2 in about 106 bits, where d^2 is the square of the vector `way`. Relative to the sum M of the four squares,
 * products have errors of 8 * 2^-106 and three differences 3 * 2^-106 each (double_double.h), together less than
 * 2^-101: results above 2^-45 of M have all 53 bits. False otherwise. */
GEOMETRY_FUNCTION bool sphere_frame_excess_filtered(const sphere_frame *frame, two_term x, double *excess_out) {
  two_term sum = double_double_multiply(x, x);
  double magnitude = sum.head;
  for (int axis = 0; axis < 3; axis++) {
    const two_term square = double_double_multiply(frame->way[axis], frame->way[axis]);
    magnitude += square.head;
    sum = double_double_subtract(sum, square);
  }
  *excess_out = sum.head;
  return fabs(sum.head) > 0x1p-45 * magnitude;
}

/* The same, exact before it is rounded: within two units in the last place. */
GEOMETRY_SLOW_FUNCTION double sphere_frame_excess_exact(const sphere_frame *frame, two_term x) {
  double sum[32], next[32], square[8];
  uint32_t count = expansion_product_of_two_terms(x, x, sum);
  for (int axis = 0; axis < 3; axis++) {
    const uint32_t square_count = expansion_product_of_two_terms(frame->way[axis], frame->way[axis], square);
    expansion_negate(square_count, square);
    const uint32_t next_count = expansion_sum(count, sum, square_count, square, next);
    for (uint32_t i = 0; i < next_count; i++) sum[i] = next[i];
    count = next_count;
  }
  return expansion_estimate(count, sum);
}

GEOMETRY_FUNCTION double sphere_frame_excess(const sphere_frame *frame, two_term x) {
  double excess;
  return sphere_frame_excess_filtered(frame, x, &excess) ? excess : sphere_frame_excess_exact(frame, x);
}

/* Four thirds pi r^3; every product moves in the same direction, so none overflows or underflows before the last. */
GEOMETRY_FUNCTION double sphere_volume(double radius) {
  return 4.0 / 3.0 * SPHERE_PI * radius * radius * radius;
}

/* The distance of a cap's centroid from its base. */
GEOMETRY_FUNCTION double cap_centroid_height(double height, double radius) {
  return 0.25 * height * (4.0 * radius - height) / (3.0 * radius - height);
}

/* Volume, area, and the distance of the centroid from the small center towards the large one, in units of the frame;
 * for balls neither of which contains the other, at a positive distance. */
GEOMETRY_FUNCTION void sphere_frame_lens(const sphere_frame *frame, double distance, double depth, double rest,
                                         double *volume_out, double *area_out, double *centroid_out) {
  const double large = frame->large, small = frame->small, share = 0.5 / distance;
  const double b = depth * ((distance + (large - small)) * share), a = depth * (rest * share);
  const double large_cap = a * a * (3.0 * large - a), small_cap = b * b * (3.0 * small - b);
  const double caps = large_cap + small_cap;
  *volume_out = SPHERE_PI / 3.0 * caps;
  *area_out = SPHERE_PI * (rest * share) * (large + small + distance) * b;
  const double large_way = cap_centroid_height(a, large), small_way = cap_centroid_height(b, small);
  const double mean = caps > 0.0 ? (small_cap * small_way - large_cap * large_way) / caps : 0.0;
  *centroid_out = (small - b) + mean;
}

/* Computes the normal, and both witnesses from it. Coincident centers also get a normal. */
GEOMETRY_FUNCTION void sphere_lens_witness(const sphere_frame *frame, double distance, const double *a, double r,
                                           const double *b, double s, sphere_lens *lens) {
  for (int axis = 0; axis < 3; axis++) {
    lens->normal[axis] = distance > 0.0 ? frame->way[axis].head / distance : (axis == 2 ? 1.0 : 0.0);
    const double normal = lens->normal[axis] * frame->factor;
    lens->witness_a[axis] = (a[axis] * frame->factor + r * normal) * frame->inverse;
    lens->witness_b[axis] = (b[axis] * frame->factor - s * normal) * frame->inverse;
  }
}

/* For balls that meet, by sphere_pair_intersects; a depth that rounding makes negative becomes zero. */
GEOMETRY_FUNCTION void sphere_pair_lens(const double *a, double r, const double *b, double s, sphere_lens *lens_out) {
  const sphere_frame frame = sphere_frame_make(a, r, b, s);
  const two_term zero = two_term_make(0.0, 0.0), sum = two_sum(frame.large, frame.small);
  const two_term difference = two_difference(frame.large, frame.small);
  const double distance = sqrt(-sphere_frame_excess(&frame, zero));
  const double reach = sphere_frame_excess(&frame, sum), beyond = -sphere_frame_excess(&frame, difference);
  const double depth = reach > 0.0 ? reach / (sum.head + distance) : 0.0;
  lens_out->depth = sphere_frame_length(&frame, depth);
  lens_out->is_contained = !(beyond > 0.0) || !(frame.small > 0.0);
  sphere_lens_witness(&frame, distance, a, r, b, s, lens_out);
  const double *small = frame.a_is_small ? a : b, small_radius = frame.a_is_small ? r : s;
  double way = 0.0;
  if (lens_out->is_contained) {
    lens_out->unit = binary_exponent(small_radius);
    lens_out->volume = sphere_volume(times_power_of_two(small_radius, -lens_out->unit));
    lens_out->area = 0.0;
  } else {
    lens_out->unit = binary_exponent(frame.shrink) + binary_exponent(frame.inverse);
    sphere_frame_lens(&frame, distance, depth, beyond / (distance + difference.head), &lens_out->volume,
                      &lens_out->area, &way);
  }
  const double to_large = (frame.a_is_small ? way : -way) * frame.shrink;
  for (int axis = 0; axis < 3; axis++)
    lens_out->centroid[axis] = (small[axis] * frame.factor + to_large * lens_out->normal[axis]) * frame.inverse;
}

#endif
