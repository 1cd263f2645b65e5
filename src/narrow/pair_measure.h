/* Measures of two primitives of any kinds that meet: points, volume, centroid, and the least translation that separates
 * them. */
#ifndef GRAZE_NARROW_PAIR_MEASURE_H
#define GRAZE_NARROW_PAIR_MEASURE_H

#include "base/index_pair.h"
#include "broad/primitive_view.h"
#include "geometry/wrench_sum.h"

/* A triangle clipped by a tetrahedron has seven corners at most, and no two pieces share more points. */
enum { MEASURE_POINTS = 7 };

/* The point_count of a contact whose number of points exceeds 32 bits. */
#define MEASURE_TOO_MANY UINT32_MAX

struct memory;

/* The primitives of a scene, and the test of the query that found the pairs. */
typedef struct measured_scene {
  const object_source *sources;    /* one per object */
  const primitive_header *headers; /* may be NULL on the processor; see owner_of_primitive */
  graze_test test;
  struct memory *heap; /* for scratch of two large polygons; NULL: without it their test takes quadratic time */
  bool keeps_unit;     /* contacts are for wrenches: see kept_unit */
  size_t object_count; /* used if there are no headers */
} measured_scene;

/* The unit of a contact whose volume keeps it: a multiple of 2^(3 unit). A contact with a volume has no points, so
 * first_point holds the unit. In place of the normal and the first witness it has the push, in units of 2^(2 unit), and
 * its moment about the centroid. */
GEOMETRY_FUNCTION int kept_unit(const graze_contact *contact) {
  return (int)(int32_t)contact->first_point;
}

/* Fills the measures of the contact of two primitives; false when they do not meet. Writes at most `capacity` points;
 * point_count is their full number. */
bool pair_measure(const measured_scene *scene, index_pair pair, graze_contact *contact, double (*points)[3],
                  size_t capacity);

/* Computes the volume and centroid of the common part of two solids (see kinds_share_volume) and the translation; false
 * when they do not meet. */
bool pair_measure_solids(const measured_scene *scene, index_pair pair, graze_contact *contact);

/* For a contact with a volume that keeps its unit. */
GEOMETRY_FUNCTION wrench_terms wrench_terms_of(const graze_contact *contact, const wrench_rule *rule) {
  pair_push pair;
  pair.volume = contact->volume;
  pair.unit = kept_unit(contact);
  for (int axis = 0; axis < 3; axis++) {
    pair.centroid[axis] = contact->centroid[axis];
    pair.push[axis] = contact->normal[axis];
    pair.twist[axis] = contact->witness_a[axis];
  }
  return wrench_terms_make(&pair, rule);
}

#endif
