/* graze: contacts of pairs, and the forces and torques that follow from them. Part of graze.h, which includes it. */
#ifndef GRAZE_CONTACTS_H
#define GRAZE_CONTACTS_H

#include "graze/graze.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum graze_contact_kind {
  GRAZE_CONTACT_KIND_POINT =
      1, /* also a sphere and another kind: the point of the other that is nearest to the center */
  GRAZE_CONTACT_KIND_SEGMENT = 2,
  GRAZE_CONTACT_KIND_POLYGON = 3, /* a flat common part: its corners in order */
  GRAZE_CONTACT_KIND_VOLUME = 4,  /* two solids: no points; volume and centroid say what they share */
  GRAZE_CONTACT_KIND_PARTS = 5 /* a polygon and another surface: the points of the common parts of all triangles, two by
                             two for segments, once for points and corners */
} graze_contact_kind;

/* Bits of graze_contact.flags. */
typedef enum graze_contact_flag {
  GRAZE_CONTACT_FLAG_CLAMPED = 1 /* a measure exceeds the largest double, and is the largest; where a witness point
                               would, both are the centroid */
} graze_contact_flag;

/* What two primitives have in common. Whether they meet is exact; points and measures are rounded to double. All are
 * finite. */
typedef struct graze_contact {
  graze_pair pair;
  graze_contact_kind kind;
  uint32_t first_point; /* into graze_contacts.points */
  uint32_t point_count; /* 0 for volumes; 1, 2, or 3 to 7; any number for parts */
  uint32_t flags;
  double normal[3];   /* unit vector: moving b along it by depth separates the two */
  double depth;       /* the least such distance over the normals of faces and the cross products of edges, or that of
                         the expanding polytope by the test gjk; of polygons, that of the triangles that are deepest in
                         each other */
  double volume;      /* of the common part of two solids, else 0: within 5e-13 of the cube of the pair's size, as is
                         the centroid of its size where the volume is not tiny beside that cube. 0 where it is below
                         the smallest double; the centroid is right there too */
  double centroid[3]; /* of the common part; the mean of the points where it has no volume */
  double area;        /* of two spheres: of the disc across the middle of their common part, which is what the volume
                         loses a unit of distance; 0 where one holds the other, and for other kinds */
  double witness_a[3], witness_b[3]; /* where the two touch once b was moved: witness_a - witness_b is normal times
                                        depth. Both lie on the line through the centroid along the normal, witness_b as
                                        low along it as b reaches, witness_a as high as a; of polygons, as the triangles
                                        that are deepest in each other do */
} graze_contact;

/* Contacts, one for each pair and in the order of the pairs, and their points. Zero-initialise it. */
typedef struct graze_contacts {
  size_t struct_bytes;
  const graze_contact *contacts; /* walk it by graze_contacts_at */
  size_t count;
  size_t element_bytes; /* from one contact to the next: those of the library, which may know more fields */
  const double (*points)[3];
  size_t point_count;
  const graze_timings *timings;
  struct graze_list_memory *memory;
} graze_contacts;

static inline const graze_contact *graze_contacts_at(const graze_contacts *contacts, size_t i) {
  return (const graze_contact *)(const void *)((const char *)contacts->contacts + i * contacts->element_bytes);
}

GRAZE_API void graze_contacts_free(graze_contacts *contacts); /* as graze_pairs_free */

typedef struct graze_contact_options {
  size_t struct_bytes;
  graze_test test;   /* by which depth and normal are measured: gjk by expanding polytopes, else by the normals of faces
                        and the products of edges. Default GRAZE_TEST_SAT */
  uint32_t reserved; /* 0: fills the struct up to a multiple of its alignment */
} graze_contact_options;

GRAZE_API void graze_contact_options_init(void *options, size_t bytes);
static inline graze_contact_options graze_contact_options_default(void) {
  graze_contact_options options;
  graze_contact_options_init(&options, sizeof options);
  return options;
}

/* Contacts of pairs of the scene as it is since its last update; one that does not meet is GRAZE_INVALID_ARGUMENT. NULL
 * for the options means the default ones. On failure the list is empty. */
