/* Distances of primitives; see pair_distance.h.
 *
 * The distance of polygons is the least distance of their triangles. Triangles whose boxes are farther apart than the
 * best distance are skipped; among equal distances the first is kept.
 *
 * Workload: each pair that a query found, once; most are two triangles. */
#include "narrow/pair_distance.h"

#include "geometry/nearest_features.h"
#include "narrow/primitive_pair_inline.h"

_Static_assert((int)GRAZE_FEATURE_CORNER == (int)NEAR_CORNER && (int)GRAZE_FEATURE_EDGE == (int)NEAR_EDGE &&
                   (int)GRAZE_FEATURE_FACE == (int)NEAR_FACE && (int)GRAZE_FEATURE_INSIDE == (int)NEAR_INSIDE,
               "features have the same numbers inside and outside");

static void write_feature(const near_feature *feature, corner_list corners, graze_feature *feature_out,
                          uint32_t vertices_out[3]) {
  *feature_out = (graze_feature)feature->kind;
  for (uint8_t i = 0; i < 3; i++)
    vertices_out[i] = feature->kind != NEAR_INSIDE && i <= feature->kind ? corners.vertices[feature->index[i]] : 0;
}

static void fetch_corners(const object_source *source, const uint32_t vertices[3], double corners_out[9]) {
  for (int i = 0; i < 3; i++) fetch_vertex(source, vertices[i], corners_out + 3 * i);
}

/* As measure, for two triangles. */
static void measure_triangles(const object_source *a, const object_source *b, index_pair pair,
                              graze_distance *distance_out) {
  const corner_list a_corners = corners_of(a, pair.a), b_corners = corners_of(b, pair.b);
  double p[9], q[9];
  near_feature features[2];
  orientation_tally tally = {0};
  fetch_corners(a, a_corners.vertices, p);
  fetch_corners(b, b_corners.vertices, q);
  distance_out->distance =
      hulls_distance(p, 3, 0.0, q, 3, 0.0, distance_out->point_a, distance_out->point_b, features, &tally);
  write_feature(&features[0], a_corners, &distance_out->feature_a, distance_out->vertices_a);
  write_feature(&features[1], b_corners, &distance_out->feature_b, distance_out->vertices_b);
}

/* Measures one piece of each primitive. */
static void measure(const convex_element *p, const convex_element *q, corner_list a_corners, corner_list b_corners,
                    graze_distance *distance_out) {
  near_feature features[2];
  orientation_tally tally = {0};
  distance_out->distance = hulls_distance(p->points, p->count, p->radius, q->points, q->count, q->radius,
                                          distance_out->point_a, distance_out->point_b, features, &tally);
  write_feature(&features[0], a_corners, &distance_out->feature_a, distance_out->vertices_a);
  write_feature(&features[1], b_corners, &distance_out->feature_b, distance_out->vertices_b);
}

/* Measures one piece of a against all pieces of b. */
static void measure_element(const object_source *a, const object_source *b, index_pair pair, uint32_t element,
                            graze_distance *best) {
  const corner_list a_corners = element_corners(a, pair.a, element);
  const exact_box a_box = box_of_corners(a, a_corners);
  const uint32_t count = element_count_of(b, pair.b);
  convex_element p, q;
  fetch_element(a, pair.a, element, &p);
  for (uint32_t i = 0; i < count && best->distance > 0.0; i++) {
    const corner_list b_corners = element_corners(b, pair.b, i);
    const exact_box b_box = box_of_corners(b, b_corners);
    if (!exact_boxes_within(&a_box, &b_box, best->distance)) continue;
    graze_distance found = {.pair = best->pair};
    fetch_element(b, pair.b, i, &q);
    measure(&p, &q, a_corners, b_corners, &found);
    if (found.distance < best->distance) *best = found;
  }
}

void pair_distance(const object_source *a, const object_source *b, index_pair pair, graze_distance *distance_out) {
  if (batch_of_pair(a->kind, b->kind) == BATCH_TRIANGLES) {
    measure_triangles(a, b, pair, distance_out);
    return;
  }
  convex_element p, q;
  fetch_element(a, pair.a, 0, &p);
  fetch_element(b, pair.b, 0, &q);
  measure(&p, &q, element_corners(a, pair.a, 0), element_corners(b, pair.b, 0), distance_out);
  if (!kind_is_cut(a->kind) && !kind_is_cut(b->kind)) return;
  const uint32_t count = element_count_of(a, pair.a);
  for (uint32_t i = 0; i < count && distance_out->distance > 0.0; i++) measure_element(a, b, pair, i, distance_out);
}
