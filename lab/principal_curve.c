/* Learns a curve by projection and line search, and computes intervals by the triangle inequality.
 *
 * A point belongs to the nearest vertex or the inside of the nearest segment. While this assignment is fixed, the
 * squared distances of points of a segment are those to its line, as in the paper. */
#include "lab/principal_curve.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Weight of the penalty, as the paper found it by experiments. */
#define PENALTY_WEIGHT 0.13

enum { FITS_MOST = 50, HALVINGS_MOST = 12, POWER_STEPS = 100 };

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void subtract(const double a[3], const double b[3], double out[3]) {
  for (int k = 0; k < 3; k++) out[k] = a[k] - b[k];
}

static double squared_distance(const double a[3], const double b[3]) {
  double d[3];
  subtract(a, b, d);
  return dot(d, d);
}

/* ---------------------------------------------------------------------------------------------- projection */

/* The place on the segment's line, as a part of the segment; 0 where it has no length. */
static double place_on(const principal_curve *curve, size_t segment, const double point[3]) {
  double along[3], from[3];
  subtract(curve->vertices[segment + 1], curve->vertices[segment], along);
  subtract(point, curve->vertices[segment], from);
  const double squared = dot(along, along);
  return squared > 0.0 ? dot(along, from) / squared : 0.0;
}

static double squared_to_place(const principal_curve *curve, size_t segment, const double point[3], double place) {
  double foot[3];
  for (int k = 0; k < 3; k++)
    foot[k] = curve->vertices[segment][k] + place * (curve->vertices[segment + 1][k] - curve->vertices[segment][k]);
  return squared_distance(point, foot);
}

/* Vertices are even numbers, insides of segments odd ones. */
static double nearest_part(const principal_curve *curve, const double point[3], unsigned char *part_out) {
  double best = HUGE_VAL;
  for (size_t j = 0; j < curve->segment_count; j++) {
    const double place = place_on(curve, j, point), clamped = fmin(fmax(place, 0.0), 1.0);
    const double squared = squared_to_place(curve, j, point, clamped);
    if (squared >= best) continue;
    best = squared;
    *part_out = (unsigned char)(place <= 0.0 ? 2 * j : place >= 1.0 ? 2 * j + 2 : 2 * j + 1);
  }
  return best;
}

double principal_curve_error(const principal_curve *curve, const curve_points *points) {
  double sum = 0.0;
  for (size_t i = 0; i < points->count; i++) sum += nearest_part(curve, points->positions + 3 * i, &points->parts[i]);
  return sum / (double)points->count;
}

static void measure_arcs(principal_curve *curve) {
  curve->arcs[0] = 0.0;
  for (size_t j = 0; j < curve->segment_count; j++)
    curve->arcs[j + 1] = curve->arcs[j] + sqrt(squared_distance(curve->vertices[j], curve->vertices[j + 1]));
}

/* ---------------------------------------------------------------------------------------------- the first segment */

static void mean_of(const curve_points *points, double mean_out[3]) {
  memset(mean_out, 0, 3 * sizeof *mean_out);
  for (size_t i = 0; i < points->count; i++)
    for (int k = 0; k < 3; k++) mean_out[k] += points->positions[3 * i + k] / (double)points->count;
}

/* Power iteration of the covariance, from its longest row. */
static void principal_axis(const curve_points *points, double axis_out[3]) {
  double covariance[3][3] = {{0}};
  for (size_t i = 0; i < points->count; i++) {
    double d[3];
    subtract(points->positions + 3 * i, points->middle, d);
    for (int a = 0; a < 3; a++)
      for (int b = 0; b < 3; b++) covariance[a][b] += d[a] * d[b];
  }
  int longest = 0;
  for (int a = 1; a < 3; a++)
    if (dot(covariance[a], covariance[a]) > dot(covariance[longest], covariance[longest])) longest = a;
  double axis[3] = {1.0, 0.0, 0.0};
  if (dot(covariance[longest], covariance[longest]) > 0.0) memcpy(axis, covariance[longest], sizeof axis);
  for (int step = 0; step < POWER_STEPS; step++) {
    const double next[3] = {dot(covariance[0], axis), dot(covariance[1], axis), dot(covariance[2], axis)};
    const double length = sqrt(dot(next, next));
    if (!(length > 0.0)) break;
    for (int k = 0; k < 3; k++) axis[k] = next[k] / length;
  }
  const double length = sqrt(dot(axis, axis));
  for (int k = 0; k < 3; k++) axis_out[k] = axis[k] / length;
}

