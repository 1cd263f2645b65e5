/* Branch and bound; see nearest_search.h.
 *
 * Best first: pairs of blocks wait in a heap, ordered by their bounds, so that few are visited whose bounds exceed the
 * final distance. If the heap is full, and until the first pair of primitives is measured, the search is depth first,
 * with a stack, nearest nodes first: by the bound, or by the distance of centers if bounds are 0, as for overlapping
 * nodes. Leaves are processed at once. Once two primitives meet, only pairs with lower numbers are tested, and only for
 * intersection.
 *
 * Workload: 10^2 to 10^4 pairs of blocks and 10 to 10^3 pairs of primitives for two bodies of 10^3 to 10^6. */
#include "backend_cpu/nearest_search.h"

#include "broad/tree_descent.h"

/* Two blocks, or two leaves. */
typedef struct nearest_entry {
  double bound; /* lower bound of the squared distance of primitives below, as in tree_gaps_square */
  uint32_t s, t;
  uint8_t level;
  bool is_leaf;
} nearest_entry;

/* About ten microseconds of work. */
enum { VISITS_BETWEEN_STOPS = 64 };

enum { NEAREST_STACK = DESCENT_STACK + DESCENT_CHILDREN, NEAREST_HEAP = 512 };

/* The state of one call. */
typedef struct nearest_run {
  nearest_search *search;
  const nearest_body *s, *t;
  tree_layout s_layout, t_layout;
  const tree_block *s_blocks, *t_blocks;
  const uint32_t *s_leaves, *t_leaves;
  const tree_slab *s_slabs, *t_slabs; /* NULL: none */
  tree_distance relation;
  tree_limits limits;
  uint32_t count, heap_count;
  nearest_entry stack[NEAREST_STACK];
  nearest_entry heap[NEAREST_HEAP]; /* each bound is at least that of entry (i - 1) / 2 */
} nearest_run;

nearest_search nearest_search_begin(const tree_forest *forest, const tree_kernels *kernels,
                                    const uint32_t *ranks_or_null, double bound, nearest_goal goal,
                                    uint64_t visit_limit, stop_check *stop_or_null) {
  return (nearest_search){.forest = forest,
                          .kernels = kernels,
                          .ranks_or_null = ranks_or_null,
                          .goal = goal,
                          .visit_limit = visit_limit,
                          .stop = stop_or_null,
                          .state = {.bound = bound, .lower = HUGE_VAL},
                          .complete = true};
}

/* ---------------------------------------------------------------------------------------------- numbers */

static index_pair ranks_of(const nearest_run *run, index_pair primitives) {
  const uint32_t *ranks = run->search->ranks_or_null;
  return ranks == NULL ? primitives : (index_pair){ranks[primitives.a], ranks[primitives.b]};
}

/* ---------------------------------------------------------------------------------------------- nodes */

/* The squared distance of two centers, in the axes of S. */
static double center_distance(const tree_relation *relation, const tree_block *s, uint32_t i, const tree_block *t,
                              uint32_t j) {
  double squared = 0.0;
  for (int axis = 0; axis < 3; axis++) {
    const float *row = relation->to_s.rows[axis];
    const float at = row[0] * t->center[0][j] + row[1] * t->center[1][j] + row[2] * t->center[2][j];
    const float way = at + relation->to_s.shift[axis] - s->center[axis][i] * relation->unit_s;
    squared += (double)way * (double)way;
  }
  return squared;
}

static nearest_entry child_of(const nearest_run *run, const nearest_entry *parent, uint32_t i, uint32_t j,
                              double bound) {
  if (parent->level == 0)
    return (nearest_entry){bound, TREE_FANOUT * parent->s + i, TREE_FANOUT * parent->t + j, 0, true};
  return (nearest_entry){bound, parent->level > run->s_layout.top ? 0 : TREE_FANOUT * parent->s + i,
                         parent->level > run->t_layout.top ? 0 : TREE_FANOUT * parent->t + j,
                         (uint8_t)(parent->level - 1), false};
}

