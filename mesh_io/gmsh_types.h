/* The element types of Gmsh by their numbers (Geuzaine and Remacle, "Gmsh: a three-dimensional finite element mesh
 * generator with built-in pre- and post-processing facilities", 2009, and its reference manual). */
#ifndef GRAZE_GMSH_TYPES_H
#define GRAZE_GMSH_TYPES_H

#include "mesh_io/element_shape.h"

enum { GMSH_NODES_MAX = 125 };

typedef struct gmsh_type {
  element_shape shape;
  unsigned corner_count; /* they precede the nodes of higher order */
  unsigned node_count;   /* 0: no type has this number */
} gmsh_type;

gmsh_type gmsh_type_of_number(int64_t number);

/* Returns the number of a shape of first order in Gmsh; 0 if it has none. */
int gmsh_number_of_shape(element_shape shape);

#endif
