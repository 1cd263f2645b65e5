/* The interleaved descents of a task; see tree_interleaved.h. */
#include "broad/tree_interleaved.h"

#include "base/prefetch.h"
#include "base/simd_choice.h"

#include <string.h>

enum { STEPS_BETWEEN_STOPS = 64 };

/* From this ratio of a clearance to the leaves on, their distances are compared in addition to their boxes. */
static const double SMALL_LEAVES = 4.0;

/* About the size of a leaf of a surface. */
static double leaf_size(const tree_body *body, const posed_space *posed) {
  return 2.0 * fmax(posed->own_half[0], fmax(posed->own_half[1], posed->own_half[2])) / sqrt(body->leaf_count);
}

/* ---------------------------------------------------------------------------------------------- candidates */

static bool are_neighbors(const primitive_view *view, const primitive_header *a, const primitive_header *b,
                          index_pair pair) {
  if (headers_share_corner(a, b)) return true;
  const object_source *source = &view->sources[a->object];
  return !headers_have_all_corners(source) && share_corner(source, pair.a, pair.b);
}

/* Whether both primitives are in the query's box, by exact coordinates. */
static bool is_in_focus(const primitive_view *view, const primitive_header *a, const primitive_header *b,
                        index_pair pair) {
  const object_source *p = &view->sources[a->object], *q = &view->sources[b->object];
  const exact_box p_box = box_of_corners(p, corners_of(p, pair.a)), q_box = box_of_corners(q, corners_of(q, pair.b));
  return exact_boxes_meet(&p_box, &view->focus.box) && exact_boxes_meet(&q_box, &view->focus.box);
}

/* The candidate of two leaves, and their headers; false: the pair is not requested. */
static bool candidate_of(tree_lane *lane, const body_traversal *bodies, uint32_t s, uint32_t t,
                         primitive_header headers_out[2], candidate *candidate_out) {
  const tree_forest *forest = lane->tasks->forest;
  const primitive_view *view = lane->tasks->search->view;
  const size_t s_leaf = (size_t)bodies->s->first_leaf + s, t_leaf = (size_t)bodies->t->first_leaf + t;
  const object_source *s_source = &view->sources[bodies->s->object], *t_source = &view->sources[bodies->t->object];
  primitive_header *a = &headers_out[0], *b = &headers_out[1];
  *a = placed_header(&forest->headers[s_leaf], bodies->s->object, s_source->first_vertex);
  *b = placed_header(&forest->headers[t_leaf], bodies->t->object, t_source->first_vertex);
  const index_pair pair = {s_source->first_primitive + forest->leaves[s_leaf],
                           t_source->first_primitive + forest->leaves[t_leaf]};
  if (bodies->same_object && view->skip_neighbors && are_neighbors(view, a, b, pair)) {
    lane->counts.neighbors++;
    return false;
  }
  if (view->focus.in_box && !is_in_focus(view, a, b, pair)) return false;
  *candidate_out = pair.a < pair.b ? (candidate){pair, a, b} : (candidate){{pair.b, pair.a}, b, a};
  return true;
}

/* Passes on the results of the last step of a traversal. Returns whether the task continues. */
static bool take_leaves(tree_lane *lane, body_traversal *bodies) {
  const tree_traversal *traversal = &bodies->traversal;
  for (uint32_t bits = traversal->bits; bits != 0; bits &= bits - 1) {
    const uint32_t bit = (uint32_t)__builtin_ctz(bits);
    candidate found;
    if (!candidate_of(lane, bodies, traversal->s + bit / TREE_FANOUT, traversal->t + bit % TREE_FANOUT,
                      lane->headers[lane->batch.count], &found))
      continue;
    if (!candidate_batch_add(&lane->batch, found.pair, found.a, found.b)) return false;
  }
  return !lane->tasks->search->one_is_enough || lane->batch.count < EAGER_BATCH || candidate_batch_flush(&lane->batch);
}

