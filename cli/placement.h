/* The placement of an object: an affine map of its positions, x -> A x + t. */
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

/* Returns the composition: first `first`, then `then`. */
placement placement_after(const placement *then, const placement *first);

/* Return the rotation about an axis through the origin, of any length, and the rotation about the fixed axes x, then y,
 * then z. Multiples of 90 degrees about a coordinate axis are exact; other angles have the same bits on every
 * machine. */
placement placement_about_axis(const double axis[3], double degrees);
placement placement_about_xyz(const double degrees[3]);

bool placement_is_identity(const placement *placed);

/* Whether the library accepts it as a rigid motion, and which. */
bool placement_is_rigid(const placement *placed, graze_pose *pose_out);

/* Returns the error of a placement: "an element is not finite", "it flattens objects: its determinant is 0". NULL:
 * valid. */
const char *placement_defect(const placement *placed);

/* Places the positions, in the order of operations specified for graze_pose, and scales the radii of spheres. */
typedef enum placement_result {
  PLACEMENT_DONE,
  PLACEMENT_LEAVES_RANGE, /* a vertex, which is returned, is no longer finite */
  PLACEMENT_BENDS_SPHERES /* the mesh has spheres, and the map is not a rotation with uniform scale */
} placement_result;
placement_result placement_apply(const placement *placed, mesh *moved, size_t *vertex_out);

/* The same for `count` positions; false if one is no longer finite. */
bool placement_apply_positions(const placement *placed, const double *from, size_t count, double *to,
                               size_t *vertex_out);

#endif
