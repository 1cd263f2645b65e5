/* The shared volume of two sphere trees. Pairs of spheres are found, measured in parallel and added by sums that do
 * not depend on the order (geometry/wrench_sum.h), so they equal those of a scene's wrenches, bit for bit.
 *
 * With a budget, the pair of nodes with the largest possible volume is opened first. The volume found when the budget
 * is spent is a lower bound. The upper bound adds the possible volume of the waiting pairs of nodes, node by node: a
 * node shares at most its own bound with all its partners, and the trees share at most the bound of their roots. Both
 * are widened by the rounding of sums: a lens has an error of at most 2^-48 of itself, a sum of n terms one of n
 * 2^-53. */
#include "spheres/volume_query.h"

#include "base/pair_order.h"
#include "geometry/wrench_sum.h"
#include "spheres/node_pair_heap.h"
#include "spheres/sphere_search.h"
#include "spheres/volume_bound.h"

#include <stdlib.h>

enum { MEASURE_GRAIN = 256 };

typedef struct measure_job {
  const posed_trees *pair;
  const graze_sphere_options *options;
  const index_pair *spheres;
  wrench_terms *terms;
} measure_job;

/* The waiting pairs when a budget is spent. */
typedef struct open_rest {
  double volume; /* upper bound */
  double pairs;  /* of spheres, upper bound */
  double all;    /* upper bound of the total shared volume */
} open_rest;

/* ---------------------------------------------------------------------------------------------- measures */

static void measure_pairs(void *context, size_t first, size_t end, uint32_t worker) {
  const measure_job *job = context;
  const graze_sphere_options *options = job->options;
  const wrench_rule rule = {.stiffness = options->stiffness,
                            .about = {options->about[0], options->about[1], options->about[2]},
                            .by_area = options->force == GRAZE_FORCE_GRADIENT};
  (void)worker;
  for (size_t i = first; i < end; i++) {
    const double *a = job->pair->a->spheres[job->spheres[i].a], *b = job->pair->b->spheres[job->spheres[i].b];
    double p[3], q[3], centroid[3];
    sphere_lens lens;
    pose_position(&job->pair->pose_a, a, p);
    pose_position(&job->pair->pose_b, b, q);
    sphere_pair_lens(p, a[3], q, b[3], &lens);
    for (int axis = 0; axis < 3; axis++) centroid[axis] = within_doubles(lens.centroid[axis]);
    job->terms[i] = wrench_terms_make(lens.volume, lens.area, lens.unit, centroid, lens.normal, &rule);
  }
}

static bool sum_pairs(const posed_trees *pair, const index_pair *spheres, size_t count,
                      const graze_sphere_options *options, wrench_sum *sum) {
  memory *heap = sphere_tree_heap(pair->a);
  wrench_terms *terms = memory_allocate(heap, count, sizeof *terms);
  measure_job job = {pair, options, spheres, terms};
  if (terms == NULL) return false;
  workers_for(pair->a->team, count, MEASURE_GRAIN, measure_pairs, &job);
  for (size_t i = 0; i < count; i++) note_highest(sum, &terms[i]);
  for (size_t i = 0; i < count; i++) add_terms(sum, &terms[i]);
  memory_release(heap, terms, count, sizeof *terms);
  return true;
}

static bool sum_list(const posed_trees *pair, const pair_list *found, const graze_sphere_options *options,
                     wrench_sum *sum) {
  memory *heap = sphere_tree_heap(pair->a);
  const size_t count = pair_list_count(found);
  const uint32_t items = pair->a->sphere_count > pair->b->sphere_count ? pair->a->sphere_count : pair->b->sphere_count;
  index_pair *sorted = memory_allocate(heap, count, sizeof *sorted);
  const bool good = sorted != NULL && pair_order(found, heap, pair->a->team, items, sorted) &&
                    sum_pairs(pair, sorted, count, options, sum);
  memory_release(heap, sorted, count, sizeof *sorted);
  return good;
}

/* ---------------------------------------------------------------------------------------------- with a budget */

static bool take_opened(const posed_trees *pair, const node_pair *opened, pair_list *found, node_pair_heap *waiting) {
  if (!is_leaf_pair(pair, opened)) {
    const keyed_node_pair wait = {volume_at_most(pair, opened), opened->a, opened->b};
    return node_pair_heap_add(waiting, wait);
  }
  const index_pair spheres = leaf_spheres(pair, opened);
  return !leaves_meet(pair, opened) || pair_list_append(found, sphere_tree_heap(pair->a), 0, &spheres, 1);
}

static int compare_by_a(const void *p, const void *q) {
  const keyed_node_pair *x = p, *y = q;
  return x->a != y->a ? (x->a > y->a) - (x->a < y->a) : (x->b > y->b) - (x->b < y->b);
}

