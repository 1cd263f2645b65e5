/* Learns cluster centers; see clusters_learning.h. */
#include "broad/clusters_learning.h"

#include "broad/clusters_axis.h"
#include "broad/clusters_gas.h"

#include <string.h>

/* ---------------------------------------------------------------------------------------------- memory */

static size_t block_count_of(uint32_t point_count) {
  return (point_count + LEARNING_BLOCK - 1) / LEARNING_BLOCK;
}

static void release_arrays(cluster_learner *l) {
  const size_t points = l->point_capacity, centers = l->center_capacity, blocks = block_count_of(l->point_capacity);
  memory_release(l->heap, l->points[0], 3 * points, sizeof(float));
  memory_release(l->heap, l->centers[0], 3 * centers, sizeof(float));
  memory_release(l->heap, l->memberships, points * centers, sizeof(float));
  memory_release(l->heap, l->sums, blocks * centers, sizeof(cluster_sums));
  memory_release(l->heap, l->block_weights, blocks * centers, sizeof(float));
  memory_release(l->heap, l->block_ranks, blocks * centers, sizeof(uint16_t));
  memory_release(l->heap, l->block_change, blocks, sizeof(float));
}

void learner_release(cluster_learner *learner) {
  release_arrays(learner);
  *learner = (cluster_learner){.heap = learner->heap};
}

static bool allocate_arrays(cluster_learner *l) {
  const size_t points = l->point_capacity, centers = l->center_capacity, blocks = block_count_of(l->point_capacity);
  l->points[0] = memory_allocate(l->heap, 3 * points, sizeof(float));
  l->centers[0] = memory_allocate(l->heap, 3 * centers, sizeof(float));
  l->memberships = memory_allocate(l->heap, points * centers, sizeof(float));
  l->sums = memory_allocate(l->heap, blocks * centers, sizeof(cluster_sums));
  l->block_weights = memory_allocate(l->heap, blocks * centers, sizeof(float));
  l->block_ranks = memory_allocate(l->heap, blocks * centers, sizeof(uint16_t));
  l->block_change = memory_allocate(l->heap, blocks, sizeof(float));
  if (l->points[0] == NULL || l->centers[0] == NULL || l->memberships == NULL || l->sums == NULL ||
      l->block_weights == NULL || l->block_ranks == NULL || l->block_change == NULL) {
    release_arrays(l);
    return false;
  }
  for (int axis = 1; axis < 3; axis++) {
    l->points[axis] = l->points[0] + axis * points;
    l->centers[axis] = l->centers[0] + axis * centers;
  }
  return true;
}

bool learner_reserve(cluster_learner *learner, uint32_t point_count, uint32_t center_count) {
  if (learner->points[0] != NULL && point_count <= learner->point_capacity && center_count <= learner->center_capacity)
    return true;
  cluster_learner grown = {
      .heap = learner->heap,
      .point_count = learner->point_count,
      .center_count = learner->center_count,
      .point_capacity = point_count > learner->point_capacity ? point_count : learner->point_capacity,
      .center_capacity = center_count > learner->center_capacity ? center_count : learner->center_capacity};
  if (!allocate_arrays(&grown)) return false;
  for (int axis = 0; axis < 3 && learner->points[0] != NULL; axis++) {
    memcpy(grown.points[axis], learner->points[axis], learner->point_count * sizeof(float));
    memcpy(grown.centers[axis], learner->centers[axis], learner->center_count * sizeof(float));
  }
  learner_release(learner);
  *learner = grown;
  return true;
}

/* ---------------------------------------------------------------------------------------------- a step */

typedef struct learning_step {
  cluster_learner *learner;
  cluster_centers centers;
  const fuzzy_rule *rule; /* NULL: batch neural gas, with this range */
  double range;
} learning_step;

static void read_point(const cluster_learner *l, uint32_t number, float point_out[3]) {
  for (int axis = 0; axis < 3; axis++) point_out[axis] = l->points[axis][number];
}