/* The same if one pair of the two bodies is enough: candidates wait, and their triangles are prefetched. */
static void keep_leaves(tree_lane *lane, body_traversal *bodies) {
  const primitive_view *view = lane->tasks->search->view;
  const tree_traversal *traversal = &bodies->traversal;
  for (uint32_t bits = traversal->bits; bits != 0; bits &= bits - 1) {
    const uint32_t bit = (uint32_t)__builtin_ctz(bits);
    candidate *found = &bodies->candidates[bodies->candidate_count];
    if (!candidate_of(lane, bodies, traversal->s + bit / TREE_FANOUT, traversal->t + bit % TREE_FANOUT,
                      bodies->headers[bodies->candidate_count], found))
      continue;
    prefetch_triangle(view, found->a);
    prefetch_triangle(view, found->b);
    bodies->candidate_count++;
  }
}

/* Prefetches the data that candidate_of reads. */
static void prefetch_leaves(const tree_forest *forest, const body_traversal *bodies) {
  const size_t s = (size_t)bodies->s->first_leaf + bodies->traversal.s,
               t = (size_t)bodies->t->first_leaf + bodies->traversal.t;
  prefetch(&forest->headers[s]);
  prefetch(&forest->headers[t]);
  prefetch(&forest->leaves[s]);
  prefetch(&forest->leaves[t]);
}

/* ---------------------------------------------------------------------------------------------- tasks */

static tree_relation relation_of(const tree_tasks *tasks, body_pair bodies) {
  const posed_space *s = &tasks->forest->posed[bodies.s], *t = &tasks->forest->posed[bodies.t];
  if (tasks->search->by_boxes && (s->posed || t->posed)) return relate_in_scene(s, t);
  return bodies.s == bodies.t ? relate_to_itself(s) : relate_trees(s, t);
}

/* Grown boxes that meet may be farther apart than a clearance by a factor of sqrt(3), and more if they are turned. That
 * many leaves would be candidates if they are much smaller than the clearance. */
static bool limit_distance(const tree_tasks *tasks, body_pair bodies, tree_limits *limits_out) {
  const tree_forest *forest = tasks->ungrown_or_null;
  if (forest == NULL || bodies.s == bodies.t || tasks->search->by_boxes) return false;
  const posed_space *s = &forest->posed[bodies.s], *t = &forest->posed[bodies.t];
  const double clearance = tasks->search->view->clearance;
  const double leaf = fmin(leaf_size(&forest->bodies[bodies.s], s), leaf_size(&forest->bodies[bodies.t], t));
  if (!(clearance > SMALL_LEAVES * leaf)) return false;
  const tree_distance map = tree_distance_make(s, t);
  if (!map.known) return false;
  double way[3];
  for (int axis = 0; axis < 3; axis++) way[axis] = t->origin[axis] * 0.5 - s->origin[axis] * 0.5;
  limits_out->relation = relate_trees(s, t);
  tree_limits_set_direction(limits_out, &map, s, way);
  tree_limits_set(limits_out, &map, clearance);
  return true;
}

void tree_interleaved_relate(const tree_tasks *tasks, uint32_t pair, body_traversal *traversal, tree_limits *limits) {
  const tree_forest *forest = tasks->forest;
  const body_pair bodies = tasks->pairs[pair];
  traversal->pair = pair;
  traversal->s = &forest->bodies[bodies.s];
  traversal->t = &forest->bodies[bodies.t];
  traversal->same_object = traversal->s->object == traversal->t->object;
  tree_descent *descent = &traversal->traversal.descent;
  descent->itself = bodies.s == bodies.t;
  descent->s = tree_layout_of(traversal->s->leaf_count);
  descent->t = tree_layout_of(traversal->t->leaf_count);
  descent->s_blocks = forest->blocks + traversal->s->first_block;
  descent->t_blocks = forest->blocks + traversal->t->first_block;
  descent->s_slabs = traversal->s->has_slabs ? forest->slabs + traversal->s->first_block : NULL;
  descent->t_slabs = traversal->t->has_slabs ? forest->slabs + traversal->t->first_block : NULL;
  descent->relation = relation_of(tasks, bodies);
  descent->limits = limit_distance(tasks, bodies, limits) ? limits : NULL;
  descent->kernels = SIMD_KERNELS(tree_kernels, tasks->search->simd);
  descent->stop = tasks->search->stop;
}

