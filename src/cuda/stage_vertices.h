/* The stages of an update: poses and bounds, the normalization, vertices rounded, volumes of tetrahedra.
 *
 * Workload: every vertex twice, 12 or 24 bytes read and 16 written; posed both times, because posed vertices are not
 * stored. */
#ifndef GRAZE_CUDA_STAGE_VERTICES_H
#define GRAZE_CUDA_STAGE_VERTICES_H

#include "cuda/device_atomic.h"
#include "cuda/scene_arrays.h"
#include "geometry/bits.h"
#include "geometry/orientation.h"

/* Computes a vertex of an object after its pose; returns the object's source. */
GEOMETRY_FUNCTION const object_source *posed_position_of(const scene_arrays *v, uint32_t object, uint32_t vertex,
                                                         double position_out[3]) {
  const object_source *source = &v->sources[object];
  fetch_vertex(source, vertex - source->first_vertex, position_out);
  return source;
}

GEOMETRY_FUNCTION const object_source *posed_position(const update_view *v, uint32_t vertex, double position_out[3]) {
  return posed_position_of(&v->scene, v->vertex_object[vertex], vertex, position_out);
}

GEOMETRY_FUNCTION uint64_t higher_bits(const uint64_t *a, const uint64_t *b) {
  const uint64_t x = device_read(a), y = device_read(b);
  return x > y ? x : y;
}

/* The bounds of all vertices. */
GEOMETRY_FUNCTION vertex_bounds measured_bounds(const device_extent *extent) {
  vertex_bounds bounds;
  bounds.finite = true;
  for (int axis = 0; axis < 3; axis++) {
    bounds.low[axis] = ordered_value(~higher_bits(&extent->low[0][axis], &extent->low[1][axis]));
    bounds.high[axis] = ordered_value(higher_bits(&extent->high[0][axis], &extent->high[1][axis]));
  }
  return bounds;
}

GEOMETRY_FUNCTION normalizing_transform measured_state(const device_extent *extent) {
  const vertex_bounds bounds = measured_bounds(extent);
  return choose_normalization(&bounds);
}

/* Bounds per object for scenes of two, which a query between them needs; otherwise the first covers all vertices. */
typedef struct posed_bounds {
  vertex_bounds of[2];
} posed_bounds;

GEOMETRY_FUNCTION void include_vertex(const object_source *source, uint32_t vertex, const double position[3],
                                      vertex_bounds *bounds) {
  double low[3] = {position[0], position[1], position[2]}, high[3] = {position[0], position[1], position[2]};
  bounds->finite = bounds->finite && position_is_finite(position);
  if (source->radii != NULL) bound_ball(position, radius_at(source, vertex - source->first_vertex), low, high);
  for (int axis = 0; axis < 3; axis++) {
    bounds->low[axis] = low[axis] < bounds->low[axis] ? low[axis] : bounds->low[axis];
    bounds->high[axis] = high[axis] > bounds->high[axis] ? high[axis] : bounds->high[axis];
  }
}

/* Records the first corner of a sampled primitive, and its length. */
GEOMETRY_FUNCTION void stage_sample(uint32_t number, const update_view *v) {
  vertex_bounds bounds = {{DBL_MAX, DBL_MAX, DBL_MAX}, {-DBL_MAX, -DBL_MAX, -DBL_MAX}, true};
  for (uint32_t corner = 0; corner < 3; corner++) {
    const uint32_t vertex = v->sample_vertices[3u * number + corner];
    double position[3];
    const object_source *source = posed_position(v, vertex, position);
    include_vertex(source, vertex, position, &bounds);
    for (int axis = 0; axis < 3 && corner == 0; axis++) v->scene.extent->sample[number][axis] = position[axis];
  }
  double longest = 0.0;
  for (int axis = 0; axis < 3; axis++) {
    const double side = bounds.high[axis] - bounds.low[axis];
    longest = side > longest ? side : longest;
  }
  if (number < SAMPLE_FIRST) v->scene.extent->sample_side[number] = longest;
}

/* Poses every stride-th vertex from the first on and returns their bounds. The object of the next vertex is
 * prefetched. */
