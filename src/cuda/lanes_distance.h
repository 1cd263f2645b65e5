/* The nearest primitives of two bodies, found by cooperating lanes: branch and bound on their trees, like
 * nearest_search.c.
 *
 * Best first: pairs of blocks wait in a list, and each step visits the two with the least bounds, one pair of nodes per
 * lane. Until a first pair of primitives is measured, and while the list is long, pairs of the lowest level come first:
 * each level then adds at most 32 pairs, and the list never overflows. Leaves wait until there are as many as lanes,
 * and are measured one pair per lane.
 *
 * The result is the lowest (distance, pair) of all, by the rounded distance of hulls_distance, as on the host: a pair
 * of nodes is pruned only if no primitives below it can have a lower or an equal distance. The result does not depend
 * on the order of the search.
 *
 * Workload: 10^2 to 10^4 pairs of blocks and 10 to 10^3 pairs of primitives for two bodies. */
#ifndef GRAZE_CUDA_LANES_DISTANCE_H
#define GRAZE_CUDA_LANES_DISTANCE_H

#include "cuda/frame_distance.h"
#include "cuda/lane_group.h"
#include "cuda/piece_measure.h"

enum {
  NEAREST_LONG = 256, /* number of entries from which on the lowest level comes first */
  NEAREST_CAPACITY = NEAREST_LONG + (TREE_LEVELS + 1) * (int)LANE_COUNT,
  NEAREST_LEAVES = 2 * (int)LANE_COUNT
};

/* The shared memory of the lanes. */
typedef struct nearest_shared {
  float keys[NEAREST_CAPACITY]; /* a lower bound; instead of 0 a negative number, lower for nearer centers */
  uint32_t s[NEAREST_CAPACITY], t[NEAREST_CAPACITY];
  uint8_t levels[NEAREST_CAPACITY]; /* of the children */
  float leaf_keys[NEAREST_LEAVES];
  uint32_t s_leaf[NEAREST_LEAVES], t_leaf[NEAREST_LEAVES];
  pose_side sides[2];
  tree_layout layouts[2];
  frame_map map;
  distance_frame frames[FRAME_COUNT];
  tree_relation relation;
} nearest_shared;

/* The same values in all lanes. */
typedef struct lanes_nearest {
  const scene_arrays *scene;
  const forest_view *forest;
  nearest_shared *shared;
  double bound; /* farther pairs are not requested; may be infinite */
  double margin;
  uint32_t count, leaf_count;
  /* The best of all bodies searched so far. */
  bool any, is_open;
  bool any_contact; /* a pair that touches ends the search */
  double distance;
  uint64_t ranks;
  uint32_t pair, a, b; /* of bodies, and the primitives of both */
} lanes_nearest;

GEOMETRY_FUNCTION double lanes_farthest(const lanes_nearest *nearest) {
  if (!nearest->any) return nearest->bound + nearest->margin;
  return nearest->distance > 0.0 ? nearest->distance + nearest->margin : 0.0;
}

GEOMETRY_FUNCTION bool lanes_meets(const lanes_nearest *nearest) {
  return nearest->any && nearest->distance == 0.0;
}

/* Whether no other pair is requested, or the host decides. */
GEOMETRY_FUNCTION bool lanes_is_over(const lanes_nearest *nearest) {
  return nearest->is_open || (nearest->any_contact && lanes_meets(nearest));
}

/* ---------------------------------------------------------------------------------------------- the list */

/* Maps a float to 32 bits with the same order. */
GEOMETRY_FUNCTION uint32_t ordered_float(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits >> 31 != 0 ? ~bits : bits | 0x80000000u;
}

/* Sorts by level first if `by_level`, then by key; the lowest bits are the place. */
GEOMETRY_FUNCTION uint64_t entry_order(const nearest_shared *shared, uint32_t place, bool by_level) {
  const uint64_t level = by_level ? shared->levels[place] : 0;
  return level << 48 | (uint64_t)ordered_float(shared->keys[place]) << 16 | place;
}

/* Two entries taken from the list; the second may be missing. */
typedef struct entry_pair {
  uint32_t s[2], t[2], level[2];
  uint32_t count;
} entry_pair;

GEOMETRY_FUNCTION void remove_entry(lanes_nearest *nearest, uint32_t place) {
  nearest_shared *shared = nearest->shared;
  const uint32_t last = --nearest->count;
  lanes_join();
  FOR_LANES(lane) {
    if (lane != 0 || place == last) continue;
    shared->keys[place] = shared->keys[last];
    shared->s[place] = shared->s[last];
    shared->t[place] = shared->t[last];
    shared->levels[place] = shared->levels[last];
  }
  lanes_join();
}

