/* The nearest obstacles of a point, found by cooperating lanes: the list of packing/obstacle_tree.h with one entry per
 * lane.
 *
 * Obstacles are offered in the same order as there, and the list holds the same ones, bit for bit. A loop over the list
 * is one step here, and so are the items of a leaf; the stack of nodes is distributed over the lanes as well.
 *
 * Workload: as there; 10^2 to 10^4 nodes per search, in sequence. A launch waits for its longest search, so the
 * latency of a node matters. */
#ifndef GRAZE_CUDA_LANES_NEAR_H
#define GRAZE_CUDA_LANES_NEAR_H

#include "cuda/lane_group.h"
#include "geometry/bits.h"
#include "packing/prototype.h"

/* See near_list; entry i belongs to lane i. */
typedef struct lanes_near {
  double distance[LANE_ELEMENTS], x[LANE_ELEMENTS], y[LANE_ELEMENTS], z[LANE_ELEMENTS];
  int count;
  bool careful;
  double nearest; /* the distance of entry 0 */
  double drop_factor, alike, shade, cutoff;
} lanes_near;

GEOMETRY_FUNCTION void lanes_near_begin(lanes_near *near, double drop_factor, double angle) {
  near_list alone;
  near_list_begin(&alone, drop_factor, angle);
  FOR_LANES(lane) {
    OF_LANE(near->distance, lane) = 0.0;
    OF_LANE(near->x, lane) = OF_LANE(near->y, lane) = OF_LANE(near->z, lane) = 0.0;
  }
  near->count = alone.count;
  near->careful = alone.careful;
  near->nearest = 0.0;
  near->drop_factor = alone.drop_factor;
  near->alike = alone.alike;
  near->shade = alone.shade;
  near->cutoff = alone.cutoff;
}

GEOMETRY_FUNCTION vector3 lanes_gradient(const lanes_near *near, uint32_t lane) {
  return vector3_make(OF_LANE(near->x, lane), OF_LANE(near->y, lane), OF_LANE(near->z, lane));
}

GEOMETRY_FUNCTION void lanes_near_lower_cutoff(lanes_near *near, double distance) {
  if (distance < near->cutoff) near->cutoff = distance;
}

/* Removes the entries `gone`, and shifts those from `place` on by one. */
GEOMETRY_FUNCTION void lanes_near_move(lanes_near *near, uint32_t gone, uint32_t place) {
  uint32_t from[LANE_ELEMENTS];
  FOR_LANES(lane) {
    uint32_t source = lane > place ? lane - 1u : lane;
    for (uint32_t left = gone; left != 0; left &= left - 1u)
      if (lowest_bit(left) <= source) source++;
    OF_LANE(from, lane) = source % LANE_COUNT;
  }
  lanes_move(near->distance, from);
  lanes_move(near->x, from);
  lanes_move(near->y, from);
  lanes_move(near->z, from);
}

GEOMETRY_FUNCTION void lanes_near_offer(lanes_near *near, double distance, vector3 gradient) {
  bool alike[LANE_ELEMENTS], before[LANE_ELEMENTS], after[LANE_ELEMENTS];
  FOR_LANES(lane) {
    const bool there = (int)lane < near->count;
    const double own = OF_LANE(near->distance, lane);
    OF_LANE(alike, lane) = there && vector3_dot(lanes_gradient(near, lane), gradient) > near->alike;
    OF_LANE(before, lane) = there && own <= distance;
    OF_LANE(after, lane) = there && own > distance;
  }
  const uint32_t gone = lanes_vote(alike);
  if ((gone & lanes_vote(before)) != 0) return; /* another entry replaces the new one */
  const uint32_t kept = (uint32_t)near->count - count_bits(gone);
  const uint32_t place = kept - count_bits(lanes_vote(after) & ~gone);
  if (place == NEAR_MOST) return;
  lanes_near_move(near, gone, place);
  FOR_LANES(lane) {
    if (lane != place) continue;
    OF_LANE(near->distance, lane) = distance;
    OF_LANE(near->x, lane) = gradient.x;
    OF_LANE(near->y, lane) = gradient.y;
    OF_LANE(near->z, lane) = gradient.z;
  }
  near->count = (int)kept < NEAR_MOST ? (int)kept + 1 : NEAR_MOST;
  if (place == 0) near->nearest = distance;
  lanes_near_lower_cutoff(near, near->nearest > 0.0 ? near->nearest * near->drop_factor : 0.0);
  if (near->count == NEAR_MOST) lanes_near_lower_cutoff(near, lanes_take(near->distance, NEAR_MOST - 1));
}

/* See near_node_view. */
GEOMETRY_FUNCTION node_view lanes_node_view(const lanes_near *near, const double *box, double distance, vector3 point) {
  bool shades[LANE_ELEMENTS];
  if (near->count == 0 || distance <= near->nearest) return NODE_WHOLE;
  const node_sight sight = node_sight_of(box, near->shade, point);
  FOR_LANES(lane) {
    OF_LANE(shades, lane) = (int)lane < near->count && OF_LANE(near->distance, lane) <= distance &&
                            node_is_shaded(&sight, lanes_gradient(near, lane));
  }
  if (lanes_vote(shades) != 0) return NODE_SHADED;
  return sight.is_small ? NODE_AS_ONE : NODE_WHOLE;
}

