/* Prototypes by batch neural gas, for all nodes of a level in each step.
 *
 * Sums over the spheres of a node do not use prefix sums, whose differences cancel digits. Items are split into blocks
 * of fixed length, and each block sums its runs of one node's spheres. The run of node n in block b has the number n +
 * b, which is unique because each run begins a node or a block. A node's sum is that of its runs, in order. So sums do
 * not depend on the workers. */
#include "spheres/sphere_prototypes.h"

enum {
  GAS_NODES = 64,     /* per task */
  GAS_ITERATIONS = 20 /* t_max, by measurement: docs/theory/sphere_trees.md */
};

typedef struct gas_job {
  sphere_level *level;
  gas_sum *runs;
  gas_node *nodes;
  double share[GAS_PROTOTYPES];
} gas_job;

/* ---------------------------------------------------------------------------------------------- begin */

/* Corners of a tetrahedron, rotated so that its axes and planes of symmetry are unlikely to be those of a body: two
 * prototypes that all spheres rank alike would never separate. */
static const double corners[GAS_PROTOTYPES][3] = {
    {0.043, 0.478, 0.141}, {0.159, -0.050, -0.472}, {-0.479, -0.140, 0.030}, {0.277, -0.288, 0.300}};

static void begin_node(gas_job *job, uint32_t at) {
  const level_node *node = &job->level->nodes[at];
  double largest = 0.0;
  for (uint32_t i = 0; i < node->count; i++) {
    const double radius = job->level->balls[node->first + i][3];
    largest = radius > largest ? radius : largest;
  }
  job->nodes[at] = (gas_node){node->first, node->count, largest > 0x1p-1000 ? 1.0 / largest : 0.0};
  for (int i = 0; i < GAS_PROTOTYPES; i++)
    for (int axis = 0; axis < 3; axis++)
      job->level->prototypes[at][i][axis] = node->center[axis] + node->radius * corners[i][axis];
}

static void begin_nodes(void *context, size_t first, size_t end, uint32_t worker) {
  (void)worker;
  for (size_t i = first; i < end; i++) begin_node(context, (uint32_t)i);
}

/* ---------------------------------------------------------------------------------------------- steps */

/* Sums the run that begins at an item; returns its end. */
static uint32_t sum_run(const gas_job *job, uint32_t item, uint32_t end, gas_sum *sum) {
  const sphere_level *level = job->level;
  const uint32_t node = level->node_of[item];
  *sum = (gas_sum){0};
  for (; item < end && level->node_of[item] == node; item++) {
    const double *ball = level->balls[item];
    double weights[GAS_PROTOTYPES];
    gas_weights(&job->nodes[node], level->def->magnification, (const double(*)[3])level->prototypes[node], ball,
                job->share, weights);
    for (int i = 0; i < GAS_PROTOTYPES; i++) gas_part_add(&sum->parts[i], weights[i], ball);
  }
  return item;
}

static void sum_block(void *context, uint32_t block, uint32_t worker) {
  const gas_job *job = context;
  (void)worker;
  const uint32_t first = block * GAS_BLOCK, left = job->level->item_count - first;
  const uint32_t end = first + (left < GAS_BLOCK ? left : GAS_BLOCK);
  for (uint32_t item = first; item < end;)
    item = sum_run(job, item, end, &job->runs[(size_t)job->level->node_of[item] + block]);
}

static void move_nodes(void *context, size_t first, size_t end, uint32_t worker) {
  const gas_job *job = context;
  (void)worker;
  for (size_t at = first; at < end; at++) {
    for (uint32_t i = 0; i < GAS_PROTOTYPES; i++) {
      gas_part part;
      gas_join_runs(&job->nodes[at], job->runs + at, i, &part);
      gas_part_move(&part, job->level->prototypes[at][i]);
    }
  }
}

/* Runs the steps on the workers. */
static graze_result run_steps(gas_job *job, uint32_t steps) {
  const sphere_level *level = job->level;
  const uint32_t block_count = level->item_count / GAS_BLOCK + (level->item_count % GAS_BLOCK != 0);
  const size_t run_count = (size_t)level->node_count + block_count;
  job->runs = memory_allocate(level->heap, run_count, sizeof *job->runs);
  if (job->runs == NULL) return GRAZE_OUT_OF_MEMORY;
  for (uint32_t step = 0; step < steps; step++) {
    gas_shares(step, steps, job->share);
    workers_run(level->team, sum_block, job, block_count);
    workers_for(level->team, level->node_count, GAS_NODES, move_nodes, job);
  }
  memory_release(level->heap, job->runs, run_count, sizeof *job->runs);
  return GRAZE_OK;
}

