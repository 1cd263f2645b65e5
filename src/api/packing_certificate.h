/* The certificate of a packing: by the scene's own exact tests, with no knowledge of how the spheres were found. */
#ifndef GRAZE_API_PACKING_CERTIFICATE_H
#define GRAZE_API_PACKING_CERTIFICATE_H

#include "graze/packing.h"

struct obstacle_tree;

typedef struct packing_certificate {
  uint64_t overlaps;  /* pairs of spheres whose insides meet */
  uint64_t crossings; /* pairs of a sphere and a triangle that has a point inside of it */
  uint64_t outside;   /* spheres whose center the mesh does not wind around */
  uint64_t box_tests; /* that the scene made for it */
} packing_certificate;

/* A sphere of radius 0 holds nothing: it overlaps, crosses and leaves nothing. */

/* The closed mesh that spheres are to be inside of, facing outward. */
typedef struct certified_body {
  const double *corners;            /* nine a triangle, scaled by a power of two */
  const struct obstacle_tree *tree; /* of the same */
  double scale; /* the power of two: what is to be multiplied by it to be scaled as the corners are */
} certified_body;

/* GRAZE_NOT_CERTIFIED, with a message that has the counts, unless all of them are 0. */
graze_result packing_certificate_require(const packing_certificate *certificate);

/* Of spheres that are in the scene, beside the mesh as object `body`, since its last update; nothing else is. Touching
 * is allowed. `pairs` is a list of the caller's, so that frames after the first need no memory. */
graze_result packing_certificate_judge(const graze_scene *scene, graze_object body, const certified_body *mesh,
                                       const graze_sphere *spheres, size_t count, graze_pairs *pairs,
                                       packing_certificate *certificate_out);

/* Adds the spheres to the scene, which holds the mesh as `body`, and judges them. */
graze_result packing_certificate_make(graze_scene *scene, graze_object body, const certified_body *mesh,
                                      const graze_sphere *spheres, size_t count, packing_certificate *certificate_out);

#endif
