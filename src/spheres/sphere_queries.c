/* The shared volume of two sphere trees. Pairs of spheres are found, measured in parallel and added by sums that do
 * not depend on the order (geometry/wrench_sum.h), so they equal those of a scene's wrenches, bit for bit.
 *
 * With a budget, the pair of nodes with the largest possible volume is opened first. The volume found when the budget
 * is spent is a lower bound. The upper bound adds the possible volume of the waiting pairs of nodes, node by node: a
 * node shares at most its own bound with all its partners, and the trees share at most the bound of their roots. Both
 * are widened by the rounding of sums: a lens has an error of at most 2^-48 of itself, a sum of n terms one of n
 * 2^-53. */
#include "spheres/sphere_queries.h"

#include "base/array.h"
#include "base/pair_order.h"
#include "geometry/sphere_gap.h"
#include "geometry/sphere_lens.h"
#include "geometry/wrench_sum.h"
#include "spheres/posed_trees.h"
#include "spheres/sphere_search.h"

#include <stdlib.h>

/* ---------------------------------------------------------------------------------------------- waiting pairs */

/* The pair with the greatest key is next. Up to about 10^5 pairs wait, at most sixteen are added for each one removed.
 * A binary heap; of equal keys the lowest numbers come first, so that a search is the same on all platforms. */

typedef struct keyed_node_pair {
  double key;
  uint32_t a, b;
} keyed_node_pair;

typedef struct node_pair_heap {
  array pairs; /* of keyed_node_pair; none is before the one at half its place */
  memory *from;
} node_pair_heap;

static inline size_t node_pair_heap_count(const node_pair_heap *heap) {
  return heap->pairs.count;
}

static bool is_before(const keyed_node_pair *p, const keyed_node_pair *q) {
  if (p->key != q->key) return p->key > q->key;
  return p->a != q->a ? p->a < q->a : p->b < q->b;
}

static void node_pair_heap_init(node_pair_heap *heap, memory *from) {
  array_init(&heap->pairs, sizeof(keyed_node_pair));
  heap->from = from;
}

static void node_pair_heap_release(node_pair_heap *heap) {
  array_release(&heap->pairs, heap->from);
}

/* False when out of memory. */
static bool node_pair_heap_add(node_pair_heap *heap, keyed_node_pair pair) {
  if (!array_push(&heap->pairs, heap->from, &pair)) return false;
  keyed_node_pair *pairs = heap->pairs.data;
  size_t place = heap->pairs.count - 1;
  for (; place > 0 && is_before(&pair, &pairs[(place - 1) / 2]); place = (place - 1) / 2)
    pairs[place] = pairs[(place - 1) / 2];
  pairs[place] = pair;
  return true;
}

/* Removes the pair with the greatest key; the heap must not be empty. */
static keyed_node_pair node_pair_heap_take(node_pair_heap *heap) {
  keyed_node_pair *pairs = heap->pairs.data;
  const keyed_node_pair first = pairs[0];
  const size_t count = --heap->pairs.count;
  const keyed_node_pair moved = pairs[count];
  size_t place = 0;
  for (size_t child = 1; child < count; child = 2 * place + 1) {
    if (child + 1 < count && is_before(&pairs[child + 1], &pairs[child])) child++;
    if (!is_before(&pairs[child], &moved)) break;
    pairs[place] = pairs[child];
    place = child;
  }
  pairs[place] = moved;
  return first;
}

/* ---------------------------------------------------------------------------------------------- upper bounds of
 * volumes */

