/* Rows of least distances; see batch_rows.h.
 *
 * A row of one pair of bodies is one search. A row of several searches them in order of the distance of their boxes,
 * with the best distance so far; pairs whose boxes are farther apart are skipped.
 *
 * Workload: 10 to 1000 microseconds for a configuration. */
#include "backend_cpu/batch_rows.h"

#include "backend_cpu/nearest_row.h"

#include <string.h>

/* Comparing the boxes of so many pairs takes less than a millisecond. */
enum { PAIRS_BETWEEN_STOPS = 4096 };

static bool stops_at(const batch_run *run, size_t pair) {
  return pair % PAIRS_BETWEEN_STOPS == PAIRS_BETWEEN_STOPS - 1 && stop_is_requested(run->work->request->stop);
}

/* The bodies of a pair, the lower object's first. False if one has no primitives. */
static bool bodies_of_pair(const batch_run *run, size_t number, nearest_body bodies_out[2]) {
  const batch_request *request = run->work->request;
  const configuration_pair pair = request->pairs[number];
  const bool in_order = request->parts[pair.a] < request->parts[pair.b];
  bodies_out[0] = batch_nearest_body(run, in_order ? pair.a : pair.b);
  bodies_out[1] = batch_nearest_body(run, in_order ? pair.b : pair.a);
  return bodies_out[0].tree != NULL && bodies_out[1].tree != NULL;
}

static graze_nearest row_of(const batch_run *run, const nearest_search *found) {
  const batch_request *request = run->work->request;
  batch_rows *rows = run->work->rows;
  atomic_fetch_add_explicit(&rows->visits, found->visits, memory_order_relaxed);
  atomic_fetch_add_explicit(&rows->measures, found->measures, memory_order_relaxed);
  if (!nearest_is_listed(found)) return nearest_row_empty(request->limit);
  if (request->goal == NEAREST_ANY_CONTACT && found->state.best.distance == 0.0) return nearest_row_touching();
  return nearest_row_make(run->work->scene, &found->state.best, found->state.lower, found->complete);
}

/* If the search is stopped, its pair may not be the first that meets. */
static void search_bodies(nearest_search *found, const nearest_body bodies[2]) {
  nearest_search_run(found, &bodies[0], &bodies[1], boxes_distance(bodies[0].box, bodies[1].box));
  if (stop_was_requested(found->stop)) found->complete = false;
}

/* ---------------------------------------------------------------------------------------------- candidates */

static bool comes_before(const batch_candidate *a, const batch_candidate *b) {
  return a->bound != b->bound ? a->bound < b->bound : a->pair < b->pair;
}

/* Restores the order of a heap whose first element is the nearest: moves the element at `place` down. */
static void sink(batch_candidate *heap, size_t count, size_t place) {
  const batch_candidate moved = heap[place];
  for (;;) {
    size_t child = 2 * place + 1;
    if (child >= count) break;
    if (child + 1 < count && comes_before(&heap[child + 1], &heap[child])) child++;
    if (!comes_before(&heap[child], &moved)) break;
    heap[place] = heap[child];
    place = child;
  }
  heap[place] = moved;
}

/* Lists the candidates of a column within their limits, as a heap; *any_out: there are pairs of bodies. */
static size_t list_candidates(const batch_run *run, size_t column, bool *any_out) {
  const batch_request *request = run->work->request;
  const batch_rows *rows = run->work->rows;
  batch_candidate *heap = rows->candidates + run->worker * rows->longest;
  size_t count = 0;
  *any_out = false;
  for (size_t i = rows->first[column]; i < rows->first[column + 1] && !stops_at(run, i); i++) {
    nearest_body bodies[2];
    if (!bodies_of_pair(run, i, bodies)) continue;
    *any_out = true;
    const double distance = boxes_distance(bodies[0].box, bodies[1].box);
    if (!(distance <= batch_limit(request, request->pairs[i]))) continue;
    heap[count++] = (batch_candidate){distance - batch_padding(request, request->pairs[i]), i};
  }
  for (size_t i = count / 2; i-- > 0;) sink(heap, count, i);
  return count;
}

static void search_candidate(const batch_run *run, const batch_candidate *chosen, nearest_search *found) {
  nearest_body bodies[2];
  (void)bodies_of_pair(run, chosen->pair, bodies);
  search_bodies(found, bodies);
}

/* The error bound of rounded distances in a configuration. It follows from the box of all its bodies, so it does not
 * depend on which pairs were searched. */
