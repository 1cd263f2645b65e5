/* What pairs push, on a device: pairs are measured as they were found, without being put in order first, and summed up
 * for every two objects. All of it belongs to the sequence of the query, with one wait at its end.
 *
 * Workload: 84 bytes a pair, 88 of tetrahedra; 280 for every two objects, which come back with the counts of the query.
 */
#include "cuda/device_contacts.h"
#include "cuda/device_memory.h"
#include "cuda/device_query.h"

#include <string.h>

size_t push_table_bytes(const device_state *state, const device_query *query) {
  return query->push_rule != NULL ? state->object_count * state->object_count * sizeof(device_push) : 0;
}

graze_result size_pushes(device_state *state, const device_query *query, uint64_t pair_room) {
  if (query->push_rule == NULL) return GRAZE_OK;
  graze_result result = size_spare(&state->memory, &state->buffers[BUFFER_PUSH_TERMS], pair_room * sizeof(push_terms));
  if (result == GRAZE_OK)
    result = size_spare(&state->memory, &state->buffers[BUFFER_PUSH_PLACES], pair_room * sizeof(uint32_t));
  if (result == GRAZE_OK && state->has_batch[BATCH_TETRAHEDRA]) result = size_open_contacts(state, pair_room);
  const bool known = state->buffers[BUFFER_PUSH_RULE].data != NULL &&
                     memcmp(&state->push_rule, query->push_rule, sizeof state->push_rule) == 0;
  if (result != GRAZE_OK || known) return result;
  state->push_rule = *query->push_rule;
  result = upload_spare(&state->memory, &state->buffers[BUFFER_PUSH_RULE], query->push_rule, sizeof *query->push_rule);
  if (result != GRAZE_OK) release_buffer(&state->memory, &state->buffers[BUFFER_PUSH_RULE]);
  return result;
}

/* Keys are not ranked as they are found: nobody asks for their order. */
void view_pushes(const device_state *state, device_view *view) {
  view->push_terms = state->buffers[BUFFER_PUSH_TERMS].data;
  view->push_places = state->buffers[BUFFER_PUSH_PLACES].data;
  view->push_rule = state->buffers[BUFFER_PUSH_RULE].data;
  view->contact_open = state->buffers[BUFFER_CONTACT_OPEN].data;
  view->contact_totals = state->buffers[BUFFER_CONTACT_TOTALS].data;
  view->only_pushes = 1;
  view->sort_pairs = 1;
}

void queue_pushes(stage_queue *queue, const contact_variants *variants) {
  const device_view *v = queue->view;
  queue_clear(queue, v->push_places, 0xff, (size_t)v->list_capacity[LIST_PAIRS] * sizeof *v->push_places);
  if (variants->tetrahedra) queue_clear(queue, v->contact_totals, 0, sizeof *v->contact_totals);
  queue_solid_measures(queue, variants);
  queue_stage(queue, STAGE_push_add);
}
