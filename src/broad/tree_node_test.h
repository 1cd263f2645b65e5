/* Tests whether two nodes of two trees may have a common point: one pair at a time, in scalar arithmetic. The
 * kernels do the same for sixteen pairs at once; this is their reference, and the code of GPU threads. */
#ifndef GRAZE_BROAD_TREE_NODE_TEST_H
#define GRAZE_BROAD_TREE_NODE_TEST_H

#include "broad/tree_layout.h"
#include "broad/tree_relation.h"

/* A box in the axes and the unit of a test. */
typedef struct node_box {
  float center[3], half[3];
} node_box;

GEOMETRY_FUNCTION node_box scale_node(const tree_block *block, uint32_t lane, float unit) {
  node_box box;
  for (int axis = 0; axis < 3; axis++) {
    box.center[axis] = block->center[axis][lane] * unit;
    box.half[axis] = block->half[axis][lane] * unit;
  }
  return box;
}

/* The box around it in the axes of the other tree, enlarged by the slack. */
GEOMETRY_FUNCTION node_box rotate_node(const tree_block *block, uint32_t lane, const tree_map *map) {
  node_box box;
  for (int axis = 0; axis < 3; axis++) {
    const float *row = map->rows[axis], *magnitude = map->magnitudes[axis];
    box.center[axis] =
        ((row[0] * block->center[0][lane] + row[1] * block->center[1][lane]) + row[2] * block->center[2][lane]) +
        map->shift[axis];
    box.half[axis] = ((magnitude[0] * block->half[0][lane] + magnitude[1] * block->half[1][lane]) +
                      magnitude[2] * block->half[2][lane]) +
                     map->slack[axis];
  }
  return box;
}

/* The same if the map is only a translation. */
GEOMETRY_FUNCTION node_box shift_node(const tree_block *block, uint32_t lane, float unit, const tree_map *map) {
  node_box box = scale_node(block, lane, unit);
  for (int axis = 0; axis < 3; axis++) {
    box.center[axis] += map->shift[axis];
    box.half[axis] += map->slack[axis];
  }
  return box;
}

GEOMETRY_FUNCTION bool node_boxes_meet(const node_box *a, const node_box *b) {
  bool meet = true;
  for (int axis = 0; axis < 3; axis++)
    meet = meet && fabsf(b->center[axis] - a->center[axis]) <= b->half[axis] + a->half[axis];
  return meet;
}

GEOMETRY_FUNCTION float dot_of(const float a[3], const float b[3]) {
  return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

/* A slab in the axes and the unit of a test. */
typedef struct node_slab {
  float normal[3], middle, half;
} node_slab;

/* See slab_meets of tree_kernels.c. */
GEOMETRY_FUNCTION bool node_slab_meets(const node_slab *slab, const node_slab *other, const node_box *box, float along,
                                       float slack) {
  float rest[3], magnitudes[3];
  for (int axis = 0; axis < 3; axis++) {
    rest[axis] = slab->normal[axis] - along * other->normal[axis];
    magnitudes[axis] = fabsf(rest[axis]);
  }
  const float middle = dot_of(rest, box->center) + along * other->middle;
  const float reach = dot_of(magnitudes, box->half) + fabsf(along) * other->half;
  return fabsf(middle - slab->middle) <= reach + (slab->half + slack);
}

/* See meet_slabs of tree_kernels.c; both boxes are in the axes of S. */
GEOMETRY_FUNCTION bool node_slabs_meet(const tree_relation *relation, const tree_slab *s, uint32_t s_lane,
                                       const tree_slab *t, uint32_t t_lane, const node_box *own,
                                       const node_box *turned) {
  node_slab n, m;
  float its[3];
  for (int axis = 0; axis < 3; axis++) {
    n.normal[axis] = s->normal[axis][s_lane];
    its[axis] = t->normal[axis][t_lane];
  }
  for (int axis = 0; axis < 3; axis++)
    m.normal[axis] = (relation->rotation[0][axis] * its[0] + relation->rotation[1][axis] * its[1]) +
                     relation->rotation[2][axis] * its[2];
  n.middle = s->middle[s_lane] * relation->unit_s;
  n.half = s->half[s_lane] * relation->unit_s;
  m.middle = t->middle[t_lane] * relation->unit_t - dot_of(its, relation->to_t.shift);
  m.half = t->half[t_lane] * relation->unit_t;
  const float along = dot_of(n.normal, m.normal);
  return node_slab_meets(&n, &m, turned, along, relation->slab_slack) &&
         node_slab_meets(&m, &n, own, along, relation->slab_slack);
}

/* For node i of the block of S and j of that of T. Slabs may be NULL. */
GEOMETRY_FUNCTION bool tree_nodes_meet(const tree_relation *relation, const tree_block *s, const tree_slab *s_slab,
                                       const tree_block *t, const tree_slab *t_slab, uint32_t i, uint32_t j) {
  const bool in_scene = relation->in_scene && !relation->aligned;
  const node_box own = in_scene ? rotate_node(s, i, &relation->to_t) : scale_node(s, i, relation->unit_s);
  if (relation->aligned) {
    const node_box shifted = shift_node(t, j, relation->unit_t, &relation->to_s);
    return node_boxes_meet(&own, &shifted);
  }
  const node_box turned = rotate_node(t, j, &relation->to_s);
  if (in_scene) return node_boxes_meet(&own, &turned);
  if (!node_boxes_meet(&own, &turned)) return false;
  if (s_slab != NULL && t_slab != NULL && !node_slabs_meet(relation, s_slab, i, t_slab, j, &own, &turned)) return false;
  const node_box back = rotate_node(s, i, &relation->to_t), its = scale_node(t, j, relation->unit_t);
  return node_boxes_meet(&back, &its);
}

/* Bit 4 i + j: node i of the block of S and j of that of T may meet. Each box is rotated once. */
GEOMETRY_FUNCTION uint32_t tree_blocks_meet(const tree_relation *relation, const tree_block *s, const tree_slab *s_slab,
                                            const tree_block *t, const tree_slab *t_slab) {
  const bool in_scene = relation->in_scene && !relation->aligned, six_axes = !relation->aligned && !in_scene;
  uint32_t bits = 0;
  for (uint32_t j = 0; j < TREE_FANOUT; j++) {
    const node_box other =
        relation->aligned ? shift_node(t, j, relation->unit_t, &relation->to_s) : rotate_node(t, j, &relation->to_s);
    for (uint32_t i = 0; i < TREE_FANOUT; i++) {
      const node_box own = in_scene ? rotate_node(s, i, &relation->to_t) : scale_node(s, i, relation->unit_s);
      if (!node_boxes_meet(&own, &other)) continue;
      if (six_axes && s_slab != NULL && t_slab != NULL &&
          !node_slabs_meet(relation, s_slab, i, t_slab, j, &own, &other))
        continue;
      bits |= 1u << (TREE_FANOUT * i + j);
    }
  }
  for (uint32_t i = 0; i < TREE_FANOUT && six_axes; i++) {
    if ((bits >> TREE_FANOUT * i & 15u) == 0) continue;
    const node_box back = rotate_node(s, i, &relation->to_t);
    for (uint32_t j = 0; j < TREE_FANOUT; j++) {
      const node_box its = scale_node(t, j, relation->unit_t);
      if (!node_boxes_meet(&back, &its)) bits &= ~(1u << (TREE_FANOUT * i + j));
    }
  }
  return bits;
}

#endif
