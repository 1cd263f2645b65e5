/* Finds configurations: moves a copy straight towards a body until both have a given distance or shared volume. */
#ifndef GRAZE_CONFIGURATION_SEARCH_H
#define GRAZE_CONFIGURATION_SEARCH_H

#include "bench/configurations.h"
#include "bench/mesh_distance.h"
#include "bench/rigid_engine.h"

#include "graze/sphere_tree.h"

/* The body, around the origin, in all forms that the search queries; borrowed. */
typedef struct configuration_search {
  configuration_method method;
  double diagonal; /* of the body's box */
  const mesh_balls *balls;
  const rigid_engine *engine;    /* exact, */
  void *pair;                    /* and holding the body and its copy */
  const graze_sphere_tree *tree; /* over a packing of the body, */
  double volume;                 /* the sum of its spheres */
} configuration_search;

/* Adds the configurations on the way with this number, at most one for each percent; fewer if the copy does not come
 * near enough or begins too near. Distances are added from the largest, volumes from the smallest. Returns false with a
 * message if a query fails or if out of memory. */
bool configuration_search_way(const configuration_search *search, configuration_kind kind, uint64_t number,
                              configuration_list *list, rigid_error *error);

#endif
