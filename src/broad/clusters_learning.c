/* Learning centres of clusters; see clusters_learning.h. */
#include "broad/clusters_learning.h"

#include "broad/clusters_axis.h"
#include "broad/clusters_gas.h"

#include <string.h>

/* ---------------------------------------------------------------------------------------------- memory */

static size_t block_count_of(uint32_t point_count) {
  return (point_count + LEARNING_BLOCK - 1) / LEARNING_BLOCK;
}

static void release_arrays(cluster_learner *l) {
  const size_t points = l->point_capacity, centres = l->centre_capacity, blocks = block_count_of(l->point_capacity);
  memory_release(l->heap, l->points[0], 3 * points, sizeof(float));
  memory_release(l->heap, l->centres[0], 3 * centres, sizeof(float));
  memory_release(l->heap, l->memberships, points * centres, sizeof(float));
  memory_release(l->heap, l->sums, blocks * centres, sizeof(cluster_sums));
  memory_release(l->heap, l->block_weights, blocks * centres, sizeof(float));
  memory_release(l->heap, l->block_ranks, blocks * centres, sizeof(uint16_t));
  memory_release(l->heap, l->block_change, blocks, sizeof(float));
}

void learner_release(cluster_learner *learner) {
  release_arrays(learner);
  *learner = (cluster_learner){.heap = learner->heap};
}

static bool allocate_arrays(cluster_learner *l) {
  const size_t points = l->point_capacity, centres = l->centre_capacity, blocks = block_count_of(l->point_capacity);
  l->points[0] = memory_allocate(l->heap, 3 * points, sizeof(float));
  l->centres[0] = memory_allocate(l->heap, 3 * centres, sizeof(float));
  l->memberships = memory_allocate(l->heap, points * centres, sizeof(float));
  l->sums = memory_allocate(l->heap, blocks * centres, sizeof(cluster_sums));
  l->block_weights = memory_allocate(l->heap, blocks * centres, sizeof(float));
  l->block_ranks = memory_allocate(l->heap, blocks * centres, sizeof(uint16_t));
  l->block_change = memory_allocate(l->heap, blocks, sizeof(float));
  if (l->points[0] == NULL || l->centres[0] == NULL || l->memberships == NULL || l->sums == NULL ||
      l->block_weights == NULL || l->block_ranks == NULL || l->block_change == NULL) {
    release_arrays(l);
    return false;
  }
  for (int axis = 1; axis < 3; axis++) {
    l->points[axis] = l->points[0] + axis * points;
    l->centres[axis] = l->centres[0] + axis * centres;
  }
  return true;
}

bool learner_reserve(cluster_learner *learner, uint32_t point_count, uint32_t centre_count) {
  if (learner->points[0] != NULL && point_count <= learner->point_capacity && centre_count <= learner->centre_capacity)
    return true;
  cluster_learner grown = {
      .heap = learner->heap,
      .point_count = learner->point_count,
      .centre_count = learner->centre_count,
      .point_capacity = point_count > learner->point_capacity ? point_count : learner->point_capacity,
      .centre_capacity = centre_count > learner->centre_capacity ? centre_count : learner->centre_capacity};
  if (!allocate_arrays(&grown)) return false;
  for (int axis = 0; axis < 3 && learner->points[0] != NULL; axis++) {
    memcpy(grown.points[axis], learner->points[axis], learner->point_count * sizeof(float));
    memcpy(grown.centres[axis], learner->centres[axis], learner->centre_count * sizeof(float));
  }
  learner_release(learner);
  *learner = grown;
  return true;
}

/* ---------------------------------------------------------------------------------------------- a step */

typedef struct learning_step {
  cluster_learner *learner;
  cluster_centres centres;
  const fuzzy_rule *rule; /* NULL: batch neural gas, of this range */
  double range;
} learning_step;

static void read_point(const cluster_learner *l, uint32_t number, float point_out[3]) {
  for (int axis = 0; axis < 3; axis++) point_out[axis] = l->points[axis][number];
}

