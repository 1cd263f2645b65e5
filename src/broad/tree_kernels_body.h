/* The text of the tree kernels; included once by each file that compiles them for one vector width.
 *
 * Four lanes hold the four boxes of a block of T, and meet those of S one by one; eight hold them twice, and meet two
 * of S at once. tree_node_test.h has the same in plain arithmetic. */
#include "base/simd.h"
#include "broad/tree_kernels.h"

enum { AT_ONCE = SIMD_WIDTH > TREE_FANOUT ? 2 : 1 };

#if SIMD_WIDTH > 4
#define LOAD_SIBLINGS(from) simd_load_twice(from)
#define SET_EACH(values) simd_set_halves(values)
#else
#define LOAD_SIBLINGS(from) simd_load(from)
#define SET_EACH(values) simd_set(*(values))
#endif

/* Siblings along the axes and in the unit of a test. */
typedef struct lane_boxes {
  simd_float center[3], half[3];
} lane_boxes;

/* Boxes in their own axes. */
static inline lane_boxes scale_boxes(const tree_block *block, float unit) {
  const simd_float factor = simd_set(unit);
  lane_boxes boxes;
  for (int axis = 0; axis < 3; axis++) {
    boxes.center[axis] = simd_multiply(LOAD_SIBLINGS(block->center[axis]), factor);
    boxes.half[axis] = simd_multiply(LOAD_SIBLINGS(block->half[axis]), factor);
  }
  return boxes;
}

/* The same made larger by the slack, and moved. */
static inline lane_boxes shift_boxes(const tree_block *block, float unit, const tree_map *map) {
  lane_boxes boxes = scale_boxes(block, unit);
  for (int axis = 0; axis < 3; axis++) {
    boxes.center[axis] = simd_add(boxes.center[axis], simd_set(map->shift[axis]));
    boxes.half[axis] = simd_add(boxes.half[axis], simd_set(map->slack[axis]));
  }
  return boxes;
}

static inline simd_float add_three(const float row[3], const simd_float v[3]) {
  return simd_add(simd_add(simd_multiply(simd_set(row[0]), v[0]), simd_multiply(simd_set(row[1]), v[1])),
                  simd_multiply(simd_set(row[2]), v[2]));
}

/* Boxes around them along the axes of the other tree, made larger by the slack. Lanes without a node become such that
 * no comparison holds. */
static inline lane_boxes turn_boxes(const tree_block *block, const tree_map *map) {
  simd_float center[3], half[3];
  for (int axis = 0; axis < 3; axis++) {
    center[axis] = LOAD_SIBLINGS(block->center[axis]);
    half[axis] = LOAD_SIBLINGS(block->half[axis]);
  }
  lane_boxes boxes;
  for (int axis = 0; axis < 3; axis++) {
    boxes.center[axis] = simd_add(add_three(map->rows[axis], center), simd_set(map->shift[axis]));
    boxes.half[axis] = simd_add(add_three(map->magnitudes[axis], half), simd_set(map->slack[axis]));
  }
  return boxes;
}

/* Boxes one by one, to be compared with lanes of others. */
typedef struct single_boxes {
  float center[3][TREE_FANOUT], half[3][TREE_FANOUT];
} single_boxes;

static inline void set_singles(single_boxes *singles, lane_boxes boxes) {
  for (int axis = 0; axis < 3; axis++) {
    simd_store_four(singles->center[axis], boxes.center[axis]);
    simd_store_four(singles->half[axis], boxes.half[axis]);
  }
}

/* Bit 4 i + j: single box i meets that of lane j. */
static inline uint32_t meet_singles(const single_boxes *singles, lane_boxes boxes) {
  uint32_t bits = 0;
  for (int i = 0; i < TREE_FANOUT; i += AT_ONCE) {
    simd_word mask = simd_set_word(~0u);
    for (int axis = 0; axis < 3; axis++) {
      const simd_float distance = simd_absolute(simd_subtract(boxes.center[axis], SET_EACH(singles->center[axis] + i)));
      const simd_float reach = simd_add(boxes.half[axis], SET_EACH(singles->half[axis] + i));
      mask = simd_and(mask, simd_less_equal(distance, reach));
    }
    bits |= simd_bits(mask) << TREE_FANOUT * i;
  }
  return bits;
}

static inline simd_float dot(const simd_float a[3], const simd_float b[3]) {
  return simd_add(simd_add(simd_multiply(a[0], b[0]), simd_multiply(a[1], b[1])), simd_multiply(a[2], b[2]));
}

static inline simd_float dot_magnitudes(const simd_float a[3], const simd_float b[3]) {
  return simd_add(simd_add(simd_multiply(simd_absolute(a[0]), b[0]), simd_multiply(simd_absolute(a[1]), b[1])),
                  simd_multiply(simd_absolute(a[2]), b[2]));
}

/* Slabs of the lanes in the axes and the unit of S. */
typedef struct lane_slabs {
  simd_float normal[3], middle, half;
} lane_slabs;