void principal_curve_start(principal_curve *curve_out, curve_points *points) {
  double axis[3], low = 0.0, high = 0.0, radius = 0.0;
  mean_of(points, points->middle);
  principal_axis(points, axis);
  for (size_t i = 0; i < points->count; i++) {
    double d[3];
    subtract(points->positions + 3 * i, points->middle, d);
    low = fmin(low, dot(d, axis));
    high = fmax(high, dot(d, axis));
    radius = fmax(radius, sqrt(dot(d, d)));
  }
  points->radius = radius;
  *curve_out = (principal_curve){.segment_count = 1};
  for (int k = 0; k < 3; k++) {
    curve_out->vertices[0][k] = points->middle[k] + low * axis[k];
    curve_out->vertices[1][k] = points->middle[k] + high * axis[k];
  }
  measure_arcs(curve_out);
}

/* ---------------------------------------------------------------------------------------------- fitting */

/* What the vertex adds to the penalty: at an end the squared length, else how sharp the angle is. */
static double penalty_at(const principal_curve *curve, size_t vertex, double radius) {
  const size_t last = curve->segment_count;
  if (vertex == 0 || vertex == last)
    return squared_distance(curve->vertices[vertex], curve->vertices[vertex == 0 ? 1 : last - 1]);
  double before[3], after[3];
  subtract(curve->vertices[vertex - 1], curve->vertices[vertex], before);
  subtract(curve->vertices[vertex + 1], curve->vertices[vertex], after);
  const double lengths = sqrt(dot(before, before) * dot(after, after));
  return lengths > 0.0 ? radius * radius * (1.0 + dot(before, after) / lengths) : 2.0 * radius * radius;
}

/* The part of the objective that moves with the vertex. */
typedef struct vertex_objective {
  const principal_curve *curve;
  const curve_points *points;
  size_t vertex;
  double weight; /* of the penalty */
} vertex_objective;

static double objective(const vertex_objective *o) {
  const principal_curve *const curve = o->curve;
  double sum = 0.0, penalty = 0.0;
  for (size_t i = 0; i < o->points->count; i++) {
    const size_t part = o->points->parts[i];
    if (part + 1 < 2 * o->vertex || part > 2 * o->vertex + 1) continue;
    const double *const point = o->points->positions + 3 * i;
    sum += part == 2 * o->vertex ? squared_distance(point, curve->vertices[o->vertex])
                                 : squared_to_place(curve, part / 2, point, place_on(curve, part / 2, point));
  }
  const size_t first = o->vertex > 0 ? o->vertex - 1 : 0;
  for (size_t v = first; v <= o->vertex + 1 && v <= curve->segment_count; v++)
    penalty += penalty_at(curve, v, o->points->radius);
  return sum / (double)o->points->count + o->weight * penalty / (double)(curve->segment_count + 1);
}

static void gradient(const vertex_objective *o, double position[3], double gradient_out[3]) {
  const double step = 1e-5 * o->points->radius;
  for (int k = 0; k < 3; k++) {
    const double here = position[k];
    position[k] = here + step;
    const double above = objective(o);
    position[k] = here - step;
    gradient_out[k] = (above - objective(o)) / (2.0 * step);
    position[k] = here;
  }
}

/* Down the gradient, as far as halving a long step finds something better. */
static void move_vertex(principal_curve *curve, const curve_points *points, size_t vertex, double weight) {
  const vertex_objective o = {curve, points, vertex, weight};
  double *const position = curve->vertices[vertex];
  double down[3], here[3];
  memcpy(here, position, sizeof here);
  const double before = objective(&o);
  gradient(&o, position, down);
  const double slope = sqrt(dot(down, down));
  if (!(slope > 0.0)) return;
  double step = 0.25 * points->radius;
  for (int i = 0; i < HALVINGS_MOST; i++, step *= 0.5) {
    for (int k = 0; k < 3; k++) position[k] = here[k] - step * down[k] / slope;
    if (objective(&o) < before) return;
  }
  memcpy(position, here, sizeof here);
}

static double penalty_of(const principal_curve *curve, double radius) {
  double sum = 0.0;
  for (size_t v = 0; v <= curve->segment_count; v++) sum += penalty_at(curve, v, radius);
  return sum / (double)(curve->segment_count + 1);
}

size_t principal_curve_fit(principal_curve *curve, const curve_points *points) {
  double last = HUGE_VAL;
  size_t fits = 0;
  if (!(points->radius > 0.0)) return 0;
  for (; fits < FITS_MOST; fits++) {
    const double error = principal_curve_error(curve, points);
    const double weight =
        PENALTY_WEIGHT * (double)curve->segment_count * sqrt(error) / (cbrt((double)points->count) * points->radius);
    const double now = error + weight * penalty_of(curve, points->radius);
    if (now > last * (1.0 - 1e-3)) break;
    last = now;
    for (size_t v = 0; v <= curve->segment_count; v++) move_vertex(curve, points, v, weight);
  }
  measure_arcs(curve);
  return fits;
}

