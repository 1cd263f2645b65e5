/* graze: sphere packings. A closed mesh is filled from inside with spheres of many sizes that do not overlap, the
 * largest that fits first.
 *
 *     graze_packing packing = {0};
 *     graze_pack_spheres(&mesh, NULL, &packing);
 *     ... packing.spheres, packing.fill_rate ...
 *     graze_packing_free(&packing);
 *
 * The same mesh and options give the same spheres, to the bit, for any number of workers and on any backend. Every
 * packing is certified: a scene that holds the mesh and the spheres, and knows nothing of how they were found, checks
 * exactly that none of them overlaps another or leaves the mesh. Spheres that fail are not handed out: the result is
 * GRAZE_NOT_CERTIFIED. How spheres are found is in docs/theory/packing.md. */
#ifndef GRAZE_PACKING_H
#define GRAZE_PACKING_H

#include "graze/graze.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct graze_sphere {
  double center[3];
  double radius;
} graze_sphere;

/* When a packing ends: whichever of the three limits comes first, when no sphere fits, or when should_finish says so.
 */
typedef struct graze_packing_options {
  size_t struct_bytes;
  size_t count;                     /* at most so many spheres; default 10000; not 0 */
  double fill_rate;                 /* enough once the spheres have this part of the mesh's volume; default 1 */
  double smallest_radius;           /* no sphere is smaller; default 0: 1e-6 of the diagonal of the mesh's box */
  uint64_t seed;                    /* of where prototypes begin; default 0 */
  const graze_backend_def *backend; /* where prototypes run, as for scenes; NULL: the processor */
  graze_workers *workers;           /* NULL: the call's own, as many as the process may use processors */
  const graze_allocator *allocator; /* of the call and of the list; NULL: the C library's */
  /* Told after each round how many spheres there are and what part of the volume they have, on the calling thread. */
  void (*progress)(void *progress_context, size_t count, double fill_rate);
  void *progress_context;
  /* Stops the call, as in graze_query: the result is GRAZE_STOPPED, and the list is empty. NULL: nothing does. */
  bool (*should_stop)(void *stop_context);
  void *stop_context;
  /* Asked after each round, on the calling thread. When it returns true, no more spheres are placed: those that there
   * are, perhaps none, are measured, certified and returned with GRAZE_OK. NULL: nothing ends the packing early. */
  bool (*should_finish)(void *finish_context);
  void *finish_context;
} graze_packing_options;

GRAZE_API void graze_packing_options_init(void *options, size_t bytes);
static inline graze_packing_options graze_packing_options_default(void) {
  graze_packing_options options;
  graze_packing_options_init(&options, sizeof options);
  return options;
}

/* A packing. Zero-initialise it. */
typedef struct graze_packing {
  size_t struct_bytes;
  const graze_sphere *spheres; /* in the order of placing: about the largest first */
  size_t count;
  double mesh_volume;   /* the signed sum over the triangles, exact until it is rounded */
  double sphere_volume; /* of all spheres */
  double fill_rate;     /* the one by the other */
  /* What is left free. A gap is how far a free point is from the nearest sphere or triangle. `largest_gap` is the
   * radius of the largest sphere that still fits, as far as it was found. `largest_gap_bound` is proven: no sphere that
   * fits is larger. It is within a hundredth of largest_gap, unless that would take more than 65,536 cubes of space and
   * 192 for each sphere: docs/theory/packing.md. 95 of 100 free points have no larger gap than `p95_gap`, by some
   * thousand points. 0 where nothing is free. */
  double largest_gap, largest_gap_bound, p95_gap;
  uint64_t certified;      /* 1: no sphere overlaps another, none leaves the mesh: exactly; 0 after a failure */
  uint64_t overlap_count;  /* pairs of spheres that overlap: always 0, */
  uint64_t crossing_count; /* as are spheres and triangles that reach into them, */
  uint64_t outside_count;  /* and spheres whose center is not inside */
  uint64_t shell_count;    /* parts of the mesh that share no vertex. What the mesh winds around is filled; a shell that
                              faces inward within another is a cavity and stays free */
  uint64_t cavity_count;   /* of the shells, those that face inward: what they enclose stays free */
  uint64_t inverted;       /* 1: the mesh faces inward, and was taken as if turned over */
  /* Pairs of triangles of the mesh that meet beyond what they share, by vertices that are the same where their
   * coordinates are (GRAZE_NEIGHBORS_BEYOND); 0: the mesh does not cross itself. Counted to four a triangle and 1024,
   * so that memory stays linear; then self_crossing_more is 1. The first pair is in self_crossing_first. */
  uint64_t self_crossing_count, self_crossing_more;
  uint32_t self_crossing_first[2];
  double packing_ms, certifying_ms;
  struct graze_list_memory *memory;
} graze_packing;

