/* A scene on a device; see device_state.h. */
#include "cuda/device_state.h"

#include "cuda/device_update.h"

#include <string.h>

void device_state_init(device_state *state, memory *heap, memory *scratch, const device_operations *operations) {
  memset(state, 0, sizeof *state);
  device_memory_open(&state->memory, heap, scratch, operations);
  device_scene_init(&state->scene, &state->memory);
  device_search_init(&state->search, &state->scene);
  device_contacts_init(&state->contacts, &state->scene);
}

static void destroy_method(device_state *state, const chosen_method *chosen) {
  if (chosen->own == NULL) return;
  if (state->search.grid.kept_for == chosen->own) state->search.grid.kept_for = NULL;
  chosen->row->destroy(chosen->own);
}

void device_state_release(device_state *state) {
  destroy_method(state, &state->method);
  device_scene_release(&state->scene);
  device_memory_close(&state->memory);
  memset(state, 0, sizeof *state);
}

graze_result device_state_follow_host(const device_state *state) {
  const device_operations *device = &state->memory.operations;
  return state->host_stream != NULL ? device->wait_for(device->context, state->host_stream) : GRAZE_OK;
}

graze_result device_state_update(device_state *state, const scene_upload *input, bool *finite_out,
                                 double *milliseconds_out) {
  pair_lists *lists = &state->search.lists;
  device_grid *grid = &state->search.grid;
  const cleared_memory cleared = next_counts(&state->search, input->primitive_count);
  lists->counts_are_clear = false;
  if (input->objects != NULL) lists->sorts_pairs = false;
  graze_result result = device_state_follow_host(state);
  if (result == GRAZE_OK) result = device_scene_update(&state->scene, input, cleared, finite_out, milliseconds_out);
  if (result != GRAZE_OK || state->scene.vertex_count == 0) return result;
  lists->counts_are_clear = cleared.bytes > 0;
  grid->floor_level = device_floor_level(&state->scene, grid->floor_level);
  return GRAZE_OK;
}

graze_result device_state_choose(device_state *state, const cuda_method *row, const method_options *options,
                                 chosen_method *before_out) {
  *before_out = state->method;
  chosen_method made = {row, NULL};
  const graze_result result = row->create != NULL ? row->create(&state->search, options, &made.own) : GRAZE_OK;
  if (result == GRAZE_OK) state->method = made;
  return result;
}

void device_state_settle(device_state *state, const chosen_method *before, bool is_ready) {
  const chosen_method unwanted = is_ready ? *before : state->method;
  if (!is_ready) state->method = *before;
  destroy_method(state, &unwanted);
}

bool device_state_is_ready(const device_state *state) {
  const cuda_method *row = state->method.row;
  if (row == NULL) return false;
  return row->is_ready == NULL || row->is_ready(state->method.own);
}

graze_result device_state_find(device_state *state, const cuda_request *request, bool by_method,
                               device_answer *answer_out) {
  const chosen_method by_grid = {&cuda_grid, NULL};
  const chosen_method chosen = by_method && device_state_is_ready(state) ? state->method : by_grid;
  memset(answer_out, 0, sizeof *answer_out);
  const graze_result result = device_state_follow_host(state);
  if (result != GRAZE_OK) return result;
  if (chosen.row->find != NULL) return chosen.row->find(chosen.own, &state->wrenches, request, answer_out);
  return device_find(&state->search, &state->wrenches, chosen.row->steps, chosen.own, request->query, answer_out);
}
