/* The piecewise linear map for badly distributed scenes: monotone on each axis, into [-1, 1].
 *
 * Under any monotone map, overlapping intervals have overlapping images. So boxes can be computed from images, axis by
 * axis, without losing a pair: dense regions are stretched, and empty space between them is compressed. Each axis is
 * divided into segments. Each segment has its own slot in the image, all of one width, a power of two, so the segment
 * can be read from the image.
 *
 * The segments cover all doubles, however far from the scene that the map was chosen for: the map is correct for every
 * scene, and good for similar ones.
 *
 * Within a segment the map is affine with a positive scale. For primitives that lie in one segment on each axis,
 * orientation signs equal those of their images, and the float filters apply. Primitives that cross a segment border
 * are distorted: the filters must not be used for them.
 *
 * Workload: only scenes that axis_map_choice.c finds badly distributed; then every vertex once per update. About five
 * segments per axis. For the processor and for GPUs. */
#ifndef GRAZE_BROAD_AXIS_MAP_H
#define GRAZE_BROAD_AXIS_MAP_H

#include "broad/vertex_normalization.h"

#include <math.h>

enum { AXIS_SEGMENTS = 256 };

/* The start of the first segment, which includes the one double below it, where image_in_segment would overflow. */
#define AXIS_MAP_LOWEST (-0x1.ffffffffffffep1023)

/* A coordinate x from `start` up to the start of the next segment has the image base + (x - start) * scale. */
typedef struct axis_segment {
  double start, base;
  double scale; /* a power of two */
} axis_segment;

typedef struct axis_map {
  uint32_t count[3];  /* of segments */
  uint32_t slot_bits; /* slots are 2^-slot_bits wide; slot i of an axis starts at i * 2^-slot_bits - 1 */
  axis_segment segments[3][AXIS_SEGMENTS]; /* the first starts at AXIS_MAP_LOWEST; a start at infinity ends them */
  /* Used only to choose maps, never for results. */
  bool empty[3][AXIS_SEGMENTS]; /* the segment has no cluster */
  uint32_t strays, shares;      /* of the samples that it was chosen from: see axis_map_fits */
} axis_map;

GEOMETRY_FUNCTION const axis_segment *segment_of(const axis_map *map, int axis, double coordinate) {
  const axis_segment *first = map->segments[axis];
  for (uint32_t count = map->count[axis]; count > 1;) {
    const uint32_t half = count / 2;
    first += first[half].start <= coordinate ? half : 0;
    count -= half;
  }
  return first;
}

/* The image of a coordinate of the segment; *error_out: a bound of its error. */
GEOMETRY_FUNCTION double image_in_segment(axis_segment segment, double coordinate, double *error_out) {
  const double moved = coordinate - segment.start;
  /* The exact rounding error of the subtraction (Knuth's two-difference). */
  const double back = coordinate - moved;
  const double lost = (coordinate - (moved + back)) + (back - segment.start);
  /* The last sum is at most 1: its rounding error is at most 2^-54, and any earlier underflow is far smaller. */
  *error_out = fabs(lost) * segment.scale + 0x1p-53;
  return segment.base + moved * segment.scale;
}

/* For any finite coordinate. */
GEOMETRY_FUNCTION double mapped_coordinate(const axis_map *map, int axis, double coordinate, double *error_out) {
  return image_in_segment(*segment_of(map, axis, coordinate), coordinate, error_out);
}

/* The segment last used on each axis; the next vertex is probably in it, too. */
typedef struct axis_place {
  const axis_segment *segment[3];
} axis_place;

GEOMETRY_FUNCTION axis_place axis_place_first(const axis_map *map) {
  const axis_place place = {{map->segments[0], map->segments[1], map->segments[2]}};
  return place;
}

/* See rounded_vertex_of. */
GEOMETRY_FUNCTION rounded_vertex mapped_vertex_of(const double position[3], const axis_map *map, axis_place *place) {
  double worst = 0.0;
  float near[3];
  for (int axis = 0; axis < 3; axis++) {
    double error;
    const axis_segment *segment = place->segment[axis];
    if (!(segment[0].start <= position[axis] && position[axis] < segment[1].start))
      place->segment[axis] = segment = segment_of(map, axis, position[axis]);
    const double image = image_in_segment(*segment, position[axis], &error);
    near[axis] = (float)image;
    error += fabs(float_value(near[axis]) - image);
    worst = error > worst ? error : worst;
  }
  const float sum = fabsf(near[0]) + fabsf(near[1]) + fabsf(near[2]);
  const rounded_vertex vertex = {near[0], near[1], near[2], (float)(worst * 1.0001) + sum * 0x1p-23f};
  return vertex;
}

/* The image of a coordinate that may be infinite, rounded down or up by two errors: that of an earlier rounded
 * difference, and its own. */
GEOMETRY_FUNCTION double image_beyond(const axis_map *map, int axis, double coordinate, double direction) {
  const double moved = coordinate + direction * fabs(coordinate) * 0x1p-52;
  const double inside = fmin(fmax(moved, -DBL_MAX), DBL_MAX);
  double error;
  const double image = mapped_coordinate(map, axis, inside, &error);
  return image + direction * error;
}

/* The interval that a ball covers on an axis. */
typedef struct mapped_reach {
  double low, high;
} mapped_reach;

GEOMETRY_FUNCTION mapped_reach mapped_reach_of(double center, double radius, const axis_map *map, int axis) {
  const mapped_reach reach = {image_beyond(map, axis, center - radius, -1.0),
                              image_beyond(map, axis, center + radius, 1.0)};
  return reach;
}

/* See round_ball. The axes have different scales: the box around the vertex is a cube of the longest side, which
 * contains mapped_ball_box. */
GEOMETRY_FUNCTION rounded_vertex mapped_ball_of(const double center[3], double radius, const axis_map *map) {
  float middle[3];
  double worst = 0.0;
  for (int axis = 0; axis < 3; axis++) {
    const mapped_reach reach = mapped_reach_of(center[axis], radius, map, axis);
    const double low = reach.low, high = reach.high;
    middle[axis] = (float)(0.5 * low + 0.5 * high);
    worst = fmax(worst, fmax(float_value(middle[axis]) - low, high - float_value(middle[axis])));
  }
  return vertex_of_ball(middle, worst);
}

/* The box of a ball, tight on each axis. The map may stretch a ball along one axis over a whole slot, while a slot
 * of another axis contains many balls: a cube of the longest side would meet all of them. */
GEOMETRY_FUNCTION primitive_box mapped_ball_box(const double center[3], double radius, const axis_map *map) {
  primitive_box box;
  for (int axis = 0; axis < 3; axis++) {
    const mapped_reach reach = mapped_reach_of(center[axis], radius, map, axis);
    box.min[axis] = float_round_down(reach.low);
    box.max[axis] = float_round_up(reach.high);
  }
  return box;
}

/* The value of `slots` in the view of a mapped scene. */
GEOMETRY_FUNCTION float axis_map_slots(const axis_map *map) {
  return (float)(1u << map->slot_bits);
}

#endif