/* Takes the next two entries that may be near enough. */
GEOMETRY_FUNCTION entry_pair take_entries(lanes_nearest *nearest) {
  const nearest_shared *shared = nearest->shared;
  const bool by_level = !nearest->any || lanes_meets(nearest) || nearest->count > NEAREST_LONG;
  const double farthest = lanes_farthest(nearest);
  uint64_t least[LANE_ELEMENTS];
  uint32_t places[2] = {0, 0};
  entry_pair taken;
  taken.count = 0;
  FOR_LANES(lane) {
    OF_LANE(least, lane) = UINT64_MAX;
    for (uint32_t place = lane; place < nearest->count; place += LANE_COUNT) {
      const uint64_t order = entry_order(shared, place, by_level);
      if ((double)shared->keys[place] <= farthest && order < OF_LANE(least, lane)) OF_LANE(least, lane) = order;
    }
  }
  for (uint32_t i = 0; i < 2; i++) {
    const uint64_t first = lanes_least(least);
    if (first == UINT64_MAX) break;
    const uint32_t place = (uint32_t)(first & 0xffffu);
    if (i == 1 && by_level && shared->levels[place] != taken.level[0]) break;
    places[i] = place;
    taken.s[i] = shared->s[place];
    taken.t[i] = shared->t[place];
    taken.level[i] = shared->levels[place];
    taken.count++;
    FOR_LANES(lane) {
      if (lane == place % LANE_COUNT) OF_LANE(least, lane) = UINT64_MAX;
    }
  }
  if (taken.count == 0) {
    nearest->count = 0;
  } else if (taken.count == 2) {
    remove_entry(nearest, places[0] > places[1] ? places[0] : places[1]);
    remove_entry(nearest, places[0] < places[1] ? places[0] : places[1]);
  } else {
    remove_entry(nearest, places[0]);
  }
  return taken;
}

/* ---------------------------------------------------------------------------------------------- leaves */

GEOMETRY_FUNCTION uint64_t ranks_of_primitives(const scene_arrays *scene, uint32_t a, uint32_t b) {
  const uint64_t p = scene->ranks != NULL ? scene->ranks[a] : a, q = scene->ranks != NULL ? scene->ranks[b] : b;
  return p < q ? p << 32 | q : q << 32 | p;
}

GEOMETRY_FUNCTION void set_nearest_frame(lanes_nearest *nearest, const double direction[3]) {
  nearest_shared *shared = nearest->shared;
  const distance_frame frame = distance_frame_along(&shared->map, shared->sides[0].posed, direction);
  lanes_join();
  FOR_LANES(lane) {
    if (lane == 0) shared->frames[FRAME_NEAREST] = frame;
  }
  lanes_join();
}

/* The measures of the lanes. */
typedef struct lane_measures {
  uint64_t order[LANE_ELEMENTS], ranks[LANE_ELEMENTS]; /* UINT64_MAX: none */
  uint32_t a[LANE_ELEMENTS], b[LANE_ELEMENTS];
  double distance[LANE_ELEMENTS], direction[3][LANE_ELEMENTS];
  bool is_open[LANE_ELEMENTS];
} lane_measures;

/* Takes the lowest measure if it is below the best. */
GEOMETRY_FUNCTION void take_measures(lanes_nearest *nearest, const lane_measures *measured) {
  uint64_t ranks[LANE_ELEMENTS];
  bool is_first[LANE_ELEMENTS];
  if (lanes_vote(measured->is_open) != 0) nearest->is_open = true;
  const uint64_t least = lanes_least(measured->order);
  if (least == UINT64_MAX) return;
  FOR_LANES(lane) {
    OF_LANE(ranks, lane) = OF_LANE(measured->order, lane) == least ? OF_LANE(measured->ranks, lane) : UINT64_MAX;
  }
  const uint64_t first = lanes_least(ranks);
  FOR_LANES(lane) {
    OF_LANE(is_first, lane) = OF_LANE(measured->order, lane) == least && OF_LANE(ranks, lane) == first;
  }
  const uint32_t winner = lowest_bit(lanes_vote(is_first));
  const double distance = lanes_take(measured->distance, winner);
  if (nearest->any && !(distance < nearest->distance) && !(distance == nearest->distance && first < nearest->ranks))
    return;
  const bool is_nearer = !nearest->any || distance < nearest->distance;
  nearest->any = true;
  nearest->distance = distance;
  nearest->ranks = first;
  nearest->a = lanes_take_number(measured->a, winner);
  nearest->b = lanes_take_number(measured->b, winner);
  if (!is_nearer || distance == 0.0) return;
  double direction[3];
  for (int axis = 0; axis < 3; axis++) direction[axis] = lanes_take(measured->direction[axis], winner);
  set_nearest_frame(nearest, direction);
}

