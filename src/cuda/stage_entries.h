/* The stages that build the grid: each primitive gets its bucket and its rank there; after a prefix sum of the counts
 * it writes its entry. Ranks depend on thread timing: entries of a bucket may be in any order, and no result depends on
 * it.
 *
 * Workload: every primitive twice, three vertices of 16 bytes read each time; 8 bytes written, then 64. */
#ifndef GRAZE_CUDA_STAGE_ENTRIES_H
#define GRAZE_CUDA_STAGE_ENTRIES_H

#include "broad/clearance_growth.h"
#include "cuda/cell_box.h"
#include "cuda/device_atomic.h"
#include "cuda/pair_view.h"
#include "geometry/bits.h"

GEOMETRY_FUNCTION void include_rounded_vertex(primitive_box *box, rounded_vertex vertex) {
  const float low[3] = {vertex.x - vertex.error, vertex.y - vertex.error, vertex.z - vertex.error};
  const float high[3] = {vertex.x + vertex.error, vertex.y + vertex.error, vertex.z + vertex.error};
  for (int axis = 0; axis < 3; axis++) {
    box->min[axis] = low[axis] < box->min[axis] ? low[axis] : box->min[axis];
    box->max[axis] = high[axis] > box->max[axis] ? high[axis] : box->max[axis];
  }
}

