/* The properties of each kind of primitive, one entry each; all other code uses this table and names no kind, except
 * scene/object_elements.c, which reads elements. The texts of a kind are in graze.h.
 *
 * An entry has the properties that tests and searches need before they read a primitive: its number of corners, whether
 * it is filled, its form, its float filter, and the constants of the k-free measure. Code that depends on the form
 * switches over all forms without a default, so that the compiler reports where a new form needs a decision. Calls
 * refuse kinds that they do not support. CONTRIBUTING.md describes how to add a kind.
 *
 * Compiled for a GPU too, so this is a switch: constant arrays of the processor are not available there. The
 * compiler reports a kind without an entry. */
#ifndef GRAZE_BROAD_KIND_TABLE_H
#define GRAZE_BROAD_KIND_TABLE_H

#include "geometry/device.h"
#include "graze/graze.h"

/* Candidates are tested, and pairs measured, in batches of one kind. Two primitives of one batch go to it; other
 * pairs go to BATCH_OTHERS, whose pairs are processed one by one by tests for all kinds. */
typedef enum kind_batch {
  BATCH_TRIANGLES,  /* the hull of three corners, which are those of the header */
  BATCH_TETRAHEDRA, /* the hull of four */
  BATCH_SPHERES,
  BATCH_OTHERS,
  BATCH_COUNT
} kind_batch;

/* The set that a primitive is. In every form, it is within the hull of the balls around its corners, whose radii are 0
 * if the kind has none: boxes need no more. */
typedef enum kind_form {
  FORM_HULL,      /* the convex hull of its corners */
  FORM_TRIANGLES, /* the triangles of its triangulation when it was added, two fewer than corners */
  FORM_BALL       /* all points within a radius of its one corner */
} kind_form;

/* What a kind supports besides pairs: every other call refuses it, with these words. */
#define KIND_SUPPORT_LIST(X)                                                                                           \
  X(CONTACTS, 1, "contacts")                                                                                           \
  X(VOLUMES, 2, "wrenches")                                                                                            \
  X(DISTANCES, 4, "distances and clearances")                                                                          \
  X(REGIONS, 8, "regions")                                                                                             \
  X(CONTAINMENT, 16, "containments, open edges and shells")                                                            \
  X(CROWDING, 32, "the k-free measure")                                                                                \
  X(PARTS, 64, "parts of objects")                                                                                     \
  X(DEVICES, 128, "devices")                                                                                           \
  X(BEYOND, 256, "the neighbor rule beyond")

typedef enum kind_support {
#define KIND_SUPPORT_BIT(name, bit, words) SUPPORTS_##name = bit,
  KIND_SUPPORT_LIST(KIND_SUPPORT_BIT)
#undef KIND_SUPPORT_BIT
      SUPPORTS_ALL = 511,
  SUPPORTS_ALL_OF_SOLIDS = SUPPORTS_ALL & ~SUPPORTS_BEYOND /* the rule is for surfaces */
} kind_support;

typedef enum kind_filling { FILLING_SURFACE, FILLING_SOLID } kind_filling;

enum { CORNERS_VARY = 0, CANNOT_INSERT = 0 };

typedef struct kind_row {
  uint8_t corner_count; /* CORNERS_VARY: the object has the first corner of each primitive */
  kind_filling filling;
  kind_form form;
  kind_batch batch;
  uint16_t support;         /* kind_support */
  int insert_format;        /* graze_format that graze_object_append_primitives accepts, or CANNOT_INSERT */
  uint32_t bound_factor;    /* of k: the proven factor (docs/theory/k_free.md) */
  uint32_t near_candidates; /* of a primitive of a typical mesh in a measure of k, with a margin: surfaces have five to
                               nine, and solids touch on all sides */
} kind_row;