/* Measures the last waiting leaves, at most one per lane. */
GEOMETRY_FUNCTION void measure_leaves(lanes_nearest *nearest) {
  const nearest_shared *shared = nearest->shared;
  const uint32_t taken = nearest->leaf_count < LANE_COUNT ? nearest->leaf_count : LANE_COUNT;
  const uint32_t first = nearest->leaf_count - taken;
  const uint32_t *s_leaves = nearest->forest->leaves + shared->sides[0].body->first_leaf;
  const uint32_t *t_leaves = nearest->forest->leaves + shared->sides[1].body->first_leaf;
  piece_limits limits;
  lane_measures measured;
  limits.farthest = lanes_farthest(nearest);
  limits.margin = nearest->margin;
  limits.only_meeting = lanes_meets(nearest);
  FOR_LANES(lane) {
    OF_LANE(measured.order, lane) = OF_LANE(measured.ranks, lane) = UINT64_MAX;
    OF_LANE(measured.is_open, lane) = false;
    OF_LANE(measured.a, lane) = OF_LANE(measured.b, lane) = 0;
    OF_LANE(measured.distance, lane) = 0.0;
    for (int axis = 0; axis < 3; axis++) OF_LANE(measured.direction[axis], lane) = 0.0;
    if (lane < taken && (double)shared->leaf_keys[first + lane] <= limits.farthest) {
      index_pair pair;
      pair.a = s_leaves[shared->s_leaf[first + lane]];
      pair.b = t_leaves[shared->t_leaf[first + lane]];
      const uint64_t ranks = ranks_of_primitives(nearest->scene, pair.a, pair.b);
      if (!limits.only_meeting || ranks < nearest->ranks) {
        const piece_distance found =
            primitives_measure(nearest->scene, &shared->sides[0].source, &shared->sides[1].source, pair, &limits);
        OF_LANE(measured.is_open, lane) = found.is_open;
        if (found.any) {
          OF_LANE(measured.order, lane) = ordered_bits(found.distance);
          OF_LANE(measured.ranks, lane) = ranks;
        }
        OF_LANE(measured.a, lane) = pair.a;
        OF_LANE(measured.b, lane) = pair.b;
        OF_LANE(measured.distance, lane) = found.distance;
        for (int axis = 0; axis < 3; axis++) OF_LANE(measured.direction[axis], lane) = found.direction[axis];
      }
    }
  }
  nearest->leaf_count = first;
  take_measures(nearest, &measured);
}

/* ---------------------------------------------------------------------------------------------- nodes */

GEOMETRY_FUNCTION bool lane_holds_node(const tree_block *block, uint32_t lane) {
  return block->half[0][lane] >= 0.0f;
}

/* The key of two nodes; infinite if they are pruned. */
GEOMETRY_FUNCTION float key_of_nodes(const lanes_nearest *nearest, const tree_block *s, const tree_slab *s_slab,
                                     uint32_t i, const tree_block *t, const tree_slab *t_slab, uint32_t j) {
  const nearest_shared *shared = nearest->shared;
  const double farthest = lanes_farthest(nearest);
  if (!lane_holds_node(s, i) || !lane_holds_node(t, j)) return HUGE_VALF;
  if (lanes_meets(nearest)) return tree_nodes_meet(&shared->relation, s, s_slab, t, t_slab, i, j) ? -1.0f : HUGE_VALF;
  double bound = frame_distance(&shared->frames[FRAME_NEAREST], s, s_slab, i, t, t_slab, j);
  for (int frame = FRAME_S; frame < FRAME_COUNT && !(bound > farthest); frame++)
    bound = fmax(bound, frame_distance(&shared->frames[frame], s, NULL, i, t, NULL, j));
  if (bound > farthest) return HUGE_VALF;
  if (bound > 0x1p-120) return (float)(fmin(bound, 0x1p120) * (1.0 - 0x1p-22));
  return (float)(-1.0 / (1.0 + center_distance_squared(&shared->frames[FRAME_S], s, i, t, j)));
}

