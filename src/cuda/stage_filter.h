/* The float filters of candidates, one thread each: the arithmetic of the processor's filters in one lane.
 *
 * Workload: some five candidates per primitive; six or eight vertices of 16 bytes each, at nearby addresses. */
#ifndef GRAZE_CUDA_STAGE_FILTER_H
#define GRAZE_CUDA_STAGE_FILTER_H

#include "cuda/stage_exact.h"

#ifndef SIMD_WIDTH
#define SIMD_WIDTH 1
#endif

#include "cuda/device_lists.h"
#include "geometry/sphere_pair.h"
#include "geometry/triangle_neighbors.h"
#include "narrow/plane_tests.h"
#include "narrow/solid_tests.h"

GEOMETRY_FUNCTION simd_point device_point(const scene_arrays *v, uint32_t vertex, float *error) {
  const rounded_vertex rounded = v->rounded_vertices[vertex];
  *error = rounded.error > *error ? rounded.error : *error;
  const simd_point point = {rounded.x, rounded.y, rounded.z};
  return point;
}

/* The next list of a pair of triangles; LIST_COUNT if it is decided. */
GEOMETRY_FUNCTION device_list relate_triangle_pair(const scene_arrays *v, const primitive_header *a,
                                                   const primitive_header *b) {
  simd_point p[3], q[3];
  float error = 0.0f;
  for (int i = 0; i < 3; i++) p[i] = device_point(v, a->corner[i], &error);
  for (int i = 0; i < 3; i++) q[i] = device_point(v, b->corner[i], &error);
  const simd_relation relation = relate_triangles(p, q, error + error);
  if (simd_bits(relation.apart) != 0) return LIST_COUNT;
  if (simd_bits(relation.meet) != 0) return LIST_PAIRS;
  return simd_bits(upright_planes_separate(p, q, error + error)) != 0 ? LIST_COUNT : LIST_TRIANGLES;
}

/* Whether neighbors certainly meet only in the one or two vertices that they share. */
GEOMETRY_FUNCTION bool adjacent_apart(const scene_arrays *v, const uint32_t a[3], const uint32_t b[3],
                                      const shared_corners *shared) {
  uint32_t vertex[5];
  simd_point point[5];
  float error = 0.0f;
  adjacent_vertices(a, b, shared, vertex);
  for (int k = 0; k < 5; k++) point[k] = device_point(v, vertex[k], &error);
  return simd_bits(shared->count == 1 ? adjacent_planes_separate(point, error + error)
                                      : adjacent_edges_separate(point, error + error)) != 0;
}

GEOMETRY_FUNCTION simd_solid device_solid(const pair_view *v, uint32_t entry, float *error) {
  const solid_corners solid = v->entries.entry_solids[entry];
  const uint32_t index[4][SIMD_WIDTH] = {{solid.vertex[0]}, {solid.vertex[1]}, {solid.vertex[2]}, {solid.vertex[3]}};
  return fetch_solid(v->scene.rounded_vertices, index, error);
}

GEOMETRY_FUNCTION bool tetrahedra_apart(const pair_view *v, index_pair entries) {
  float error = 0.0f;
  const simd_solid p = device_solid(v, entries.a, &error), q = device_solid(v, entries.b, &error);
  const float h = error + error;
  return simd_bits(faces_separate(&p, &q, h)) != 0 || simd_bits(faces_separate(&q, &p, h)) != 0;
}

/* Whether the piecewise map bends one of the two, so that its rounded vertices do not represent it. */
GEOMETRY_FUNCTION bool entries_are_bent(const pair_view *v, index_pair entries) {
  if (v->scene.slots == 0.0f) return false;
  const primitive_box a = box_of_entry(v, entries.a), b = box_of_entry(v, entries.b);
  return box_straddles(a.min, a.max, v->scene.slots) || box_straddles(b.min, b.max, v->scene.slots);
}

