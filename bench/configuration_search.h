/* Finds configurations: a copy of a body comes straight towards the body until it first is near enough, or shares
 * enough. */
#ifndef GRAZE_CONFIGURATION_SEARCH_H
#define GRAZE_CONFIGURATION_SEARCH_H

#include "bench/configurations.h"
#include "bench/mesh_distance.h"
#include "bench/rigid_engine.h"

#include "graze/sphere_tree.h"

/* The body, around the origin, in all the ways that it is asked about; borrowed. */
typedef struct configuration_search {
  configuration_method method;
  double diagonal; /* of the body's box */
  const mesh_balls *balls;
  const rigid_engine *engine;    /* exact, */
  void *pair;                    /* and holding the body and its copy */
  const graze_sphere_tree *tree; /* over a packing of the body, */
  double volume;                 /* the sum of its spheres */
} configuration_search;

/* Adds what there is on the way of that number, up to one for each percent: less where the copy passes through without
 * coming so near, or begins too near. Distances are kept from the largest, volumes from the least. False with a message
 * where a question fails or memory runs out. */
bool configuration_search_way(const configuration_search *search, configuration_kind kind, uint64_t number,
                              configuration_list *list, rigid_error *error);

#endif
