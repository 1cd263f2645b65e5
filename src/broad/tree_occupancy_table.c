/* The table of occupied cells on the processor; see tree_occupancy_table.h. */
#include "broad/tree_occupancy_table.h"

#include <math.h>
#include <string.h>

enum { MARK_GRAIN = 2048, LINE_GRAIN = 256, DOMAIN_SAMPLES = 64 };

typedef struct marking {
  const occupancy *table;
  const tree_block *blocks;
  const posed_space *posed;
  int step;
} marking;

static void mark_range(void *context, size_t first, size_t end, uint32_t worker) {
  const marking *work = context;
  (void)worker;
  for (size_t i = first; i < end; i++) occupancy_mark(work->table, &work->blocks[i], work->posed);
}

static void sum_range(void *context, size_t first, size_t end, uint32_t worker) {
  const marking *work = context;
  (void)worker;
  for (size_t i = first; i < end; i++) occupancy_sum_line(work->table, work->step, (uint32_t)i);
}

/* The box of the moving parts, in some of the configurations; all of space if the poses are not on the host. */
static exact_box box_of_moving(const occupancy_request *request) {
  const size_t moving = request->moving_count, skip = request->configuration_count / DOMAIN_SAMPLES + 1;
  exact_box reached = exact_box_empty();
  if (request->poses == NULL) return (exact_box){{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, HUGE_VAL, HUGE_VAL}};
  for (size_t i = 0; i < request->configuration_count; i += skip)
    for (size_t part = 0; part < moving; part++) {
      const rigid_pose *pose = &request->poses[i * moving + part];
      if (request->bodies[part] == NO_BODY || !pose_is_sound(pose)) continue;
      const posed_space posed = pose_space(&request->forest->bodies[request->bodies[part]].space, pose);
      const exact_box box = box_of_posed(&posed);
      exact_box_include_box(&reached, &box);
    }
  return reached;
}

bool occupancy_pays(const occupancy_request *request, exact_box *domain_out) {
  exact_box resting = exact_box_empty();
  size_t leaves = 0;
  for (size_t i = request->moving_count; i < request->part_count; i++) {
    if (request->bodies[i] == NO_BODY) continue;
    leaves += request->forest->bodies[request->bodies[i]].leaf_count;
    exact_box_include_box(&resting, &request->forest->boxes[request->bodies[i]]);
  }
  if (leaves == 0 || request->configuration_count * request->moving_count / 2 < leaves / 8 + OCCUPANCY_LINES)
    return false;
  const exact_box reached = box_of_moving(request);
  bool useful = true;
  for (int axis = 0; axis < 3; axis++) {
    const double low = fmax(resting.min[axis], reached.min[axis]), high = fmin(resting.max[axis], reached.max[axis]);
    domain_out->min[axis] = low;
    domain_out->max[axis] = high;
    useful = useful && low <= high && isfinite(low) && isfinite(high);
  }
  return useful;
}

bool occupancy_make(occupancy *made, memory *heap, const occupancy_request *request, const exact_box *domain,
                    workers *team) {
  const tree_forest *forest = request->forest;
  uint32_t *sums = memory_allocate(heap, OCCUPANCY_SUMS, sizeof *sums);
  *made = occupancy_over(domain, sums);
  if (sums == NULL) return false;
  memset(sums, 0, OCCUPANCY_SUMS * sizeof *sums);
  for (size_t i = request->moving_count; i < request->part_count; i++) {
    const uint32_t number = request->bodies[i];
    if (number == NO_BODY) continue;
    const tree_body *body = &forest->bodies[number];
    marking work = {made, forest->blocks + body->first_block, &forest->posed[number], 0};
    workers_for(team, tree_parents(body->leaf_count), MARK_GRAIN, mark_range, &work);
  }
  for (int step = 0; step < OCCUPANCY_STEPS; step++)
    workers_for(team, OCCUPANCY_LINES, LINE_GRAIN, sum_range, &(marking){.table = made, .step = step});
  return true;
}

void occupancy_release(occupancy *made, memory *heap) {
  memory_release(heap, made->sums, OCCUPANCY_SUMS, sizeof *made->sums);
  made->sums = NULL;
}
