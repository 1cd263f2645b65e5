/* The life cycle of a method's state; see method_state.h. */
#include "broad/method_state.h"

#include "base/timer.h"
#include "broad/primitive_selection.h"

#include <assert.h>

graze_result method_open(method_state *state, const method *row, const method_options *options, memory *heap) {
  assert(state->row == NULL);
  void *own = NULL;
  const graze_result result = row->cpu->create != NULL ? row->cpu->create(heap, options, &own) : GRAZE_OK;
  if (result != GRAZE_OK) return result;
  *state = (method_state){.row = row, .heap = heap, .own = own};
  atomic_flag_clear(&state->noting);
  return GRAZE_OK;
}

void method_close(method_state *state) {
  if (state->row != NULL && state->row->cpu->destroy != NULL) state->row->cpu->destroy(state->heap, state->own);
  *state = (method_state){0};
}

/* Copies notes under a spin lock: concurrent ends of searches are rare, and the copy is 64 bytes. */
static void copy_notes(method_state *state, const search_notes *from, search_notes *to) {
  while (atomic_flag_test_and_set_explicit(&state->noting, memory_order_acquire)) {
  }
  *to = *from;
  atomic_flag_clear_explicit(&state->noting, memory_order_release);
}

graze_result method_update(method_state *state, const primitive_view *view, const object_change *changes, workers *team,
                           memory *scratch) {
  if (state->row->cpu->update == NULL) return GRAZE_OK;
  search_notes notes;
  copy_notes(state, &state->notes, &notes);
  const update_input input = {view, changes, &notes, team, scratch};
  const graze_result result = state->row->cpu->update(state->own, &input);
  if (result == GRAZE_OK) state->notes = (search_notes){0};
  return result;
}

static bool has_notes(const search_notes *notes) {
  uint64_t all = 0;
  for (size_t i = 0; i < sizeof notes->words / sizeof notes->words[0]; i++) all |= notes->words[i];
  return all != 0;
}

static graze_result find_and_keep_notes(method_state *state, search *s) {
  const graze_result result = state->row->cpu->find(state->own, s);
  const bool notes = (state->row->traits & METHOD_KEEPS_STATE) != 0 && has_notes(&s->notes);
  if (result == GRAZE_OK && notes) copy_notes(state, &s->notes, &state->notes);
  return result;
}

static graze_result find_or_list(method_state *state, search *s, structure_list *list_or_null) {
  if (list_or_null == NULL) return find_and_keep_notes(state, s);
  const cpu_method *cpu = state->row->cpu;
  return cpu->list != NULL ? cpu->list(state->own, s, list_or_null) : GRAZE_OK;
}

static graze_result find_or_list_bounded(method_state *state, search *s, structure_list *list_or_null) {
  const uint32_t traits = state->row->traits;
  if ((traits & METHOD_NEEDS_BOXES) == 0 || s->view->searched != NULL) return find_or_list(state, s, list_or_null);
  const primitive_view *given = s->view;
  primitive_view bounded = *given;
  primitive_bounds bounds;
  const double begin = timer_now_ms();
  const bool with_boxes = (traits & METHOD_MAKES_BOXES) == 0 || given->clearance > 0.0;
  graze_result result = primitive_bounds_make(s, with_boxes, &bounded, &bounds);
  s->bounds_ms = timer_now_ms() - begin;
  if (result != GRAZE_OK) return result;
  s->searched_count = bounds.searched_count;
  s->view = &bounded;
  result = find_or_list(state, s, list_or_null);
  s->view = given;
  primitive_bounds_release(&bounds, s->memory);
  return result;
}

graze_result method_find(method_state *state, search *s) {
  return find_or_list_bounded(state, s, NULL);
}

graze_result method_list(method_state *state, search *s, structure_list *list) {
  return find_or_list_bounded(state, s, list);
}
