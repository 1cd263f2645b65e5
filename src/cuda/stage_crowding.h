/* The stages of the k-free measure: balls and grown boxes; then, after the search, candidates that share a corner,
 * candidates that a walk decides, and candidates that need a distance. The functions are those of the processor; counts
 * are sums, so they do not depend on the order.
 *
 * Workload: about ten to twenty candidates per primitive of a mesh, half of which share a corner; one in a hundred of
 * the rest needs a distance. With separate stages, the threads of a warp have similar work, and the kernel of the
 * walk has no exact tiers. */
#ifndef GRAZE_CUDA_STAGE_CROWDING_H
#define GRAZE_CUDA_STAGE_CROWDING_H

#include "analysis/crowding_rule.h"
#include "analysis/nearness.h"
#include "broad/grid_level.h"
#include "cuda/device_lists.h"
#include "cuda/pair_view.h"

/* The maximum number of corners of primitives whose k is measured without scratch: triangles and tetrahedra. */
enum { FEW_CORNERS = 4 };

/* The measure of one object. Its primitives are the whole scene and numbered from 0, as on the processor.
 * LIST_TRIANGLES, LIST_TETRAHEDRA or LIST_OTHERS, by kind, contain the pairs that share no corner, and LIST_UNDECIDED
 * those that need a distance; both contain primitives, not entries. */
typedef struct crowding_view {
  pair_view pairs;
  const primitive_header *given_headers; /* those of the scene */
  primitive_header *headers;             /* of object 0 */
  primitive_box *boxes;                  /* grown */
  uint32_t *k_of, *neighbors_of;         /* per primitive, like the diameter of its ball */
  double *diameter_of;
  uint32_t *levels; /* bit i: some primitive is at level i of the processor's grid */
  double *scratch;  /* per lane, for polygons and polyhedra; else NULL */
  uint32_t lane_scratch, lanes;
} crowding_view;

/* The list of pairs that share no corner. */
GEOMETRY_FUNCTION device_list device_apart_list(graze_kind kind) {
  const kind_batch batch = kind_batch_of(kind);
  if (batch == BATCH_TRIANGLES) return LIST_TRIANGLES;
  return batch == BATCH_TETRAHEDRA ? LIST_TETRAHEDRA : LIST_OTHERS;
}

/* The measured object. */
GEOMETRY_FUNCTION const object_source *sole_source(const crowding_view *v) {
  return &v->pairs.scene.sources[0];
}

GEOMETRY_FUNCTION double *lane_scratch(const crowding_view *v, uint32_t lane) {
  return v->scratch + (size_t)lane * v->lane_scratch;
}

/* ---------------------------------------------------------------------------------------------- primitives */

/* On a device the corners of triangles are only in their headers. */
GEOMETRY_FUNCTION corner_list measured_corners(const object_source *source, uint32_t primitive,
                                               const uint32_t own_corners[3]) {
  if (!headers_have_all_corners(source)) return corners_of(source, primitive);
  const corner_list corners = {own_corners, source->corner_count};
  return corners;
}

/* Returns the bit of the primitive's level; 0 if it is removed. */
GEOMETRY_FUNCTION uint32_t measure_primitive(const crowding_view *v, uint32_t primitive, double *points) {
  const object_source *source = sole_source(v);
  const bool removed = v->pairs.scene.removed != NULL && v->pairs.scene.removed[primitive] != 0;
  primitive_header header = v->given_headers[primitive];
  header.object = 0;
  v->headers[primitive] = header;
  v->k_of[primitive] = removed ? 0 : 1;
  v->neighbors_of[primitive] = 0;
  v->diameter_of[primitive] = 0.0;
  if (removed) return 0;
  const uint32_t first = source->first_vertex;
  const uint32_t own[3] = {header.corner[0] - first, header.corner[1] - first, header.corner[2] - first};
  const corner_list corners = measured_corners(source, primitive, own);
  const double diameter = ball_diameter(source, corners, points);
  const bool mapped = v->pairs.scene.slots != 0.0f;
  const normalized_bounds bounds = mapped ? normalized_bounds_from(source, corners, v->pairs.scene.normalization)
                                          : normalized_bounds_of(source, corners, v->pairs.scene.rounded_vertices);
  v->diameter_of[primitive] = diameter;
  v->boxes[primitive] = mapped ? grown_mapped_box(source, corners, diameter, v->pairs.scene.map)
                               : grown_box(&bounds, diameter, v->pairs.scene.normalization->scale);
  return 1u << grid_level_of(longest_bound(&bounds));
}

/* Each lane measures every n-th primitive for n lanes, so that few lanes need scratch. */
GEOMETRY_FUNCTION void stage_ball(uint32_t lane, const crowding_view *v) {
  double few[3 * FEW_CORNERS];
  double *points = v->scratch != NULL ? lane_scratch(v, lane) : few;
  uint32_t levels = 0;
  for (uint64_t i = lane; i < v->pairs.scene.primitive_count; i += v->lanes)
    levels |= measure_primitive(v, (uint32_t)i, points);
  device_set_bits(v->levels, levels);
}

/* ---------------------------------------------------------------------------------------------- pairs */

