/* The exact tests, one thread per pair: triangles by the double filter and shared corners, undecided ones by all tiers,
 * tetrahedra likewise, and all other kinds. Pairs are written as keys, with the lower primitive's number in the high
 * half.
 *
 * Workload: one or two pairs per primitive for the double filter; a few in a thousand of those are undecided in
 * general scenes, all of them where meshes touch. */
#ifndef GRAZE_CUDA_STAGE_EXACT_H
#define GRAZE_CUDA_STAGE_EXACT_H

#include "cuda/device_lists.h"
#include "narrow/primitive_clearance_inline.h"
#include "narrow/primitive_pair_inline.h"

GEOMETRY_FUNCTION void device_triangle(const scene_arrays *v, const primitive_header *header, double corners_out[9]) {
  const object_source *source = &v->sources[header->object];
  for (int corner = 0; corner < 3; corner++)
    fetch_vertex(source, header->corner[corner] - source->first_vertex, corners_out + 3 * corner);
}

GEOMETRY_FUNCTION void device_count_tier(const list_view *v, uint32_t index, const orientation_tally *tally) {
  device_tally(device_tally_slot(v, TALLY_DOUBLE, index), tally->deepest_tier == TIER_DOUBLE ? 1u : 0u);
  device_tally(device_tally_slot(v, TALLY_EXACT, index), tally->deepest_tier == TIER_EXPANSION ? 1u : 0u);
  device_tally(device_tally_slot(v, TALLY_WIDE, index), tally->deepest_tier == TIER_WIDE ? 1u : 0u);
}

GEOMETRY_FUNCTION void stage_double_triangles(uint32_t index, const pair_view *v) {
  const index_pair entries = v->lists.list[LIST_TRIANGLES][index];
  const primitive_header a = v->lists.entries[entries.a].header, b = v->lists.entries[entries.b].header;
  double p[9], q[9];
  device_triangle(&v->scene, &a, p);
  device_triangle(&v->scene, &b, q);
  int answer = triangle_pair_filtered(p, q);
  /* Touching copies reach this point by the million, and the next stage, with its deep stack, is slower for them. */
  if (answer == SIGN_UNDECIDED && corners_are_shared(p, q)) answer = 1;
  append_pair(&v->lists, answer == 1, entries);
  append_entries(&v->lists, LIST_UNDECIDED, answer == SIGN_UNDECIDED, entries);
}

GEOMETRY_FUNCTION void stage_exact_triangles(uint32_t index, const pair_view *v) {
  const index_pair entries = v->lists.list[LIST_UNDECIDED][index];
  const primitive_header a = v->lists.entries[entries.a].header, b = v->lists.entries[entries.b].header;
  double p[9], q[9];
  orientation_tally tally = {0};
  device_triangle(&v->scene, &a, p);
  device_triangle(&v->scene, &b, q);
  shared_corners shared;
  shared.count = 0;
  if (v->query.skip_neighbors == 0 && a.object == b.object) shared = shared_corners_of(a.corner, b.corner);
  const bool meets = triangle_pair_intersects_beyond(p, q, shared.count, shared.a, shared.b, &tally);
  append_pair(&v->lists, meets, entries);
  device_count_tier(&v->lists, index, &tally);
}

GEOMETRY_FUNCTION void device_tetrahedron(const pair_view *v, uint32_t entry, double corners_out[12]) {
  const solid_corners solid = v->entries.entry_solids[entry];
  const object_source *source = &v->scene.sources[v->lists.entries[entry].header.object];
  for (int i = 0; i < 4; i++) fetch_vertex(source, solid.vertex[i] - source->first_vertex, corners_out + 3 * i);
}

GEOMETRY_FUNCTION void stage_double_tetrahedra(uint32_t index, const pair_view *v) {
  const index_pair entries = v->lists.list[LIST_TETRAHEDRA][index];
  double p[12], q[12];
  device_tetrahedron(v, entries.a, p);
  device_tetrahedron(v, entries.b, q);
  const int answer = tetrahedron_pair_filtered(p, q);
  append_pair(&v->lists, answer == 1, entries);
  append_entries(&v->lists, LIST_CLOSE, answer == SIGN_UNDECIDED, entries);
  device_tally(device_tally_slot(&v->lists, TALLY_DOUBLE, index), answer != SIGN_UNDECIDED ? 1u : 0u);
}

