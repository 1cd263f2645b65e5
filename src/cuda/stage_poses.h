/* The stage of batches of poses, one thread a pose: two trees descended depth first, and exact tests of leaves on the
 * way, as on the processor.
 *
 * Workload: 10^4 to 10^6 poses; some ten blocks each where the bodies are apart or deep in each other, some hundred and
 * as many exact tests where they graze each other. */
#ifndef GRAZE_CUDA_STAGE_POSES_H
#define GRAZE_CUDA_STAGE_POSES_H

#include "broad/tree_node_test.h"
#include "cuda/stage_exact.h"
#include "cuda/tree_view.h"
#include "geometry/bits.h"

/* Each level leaves at most all children but one behind. */
enum { POSE_STACK = TREE_LEVELS * (TREE_FANOUT * TREE_FANOUT - 1) + 1 };

/* One pose on its way. */
typedef struct pose_walk {
  const pose_view *v;
  object_source still, moving; /* the second in the pose at hand */
  const tree_block *s_blocks, *t_blocks;
  const tree_slab *s_slabs, *t_slabs; /* NULL: there are none */
  const uint32_t *s_leaves, *t_leaves;
  uint64_t count;
} pose_walk;

/* On a device the corners of triangles are in their headers alone. */
GEOMETRY_FUNCTION void posed_triangle(const scene_arrays *v, const object_source *source, uint32_t primitive,
                                      double corners_out[9]) {
  const primitive_header header = v->headers[primitive];
  for (int corner = 0; corner < 3; corner++)
    fetch_vertex(source, header.corner[corner] - source->first_vertex, corners_out + 3 * corner);
}

GEOMETRY_FUNCTION bool posed_primitives_meet(const pose_walk *walk, index_pair pair) {
  const pose_view *v = walk->v;
  orientation_tally tally = {0};
  if (walk->still.corner_count != 3 || walk->moving.corner_count != 3)
    return sources_meet(&walk->still, &walk->moving, pair, v->test, false, NULL, &tally);
  double p[9], q[9];
  posed_triangle(&v->scene, &walk->still, pair.a, p);
  posed_triangle(&v->scene, &walk->moving, pair.b, q);
  return triangle_pair_intersects(p, q, &tally);
}

/* Whether to go on. */
GEOMETRY_FUNCTION bool walk_leaves(pose_walk *walk, uint32_t s, uint32_t t, uint32_t bits) {
  for (; bits != 0; bits &= bits - 1u) {
    const uint32_t bit = lowest_bit(bits);
    index_pair pair;
    pair.a = walk->s_leaves[s + bit / TREE_FANOUT];
    pair.b = walk->t_leaves[t + bit % TREE_FANOUT];
    if (!posed_primitives_meet(walk, pair)) continue;
    walk->count++;
    if (walk->v->counts == 0) return false;
  }
  return true;
}

GEOMETRY_FUNCTION void walk_trees(pose_walk *walk, const tree_relation *relation, const tree_layout *s_layout,
                                  const tree_layout *t_layout) {
  tree_entry stack[POSE_STACK];
  uint32_t count = 1;
  stack[0].s = stack[0].t = 0;
  stack[0].level = s_layout->top > t_layout->top ? s_layout->top : t_layout->top;
  while (count > 0) {
    const tree_entry entry = stack[--count];
    const uint32_t s = tree_child_block(s_layout, entry.level, entry.s);
    const uint32_t t = tree_child_block(t_layout, entry.level, entry.t);
    uint32_t bits = tree_blocks_meet(relation, walk->s_blocks + s, walk->s_slabs != NULL ? walk->s_slabs + s : NULL,
                                     walk->t_blocks + t, walk->t_slabs != NULL ? walk->t_slabs + t : NULL);
    if (entry.level == 0) {
      if (!walk_leaves(walk, TREE_FANOUT * entry.s, TREE_FANOUT * entry.t, bits)) return;
      continue;
    }
    for (; bits != 0; bits &= bits - 1u) {
      const uint32_t bit = lowest_bit(bits);
      stack[count].s = entry.level > s_layout->top ? 0 : TREE_FANOUT * entry.s + bit / TREE_FANOUT;
      stack[count].t = entry.level > t_layout->top ? 0 : TREE_FANOUT * entry.t + bit % TREE_FANOUT;
      stack[count++].level = entry.level - 1;
    }
  }
}

GEOMETRY_FUNCTION uint64_t answer_pose(const pose_view *v, const rigid_pose *pose, const posed_space *posed) {
  const tree_body *s = &v->forest.bodies[v->still], *t = &v->forest.bodies[v->moving];
  if (!posed_spaces_meet(&v->forest.posed[v->still], posed)) return 0;
  pose_walk walk;
  walk.v = v;
  walk.still = v->scene.sources[v->still_object];
  walk.moving = v->scene.sources[v->moving_object];
  walk.moving.pose = pose;
  walk.s_blocks = v->forest.blocks + s->first_block;
  walk.t_blocks = v->forest.blocks + t->first_block;
  walk.s_slabs = s->has_slabs ? v->forest.slabs + s->first_block : NULL;
  walk.t_slabs = t->has_slabs ? v->forest.slabs + t->first_block : NULL;
  walk.s_leaves = v->forest.leaves + s->first_leaf;
  walk.t_leaves = v->forest.leaves + t->first_leaf;
  walk.count = 0;
  const tree_relation relation = relate_trees(&v->forest.posed[v->still], posed);
  const tree_layout s_layout = tree_layout_of(s->leaf_count), t_layout = tree_layout_of(t->leaf_count);
  walk_trees(&walk, &relation, &s_layout, &t_layout);
  return walk.count;
}

GEOMETRY_FUNCTION void stage_pose_answer(uint32_t index, const pose_view *v) {
  const rigid_pose pose = v->poses[index];
  const posed_space posed = pose_space(&v->forest.bodies[v->moving].space, &pose);
  const bool can_be = pose_is_sound(&pose) && posed_space_is_finite(&posed);
  if (!can_be) device_raise(v->refused, ~(uint64_t)index);
  v->answers[index] = can_be ? answer_pose(v, &pose, &posed) : 0;
}

#endif