/* Data of a body that an earlier traversal has in common are copied: consecutive entries often have the same two
 * large bodies. */
static void begin_traversal(const tree_tasks *tasks, const search_entry *entry, tree_lane *lane, uint32_t place) {
  body_traversal *traversal = &lane->traversals[place];
  const body_traversal *begun = &lane->traversals[lane->begun];
  if (begun->pair != entry->pair) {
    tree_interleaved_relate(tasks, entry->pair, traversal, &lane->limits[place]);
  } else if (begun != traversal) {
    traversal->pair = begun->pair;
    traversal->s = begun->s;
    traversal->t = begun->t;
    traversal->same_object = begun->same_object;
    traversal->traversal.descent = begun->traversal.descent;
    if (begun->traversal.descent.limits != NULL) {
      lane->limits[place] = *begun->traversal.descent.limits;
      traversal->traversal.descent.limits = &lane->limits[place];
    }
  }
  lane->begun = place;
  traversal->candidate_count = 0;
  traversal->traversal.nearest_first =
      tasks->search->one_of_each && tasks->pairs[entry->pair].s != tasks->pairs[entry->pair].t;
  traversal->traversal.descent.block_tests = 0;
  tree_traversal_begin(&traversal->traversal, entry->blocks);
}

/* Tests the candidates of two bodies for which one pair is enough. Returns whether the bodies are found to touch. */
static bool test_for_touch(tree_tasks *tasks, tree_lane *lane, body_traversal *bodies) {
  search *s = tasks->search;
  const uint64_t found = lane->batch.found;
  memcpy(lane->batch.candidates, bodies->candidates, bodies->candidate_count * sizeof bodies->candidates[0]);
  lane->batch.count = bodies->candidate_count;
  bodies->candidate_count = 0;
  candidate_batch_flush(&lane->batch);
  if (lane->batch.found == found) return false;
  if (atomic_exchange(&tasks->touched[bodies->pair], TOUCHES) == TOUCHES) return true;
  if (atomic_fetch_add(&tasks->touching, 1) + 1 == s->each_enough) search_end_tasks(s, 0);
  return true;
}

/* Whether two bodies for which one pair is enough need no further tests. */
static bool is_settled(const tree_tasks *tasks, const body_traversal *bodies) {
  _Atomic(uint8_t) *touched = &tasks->touched[bodies->pair];
  if (atomic_load_explicit(touched, memory_order_relaxed) == TOUCHES) return true;
  if (bodies->traversal.descent.block_tests < tasks->budget) return false;
  atomic_store_explicit(touched, LEFT_FOR_LATER, memory_order_relaxed);
  return true;
}

typedef enum traversal_state { TRAVERSAL_GOES_ON, TRAVERSAL_ENDS, TASK_ENDS } traversal_state;

/* Lists the results of the last step if all pairs are requested. */
static traversal_state list_found(tree_lane *lane, body_traversal *bodies) {
  return bodies->traversal.bits == 0 || take_leaves(lane, bodies) ? TRAVERSAL_GOES_ON : TASK_ENDS;
}

/* The same if one pair of two bodies is enough: candidates that have waited are tested first. */
static traversal_state settle_found(tree_tasks *tasks, tree_lane *lane, body_traversal *bodies, bool at_end) {
  const uint32_t enough = at_end ? 1 : EAGER_BATCH;
  if (is_settled(tasks, bodies)) return TRAVERSAL_ENDS;
  if (bodies->candidate_count >= enough && test_for_touch(tasks, lane, bodies)) return TRAVERSAL_ENDS;
  keep_leaves(lane, bodies);
  return TRAVERSAL_GOES_ON;
}