/* Weights a point and stores its memberships; returns the largest change of one. */
static float weigh_by_membership(const learning_step *step, uint32_t number, const float point[3], float *weights) {
  float *memberships = step->learner->memberships + (size_t)number * step->centers.count, change = 0.0f;
  fuzzy_memberships(&step->centers, step->rule, point, weights);
  for (uint32_t k = 0; k < step->centers.count; k++) {
    change = fmaxf(change, fabsf(weights[k] - memberships[k]));
    memberships[k] = weights[k];
    weights[k] = (float)fuzzy_weight(step->rule, weights[k]);
  }
  return change;
}

static void sum_block(void *context, uint32_t block, uint32_t worker) {
  const learning_step *step = context;
  cluster_learner *l = step->learner;
  const uint32_t count = step->centers.count, first = block * LEARNING_BLOCK;
  const uint32_t end = l->point_count - first < LEARNING_BLOCK ? l->point_count : first + LEARNING_BLOCK;
  cluster_sums *sums = l->sums + (size_t)block * count;
  float *weights = l->block_weights + (size_t)block * count, change = 0.0f;
  (void)worker;
  memset(sums, 0, count * sizeof *sums);
  for (uint32_t i = first; i < end; i++) {
    float point[3];
    read_point(l, i, point);
    if (step->rule != NULL)
      change = fmaxf(change, weigh_by_membership(step, i, point, weights));
    else
      gas_weights(&step->centers, step->range, point, l->block_ranks + (size_t)block * count, weights);
    for (uint32_t k = 0; k < count; k++) {
      sums[k].weight += weights[k];
      for (int axis = 0; axis < 3; axis++) sums[k].position[axis] += (double)weights[k] * point[axis];
    }
  }
  l->block_change[block] = change;
}

/* The weighted means of all points, block by block. Returns the largest change of a membership. */
static float run_step(learning_step *step, workers *team) {
  cluster_learner *l = step->learner;
  const uint32_t count = step->centers.count, block_count = (uint32_t)block_count_of(l->point_count);
  workers_run(team, sum_block, step, block_count);
  float change = 0.0f;
  for (uint32_t block = 0; block < block_count; block++) change = fmaxf(change, l->block_change[block]);
  for (uint32_t k = 0; k < count; k++) {
    cluster_sums sum = {0};
    for (uint32_t block = 0; block < block_count; block++) {
      const cluster_sums *part = &l->sums[(size_t)block * count + k];
      sum.weight += part->weight;
      for (int axis = 0; axis < 3; axis++) sum.position[axis] += part->position[axis];
    }
    if (!(sum.weight > 0.0)) continue; /* a center without points keeps its position */
    for (int axis = 0; axis < 3; axis++) l->centers[axis][k] = (float)(sum.position[axis] / sum.weight);
  }
  return change;
}

/* ---------------------------------------------------------------------------------------------- learning */

enum { GAS_STEPS_MOST = 16, GAS_STEPS_LEAST = 2, GAS_WORK = 1 << 25 };

/* Many clusters get fewer steps, so that the first frame takes less than a second for any number. */
static uint32_t gas_steps(uint32_t point_count, uint32_t center_count) {
  const uint64_t work = (uint64_t)point_count * center_count * 4;
  const uint64_t steps = GAS_WORK / (work + 1);
  return steps > GAS_STEPS_MOST ? GAS_STEPS_MOST : steps < GAS_STEPS_LEAST ? GAS_STEPS_LEAST : (uint32_t)steps;
}

void learner_restart(cluster_learner *learner, uint32_t count, graze_metric distance, workers *team) {
  learner->center_count = count;
  for (uint32_t k = 0; k < count; k++) {
    const uint32_t number = (uint32_t)((2 * (uint64_t)k + 1) * learner->point_count / (2 * (uint64_t)count));
    for (int axis = 0; axis < 3; axis++) learner->centers[axis][k] = learner->points[axis][number];
  }
  const uint32_t steps = gas_steps(learner->point_count, count);
  for (uint32_t t = 0; t < steps && count > 1; t++) {
    learning_step step = {learner, learner_centers(learner, distance), NULL, gas_range(count, t, steps)};
    run_step(&step, team);
  }
}

uint32_t learner_refine(cluster_learner *learner, const fuzzy_rule *rule, graze_metric distance, workers *team) {
  memset(learner->memberships, 0, (size_t)learner->point_count * learner->center_count * sizeof(float));
  uint32_t steps = 0;
  float change = 1.0f;
  while (steps < LEARNING_ITERATIONS && change >= LEARNING_CHANGE_LEAST) {
    learning_step step = {learner, learner_centers(learner, distance), rule, 0.0};
    change = run_step(&step, team);
    steps++;
  }
  return steps;
}