static double margin_of_configuration(const batch_run *run) {
  const batch_request *request = run->work->request;
  exact_box all = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
  bool any = false;
  for (uint32_t i = 0; i < request->part_count; i++) {
    if (!run->work->rows->is_paired[i]) continue;
    const exact_box *box = batch_box(run, i);
    if (!any) all = *box;
    any = true;
    exact_box_include_box(&all, box);
  }
  return nearest_margin(&all, &all);
}

/* ---------------------------------------------------------------------------------------------- a row */

/* Searches the nearest candidates of a heap. Returns the least lower bound of the searches whose bound is below the
 * best distance minus its margin, otherwise HUGE_VAL. The first is searched even after the rows are stopped. */
static double search_candidates(const batch_run *run, batch_candidate *heap, size_t count, double margin,
                                nearest_search *found) {
  double lower = HUGE_VAL;
  for (; count > 0 && !stop_is_requested(run->work->request->stop); sink(heap, count, 0)) {
    nearest_state *state = &found->state;
    if (state->best.any && heap[0].bound > state->best.distance + margin) break;
    if (state->best.any && stop_is_requested(found->stop)) {
      found->complete = false;
      return fmin(lower, heap[0].bound);
    }
    state->lower = HUGE_VAL;
    search_candidate(run, &heap[0], found);
    if (!state->best.any || state->lower < fmax(state->best.distance - state->margin, 0.0))
      lower = fmin(lower, state->lower);
    heap[0] = heap[--count];
    if (count == 0 || nearest_search_is_over(found)) break;
  }
  return lower;
}

/* With padding, the least distance less the padding of its pair wins; of equal ones, the first pair. */
static nearest_search search_padded(const batch_run *run, batch_candidate *heap, size_t count, double margin) {
  const batch_request *request = run->work->request;
  nearest_search least = batch_search(run->work, 0.0, request->goal);
  double value = HUGE_VAL;
  for (; count > 0 && !stop_is_requested(request->stop); sink(heap, count, 0)) {
    if (heap[0].bound > value + margin) break;
    const configuration_pair pair = request->pairs[heap[0].pair];
    const double padding = batch_padding(request, pair);
    nearest_search found = batch_search(run->work, batch_limit(request, pair), request->goal);
    search_candidate(run, &heap[0], &found);
    const nearest_best *best = &found.state.best;
    if (nearest_is_listed(&found)) {
      const double own = best->distance - padding;
      const bool is_first = best->ranks.a != least.state.best.ranks.a ? best->ranks.a < least.state.best.ranks.a
                                                                      : best->ranks.b < least.state.best.ranks.b;
      if (!least.state.best.any || own < value || (own == value && is_first)) {
        value = own;
        least = found;
      }
    }
    heap[0] = heap[--count];
    if (count == 0) break;
  }
  return least;
}

static graze_nearest row_of_pair(const batch_run *run, size_t number) {
  const batch_request *request = run->work->request;
  nearest_body bodies[2];
  if (!bodies_of_pair(run, number, bodies)) return nearest_row_empty(HUGE_VAL);
  nearest_search found = batch_search(run->work, batch_limit(request, request->pairs[number]), request->goal);
  search_bodies(&found, bodies);
  return row_of(run, &found);
}

static graze_nearest row_of_column(const batch_run *run, size_t column) {
  const batch_request *request = run->work->request;
  const batch_rows *rows = run->work->rows;
  bool any;
  const size_t count = list_candidates(run, column, &any);
  if (!any) return nearest_row_empty(HUGE_VAL);
  batch_candidate *heap = rows->candidates + run->worker * rows->longest;
  const double margin = request->moving_count == 0 ? rows->margin : margin_of_configuration(run);
  if (request->padding != NULL) {
    const nearest_search found = search_padded(run, heap, count, margin);
    return row_of(run, &found);
  }
  nearest_search found = batch_search(run->work, request->limit, request->goal);
  const double lower = search_candidates(run, heap, count, margin, &found);
  found.state.lower = fmin(lower, fmax(found.state.best.distance - margin, 0.0));
  return row_of(run, &found);
}

static graze_nearest row_of_pairs(const batch_run *run, size_t column) {
  const batch_rows *rows = run->work->rows;
  const size_t pairs = rows->first[column + 1] - rows->first[column];
  if (pairs == 0) return nearest_row_empty(HUGE_VAL);
  return pairs == 1 ? row_of_pair(run, rows->first[column]) : row_of_column(run, column);
}

/* ---------------------------------------------------------------------------------------------- rows of known pairs */

/* Writes the row of a pair of primitives that is the nearest within a margin. False if the pair does not decide the
 * row: its measure does not prove its accuracy, or it is beyond the limit where another may be within. */