void principal_curve_grow(principal_curve *curve, const curve_points *points) {
  size_t counts[CURVE_SEGMENTS_MOST] = {0}, most = 0;
  if (curve->segment_count == CURVE_SEGMENTS_MOST) return;
  principal_curve_error(curve, points);
  for (size_t i = 0; i < points->count; i++)
    if (points->parts[i] % 2 == 1) counts[points->parts[i] / 2]++;
  for (size_t j = 1; j < curve->segment_count; j++)
    if (counts[j] > counts[most]) most = j;
  memmove(curve->vertices[most + 2], curve->vertices[most + 1],
          (curve->segment_count - most) * sizeof curve->vertices[0]);
  for (int k = 0; k < 3; k++)
    curve->vertices[most + 1][k] = 0.5 * (curve->vertices[most][k] + curve->vertices[most + 2][k]);
  curve->segment_count++;
  measure_arcs(curve);
}

/* ---------------------------------------------------------------------------------------------- arcs */

/* The place clamped to the segment, but not where the curve ends. */
static double clamp_place(const principal_curve *curve, size_t segment, double place) {
  if (segment > 0) place = fmax(place, 0.0);
  if (segment + 1 < curve->segment_count) place = fmin(place, 1.0);
  return place;
}

static double distance_to(const principal_curve *curve, size_t segment, const double point[3]) {
  return sqrt(squared_to_place(curve, segment, point, clamp_place(curve, segment, place_on(curve, segment, point))));
}

static double arc_at(const principal_curve *curve, size_t segment, double place) {
  return curve->arcs[segment] + place * (curve->arcs[segment + 1] - curve->arcs[segment]);
}

double principal_curve_arc(const principal_curve *curve, const double point[3]) {
  size_t nearest = 0;
  double least = HUGE_VAL;
  for (size_t j = 0; j < curve->segment_count; j++) {
    const double distance = distance_to(curve, j, point);
    if (distance >= least) continue;
    least = distance;
    nearest = j;
  }
  return arc_at(curve, nearest, clamp_place(curve, nearest, place_on(curve, nearest, point)));
}

/* Along a segment the hull lies between its corners. */
static curve_interval interval_along(const principal_curve *curve, size_t segment, const double (*corners)[3],
                                     size_t corner_count) {
  curve_interval interval = {HUGE_VAL, -HUGE_VAL};
  for (size_t i = 0; i < corner_count; i++) {
    const double arc = arc_at(curve, segment, clamp_place(curve, segment, place_on(curve, segment, corners[i])));
    interval.start = fmin(interval.start, arc);
    interval.end = fmax(interval.end, arc);
  }
  const double slack = 1e-12 * (fabs(interval.start) + fabs(interval.end));
  return (curve_interval){interval.start - slack, interval.end + slack};
}

/* A point of the hull is at most `radius` from its middle, so a segment that is nearest to one of its points is at most
 * twice that farther from the middle than the one that is nearest to the middle. Segments that follow each other share
 * an interval. */
size_t principal_curve_intervals(const principal_curve *curve, const double (*corners)[3], size_t corner_count,
                                 curve_interval intervals_out[CURVE_SEGMENTS_MOST]) {
  double middle[3] = {0.0, 0.0, 0.0}, distances[CURVE_SEGMENTS_MOST], radius = 0.0, least = HUGE_VAL;
  for (size_t i = 0; i < corner_count; i++)
    for (int k = 0; k < 3; k++) middle[k] += corners[i][k] / (double)corner_count;
  for (size_t i = 0; i < corner_count; i++) radius = fmax(radius, sqrt(squared_distance(corners[i], middle)));
  for (size_t j = 0; j < curve->segment_count; j++) {
    distances[j] = distance_to(curve, j, middle);
    least = fmin(least, distances[j]);
  }
  size_t count = 0, after_last = 0;
  for (size_t j = 0; j < curve->segment_count; j++) {
    if (distances[j] > (least + 2.0 * radius) * (1.0 + 1e-12)) continue;
    const curve_interval along = interval_along(curve, j, corners, corner_count);
    if (count > 0 && after_last == j)
      intervals_out[count - 1].end = fmax(intervals_out[count - 1].end, along.end);
    else
      intervals_out[count++] = along;
    after_last = j + 1;
  }
  return count;
}