/* The same for queries of neighbors, or in piecewise-mapped coordinates. */
GEOMETRY_FUNCTION device_list filter_triangles(const pair_view *v, index_pair entries, const primitive_header *a,
                                               const primitive_header *b, bool *by_number_out) {
  const bool bent = entries_are_bent(v, entries);
  if (v->query.skip_neighbors == 0 && a->object == b->object) {
    const shared_corners shared = shared_corners_of(a->corner, b->corner);
    *by_number_out = corner_is_repeated(a->corner) || corner_is_repeated(b->corner) || shared.count == 3;
    if (*by_number_out) return LIST_COUNT;
    if (shared.count != 0 && !bent && adjacent_apart(&v->scene, a->corner, b->corner, &shared)) return LIST_COUNT;
    if (shared.count != 0) return LIST_UNDECIDED;
  }
  return bent ? LIST_TRIANGLES : relate_triangle_pair(&v->scene, a, b);
}

GEOMETRY_FUNCTION device_list filter_tetrahedra(const pair_view *v, index_pair entries) {
  if (entries_are_bent(v, entries)) return LIST_OTHERS;
  return tetrahedra_apart(v, entries) ? LIST_COUNT : LIST_SOLIDS;
}

/* Spheres are decided here, in doubles, unless they nearly touch. */
GEOMETRY_FUNCTION device_list filter_spheres(const scene_arrays *v, const primitive_header *a,
                                             const primitive_header *b) {
  const object_source *p_source = &v->sources[a->object], *q_source = &v->sources[b->object];
  const uint32_t p_vertex = a->corner[0] - p_source->first_vertex, q_vertex = b->corner[0] - q_source->first_vertex;
  double p[3], q[3];
  fetch_vertex(p_source, p_vertex, p);
  fetch_vertex(q_source, q_vertex, q);
  const int order = sphere_pair_filtered(p, radius_at(p_source, p_vertex), q, radius_at(q_source, q_vertex));
  return order == SIGN_UNDECIDED ? LIST_OTHERS : order <= 0 ? LIST_PAIRS : LIST_COUNT;
}

GEOMETRY_FUNCTION device_list filter_kinds(const pair_view *v, index_pair entries, bool *by_number_out) {
  if (v->scene.only_tetrahedra != 0) return filter_tetrahedra(v, entries);
  const primitive_header a = v->lists.entries[entries.a].header, b = v->lists.entries[entries.b].header;
  const graze_kind a_kind = v->scene.sources[a.object].kind, b_kind = v->scene.sources[b.object].kind;
  const kind_batch batch = batch_of_pair(a_kind, b_kind);
  if (batch == BATCH_TRIANGLES) return filter_triangles(v, entries, &a, &b, by_number_out);
  if (batch == BATCH_SPHERES) return filter_spheres(&v->scene, &a, &b);
  return batch == BATCH_TETRAHEDRA ? filter_tetrahedra(v, entries) : LIST_OTHERS;
}

GEOMETRY_FUNCTION void pass_triangles(const pair_view *v, uint32_t index, device_list next, bool by_number,
                                      index_pair entries) {
  append_pair(&v->lists, next == LIST_PAIRS, entries);
  append_entries(&v->lists, LIST_TRIANGLES, next == LIST_TRIANGLES, entries);
  if (v->query.skip_neighbors != 0) return;
  append_entries(&v->lists, LIST_UNDECIDED, next == LIST_UNDECIDED, entries);
  device_tally(device_tally_slot(&v->lists, TALLY_ADJACENT, index), next == LIST_UNDECIDED ? 1u : 0u);
  device_tally(device_tally_slot(&v->lists, TALLY_BY_NUMBER, index), by_number ? 1u : 0u);
}

/* For scenes of triangles only, without neighbors and without a piecewise map. No two candidates share a vertex, so
 * their first vertices define a deterministic order before any other number is read. */
GEOMETRY_FUNCTION void stage_filter_triangles(uint32_t index, const pair_view *v) {
  const index_pair entries = v->lists.list[LIST_CANDIDATES][index];
  const primitive_header a = v->lists.entries[entries.a].header, b = v->lists.entries[entries.b].header;
  const bool first = a.corner[0] < b.corner[0];
  const primitive_header p = first ? a : b, q = first ? b : a;
  const device_list next = relate_triangle_pair(&v->scene, &p, &q);
  append_pair(&v->lists, next == LIST_PAIRS, entries);
  append_entries(&v->lists, LIST_TRIANGLES, next == LIST_TRIANGLES,
                 next == LIST_TRIANGLES ? in_order(&v->lists, entries) : entries);
}

