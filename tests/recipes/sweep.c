/* The method "sweep", an example: boxes in the order of their lower x.
 *
 * Workload: that of CONTRIBUTING.md; quadratic if many boxes overlap along x. */
#include "broad/candidate_batch.h"

#include <stdlib.h>

typedef struct sweep_entry {
  float low;
  uint32_t primitive;
} sweep_entry;

static int compare_entries(const void *a, const void *b) {
  const sweep_entry *p = a, *q = b;
  if (p->low != q->low) return p->low < q->low ? -1 : 1;
  return p->primitive < q->primitive ? -1 : 1;
}

/* Adds the candidates of an entry and those after it. Returns whether the task continues. */
static bool meet_later(search *s, const sweep_entry *entry, const sweep_entry *end, candidate_batch *batch) {
  const primitive_view *view = s->view;
  const primitive_box *box = &view->boxes[entry->primitive];
  for (const sweep_entry *other = entry + 1; other < end && other->low <= box->max[0]; other++) {
    const uint32_t i = entry->primitive < other->primitive ? entry->primitive : other->primitive;
    const uint32_t j = entry->primitive < other->primitive ? other->primitive : entry->primitive;
    const primitive_header *a = &view->headers[i], *b = &view->headers[j];
    s->counts.box_tests++;
    if (!boxes_meet(&view->boxes[i], &view->boxes[j]) || !objects_meet(view, a->object, b->object)) continue;
    if (view->skip_neighbors && a->object == b->object && share_corner(&view->sources[a->object], i, j))
      s->counts.neighbors++;
    else if (!candidate_batch_add(batch, (index_pair){i, j}, a, b))
      return false;
  }
  return true;
}

static graze_result find_by_sweep(const void *state, search *s) {
  (void)state;
  const primitive_view *view = s->view;
  sweep_entry *entries = memory_allocate(s->memory, view->primitive_count, sizeof *entries);
  candidate_batch *batch = memory_allocate(s->memory, 1, sizeof *batch);
  size_t count = 0;
  if (entries != NULL && batch != NULL) {
    for (uint32_t i = 0; i < view->primitive_count; i++)
      if (view->searched[i] != 0) entries[count++] = (sweep_entry){view->boxes[i].min[0], i};
    qsort(entries, count, sizeof *entries, compare_entries);
    candidate_batch_init(batch, s, 0);
    size_t i = 0;
    while (i < count && !search_leaves(s, 0) && meet_later(s, &entries[i], entries + count, batch)) i++;
    if (i == count) candidate_batch_flush(batch);
    s->counts.candidates = batch->handed_over;
  } else {
    search_stop_out_of_memory(s);
  }
  memory_release(s->memory, batch, 1, sizeof *batch);
  memory_release(s->memory, entries, view->primitive_count, sizeof *entries);
  return search_result(s);
}

const cpu_method cpu_sweep = {.find = find_by_sweep};