static inline lane_slabs turn_slabs(const tree_slab *slab, const tree_relation *relation) {
  const simd_float factor = simd_set(relation->unit_t);
  simd_float normal[3], shift[3];
  for (int axis = 0; axis < 3; axis++) {
    normal[axis] = LOAD_SIBLINGS(slab->normal[axis]);
    shift[axis] = simd_set(relation->to_t.shift[axis]);
  }
  lane_slabs slabs;
  for (int axis = 0; axis < 3; axis++) {
    const float column[3] = {relation->turn[0][axis], relation->turn[1][axis], relation->turn[2][axis]};
    slabs.normal[axis] = add_three(column, normal);
  }
  slabs.middle = simd_subtract(simd_multiply(LOAD_SIBLINGS(slab->middle), factor), dot(normal, shift));
  slabs.half = simd_multiply(LOAD_SIBLINGS(slab->half), factor);
  return slabs;
}

/* Whether a slab may meet a node of which a slab and a box are known, with `along` the product of the two normals. With
 * n the normal of the one and m that of the other, n . x = (n - a m) . x + a m . x for every number a: the box bounds
 * the first term and the slab the second. With a = n . m what is left for the box is least. */
static inline simd_word slab_meets(const lane_slabs *slab, const lane_slabs *other, const lane_boxes *box,
                                   simd_float along) {
  simd_float rest[3];
  for (int axis = 0; axis < 3; axis++)
    rest[axis] = simd_subtract(slab->normal[axis], simd_multiply(along, other->normal[axis]));
  const simd_float middle = simd_add(dot(rest, box->center), simd_multiply(along, other->middle));
  const simd_float distance = simd_absolute(simd_subtract(middle, slab->middle));
  const simd_float reach = simd_add(dot_magnitudes(rest, box->half), simd_multiply(simd_absolute(along), other->half));
  return simd_less_equal(distance, simd_add(reach, slab->half));
}

/* The slab of each node i of S against the nodes of the lanes, and the slabs of these against node i. */
static inline uint32_t meet_slabs(const tree_relation *relation, const tree_slab *s, const single_boxes *singles,
                                  lane_boxes boxes, lane_slabs slabs) {
  const simd_float unit = simd_set(relation->unit_s), slack = simd_set(relation->slab_slack);
  uint32_t bits = 0;
  for (int i = 0; i < TREE_FANOUT; i += AT_ONCE) {
    lane_slabs own;
    lane_boxes own_boxes;
    for (int axis = 0; axis < 3; axis++) {
      own.normal[axis] = SET_EACH(s->normal[axis] + i);
      own_boxes.center[axis] = SET_EACH(singles->center[axis] + i);
      own_boxes.half[axis] = SET_EACH(singles->half[axis] + i);
    }
    own.middle = simd_multiply(SET_EACH(s->middle + i), unit);
    own.half = simd_multiply(SET_EACH(s->half + i), unit);
    const simd_float along = dot(own.normal, slabs.normal);
    lane_slabs own_thick = own, thick = slabs;
    own_thick.half = simd_add(own.half, slack);
    thick.half = simd_add(slabs.half, slack);
    const simd_word mask = slab_meets(&own_thick, &slabs, &boxes, along);
    bits |= simd_bits(simd_and(mask, slab_meets(&thick, &own, &own_boxes, along))) << TREE_FANOUT * i;
  }
  return bits;
}

/* Along the axes of S, and across the slabs. */
static inline uint32_t meet_in_s(const tree_relation *relation, const tree_block *s, const tree_slab *s_slab,
                                 const tree_block *t, const tree_slab *t_slab) {
  const lane_boxes turned = turn_boxes(t, &relation->to_s);
  single_boxes singles;
  set_singles(&singles, scale_boxes(s, relation->unit_s));
  const uint32_t bits = meet_singles(&singles, turned);
  if (bits == 0 || s_slab == NULL || t_slab == NULL) return bits;
  return bits & meet_slabs(relation, s_slab, &singles, turned, turn_slabs(t_slab, relation));
}

/* Along the axes of T. */
static inline uint32_t meet_in_t(const tree_relation *relation, const tree_block *s, const tree_block *t) {
  single_boxes turned;
  set_singles(&turned, turn_boxes(s, &relation->to_t));
  return meet_singles(&turned, scale_boxes(t, relation->unit_t));
}

static inline uint32_t meet_aligned(const tree_relation *relation, const tree_block *s, const tree_block *t) {
  single_boxes singles;
  set_singles(&singles, scale_boxes(s, relation->unit_s));
  return meet_singles(&singles, shift_boxes(t, relation->unit_t, &relation->to_s));
}

/* Along the axes of the scene, into which both are turned. */
static inline uint32_t meet_in_scene(const tree_relation *relation, const tree_block *s, const tree_block *t) {
  single_boxes turned;
  set_singles(&turned, turn_boxes(s, &relation->to_t));
  return meet_singles(&turned, turn_boxes(t, &relation->to_s));
}

static uint32_t meet(const tree_relation *relation, const tree_block *s, const tree_slab *s_slab, const tree_block *t,
                     const tree_slab *t_slab) {
  if (relation->aligned) return meet_aligned(relation, s, t);
  if (relation->in_scene) return meet_in_scene(relation, s, t);
  const uint32_t bits = meet_in_s(relation, s, s_slab, t, t_slab);
  return bits != 0 ? bits & meet_in_t(relation, s, t) : 0;
}
