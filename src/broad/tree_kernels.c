/* The tree kernels, compiled once per vector width. The scalar ones test one pair of nodes at a time; they are the
 * reference for the others. */
#include "broad/tree_kernels.h"

#include "base/simd.h"
#include "broad/tree_distance.h"
#include "broad/tree_node_test.h"

#if SIMD_WIDTH == 1

/* The extent of a node along an axis: by its box, and by its slab if it has one. With m the normal of a slab and any
 * number a, n . x = (n - a m) . x + a m . x: the box bounds the first term, and the slab the second. */
static inline void node_reach(const float axis[3], const tree_block *block, const tree_slab *slab_or_null,
                              uint32_t lane, float *low_out, float *high_out) {
  const float at[3] = {block->center[0][lane], block->center[1][lane], block->center[2][lane]};
  const float extent[3] = {block->half[0][lane], block->half[1][lane], block->half[2][lane]};
  const float magnitudes[3] = {fabsf(axis[0]), fabsf(axis[1]), fabsf(axis[2])};
  const float center = dot_of(axis, at), half = dot_of(magnitudes, extent);
  *low_out = center - half;
  *high_out = center + half;
  if (slab_or_null == NULL) return;
  const float normal[3] = {slab_or_null->normal[0][lane], slab_or_null->normal[1][lane], slab_or_null->normal[2][lane]};
  const float along = dot_of(axis, normal);
  float rest[3], rests[3];
  for (int i = 0; i < 3; i++) {
    rest[i] = axis[i] - along * normal[i];
    rests[i] = fabsf(rest[i]);
  }
  const float middle = dot_of(rest, at) + along * slab_or_null->middle[lane];
  const float reach = dot_of(rests, extent) + fabsf(along) * slab_or_null->half[lane];
  *low_out = middle - reach > *low_out ? middle - reach : *low_out;
  *high_out = middle + reach < *high_out ? middle + reach : *high_out;
}

static inline float square_of_gaps(const node_box *a, const node_box *b) {
  float sum = 0.0f;
  for (int axis = 0; axis < 3; axis++) {
    const float gap = fabsf(b->center[axis] - a->center[axis]) - (b->half[axis] + a->half[axis]);
    const float apart = gap > 0.0f ? gap : 0.0f;
    sum += apart * apart;
  }
  return sum;
}

/* The gaps of two nodes in the frame. With g the gap along the first direction and w = limit - g, the two are beyond
 * the limit if the squares of the other gaps exceed limit^2 - g^2 = w (2 limit - w). */
static inline bool nodes_near_in_frame(const tree_limits *limits, const tree_block *s, const tree_slab *s_slab,
                                       uint32_t i, const tree_block *t, const tree_slab *t_slab, uint32_t j,
                                       tree_gaps *gaps_out) {
  float s_low, s_high, t_low, t_high, square = 0.0f;
  for (int k = 1; k < 3; k++) {
    node_reach(limits->s_axes[k], s, NULL, i, &s_low, &s_high);
    node_reach(limits->t_axes[k], t, NULL, j, &t_low, &t_high);
    const float above = (t_low + (limits->aside[k - 1] - limits->aside_slack[k - 1])) - s_high;
    const float below = s_low - (t_high + (limits->aside[k - 1] + limits->aside_slack[k - 1]));
    const float gap = above > below ? above : below, apart = gap > 0.0f ? gap : 0.0f;
    square += apart * apart;
  }
  node_reach(limits->s_axes[0], s, s_slab, i, &s_low, &s_high);
  node_reach(limits->t_axes[0], t, t_slab, j, &t_low, &t_high);
  const float ahead = t_low - s_high, lacks = limits->most_ahead - ahead;
  const float least = lacks < limits->limit ? lacks : limits->limit;
  const float allowed = least * ((limits->limit + limits->limit) - least) * (1.0f + 0x1p-18f) + 0x1p-100f;
  gaps_out->ahead[TREE_FANOUT * i + j] = ahead;
  gaps_out->aside[TREE_FANOUT * i + j] = square;
  return ahead <= limits->most_ahead && square <= allowed;
}

static inline bool nodes_near_along_axes(const tree_limits *limits, const tree_block *s, uint32_t i,
                                         const tree_block *t, uint32_t j, float *square_out) {
  const tree_relation *relation = &limits->relation;
  const node_box own = scale_node(s, i, relation->unit_s);
  const node_box other =
      relation->aligned ? shift_node(t, j, relation->unit_t, &relation->to_s) : rotate_node(t, j, &relation->to_s);
  *square_out = square_of_gaps(&own, &other);
  if (!(*square_out <= limits->s_square) || relation->aligned) return *square_out <= limits->s_square;
  const node_box back = rotate_node(s, i, &relation->to_t), its = scale_node(t, j, relation->unit_t);
  const float square = square_of_gaps(&back, &its);
  *square_out = square > *square_out ? square : *square_out;
  return square <= limits->t_square;
}

