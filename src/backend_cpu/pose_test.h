/* Two bodies in poses: whether they come within a distance, or in how many pairs of primitives. */
#ifndef GRAZE_BACKEND_CPU_POSE_TEST_H
#define GRAZE_BACKEND_CPU_POSE_TEST_H

#include "base/stop_check.h"
#include "broad/tree_descent.h"
#include "broad/tree_forest.h"

/* The shared arguments of all tests of a call. */
typedef struct pose_test {
  const tree_forest *forest;
  const tree_kernels *kernels;
  graze_test test;
  bool counts; /* all pairs are counted; otherwise the first ends the test */
  memory *heap;
  stop_check *stop; /* may be NULL */
} pose_test;

/* A body in its tested pose. */
typedef struct posed_body {
  const tree_body *tree; /* NULL: it has no primitives */
  posed_space posed;
  object_source source; /* with the same pose */
} posed_body;

/* The body in the pose of the scene. */
posed_body pose_test_body(const tree_forest *forest, uint32_t body, const object_source *source);

/* Places the body by a valid pose, which must outlive the body. False if a coordinate would not be finite. */
bool pose_test_place(const tree_forest *forest, posed_body *body, const rigid_pose *pose);

/* Returns the number of pairs, or 0 or 1. With a limit of 0 they intersect; otherwise they are within it. Safe on
 * several threads at the same time. */
uint64_t pose_test_run(const pose_test *test, const posed_body *s, const posed_body *t, double limit);

#endif
