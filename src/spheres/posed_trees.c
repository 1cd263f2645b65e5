/* The relative pose of two sphere trees, and bounds of its rounding; see posed_trees.h. */
#include "spheres/posed_trees.h"

static double length_of(const double vector[3]) {
  return sqrt((vector[0] * vector[0] + vector[1] * vector[1]) + vector[2] * vector[2]);
}

/* Includes the rounding of its own computation. */
static double defect_of(const rigid_pose *pose) {
  return rotation_defect(pose->rotation) + 0x1p-50;
}

static void set_relative_pose(posed_trees *pair) {
  const double *r = pair->pose_a.rotation, *s = pair->pose_b.rotation;
  for (int row = 0; row < 3; row++) {
    for (int column = 0; column < 3; column++)
      pair->rotation[3 * row + column] = (r[row] * s[column] + r[3 + row] * s[3 + column]) + r[6 + row] * s[6 + column];
    double shift = 0.0;
    for (int axis = 0; axis < 3; axis++)
      shift += r[3 * axis + row] * (pair->pose_b.translation[axis] - pair->pose_a.translation[axis]);
    pair->shift[row] = shift;
  }
}

void posed_trees_make(const graze_sphere_tree *a, const rigid_pose *pose_a, const graze_sphere_tree *b,
                      const rigid_pose *pose_b, posed_trees *pair_out) {
  posed_trees *pair = pair_out;
  pair->a = a;
  pair->b = b;
  pair->pose_a = *pose_a;
  pair->pose_b = *pose_b;
  set_relative_pose(pair);
  const double far = length_of(pose_a->translation) + length_of(pose_b->translation);
  pair->defect_a = defect_of(pose_a);
  pair->defect_b = defect_of(pose_b);
  pair->stretch = 1.0 + (1.6 * (pair->defect_a + pair->defect_b) + 0x1p-47);
  pair->rounding = 0x1p-49 * (a->extent + b->extent + far) + 0x1p-500;
  pair->slack = 3.1 * pair->defect_a * a->extent + 8.0 * pair->rounding;
}