/* Measures the items of a leaf, one per lane; then offers them in sequence. */
GEOMETRY_FUNCTION void lanes_offer_leaf(const obstacle_tree *tree, uint32_t leaf, vector3 point, lanes_near *near) {
  const uint32_t first = leaf_begin(tree, leaf), count = leaf_begin(tree, leaf + 1) - first;
  double distance[LANE_ELEMENTS], x[LANE_ELEMENTS], y[LANE_ELEMENTS], z[LANE_ELEMENTS];
  bool is_near[LANE_ELEMENTS];
  FOR_LANES(lane) {
    vector3 gradient = vector3_make(0.0, 0.0, 0.0);
    OF_LANE(distance, lane) =
        lane < count ? obstacle_distance(tree, first + lane, point, near->careful, &gradient) : HUGE_VAL;
    OF_LANE(is_near, lane) = lane < count && !(OF_LANE(distance, lane) > near->cutoff);
    OF_LANE(x, lane) = gradient.x;
    OF_LANE(y, lane) = gradient.y;
    OF_LANE(z, lane) = gradient.z;
  }
  for (uint32_t left = lanes_vote(is_near); left != 0; left &= left - 1u) {
    const uint32_t item = lowest_bit(left);
    const double offered = lanes_take(distance, item);
    const vector3 gradient = vector3_make(lanes_take(x, item), lanes_take(y, item), lanes_take(z, item));
    if (!(offered > near->cutoff)) lanes_near_offer(near, offered, gradient); /* the cutoff may have decreased since */
  }
}

GEOMETRY_FUNCTION void lanes_offer_one(const obstacle_tree *tree, uint32_t node, vector3 point, lanes_near *near) {
  vector3 gradient;
  const double distance = obstacle_distance(tree, first_item_below(tree, node), point, near->careful, &gradient);
  if (!(distance > near->cutoff)) lanes_near_offer(near, distance, gradient);
}

/* Nodes to be visited. A path from the root has at most 30 nodes, and adds one node at each. */
typedef struct lanes_stack {
  uint32_t node[LANE_ELEMENTS];
  double bound[LANE_ELEMENTS];
  uint32_t depth;
} lanes_stack;

GEOMETRY_FUNCTION void lanes_push(lanes_stack *stack, uint32_t node, double bound) {
  FOR_LANES(lane) {
    if (lane != stack->depth) continue;
    OF_LANE(stack->node, lane) = node;
    OF_LANE(stack->bound, lane) = bound;
  }
  stack->depth++;
}

/* Pops the last node that is near enough; those after it are dropped. False if there is none. */
GEOMETRY_FUNCTION bool lanes_pop(lanes_stack *stack, double cutoff, uint32_t *node_out, double *bound_out) {
  bool is_near[LANE_ELEMENTS];
  FOR_LANES(lane) {
    OF_LANE(is_near, lane) = lane < stack->depth && !(OF_LANE(stack->bound, lane) > cutoff * cutoff);
  }
  const uint32_t open = lanes_vote(is_near);
  if (open == 0) return false;
  stack->depth = highest_bit(open);
  *node_out = lanes_take_number(stack->node, stack->depth);
  *bound_out = lanes_take(stack->bound, stack->depth);
  return true;
}

/* Visits a node; true if it has children to be visited. */
GEOMETRY_FUNCTION bool lanes_visit(const obstacle_tree *tree, uint32_t node, double bound, vector3 point,
                                   lanes_near *near) {
  const node_view view = tree->numbers == OBSTACLE_SPHERE_NUMBERS
                             ? NODE_WHOLE
                             : lanes_node_view(near, tree->boxes + 6 * (size_t)node, sqrt(bound), point);
  if (view == NODE_AS_ONE) lanes_offer_one(tree, node, point, near);
  if (view != NODE_WHOLE) return false;
  if (node < tree->leaf_count) return true;
  lanes_offer_leaf(tree, node - tree->leaf_count, point, near);
  return false;
}

GEOMETRY_FUNCTION void lanes_search(const obstacle_tree *tree, vector3 point, lanes_near *near) {
  lanes_stack stack;
  if (tree->count == 0) return;
  FOR_LANES(lane) {
    OF_LANE(stack.node, lane) = 0;
    OF_LANE(stack.bound, lane) = 0.0;
  }
  stack.depth = 0;
  uint32_t node = 1;
  double bound = box_distance_squared(tree->boxes + 6, point);
  bool there = true;
  while (there) {
    if (bound > near->cutoff * near->cutoff || !lanes_visit(tree, node, bound, point, near)) {
      there = lanes_pop(&stack, near->cutoff, &node, &bound);
      continue;
    }
    const double left = box_distance_squared(tree->boxes + 12 * (size_t)node, point);
    const double right = box_distance_squared(tree->boxes + 12 * (size_t)node + 6, point);
    const uint32_t last = left <= right ? 1 : 0;
    lanes_push(&stack, 2 * node + last, last ? right : left);
    node = 2 * node + 1 - last;
    bound = last ? left : right;
  }
}

GEOMETRY_FUNCTION void lanes_space_search(const packing_space *space, const double *place, lanes_near *near) {
  const vector3 at = vector3_load(place);
  lanes_search(&space->spheres, at, near);
  lanes_search(&space->mesh, at, near);
}

#endif
