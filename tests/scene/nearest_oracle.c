/* Measures distances by brute force; see nearest_oracle.h. */
#include "nearest_oracle.h"

#include "geometry/nearest_features.h"
#include "narrow/primitive_pair_inline.h"

static bool is_present(const object_source *source, uint32_t primitive) {
  return source->removed == NULL || source->removed[primitive] == 0;
}

static double primitive_distance(const object_source *a, uint32_t p, const object_source *b, uint32_t q) {
  const uint32_t i = a->first_primitive + p, j = b->first_primitive + q;
  convex_element s, t;
  double least = HUGE_VAL, on_s[3], on_t[3];
  near_feature features[2];
  orientation_tally tally = {0};
  for (uint32_t m = 0; m < element_count_of(a, i); m++)
    for (uint32_t n = 0; n < element_count_of(b, j); n++) {
      fetch_element(a, i, m, &s);
      fetch_element(b, j, n, &t);
      least = fmin(least, hulls_distance(s.points, s.count, s.radius, t.points, t.count, t.radius, on_s, on_t, features,
                                         &tally));
    }
  return least;
}

oracle_nearest oracle_find_nearest(const object_source *a, const object_source *b) {
  oracle_nearest found = {HUGE_VAL, 0, 0};
  for (uint32_t p = 0; p < a->primitive_count; p++)
    for (uint32_t q = 0; q < b->primitive_count; q++) {
      if (!is_present(a, p) || !is_present(b, q)) continue;
      const double distance = primitive_distance(a, p, b, q);
      if (distance < found.distance) found = (oracle_nearest){distance, p, q};
    }
  return found;
}

bool oracle_interval_holds(const object_source *a, const object_source *b, double lower, double upper,
                           reach_reference *reference) {
  bool above = true, below = false;
  convex_element s, t;
  for (uint32_t p = 0; p < a->primitive_count; p++)
    for (uint32_t q = 0; q < b->primitive_count; q++)
      for (uint32_t m = 0; m < element_count_of(a, a->first_primitive + p); m++)
        for (uint32_t n = 0; n < element_count_of(b, b->first_primitive + q); n++) {
          fetch_element(a, a->first_primitive + p, m, &s);
          fetch_element(b, b->first_primitive + q, n, &t);
          reach_reference_set(reference, s.points, s.count, t.points, t.count);
          above = above && (lower == 0.0 || reach_reference_order(reference, s.radius, t.radius, lower) >= 0);
          below = below || reach_reference_order(reference, s.radius, t.radius, upper) <= 0;
        }
  return above && below;
}
