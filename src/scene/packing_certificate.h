/* The certificate of a packing: by the scene's own exact tests, with no knowledge of how the spheres were found. */
#ifndef GRAZE_SCENE_PACKING_CERTIFICATE_H
#define GRAZE_SCENE_PACKING_CERTIFICATE_H

#include "graze/packing.h"

struct packer;

typedef struct packing_certificate {
  uint64_t overlaps;  /* pairs of spheres whose insides meet */
  uint64_t crossings; /* pairs of a sphere and a triangle that has a point inside of it */
  uint64_t outside;   /* spheres whose centre the mesh does not wind around */
} packing_certificate;

/* Adds the spheres to the scene, which holds the mesh as `body`, and looks for pairs. Touching is allowed. */
graze_result packing_certificate_make(graze_scene *scene, graze_object body, const struct packer *packed,
                                      const graze_sphere *spheres, size_t count, packing_certificate *certificate_out);

#endif
