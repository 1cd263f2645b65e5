/* graze: sphere packings. Fills a closed mesh with spheres of many sizes that do not overlap, largest first.
 *
 *     graze_packing packing = {0};
 *     graze_pack_spheres(&mesh, NULL, &packing);
 *     ... packing.spheres, packing.fill_rate ...
 *     graze_packing_free(&packing);
 *
 * The same mesh and options give the same spheres, bit for bit, for any number of workers and on any backend. Every
 * packing is certified: an independent scene with the mesh and the spheres checks, exactly, that no sphere overlaps
 * another or leaves the mesh. If the check fails, no spheres are returned, and the result is GRAZE_NOT_CERTIFIED.
 * docs/theory/packing.md describes the algorithm. */
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

/* A packing ends when one of the first three limits is reached, when no sphere fits, or when should_finish returns
 * true. */
typedef struct graze_packing_options {
  size_t struct_bytes;
  size_t count;           /* maximum number of spheres; default 10000; not 0 */
  double fill_rate;       /* ends when the spheres fill this fraction of the mesh's volume; default 1 */
  double smallest_radius; /* radius of the smallest sphere; default 0: 1e-6 of the diagonal of the mesh's box */
  uint64_t seed;          /* random seed of the initial prototypes; default 0 */
  const graze_backend_def *backend; /* backend of the prototypes, as for scenes; NULL: the processor */
  graze_workers *workers;           /* NULL: the call's own, one for each processor that the process may use */
  const graze_allocator *allocator; /* for the call and the list; NULL: the C library's */
  /* Called after each round, on the calling thread, with the number of spheres and the fraction of the volume they
   * fill. */
  void (*progress)(void *progress_context, size_t count, double fill_rate);
  void *progress_context;
  /* Cancels the call, as in graze_query: the result is GRAZE_STOPPED, and the list is empty. NULL: no cancellation. */
  bool (*should_stop)(void *stop_context);
  void *stop_context;
  /* Called after each round, on the calling thread. When it returns true, no more spheres are placed; the existing
   * ones, perhaps none, are measured, certified and returned with GRAZE_OK. NULL: the packing does not end early. */
  bool (*should_finish)(void *finish_context);
  void *finish_context;
} graze_packing_options;

GRAZE_API void graze_packing_options_init(void *options, size_t bytes);
static inline graze_packing_options graze_packing_options_default(void) {
  graze_packing_options options;
  graze_packing_options_init(&options, sizeof options);
  return options;
}

/* A packing. Zero-initialize it. */
typedef struct graze_packing {
  size_t struct_bytes;
  const graze_sphere *spheres; /* in the order of placement: roughly the largest first */
  size_t count;
  double mesh_volume;   /* the signed sum over the triangles, exact before the final rounding */
  double sphere_volume; /* of all spheres */
  double fill_rate;     /* sphere_volume / mesh_volume */
  /* The remaining gaps. The gap at a free point is its distance from the nearest sphere or triangle. `largest_gap` is
   * the radius of the largest sphere found that still fits. `largest_gap_bound` is a proven upper bound of that radius.
   * It is within 1 % of largest_gap, unless that would take more than 65,536 cubes of space plus 192 per sphere; see
   * docs/theory/packing.md. `p95_gap` is the 95th percentile of the gap, estimated from some thousand free points. All
   * are 0 if nothing is free. */
  double largest_gap, largest_gap_bound, p95_gap;
  bool certified;          /* it is proven that no sphere overlaps another or leaves the mesh; false after a failure */
  uint64_t overlap_count;  /* pairs of spheres that overlap; always 0 */
  uint64_t crossing_count; /* pairs of a sphere and a triangle that reaches into it; always 0 */
  uint64_t outside_count;  /* spheres whose center is not inside; always 0 */
  uint64_t shell_count;    /* connected components of the mesh by shared vertices. The packing fills points with nonzero
                              winding number. A shell within another that faces inward is a cavity and stays free */
  uint64_t cavity_count;   /* shells that face inward; what they enclose stays free */
  bool inverted;           /* the mesh faces inward and was treated as if reversed */
  /* Pairs of triangles of the mesh that intersect beyond what they share (GRAZE_NEIGHBORS_BEYOND, where vertices with
   * equal coordinates are one); 0: the mesh does not intersect itself. The count stops at four per triangle plus 1024,
   * which keeps memory linear; self_crossing_more is then true. self_crossing_first is the first pair. */
  uint64_t self_crossing_count;
  bool self_crossing_more;
  uint32_t self_crossing_first[2];
  double packing_ms, certifying_ms;
  struct graze_list_memory *memory;
} graze_packing;