GEOMETRY_FUNCTION void visit_entries(lanes_nearest *nearest, const entry_pair *taken) {
  nearest_shared *shared = nearest->shared;
  const forest_view *forest = nearest->forest;
  const tree_body *s_body = shared->sides[0].body, *t_body = shared->sides[1].body;
  const tree_layout *s_layout = &shared->layouts[0], *t_layout = &shared->layouts[1];
  const bool with_slabs = s_body->has_slabs && t_body->has_slabs;
  float keys[LANE_ELEMENTS];
  bool is_leaf[LANE_ELEMENTS], is_inner[LANE_ELEMENTS];
  FOR_LANES(lane) {
    const uint32_t which = lane / TREE_NODE_PAIRS, i = lane % TREE_NODE_PAIRS / TREE_FANOUT, j = lane % TREE_FANOUT;
    OF_LANE(keys, lane) = HUGE_VALF;
    if (which < taken->count) {
      const uint32_t s = s_body->first_block + tree_child_block(s_layout, taken->level[which], taken->s[which]);
      const uint32_t t = t_body->first_block + tree_child_block(t_layout, taken->level[which], taken->t[which]);
      OF_LANE(keys, lane) = key_of_nodes(nearest, forest->blocks + s, with_slabs ? forest->slabs + s : NULL, i,
                                         forest->blocks + t, with_slabs ? forest->slabs + t : NULL, j);
    }
    const bool is_near = OF_LANE(keys, lane) < HUGE_VALF;
    OF_LANE(is_leaf, lane) = is_near && taken->level[which % 2] == 0;
    OF_LANE(is_inner, lane) = is_near && taken->level[which % 2] != 0;
  }
  const uint32_t leaves = lanes_vote(is_leaf), inner = lanes_vote(is_inner);
  FOR_LANES(lane) {
    const uint32_t which = lane / TREE_NODE_PAIRS, i = lane % TREE_NODE_PAIRS / TREE_FANOUT, j = lane % TREE_FANOUT;
    const uint32_t before = (1u << lane) - 1u;
    if (OF_LANE(is_leaf, lane)) {
      const uint32_t place = nearest->leaf_count + count_bits(leaves & before);
      shared->leaf_keys[place] = OF_LANE(keys, lane);
      shared->s_leaf[place] = TREE_FANOUT * taken->s[which] + i;
      shared->t_leaf[place] = TREE_FANOUT * taken->t[which] + j;
    }
    if (OF_LANE(is_inner, lane)) {
      const uint32_t place = nearest->count + count_bits(inner & before), level = taken->level[which];
      shared->keys[place] = OF_LANE(keys, lane);
      shared->s[place] = level > s_layout->top ? 0 : TREE_FANOUT * taken->s[which] + i;
      shared->t[place] = level > t_layout->top ? 0 : TREE_FANOUT * taken->t[which] + j;
      shared->levels[place] = (uint8_t)(level - 1);
    }
  }
  nearest->leaf_count += count_bits(leaves);
  nearest->count += count_bits(inner);
  lanes_join();
}

/* ---------------------------------------------------------------------------------------------- two bodies */

GEOMETRY_FUNCTION void enter_bodies(lanes_nearest *nearest, const pose_side *s, const pose_side *t) {
  nearest_shared *shared = nearest->shared;
  lanes_join();
  FOR_LANES(lane) {
    if (lane != 0) continue;
    double direction[3];
    for (int axis = 0; axis < 3; axis++) direction[axis] = t->posed->origin[axis] * 0.5 - s->posed->origin[axis] * 0.5;
    shared->sides[0] = *s;
    shared->sides[1] = *t;
    shared->layouts[0] = tree_layout_of(s->body->leaf_count);
    shared->layouts[1] = tree_layout_of(t->body->leaf_count);
    shared->map = frame_map_make(s->posed, t->posed);
    shared->frames[FRAME_NEAREST] = distance_frame_along(&shared->map, s->posed, direction);
    shared->frames[FRAME_S] = distance_frame_of_s(&shared->map);
    shared->frames[FRAME_T] = distance_frame_of_t(&shared->map);
    shared->relation = relate_trees(s->posed, t->posed);
    shared->keys[0] = -1.0f;
    shared->s[0] = shared->t[0] = 0;
    shared->levels[0] =
        (uint8_t)(shared->layouts[0].top > shared->layouts[1].top ? shared->layouts[0].top : shared->layouts[1].top);
  }
  lanes_join();
  nearest->count = 1;
  nearest->leaf_count = 0;
}

/* Searches two bodies for pairs not farther than the best so far. */
GEOMETRY_FUNCTION void lanes_nearest_run(lanes_nearest *nearest, uint32_t pair, const pose_side *s,
                                         const pose_side *t) {
  const bool had_any = nearest->any;
  const uint64_t ranks_before = nearest->ranks;
  const double distance_before = nearest->distance;
  enter_bodies(nearest, s, t);
  if (!nearest->shared->map.known) nearest->is_open = true;
  bool goes_on = true;
  while (goes_on && !lanes_is_over(nearest)) {
    if (nearest->leaf_count >= LANE_COUNT || (nearest->leaf_count > 0 && !nearest->any)) {
      measure_leaves(nearest);
      continue;
    }
    const entry_pair taken = take_entries(nearest);
    if (taken.count > 0) {
      visit_entries(nearest, &taken);
    } else {
      goes_on = nearest->leaf_count > 0;
      if (goes_on) measure_leaves(nearest);
    }
  }
  if (nearest->any && (!had_any || nearest->distance < distance_before || nearest->ranks != ranks_before))
    nearest->pair = pair;
}

#endif