static uint32_t near_blocks(const tree_limits *limits, const tree_block *s, const tree_slab *s_slab,
                            const tree_block *t, const tree_slab *t_slab, tree_gaps *gaps_out) {
  uint32_t bits = 0;
  for (uint32_t pair = 0; pair < DISTANCE_PAIRS; pair++) {
    const uint32_t i = pair / TREE_FANOUT, j = pair % TREE_FANOUT;
    if (lane_has_node(s, i) && lane_has_node(t, j) &&
        nodes_near_in_frame(limits, s, s_slab, i, t, t_slab, j, gaps_out) &&
        nodes_near_along_axes(limits, s, i, t, j, &gaps_out->boxes[pair]))
      bits |= 1u << pair;
  }
  return bits;
}

static uint32_t meet_blocks(const tree_relation *relation, const tree_block *s, const tree_slab *s_slab,
                            const tree_block *t, const tree_slab *t_slab) {
  return tree_blocks_meet(relation, s, s_slab, t, t_slab);
}

#else

/* Four lanes hold the four boxes of a block of T, which are compared with those of S one by one; eight lanes hold
 * them twice, and are compared with two of S at once. */
enum { AT_ONCE = SIMD_WIDTH > TREE_FANOUT ? 2 : 1 };

#if SIMD_WIDTH > 4
#define LOAD_SIBLINGS(from) simd_load_twice(from)
#define SET_EACH(values) simd_set_halves(values)
#else
#define LOAD_SIBLINGS(from) simd_load(from)
#define SET_EACH(values) simd_set(*(values))
#endif

/* Siblings in the axes and the unit of a test. */
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

/* The same, enlarged by the slack, and translated. */
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

/* Boxes around them in the axes of the other tree, enlarged by the slack. Lanes without a node get values for which
 * all comparisons are false. */
