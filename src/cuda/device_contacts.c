/* Contacts and wrenches of pairs on a device.
 *
 * Contacts are made in chunks of pairs. Pairs are measured into slots, numbers of points are summed, and points are
 * compacted if there is space for them; the host then reads their number. A frame similar to the one before waits once
 * per chunk. If the caller's list, or the buffer for downloads, is too small, counting continues, memory is allocated,
 * and the points are compacted again, or everything is repeated.
 *
 * Contacts and points that stay on the device are written directly to the caller's list. Those for the host go through
 * buffers of a chunk's length, so that a list may be longer than the device's memory.
 *
 * Workload: the pairs of a query, a few thousand to a million; 160 bytes for each contact and 168 for its slot. A
 * chunk is all of them, up to some millions. If memory is short, it is halved until it fits, at the cost of one wait
 * per chunk. */
#include "cuda/device_contacts.h"

#include "cuda/device_memory.h"
#include "narrow/pair_measure.h"

#include <string.h>

CONTACT_STAGE_LIST(QUEUED_STAGE)

/* ---------------------------------------------------------------------------------------------- stages that measure
 * pairs */

contact_variants contact_variants_of(const scene_kinds *kinds, graze_test test) {
  const bool *has = kinds->has_batch;
  const int batch_count = has[BATCH_TRIANGLES] + has[BATCH_TETRAHEDRA] + has[BATCH_SPHERES];
  contact_variants variants = {.surfaces = kinds->has_surfaces, .spheres = has[BATCH_SPHERES]};
  /* If the scene is empty, one stage still runs, to refuse a caller's pairs. */
  variants.triangles = has[BATCH_TRIANGLES] || (batch_count == 0 && !has[BATCH_OTHERS]);
  variants.tetrahedra = has[BATCH_TETRAHEDRA] && test != GRAZE_TEST_GJK;
  variants.others = has[BATCH_OTHERS] || batch_count > 1 || (has[BATCH_TETRAHEDRA] && test == GRAZE_TEST_GJK);
  return variants;
}

static graze_result size_open_contacts(device_memory *held, open_contacts *buffers, size_t pairs) {
  const graze_result result = size_spare(held, &buffers->totals, sizeof(device_contact_totals));
  return result == GRAZE_OK ? size_spare(held, &buffers->open, pairs * sizeof(uint32_t)) : result;
}

static void queue_triangle_measures(stage_queue *queue, const contact_view *v, const contact_variants *variants) {
  if (!variants->triangles) return;
  queue_stage(queue, contact_triangles, v);
  queue_stage(queue, contact_open_triangles, v);
}

/* All variants except triangles, which share no volume. */
static void queue_solid_measures(stage_queue *queue, const contact_view *v, const contact_variants *variants) {
  if (variants->tetrahedra) {
    queue_stage(queue, contact_volumes, v);
    queue_stage(queue, contact_tetrahedra, v);
    queue_stage(queue, contact_open_tetrahedra, v);
  }
  if (variants->spheres) queue_stage(queue, contact_spheres, v);
  if (variants->others) queue_stage(queue, contact_others, v);
}

/* ---------------------------------------------------------------------------------------------- contacts */

enum {
  SLOT_BYTES = MEASURE_POINTS * 3 * sizeof(double),
  POINT_BYTES = 3 * sizeof(double),
  MOST_AT_ONCE = 1 << 22,     /* larger chunks cost memory and save no time */
  SHORT_AT_ONCE = 1 << 16,    /* smaller chunks are tried only after the scene's other lists have been released */
  CALLS_BEFORE_MORE = 1 << 8, /* after this many calls with short memory, larger chunks are tried again */
};

void device_contacts_init(device_contacts *own, const device_scene *scene) {
  memset(own, 0, sizeof *own);
  own->memory = scene->memory;
  own->scene = scene;
}

typedef struct contact_run {
  device_contacts *own;
  const device_contact_query *query;
  contact_variants variants;
  bool has_points; /* some contact may have points, so there are slots */
  size_t at_once;  /* pairs per chunk */
  size_t point_capacity;
  bool counts_only;    /* there is no space for the points: they are only counted */
  bool released_lists; /* the scene's other lists have been released */
  bool host_failed;    /* the host is out of memory, so smaller chunks do not help */
  device_contact_answer *answer;
} contact_run;

