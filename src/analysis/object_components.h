/* The connected components of an object: primitives connected by common vertex numbers.
 *
 * Each is a connected set. So if it meets no surface of another object, one of its points decides on which side of that
 * surface all of it is.
 *
 * Workload: 1 to 10^5 objects, each once; most have one component, a triangle soup one per primitive. */
#ifndef GRAZE_ANALYSIS_OBJECT_COMPONENTS_H
#define GRAZE_ANALYSIS_OBJECT_COMPONENTS_H

#include "base/array.h"
#include "broad/primitive_view.h"

typedef struct object_component {
  double place[3];          /* of one of its vertices; for a sphere, the center */
  uint32_t primitive_count; /* never 0; removed primitives are not counted */
} object_component;

/* Fills an array of object_component, ascending by x, then by their first vertex. The source has vertex_count vertices.
 * Nearly linear. False when out of memory. */
bool object_components_find(const object_source *source, size_t vertex_count, memory *heap, array *components_out);

#endif
