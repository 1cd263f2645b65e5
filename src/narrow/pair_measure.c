/* The inline functions of pair_measure_inline.h as functions of the library. */
#include "narrow/pair_measure_inline.h"

bool pair_measure_solids(const measured_scene *scene, index_pair pair, graze_contact *contact) {
  switch (measure_variant_of(scene, pair)) {
  case MEASURE_TETRAHEDRA:
    return measure_tetrahedra(scene, pair, contact);
  case MEASURE_SPHERES:
    return measure_spheres(scene, pair, contact);
  case MEASURE_TRIANGLES:
  case MEASURE_OTHERS:
    break;
  }
  return measure_solids(scene, pair, contact);
}

bool pair_measure(const measured_scene *scene, index_pair pair, graze_contact *contact, double (*points)[3],
                  size_t capacity) {
  point_writer writer = point_writer_make(points, capacity);
  switch (measure_variant_of(scene, pair)) {
  case MEASURE_TRIANGLES:
    return measure_triangles(scene, pair, contact, &writer);
  case MEASURE_TETRAHEDRA:
    return measure_tetrahedra(scene, pair, contact);
  case MEASURE_SPHERES:
    return measure_spheres(scene, pair, contact);
  case MEASURE_OTHERS:
    break;
  }
  return measure_others(scene, pair, contact, &writer);
}