GEOMETRY_FUNCTION near_query measured_query(const crowding_view *v, index_pair pair) {
  return near_query_of(v->diameter_of[pair.a], v->diameter_of[pair.b]);
}

/* Increments the counter of each of the two primitives for which the pair counts. */
GEOMETRY_FUNCTION void count_for(uint32_t *counters, index_pair pair, const near_query *query) {
  if (query->counts_for_a) (void)device_fetch_add(&counters[pair.a], 1);
  if (query->counts_for_b) (void)device_fetch_add(&counters[pair.b], 1);
}

/* Counts candidates that share a corner; the others are passed on if their boxes meet. The search has rounded boxes
 * outward; but for primitives that differ in size by many orders of magnitude, rounding may lose the gap, and the
 * exact boxes decide. */
GEOMETRY_FUNCTION void stage_neighbors(uint32_t index, const crowding_view *v) {
  const object_source *source = sole_source(v);
  const index_pair entries = in_order(&v->pairs.lists, v->pairs.lists.list[LIST_CANDIDATES][index]);
  const index_pair pair = primitives_of_entries(&v->pairs.lists, entries);
  const primitive_header a = v->pairs.lists.entries[entries.a].header, b = v->pairs.lists.entries[entries.b].header;
  const bool neighbors = have_common_corner(source, &a, &b, pair.a, pair.b);
  append_entries(&v->pairs.lists, device_apart_list(source->kind),
                 !neighbors && boxes_meet(&v->boxes[pair.a], &v->boxes[pair.b]), pair);
  if (!neighbors) return;
  const near_query query = measured_query(v, pair);
  count_for(v->k_of, pair, &query);
  count_for(v->neighbors_of, pair, &query);
}

GEOMETRY_FUNCTION void take_verdict(const crowding_view *v, index_pair pair, const near_query *query,
                                    near_verdict verdict) {
  append_entries(&v->pairs.lists, LIST_UNDECIDED, verdict == VERDICT_OPEN, pair);
  if (verdict == VERDICT_NEAR) count_for(v->k_of, pair, query);
}

GEOMETRY_FUNCTION void measured_triangle(const crowding_view *v, uint32_t primitive, double points_out[9]) {
  const object_source *source = sole_source(v);
  const primitive_header header = v->headers[primitive];
  for (int i = 0; i < 3; i++) fetch_vertex(source, header.corner[i] - source->first_vertex, points_out + 3 * i);
}

GEOMETRY_FUNCTION void measured_tetrahedron(const crowding_view *v, uint32_t primitive, double points_out[12]) {
  const object_source *source = sole_source(v);
  fetch_corners(source, corners_of(source, primitive), points_out);
}

GEOMETRY_FUNCTION void stage_near_triangles(uint32_t index, const crowding_view *v) {
  const index_pair pair = v->pairs.lists.list[LIST_TRIANGLES][index];
  const near_query query = measured_query(v, pair);
  double p[9], q[9];
  measured_triangle(v, pair.a, p);
  measured_triangle(v, pair.b, q);
  take_verdict(v, pair, &query, triangles_verdict(p, q, v->pairs.scene.normalization->scale, query.radius));
}

GEOMETRY_FUNCTION void stage_near_tetrahedra(uint32_t index, const crowding_view *v) {
  const index_pair pair = v->pairs.lists.list[LIST_TETRAHEDRA][index];
  const near_query query = measured_query(v, pair);
  double p[12], q[12];
  vector3 seen[8];
  measured_tetrahedron(v, pair.a, p);
  measured_tetrahedron(v, pair.b, q);
  take_verdict(v, pair, &query, solids_verdict(p, 4, q, 4, v->pairs.scene.normalization->scale, query.radius, seen));
}

/* Decides pairs that the walks left open, by distances with all exact tiers. */
GEOMETRY_FUNCTION void stage_near_open(uint32_t index, const crowding_view *v) {
  const index_pair pair = v->pairs.lists.list[LIST_UNDECIDED][index];
  const near_query query = measured_query(v, pair);
  double p[12], q[12];
  bool near;
  if (kind_batch_of(sole_source(v)->kind) == BATCH_TRIANGLES) {
    measured_triangle(v, pair.a, p);
    measured_triangle(v, pair.b, q);
    near = surfaces_within(p, q, query.radius);
  } else {
    measured_tetrahedron(v, pair.a, p);
    measured_tetrahedron(v, pair.b, q);
    near = solids_within(p, 4, q, 4, query.radius);
  }
  if (near) count_for(v->k_of, pair, &query);
}

/* For all other kinds, with any number of corners, in the scratch of the lane. */
GEOMETRY_FUNCTION void stage_near_others(uint32_t lane, const crowding_view *v) {
  const nearness object = {sole_source(v), v->pairs.scene.normalization->scale};
  const uint32_t count = device_list_length(&v->pairs.lists, LIST_OTHERS);
  for (uint64_t i = lane; i < count; i += v->lanes) {
    const index_pair pair = v->pairs.lists.list[LIST_OTHERS][i];
    const near_query query = measured_query(v, pair);
    if (primitives_near(&object, pair.a, pair.b, query.radius, lane_scratch(v, lane))) count_for(v->k_of, pair, &query);
  }
}

#endif