GEOMETRY_FUNCTION void stage_exact_tetrahedra(uint32_t index, const pair_view *v) {
  const index_pair entries = v->lists.list[LIST_CLOSE][index];
  double p[12], q[12];
  orientation_tally tally = {0};
  device_tetrahedron(v, entries.a, p);
  device_tetrahedron(v, entries.b, q);
  const bool meets = tetrahedron_pair_intersects(p, q, &tally);
  append_pair(&v->lists, meets, entries);
  device_count_tier(&v->lists, index, &tally);
}

/* A candidate whose objects may be parts of one. */
typedef struct candidate_parts {
  part_relation relation;
  part_side sides[2]; /* unless the relation is PARTS_APART */
  header_corners storage[2];
} candidate_parts;

/* The lower primitive's entry is first. */
GEOMETRY_FUNCTION void relate_candidate(const pair_view *v, index_pair entries, candidate_parts *parts_out) {
  parts_out->relation = PARTS_APART;
  if (v->scene.parts == NULL) return;
  const primitive_header a = v->lists.entries[entries.a].header, b = v->lists.entries[entries.b].header;
  const bool skip = v->query.skip_neighbors != 0;
  if (a.object == b.object || !objects_are_parts(v->scene.rules, a.object, b.object)) return;
  if (v->query.candidates_only != 0 && !skip) return;
  const index_pair pair = primitives_of_entries(&v->lists, entries);
  part_side *sides = parts_out->sides;
  sides[0] = part_side_of(v->scene.sources, v->scene.parts, &a, pair.a, &parts_out->storage[0]);
  sides[1] = part_side_of(v->scene.sources, v->scene.parts, &b, pair.b, &parts_out->storage[1]);
  parts_out->relation = relate_part_sides(&sides[0], &sides[1], skip);
}

GEOMETRY_FUNCTION void count_refused_parts(const pair_view *v, uint32_t index, const candidate_parts *parts) {
  device_tally(device_tally_slot(&v->lists, TALLY_BY_NUMBER, index), parts->relation == PARTS_NO_PAIR ? 1u : 0u);
}

GEOMETRY_FUNCTION void stage_exact_others(uint32_t index, const pair_view *v) {
  const index_pair entries = v->lists.list[LIST_OTHERS][index];
  orientation_tally tally = {0};
  candidate_parts parts;
  relate_candidate(v, entries, &parts);
  const bool meets =
      parts.relation == PARTS_NEIGHBORS
          ? parts_meet_beyond(parts.sides, v->query.test, NULL, &tally)
          : primitives_meet(v->scene.sources, v->scene.headers, primitives_of_entries(&v->lists, entries),
                            v->query.test, v->query.skip_neighbors == 0, NULL, &tally);
  append_pair(&v->lists, meets, entries);
  device_count_tier(&v->lists, index, &tally);
}

GEOMETRY_FUNCTION bool triangle_boxes_meet(const double p[9], const double q[9]) {
  bool meet = true;
  for (int axis = 0; axis < 3; axis++) {
    const double p_low = fmin(fmin(p[axis], p[3 + axis]), p[6 + axis]);
    const double p_high = fmax(fmax(p[axis], p[3 + axis]), p[6 + axis]);
    const double q_low = fmin(fmin(q[axis], q[3 + axis]), q[6 + axis]);
    const double q_high = fmax(fmax(q[axis], q[3 + axis]), q[6 + axis]);
    meet = meet && p_low <= q_high && q_low <= p_high;
  }
  return meet;
}

GEOMETRY_FUNCTION bool triangle_boxes_within(const double p[9], const double q[9], double clearance) {
  const exact_box p_box = exact_box_of(p, 3), q_box = exact_box_of(q, 3);
  return exact_boxes_within(&p_box, &q_box, clearance);
}

