/* Tests the table of occupied cells: it reports which boxes of cells contain a leaf, like a loop over all leaves, and a
 * box around a point of a leaf is never free. */
#include "base/number_sequence.h"
#include "broad/tree_occupancy.h"
#include "test_scale.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 40, QUESTIONS = 200 };

static double between(uint64_t *seed, double low, double high) {
  return low + (high - low) * ((double)(sequence_next(seed) >> 11) * 0x1p-53);
}

typedef struct leaf_model {
  tree_block blocks[BLOCKS];
  body_space space;
  rigid_pose pose;
  posed_space posed;
  occupancy table;
} leaf_model;

/* A turn about a random axis, in steps about two of the scene's. */
static rigid_pose random_pose(uint64_t *seed, double size) {
  const double a = between(seed, -3.0, 3.0), b = between(seed, -3.0, 3.0);
  const double ca = cos(a), sa = sin(a), cb = cos(b), sb = sin(b);
  const rigid_pose made = {{ca, -sa * cb, sa * sb, sa, ca * cb, -ca * sb, 0.0, sb, cb},
                           {between(seed, -size, size), between(seed, -size, size), between(seed, -size, size)}};
  return made;
}

static leaf_model *make_model(uint64_t *seed, uint32_t *sums) {
  leaf_model *made = calloc(1, sizeof *made);
  assert_non_null(made);
  const double size = ldexp(1.0, (int)sequence_below(seed, 60) - 30), reach = between(seed, 0.0, 0.3);
  made->space = (body_space){{between(seed, -size, size), 0.0, size}, {size, size, size}, size};
  made->pose = random_pose(seed, 3.0 * size);
  for (int i = 0; i < BLOCKS; i++) {
    clear_tree_block(&made->blocks[i]);
    for (uint64_t lane = 0; lane < 1 + sequence_below(seed, TREE_FANOUT); lane++)
      for (int axis = 0; axis < 3; axis++) {
        made->blocks[i].center[axis][lane] = (float)between(seed, -0.7, 0.7);
        made->blocks[i].half[axis][lane] = sequence_below(seed, 4) == 0 ? 0.0f : (float)between(seed, 0.0, reach);
      }
  }
  made->posed = pose_space(&made->space, sequence_below(seed, 4) == 0 ? NULL : &made->pose);
  exact_box domain = box_of_posed(&made->posed);
  for (int axis = 0; axis < 3; axis++) { /* some of it, more than all, or nothing */
    if (sequence_below(seed, 3) == 0) domain.min[axis] = between(seed, domain.min[axis], domain.max[axis]);
    if (sequence_below(seed, 3) == 0) domain.max[axis] += size;
    if (sequence_below(seed, 9) == 0) domain.max[axis] = domain.min[axis];
  }
  memset(sums, 0, OCCUPANCY_SUMS * sizeof *sums);
  made->table = occupancy_over(&domain, sums);
  for (int i = 0; i < BLOCKS; i++) occupancy_mark(&made->table, &made->blocks[i], &made->posed);
  for (int step = 0; step < OCCUPANCY_STEPS; step++)
    for (uint32_t line = 0; line < OCCUPANCY_LINES; line++) occupancy_sum_line(&made->table, step, line);
  return made;
}

static bool is_free_by_loop(const leaf_model *model, const exact_box *box) {
  for (int i = 0; i < BLOCKS; i++)
    for (int lane = 0; lane < TREE_FANOUT; lane++) {
      uint32_t first[3], last[3];
      bool apart = !occupancy_leaf_cells(&model->table, &model->blocks[i], lane, &model->posed, first, last);
      for (int axis = 0; axis < 3 && !apart; axis++)
        apart = occupancy_cell(&model->table, axis, box->max[axis]) < first[axis] ||
                last[axis] < occupancy_cell(&model->table, axis, box->min[axis]);
      if (!apart) return false;
    }
  return true;
}

/* A point of a leaf that is there, as exact tests see it. */
static void point_of_leaf(const leaf_model *model, uint64_t *seed, double point_out[3]) {
  const tree_block *block = &model->blocks[sequence_below(seed, BLOCKS)];
  double before[3];
  for (int axis = 0; axis < 3; axis++) {
    const double side = sequence_below(seed, 2) == 0 ? 1.0 : between(seed, -1.0, 1.0);
    before[axis] = model->space.origin[axis] +
                   model->space.unit * ((double)block->center[axis][0] + side * (double)block->half[axis][0]);
  }
  if (model->posed.posed)
    pose_position(&model->pose, before, point_out);
  else
    memcpy(point_out, before, sizeof before);
}

TEST(test_tables) {
  uint64_t seed = 3, free_count = 0, question_count = 0;
  OWNED_MEMORY uint32_t *sums = malloc(OCCUPANCY_SUMS * sizeof *sums);
  assert_non_null(sums);
  for (size_t round = 0; round < test_scaled(400, 20); round++) {
    leaf_model *model = make_model(&seed, sums);
    for (int i = 0; i < QUESTIONS; i++) {
      const double reach = between(&seed, 0.0, 0.05) * model->space.unit;
      double point[3];
      exact_box box;
      point_of_leaf(model, &seed, point);
      box = exact_box_at(point);
      assert_false(occupancy_is_free(&model->table, &box));
      for (int axis = 0; axis < 3; axis++) {
        const double place = model->posed.origin[axis] + between(&seed, -2.0, 2.0) * model->space.unit;
        box.min[axis] = sequence_below(&seed, 50) == 0 ? -HUGE_VAL : place - reach;
        box.max[axis] = sequence_below(&seed, 50) == 0 ? HUGE_VAL : place + reach;
      }
      const bool is_free = is_free_by_loop(model, &box);
      assert_int_equal(occupancy_is_free(&model->table, &box), is_free);
      free_count += is_free;
      question_count++;
    }
    free(model);
  }
  assert_true(free_count > question_count / 10 && free_count < question_count);
}