static void take_leaves(nearest_run *run, const nearest_entry *entry) {
  const object_source *s = run->s->source, *t = run->t->source;
  const index_pair pair = {s->first_primitive + run->s_leaves[entry->s], t->first_primitive + run->t_leaves[entry->t]};
  nearest_state *state = &run->search->state;
  const double before = state->best.any ? state->best.distance : HUGE_VAL;
  run->search->measures++;
  primitives_take(state, s, t, pair, ranks_of(run, pair));
  if (state->best.any && state->best.distance < before) {
    tree_limits_set_direction(&run->limits, &run->relation, run->s->posed, state->frame[0]);
    tree_limits_set(&run->limits, &run->relation, nearest_state_farthest(state));
  }
}

/* Bits of the pairs of nodes that may be as near as the best pair. */
static uint32_t nodes_near(const nearest_run *run, const nearest_entry *parent, const tree_block *s,
                           const tree_block *t, tree_gaps *gaps_out) {
  const tree_slab *s_slab = run->s_slabs, *t_slab = run->t_slabs;
  if (s_slab != NULL) s_slab += tree_child_block(&run->s_layout, parent->level, parent->s);
  if (t_slab != NULL) t_slab += tree_child_block(&run->t_layout, parent->level, parent->t);
  if (run->relation.known) return run->search->kernels->near(&run->limits, s, s_slab, t, t_slab, gaps_out);
  uint32_t bits = 0;
  for (uint32_t pair = 0; pair < DISTANCE_PAIRS; pair++)
    if (lane_has_node(s, pair / TREE_FANOUT) && lane_has_node(t, pair % TREE_FANOUT)) bits |= 1u << pair;
  return bits;
}

/* Pushes the children of a pair of blocks, the nearest last. */
static void visit(nearest_run *run, const nearest_entry *parent) {
  const tree_block *s = run->s_blocks + tree_child_block(&run->s_layout, parent->level, parent->s);
  const tree_block *t = run->t_blocks + tree_child_block(&run->t_layout, parent->level, parent->t);
  nearest_entry *children = run->stack + run->count;
  tree_gaps gaps;
  double centers[DISTANCE_PAIRS];
  uint32_t count = 0;
  for (uint32_t bits = nodes_near(run, parent, s, t, &gaps); bits != 0; bits &= bits - 1) {
    const uint32_t pair = (uint32_t)__builtin_ctz(bits);
    const uint32_t i = pair / TREE_FANOUT, j = pair % TREE_FANOUT;
    const double bound = run->relation.known ? tree_gaps_square(&gaps, pair, &run->limits) : 0.0;
    const double center = bound > 0.0 ? 0.0 : center_distance(&run->limits.relation, s, i, t, j);
    uint32_t place = count++;
    for (; place > 0 &&
           (children[place - 1].bound < bound || (children[place - 1].bound == bound && centers[place - 1] < center));
         place--) {
      children[place] = children[place - 1];
      centers[place] = centers[place - 1];
    }
    children[place] = child_of(run, parent, i, j, bound);
    centers[place] = center;
  }
  run->count += count;
}

/* ---------------------------------------------------------------------------------------------- the heap */

static void heap_push(nearest_run *run, const nearest_entry *entry) {
  uint32_t place = run->heap_count++;
  for (; place > 0 && entry->bound < run->heap[(place - 1) / 2].bound; place = (place - 1) / 2)
    run->heap[place] = run->heap[(place - 1) / 2];
  run->heap[place] = *entry;
}

static nearest_entry heap_pop(nearest_run *run) {
  const nearest_entry least = run->heap[0], *last = &run->heap[--run->heap_count];
  uint32_t place = 0;
  for (uint32_t child; (child = 2 * place + 1) < run->heap_count; place = child) {
    if (child + 1 < run->heap_count && run->heap[child + 1].bound < run->heap[child].bound) child++;
    if (last->bound <= run->heap[child].bound) break;
    run->heap[place] = run->heap[child];
  }
  run->heap[place] = *last;
  return least;
}

