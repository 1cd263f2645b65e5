/* Places: the vertices of the primitives of pairs, those at one place taken together.
 *
 * Soups have vertices of their own for each triangle. Where an object has several vertices at the same place, in exact
 * coordinates after the pose, they count as one. The centers of spheres are no vertices in this sense: each is a place
 * of its own. */
#ifndef GRAZE_REGIONS_REGION_VERTICES_H
#define GRAZE_REGIONS_REGION_VERTICES_H

#include "regions/region_scene.h"

typedef struct region_vertices {
  array place_of;  /* uint32_t, a vertex of the scene each: undefined where no pair has it */
  array vertex_of; /* uint32_t, a place each: the lowest of its vertices, ascending */
} region_vertices;

void region_vertices_init(region_vertices *vertices);

/* False when out of memory; release it all the same. */
bool region_vertices_make(const region_scene *scene, const index_pair *pairs, size_t count, region_vertices *vertices);
void region_vertices_release(region_vertices *vertices, memory *heap);

static inline uint32_t place_of_corner(const region_vertices *vertices, const object_source *source,
                                       uint32_t own_vertex) {
  return ARRAY_AS(uint32_t, &vertices->place_of)[source->first_vertex + own_vertex];
}

#endif