/* Runs the steps by the stages of the level. */
static graze_result hand_over_steps(const gas_job *job, uint32_t steps) {
  const sphere_level *level = job->level;
  const gas_level handed = {.nodes = job->nodes,
                            .prototypes = level->prototypes,
                            .balls = level->balls,
                            .node_of = level->node_of,
                            .node_count = level->node_count,
                            .item_count = level->item_count,
                            .magnification = level->def->magnification,
                            .step_count = steps};
  return level->gas->run(level->gas->context, &handed);
}

graze_result place_by_neural_gas(sphere_level *level) {
  const uint32_t steps = level->def->iterations != 0 ? level->def->iterations : GAS_ITERATIONS;
  gas_job job = {.level = level};
  job.nodes = memory_allocate(level->heap, level->node_count, sizeof *job.nodes);
  if (job.nodes == NULL) return GRAZE_OUT_OF_MEMORY;
  workers_for(level->team, level->node_count, GAS_NODES, begin_nodes, &job);
  const graze_result result = level->gas != NULL ? hand_over_steps(&job, steps) : run_steps(&job, steps);
  memory_release(level->heap, job.nodes, level->node_count, sizeof *job.nodes);
  return result;
}

/* ---------------------------------------------------------------------------------------------- heuristics */

/* Prototypes by the two heuristics that neural gas is compared with: the four largest spheres of a node, and the four
 * outermost ones along its two widest axes. Nodes are processed in parallel, the spheres of each in order; of equals
 * the first counts. */

enum { SEED_NODES = 16 }; /* per task */

static const double *item_ball(const sphere_level *level, const level_node *node, uint32_t i) {
  return level->balls[node->first + i];
}

static void take_seed(double prototype[3], const double ball[4]) {
  for (int axis = 0; axis < 3; axis++) prototype[axis] = ball[axis];
}

/* ---------------------------------------------------------------------------------------------- largest spheres */

/* Inserts a ball among the largest so far, in descending order. */
static void keep_biggest(const double *biggest[SPHERE_CHILDREN], uint32_t *count, const double *ball) {
  uint32_t place = *count;
  while (place > 0 && biggest[place - 1][3] < ball[3]) place--;
  if (place == SPHERE_CHILDREN) return;
  if (*count < SPHERE_CHILDREN) (*count)++;
  for (uint32_t i = *count - 1; i > place; i--) biggest[i] = biggest[i - 1];
  biggest[place] = ball;
}

static void seed_biggest(void *context, size_t first, size_t end, uint32_t worker) {
  const sphere_level *level = context;
  (void)worker;
  for (size_t at = first; at < end; at++) {
    const level_node *node = &level->nodes[at];
    const double *biggest[SPHERE_CHILDREN];
    uint32_t count = 0;
    for (uint32_t i = 0; i < node->count; i++) keep_biggest(biggest, &count, item_ball(level, node, i));
    for (uint32_t i = 0; i < SPHERE_CHILDREN; i++)
      take_seed(level->prototypes[at][i], biggest[i < count ? i : count - 1]);
  }
}

graze_result place_at_biggest(sphere_level *level) {
  workers_for(level->team, level->node_count, SEED_NODES, seed_biggest, level);
  return GRAZE_OK;
}

/* ---------------------------------------------------------------------------------------------- extremes */

/* The balls with the lowest and the highest center along each axis. */
static void find_extremes(const sphere_level *level, const level_node *node, const double *extremes[3][2]) {
  for (int axis = 0; axis < 3; axis++) {
    extremes[axis][0] = extremes[axis][1] = item_ball(level, node, 0);
    for (uint32_t i = 1; i < node->count; i++) {
      const double *ball = item_ball(level, node, i);
      if (ball[axis] < extremes[axis][0][axis]) extremes[axis][0] = ball;
      if (ball[axis] > extremes[axis][1][axis]) extremes[axis][1] = ball;
    }
  }
}

static int narrowest_axis(const double *extremes[3][2]) {
  int narrowest = 2;
  for (int axis = 1; axis >= 0; axis--)
    if (extremes[axis][1][axis] - extremes[axis][0][axis] <
        extremes[narrowest][1][narrowest] - extremes[narrowest][0][narrowest])
      narrowest = axis;
  return narrowest;
}

static void seed_extremes(void *context, size_t first, size_t end, uint32_t worker) {
  const sphere_level *level = context;
  (void)worker;
  for (size_t at = first; at < end; at++) {
    const double *extremes[3][2];
    find_extremes(level, &level->nodes[at], extremes);
    const int narrowest = narrowest_axis(extremes);
    uint32_t seed = 0;
    for (int axis = 0; axis < 3; axis++)
      for (int side = 0; side < 2 && axis != narrowest; side++)
        take_seed(level->prototypes[at][seed++], extremes[axis][side]);
  }
}

graze_result place_at_extremes(sphere_level *level) {
  workers_for(level->team, level->node_count, SEED_NODES, seed_extremes, level);
  return GRAZE_OK;
}
