/* The certificate of a packing, by the scene's exact tests, independent of how the spheres were found. */
#ifndef GRAZE_API_PACKING_CERTIFICATE_H
#define GRAZE_API_PACKING_CERTIFICATE_H

#include "graze/packing.h"

struct obstacle_tree;

typedef struct packing_certificate {
  uint64_t overlaps;  /* pairs of spheres whose interiors meet */
  uint64_t crossings; /* pairs of a sphere and a triangle with a point inside it */
  uint64_t outside;   /* spheres whose center the mesh does not wind around */
  uint64_t box_tests; /* box tests of the scene */
} packing_certificate;

/* All counts ignore spheres of radius 0. */

/* The closed mesh that must contain the spheres, oriented outward. */
typedef struct certified_body {
  const double *corners;            /* nine per triangle, scaled by a power of two */
  const struct obstacle_tree *tree; /* of the same */
  double scale;                     /* that power of two: multiply by it to scale as the corners */
} certified_body;

/* Returns GRAZE_NOT_CERTIFIED, with a message that contains the counts, unless all counts are 0. */
graze_result packing_certificate_require(const packing_certificate *certificate);

/* Judges the spheres of an updated scene, which contains only them and the mesh as object `body`. Touching is allowed.
 * `pairs` is the caller's list, so that later frames allocate nothing. */
graze_result packing_certificate_judge(const graze_scene *scene, graze_object body, const certified_body *mesh,
                                       const graze_sphere *spheres, size_t count, graze_pairs *pairs,
                                       packing_certificate *certificate_out);

/* Adds the spheres to the scene, which contains the mesh as `body`, and judges them. */
graze_result packing_certificate_make(graze_scene *scene, graze_object body, const certified_body *mesh,
                                      const graze_sphere *spheres, size_t count, packing_certificate *certificate_out);

#endif
