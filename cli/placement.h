/* Where an object is placed: an affine map of its positions, x -> A x + t. */
#ifndef GRAZE_PLACEMENT_H
#define GRAZE_PLACEMENT_H

#include "graze/graze.h"
#include "mesh_io/mesh.h"

#include <stdbool.h>

/* Three rows of four: A and, as the last column, t. */
typedef struct placement {
  double rows[3][4];
} placement;

placement placement_identity(void);
placement placement_of_pose(const graze_pose *pose);

/* What `first` followed by `then` does. */
placement placement_after(const placement *then, const placement *first);

/* The rotation about an axis through the origin, which need not be of unit length, and that about the axes x, then y,
 * then z, which stay where they are. Multiples of 90 degrees about a coordinate axis are exact; other angles have the
 * same bits on every machine. */
placement placement_about_axis(const double axis[3], double degrees);
placement placement_about_xyz(const double degrees[3]);

bool placement_is_identity(const placement *placed);

/* Whether the library takes it for a rigid motion, and which. */
bool placement_is_rigid(const placement *placed, graze_pose *pose_out);

/* What is wrong with it: "an element is not finite", "it flattens objects: its determinant is 0". NULL: nothing. */
const char *placement_defect(const placement *placed);

/* Places the positions, in the order of operations that graze_pose promises, and scales the radii of spheres. */
typedef enum placement_result {
  PLACEMENT_DONE,
  PLACEMENT_LEAVES_RANGE, /* the vertex, which is given back, is not finite any more */
  PLACEMENT_BENDS_SPHERES /* the mesh has spheres, and the map is no rotation with the same scale in all directions */
} placement_result;
placement_result placement_apply(const placement *placed, mesh *moved, size_t *vertex_out);

/* The same for positions alone, `count` of them; false where one is not finite any more. */
bool placement_apply_positions(const placement *placed, const double *from, size_t count, double *to,
                               size_t *vertex_out);

#endif
