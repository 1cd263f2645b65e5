/* Clusters between frames: samples points, moves the centers, and adapts their number.
 *
 * The points are a sample of the primitives, evenly distributed over their numbers. Centers only determine how space is
 * divided, and no pair depends on that, so their cost does not grow with the scene.
 *
 * Workload: once per update; a thousand points, or 32 for each cluster. */
#include "broad/clusters_state.h"

#include "broad/clusters_cover.h"

enum { SAMPLE_LEAST = 1024, SAMPLE_A_CLUSTER = 32, OBJECTS_LOOKED_AT = 64 };

graze_result clusters_create(memory *heap, const method_options *options, void **state_out) {
  clusters_state *state = memory_allocate(heap, 1, sizeof *state);
  if (state == NULL) return GRAZE_OUT_OF_MEMORY;
  const graze_method_def *def = options->def;
  *state = (clusters_state){.rule = {.fuzziness = 2.0}, .patience = CLUSTERS_PATIENCE, .learner = {.heap = heap}};
  if (def != NULL) {
    state->wanted = def->clusters;
    state->axis = def->axis;
    state->distance = def->metric;
    state->rule = (fuzzy_rule){def->fuzziness};
  }
  *state_out = state;
  return GRAZE_OK;
}

void clusters_destroy(memory *heap, void *state) {
  learner_release(&((clusters_state *)state)->learner);
  memory_release(heap, state, 1, sizeof(clusters_state));
}

/* ---------------------------------------------------------------------------------------------- points */

uint32_t clusters_sample_size(size_t primitive_count, uint32_t cluster_count) {
  const uint32_t wanted =
      cluster_count > SAMPLE_LEAST / SAMPLE_A_CLUSTER ? cluster_count * SAMPLE_A_CLUSTER : SAMPLE_LEAST;
  return primitive_count < wanted ? (uint32_t)primitive_count : wanted;
}

static bool is_removed(const primitive_view *view, uint32_t primitive) {
  const object_source *source = &view->sources[view->headers[primitive].object];
  return element_is_removed(source, primitive - source->first_primitive);
}

static void take_sample(cluster_learner *learner, const primitive_view *view, uint32_t size) {
  learner->point_count = 0;
  for (uint32_t i = 0; i < size; i++) {
    const uint32_t primitive = (uint32_t)((uint64_t)i * view->primitive_count / size);
    if (is_removed(view, primitive)) continue;
    float point[3];
    primitive_point(view, primitive, point);
    for (int axis = 0; axis < 3; axis++) learner->points[axis][learner->point_count] = point[axis];
    learner->point_count++;
  }
}

/* ---------------------------------------------------------------------------------------------- number of clusters */

static bool box_is_empty(const primitive_box *box) {
  return !(box->min[0] <= box->max[0]);
}

/* Whether there are several objects and no boxes of the first of them meet. */
static bool objects_are_apart(const primitive_view *view) {
  if (view->object_boxes == NULL) return false;
  const size_t count = view->object_count < OBJECTS_LOOKED_AT ? view->object_count : OBJECTS_LOOKED_AT;
  size_t there = 0;
  for (size_t i = 0; i < count; i++) {
    if (box_is_empty(&view->object_boxes[i])) continue;
    there++;
    for (size_t j = 0; j < i; j++)
      if (!box_is_empty(&view->object_boxes[j]) && boxes_meet(&view->object_boxes[i], &view->object_boxes[j]))
        return false;
  }
  return there > 1;
}

static uint32_t next_count(const clusters_state *state, const update_input *input) {
  const uint32_t now = state->learner.center_count;
  if (state->wanted > 0) return state->wanted;
  if (now == 0) return objects_are_apart(input->view) ? CLUSTERS_AT_START_APART : CLUSTERS_AT_START;
  const uint32_t next = clusters_next_count(input->notes, &processor_costs, now);
  return next > now && state->wait > 0 ? now : next;
}

/* Called after the number was chosen for an update. */
static void keep_patience(clusters_state *state, uint32_t now, uint32_t next) {
  if (state->wait > 0) state->wait--;
  if (next >= now) return;
  state->wait = state->patience;
  if (state->patience < CLUSTERS_PATIENCE_MOST) state->patience *= 2;
}

uint32_t clusters_adapt(clusters_state *state, const search_notes *notes, const cluster_costs *costs, uint32_t now) {
  uint32_t next = clusters_next_count(notes, costs, now);
  if (next > now && state->wait > 0) next = now;
  keep_patience(state, now, next);
  return next;
}

static bool anything_changed(const update_input *input) {
  for (size_t i = 0; i < input->view->object_count; i++)
    if ((input->changes[i] & (CHANGED_POSE | CHANGED_POSITIONS | CHANGED_TOPOLOGY)) != 0) return true;
  return false;
}

/* Sets fewer if there are fewer points, or if some are equal. */
static void set_count(clusters_state *state, uint32_t count, workers *team) {
  cluster_learner *learner = &state->learner;
  const uint32_t wanted = count < learner->point_count ? count : learner->point_count;
  if (learner->center_count == 0 || (state->wanted > 0 && learner->center_count != wanted))
    learner_restart(learner, wanted, state->distance, team);
  else if (wanted > learner->center_count)
    learner_split_centers(learner, wanted, state->distance);
  else
    learner_drop_centers(learner, wanted, state->distance);
}

void clusters_learn(clusters_state *state, uint32_t count, workers *team) {
  cluster_learner *learner = &state->learner;
  if (learner->point_count == 0) {
    learner->center_count = 0;
    return;
  }
  set_count(state, count, team);
  learner_refine(learner, &state->rule, state->distance, team);
  learner_drop_equal_centers(learner);
}

graze_result clusters_update(void *kept, const update_input *input) {
  clusters_state *state = kept;
  cluster_learner *learner = &state->learner;
  const uint32_t count = next_count(state, input);
  const bool moves = learner->center_count != count || anything_changed(input);
  const uint32_t size = clusters_sample_size(input->view->primitive_count, count);
  if (moves && !learner_reserve(learner, size, count)) return GRAZE_OUT_OF_MEMORY;
  if (state->wanted == 0) keep_patience(state, learner->center_count, count);
  if (!moves) return GRAZE_OK;
  take_sample(learner, input->view, size);
  clusters_learn(state, count, input->workers);
  return GRAZE_OK;
}
