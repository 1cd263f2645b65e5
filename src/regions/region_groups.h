/* Pairs grouped into regions, by the places that their primitives share on both sides. */
#ifndef GRAZE_REGIONS_REGION_GROUPS_H
#define GRAZE_REGIONS_REGION_GROUPS_H

#include "regions/region_scene.h"

/* Places: the vertices of the primitives of pairs, with those at the same position merged.
 *
 * Triangle soups have separate vertices for each triangle, and parts of one object have some common vertices. If an
 * object has several vertices at the same position, in exact coordinates after the pose, they count as one. The centers
 * of spheres are not vertices in this sense: each is its own place. */

typedef struct region_vertices {
  array place_of;  /* uint32_t, one per vertex of the scene; undefined if no pair has it */
  array vertex_of; /* uint32_t, one per place: its lowest vertex of the scene. Places of one object ascend by it */
  array object_of; /* uint32_t, one per place: the object of that vertex */
} region_vertices;

void region_vertices_init(region_vertices *vertices);

/* False when out of memory; release it in either case. */
bool region_vertices_make(const region_scene *scene, const index_pair *pairs, size_t count, region_vertices *vertices);
void region_vertices_release(region_vertices *vertices, memory *heap);

static inline uint32_t place_of_corner(const region_vertices *vertices, const object_source *source,
                                       uint32_t own_vertex) {
  return ARRAY_AS(uint32_t, &vertices->place_of)[source->first_vertex + own_vertex];
}

/* Writes for each pair the first pair of its region. False when out of memory. */
bool region_groups_find(const region_scene *scene, const region_vertices *vertices, const index_pair *pairs,
                        size_t count, uint32_t *first_of);

#endif
