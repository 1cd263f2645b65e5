/* The parts that each pair of surfaces adds to curves: segments, and the sides of common areas, between named
 * points. */
#ifndef GRAZE_REGIONS_CURVE_PARTS_H
#define GRAZE_REGIONS_CURVE_PARTS_H

#include "graze/regions.h"
#include "regions/region_vertices.h"

/* The smallest face of an object that contains a point: a vertex or an edge by its places, or an interior by the
 * scene's number of its primitive and the number of one of its triangles. */
typedef struct face_name {
  uint32_t kind; /* graze_face_kind */
  uint32_t first, second;
} face_name;

/* A point, by its faces on side a and on side b; within an object the lesser face comes first. */
typedef struct curve_node {
  face_name a, b;
} curve_node;

/*   segment  where the planes of two triangles cross
 *   planar   of two triangles in one plane that share no area
 *   side     of the area that two triangles in one plane share: the sides of one area follow each other
 *   link     two names of one point, which a degenerate triangle has */
typedef enum part_kind { PART_SEGMENT, PART_PLANAR, PART_SIDE, PART_LINK } part_kind;

typedef struct curve_part {
  curve_node from, to;
  uint32_t pair;
  uint32_t element; /* of a's primitive: the triangle */
  uint8_t kind;     /* part_kind */
  uint8_t begins;   /* a side: 1 for the first of an area */
} curve_part;

/* Appends the parts of all pairs, in their order, to an array of curve_part. False when out of memory. */
bool curve_parts_make(const region_scene *scene, const region_vertices *vertices, const index_pair *pairs, size_t count,
                      array *parts);

/* The coordinates of a point. */
void curve_node_locate(const region_scene *scene, const region_vertices *vertices, const curve_node *node,
                       double position_out[3]);

#endif