/* Moves pairs of blocks from the end of the stack to the heap, if it has space for all of them. */
static void settle(nearest_run *run, uint32_t first) {
  if (!run->search->state.best.any || run->heap_count + (run->count - first) > NEAREST_HEAP) return;
  for (uint32_t i = first; i < run->count; i++) heap_push(run, &run->stack[i]);
  run->count = first;
}

/* ---------------------------------------------------------------------------------------------- two bodies */

/* Ends the search: unvisited pairs may be as near as their bounds. */
static void give_up(nearest_run *run) {
  nearest_search *nearest = run->search;
  nearest->complete = false;
  double least = HUGE_VAL;
  for (uint32_t i = 0; i < run->count; i++) least = fmin(least, run->stack[i].bound);
  if (run->heap_count > 0) least = fmin(least, run->heap[0].bound);
  nearest->state.lower = fmin(nearest->state.lower, tree_distance_of_square(&run->relation, least));
}

/* ---------------------------------------------------------------------------------------------- meeting bodies */

/* The body whose primitives come first in a pair. */
typedef struct major_body {
  const uint32_t *leaves;
  uint32_t leaf_count, first_primitive;
  bool is_s;
} major_body;

static major_body major_of(const nearest_run *run) {
  const bool is_s = run->s->source->first_primitive < run->t->source->first_primitive;
  const nearest_body *body = is_s ? run->s : run->t;
  return (major_body){is_s ? run->s_leaves : run->t_leaves, body->tree->leaf_count, body->source->first_primitive,
                      is_s};
}

/* Above this level a node nearly always has a low number below it, and reading 4^level leaves is slow. */
enum { RANKED_LEVELS = 4 };

/* Whether all pairs of primitives below two blocks come after the best one. */
static bool comes_later(const nearest_run *run, const major_body *major, block_pair pair) {
  const uint32_t level = pair.level + 1;
  const bool is_itself = run->s->object == run->t->object; /* either body may have the first of a pair */
  if (run->search->ranks_or_null != NULL || level > RANKED_LEVELS || is_itself) return false;
  const uint32_t most = run->search->state.best.ranks.a - major->first_primitive, size = 1u << 2 * level;
  const uint32_t first = (major->is_s ? pair.s : pair.t) << 2 * level, left = major->leaf_count - first;
  const uint32_t *leaves = major->leaves + first;
  uint32_t lowest = UINT32_MAX;
  for (uint32_t i = 0, count = left < size ? left : size; i < count; i++)
    lowest = leaves[i] < lowest ? leaves[i] : lowest;
  return lowest > most;
}

static void take_meeting(nearest_run *run, block_pair pair, uint32_t bits) {
  for (; bits != 0; bits &= bits - 1) {
    const uint32_t bit = (uint32_t)__builtin_ctz(bits);
    const nearest_entry leaves = {0.0, TREE_FANOUT * pair.s + bit / TREE_FANOUT,
                                  TREE_FANOUT * pair.t + bit % TREE_FANOUT, 0, true};
    take_leaves(run, &leaves);
  }
}

/* If two primitives meet, finds the first pair that does: a descent that tests only whether boxes meet, and skips
 * nodes whose pairs all come after the best one. */
