/* Two objects and a pose of the second: whether they meet, or in how many pairs of primitives. */
#ifndef GRAZE_BACKEND_CPU_POSE_TEST_H
#define GRAZE_BACKEND_CPU_POSE_TEST_H

#include "base/stop_check.h"
#include "broad/tree_descent.h"
#include "broad/tree_forest.h"

/* What all poses have in common. Either body may be NO_BODY: then nothing meets. */
typedef struct pose_test {
  const tree_forest *forest;
  uint32_t still, moving; /* bodies; they may be the same */
  object_source still_source, moving_source;
  const tree_kernels *kernels;
  graze_test test;
  bool counts; /* all pairs are counted, else the first ends it */
  memory *heap;
  stop_check *stop; /* NULL: nobody stops it */
} pose_test;

/* The number of pairs with the second object in this pose in place of its own, or 1 in place of any but 0. Safe on
 * several threads at the same time. */
uint64_t pose_test_run(const pose_test *test, const rigid_pose *pose);

#endif