GEOMETRY_FUNCTION posed_bounds pose_vertices(const update_view *v, uint32_t first, uint32_t stride) {
  const vertex_bounds none = {{DBL_MAX, DBL_MAX, DBL_MAX}, {-DBL_MAX, -DBL_MAX, -DBL_MAX}, true};
  posed_bounds bounds;
  bounds.of[0] = bounds.of[1] = none;
  uint32_t next_object = first < v->scene.vertex_count ? v->vertex_object[first] : 0;
  for (uint64_t vertex = first; vertex < v->scene.vertex_count; vertex += stride) {
    const uint64_t next = vertex + stride;
    const uint32_t object = next_object;
    next_object = v->vertex_object[next < v->scene.vertex_count ? next : vertex];
    double position[3];
    const object_source *source = posed_position_of(&v->scene, object, (uint32_t)vertex, position);
    if (objects_are_measured_apart(&v->scene) && source == &v->scene.sources[1])
      include_vertex(source, (uint32_t)vertex, position, &bounds.of[1]);
    else
      include_vertex(source, (uint32_t)vertex, position, &bounds.of[0]);
  }
  return bounds;
}

/* Every stride-th of the six bounds from the first on: each lane of a warp updates one, because each is a round trip
 * to memory. */
GEOMETRY_FUNCTION void raise_bounds(const update_view *v, const vertex_bounds *bounds, int object, uint32_t first,
                                    uint32_t stride) {
  if (!bounds->finite) device_set_bits(&v->scene.extent->not_finite, 1);
  for (uint32_t i = first; i < 6 && bounds->low[0] <= bounds->high[0]; i += stride) {
    const uint32_t axis = i % 3;
    if (i < 3)
      device_raise_once(&v->scene.extent->low[object][axis], ~ordered_bits(bounds->low[axis]));
    else
      device_raise_once(&v->scene.extent->high[object][axis], ordered_bits(bounds->high[axis]));
  }
}

GEOMETRY_FUNCTION void raise_extent(const update_view *v, const posed_bounds *bounds, uint32_t first, uint32_t stride) {
  raise_bounds(v, &bounds->of[0], 0, first, stride);
  if (objects_are_measured_apart(&v->scene)) raise_bounds(v, &bounds->of[1], 1, first, stride);
}

/* Of `arriving` updates of the extent, the last one computes the normalization. */
GEOMETRY_FUNCTION void arrive_at_extent(const update_view *v, uint32_t arriving) {
  if (device_arrives_last(&v->scene.extent->arrived, arriving))
    *v->scene.normalization = measured_state(v->scene.extent);
}

/* A device measures by blocks of threads (cuda_vertices.cu), so that there are few updates of the extent. */
GEOMETRY_FUNCTION void stage_pose(uint32_t lane, const update_view *v) {
  const posed_bounds bounds = pose_vertices(v, lane, v->vertex_lanes);
  raise_extent(v, &bounds, 0, 1);
  arrive_at_extent(v, v->vertex_lanes);
}

GEOMETRY_FUNCTION void stage_rounding(uint32_t vertex, const update_view *v) {
  double position[3];
  const object_source *source = posed_position(v, vertex, position);
  const normalizing_transform state = *v->scene.normalization;
  const bool moves = normalization_moves(&state);
  v->scene.rounded_vertices[vertex] =
      source->radii == NULL ? round_vertex(position, &state, moves)
                            : round_ball(position, radius_at(source, vertex - source->first_vertex), &state, moves);
}

/* Replaces or repeats the rounding if the host has chosen a map, from the samples of this frame or an earlier one. */
GEOMETRY_FUNCTION void stage_rounding_mapped(uint32_t vertex, const update_view *v) {
  double position[3];
  const object_source *source = posed_position(v, vertex, position);
  axis_place place = axis_place_first(v->scene.map);
  v->scene.rounded_vertices[vertex] =
      source->radii == NULL ? mapped_vertex_of(position, v->scene.map, &place)
                            : mapped_ball_of(position, radius_at(source, vertex - source->first_vertex), v->scene.map);
}

/* Counts tetrahedra that are inverted or have no volume. */
GEOMETRY_FUNCTION void stage_volume(uint32_t primitive, const update_view *v) {
  if (v->scene.removed != NULL && v->scene.removed[primitive] != 0) return;
  const object_source *source = &v->scene.sources[v->scene.headers[primitive].object];
  if (!kind_has_orientation(source->kind)) return;
  const corner_list corners = corners_of(source, primitive);
  double p[12];
  orientation_tally tally = {0};
  for (int i = 0; i < 4; i++) fetch_vertex(source, corners.vertices[i], p + 3 * i);
  const int sign = orientation_3d(p, p + 3, p + 6, p + 9, &tally);
  device_tally(&v->scene.extent->inverted[(primitive >> 5) % TALLY_SLOTS], sign < 0 ? 1u : 0u);
  device_tally(&v->scene.extent->flat[(primitive >> 5) % TALLY_SLOTS], sign == 0 ? 1u : 0u);
}

#endif
