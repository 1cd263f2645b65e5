/* Triangles of the surfaces of regions. */
#ifndef GRAZE_REGIONS_REGION_TRIANGLE_H
#define GRAZE_REGIONS_REGION_TRIANGLE_H

#include "geometry/gjk.h"
#include "geometry/triangle_clash.h"
#include "narrow/primitive_pair_inline.h"
#include "regions/region_scene.h"

/* Fetches a triangle, or one of a polygon. */
static inline void fetch_region_triangle(const region_scene *scene, uint32_t primitive, uint32_t element,
                                         double corners_out[9]) {
  const object_source *source = region_source(scene, primitive);
  const corner_list corners = element_corners(source, primitive, element);
  for (uint32_t i = 0; i < 3; i++) fetch_vertex(source, corners.vertices[i], corners_out + 3 * (size_t)i);
}

#endif
