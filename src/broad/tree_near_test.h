/* Tests which nodes of two blocks may be within a limit of each other, in scalar arithmetic: the reference for the
 * kernels. */
#ifndef GRAZE_BROAD_TREE_NEAR_TEST_H
#define GRAZE_BROAD_TREE_NEAR_TEST_H

#include "broad/tree_distance.h"
#include "broad/tree_node_test.h"

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

static inline uint32_t tree_blocks_near(const tree_limits *limits, const tree_block *s, const tree_slab *s_slab,
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

#endif
