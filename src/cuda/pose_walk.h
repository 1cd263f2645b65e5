/* Two bodies in poses, by one thread: a depth-first descent of two trees, with exact tests of leaves, as on the
 * processor.
 *
 * Workload: about ten blocks where the bodies are apart or deeply interpenetrate, some hundred blocks and as many exact
 * tests where they touch. */
#ifndef GRAZE_CUDA_POSE_WALK_H
#define GRAZE_CUDA_POSE_WALK_H

#include "broad/tree_node_test.h"
#include "cuda/stage_exact.h"
#include "cuda/tree_view.h"
#include "geometry/bits.h"
#include "narrow/primitive_clearance_inline.h"

/* Each level pushes all children and pops one. */
enum { POSE_STACK = TREE_LEVELS * (TREE_FANOUT * TREE_FANOUT - 1) + 1 };

/* A body in a pose. */
typedef struct pose_side {
  const tree_body *body;
  const posed_space *posed;
  object_source source; /* with the same pose */
} pose_side;

/* A descent of two bodies. */
typedef struct pose_walk {
  const scene_arrays *scene;
  graze_test test;
  bool counts; /* all pairs are counted */
  double limit;
  const object_source *resting, *moving;
  const tree_block *s_blocks, *t_blocks;
  const tree_slab *s_slabs, *t_slabs; /* NULL: none */
  const uint32_t *s_leaves, *t_leaves;
  uint64_t count;
} pose_walk;

/* On a device the corners of triangles are only in their headers. */
GEOMETRY_FUNCTION void posed_triangle(const scene_arrays *v, const object_source *source, uint32_t primitive,
                                      double corners_out[9]) {
  const primitive_header header = v->headers[primitive];
  for (int corner = 0; corner < 3; corner++)
    fetch_vertex(source, header.corner[corner] - source->first_vertex, corners_out + 3 * corner);
}

/* Whether a valid pose leaves the corners of an object's body finite. */
GEOMETRY_SLOW_FUNCTION bool posed_corners_are_finite(const scene_arrays *v, const forest_view *forest,
                                                     const tree_body *body, uint32_t object, const rigid_pose *pose) {
  object_source source = v->sources[object];
  source.pose = pose;
  const bool is_triangle = source.corner_count == 3;
  for (uint32_t i = 0; i < body->leaf_count; i++) {
    const uint32_t primitive = forest->leaves[body->first_leaf + i];
    const uint32_t count = is_triangle ? 3 : corners_of(&source, primitive).count;
    for (uint32_t k = 0; k < count; k++) {
      double position[3];
      fetch_vertex(&source,
                   is_triangle ? v->headers[primitive].corner[k] - source.first_vertex
                               : corners_of(&source, primitive).vertices[k],
                   position);
      if (!position_is_finite(position)) return false;
    }
  }
  return true;
}

GEOMETRY_SLOW_FUNCTION bool posed_primitives_within(const pose_walk *walk, index_pair pair) {
  orientation_tally tally = {0};
  if (walk->resting->corner_count != 3 || walk->moving->corner_count != 3)
    return sources_within(walk->resting, walk->moving, pair, walk->limit, NULL, &tally);
  double p[9], q[9];
  posed_triangle(walk->scene, walk->resting, pair.a, p);
  posed_triangle(walk->scene, walk->moving, pair.b, q);
  return hulls_within(p, 3, 0.0, q, 3, 0.0, walk->limit, &tally);
}

GEOMETRY_FUNCTION bool posed_primitives_meet(const pose_walk *walk, index_pair pair) {
  orientation_tally tally = {0};
  if (walk->resting->corner_count != 3 || walk->moving->corner_count != 3)
    return sources_meet(walk->resting, walk->moving, pair, walk->test, false, NULL, &tally);
  double p[9], q[9];
  posed_triangle(walk->scene, walk->resting, pair.a, p);
  posed_triangle(walk->scene, walk->moving, pair.b, q);
  return triangle_pair_intersects(p, q, &tally);
}

/* Tests leaves; returns whether to continue. `within` is a constant of each kernel: one has the test with a limit. */
GEOMETRY_FUNCTION bool walk_leaves(pose_walk *walk, bool within, uint32_t s, uint32_t t, uint32_t bits) {
  for (; bits != 0; bits &= bits - 1u) {
    const uint32_t bit = lowest_bit(bits);
    index_pair pair;
    pair.a = walk->s_leaves[s + bit / TREE_FANOUT];
    pair.b = walk->t_leaves[t + bit % TREE_FANOUT];
    if (!(within ? posed_primitives_within(walk, pair) : posed_primitives_meet(walk, pair))) continue;
    walk->count++;
    if (!walk->counts) return false;
  }
  return true;
}

GEOMETRY_FUNCTION void walk_trees(pose_walk *walk, bool within, const tree_relation *relation,
                                  const tree_layout *s_layout, const tree_layout *t_layout) {
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
      if (!walk_leaves(walk, within, TREE_FANOUT * entry.s, TREE_FANOUT * entry.t, bits)) return;
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

/* The number of pairs of two bodies; without `counts`, 1 instead of any number but 0. `within`: those within a limit;
 * otherwise it is 0. */
GEOMETRY_FUNCTION uint64_t walk_sides(const scene_arrays *scene, const forest_view *forest, graze_test test,
                                      bool counts, bool within, double limit, const pose_side *s, const pose_side *t) {
  pose_walk walk;
  walk.scene = scene;
  walk.test = test;
  walk.counts = counts;
  walk.limit = limit;
  walk.resting = &s->source;
  walk.moving = &t->source;
  walk.s_blocks = forest->blocks + s->body->first_block;
  walk.t_blocks = forest->blocks + t->body->first_block;
  walk.s_slabs = s->body->has_slabs ? forest->slabs + s->body->first_block : NULL;
  walk.t_slabs = t->body->has_slabs ? forest->slabs + t->body->first_block : NULL;
  walk.s_leaves = forest->leaves + s->body->first_leaf;
  walk.t_leaves = forest->leaves + t->body->first_leaf;
  walk.count = 0;
  tree_relation relation;
  if (within) {
    const posed_space s_grown = posed_space_grown(s->posed, limit), t_grown = posed_space_grown(t->posed, limit);
    relation = relate_trees(&s_grown, &t_grown);
  } else {
    relation = relate_trees(s->posed, t->posed);
  }
  const tree_layout s_layout = tree_layout_of(s->body->leaf_count), t_layout = tree_layout_of(t->body->leaf_count);
  walk_trees(&walk, within, &relation, &s_layout, &t_layout);
  return walk.count;
}

#endif
