/* The stages of the k-free measure: balls and grown boxes; then, after the search, candidates that share a corner,
 * those that a walk decides, and those that need a distance. What they ask is asked as on the processor, by the same
 * functions; counts are sums, so that no order is seen.
 *
 * Workload: some ten to twenty candidates a primitive on a mesh, half of which share a corner; one in a hundred of the
 * rest needs a distance. Kept apart, threads of a warp have like work, and the kernel of the walk has no exact tiers.
 */
#ifndef GRAZE_CUDA_STAGE_CROWDING_H
#define GRAZE_CUDA_STAGE_CROWDING_H

#include "analysis/crowding_rule.h"
#include "analysis/nearness.h"
#include "broad/grid_level.h"
#include "cuda/device_lists.h"

/* The one object that is measured. */
GEOMETRY_FUNCTION const object_source *sole_source(const device_view *v) {
  return &v->sources[0];
}

GEOMETRY_FUNCTION double *lane_scratch(const device_view *v, uint32_t lane) {
  return v->measure.scratch + (size_t)lane * v->measure.lane_scratch;
}

/* ---------------------------------------------------------------------------------------------- primitives */

/* On a device the corners of triangles are in their headers alone. */
GEOMETRY_FUNCTION corner_list measured_corners(const object_source *source, uint32_t primitive,
                                               const uint32_t own_corners[3]) {
  if (!headers_have_all_corners(source)) return corners_of(source, primitive);
  const corner_list corners = {own_corners, source->corner_count};
  return corners;
}

/* The bit of the primitive's level; 0 where it is erased. */
GEOMETRY_FUNCTION uint32_t measure_primitive(const device_view *v, uint32_t primitive, double *points) {
  const object_source *source = sole_source(v);
  const bool erased = v->erased != NULL && v->erased[primitive] != 0;
  primitive_header header = v->measure.given_headers[primitive];
  header.object = 0;
  v->measure.headers[primitive] = header;
  v->measure.k_of[primitive] = erased ? 0 : 1;
  v->measure.neighbours_of[primitive] = 0;
  v->measure.diameter_of[primitive] = 0.0;
  if (erased) return 0;
  const uint32_t first = source->first_vertex;
  const uint32_t own[3] = {header.corner[0] - first, header.corner[1] - first, header.corner[2] - first};
  const corner_list corners = measured_corners(source, primitive, own);
  const double diameter = ball_diameter(source, corners, points);
  const bool mapped = v->slots != 0.0f;
  const normalised_bounds bounds = mapped ? normalised_bounds_from(source, corners, v->normalisation)
                                          : normalised_bounds_of(source, corners, v->rounded_vertices);
  v->measure.diameter_of[primitive] = diameter;
  v->measure.boxes[primitive] = mapped ? grown_mapped_box(source, corners, diameter, v->map)
                                       : grown_box(&bounds, diameter, v->normalisation->scale);
  return 1u << grid_level_of(longest_bound(&bounds));
}

/* Every lanes-th primitive, so that few lanes need scratch. */
GEOMETRY_FUNCTION void stage_ball(uint32_t lane, const device_view *v) {
  double few[3 * FEW_CORNERS];
  double *points = v->measure.scratch != NULL ? lane_scratch(v, lane) : few;
  uint32_t levels = 0;
  for (uint64_t i = lane; i < v->primitive_count; i += v->measure.lanes)
    levels |= measure_primitive(v, (uint32_t)i, points);
  device_set_bits(v->measure.levels, levels);
}

/* ---------------------------------------------------------------------------------------------- pairs */

GEOMETRY_FUNCTION near_question measured_question(const device_view *v, index_pair pair) {
  return near_question_of(v->measure.diameter_of[pair.a], v->measure.diameter_of[pair.b]);
}

/* Adds one to what each of the two that asks counts. */
GEOMETRY_FUNCTION void count_for(uint32_t *counters, index_pair pair, const near_question *asked) {
  if (asked->a_asks) (void)device_fetch_add(&counters[pair.a], 1);
  if (asked->b_asks) (void)device_fetch_add(&counters[pair.b], 1);
}

/* Candidates that share a corner are counted; the others go on where their boxes meet. The search has rounded those
 * outward; but of primitives that differ in size by many orders, whose gap is lost in rounding, the boxes have a say.
 */