GEOMETRY_FUNCTION bool boxes_of_pair_within(const scene_arrays *v, index_pair pair, double clearance) {
  const object_source *a = &v->sources[v->headers[pair.a].object], *b = &v->sources[v->headers[pair.b].object];
  const exact_box p = box_of_corners(a, corners_of(a, pair.a)), q = box_of_corners(b, corners_of(b, pair.b));
  return exact_boxes_within(&p, &q, clearance);
}

/* For queries that only compare boxes, in exact coordinates. */
GEOMETRY_FUNCTION void stage_box_pair(uint32_t index, const pair_view *v) {
  const index_pair entries = v->lists.list[LIST_CANDIDATES][index];
  const double clearance = v->query.clearance;
  bool meet;
  if (v->scene.only_triangles != 0) {
    double p[9], q[9];
    device_triangle(&v->scene, &v->lists.entries[entries.a].header, p);
    device_triangle(&v->scene, &v->lists.entries[entries.b].header, q);
    meet = clearance > 0.0 ? triangle_boxes_within(p, q, clearance) : triangle_boxes_meet(p, q);
  } else if (clearance > 0.0) {
    meet = boxes_of_pair_within(&v->scene, primitives_of_entries(&v->lists, entries), clearance);
  } else {
    meet = exact_boxes_of_pair_meet(v->scene.sources, v->scene.headers, primitives_of_entries(&v->lists, entries));
  }
  append_pair(&v->lists, meet, entries);
}

/* ---------------------------------------------------------------------------------------------- a clearance
 *
 * The exact test of all candidates of a query with a clearance, instead of filters and tests.
 *
 * Workload: every candidate once, by one thread. */

/* For two triangles in a scene of triangles only, where corners are only in headers. See candidate_is_within. */
GEOMETRY_FUNCTION bool triangles_are_within(const pair_view *v, const primitive_header *a, const primitive_header *b,
                                            orientation_tally *tally) {
  double p[9], q[9];
  device_triangle(&v->scene, a, p);
  device_triangle(&v->scene, b, q);
  if (v->query.skip_neighbors == 0 && a->object == b->object) {
    if (corner_is_repeated(a->corner) || corner_is_repeated(b->corner)) return false;
    const shared_corners shared = shared_corners_of(a->corner, b->corner);
    if (shared.count > 0) return triangle_pair_intersects_beyond(p, q, shared.count, shared.a, shared.b, tally);
  }
  return triangles_within(p, q, v->query.clearance, tally);
}

/* For two primitives of any kinds. */
GEOMETRY_FUNCTION bool primitives_are_within(const pair_view *v, index_pair pair, orientation_tally *tally) {
  const object_source *sources = v->scene.sources;
  return candidate_is_within(&sources[v->scene.headers[pair.a].object], &sources[v->scene.headers[pair.b].object], pair,
                             v->query.clearance, v->query.test, v->query.skip_neighbors == 0, NULL, tally);
}

GEOMETRY_FUNCTION void stage_within(uint32_t index, const pair_view *v) {
  const index_pair given = v->lists.list[LIST_CANDIDATES][index];
  const index_pair entries = v->scene.parts != NULL ? in_order(&v->lists, given) : given;
  const primitive_header *a = &v->lists.entries[entries.a].header, *b = &v->lists.entries[entries.b].header;
  orientation_tally tally = {0};
  candidate_parts parts;
  relate_candidate(v, entries, &parts);
  bool within = false;
  if (parts.relation == PARTS_NEIGHBORS)
    within = parts_meet_beyond(parts.sides, v->query.test, NULL, &tally);
  else if (parts.relation == PARTS_NO_PAIR)
    count_refused_parts(v, index, &parts);
  else if (v->scene.only_triangles != 0)
    within = triangles_are_within(v, a, b, &tally);
  else
    within = primitives_are_within(v, primitives_of_entries(&v->lists, entries), &tally);
  append_pair(&v->lists, within, entries);
  device_count_tier(&v->lists, index, &tally);
}

#endif