GRAZE_API graze_result graze_scene_make_contacts(const graze_scene *scene, const graze_pair *pairs, size_t count,
                                                 const graze_contact_options *options, graze_contacts *contacts);

/* What two objects of solids do to each other, summed over their pairs: where the primitives of each do not overlap
 * among themselves, `volume` is the volume that the two solids share. A pair pushes b along its normal at its centroid;
 * how strongly, the options say. Spheres share a volume with spheres alone: with other solids they push nothing. */
typedef struct graze_wrench {
  uint32_t object_a, object_b;
  uint64_t pair_count;
  double volume;
  double centroid[3]; /* of the shared volume, also where that is outside the range of doubles */
  double force[3];    /* on b; a has the opposite */
  double torque[3];   /* on b, about the point of the options; a has the opposite */
} graze_wrench;

typedef struct graze_wrenches {
  size_t struct_bytes;
  const graze_wrench *wrenches; /* sorted by (object_a, object_b); walk it by graze_wrenches_at */
  size_t count;
  size_t element_bytes; /* from one wrench to the next */
  const graze_timings *timings;
  struct graze_list_memory *memory;
} graze_wrenches;

static inline const graze_wrench *graze_wrenches_at(const graze_wrenches *wrenches, size_t i) {
  return (const graze_wrench *)(const void *)((const char *)wrenches->wrenches + i * wrenches->element_bytes);
}

GRAZE_API void graze_wrenches_free(graze_wrenches *wrenches); /* as graze_pairs_free */

/* How strongly a pair pushes.
 *   volume    by stiffness times the volume that the two share
 *   gradient  by stiffness times what that volume loses a unit of distance, of two spheres the area of the disc across
 *             their common part: the force whose work is the volume, which never jumps. For spheres alone:
 *             GRAZE_UNSUPPORTED where pairs of other solids push */
#define GRAZE_FORCE_LIST(X)                                                                                            \
  X(VOLUME, 0, "volume")                                                                                               \
  X(GRADIENT, 1, "gradient")

typedef enum graze_force {
#define GRAZE_FORCE_ENUM(name, value, words) GRAZE_FORCE_##name = value,
  GRAZE_FORCE_LIST(GRAZE_FORCE_ENUM)
#undef GRAZE_FORCE_ENUM
} graze_force;

typedef struct graze_wrench_options {
  size_t struct_bytes;
  graze_test test;   /* as in graze_contact_options */
  graze_force force; /* default GRAZE_FORCE_VOLUME */
  double stiffness;  /* force per volume; default 1 */
  double about[3];   /* the point about which torques are; default the origin */
} graze_wrench_options;

GRAZE_API void graze_wrench_options_init(void *options, size_t bytes);
static inline graze_wrench_options graze_wrench_options_default(void) {
  graze_wrench_options options;
  graze_wrench_options_init(&options, sizeof options);
  return options;
}

/* Of those of the pairs that are between objects of solids; those that do not meet, as candidates_only
 * lists them, push nothing; one that is not in the scene is GRAZE_INVALID_ARGUMENT. NULL for the options means the
 * default ones. */
GRAZE_API graze_result graze_scene_sum_wrenches(const graze_scene *scene, const graze_pair *pairs, size_t count,
                                                const graze_wrench_options *options, graze_wrenches *wrenches);

/* Finds the pairs of a query and sums them up, as graze_scene_find_pairs and graze_scene_sum_wrenches do one after the
 * other, to the bit, without listing them. The test of the query counts for both: the options have the same, or the
 * default. On a device nothing but the sums comes back, as
 * long as the scene has few objects (64) and no global numbers: what haptics asks for a thousand times a second. No
 * pair_limit, no stop_after. */
GRAZE_API graze_result graze_scene_find_wrenches(const graze_scene *scene, const graze_query *query,
                                                 const graze_wrench_options *options, graze_wrenches *wrenches);

#ifdef __cplusplus
}
#endif

#endif
