/* graze: contact geometry of pairs, and forces and torques. graze.h includes this header. */
#ifndef GRAZE_CONTACTS_H
#define GRAZE_CONTACTS_H

#include "graze/graze.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum graze_contact_kind {
  GRAZE_CONTACT_KIND_POINT =
      1, /* also for a sphere and another kind: the point of the other primitive nearest to the center */
  GRAZE_CONTACT_KIND_SEGMENT = 2,
  GRAZE_CONTACT_KIND_POLYGON = 3, /* a planar intersection: its corners in order */
  GRAZE_CONTACT_KIND_VOLUME = 4,  /* two solids: no points; see volume and centroid */
  GRAZE_CONTACT_KIND_PARTS = 5 /* a polygon, or a surface and a polyhedron: the intersections of all pieces; two points
                                  per segment, points and polygon corners once */
} graze_contact_kind;

/* Bits of graze_contact.flags. */
typedef enum graze_contact_flag {
  GRAZE_CONTACT_FLAG_CLAMPED = 1 /* a measure exceeds the largest double and is set to it; if a witness point does, both
                                    are set to the centroid */
} graze_contact_flag;

/* The intersection of two primitives. Whether they intersect is exact. Points and measures are rounded to double, and
 * finite. */
typedef struct graze_contact {
  graze_pair pair;
  graze_contact_kind kind;
  uint32_t first_point; /* into graze_contacts.points */
  uint32_t point_count; /* 0 for volumes; 1 for points, 2 for segments, 3 to 7 for polygons; any number for parts */
  uint32_t flags;
  /* Moving b by depth along the unit vector normal separates the two. The depth is the least over the face normals and
   * the cross products of edges, or, with the test gjk, that of the expanding polytope. For polygons, both are those of
   * the deepest pair of triangles. */
  double normal[3];
  double depth;
  /* The volume of the intersection of two solids; otherwise 0. The error is at most 5e-13 of the cube of the pair's
   * size. 0 if it underflows. */
  double volume;
  /* The centroid of the intersection; the mean of the points if it has no volume. The error is at most 5e-13 of the
   * pair's size, unless the volume is tiny compared with the cube of the size. */
  double centroid[3];
  /* For two spheres, the area of the disc through the middle of the intersection, which is the derivative of the volume
   * with respect to distance. 0 if one contains the other, and for other kinds. */
  double area;
  /* The points that touch after b is moved: witness_a - witness_b is normal * depth. Both lie on the line through the
   * centroid along the normal, witness_b at the lowest extent of b, witness_a at the highest extent of a. For polygons,
   * those of the deepest pair of triangles. */
  double witness_a[3], witness_b[3];
} graze_contact;

/* Contacts, one per pair in the order of the pairs, and their points. Zero-initialize it. */
typedef struct graze_contacts {
  size_t struct_bytes;
  const graze_contact *contacts;
  size_t count;
  const double (*points)[3];
  size_t point_count;
  const graze_timings *timings;
  struct graze_list_memory *memory;
} graze_contacts;

GRAZE_API void graze_contacts_free(graze_contacts *contacts); /* as graze_pairs_free */

/* The magnitude of the force of two objects, whose direction is opposite to the gradient of their shared volume. The
 * torque is opposite to the moment of the gradient, with the same factor.
 *   energy    stiffness times the volume times the length of the gradient: 0 at touch. Conservative, with the energy
 *             stiffness * volume^2 / 2
 *   volume    stiffness times the volume: 0 at touch. Where the gradient is small, as for a pin that is turned in its
 *             hole, the torque is not bounded; where the gradient is 0, there is no torque
 *   gradient  stiffness times the length of the gradient. Conservative, with the energy stiffness * volume. Two faces
 *             that touch have the force of their full area at once. For two spheres, the length is the area of the
 *             disc through the middle of their intersection */
#define GRAZE_FORCE_LIST(X)                                                                                            \
  X(ENERGY, 0, "energy")                                                                                               \
  X(VOLUME, 1, "volume")                                                                                               \
  X(GRADIENT, 2, "gradient")

typedef enum graze_force {
#define GRAZE_FORCE_ENUM(name, value, words) GRAZE_FORCE_##name = value,
  GRAZE_FORCE_LIST(GRAZE_FORCE_ENUM)
#undef GRAZE_FORCE_ENUM
} graze_force;

