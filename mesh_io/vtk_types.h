/* The cell types of VTK by their numbers (Schroeder, Martin and Lorensen, "The Visualization Toolkit", 4th edition,
 * 2006, and its description of file formats). */
#ifndef GRAZE_VTK_TYPES_H
#define GRAZE_VTK_TYPES_H

#include "mesh_io/element_shape.h"

typedef struct vtk_type {
  element_shape shape;
  unsigned node_count; /* 0: any number */
  bool is_lattice;     /* pixel and voxel: corners along the axes instead of around */
} vtk_type;

enum { VTK_POLYHEDRON = 42 };

/* Unknown numbers give ELEMENT_OTHER. */
vtk_type vtk_type_of_number(int64_t number);

/* Returns the number of a shape of first order, 42 for ELEMENT_POLYHEDRON. */
int vtk_number_of_shape(element_shape shape);

#endif