/* Weighs a point and keeps its memberships; how much the one that changed most did. */
static float weigh_by_membership(const learning_step *step, uint32_t number, const float point[3], float *weights) {
  float *memberships = step->learner->memberships + (size_t)number * step->centres.count, change = 0.0f;
  fuzzy_memberships(&step->centres, step->rule, point, weights);
  for (uint32_t k = 0; k < step->centres.count; k++) {
    change = fmaxf(change, fabsf(weights[k] - memberships[k]));
    memberships[k] = weights[k];
    weights[k] = (float)fuzzy_weight(step->rule, weights[k]);
  }
  return change;
}

static void sum_block(void *context, uint32_t block, uint32_t worker) {
  const learning_step *step = context;
  cluster_learner *l = step->learner;
  const uint32_t count = step->centres.count, first = block * LEARNING_BLOCK;
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
      gas_weights(&step->centres, step->range, point, l->block_ranks + (size_t)block * count, weights);
    for (uint32_t k = 0; k < count; k++) {
      sums[k].weight += weights[k];
      for (int axis = 0; axis < 3; axis++) sums[k].position[axis] += (double)weights[k] * point[axis];
    }
  }
  l->block_change[block] = change;
}

/* The weighted means of all points, block after block. Returns the greatest change of a membership. */
static float run_step(learning_step *step, workers *team) {
  cluster_learner *l = step->learner;
  const uint32_t count = step->centres.count, block_count = (uint32_t)block_count_of(l->point_count);
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
    if (!(sum.weight > 0.0)) continue; /* nobody's: it stays where it is */
    for (int axis = 0; axis < 3; axis++) l->centres[axis][k] = (float)(sum.position[axis] / sum.weight);
  }
  return change;
}

/* ---------------------------------------------------------------------------------------------- courses */

enum { GAS_STEPS_MOST = 16, GAS_STEPS_LEAST = 2, GAS_WORK = 1 << 25 };

/* Many clusters get fewer steps, so that the first frame of any number takes less than a second. */
static uint32_t gas_steps(uint32_t point_count, uint32_t centre_count) {
  const uint64_t work = (uint64_t)point_count * centre_count * 4;
  const uint64_t steps = GAS_WORK / (work + 1);
  return steps > GAS_STEPS_MOST ? GAS_STEPS_MOST : steps < GAS_STEPS_LEAST ? GAS_STEPS_LEAST : (uint32_t)steps;
}

void learn_afresh(cluster_learner *learner, uint32_t count, graze_distance distance, workers *team) {
  learner->centre_count = count;
  for (uint32_t k = 0; k < count; k++) {
    const uint32_t number = (uint32_t)((2 * (uint64_t)k + 1) * learner->point_count / (2 * (uint64_t)count));
    for (int axis = 0; axis < 3; axis++) learner->centres[axis][k] = learner->points[axis][number];
  }
  const uint32_t steps = gas_steps(learner->point_count, count);
  for (uint32_t t = 0; t < steps && count > 1; t++) {
    learning_step step = {learner, learner_centres(learner, distance), NULL, gas_range(count, t, steps)};
    run_step(&step, team);
  }
}

uint32_t learn_on(cluster_learner *learner, const fuzzy_rule *rule, graze_distance distance, workers *team) {
  memset(learner->memberships, 0, (size_t)learner->point_count * learner->centre_count * sizeof(float));
  uint32_t steps = 0;
  float change = 1.0f;
  while (steps < LEARNING_ITERATIONS && change >= LEARNING_CHANGE_LEAST) {
    learning_step step = {learner, learner_centres(learner, distance), rule, 0.0};
    change = run_step(&step, team);
    steps++;
  }
  return steps;
}

/* ---------------------------------------------------------------------------------------------- their number */

static void move_centre(cluster_learner *l, uint32_t to, uint32_t from) {
  for (int axis = 0; axis < 3; axis++) l->centres[axis][to] = l->centres[axis][from];
}