/* For scenes of tetrahedra only, without a piecewise map. */
GEOMETRY_FUNCTION void stage_filter_solids(uint32_t index, const pair_view *v) {
  const index_pair entries = v->lists.list[LIST_CANDIDATES][index];
  const bool apart = tetrahedra_apart(v, entries);
  append_entries(&v->lists, LIST_SOLIDS, !apart, apart ? entries : in_order(&v->lists, entries));
}

/* For other scenes of triangles only. */
GEOMETRY_FUNCTION void stage_filter(uint32_t index, const pair_view *v) {
  const index_pair entries = in_order(&v->lists, v->lists.list[LIST_CANDIDATES][index]);
  const primitive_header a = v->lists.entries[entries.a].header, b = v->lists.entries[entries.b].header;
  bool by_number = false;
  const device_list next = filter_triangles(v, entries, &a, &b, &by_number);
  pass_triangles(v, index, next, by_number, entries);
}

/* For all other scenes. */
GEOMETRY_FUNCTION void stage_filter_kinds(uint32_t index, const pair_view *v) {
  const index_pair entries = in_order(&v->lists, v->lists.list[LIST_CANDIDATES][index]);
  bool by_number = false;
  const device_list next = filter_kinds(v, entries, &by_number);
  pass_triangles(v, index, next, by_number, entries);
  append_entries(&v->lists, LIST_SOLIDS, next == LIST_SOLIDS, entries);
  append_entries(&v->lists, LIST_OTHERS, next == LIST_OTHERS, entries);
}

/* The heights of the second of two tetrahedra over the faces of the first. */
GEOMETRY_FUNCTION simd_depths depths_of_second(const pair_view *v, index_pair entries) {
  float error = 0.0f;
  const simd_solid p = device_solid(v, entries.a, &error), q = device_solid(v, entries.b, &error);
  return measure_depths(&p, &q, error + error);
}

/* For tetrahedra that no face certainly separates: tests whether an edge of the second certainly intersects the
 * first, or a plane through an edge of the first certainly separates them. */
GEOMETRY_FUNCTION void stage_inside(uint32_t index, const pair_view *v) {
  const index_pair entries = v->lists.list[LIST_SOLIDS][index];
  const simd_depths depths = depths_of_second(v, entries);
  const bool meet = edges_inside(&depths) != 0, apart = !meet && solid_edges_separate(&depths) != 0;
  append_pair(&v->lists, meet, entries);
  append_entries(&v->lists, LIST_TURNED, !meet && !apart, entries);
}

/* For the few that remain: tests whether an edge of the first certainly intersects the second. */
GEOMETRY_FUNCTION void stage_inside_turned(uint32_t index, const pair_view *v) {
  const index_pair entries = v->lists.list[LIST_TURNED][index], turned = {entries.b, entries.a};
  const simd_depths depths = depths_of_second(v, turned);
  const bool meet = edges_inside(&depths) != 0;
  append_pair(&v->lists, meet, entries);
  append_entries(&v->lists, LIST_TETRAHEDRA, !meet && v->query.test != GRAZE_TEST_GJK, entries);
  append_entries(&v->lists, LIST_OTHERS, !meet && v->query.test == GRAZE_TEST_GJK, entries);
}

/* ---------------------------------------------------------------------------------------------- parts
 *
 * The filter of candidates in scenes whose objects are parts of larger ones. Pairs of two parts that share a vertex are
 * left to the exact tests; all others are filtered as in other scenes.
 *
 * Workload: every candidate once, by one thread; those along the borders of parts look up vertices. */

/* The filter of all kinds is also right for triangles alone. */
GEOMETRY_FUNCTION void stage_filter_parts(uint32_t index, const pair_view *v) {
  const index_pair entries = in_order(&v->lists, v->lists.list[LIST_CANDIDATES][index]);
  candidate_parts parts;
  relate_candidate(v, entries, &parts);
  if (parts.relation != PARTS_APART) {
    append_entries(&v->lists, LIST_OTHERS, parts.relation == PARTS_NEIGHBORS, entries);
    count_refused_parts(v, index, &parts);
  } else if (v->query.candidates_only != 0) {
    stage_box_pair(index, v);
  } else {
    stage_filter_kinds(index, v);
  }
}

#endif
