/* The element types of Gmsh by their numbers (Geuzaine and Remacle, "Gmsh: a three-dimensional finite element mesh
 * generator with built-in pre- and post-processing facilities", 2009, and its reference manual). */
#ifndef GRAZE_GMSH_TYPES_H
#define GRAZE_GMSH_TYPES_H

#include "mesh_io/element_shape.h"

enum { GMSH_NODES_MAX = 125 };

typedef struct gmsh_type {
  element_shape shape;
  unsigned corner_count; /* they stand before the nodes of higher order */
  unsigned node_count;   /* 0: a number that no type has */
} gmsh_type;

gmsh_type gmsh_type_of_number(int64_t number);

/* The number of a shape of first order that Gmsh has; 0 for the others. */
int gmsh_number_of_shape(element_shape shape);

#endif
