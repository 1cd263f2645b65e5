/* What pairs push, on a device: pairs are measured as they were found, without being put in order first, and summed up
 * for every two objects. All of it belongs to the sequence of the query, with one wait at its end.
 *
 * Workload: 92 bytes a pair, 96 of tetrahedra; 280 for every two objects, which come back with the counts of the query.
 */
#include "cuda/device_pushes.h"

#include <string.h>

CONTACT_STAGE_LIST(QUEUED_STAGE)

graze_result size_pushes(device_pushes *pushes, device_search *search, const device_query *query, uint64_t pair_room) {
  device_memory *held = search->memory;
  if (query->pushes == NULL) return GRAZE_OK;
  const push_rule *rule = query->pushes->rule;
  graze_result result = size_spare(held, &pushes->terms, pair_room * sizeof(push_terms));
  if (result == GRAZE_OK) result = size_spare(held, &pushes->places, pair_room * sizeof(uint32_t));
  if (result == GRAZE_OK && search->scene->kinds.has_batch[BATCH_TETRAHEDRA])
    result = size_open_contacts(held, &pushes->open, pair_room);
  const bool known = pushes->rule.data != NULL && memcmp(&pushes->known_rule, rule, sizeof *rule) == 0;
  if (result != GRAZE_OK || known) return result;
  pushes->known_rule = *rule;
  result = upload_spare(held, &pushes->rule, rule, sizeof *rule);
  if (result != GRAZE_OK) release_buffer(held, &pushes->rule);
  return result;
}

contact_view view_of_pushes(const device_pushes *pushes, const device_search *search, const device_query *query,
                            const pair_view *pairs) {
  const list_view *lists = &pairs->lists;
  contact_view view;
  memset(&view, 0, sizeof view); /* compared as bytes */
  if (query->pushes == NULL) return view;
  view.scene = pairs->scene;
  view.test = query->test;
  view.only_pushes = 1;
  view.totals = pushes->open.totals.data;
  view.open = pushes->open.open.data;
  view.pushes.terms = pushes->terms.data;
  view.pushes.places = pushes->places.data;
  view.pushes.sums = push_sums(search, query);
  view.pushes.rule = pushes->rule.data;
  view.pushes.keys = lists->keys;
  view.pushes.found = &lists->totals->list[LIST_PAIRS];
  view.pushes.room = lists->capacity[LIST_PAIRS];
  view.pushes.key_bits = lists->key_bits;
  return view;
}

void queue_pushes(stage_queue *queue, const contact_view *v, const contact_variants *variants) {
  queue_clear(queue, v->pushes.places, 0xff, (size_t)v->pushes.room * sizeof *v->pushes.places);
  if (variants->tetrahedra) queue_clear(queue, v->totals, 0, sizeof *v->totals);
  queue_solid_measures(queue, v, variants);
  queue_stage(queue, push_add, v);
}