/* ---------------------------------------------------------------------------------------------- number of centers */

static void move_center(cluster_learner *l, uint32_t to, uint32_t from) {
  for (int axis = 0; axis < 3; axis++) l->centers[axis][to] = l->centers[axis][from];
}

static bool centers_equal(const cluster_learner *l, uint32_t a, uint32_t b) {
  return l->centers[0][a] == l->centers[0][b] && l->centers[1][a] == l->centers[1][b] &&
         l->centers[2][a] == l->centers[2][b];
}

void learner_drop_equal_centers(cluster_learner *learner) {
  uint32_t kept = 0;
  for (uint32_t k = 0; k < learner->center_count; k++) {
    bool again = false;
    for (uint32_t j = 0; j < kept && !again; j++) again = centers_equal(learner, j, k);
    if (!again) move_center(learner, kept++, k);
  }
  learner->center_count = kept;
}

static uint32_t nearest_center(const cluster_centers *centers, const float point[3]) {
  uint32_t nearest = 0;
  float least = cluster_measure_to(centers, 0, point);
  for (uint32_t k = 1; k < centers->count; k++) {
    const float measure = cluster_measure_to(centers, k, point);
    if (measure < least) {
      least = measure;
      nearest = k;
    }
  }
  return nearest;
}

/* Finds the nearest center of each point. The result is in the memory of the memberships, which has at least one
 * element per point. */
static uint32_t *find_nearest_centers(cluster_learner *l, graze_metric distance) {
  const cluster_centers centers = learner_centers(l, distance);
  uint32_t *nearest = (uint32_t *)(void *)l->memberships;
  for (uint32_t i = 0; i < l->point_count; i++) {
    float point[3];
    read_point(l, i, point);
    nearest[i] = nearest_center(&centers, point);
  }
  return nearest;
}

/* Replaces a center by two, half a standard deviation on either side of the mean along the axis of largest spread. */
static void split_center(cluster_learner *l, const uint32_t *nearest, uint32_t center, uint32_t new_center) {
  const float origin[3] = {l->centers[0][center], l->centers[1][center], l->centers[2][center]};
  point_spread spread = point_spread_begin(origin);
  for (uint32_t i = 0; i < l->point_count; i++) {
    if (nearest[i] != center) continue;
    float point[3];
    read_point(l, i, point);
    point_spread_add(&spread, point);
  }
  move_center(l, new_center, center);
  if (spread.count == 0.0) return;
  double matrix[3][3], values[3], vectors[3][3];
  point_covariance(&spread, matrix);
  symmetric_eigenvectors(matrix, values, vectors);
  const double step = 0.5 * sqrt(fmax(values[0], 0.0));
  for (int axis = 0; axis < 3; axis++) {
    const double mean = origin[axis] + spread.sum[axis] / spread.count;
    l->centers[axis][center] = (float)(mean - step * vectors[0][axis]);
    l->centers[axis][new_center] = (float)(mean + step * vectors[0][axis]);
  }
}

void learner_split_centers(cluster_learner *learner, uint32_t most, graze_metric distance) {
  const uint32_t *nearest = find_nearest_centers(learner, distance);
  const uint32_t count = learner->center_count;
  for (uint32_t k = 0; k < count && learner->center_count < most; k++)
    split_center(learner, nearest, k, learner->center_count++);
  learner_drop_equal_centers(learner);
}

void learner_drop_centers(cluster_learner *learner, uint32_t count, graze_metric distance) {
  const uint32_t *nearest = find_nearest_centers(learner, distance);
  uint32_t points_of[CLUSTERS_MOST] = {0};
  for (uint32_t i = 0; i < learner->point_count; i++) points_of[nearest[i]]++;
  while (learner->center_count > count) {
    uint32_t fewest = 0;
    for (uint32_t k = 1; k < learner->center_count; k++)
      if (points_of[k] < points_of[fewest]) fewest = k;
    learner->center_count--;
    points_of[fewest] = points_of[learner->center_count];
    move_center(learner, fewest, learner->center_count);
  }
}
