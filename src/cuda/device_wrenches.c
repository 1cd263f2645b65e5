/* Wrenches on a device: pairs are measured in the order in which they were found, and summed for each pair of objects.
 * All of this belongs to the sequence of the query, with one wait at its end.
 *
 * Workload: 92 bytes per pair, 96 for tetrahedra; 280 per pair of objects, downloaded with the counts of the query. */
#include "cuda/device_wrenches.h"

#include <string.h>

CONTACT_STAGE_LIST(QUEUED_STAGE)

graze_result size_wrenches(device_wrenches *wrenches, device_search *search, const device_query *query,
                           uint64_t pair_capacity) {
  device_memory *held = search->memory;
  if (query->wrenches == NULL) return GRAZE_OK;
  const wrench_rule *rule = query->wrenches->rule;
  graze_result result = size_spare(held, &wrenches->terms, pair_capacity * sizeof(wrench_terms));
  if (result == GRAZE_OK) result = size_spare(held, &wrenches->places, pair_capacity * sizeof(uint32_t));
  if (result == GRAZE_OK && search->scene->kinds.has_batch[BATCH_TETRAHEDRA])
    result = size_open_contacts(held, &wrenches->open, pair_capacity);
  const bool known = wrenches->rule.data != NULL && memcmp(&wrenches->known_rule, rule, sizeof *rule) == 0;
  if (result != GRAZE_OK || known) return result;
  wrenches->known_rule = *rule;
  result = upload_spare(held, &wrenches->rule, rule, sizeof *rule);
  if (result != GRAZE_OK) release_buffer(held, &wrenches->rule);
  return result;
}

contact_view view_of_wrenches(const device_wrenches *wrenches, const device_search *search, const device_query *query,
                              const pair_view *pairs) {
  const list_view *lists = &pairs->lists;
  contact_view view;
  memset(&view, 0, sizeof view); /* compared as bytes */
  if (query->wrenches == NULL) return view;
  view.scene = pairs->scene;
  view.test = query->test;
  view.wrenches_only = 1;
  view.totals = wrenches->open.totals.data;
  view.open = wrenches->open.open.data;
  view.wrenches.terms = wrenches->terms.data;
  view.wrenches.places = wrenches->places.data;
  view.wrenches.sums = wrench_sums(search, query);
  view.wrenches.rule = wrenches->rule.data;
  view.wrenches.keys = lists->keys;
  view.wrenches.found = &lists->totals->list[LIST_PAIRS];
  view.wrenches.capacity = lists->capacity[LIST_PAIRS];
  view.wrenches.key_bits = lists->key_bits;
  return view;
}

void queue_wrenches(stage_queue *queue, const contact_view *v, const contact_variants *variants) {
  queue_clear(queue, v->wrenches.places, 0xff, (size_t)v->wrenches.capacity * sizeof *v->wrenches.places);
  if (variants->tetrahedra) queue_clear(queue, v->totals, 0, sizeof *v->totals);
  queue_solid_measures(queue, v, variants);
  queue_stage(queue, wrench_add, v);
}