static bool centres_equal(const cluster_learner *l, uint32_t a, uint32_t b) {
  return l->centres[0][a] == l->centres[0][b] && l->centres[1][a] == l->centres[1][b] &&
         l->centres[2][a] == l->centres[2][b];
}

void learner_drop_equal_centres(cluster_learner *learner) {
  uint32_t kept = 0;
  for (uint32_t k = 0; k < learner->centre_count; k++) {
    bool again = false;
    for (uint32_t j = 0; j < kept && !again; j++) again = centres_equal(learner, j, k);
    if (!again) move_centre(learner, kept++, k);
  }
  learner->centre_count = kept;
}

static uint32_t nearest_centre(const cluster_centres *centres, const float point[3]) {
  uint32_t nearest = 0;
  float least = cluster_measure_to(centres, 0, point);
  for (uint32_t k = 1; k < centres->count; k++) {
    const float measure = cluster_measure_to(centres, k, point);
    if (measure < least) {
      least = measure;
      nearest = k;
    }
  }
  return nearest;
}

/* The number of the nearest centre of each point, in the memory of memberships, of which a point has one at least. */
static uint32_t *find_nearest_centres(cluster_learner *l, graze_distance distance) {
  const cluster_centres centres = learner_centres(l, distance);
  uint32_t *nearest = (uint32_t *)(void *)l->memberships;
  for (uint32_t i = 0; i < l->point_count; i++) {
    float point[3];
    read_point(l, i, point);
    nearest[i] = nearest_centre(&centres, point);
  }
  return nearest;
}

/* Two centres, half a standard deviation to either side of the mean along the axis of greatest spread. */
static void split_centre(cluster_learner *l, const uint32_t *nearest, uint32_t centre, uint32_t new_centre) {
  const float origin[3] = {l->centres[0][centre], l->centres[1][centre], l->centres[2][centre]};
  point_spread spread = point_spread_begin(origin);
  for (uint32_t i = 0; i < l->point_count; i++) {
    if (nearest[i] != centre) continue;
    float point[3];
    read_point(l, i, point);
    point_spread_add(&spread, point);
  }
  move_centre(l, new_centre, centre);
  if (spread.count == 0.0) return;
  double matrix[3][3], values[3], vectors[3][3];
  point_covariance(&spread, matrix);
  symmetric_eigenvectors(matrix, values, vectors);
  const double step = 0.5 * sqrt(fmax(values[0], 0.0));
  for (int axis = 0; axis < 3; axis++) {
    const double mean = origin[axis] + spread.sum[axis] / spread.count;
    l->centres[axis][centre] = (float)(mean - step * vectors[0][axis]);
    l->centres[axis][new_centre] = (float)(mean + step * vectors[0][axis]);
  }
}

void learner_split_centres(cluster_learner *learner, uint32_t most, graze_distance distance) {
  const uint32_t *nearest = find_nearest_centres(learner, distance);
  const uint32_t count = learner->centre_count;
  for (uint32_t k = 0; k < count && learner->centre_count < most; k++)
    split_centre(learner, nearest, k, learner->centre_count++);
  learner_drop_equal_centres(learner);
}

void learner_drop_centres(cluster_learner *learner, uint32_t count, graze_distance distance) {
  const uint32_t *nearest = find_nearest_centres(learner, distance);
  uint32_t points_of[CLUSTERS_MOST] = {0};
  for (uint32_t i = 0; i < learner->point_count; i++) points_of[nearest[i]]++;
  while (learner->centre_count > count) {
    uint32_t fewest = 0;
    for (uint32_t k = 1; k < learner->centre_count; k++)
      if (points_of[k] < points_of[fewest]) fewest = k;
    learner->centre_count--;
    points_of[fewest] = points_of[learner->centre_count];
    move_centre(learner, fewest, learner->centre_count);
  }
}