/* Options for contacts and wrenches. Contacts depend on the test only. */
typedef struct graze_contact_options {
  size_t struct_bytes;
  graze_test test;   /* how depth and normal are measured: gjk by expanding polytopes, sat by face normals and cross
                        products of edges. Default GRAZE_TEST_SAT */
  graze_force force; /* default GRAZE_FORCE_ENERGY */
  double stiffness;  /* default 1 */
  double about[3];   /* the reference point of torques; default the origin */
} graze_contact_options;

GRAZE_API void graze_contact_options_init(void *options, size_t bytes);
static inline graze_contact_options graze_contact_options_default(void) {
  graze_contact_options options;
  graze_contact_options_init(&options, sizeof options);
  return options;
}

/* Computes the contacts of pairs, as of the last update of the scene. A pair that does not intersect fails with
 * GRAZE_INVALID_ARGUMENT. NULL options mean the defaults. On failure the list is empty. */
GRAZE_API graze_result graze_scene_make_contacts(const graze_scene *scene, const graze_pair *pairs, size_t count,
                                                 const graze_contact_options *options, graze_contacts *contacts);

/* Finds the pairs of a query and computes their contacts, without listing the pairs, which the contacts contain. The
 * result equals that of graze_scene_find_pairs followed by graze_scene_make_contacts, bit for bit. The test of the
 * query applies to both; that of the options must be the same or the default. GRAZE_UNSUPPORTED for queries with a
 * clearance or candidates_only. */
GRAZE_API graze_result graze_scene_find_contacts(const graze_scene *scene, const graze_query *query,
                                                 const graze_contact_options *options, graze_contacts *contacts);

/* The volume that two objects of solids share, its gradient, and a force and torque between them, summed over their
 * pairs. If the primitives of each object do not overlap among themselves, `volume` is the volume that the two objects
 * share. Its gradient is its derivative as b moves: the integral of the outward normal of b over the part of the
 * boundary of b inside a. Inner faces of an object cancel, so a body may have any number of primitives. Where faces of
 * a and b lie in one plane, the derivative has two values, of which the gradient is the mean. The force on b is
 * opposite to the gradient. A body inside another has no gradient, and no force. Spheres share a volume only with
 * spheres; with other solids they add nothing. */
typedef struct graze_wrench {
  uint32_t object_a, object_b;
  uint64_t pair_count;
  double volume;
  double centroid[3];        /* of the shared volume, even if that underflows or overflows */
  double gradient[3];        /* of the volume, as b is moved; as a is moved it is the opposite */
  double gradient_moment[3]; /* the derivative of the volume as b is rotated about the point in the options */
  double force[3];           /* on b; on a it is the opposite */
  double torque[3];          /* on b, about the point in the options; on a it is the opposite */
} graze_wrench;

typedef struct graze_wrenches {
  size_t struct_bytes;
  const graze_wrench *wrenches; /* sorted by (object_a, object_b) */
  size_t count;
  const graze_timings *timings;
  struct graze_list_memory *memory;
} graze_wrenches;

GRAZE_API void graze_wrenches_free(graze_wrenches *wrenches); /* as graze_pairs_free */

/* Sums the wrenches of the pairs that are between objects of solids. Pairs that do not intersect, as candidates_only
 * lists them, add no force. A pair that is not in the scene fails with GRAZE_INVALID_ARGUMENT. NULL options mean the
 * defaults. */
GRAZE_API graze_result graze_scene_make_wrenches(const graze_scene *scene, const graze_pair *pairs, size_t count,
                                                 const graze_contact_options *options, graze_wrenches *wrenches);

/* Finds the pairs of a query and sums their wrenches, without listing the pairs. The result equals that of
 * graze_scene_find_pairs followed by graze_scene_make_wrenches, bit for bit. The test of the query applies to both;
 * that of the options must be the same or the default. On a device with at most 64 objects and no global numbers, only
 * the sums are downloaded, which suits haptic rates of 1000 Hz. pair_limit and stop_after are refused. */
GRAZE_API graze_result graze_scene_find_wrenches(const graze_scene *scene, const graze_query *query,
                                                 const graze_contact_options *options, graze_wrenches *wrenches);

#ifdef __cplusplus
}
#endif

#endif