GRAZE_API void graze_packing_free(graze_packing *packing); /* as graze_pairs_free */

/* Packs the mesh; of its definition, positions and triangles are looked at. NULL for the options means the default
 * ones.
 *
 * GRAZE_NOT_FINITE and GRAZE_INDEX_OUT_OF_RANGE as for scenes. GRAZE_INVALID_ARGUMENT for a mesh that is not closed (an
 * edge that is not passed as often one way as the other; vertices are the same where their coordinates are), whose
 * message has the place of the hole, and for one without volume. A mesh may cross itself: what it winds around is
 * inside, also where it does so twice, and no sphere crosses a triangle, also not one inside. A body that is thinner
 * than the smallest radius gives no spheres and GRAZE_OK. Memory is linear in triangles and spheres. A backend that
 * cannot be had is refused as by graze_scene_create, and never replaced by another; the certificate is the processor's
 * in any case. GRAZE_NOT_CERTIFIED where the spheres fail the certificate, which is an error of the library or of the
 * device, never of the mesh. On failure the list is empty. */
GRAZE_API graze_result graze_pack_spheres(const graze_mesh_def *mesh, const graze_packing_options *options,
                                          graze_packing *packing);

/* ------------------------------------------------------------------------------------------------ carried packings
 *
 * A packing of a body that deforms: spheres are bound to the tetrahedra of the body at rest, and for each frame the
 * tetrahedra's new positions give new centers, and radii that shrink as they must so that no two spheres overlap and
 * none leaves the surface. Each frame is certified, as a packing is, or the result is GRAZE_NOT_CERTIFIED.
 * docs/theory/packing.md says how radii are chosen.
 *
 *     graze_carrier_def def = graze_carrier_def_default();
 *     def.positions = ..., def.tetrahedra = ..., def.spheres = packing.spheres, def.sphere_count = packing.count;
 *     graze_carrier_create(&def, &carrier);
 *     graze_carried frame = {0};
 *     graze_carrier_move(carrier, positions, &frame); ... frame.spheres, frame.gone_count ...
 *     graze_carried_free(&frame);
 *     graze_carrier_destroy(carrier); */

typedef struct graze_carrier_def {
  size_t struct_bytes;
  graze_view positions;        /* at rest: GRAZE_FORMAT_FLOAT3 or GRAZE_FORMAT_DOUBLE3, finite */
  graze_view tetrahedra;       /* GRAZE_FORMAT_UINT32_4; none is flat at rest, in whatever order its corners are */
  const graze_sphere *spheres; /* copied; each center in a tetrahedron, of several the first carries it */
  size_t sphere_count;
  graze_workers *workers;           /* as in graze_packing_options, */
  const graze_allocator *allocator; /* as is this */
} graze_carrier_def;

GRAZE_API void graze_carrier_def_init(void *def, size_t bytes);
static inline graze_carrier_def graze_carrier_def_default(void) {
  graze_carrier_def def;
  graze_carrier_def_init(&def, sizeof def);
  return def;
}

typedef struct graze_carrier graze_carrier;

/* Spheres of one frame. Zero-initialise it. */
typedef struct graze_carried {
  size_t struct_bytes;
  const graze_sphere *spheres; /* in the order in which they were bound */
  size_t count;
  uint64_t certified;                                    /* as in graze_packing, as are */
  uint64_t overlap_count, crossing_count, outside_count; /* these; spheres of radius 0 hold nothing and do not count */
  uint64_t gone_count; /* spheres of radius 0: their tetrahedron is turned over or flat, or their center has left what
                          the surface winds around, or meets that of another or the surface. They come back */
  double sphere_volume;
  struct graze_list_memory *memory;
} graze_carried;

GRAZE_API void graze_carried_free(graze_carried *carried); /* as graze_pairs_free */

/* GRAZE_INVALID_ARGUMENT for a flat tetrahedron, a face that more than two share, and a sphere whose center is in none;
 * what scenes refuse is refused. On failure *carrier_out is NULL. */
GRAZE_API graze_result graze_carrier_create(const graze_carrier_def *def, graze_carrier **carrier_out);
GRAZE_API void graze_carrier_destroy(graze_carrier *carrier); /* NULL is allowed */

/* The spheres where the body's vertices are at these positions, as many as at rest: a function of the frame alone, to
 * the bit, whatever frames came before and for any number of workers. Frames like the ones before allocate nothing. On
 * failure the list is empty, and the carrier can go on being used. One call at a time. */
GRAZE_API graze_result graze_carrier_move(graze_carrier *carrier, graze_view positions, graze_carried *carried);

#ifdef __cplusplus
}
#endif

#endif