static bool may_have_points(const device_contact_query *query, const contact_variants *variants) {
  return !query->wrenches_only && (variants->surfaces || (variants->spheres && variants->others));
}

static graze_result size_chunk(const contact_run *run, size_t count) {
  device_contacts *own = run->own;
  device_memory *held = own->memory;
  const device_operations *device = &held->operations;
  graze_result result = size_open_contacts(held, &own->open, count);
  if (result == GRAZE_OK && !run->query->target->on_device)
    result = size_spare(held, &own->contacts, count * sizeof(graze_contact));
  if (result == GRAZE_OK && !run->query->on_device) result = size_spare(held, &own->pairs, count * sizeof(graze_pair));
  if (result != GRAZE_OK || !run->has_points) return result;
  result = size_spare(held, &own->first, (count + 1) * sizeof(uint32_t));
  if (result == GRAZE_OK) result = size_spare(held, &own->slots, count * SLOT_BYTES);
  if (result == GRAZE_OK) result = device->reserve(device->context, count + 1, 0);
  return result;
}

static void release_chunk(device_contacts *own) {
  device_buffer *const buffers[] = {&own->pairs, &own->contacts, &own->open.open,
                                    &own->first, &own->slots,    &own->points};
  for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++) release_buffer(own->memory, buffers[i]);
}

static graze_result upload_pairs(const contact_run *run, size_t first, size_t count) {
  if (run->query->on_device) return GRAZE_OK;
  return upload(run->own->memory, &run->own->pairs, 0, run->query->pairs + first, count * sizeof *run->query->pairs);
}

static contact_view view_of_chunk(const contact_run *run, size_t first, size_t count) {
  const device_contact_query *query = run->query;
  const device_contacts *own = run->own;
  return (contact_view){.scene = device_scene_view(own->scene),
                        .test = query->test,
                        .count = (uint32_t)count,
                        .wrenches_only = query->wrenches_only ? 1 : 0,
                        .pairs = query->on_device ? query->pairs + first : own->pairs.data,
                        .contacts = query->target->on_device ? run->answer->contacts + first : own->contacts.data,
                        .totals = own->open.totals.data,
                        .open = own->open.open.data,
                        .first = run->has_points ? own->first.data : NULL,
                        .slots = own->slots.data};
}

/* The destination of a chunk's points: after those of earlier chunks, or the download buffer. */
static void view_points(const contact_run *run, contact_view *view) {
  const device_buffer *buffer = &run->own->points;
  const uint64_t before = run->answer->point_count;
  view->points_before = (uint32_t)before;
  if (run->query->target->on_device) {
    view->point_capacity = run->point_capacity > before ? run->point_capacity - before : 0;
    view->points = view->point_capacity > 0 ? run->answer->points + before : NULL;
  } else {
    view->point_capacity = buffer->bytes / POINT_BYTES;
    view->points = buffer->data;
  }
}

static void queue_measures(stage_queue *queue, const contact_view *v, const contact_variants *variants) {
  queue_clear(queue, v->totals, 0, sizeof *v->totals);
  if (v->first != NULL) queue_clear(queue, v->first, 0, ((size_t)v->count + 1) * sizeof *v->first);
  if (v->wrenches_only != 0) queue_clear(queue, v->contacts, 0, (size_t)v->count * sizeof *v->contacts);
  queue_triangle_measures(queue, v, variants);
  queue_solid_measures(queue, v, variants);
  if (v->first != NULL) queue_scan(queue, v->first, (size_t)v->count + 1, NULL);
}

/* Measures pairs and compacts points; the counts show whether the destination was large enough. */
static graze_result measure_chunk(const contact_run *run, contact_view *view, device_contact_totals *totals_out) {
  const device_operations *device = &run->own->memory->operations;
  stage_queue queue = {device, GRAZE_OK};
  queue_mark(&queue, MARK_CONTACTS_BEGIN);
  queue_measures(&queue, view, &run->variants);
  view_points(run, view);
  if (run->has_points && !run->counts_only) queue_stage(&queue, contact_join, view);
  queue_mark(&queue, MARK_CONTACTS_END);
  if (queue.result != GRAZE_OK) return queue.result;
  const graze_result result = device->download(device->context, totals_out, view->totals, sizeof *totals_out);
  if (result != GRAZE_OK) return result;
  run->answer->milliseconds += device->milliseconds(device->context, MARK_CONTACTS_BEGIN, MARK_CONTACTS_END);
  return GRAZE_OK;
}

