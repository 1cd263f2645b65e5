/* A principal curve as a polygonal line: learned from points, and used to sweep along. An experiment, measured by the
 * table curve of graze-lab and not part of the library (docs/theory/clusters.md says why).
 *
 * Kegl, Krzyzak, Linder, Zeger: "Learning and design of principal curves", 2000; Mainzer, "New Geometric Algorithms and
 * Data Structures for Collision Detection of Dynamically Deforming Objects", 2015, section 5.2.2.
 *
 * Workload: 10^3 points to learn from, 10^5 primitives to put on the curve, ten segments. */
#ifndef GRAZE_PRINCIPAL_CURVE_H
#define GRAZE_PRINCIPAL_CURVE_H

#include <stdbool.h>
#include <stddef.h>

enum { CURVE_SEGMENTS_MOST = 10 };

typedef struct principal_curve {
  double vertices[CURVE_SEGMENTS_MOST + 1][3];
  double arcs[CURVE_SEGMENTS_MOST + 1]; /* length of the curve up to each vertex */
  size_t segment_count;
} principal_curve;

/* What the curve is learned from; the memory is the caller's. */
typedef struct curve_points {
  const double *positions;  /* three each */
  size_t count;             /* at least one */
  unsigned char *parts;     /* one each, for the curve's use */
  double middle[3], radius; /* set by principal_curve_start: the mean, and the greatest distance from it */
} curve_points;

typedef struct curve_interval {
  double start, end;
} curve_interval;

/* The segment of the first principal axis that the points project to. */
void principal_curve_start(principal_curve *curve_out, curve_points *points);

/* Moves the vertices, one after the other and again and again, until the mean squared distance of the points with its
 * penalty for curvature hardly falls any more. Returns how often all of them were moved. */
size_t principal_curve_fit(principal_curve *curve, const curve_points *points);

/* Adds a vertex in the middle of the segment that most points project to. */
void principal_curve_grow(principal_curve *curve, const curve_points *points);

/* Mean squared distance of the points from the curve. */
double principal_curve_error(const principal_curve *curve, const curve_points *points);

/* Where along the curve the nearest point to `point` lies, the first and last segment being without end. */
double principal_curve_arc(const principal_curve *curve, const double point[3]);

/* Intervals, ascending, that contain the arcs of all points of the hull of the corners: two hulls that share a point
 * have intervals that overlap. One where the hull is near one place of the curve, several where it lies between parts
 * of it. From the start of the first to the end of the last is one interval for all. Returns how many. */
size_t principal_curve_intervals(const principal_curve *curve, const double (*corners)[3], size_t corner_count,
                                 curve_interval intervals_out[CURVE_SEGMENTS_MOST]);

#endif
