/* The exact test of all candidates of a query with a clearance, instead of filters and tests.
 *
 * Workload: every candidate once, by one thread. */
#ifndef GRAZE_CUDA_STAGE_CLEARANCE_H
#define GRAZE_CUDA_STAGE_CLEARANCE_H

#include "cuda/stage_exact.h"
#include "narrow/primitive_clearance_inline.h"

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
