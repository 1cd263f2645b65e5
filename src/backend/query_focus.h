/* The focus of a query, in the form that the broad phase reads. */
#ifndef GRAZE_BACKEND_QUERY_FOCUS_H
#define GRAZE_BACKEND_QUERY_FOCUS_H

#include "broad/focus_box.h"
#include "graze/graze.h"
#include <string.h>

/* For a checked query. */
static inline query_focus query_focus_of(const graze_query *query) {
  query_focus focus = {.object_count = query->about_count,
                       .objects = {query->about_a.index, query->about_b.index},
                       .in_box = query->in_box};
  memcpy(focus.box.min, query->box_min, sizeof focus.box.min);
  memcpy(focus.box.max, query->box_max, sizeof focus.box.max);
  return focus;
}

#endif