GEOMETRY_FUNCTION primitive_box device_box(const scene_arrays *v, const primitive_header *header, uint32_t primitive) {
  if (v->grown_boxes != NULL) return v->grown_boxes[primitive];
  primitive_box box = {{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};
  for (int i = 0; i < 3; i++) include_rounded_vertex(&box, v->rounded_vertices[header->corner[i]]);
  if (v->only_triangles != 0) return box;
  const object_source *source = &v->sources[header->object];
  const corner_list corners = corners_of(source, primitive);
  for (uint32_t i = 3; i < corners.count; i++)
    include_rounded_vertex(&box, v->rounded_vertices[source->first_vertex + corners.vertices[i]]);
  return box;
}

/* Computed from its vertices again: few entries need it. */
GEOMETRY_FUNCTION primitive_box box_of_entry(const pair_view *v, uint32_t entry) {
  const primitive_header header = v->lists.entries[entry].header;
  return device_box(&v->scene, &header, v->lists.entries[entry].primitive);
}

GEOMETRY_FUNCTION float longest_side(const primitive_box *box) {
  const float x = box->max[0] - box->min[0], y = box->max[1] - box->min[1], z = box->max[2] - box->min[2];
  const float longer = x > y ? x : y;
  return longer > z ? longer : z;
}

/* Whether the previous thread marks the same line in the same blocks. Called by all threads of the warp together. */
GEOMETRY_FUNCTION bool is_marked_before(device_cell cell, uint32_t level, int32_t first_x, int32_t last_x) {
  const uint32_t together = device_together();
  const bool same_y = thread_before_has(together, (uint32_t)cell.y),
             same_z = thread_before_has(together, (uint32_t)cell.z);
  const bool same_first = thread_before_has(together, (uint32_t)first_x);
  const bool same_last = thread_before_has(together, (uint32_t)last_x);
  const bool same_level = thread_before_has(together, level);
  return same_y && same_z && same_first && same_last && same_level;
}

/* Marks the line of the cell in every block from which entries search it: those whose lower corners are nearer than
 * the longest box. These are one or two blocks along each axis. */
GEOMETRY_FUNCTION void mark_line(const grid_view *v, device_cell cell, uint32_t level) {
  const int32_t reach = 1 << v->pairs.entries.reach_bits, reach_x = reach << CELL_X_BITS;
  const device_cell low = {cell.x - reach_x, cell.y - reach, cell.z - reach};
  const device_cell high = {cell.x + reach_x, cell.y + reach, cell.z + reach};
  const device_cell first = device_marked_block_of(low, v->pairs.entries.reach_bits);
  const device_cell last = device_marked_block_of(high, v->pairs.entries.reach_bits);
  if (is_marked_before(cell, level, first.x, last.x)) return;
  for (int32_t i = 0; i < 8; i++) {
    const device_cell block = {i % 2 == 0 ? first.x : last.x, i / 2 % 2 == 0 ? first.y : last.y,
                               i / 4 == 0 ? first.z : last.z};
    const bool again =
        (i % 2 != 0 && first.x == last.x) || (i / 2 % 2 != 0 && first.y == last.y) || (i / 4 != 0 && first.z == last.z);
    const uint32_t bit = device_mark_place(cell.y, block.y, BLOCK_Y_BITS) |
                         device_mark_place(cell.z, block.z, BLOCK_Z_BITS) << MARK_ROW_BITS;
    if (!again) device_set_mark(&v->marks[device_marks_of(block, level, v->marked_blocks)], UINT64_C(1) << bit);
  }
}

/* Whether a primitive of the object can be in a pair at all. */
GEOMETRY_FUNCTION bool object_takes_part(const pair_view *v, uint32_t object) {
  return (v->query.between != 0 && v->scene.object_count > 1) || (v->query.within != 0 && v->scene.rules[object].self);
}

GEOMETRY_FUNCTION bool is_removed(const scene_arrays *v, uint32_t primitive) {
  return v->removed != NULL && v->removed[primitive] != 0;
}

/* The offset of the levels of an object. */
GEOMETRY_FUNCTION uint32_t side_of_object(const query_view *v, uint32_t object) {
  if (v->sides == SIDES_NONE) return 0;
  return object == (v->sides == SIDES_OF_FOCUS ? v->focus->query.objects[1] : 1u) ? SECOND_SIDE : 0u;
}

enum { MOST_LIFTED_LEVELS = 2 }; /* see device_update.h */

GEOMETRY_FUNCTION uint32_t level_of_box(const pair_view *v, uint32_t object, const primitive_box *box) {
  const uint32_t own = device_level_of(longest_side(box), v->entries.reach_bits), floor = v->entries.floor_level;
  const bool lifted = own < floor && floor - own <= MOST_LIFTED_LEVELS;
  return (lifted ? floor : own) + side_of_object(&v->query, object);
}

/* Finds the bucket of a primitive with this box, and its rank there; returns its level. */
GEOMETRY_FUNCTION uint32_t place_box(const grid_view *v, uint32_t object, uint32_t primitive, const primitive_box *box,
                                     uint32_t *bucket_out) {
  const uint32_t level = level_of_box(&v->pairs, object, box);
  const device_cell cell = device_cell_of(box->min, device_inverse_side(level));
  *bucket_out = device_bucket(device_cell_place(cell, level), v->bucket_count);
  const counted_one counted = device_count_in(v->bucket_start, *bucket_out);
  mark_line(v, cell, level); /* hides the latency of the atomic */
  v->rank_of[primitive] = device_counted_before(counted);
  return level;
}

/* Records a level that has primitives; NO_LEVEL: none. */
#define NO_LEVEL UINT32_MAX

GEOMETRY_FUNCTION void record_level(const pair_view *v, uint32_t level) {
  const bool second = level != NO_LEVEL && level >= SECOND_SIDE;
  const uint32_t bit = level != NO_LEVEL ? 1u << level % SECOND_SIDE : 0u;
  device_set_bits(&v->lists.totals->level_mask[0], second ? 0u : bit);
  if (v->query.sides != SIDES_NONE) device_set_bits(&v->lists.totals->level_mask[1], second ? bit : 0u);
}

/* Whether the box of a primitive is near the other of two objects; true if two objects are not searched separately. */
GEOMETRY_FUNCTION bool comes_near_other(const pair_view *v, uint32_t object, const primitive_box *box) {
  if (v->query.sides == SIDES_NONE || !objects_are_measured_apart(&v->scene)) return true;
  const int other = object == 0 ? 1 : 0;
  exact_box bounds;
  if (v->scene.extent->high[other][0] == 0) return false; /* the other object has no vertices */
  for (int axis = 0; axis < 3; axis++) {
    bounds.min[axis] = ordered_value(~v->scene.extent->low[other][axis]);
    bounds.max[axis] = ordered_value(v->scene.extent->high[other][axis]);
  }
  const focus_box around = focus_box_of(&bounds, v->scene.normalization, v->scene.slots);
  return boxes_meet(box, &around.outer);
}

/* Selects the primitives of the grid: those that may be in a requested pair. */
GEOMETRY_FUNCTION void stage_box(uint32_t primitive, const grid_view *v) {
  const primitive_header header = v->pairs.scene.headers[primitive];
  uint32_t level = NO_LEVEL, bucket = (uint32_t)BUCKET_NONE;
  if (!is_removed(&v->pairs.scene, primitive) && object_takes_part(&v->pairs, header.object)) {
    const primitive_box box = device_box(&v->pairs.scene, &header, primitive);
    if (comes_near_other(&v->pairs, header.object, &box)) level = place_box(v, header.object, primitive, &box, &bucket);
  }
  v->bucket_of[primitive] = bucket;
  record_level(&v->pairs, level);
}

/* Stores the corners of a tetrahedron, which the search and the filters read next to its entry. */
GEOMETRY_FUNCTION void keep_corners(const pair_view *v, const primitive_header *header, uint32_t primitive,
                                    uint32_t place) {
  const object_source *source = &v->scene.sources[header->object];
  if (kind_batch_of(source->kind) != BATCH_TETRAHEDRA) return;
  solid_corners solid;
  for (int i = 0; i < 3; i++) solid.vertex[i] = header->corner[i];
  solid.vertex[3] = source->first_vertex + corners_of(source, primitive).vertices[3];
  v->entries.entry_solids[place] = solid;
}

#if defined(__CUDACC__)
/* Exchanges values with the adjacent thread. */
static __device__ inline uint4 exchange_row(unsigned together, uint4 given) {
  return make_uint4(__shfl_xor_sync(together, given.x, 1), __shfl_xor_sync(together, given.y, 1),
                    __shfl_xor_sync(together, given.z, 1), __shfl_xor_sync(together, given.w, 1));
}
#endif

/* A device writes 32 bytes at once, but a thread stores 16: two adjacent threads store the halves of one thread's
 * entry, then those of the other's. */
GEOMETRY_FUNCTION void store_entry(device_entry *to, const device_entry *entry) {
#if defined(__CUDA_ARCH__)
  const unsigned together = __activemask(), lane = threadIdx.x & 31u;
  const bool odd = (lane & 1u) != 0;
  uint4 half[2];
  memcpy(half, entry, sizeof half);
  uint4 *own = (uint4 *)(void *)to;
  const uint4 theirs = exchange_row(together, odd ? half[0] : half[1]);
  uint4 *other = (uint4 *)__shfl_xor_sync(together, (unsigned long long)(uintptr_t)own, 1);
  if ((together >> (lane ^ 1u) & 1u) == 0) { /* the other thread has no entry */
    own[0] = half[0];
    own[1] = half[1];
    return;
  }
  (odd ? other : own)[odd] = odd ? theirs : half[0];
  (odd ? own : other)[odd] = odd ? half[1] : theirs;
#else
  *to = *entry;
#endif
}

GEOMETRY_FUNCTION void write_entry(const pair_view *v, uint32_t primitive, uint32_t place) {
  const primitive_header header = v->scene.headers[primitive];
  const primitive_box box = device_box(&v->scene, &header, primitive);
  const device_entry entry = {header, {box.min[0], box.min[1], box.min[2]}, primitive};
  const uint32_t level = level_of_box(v, header.object, &box);
  const float inverse_side = device_inverse_side(level);
  const device_cell cell = device_cell_of(box.min, inverse_side);
  const uint32_t cell_key = device_cell_key(cell, level, device_block_hash(device_block_of(cell), level));
  store_entry(&v->lists.entries[place], &entry);
  v->entries.cell_boxes[place] = stored_cell_box(&box, cell, cell_key, inverse_side, v->entries.reach_bits);
  if (v->entries.entry_boxes != NULL) v->entries.entry_boxes[place].box = box;
  if (v->entries.entry_solids != NULL) keep_corners(v, &header, primitive, place);
}

GEOMETRY_FUNCTION void stage_entry(uint32_t primitive, const grid_view *v) {
  const uint32_t bucket = v->bucket_of[primitive];
  if (primitive == 0) v->pairs.lists.totals->entry_count = v->bucket_start[v->bucket_slots];
  if (bucket != (uint32_t)BUCKET_NONE)
    write_entry(&v->pairs, primitive, v->bucket_start[bucket] + v->rank_of[primitive]);
}

/* The stage before entries for a query with a clearance: writes the box of a primitive, larger by half of the clearance
 * on each side, from which its entry is made. Scenes of triangles only have corners only in headers. */
GEOMETRY_FUNCTION void stage_clearance_box(uint32_t primitive, const grid_view *v) {
  scene_arrays scene = v->pairs.scene;
  const primitive_header header = scene.headers[primitive];
  const object_source *source = &scene.sources[header.object];
  const double clearance = v->pairs.query.clearance;
  scene.grown_boxes = NULL;
  if (is_removed(&scene, primitive)) return;
  if (scene.slots == 0.0f) {
    const primitive_box box = device_box(&scene, &header, primitive);
    v->clearance_boxes[primitive] = box_grown(&box, clearance_growth(clearance, scene.normalization->scale));
    return;
  }
  uint32_t own[3];
  for (int i = 0; i < 3; i++) own[i] = header.corner[i] - source->first_vertex;
  const corner_list three = {own, 3};
  const corner_list corners = source->corners != NULL ? corners_of(source, primitive) : three;
  v->clearance_boxes[primitive] = bent_box_grown(source, corners, clearance, scene.map);
}

#endif
