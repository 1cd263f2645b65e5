/* One pose: see pose_test.h.
 *
 * Workload: millions of poses a second of two bodies of 10^4 to 10^6 primitives; some hundred blocks and some dozen
 * exact tests where they graze each other. */
#include "backend_cpu/pose_test.h"

#include "geometry/triangle_pair.h"
#include "narrow/primitive_pair.h"

typedef struct pose_run {
  const pose_test *test;
  object_source moving; /* with the pose at hand */
  const uint32_t *still_leaves, *moving_leaves;
  uint64_t count;
} pose_run;

static bool leaves_meet(const pose_run *run, uint32_t s, uint32_t t) {
  const object_source *still = &run->test->still_source, *moving = &run->moving;
  const index_pair pair = {still->first_primitive + run->still_leaves[s],
                           moving->first_primitive + run->moving_leaves[t]};
  orientation_tally tally = {0};
  if (still->corner_count == 3 && moving->corner_count == 3) {
    const corner_list a = corners_of(still, pair.a), b = corners_of(moving, pair.b);
    double p[9], q[9];
    for (int corner = 0; corner < 3; corner++) {
      fetch_vertex(still, a.vertices[corner], p + 3 * corner);
      fetch_vertex(moving, b.vertices[corner], q + 3 * corner);
    }
    return triangle_pair_intersects(p, q, &tally);
  }
  return source_pair_meets(still, moving, pair, run->test->test, run->test->heap, &tally);
}

static bool take_leaves(void *context, uint32_t s, uint32_t t, uint32_t bits) {
  pose_run *run = context;
  for (; bits != 0; bits &= bits - 1) {
    const uint32_t bit = (uint32_t)__builtin_ctz(bits);
    run->count += leaves_meet(run, s + bit / TREE_FANOUT, t + bit % TREE_FANOUT);
    if (run->count > 0 && !run->test->counts) return false;
  }
  return !stop_is_asked_for(run->test->stop);
}

uint64_t pose_test_run(const pose_test *test, const rigid_pose *pose) {
  if (test->still == NO_BODY || test->moving == NO_BODY) return 0;
  const tree_forest *forest = test->forest;
  const tree_body *still = &forest->bodies[test->still], *moving = &forest->bodies[test->moving];
  const posed_space posed = pose_space(&moving->space, pose);
  if (!posed_spaces_meet(&forest->posed[test->still], &posed)) return 0;
  pose_run run = {.test = test,
                  .moving = test->moving_source,
                  .still_leaves = forest->leaves + still->first_leaf,
                  .moving_leaves = forest->leaves + moving->first_leaf};
  run.moving.pose = pose;
  tree_descent descent = {.s = tree_layout_of(still->leaf_count),
                          .t = tree_layout_of(moving->leaf_count),
                          .s_blocks = forest->blocks + still->first_block,
                          .t_blocks = forest->blocks + moving->first_block,
                          .s_slabs = still->has_slabs ? forest->slabs + still->first_block : NULL,
                          .t_slabs = moving->has_slabs ? forest->slabs + moving->first_block : NULL,
                          .relation = relate_trees(&forest->posed[test->still], &posed),
                          .kernels = test->kernels};
  (void)tree_descend(&descent, descent_root(&descent), take_leaves, &run);
  return run.count;
}