GEOMETRY_FUNCTION void stage_neighbours(uint32_t index, const device_view *v) {
  const object_source *source = sole_source(v);
  const index_pair entries = in_order(v, v->list[LIST_CANDIDATES][index]);
  const index_pair pair = primitives_of_entries(v, entries);
  const primitive_header a = v->entries[entries.a].header, b = v->entries[entries.b].header;
  const bool neighbours = have_common_corner(source, &a, &b, pair.a, pair.b);
  append_entries(v, device_apart_list(source->kind),
                 !neighbours && boxes_meet(&v->measure.boxes[pair.a], &v->measure.boxes[pair.b]), pair);
  if (!neighbours) return;
  const near_question asked = measured_question(v, pair);
  count_for(v->measure.k_of, pair, &asked);
  count_for(v->measure.neighbours_of, pair, &asked);
}

GEOMETRY_FUNCTION void take_verdict(const device_view *v, index_pair pair, const near_question *asked,
                                    near_verdict verdict) {
  append_entries(v, LIST_UNDECIDED, verdict == VERDICT_OPEN, pair);
  if (verdict == VERDICT_NEAR) count_for(v->measure.k_of, pair, asked);
}

GEOMETRY_FUNCTION void measured_triangle(const device_view *v, uint32_t primitive, double points_out[9]) {
  const object_source *source = sole_source(v);
  const primitive_header header = v->measure.headers[primitive];
  for (int i = 0; i < 3; i++) fetch_vertex(source, header.corner[i] - source->first_vertex, points_out + 3 * i);
}

GEOMETRY_FUNCTION void measured_tetrahedron(const device_view *v, uint32_t primitive, double points_out[12]) {
  const object_source *source = sole_source(v);
  fetch_corners(source, corners_of(source, primitive), points_out);
}

GEOMETRY_FUNCTION void stage_near_triangles(uint32_t index, const device_view *v) {
  const index_pair pair = v->list[LIST_TRIANGLES][index];
  const near_question asked = measured_question(v, pair);
  double p[9], q[9];
  measured_triangle(v, pair.a, p);
  measured_triangle(v, pair.b, q);
  take_verdict(v, pair, &asked, triangles_verdict(p, q, v->normalisation->scale, asked.radius));
}

GEOMETRY_FUNCTION void stage_near_tetrahedra(uint32_t index, const device_view *v) {
  const index_pair pair = v->list[LIST_TETRAHEDRA][index];
  const near_question asked = measured_question(v, pair);
  double p[12], q[12];
  vector3 seen[8];
  measured_tetrahedron(v, pair.a, p);
  measured_tetrahedron(v, pair.b, q);
  take_verdict(v, pair, &asked, solids_verdict(p, 4, q, 4, v->normalisation->scale, asked.radius, seen));
}

/* What the walks left open, by distances with all their exact tiers. */
GEOMETRY_FUNCTION void stage_near_open(uint32_t index, const device_view *v) {
  const index_pair pair = v->list[LIST_UNDECIDED][index];
  const near_question asked = measured_question(v, pair);
  double p[12], q[12];
  bool near;
  if (kind_batch_of(sole_source(v)->kind) == BATCH_TRIANGLES) {
    measured_triangle(v, pair.a, p);
    measured_triangle(v, pair.b, q);
    near = triangles_within(p, q, asked.radius);
  } else {
    measured_tetrahedron(v, pair.a, p);
    measured_tetrahedron(v, pair.b, q);
    near = solids_within(p, 4, q, 4, asked.radius);
  }
  if (near) count_for(v->measure.k_of, pair, &asked);
}

/* All other kinds: any number of corners, in the scratch of the lane. */
GEOMETRY_FUNCTION void stage_near_others(uint32_t lane, const device_view *v) {
  const nearness object = {sole_source(v), v->normalisation->scale};
  const uint32_t count = device_list_length(v, LIST_OTHERS);
  for (uint64_t i = lane; i < count; i += v->measure.lanes) {
    const index_pair pair = v->list[LIST_OTHERS][i];
    const near_question asked = measured_question(v, pair);
    if (primitives_near(&object, pair.a, pair.b, asked.radius, lane_scratch(v, lane)))
      count_for(v->measure.k_of, pair, &asked);
  }
}

#endif
