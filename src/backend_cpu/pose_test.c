/* Two bodies in poses; see pose_test.h.
 *
 * Workload: millions of poses per second of two bodies of 10^4 to 10^6 primitives; some hundred blocks and some
 * dozen exact tests where they touch. */
#include "backend_cpu/pose_test.h"

#include "broad/vertex_normalization.h"
#include "geometry/triangle_pair.h"
#include "narrow/primitive_pair.h"

typedef struct pose_run {
  const pose_test *test;
  const object_source *s, *t;
  const uint32_t *s_leaves, *t_leaves;
  double limit;
  uint64_t count;
} pose_run;

static bool leaves_meet(const pose_run *run, uint32_t s, uint32_t t) {
  const index_pair pair = {run->s->first_primitive + run->s_leaves[s], run->t->first_primitive + run->t_leaves[t]};
  orientation_tally tally = {0};
  if (run->limit > 0.0) return source_pair_within(run->s, run->t, pair, run->limit, run->test->heap, &tally);
  if (run->s->corner_count == 3 && run->t->corner_count == 3) {
    const corner_list a = corners_of(run->s, pair.a), b = corners_of(run->t, pair.b);
    double p[9], q[9];
    for (int corner = 0; corner < 3; corner++) {
      fetch_vertex(run->s, a.vertices[corner], p + 3 * corner);
      fetch_vertex(run->t, b.vertices[corner], q + 3 * corner);
    }
    return triangle_pair_intersects(p, q, &tally);
  }
  return source_pair_meets(run->s, run->t, pair, run->test->test, run->test->heap, &tally);
}

static bool take_leaves(void *context, uint32_t s, uint32_t t, uint32_t bits) {
  pose_run *run = context;
  for (; bits != 0; bits &= bits - 1) {
    const uint32_t bit = (uint32_t)__builtin_ctz(bits);
    run->count += leaves_meet(run, s + bit / TREE_FANOUT, t + bit % TREE_FANOUT);
    if (run->count > 0 && !run->test->counts) return false;
  }
  return !stop_is_requested(run->test->stop);
}

posed_body pose_test_body(const tree_forest *forest, uint32_t body, const object_source *source) {
  posed_body made = {.source = *source};
  if (body == NO_BODY) return made;
  made.tree = &forest->bodies[body];
  made.posed = forest->posed[body];
  return made;
}

/* For a box that exceeds the range of double: a radius or a corner of the box may do so alone. */
static bool corners_are_finite(const tree_forest *forest, const posed_body *body) {
  const object_source *source = &body->source;
  for (uint32_t i = 0; i < body->tree->leaf_count; i++) {
    const corner_list corners =
        corners_of(source, source->first_primitive + forest->leaves[body->tree->first_leaf + i]);
    for (uint32_t k = 0; k < corners.count; k++) {
      double position[3];
      fetch_vertex(source, corners.vertices[k], position);
      if (!position_is_finite(position)) return false;
    }
  }
  return true;
}

bool pose_test_place(const tree_forest *forest, posed_body *body, const rigid_pose *pose) {
  if (body->tree == NULL) return true;
  const rigid_pose *used = pose_is_identity(pose) ? NULL : pose; /* as in a scene: keeps the sign of zeros */
  body->source.pose = used;
  body->posed = pose_space(&body->tree->space, used);
  return posed_space_is_finite(&body->posed) || corners_are_finite(forest, body);
}

/* Tests two bodies whose spaces are those of the bodies, or grown. */
static uint64_t test_spaces(const pose_test *test, const posed_body *s, const posed_space *s_space, const posed_body *t,
                            const posed_space *t_space, double limit) {
  if (!posed_spaces_meet(s_space, t_space)) return 0;
  const tree_forest *forest = test->forest;
  pose_run run = {.test = test,
                  .s = &s->source,
                  .t = &t->source,
                  .s_leaves = forest->leaves + s->tree->first_leaf,
                  .t_leaves = forest->leaves + t->tree->first_leaf,
                  .limit = limit};
  tree_descent descent = {.s = tree_layout_of(s->tree->leaf_count),
                          .t = tree_layout_of(t->tree->leaf_count),
                          .s_blocks = forest->blocks + s->tree->first_block,
                          .t_blocks = forest->blocks + t->tree->first_block,
                          .s_slabs = s->tree->has_slabs ? forest->slabs + s->tree->first_block : NULL,
                          .t_slabs = t->tree->has_slabs ? forest->slabs + t->tree->first_block : NULL,
                          .relation = relate_trees(s_space, t_space),
                          .kernels = test->kernels};
  (void)tree_descend(&descent, descent_root(&descent), take_leaves, &run);
  return run.count;
}

uint64_t pose_test_run(const pose_test *test, const posed_body *s, const posed_body *t, double limit) {
  if (s->tree == NULL || t->tree == NULL) return 0;
  if (!(limit > 0.0)) return test_spaces(test, s, &s->posed, t, &t->posed, 0.0);
  const posed_space s_grown = posed_space_grown(&s->posed, limit), t_grown = posed_space_grown(&t->posed, limit);
  return test_spaces(test, s, &s_grown, t, &t_grown, limit);
}
