/* The bodies of the force benchmark as closed meshes that face outward: boxes, bodies of revolution about z, a block
 * with a square and a round hole. Workload: a few thousand triangles each, made once per run. */
#ifndef GRAZE_QUALITY_BODIES_H
#define GRAZE_QUALITY_BODIES_H

#include "mesh_io/mesh.h"

/* All return false, with nothing to free, if out of memory; mesh_free releases the mesh. */

/* From -half to half along each axis. */
bool quality_box_make(const double half[3], mesh *body_out);

/* A point of the outline of a body of revolution: how far from the axis, and where along it. */
typedef struct quality_outline {
  double radius, height;
} quality_outline;

/* The outline from the axis below to the axis above; its first and last points have radius 0, no other has. `around` is
 * the number of corners of a cross-section, whose corners lie on the circle. */
bool quality_revolve(const quality_outline *outline, size_t count, size_t around, mesh *body_out);

/* About the middle of their boxes; the cone's apex points down. */
bool quality_cone_make(double radius, double height, size_t around, mesh *body_out);
bool quality_cylinder_make(double radius, double height, size_t around, mesh *body_out);
bool quality_sphere_make(double radius, size_t around, mesh *body_out);

/* A block of 2a x a x a about the origin, through which along z go a hole of side c around x = -a/2 and a round one of
 * diameter c around x = a/2; c < a. `around` is that of the round one, a multiple of 4. */
bool quality_holes_make(double a, double c, size_t around, mesh *body_out);

/* The pins that fill these holes, as one mesh. */
bool quality_pins_make(double a, double c, size_t around, mesh *body_out);

#endif
