/* The state of the scene's method, and the four calls by which the scene uses it. */
#ifndef GRAZE_BROAD_METHOD_STATE_H
#define GRAZE_BROAD_METHOD_STATE_H

#include "broad/method.h"

/* Zeroed it is closed. */
typedef struct method_state {
  const method *row; /* NULL: closed */
  memory *heap;
  void *own;          /* the method's; NULL where it has none */
  atomic_flag noting; /* held while notes are written or read */
  search_notes notes;
} method_state;

/* Opens a closed state; on failure it stays closed. The options are read during the call only. */
graze_result method_open(method_state *state, const method *row, const method_options *options, memory *heap);

/* Tells the method what has changed; to be called after each update of the scene, and once after it was opened with
 * CHANGED_ALL for every object. `changes` has one number an object of the view. On failure the method may not search
 * before an update with CHANGED_ALL has succeeded. */
graze_result method_update(method_state *state, const primitive_view *view, const object_change *changes, workers *team,
                           memory *scratch);

/* Searches. The search has everything set that a method reads; boxes are made here where the method needs them and the
 * view has none, and s->searched_count and s->bounds_ms are then set. Safe on several threads at the same time, with a
 * search, memory and workers each that allow it. */
graze_result method_find(method_state *state, search *s);

void method_close(method_state *state);

#endif