/* Compacts points again, with sufficient memory; points of contacts with too many for a slot are written here. */
static graze_result move_points(const contact_run *run, contact_view *view, bool again, bool overfull) {
  const device_operations *device = &run->own->memory->operations;
  view_points(run, view);
  stage_queue queue = {device, GRAZE_OK};
  queue_mark(&queue, MARK_CONTACTS_BEGIN);
  if (again) queue_stage(&queue, contact_join, view);
  if (overfull) queue_stage(&queue, contact_others, view);
  queue_mark(&queue, MARK_CONTACTS_END);
  if (queue.result != GRAZE_OK) return queue.result;
  device_contact_totals totals; /* only for the wait: contacts are then visible to every stream */
  const graze_result result = device->download(device->context, &totals, view->totals, sizeof totals);
  if (result != GRAZE_OK) return result;
  run->answer->milliseconds += device->milliseconds(device->context, MARK_CONTACTS_BEGIN, MARK_CONTACTS_END);
  return GRAZE_OK;
}

static graze_result take_points(contact_run *run, uint64_t count) {
  const contact_target *target = run->query->target;
  run->answer->points = NULL;
  run->point_capacity = 0;
  const graze_result result =
      target->take_points(target->context, (size_t)count, &run->answer->points, &run->point_capacity);
  run->host_failed = result != GRAZE_OK && !target->on_device;
  return result;
}

/* Allocates memory for the points of a chunk if there is too little. If that would release the points of earlier
 * chunks with the caller's list, the remaining points are only counted. */
static graze_result make_room(contact_run *run, bool is_whole, uint64_t points) {
  const uint64_t all = run->answer->point_count + points;
  if (all > run->point_capacity && !is_whole) run->counts_only = true;
  if (all > run->point_capacity && is_whole) {
    const graze_result result = take_points(run, all);
    if (result != GRAZE_OK) return result;
  }
  if (run->query->target->on_device || run->counts_only) return GRAZE_OK;
  return size_spare(run->own->memory, &run->own->points, (size_t)points * POINT_BYTES);
}

static graze_result fetch_chunk(const contact_run *run, const contact_view *view, size_t first, uint64_t points) {
  if (run->query->target->on_device) return GRAZE_OK;
  graze_result result = bulk_download(run->own->memory, run->answer->contacts + first, view->contacts,
                                      view->count * sizeof *view->contacts);
  if (result == GRAZE_OK && points > 0)
    result = bulk_download(run->own->memory, run->answer->points + run->answer->point_count, view->points,
                           (size_t)points * POINT_BYTES);
  return result;
}

static graze_result record_refused(const contact_run *run, const contact_view *view, size_t first, uint64_t index) {
  const device_operations *device = &run->own->memory->operations;
  run->answer->refused = first + (size_t)index;
  return device->download(device->context, &run->answer->refused_pair, view->pairs + index,
                          sizeof run->answer->refused_pair);
}

static graze_result finish_chunk(contact_run *run, contact_view *view, size_t first,
                                 const device_contact_totals *totals) {
  const uint64_t points = sum_slots(totals->points_low) + (sum_slots(totals->points_high) << 16);
  const bool overfull = sum_slots(totals->overfull) > 0;
  const bool is_whole = first == 0 && view->count == run->query->count;
  const uint64_t capacity = view->point_capacity;
  if (run->answer->point_count + points >= MEASURE_TOO_MANY) run->counts_only = true;
  graze_result result = run->counts_only ? GRAZE_OK : make_room(run, is_whole, points);
  if (result == GRAZE_OK && !run->counts_only && (points > capacity || overfull))
    result = move_points(run, view, points > capacity, overfull);
  if (result == GRAZE_OK && !run->counts_only) result = fetch_chunk(run, view, first, points);
  if (result == GRAZE_OK) run->answer->point_count += points;
  return result;
}

/* Adds the chunk to the answer; on failure the answer is unchanged. */
static graze_result run_chunk(contact_run *run, size_t first, size_t count) {
  graze_result result = size_chunk(run, count);
  if (result == GRAZE_OK) result = upload_pairs(run, first, count);
  if (result != GRAZE_OK) return result;
  contact_view view = view_of_chunk(run, first, count);
  device_contact_totals totals;
  result = measure_chunk(run, &view, &totals);
  if (result != GRAZE_OK) return result;
  return totals.refused != 0 ? record_refused(run, &view, first, ~totals.refused)
                             : finish_chunk(run, &view, first, &totals);
}

