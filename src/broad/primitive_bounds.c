/* Bounding boxes of the primitives that a query must examine; see primitive_bounds.h.
 *
 * Workload: 10^4 to 10^7 primitives, each once per query, most of them triangles. */
#include "broad/primitive_bounds.h"

#include "broad/clearance_growth.h"
#include "broad/focus_box.h"
#include "broad/primitive_box.h"
#include "broad/primitive_selection.h"

#include <string.h>

enum { BOUNDS_GRAIN = 8192 };

typedef struct bounds_work {
  const primitive_view *view;
  stop_check *stop;
  primitive_box *boxes; /* NULL: they are not stored */
  uint8_t *searched;
  primitive_box *reaches;           /* one per object; NULL: the query has no focus */
  focus_box limits;                 /* if the query is in a box */
  _Atomic(uint64_t) searched_count; /* a sum, independent of the order of its terms */
} bounds_work;

/* ---------------------------------------------------------------------------------------------- a query's focus */

/* Whether the focus requests a primitive with this box. */
static bool is_in_focus_range(const bounds_work *work, const primitive_box *box, uint32_t primitive) {
  const uint32_t object = work->view->headers[primitive].object;
  if (!boxes_meet(box, &work->reaches[object])) return false;
  if (!work->view->focus.in_box || box_lies_in(box, &work->limits.inner)) return true;
  const object_source *source = &work->view->sources[object];
  const exact_box exact = box_of_corners(source, corners_of(source, primitive));
  return exact_boxes_meet(&exact, &work->view->focus.box);
}

/* ---------------------------------------------------------------------------------------------- boxes */

/* The box by which a primitive is searched with a clearance. */
static primitive_box primitive_box_grown(const primitive_view *view, size_t primitive) {
  if (view->slots != 0.0f) {
    const object_source *source = &view->sources[view->headers[primitive].object];
    return bent_box_grown(source, corners_of(source, (uint32_t)primitive), view->clearance, view->map);
  }
  const primitive_box box = primitive_box_made(view, primitive);
  return box_grown(&box, view->reach);
}

static void bound_primitive(const bounds_work *work, size_t primitive) {
  const primitive_view *view = work->view;
  const primitive_box box =
      view->clearance > 0.0 ? primitive_box_grown(view, primitive) : primitive_box_made(view, primitive);
  if (work->boxes != NULL) work->boxes[primitive] = box;
  if (work->reaches != NULL) work->searched[primitive] = is_in_focus_range(work, &box, (uint32_t)primitive);
}

static void bounds_range(void *context, size_t first, size_t end, uint32_t worker) {
  bounds_work *work = context;
  (void)worker;
  /* A query about few primitives skips most ranges. */
  if (stop_is_requested(work->stop) || memchr(work->searched + first, 1, end - first) == NULL) return;
  if (work->boxes != NULL || work->reaches != NULL) {
    for (size_t i = first; i < end; i++)
      if (work->searched[i] != 0) bound_primitive(work, i);
  }
  uint64_t searched_count = 0;
  for (size_t i = first; i < end; i++) searched_count += work->searched[i];
  atomic_fetch_add(&work->searched_count, searched_count);
}

graze_result primitive_bounds_make(const search *s, bool with_boxes, primitive_view *view,
                                   primitive_bounds *bounds_out) {
  const size_t count = view->primitive_count;
  const bool narrow = focus_is_narrow(&view->focus);
  bounds_work work = {.view = view,
                      .stop = s->stop,
                      .boxes = with_boxes ? memory_allocate(s->memory, count, sizeof(primitive_box)) : NULL,
                      .searched = memory_allocate(s->memory, count, sizeof(uint8_t)),
                      .reaches = narrow ? memory_allocate(s->memory, view->object_count, sizeof(primitive_box)) : NULL};
  *bounds_out = (primitive_bounds){.boxes = work.boxes, .searched = work.searched, .count = count};
  const bool ready = (work.boxes != NULL || !with_boxes) && work.searched != NULL && (work.reaches != NULL || !narrow);
  if (ready) {
    if (view->focus.in_box) work.limits = focus_box_of(&view->focus.box, view->normalization, view->slots);
    select_primitives(view, s, work.searched, work.reaches);
    workers_for(s->workers, count, BOUNDS_GRAIN, bounds_range, &work);
    bounds_out->searched_count = atomic_load(&work.searched_count);
    view->boxes = work.boxes;
    view->searched = work.searched;
  }
  memory_release(s->memory, work.reaches, view->object_count, sizeof(primitive_box));
  const graze_result result = !ready ? GRAZE_OUT_OF_MEMORY : stop_was_requested(s->stop) ? GRAZE_STOPPED : GRAZE_OK;
  if (result != GRAZE_OK) primitive_bounds_release(bounds_out, s->memory);
  return result;
}

void primitive_bounds_release(primitive_bounds *bounds, memory *heap) {
  memory_release(heap, bounds->boxes, bounds->count, sizeof *bounds->boxes);
  memory_release(heap, bounds->searched, bounds->count, sizeof *bounds->searched);
  *bounds = (primitive_bounds){0};
}