static int compare_by_b(const void *p, const void *q) {
  const keyed_node_pair *x = p, *y = q;
  return x->b != y->b ? (x->b > y->b) - (x->b < y->b) : (x->a > y->a) - (x->a < y->a);
}

/* Sums over waiting pairs, which are sorted by their node in one tree. No sphere of the other tree is in two pairs of
 * one node, so these share at most as much as that node can share with all of the other tree. */
static double sum_by_node(const posed_trees *pair, const keyed_node_pair *pairs, size_t count, bool by_b) {
  double sum = 0.0;
  for (size_t i = 0; i < count;) {
    const uint32_t node = by_b ? pairs[i].b : pairs[i].a;
    double together = 0.0;
    for (; i < count && (by_b ? pairs[i].b : pairs[i].a) == node; i++) together += pairs[i].key;
    sum += lesser(together, by_b ? volume_of_b_at_most(pair, node) : volume_of_a_at_most(pair, node));
  }
  return sum;
}

/* Changes the order of the waiting pairs. */
static open_rest sum_rest(const posed_trees *pair, node_pair_heap *waiting) {
  open_rest rest = {0.0, 0.0, 0.0};
  keyed_node_pair *pairs = waiting->pairs.data;
  const size_t count = node_pair_heap_count(waiting);
  for (size_t i = 0; i < count; i++)
    rest.pairs += (double)pair->a->sums[pairs[i].a].leaf_count * (double)pair->b->sums[pairs[i].b].leaf_count;
  if (count == 0) return rest;
  qsort(pairs, count, sizeof *pairs, compare_by_b);
  const double by_b = sum_by_node(pair, pairs, count, true);
  qsort(pairs, count, sizeof *pairs, compare_by_a);
  rest.volume = lesser(by_b, sum_by_node(pair, pairs, count, false)) * (1.0 + 0x1p-52 * (double)(2 * count + 8));
  return rest;
}

static bool search_best_first(const posed_trees *pair, uint64_t budget, pair_list *found, uint64_t *opened_out,
                              open_rest *rest_out) {
  node_pair_heap waiting;
  const node_pair roots = node_pair_of_roots(pair);
  node_pair_heap_init(&waiting, sphere_tree_heap(pair->a));
  bool good = take_opened(pair, &roots, found, &waiting);
  uint64_t opened_count = 0;
  for (; good && opened_count < budget && node_pair_heap_count(&waiting) > 0; opened_count++) {
    node_pair opened[NODE_PAIRS];
    const keyed_node_pair next = node_pair_heap_take(&waiting);
    const uint32_t count = node_pair_open(pair, next.a, next.b, false, opened);
    for (uint32_t i = 0; i < count && good; i++) good = take_opened(pair, &opened[i], found, &waiting);
  }
  *opened_out = opened_count;
  *rest_out = sum_rest(pair, &waiting);
  rest_out->all = volume_at_most(pair, &roots);
  node_pair_heap_release(&waiting);
  return good;
}

/* ---------------------------------------------------------------------------------------------- the answer */

static void take_sum(const wrench_sum *sum, graze_sphere_volume *volume) {
  const wrench_total total = wrench_sum_total(sum);
  volume->pair_count = sum->count;
  volume->volume = volume->lower = volume->upper = total.volume;
  for (int axis = 0; axis < 3; axis++) {
    volume->centroid[axis] = total.centroid[axis];
    volume->force[axis] = total.force[axis];
    volume->torque[axis] = total.torque[axis];
  }
}

/* If nothing waits, the bounds are the volume. Pairs that wait but cannot share anything count as waiting. */
static void take_bounds(const open_rest *rest, graze_sphere_volume *volume) {
  volume->complete = !(rest->pairs > 0.0);
  if (volume->complete) return;
  const double blur = 0x1p-52 * (double)(volume->pair_count + 64), most = blur + 0x1p-52 * rest->pairs;
  volume->lower = volume->volume * (blur < 1.0 ? 1.0 - blur : 0.0);
  volume->upper = lesser(volume->volume + rest->volume, rest->all) * (1.0 + most);
}

bool sphere_trees_volume(const posed_trees *pair, const graze_sphere_options *options,
                         graze_sphere_volume *volume_out) {
  memory *heap = sphere_tree_heap(pair->a);
  pair_list found;
  wrench_sum sum = {0};
  open_rest rest = {0.0, 0.0, 0.0};
  bool good = pair_list_init(&found, heap, workers_count(pair->a->team));
  if (good && options->budget == 0)
    good = sphere_search(pair, &found, 0, &volume_out->node_pairs);
  else if (good)
    good = search_best_first(pair, options->budget, &found, &volume_out->node_pairs, &rest);
  good = good && sum_list(pair, &found, options, &sum);
  pair_list_release(&found, heap);
  if (!good) return false;
  take_sum(&sum, volume_out);
  take_bounds(&rest, volume_out);
  return true;
}