/* The name as in GRAZE_KIND_LIST, then the members of kind_row in order. */
#define KIND_TABLE(X)                                                                                                  \
  X(TRIANGLE, 3, FILLING_SURFACE, FORM_HULL, BATCH_TRIANGLES, SUPPORTS_ALL, GRAZE_FORMAT_UINT32_3, 10, 10)             \
  X(POLYGON, CORNERS_VARY, FILLING_SURFACE, FORM_TRIANGLES, BATCH_OTHERS, SUPPORTS_ALL, CANNOT_INSERT, 25, 10)         \
  X(TETRAHEDRON, 4, FILLING_SOLID, FORM_HULL, BATCH_TETRAHEDRA, SUPPORTS_ALL_OF_SOLIDS, GRAZE_FORMAT_UINT32_4, 24, 80) \
  X(POLYHEDRON, CORNERS_VARY, FILLING_SOLID, FORM_HULL, BATCH_OTHERS, SUPPORTS_ALL_OF_SOLIDS, CANNOT_INSERT, 156, 20)  \
  X(SPHERE, 1, FILLING_SOLID, FORM_BALL, BATCH_SPHERES, SUPPORTS_ALL_OF_SOLIDS, CANNOT_INSERT, 156, 20)

#define KIND_ONE(...) +1
enum { KIND_COUNT = 0 KIND_TABLE(KIND_ONE) };
#undef KIND_ONE

GEOMETRY_FUNCTION kind_row kind_row_of(graze_kind kind) {
  switch (kind) {
#define KIND_CASE(name, ...)                                                                                           \
  case GRAZE_KIND_##name: {                                                                                            \
    const kind_row entry = {__VA_ARGS__};                                                                              \
    return entry;                                                                                                      \
  }
    KIND_TABLE(KIND_CASE)
#undef KIND_CASE
  }
  const kind_row none = {CORNERS_VARY, FILLING_SURFACE, FORM_HULL, BATCH_OTHERS, 0, CANNOT_INSERT, 0, 0};
  return none;
}

/* The number of corners of every primitive of the kind, or CORNERS_VARY. */
GEOMETRY_FUNCTION uint8_t kind_corner_count(graze_kind kind) {
  return kind_row_of(kind).corner_count;
}

GEOMETRY_FUNCTION bool kind_is_solid(graze_kind kind) {
  return kind_row_of(kind).filling == FILLING_SOLID;
}

GEOMETRY_FUNCTION kind_form kind_form_of(graze_kind kind) {
  return kind_row_of(kind).form;
}

/* Whether primitives are the union of their triangulation, not one convex piece. */
GEOMETRY_FUNCTION bool kind_is_cut(graze_kind kind) {
  switch (kind_form_of(kind)) {
  case FORM_TRIANGLES:
    return true;
  case FORM_HULL:
  case FORM_BALL:
    break;
  }
  return false;
}

/* Whether primitives are balls around their one corner: primitive i is around vertex i. */
GEOMETRY_FUNCTION bool kind_is_ball(graze_kind kind) {
  switch (kind_form_of(kind)) {
  case FORM_BALL:
    return true;
  case FORM_HULL:
  case FORM_TRIANGLES:
    break;
  }
  return false;
}

/* Whether primitives are hulls given by any number of faces. */
GEOMETRY_FUNCTION bool kind_has_faces(graze_kind kind) {
  return kind_corner_count(kind) == CORNERS_VARY && !kind_is_cut(kind);
}

GEOMETRY_FUNCTION bool kind_supports(graze_kind kind, kind_support support) {
  return (kind_row_of(kind).support & support) != 0;
}

/* Whether the order of the corners gives a volume its sign: inverted and flat primitives are counted. */
GEOMETRY_FUNCTION bool kind_has_orientation(graze_kind kind) {
  return kind_is_solid(kind) && kind_corner_count(kind) == 4;
}

/* Whether the shared volume of two primitives is measured: for solids, but not for a ball and another kind. */
GEOMETRY_FUNCTION bool kinds_share_volume(graze_kind a, graze_kind b) {
  return kind_is_solid(a) && kind_is_solid(b) && kind_is_ball(a) == kind_is_ball(b);
}

GEOMETRY_FUNCTION kind_batch kind_batch_of(graze_kind kind) {
  return kind_row_of(kind).batch;
}

GEOMETRY_FUNCTION kind_batch batch_of_pair(graze_kind a, graze_kind b) {
  const kind_batch batch = kind_batch_of(a);
  return batch == kind_batch_of(b) ? batch : BATCH_OTHERS;
}

#endif