/* ---------------------------------------------------------------------------------------------- all chunks */

/* The size for which there was memory when it was last short. */
static size_t pairs_at_once(device_contacts *own, size_t count) {
  const size_t most = count < MOST_AT_ONCE ? count : MOST_AT_ONCE;
  if (own->at_once == 0 || most <= own->at_once) return most;
  if (++own->short_calls < CALLS_BEFORE_MORE) return own->at_once;
  own->at_once = 0;
  return most;
}

/* Reduces the chunk size when memory is short. Before chunks become very small, the scene's other lists are
 * released. False if nothing more can be done. */
static bool take_fewer(contact_run *run) {
  device_contacts *own = run->own;
  const size_t half = run->at_once / 2;
  if (run->host_failed) return false;
  if (run->at_once > SHORT_AT_ONCE)
    run->at_once = half > SHORT_AT_ONCE ? half : SHORT_AT_ONCE;
  else if (!run->released_lists && release_spares(own->memory))
    run->released_lists = true;
  else if (run->at_once > 1)
    run->at_once = half;
  else
    return false;
  release_chunk(own);
  own->at_once = run->at_once;
  own->short_calls = 0;
  return true;
}

/* Runs all chunks from the start. */
static graze_result run_chunks(contact_run *run) {
  const size_t count = run->query->count;
  run->answer->point_count = 0;
  for (size_t first = 0; first < count && run->answer->refused == SIZE_MAX;) {
    const size_t left = count - first, pairs = left < run->at_once ? left : run->at_once;
    const graze_result result = run_chunk(run, first, pairs);
    if (result == GRAZE_OUT_OF_MEMORY && take_fewer(run)) continue;
    if (result != GRAZE_OK) return result;
    first += pairs;
  }
  return GRAZE_OK;
}

/* Allocates the caller's list; the scene's other lists are released if needed. */
static graze_result take_contacts(contact_run *run) {
  const contact_target *target = run->query->target;
  const size_t count = run->query->count;
  graze_result result = target->take_contacts(target->context, count, &run->answer->contacts);
  if (result == GRAZE_OUT_OF_MEMORY && target->on_device && release_spares(run->own->memory)) {
    run->released_lists = true;
    result = target->take_contacts(target->context, count, &run->answer->contacts);
  }
  return result;
}

/* Repeats the call with memory for the points, whose number is known. */
static graze_result run_again(contact_run *run) {
  const bool known = run->answer->refused != SIZE_MAX || run->answer->point_count >= MEASURE_TOO_MANY;
  if (!run->counts_only || known) return GRAZE_OK;
  run->counts_only = false;
  graze_result result = take_points(run, run->answer->point_count);
  if (result == GRAZE_OUT_OF_MEMORY && run->query->target->on_device && release_spares(run->own->memory))
    result = take_points(run, run->answer->point_count);
  return result == GRAZE_OK ? run_chunks(run) : result;
}

graze_result device_contacts_make(device_contacts *own, const device_contact_query *query,
                                  device_contact_answer *answer_out) {
  memset(answer_out, 0, sizeof *answer_out);
  answer_out->refused = SIZE_MAX;
  if (query->count == 0) return GRAZE_OK;
  contact_run run = {.own = own,
                     .query = query,
                     .variants = contact_variants_of(&own->scene->kinds, query->test),
                     .at_once = pairs_at_once(own, query->count),
                     .answer = answer_out};
  run.has_points = may_have_points(query, &run.variants);
  graze_result result = take_contacts(&run);
  if (result == GRAZE_OK) result = take_points(&run, 0);
  if (result == GRAZE_OK) result = run_chunks(&run);
  if (result == GRAZE_OK) result = run_again(&run);
  return result;
}

/* ---------------------------------------------------------------------------------------------- wrenches
 *
 * Pairs are measured in the order in which they were found, and summed for each pair of objects. All of this belongs to
 * the sequence of the query, with one wait at its end.
 *
 * Workload: 92 bytes per pair, 96 for tetrahedra; 280 per pair of objects, downloaded with the counts of the query. */

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