/* An upper bound of the volume that the spheres of two nodes share, summed over all their pairs.
 *
 * Let f(x) be the number of spheres of node A that cover x, g(x) that of B; the sum over pairs is the integral of f g.
 * Before posing, no point is inside more than m_A spheres of the tree of A, nor more than the n_A leaves of A. After
 * posing, this may be false, because of rounding and because a rotation is exact only up to a defect d. The image of a
 * ball of radius r contains the ball around the posed center of radius (1 - 1.6 d) r - rounding, and images overlap no
 * more than their originals. So f = f' + f", where f' <= m_A, and the integral of f", the part that these smaller balls
 * do not cover, is at most
 *
 *   l_A = 4.8 d V_A + rounding * (sum of the surfaces of A), and at most V_A, the sum of the volumes of A;
 *
 * and likewise for g. f' is zero outside the ball of A; lens is the volume that the balls of A and B share. Then
 *
 *   integral f g <= m_A integral g + n_B integral f"                      <= m_A V_B + n_B l_A,
 *   integral f g                                                          <= m_B V_A + n_A l_B,
 *   integral f g = integral f' g' + f' g" + f" g                          <= m_A m_B lens + m_A l_B + n_B l_A.
 *
 * All three hold for any spheres: the least of them is the bound. For packings m is 1, and l is about 10^-15 of V.
 *
 * The lens of balls of radii P, Q at distance g is at most that of larger ones closer together: in the frame of a these
 * are stretch P + slack, stretch Q + slack and (g - slack) / stretch, as in posed_trees.h. */

static inline double lesser(double x, double y) {
  return x < y ? x : y;
}

/* An upper bound of the volume that two balls share, by sphere_lens.h: caps of heights a and b, increasing with h and
 * g, which are enlarged by more than their rounding, 8 2^-53 of the sum of all three. */
static inline double lens_at_most(double large, double small, double distance) {
  const double ball = sphere_volume(small) * (1.0 + 0x1p-40);
  if (!(distance > large - small)) return ball;
  const double blur = 0x1p-49 * (large + small + distance), share = 0.5 / distance;
  const double h = large + small - distance + blur, g = distance - (large - small) + blur;
  if (!(h > 0.0)) return 0.0;
  const double a = lesser(h * g * share, 2.0 * large);
  const double b = lesser(h * (distance + (large - small)) * share * (1.0 + 0x1p-40), 2.0 * small);
  const double caps = SPHERE_PI / 3.0 * (a * a * (3.0 * large - a) + b * b * (3.0 * small - b)) * (1.0 + 0x1p-40);
  return caps < ball ? caps : ball;
}

static inline double bound_lens(const posed_trees *pair, const node_pair *at) {
  const double p = pair->stretch * pair->a->nodes[at->a].radius + pair->slack;
  const double q = pair->stretch * pair->b->nodes[at->b].radius + pair->slack;
  const double distance = (sqrt(at->square) * (1.0 - 0x1p-48) - pair->slack) / pair->stretch * (1.0 - 0x1p-48);
  return lens_at_most(p > q ? p : q, p > q ? q : p, distance > 0.0 ? distance : 0.0);
}

static inline double bound_loss(const sphere_node_sum *sum, double defect, double rounding) {
  const double loss = 4.8 * defect * sum->volume + rounding * sum->area;
  return loss < sum->volume ? loss : sum->volume;
}

/* An upper bound of the volume that a node shares with all of the other tree: m_B V_A + n_A l_B, and likewise for a
 * node of b. */
static inline double volume_of_a_at_most(const posed_trees *pair, uint32_t node) {
  const sphere_node_sum *a = &pair->a->sums[node];
  const double b_loss = bound_loss(&pair->b->sums[0], pair->defect_b, pair->rounding);
  return (pair->b->multiplicity * a->volume + a->leaf_count * b_loss) * (1.0 + 0x1p-40);
}

static inline double volume_of_b_at_most(const posed_trees *pair, uint32_t node) {
  const sphere_node_sum *b = &pair->b->sums[node];
  const double a_loss = bound_loss(&pair->a->sums[0], pair->defect_a, pair->rounding);
  return (pair->a->multiplicity * b->volume + b->leaf_count * a_loss) * (1.0 + 0x1p-40);
}