GRAZE_API void graze_packing_free(graze_packing *packing); /* as graze_pairs_free */

/* Packs the mesh, given by the positions and triangles of its definition. NULL options mean the defaults.
 *
 * The mesh must be closed: every edge is used equally often in both directions, where vertices with equal coordinates
 * are one. A mesh that is not closed, or has no volume, is GRAZE_INVALID_ARGUMENT; the message states where the hole
 * is. The mesh may intersect itself: points with nonzero winding number are inside, and no sphere crosses a triangle,
 * not even one that lies inside. A body thinner than the smallest radius gives no spheres and GRAZE_OK.
 *
 * Other results: GRAZE_NOT_FINITE and GRAZE_INDEX_OUT_OF_RANGE as for scenes. An unavailable backend is refused as by
 * graze_scene_create and never replaced. GRAZE_NOT_CERTIFIED if the check of the spheres, which always runs on the
 * processor, fails; this is an error of the library or the device, never of the mesh. On failure the list is empty.
 * Memory is linear in triangles and spheres. */
GRAZE_API graze_result graze_pack_spheres(const graze_mesh_def *mesh, const graze_packing_options *options,
                                          graze_packing *packing);

/* ------------------------------------------------------------------------------------------------ carried packings
 *
 * A packing of a body that deforms. Each sphere is bound to the tetrahedron of the body at rest that contains its
 * center. In each frame, the new positions of the tetrahedra give new centers. Radii shrink as far as needed so that no
 * two spheres overlap and none leaves the surface. Each frame is certified like a packing; if the check fails, the
 * result is GRAZE_NOT_CERTIFIED. docs/theory/packing.md describes how radii are chosen.
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
  graze_view tetrahedra;       /* GRAZE_FORMAT_UINT32_4; none flat at rest, of either orientation */
  const graze_sphere *spheres; /* copied; each center must lie in a tetrahedron; if it lies in several, the first
                                  carries the sphere */
  size_t sphere_count;
  graze_workers *workers;           /* as in graze_packing_options */
  const graze_allocator *allocator; /* as in graze_packing_options */
} graze_carrier_def;

GRAZE_API void graze_carrier_def_init(void *def, size_t bytes);
static inline graze_carrier_def graze_carrier_def_default(void) {
  graze_carrier_def def;
  graze_carrier_def_init(&def, sizeof def);
  return def;
}

typedef struct graze_carrier graze_carrier;

/* Spheres of one frame. Zero-initialize it. */
typedef struct graze_carried {
  size_t struct_bytes;
  const graze_sphere *spheres; /* in the order of the definition */
  size_t count;
  bool certified;                                        /* as in graze_packing, like the counts */
  uint64_t overlap_count, crossing_count, outside_count; /* spheres of radius 0 are empty and do not count */
  uint64_t gone_count; /* spheres of radius 0: their tetrahedron is inverted or flat, or their center has left the body,
                          or coincides with the surface or another center. They can return in a later frame */
  double sphere_volume;
  struct graze_list_memory *memory;
} graze_carried;

GRAZE_API void graze_carried_free(graze_carried *carried); /* as graze_pairs_free */

/* Creates a carrier. GRAZE_INVALID_ARGUMENT for a flat tetrahedron, a face that more than two tetrahedra share, and a
 * sphere whose center is in no tetrahedron. Input that scenes refuse is refused. On failure *carrier_out is NULL. */
GRAZE_API graze_result graze_carrier_create(const graze_carrier_def *def, graze_carrier **carrier_out);
GRAZE_API void graze_carrier_destroy(graze_carrier *carrier); /* NULL is allowed */

/* Computes the spheres for new positions of the body's vertices, as many as at rest. The result depends on this frame
 * alone, bit for bit, for any number of workers. Frames similar to earlier ones allocate nothing. On failure the list
 * is empty, and the carrier remains usable. Concurrent calls with one carrier are not allowed. */
GRAZE_API graze_result graze_carrier_move(graze_carrier *carrier, graze_view positions, graze_carried *carried);

#ifdef __cplusplus
}
#endif

#endif
