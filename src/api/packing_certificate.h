/* The certificate of a packing, by the scene's exact tests, independent of how the spheres were found. */
#ifndef GRAZE_API_PACKING_CERTIFICATE_H
#define GRAZE_API_PACKING_CERTIFICATE_H

#include "base/workers.h"
#include "graze/graze.h"
#include "graze/packing.h"
#include "packing/closed_mesh.h"

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

/* Finds self-intersections of a mesh to be packed, exactly: with a temporary scene, or with planes if many triangles
 * share a vertex (fan_crossings.h). */

typedef struct mesh_crossings {
  uint64_t count;    /* pairs of triangles that meet beyond common corners, up to a limit */
  uint64_t more;     /* 1 if there are more */
  uint32_t first[2]; /* the first pair */
  uint64_t work;     /* candidates of the scene, or steps with planes */
} mesh_crossings;

/* The caller's memory and threads, and a stop check. */
typedef struct crossings_host {
  memory *heap;
  workers *team;
  bool (*should_stop)(void *stop_context);
  void *stop_context;
} crossings_host;

/* Vertices with equal coordinates are identified, whatever their numbers. */
graze_result mesh_crossings_find(const closed_mesh *mesh, const crossings_host *host, mesh_crossings *crossings_out);

#endif
