/* The state of the scene's method, and the calls by which the scene uses it. */
#ifndef GRAZE_BROAD_METHOD_STATE_H
#define GRAZE_BROAD_METHOD_STATE_H

#include "broad/method.h"

/* A zeroed struct is closed. */
typedef struct method_state {
  const method *row; /* NULL: closed */
  memory *heap;
  void *own;          /* the method's; NULL if it has none */
  atomic_flag noting; /* held while notes are written or read */
  search_notes notes;
} method_state;

/* Opens a closed state; on failure it remains closed. The options are read only during the call. */
graze_result method_open(method_state *state, const method *row, const method_options *options, memory *heap);

/* Passes changes to the method; called after each update of the scene, and once after opening, with CHANGED_ALL for
 * every object. `changes` has one element per object of the view. After a failure, the method must not search before
 * an update with CHANGED_ALL has succeeded. */
graze_result method_update(method_state *state, const primitive_view *view, const object_change *changes, workers *team,
                           memory *scratch);

/* Searches. The search has all members set that a method reads; if the method needs boxes and the view has none,
 * they are computed here, and s->searched_count and s->bounds_ms are set. Safe on several threads at once, each with
 * its own search, and with memory and workers that allow it. */
graze_result method_find(method_state *state, search *s);

/* Lists the structure that such a search would use; nothing if the method has none. */
graze_result method_list(method_state *state, search *s, structure_list *list);

void method_close(method_state *state);

#endif