static inline lane_boxes rotate_boxes(const tree_block *block, const tree_map *map) {
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

/* Single boxes, to be compared with the lanes of others. */
typedef struct single_boxes {
  float center[3][TREE_FANOUT], half[3][TREE_FANOUT];
} single_boxes;

static inline void set_singles(single_boxes *singles, lane_boxes boxes) {
  for (int axis = 0; axis < 3; axis++) {
    simd_store_four(singles->center[axis], boxes.center[axis]);
    simd_store_four(singles->half[axis], boxes.half[axis]);
  }
}

/* Bit 4 i + j: single box i meets the box of lane j. */
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

static inline lane_slabs rotate_slabs(const tree_slab *slab, const tree_relation *relation) {
  const simd_float factor = simd_set(relation->unit_t);
  simd_float normal[3], shift[3];
  for (int axis = 0; axis < 3; axis++) {
    normal[axis] = LOAD_SIBLINGS(slab->normal[axis]);
    shift[axis] = simd_set(relation->to_t.shift[axis]);
  }
  lane_slabs slabs;
  for (int axis = 0; axis < 3; axis++) {
    const float column[3] = {relation->rotation[0][axis], relation->rotation[1][axis], relation->rotation[2][axis]};
    slabs.normal[axis] = add_three(column, normal);
  }
  slabs.middle = simd_subtract(simd_multiply(LOAD_SIBLINGS(slab->middle), factor), dot(normal, shift));
  slabs.half = simd_multiply(LOAD_SIBLINGS(slab->half), factor);
  return slabs;
}

/* Whether a slab may meet a node with a known slab and box; `along` is the product of the two normals. With n the
 * normal of the one and m that of the other, n . x = (n - a m) . x + a m . x for every number a: the box bounds the
 * first term and the slab the second. With a = n . m the remainder for the box is least. */
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

/* Compares the slab of each node i of S with the nodes of the lanes, and their slabs with node i. */
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

/* Tests along the axes of S, and across the slabs. */
static inline uint32_t meet_in_s(const tree_relation *relation, const tree_block *s, const tree_slab *s_slab,
                                 const tree_block *t, const tree_slab *t_slab) {
  const lane_boxes turned = rotate_boxes(t, &relation->to_s);
  single_boxes singles;
  set_singles(&singles, scale_boxes(s, relation->unit_s));
  const uint32_t bits = meet_singles(&singles, turned);
  if (bits == 0 || s_slab == NULL || t_slab == NULL) return bits;
  return bits & meet_slabs(relation, s_slab, &singles, turned, rotate_slabs(t_slab, relation));
}

/* Tests along the axes of T. */
static inline uint32_t meet_in_t(const tree_relation *relation, const tree_block *s, const tree_block *t) {
  single_boxes turned;
  set_singles(&turned, rotate_boxes(s, &relation->to_t));
  return meet_singles(&turned, scale_boxes(t, relation->unit_t));
}

static inline uint32_t meet_aligned(const tree_relation *relation, const tree_block *s, const tree_block *t) {
  single_boxes singles;
  set_singles(&singles, scale_boxes(s, relation->unit_s));
  return meet_singles(&singles, shift_boxes(t, relation->unit_t, &relation->to_s));
}

/* Tests along the axes of the scene, into which both are rotated. */
static inline uint32_t meet_in_scene(const tree_relation *relation, const tree_block *s, const tree_block *t) {
  single_boxes turned;
  set_singles(&turned, rotate_boxes(s, &relation->to_t));
  return meet_singles(&turned, rotate_boxes(t, &relation->to_s));
}

static uint32_t meet_blocks(const tree_relation *relation, const tree_block *s, const tree_slab *s_slab,
                            const tree_block *t, const tree_slab *t_slab) {
  if (relation->aligned) return meet_aligned(relation, s, t);
  if (relation->in_scene) return meet_in_scene(relation, s, t);
  const uint32_t bits = meet_in_s(relation, s, s_slab, t, t_slab);
  return bits != 0 ? bits & meet_in_t(relation, s, t) : 0;
}

/* ---------------------------------------------------------------------------------------------- near nodes */

/* The extents of the lanes along an axis; see node_reach. */
static inline void reach_along(const float axis[3], const lane_boxes *boxes, const lane_slabs *slabs_or_null,
                               simd_float *low_out, simd_float *high_out) {
  const float magnitudes[3] = {fabsf(axis[0]), fabsf(axis[1]), fabsf(axis[2])};
  const simd_float center = add_three(axis, boxes->center), half = add_three(magnitudes, boxes->half);
  *low_out = simd_subtract(center, half);
  *high_out = simd_add(center, half);
  if (slabs_or_null == NULL) return;
  const simd_float along = add_three(axis, slabs_or_null->normal);
  simd_float rest[3];
  for (int i = 0; i < 3; i++)
    rest[i] = simd_subtract(simd_set(axis[i]), simd_multiply(along, slabs_or_null->normal[i]));
  const simd_float middle = simd_add(dot(rest, boxes->center), simd_multiply(along, slabs_or_null->middle));
  const simd_float reach =
      simd_add(dot_magnitudes(rest, boxes->half), simd_multiply(simd_absolute(along), slabs_or_null->half));
  *low_out = simd_maximum(simd_subtract(middle, reach), *low_out);
  *high_out = simd_minimum(simd_add(middle, reach), *high_out);
}

/* Loads boxes and slabs unchanged. */
static inline void load_nodes(const tree_block *block, const tree_slab *slab_or_null, lane_boxes *boxes_out,
                              lane_slabs *slabs_out) {
  for (int axis = 0; axis < 3; axis++) {
    boxes_out->center[axis] = LOAD_SIBLINGS(block->center[axis]);
    boxes_out->half[axis] = LOAD_SIBLINGS(block->half[axis]);
    if (slab_or_null != NULL) slabs_out->normal[axis] = LOAD_SIBLINGS(slab_or_null->normal[axis]);
  }
  if (slab_or_null == NULL) return;
  slabs_out->middle = LOAD_SIBLINGS(slab_or_null->middle);
  slabs_out->half = LOAD_SIBLINGS(slab_or_null->half);
}

/* See nodes_near_in_frame. */
static inline uint32_t near_in_frame(const tree_limits *limits, const tree_block *s, const tree_slab *s_slab,
                                     const tree_block *t, const tree_slab *t_slab, tree_gaps *gaps_out) {
  float low[3][TREE_FANOUT], high[3][TREE_FANOUT];
  simd_float t_low[3], t_high[3];
  lane_boxes s_boxes, t_boxes;
  lane_slabs s_slabs, t_slabs;
  load_nodes(s, s_slab, &s_boxes, &s_slabs);
  load_nodes(t, t_slab, &t_boxes, &t_slabs);
  for (int k = 0; k < 3; k++) {
    simd_float s_low, s_high;
    reach_along(limits->s_axes[k], &s_boxes, k == 0 && s_slab != NULL ? &s_slabs : NULL, &s_low, &s_high);
    reach_along(limits->t_axes[k], &t_boxes, k == 0 && t_slab != NULL ? &t_slabs : NULL, &t_low[k], &t_high[k]);
    simd_store_four(low[k], s_low);
    simd_store_four(high[k], s_high);
    if (k == 0) continue;
    t_low[k] = simd_add(t_low[k], simd_set(limits->aside[k - 1] - limits->aside_slack[k - 1]));
    t_high[k] = simd_add(t_high[k], simd_set(limits->aside[k - 1] + limits->aside_slack[k - 1]));
  }
  const simd_float zero = simd_set(0.0f), most = simd_set(limits->most_ahead), limit = simd_set(limits->limit);
  const simd_float twice = simd_add(limit, limit), wider = simd_set(1.0f + 0x1p-18f), more = simd_set(0x1p-100f);
  uint32_t bits = 0;
  for (int i = 0; i < TREE_FANOUT; i += AT_ONCE) {
    simd_float square = zero;
    for (int k = 1; k < 3; k++) {
      const simd_float above = simd_subtract(t_low[k], SET_EACH(high[k] + i));
      const simd_float below = simd_subtract(SET_EACH(low[k] + i), t_high[k]);
      const simd_float apart = simd_maximum(simd_maximum(above, below), zero);
      square = simd_add(square, simd_multiply(apart, apart));
    }
    const simd_float ahead = simd_subtract(t_low[0], SET_EACH(high[0] + i));
    const simd_float least = simd_minimum(simd_subtract(most, ahead), limit);
    const simd_float allowed = simd_add(simd_multiply(simd_multiply(least, simd_subtract(twice, least)), wider), more);
    const simd_word mask = simd_and(simd_less_equal(ahead, most), simd_less_equal(square, allowed));
    simd_store(gaps_out->ahead + TREE_FANOUT * i, ahead);
    simd_store(gaps_out->aside + TREE_FANOUT * i, square);
    bits |= simd_bits(mask) << TREE_FANOUT * i;
  }
  return bits;
}

/* The squares of the gaps of single boxes and lanes, or the existing values if they are larger. */
static inline uint32_t near_singles(const single_boxes *singles, lane_boxes boxes, float limit, bool has_squares,
                                    float squares[DISTANCE_PAIRS]) {
  const simd_float zero = simd_set(0.0f);
  uint32_t bits = 0;
  for (int i = 0; i < TREE_FANOUT; i += AT_ONCE) {
    simd_float sum = zero;
    for (int axis = 0; axis < 3; axis++) {
      const simd_float distance = simd_absolute(simd_subtract(boxes.center[axis], SET_EACH(singles->center[axis] + i)));
      const simd_float reach = simd_add(boxes.half[axis], SET_EACH(singles->half[axis] + i));
      const simd_float apart = simd_maximum(simd_subtract(distance, reach), zero);
      sum = simd_add(sum, simd_multiply(apart, apart));
    }
    bits |= simd_bits(simd_less_equal(sum, simd_set(limit))) << TREE_FANOUT * i;
    float *place = squares + TREE_FANOUT * i;
    simd_store(place, has_squares ? simd_maximum(sum, simd_load(place)) : sum);
  }
  return bits;
}

static uint32_t near_blocks(const tree_limits *limits, const tree_block *s, const tree_slab *s_slab,
                            const tree_block *t, const tree_slab *t_slab, tree_gaps *gaps_out) {
  const tree_relation *relation = &limits->relation;
  uint32_t bits = near_in_frame(limits, s, s_slab, t, t_slab, gaps_out);
  if (bits == 0) return 0;
  single_boxes singles;
  set_singles(&singles, scale_boxes(s, relation->unit_s));
  bits &= near_singles(&singles,
                       relation->aligned ? shift_boxes(t, relation->unit_t, &relation->to_s)
                                         : rotate_boxes(t, &relation->to_s),
                       limits->s_square, false, gaps_out->boxes);
  if (bits == 0 || relation->aligned) return bits;
  set_singles(&singles, rotate_boxes(s, &relation->to_t));
  return bits & near_singles(&singles, scale_boxes(t, relation->unit_t), limits->t_square, true, gaps_out->boxes);
}

#endif

const tree_kernels SIMD_NAMED(tree_kernels) = {meet_blocks, near_blocks};