static void find_first_meeting(nearest_run *run) {
  const nearest_search *nearest = run->search;
  const major_body major = major_of(run);
  tree_descent descent = {.s = run->s_layout,
                          .t = run->t_layout,
                          .s_blocks = run->s_blocks,
                          .t_blocks = run->t_blocks,
                          .s_slabs = run->s_slabs,
                          .t_slabs = run->t_slabs,
                          .relation = run->limits.relation,
                          .kernels = nearest->kernels};
  block_pair stack[DESCENT_STACK];
  uint32_t count = 0;
  stack[count++] = descent_root(&descent);
  while (count > 0) {
    const block_pair pair = stack[--count];
    if (descent.block_tests % VISITS_BETWEEN_STOPS == 0 && stop_is_requested(nearest->stop)) break;
    if (comes_later(run, &major, pair)) continue;
    if (pair.level > 0)
      count += tree_expand(&descent, pair, stack + count);
    else
      take_meeting(run, pair, descent_meet(&descent, pair));
  }
  run->search->visits += descent.block_tests;
}

static void search_bodies(nearest_search *nearest, const nearest_body *s, const nearest_body *t) {
  const tree_forest *forest = nearest->forest;
  nearest_run run = {.search = nearest,
                     .s = s,
                     .t = t,
                     .s_layout = tree_layout_of(s->tree->leaf_count),
                     .t_layout = tree_layout_of(t->tree->leaf_count),
                     .s_blocks = forest->blocks + s->tree->first_block,
                     .t_blocks = forest->blocks + t->tree->first_block,
                     .s_slabs = s->tree->has_slabs ? forest->slabs + s->tree->first_block : NULL,
                     .t_slabs = t->tree->has_slabs ? forest->slabs + t->tree->first_block : NULL,
                     .s_leaves = forest->leaves + s->tree->first_leaf,
                     .t_leaves = forest->leaves + t->tree->first_leaf,
                     .relation = tree_distance_make(s->posed, t->posed),
                     .limits = {.relation = relate_trees(s->posed, t->posed)}};
  const uint32_t top = run.s_layout.top > run.t_layout.top ? run.s_layout.top : run.t_layout.top;
  const uint64_t measures_before = nearest->measures;
  double way[3];
  for (int axis = 0; axis < 3; axis++) way[axis] = t->posed->origin[axis] * 0.5 - s->posed->origin[axis] * 0.5;
  tree_limits_set_direction(&run.limits, &run.relation, s->posed, way);
  tree_limits_set(&run.limits, &run.relation, nearest_state_farthest(&nearest->state));
  uint64_t visits = 0;
  run.stack[run.count++] = (nearest_entry){0.0, 0, 0, (uint8_t)top, false};
  while (run.count + run.heap_count > 0) {
    const bool is_spent = nearest->visit_limit > 0 && visits >= nearest->visit_limit;
    if (is_spent && nearest->measures > measures_before) break;
    if (nearest_search_is_over(nearest)) {
      run.count = run.heap_count = 0;
      break;
    }
    if (nearest->state.best.any && nearest->state.best.distance == 0.0 && nearest->visit_limit == 0) {
      find_first_meeting(&run);
      run.count = run.heap_count = 0;
      break;
    }
    const bool is_least = run.count == 0;
    const nearest_entry entry = is_least ? heap_pop(&run) : run.stack[--run.count];
    if (entry.bound > run.limits.square) {
      if (is_least) run.heap_count = 0; /* all other bounds are at least as large */
      continue;
    }
    if (entry.is_leaf) {
      take_leaves(&run, &entry);
      continue;
    }
    if (++visits % VISITS_BETWEEN_STOPS == 0 && stop_is_requested(nearest->stop)) break;
    const uint32_t first = run.count;
    visit(&run, &entry);
    if (entry.level > 0) settle(&run, first);
  }
  nearest->visits += visits;
  if (nearest->state.best.any)
    nearest->state.lower = fmin(nearest->state.lower, fmax(nearest->state.best.distance - nearest->state.margin, 0.0));
  if (run.count + run.heap_count > 0) give_up(&run);
}

void nearest_search_run(nearest_search *nearest, const nearest_body *s, const nearest_body *t, double bound) {
  nearest->state.margin = nearest_margin(s->box, t->box);
  if (!(bound > nearest_state_farthest(&nearest->state))) search_bodies(nearest, s, t);
}
