/* A stage's view of the scene on a device: plain structs of arrays in the device's memory and their sizes. They own
 * nothing; kernels receive views by value, functions by pointer. device_scene.c fills this one.
 *
 * Vertices are posed, measured and rounded into normalized coordinates as on the processor. */
#ifndef GRAZE_CUDA_SCENE_ARRAYS_H
#define GRAZE_CUDA_SCENE_ARRAYS_H

#include "broad/axis_map_choice.h"
#include "broad/kind_table.h"
#include "broad/part_vertices.h"

/* Warps add to one of several slots, so that they do not wait for each other. */
enum { TALLY_SLOTS = 16 };

GEOMETRY_FUNCTION uint64_t sum_slots(const uint64_t slots[TALLY_SLOTS]) {
  uint64_t sum = 0;
  for (int i = 0; i < TALLY_SLOTS; i++) sum += slots[i];
  return sum;
}

/* Zero at the start of an update. Bounds are stored as order-preserving integers, the lower ones complemented, so
 * that all of them only increase from zero, which means no vertex. */
typedef struct device_extent {
  uint64_t low[2][3], high[2][3]; /* per object if there are two; otherwise the first is of all vertices */
  uint32_t not_finite;
  uint32_t arrived; /* lanes, or blocks of threads, that have measured their vertices */
  uint64_t inverted[TALLY_SLOTS], flat[TALLY_SLOTS];
  double sample_side[SAMPLE_FIRST]; /* the longest side of the box around three corners of a sampled primitive, posed */
  double sample[SAMPLE_MOST][3]; /* posed, of sampled primitives, for the choice of the normalized cube; not cleared */
} device_extent;

/* The numbers of one object. */
typedef struct device_object {
  uint32_t public_object, public_primitive; /* numbers in pairs: of the object, and of its primitive 0 */
  uint32_t primitive_count;
  uint32_t by_number; /* element i: the slot of the object with the i-th lowest numbers in pairs */
} device_object;

typedef struct scene_arrays {
  uint32_t vertex_count, primitive_count, object_count;
  uint32_t only_triangles, only_tetrahedra; /* nonzero: all primitives are */
  float slots;                              /* as in primitive_view.h */
  const device_object *objects;
  const object_source *sources;
  const object_rule *rules;
  const part_vertices *parts; /* as in primitive_view.h */
  pair_slots excluded;        /* as in primitive_view.h */
  const primitive_header *headers;
  const uint8_t *removed; /* one per primitive; NULL: none is removed */
  /* As in primitive_ranks; NULL: pairs are sorted by the scene's numbers. */
  const uint64_t *rank_keys;
  const uint32_t *rank_primitives, *ranks;
  /* Written by an update. */
  device_extent *extent;
  normalizing_transform *normalization;
  axis_map *map; /* replaces the normalized cube if slots is not 0; otherwise NULL */
  rounded_vertex *rounded_vertices;
  const primitive_box
      *grown_boxes; /* replace boxes around vertices: see stage_crowding.h and stage_entries.h; otherwise NULL */
} scene_arrays;

/* The view of an update's stages. */
typedef struct update_view {
  scene_arrays scene;
  const uint32_t *vertex_object;
  const uint32_t *sample_vertices; /* three of each sampled primitive */
  uint32_t sample_count, vertex_lanes;
} update_view;

/* Whether an update computes separate bounds of two objects: the scene has no others. */
GEOMETRY_FUNCTION bool objects_are_measured_apart(const scene_arrays *v) {
  return v->object_count == 2;
}

#endif