/* Rounded up; NaN, after an overflow, becomes infinite. */
static inline double volume_at_most(const posed_trees *pair, const node_pair *at) {
  const sphere_node_sum *a = &pair->a->sums[at->a], *b = &pair->b->sums[at->b];
  const double a_count = a->leaf_count, b_count = b->leaf_count;
  const double a_times = lesser(pair->a->multiplicity, a_count), b_times = lesser(pair->b->multiplicity, b_count);
  const double a_loss = bound_loss(a, pair->defect_a, pair->rounding);
  const double b_loss = bound_loss(b, pair->defect_b, pair->rounding);
  const double by_b = a_times * b->volume + b_count * a_loss, by_a = b_times * a->volume + a_count * b_loss;
  const double by_lens = a_times * b_times * bound_lens(pair, at) + a_times * b_loss + b_count * a_loss;
  const double least = lesser(lesser(by_b, by_a), by_lens) * (1.0 + 0x1p-40);
  return least >= 0.0 ? least : HUGE_VAL;
}

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
  const wrench_rule rule = {{options->about[0], options->about[1], options->about[2]}};
  (void)worker;
  for (size_t i = first; i < end; i++) {
    const double *a = job->pair->a->spheres[job->spheres[i].a], *b = job->pair->b->spheres[job->spheres[i].b];
    double p[3], q[3];
    sphere_lens lens;
    pose_position(&job->pair->pose_a, a, p);
    pose_position(&job->pair->pose_b, b, q);
    sphere_pair_lens(p, a[3], q, b[3], &lens);
    pair_push pushed = {.volume = lens.volume, .unit = lens.unit};
    for (int axis = 0; axis < 3; axis++) {
      pushed.centroid[axis] = within_doubles(lens.centroid[axis]);
      pushed.push[axis] = lens.normal[axis] * lens.area;
    }
    job->terms[i] = wrench_terms_make(&pushed, &rule);
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

static bool take_shared(const posed_trees *pair, const node_pair *opened, pair_list *found, node_pair_heap *waiting) {
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
  bool good = take_shared(pair, &roots, found, &waiting);
  uint64_t opened_count = 0;
  for (; good && opened_count < budget && node_pair_heap_count(&waiting) > 0; opened_count++) {
    node_pair opened[NODE_PAIRS];
    const keyed_node_pair next = node_pair_heap_take(&waiting);
    const uint32_t count = node_pair_open(pair, next.a, next.b, false, opened);
    for (uint32_t i = 0; i < count && good; i++) good = take_shared(pair, &opened[i], found, &waiting);
  }
  *opened_out = opened_count;
  *rest_out = sum_rest(pair, &waiting);
  rest_out->all = volume_at_most(pair, &roots);
  node_pair_heap_release(&waiting);
  return good;
}

/* ---------------------------------------------------------------------------------------------- the answer */

static void take_sum(const wrench_sum *sum, const graze_sphere_options *options, graze_sphere_volume *volume) {
  const wrench_law law = {options->stiffness, (int)options->force};
  const wrench_total total = wrench_sum_total(sum, &law);
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
  take_sum(&sum, options, volume_out);
  take_bounds(&rest, volume_out);
  return true;
}

/* ---------------------------------------------------------------------------------------------- distance */

/* The distance of two sphere trees. Pairs of nodes are opened in ascending order of a lower bound of their distance,
 * until no waiting pair can be as near as the nearest spheres found. Among overlapping nodes the deepest come first, so
 * an intersection is found early.
 *
 * A computed distance of two spheres has an error of at most 2^-48 of itself. A node is dropped if 1 - 2^-47 times its
 * bound is above the nearest distance, so no equally near pair is missed. */

typedef struct nearest_spheres {
  sphere_gap gap;
  index_pair spheres;
} nearest_spheres;

static nearest_spheres measure_spheres(const posed_trees *pair, index_pair spheres) {
  const double *a = pair->a->spheres[spheres.a], *b = pair->b->spheres[spheres.b];
  double p[3], q[3];
  nearest_spheres measured = {.spheres = spheres};
  pose_position(&pair->pose_a, a, p);
  pose_position(&pair->pose_b, b, q);
  sphere_pair_gap(p, a[3], q, b[3], &measured.gap);
  return measured;
}

static bool is_nearer(const nearest_spheres *p, const nearest_spheres *q) {
  if (p->gap.distance != q->gap.distance) return p->gap.distance < q->gap.distance;
  return p->spheres.a != q->spheres.a ? p->spheres.a < q->spheres.a : p->spheres.b < q->spheres.b;
}

/* A lower bound of the computed distance of any two spheres of the nodes. */
static double least_distance(double gap) {
  return gap > 0.0 ? gap * (1.0 - 0x1p-47) : 0.0;
}

static bool take_near(const posed_trees *pair, const node_pair *opened, nearest_spheres *nearest,
                      node_pair_heap *waiting) {
  const double gap = node_pair_gap(pair, opened);
  if (least_distance(gap) > nearest->gap.distance) return true;
  if (!is_leaf_pair(pair, opened)) {
    const keyed_node_pair wait = {-gap, opened->a, opened->b};
    return node_pair_heap_add(waiting, wait);
  }
  const nearest_spheres measured = measure_spheres(pair, leaf_spheres(pair, opened));
  if (is_nearer(&measured, nearest)) *nearest = measured;
  return true;
}

/* Whether no waiting pair can change the answer. */
static bool is_decided(const node_pair_heap *waiting, const nearest_spheres *nearest) {
  if (node_pair_heap_count(waiting) == 0 || nearest->gap.distance == 0.0) return true;
  return least_distance(-ARRAY_AS(keyed_node_pair, &waiting->pairs)[0].key) > nearest->gap.distance;
}

static bool search_nearest(const posed_trees *pair, uint64_t budget, nearest_spheres *nearest, node_pair_heap *waiting,
                           uint64_t *opened_out) {
  const node_pair roots = node_pair_of_roots(pair);
  uint64_t opened_count = 0;
  bool good = take_near(pair, &roots, nearest, waiting);
  for (; good && !is_decided(waiting, nearest) && (budget == 0 || opened_count < budget); opened_count++) {
    node_pair opened[NODE_PAIRS];
    const keyed_node_pair next = node_pair_heap_take(waiting);
    const uint32_t count = node_pair_open(pair, next.a, next.b, true, opened);
    for (uint32_t i = 0; i < count && good; i++) good = take_near(pair, &opened[i], nearest, waiting);
  }
  *opened_out = opened_count;
  return good;
}

static void take_nearest(const nearest_spheres *nearest, const node_pair_heap *waiting,
                         graze_sphere_distance *distance) {
  distance->distance = distance->lower = distance->upper = nearest->gap.distance;
  distance->sphere_a = nearest->spheres.a;
  distance->sphere_b = nearest->spheres.b;
  for (int axis = 0; axis < 3; axis++) {
    distance->witness_a[axis] = nearest->gap.witness_a[axis];
    distance->witness_b[axis] = nearest->gap.witness_b[axis];
  }
  distance->complete = is_decided(waiting, nearest);
  if (!distance->complete) distance->lower = least_distance(-ARRAY_AS(keyed_node_pair, &waiting->pairs)[0].key);
}

bool sphere_trees_distance(const posed_trees *pair, uint64_t budget, graze_sphere_distance *distance_out) {
  node_pair_heap waiting;
  node_pair_heap_init(&waiting, sphere_tree_heap(pair->a));
  nearest_spheres nearest = measure_spheres(pair, (index_pair){0, 0});
  const bool good = search_nearest(pair, budget, &nearest, &waiting, &distance_out->node_pairs);
  if (good) take_nearest(&nearest, &waiting, distance_out);
  node_pair_heap_release(&waiting);
  return good;
}