static bool finish_row(const batch_run *run, const configuration_nearest *found, double margin, graze_nearest *row) {
  const batch_work *work = run->work;
  const batch_request *request = work->request;
  if (found->state == NEAREST_OPEN) return false;
  if (found->state == NEAREST_NONE || found->distance > request->limit + 2.0 * margin) {
    *row = nearest_row_empty(request->limit);
    return true;
  }
  const configuration_pair pair = request->pairs[work->rows->found->pairs[found->pair]];
  const nearest_body s = batch_nearest_body(run, pair.a), t = batch_nearest_body(run, pair.b);
  const uint32_t *ranks = scene_ranks(work->scene);
  const index_pair primitives = {found->a, found->b};
  nearest_search taking = batch_search(work, request->limit, request->goal);
  nearest_state *state = &taking.state;
  state->margin = margin;
  primitives_take(state, s.source, t.source, primitives,
                  ranks == NULL ? primitives : (index_pair){ranks[found->a], ranks[found->b]});
  const bool is_sure = state->best.any && state->is_within && state->lower == HUGE_VAL;
  if (!is_sure || state->best.distance != found->distance) return false;
  state->lower = fmax(state->best.distance - margin, 0.0);
  *row = row_of(run, &taking);
  return true;
}

static bool finish_pairs(const batch_run *run, const configuration_nearest *found, graze_nearest *rows) {
  const batch_request *request = run->work->request;
  const found_distances *known = run->work->rows->found;
  bool good = true;
  for (size_t i = 0; i < request->column_count; i++) rows[i] = nearest_row_empty(HUGE_VAL);
  for (size_t i = 0; i < known->pair_count && good; i++) {
    const configuration_pair pair = request->pairs[known->pairs[i]];
    const double margin = nearest_margin(batch_box(run, pair.a), batch_box(run, pair.b));
    good = finish_row(run, &found[i], margin, &rows[pair.column]);
  }
  return good;
}

/* ---------------------------------------------------------------------------------------------- a batch */

void batch_rows_answer(const batch_run *run, size_t number) {
  const batch_request *request = run->work->request;
  const batch_rows *own = run->work->rows;
  const found_distances *known = own->found;
  const size_t columns = request->column_count;
  graze_nearest *rows = (graze_nearest *)request->answers + number * columns;
  if (known != NULL) {
    known->open[number] = columns > 1 ? !finish_pairs(run, known->found + number * known->pair_count, rows)
                                      : !finish_row(run, &known->found[number], margin_of_configuration(run), rows);
    return;
  }
  for (size_t i = 0; i < columns && !stops_at(run, i); i++) rows[i] = row_of_pairs(run, i);
}

void batch_rows_answer_column(const batch_run *run, size_t column) {
  ((graze_nearest *)run->work->request->answers)[column] = row_of_pairs(run, column);
}

/* Notes the parts in pairs of bodies, and the pairs of each column, which are in ascending order. */
static void note_pairs(batch_work *work) {
  const batch_request *request = work->request;
  batch_rows *rows = work->rows;
  memset(rows->is_paired, 0, request->part_count * sizeof *rows->is_paired);
  size_t pair = 0;
  for (size_t column = 0; column <= request->column_count; column++) {
    rows->first[column] = pair;
    for (; pair < request->pair_count && request->pairs[pair].column == column; pair++) {
      const configuration_pair own = request->pairs[pair];
      if (work->resting[own.a].tree == NULL || work->resting[own.b].tree == NULL) continue;
      rows->is_paired[own.a] = rows->is_paired[own.b] = true;
    }
    if (pair - rows->first[column] > rows->longest) rows->longest = pair - rows->first[column];
  }
}

bool batch_rows_begin(batch_work *work) {
  memory *heap = scene_scratch(work->scene);
  const batch_request *request = work->request;
  batch_rows *rows = work->rows;
  rows->first = memory_allocate(heap, request->column_count + 1, sizeof *rows->first);
  rows->is_paired = memory_allocate(heap, request->part_count, sizeof *rows->is_paired);
  if (rows->first == NULL || rows->is_paired == NULL) return false;
  note_pairs(work);
  const batch_run resting = {.work = work};
  if (request->moving_count == 0) rows->margin = margin_of_configuration(&resting);
  rows->candidates =
      memory_allocate(heap, workers_count(work->scene->workers) * rows->longest, sizeof *rows->candidates);
  return rows->candidates != NULL;
}

void batch_rows_end(batch_work *work) {
  memory *heap = scene_scratch(work->scene);
  batch_rows *rows = work->rows;
  memory_release(heap, rows->candidates, workers_count(work->scene->workers) * rows->longest, sizeof *rows->candidates);
  memory_release(heap, rows->is_paired, work->request->part_count, sizeof *rows->is_paired);
  memory_release(heap, rows->first, work->request->column_count + 1, sizeof *rows->first);
}
