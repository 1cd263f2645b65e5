/* The stages of an update of the method "tree": bounds and coordinates of bodies whose positions have moved, a new
 * order of their leaves along a Morton curve if required, their boxes from the leaves up, and the poses of all bodies.
 *
 * Leaves and blocks of all bodies are in common arrays, so that one launch handles bodies of any number and size: each
 * index finds its body by binary search of their first elements. Boxes are fitted in one launch, too: a thread fits a
 * block of leaves, and continues with the parent block if it is the last to arrive there (Karras, "Maximizing
 * parallelism in the construction of BVHs, octrees, and k-d trees", 2012). The numbers equal the processor's; only the
 * order of leaves may differ.
 *
 * Workload: 10^4 to 10^6 leaves per frame if objects deform; one body or 10^5. */
#ifndef GRAZE_CUDA_STAGE_TREE_FIT_H
#define GRAZE_CUDA_STAGE_TREE_FIT_H

#include "broad/tree_fit.h"
#include "cuda/stage_focus.h"
#include "cuda/tree_view.h"

/* The body of a leaf or block: the last that begins at or before it. If bodies share blocks, it is the owner; bodies
 * that follow begin after them. */
GEOMETRY_FUNCTION uint32_t tree_body_at(const forest_view *forest, uint32_t index, bool by_blocks) {
  uint32_t low = 0, high = forest->body_count;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    const uint32_t first = by_blocks ? forest->bodies[middle].blocks_before : forest->bodies[middle].first_leaf;
    if (first <= index)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* The box of a leaf's positions, before the pose. */
GEOMETRY_FUNCTION exact_box tree_leaf_positions(const tree_fit_view *v, uint32_t leaf) {
  const uint32_t primitive = v->forest.leaves[leaf];
  const primitive_header header = v->scene.headers[primitive];
  object_source source = v->scene.sources[header.object];
  source.pose = NULL;
  if (source.radii == NULL) return device_corner_box(&source, &header, primitive);
  const corner_list corners = corners_of(&source, primitive);
  exact_box box = tree_no_box();
  for (uint32_t i = 0; i < corners.count; i++) include_own_vertex(&source, corners.vertices[i], &box);
  return box;
}

/* ---------------------------------------------------------------------------------------------- coordinates */

GEOMETRY_FUNCTION void stage_tree_bounds(uint32_t leaf, const tree_fit_view *v) {
  const uint32_t body = tree_body_at(&v->forest, leaf, false);
  tree_fitting *fitting = &v->fittings[body];
  if (fitting->task == TREE_DONE) return;
  const exact_box box = tree_leaf_positions(v, leaf);
  for (int axis = 0; axis < 3; axis++) {
    device_raise_of(body, &fitting->low[axis], ~ordered_bits(box.min[axis]));
    device_raise_of(body, &fitting->high[axis], ordered_bits(box.max[axis]));
  }
}

/* Also used by the host on downloaded bounds. */
GEOMETRY_FUNCTION exact_box fitting_box(const tree_fitting *fitting) {
  exact_box box;
  for (int axis = 0; axis < 3; axis++) {
    box.min[axis] = ordered_value(~fitting->low[axis]);
    box.max[axis] = ordered_value(fitting->high[axis]);
  }
  return box;
}

GEOMETRY_FUNCTION void stage_tree_space(uint32_t body, const tree_fit_view *v) {
  const tree_fitting *fitting = &v->fittings[body];
  if (fitting->task == TREE_DONE) return;
  const exact_box box = fitting_box(fitting);
  v->forest.bodies[body].space = space_of_box(&box);
  v->forest.bodies[body].has_slabs = false;
}

GEOMETRY_FUNCTION void stage_tree_pose(uint32_t body, const tree_fit_view *v) {
  const tree_body *own = &v->forest.bodies[body];
  v->forest.posed[body] = pose_space(&own->space, v->scene.sources[own->object].pose);
}

/* ---------------------------------------------------------------------------------------------- order */

/* The leaves of a body that keeps its order have code 0, so they are sorted by place. */
GEOMETRY_FUNCTION void stage_tree_code(uint32_t leaf, const tree_fit_view *v) {
  const uint32_t index = tree_body_at(&v->forest, leaf, false);
  const tree_body *body = &v->forest.bodies[index];
  uint64_t code = 0;
  if (v->fittings[index].task == TREE_ORDER) {
    const exact_box box = tree_leaf_positions(v, leaf), own = own_box_of(&body->space, &box);
    code = morton_code_of(&own, v->code_bits);
  }
  const uint64_t codes = ((uint64_t)index << 3 * v->code_bits) | code;
  v->codes[leaf] = codes << v->leaf_bits | (leaf - body->first_leaf);
  v->old_leaves[leaf] = v->forest.leaves[leaf];
}

GEOMETRY_FUNCTION void stage_tree_order(uint32_t leaf, const tree_fit_view *v) {
  const tree_body *body = &v->forest.bodies[tree_body_at(&v->forest, leaf, false)];
  const uint64_t place = v->sorted_codes[leaf] & ((UINT64_C(1) << v->leaf_bits) - 1);
  v->forest.leaves[leaf] = v->old_leaves[body->first_leaf + (uint32_t)place];
}

/* ---------------------------------------------------------------------------------------------- boxes */

GEOMETRY_FUNCTION void fit_leaves(const tree_fit_view *v, const tree_body *body, uint32_t block) {
  tree_block made;
  clear_tree_block(&made);
  for (uint32_t lane = 0; lane < TREE_FANOUT && TREE_FANOUT * block + lane < body->leaf_count; lane++) {
    const exact_box box = tree_leaf_positions(v, body->first_leaf + TREE_FANOUT * block + lane);
    const exact_box own = own_box_of(&body->space, &box);
    set_tree_lane(&made, lane, &own);
  }
  v->forest.blocks[body->first_block + block] = made;
}

/* Fits a block from `count` child blocks. */
GEOMETRY_FUNCTION void fit_parent(const tree_block *children, uint32_t count, tree_block *parent) {
  tree_block made;
  clear_tree_block(&made);
  for (uint32_t lane = 0; lane < count; lane++) {
    const exact_box box = box_of_tree_block(&children[lane]);
    set_tree_lane(&made, lane, &box);
  }
  *parent = made;
}

/* An integer, so that sums do not depend on the order. A body without extent has area 0. */
GEOMETRY_FUNCTION uint64_t area_in_units(const tree_block *block, const body_space *space) {
  const double area = area_of_block(block) / area_of_space(space);
  return (uint64_t)((area < 0x1p20 ? area : 0x1p20) * 0x1p24);
}

GEOMETRY_FUNCTION void stage_tree_fit(uint32_t index, const tree_fit_view *v) {
  const uint32_t number = tree_body_at(&v->forest, index, true);
  tree_fitting *fitting = &v->fittings[number];
  const tree_body *body = &v->forest.bodies[number];
  uint32_t block = index - body->first_block, first = body->first_block, nodes = body->leaf_count;
  if (fitting->task == TREE_DONE || block >= tree_parents(nodes)) return; /* the other blocks are fitted from below */
  fit_leaves(v, body, block);
  const uint32_t small = small_leaves_of_block(&v->forest.blocks[index]);
  if (small > 0) device_fetch_add(&fitting->small, small);
  /* See tree_layout_of: the blocks of the level below begin at `first`, and are the nodes of this one. */
  for (uint32_t level = 1; nodes > 1; level++) {
    nodes = tree_parents(nodes);
    const uint32_t parent = block / TREE_FANOUT, next = first + nodes, left = nodes - TREE_FANOUT * parent;
    const uint32_t children = left < TREE_FANOUT ? left : TREE_FANOUT;
    if (!device_arrives_last_alone(&v->arrived[next + parent], children)) return;
    fit_parent(&v->forest.blocks[first + TREE_FANOUT * parent], children, &v->forest.blocks[next + parent]);
    if (level == 1) device_add_long(&fitting->area, area_in_units(&v->forest.blocks[next + parent], &body->space));
    first = next;
    block = parent;
  }
}

#endif