/* One step of a descent. Its data were prefetched by the previous step. */
static traversal_state advance_traversal(tree_tasks *tasks, tree_lane *lane, body_traversal *bodies) {
  tree_traversal *traversal = &bodies->traversal;
  const bool at_end = traversal->count == 0 && traversal->bits == 0;
  const traversal_state state =
      tasks->search->one_of_each ? settle_found(tasks, lane, bodies, at_end) : list_found(lane, bodies);
  traversal->bits = 0;
  if (state != TRAVERSAL_GOES_ON) return state;
  if (at_end) return TRAVERSAL_ENDS;
  if (traversal->count == 0) return TRAVERSAL_GOES_ON;
  tree_traversal_step(traversal);
  if (traversal->bits != 0) prefetch_leaves(tasks->forest, bodies);
  return TRAVERSAL_GOES_ON;
}

static uint32_t first_entry(const tree_tasks *tasks, uint32_t task) {
  return (uint32_t)((uint64_t)task * tasks->entry_count / tasks->task_count);
}

/* Prefetches the data that tree_interleaved_relate reads. */
static void prefetch_bodies(const tree_tasks *tasks, uint32_t entry, uint32_t end) {
  if (entry >= end) return;
  const body_pair bodies = tasks->pairs[tasks->entries[entry].pair];
  prefetch(&tasks->forest->bodies[bodies.s]);
  prefetch(&tasks->forest->bodies[bodies.t]);
  for (size_t byte = 0; byte < sizeof(posed_space); byte += MEMORY_ALIGNMENT) {
    prefetch((const char *)&tasks->forest->posed[bodies.s] + byte);
    prefetch((const char *)&tasks->forest->posed[bodies.t] + byte);
  }
}

/* The active traversals of a task, and its entries that have not begun. */
typedef struct task_round {
  uint32_t places[TRAVERSALS]; /* among the lane's traversals */
  uint32_t count, next, end;
} task_round;

/* Ends the traversal at a place of the round, and begins the next one there. */
static void end_traversal(const tree_tasks *tasks, tree_lane *lane, uint32_t at, task_round *round) {
  lane->block_tests += lane->traversals[round->places[at]].traversal.descent.block_tests;
  if (round->next < round->end)
    begin_traversal(tasks, &tasks->entries[round->next++], lane, round->places[at]);
  else
    round->places[at] = round->places[--round->count];
  prefetch_bodies(tasks, round->next, round->end);
}

/* False: the task ends early. */
static bool run_round(tree_tasks *tasks, tree_lane *lane, uint32_t task, task_round *round) {
  uint32_t at = 0, steps = 0;
  while (round->count > 0) {
    if (steps++ % STEPS_BETWEEN_STOPS == 0 && search_leaves(tasks->search, task)) return false;
    if (at >= round->count) at = 0;
    const traversal_state state = advance_traversal(tasks, lane, &lane->traversals[round->places[at]]);
    if (state == TASK_ENDS) return false;
    if (state == TRAVERSAL_ENDS) end_traversal(tasks, lane, at, round);
    at++;
  }
  return true;
}

/* Interleaves the descents of a task; if one pair is enough, they run in sequence. False: the task ends early. */
static bool descend_interleaved(tree_tasks *tasks, tree_lane *lane, uint32_t task) {
  const uint32_t most = tasks->search->one_is_enough ? 1 : TRAVERSALS;
  task_round round = {.next = first_entry(tasks, task), .end = first_entry(tasks, task + 1)};
  lane->traversals[lane->begun].pair = UINT32_MAX;
  for (; round.count < most && round.next < round.end; round.count++) {
    round.places[round.count] = round.count;
    begin_traversal(tasks, &tasks->entries[round.next++], lane, round.count);
  }
  const bool through = run_round(tasks, lane, task, &round);
  for (uint32_t i = 0; i < round.count; i++)
    lane->block_tests += lane->traversals[round.places[i]].traversal.descent.block_tests;
  return through;
}

void tree_interleaved_run(void *context, uint32_t task, uint32_t worker) {
  tree_tasks *tasks = context;
  tree_lane *lane = &tasks->lanes[worker];
  if (search_leaves(tasks->search, task)) return;
  candidate_batch_begin(&lane->batch, task);
  if (descend_interleaved(tasks, lane, task)) candidate_batch_flush(&lane->batch);
}
