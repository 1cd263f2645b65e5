/* Contacts on a device: pairs are measured into slots, the host learns how many points there are, and points are moved
 * together behind each other. Two waits a call, and between them the one allocation whose size is known only then.
 *
 * Workload: the pairs of a query, some thousands to a million; 160 bytes each for the contact and 168 for its slot. */
#include "cuda/device_contacts.h"

#include "cuda/device_memory.h"
#include "narrow/pair_measure.h"

#include <string.h>

#define MOST_CONTACTS ((size_t)UINT32_MAX - 1)

enum { SLOT_BYTES = MEASURE_POINTS * 3 * sizeof(double) };

contact_variants contact_variants_of(const device_state *state, graze_test test) {
  bool has[BATCH_COUNT] = {false};
  contact_variants variants = {0};
  for (size_t i = 0; i < state->object_count; i++) {
    const graze_kind kind = state->sources[i].kind;
    has[kind_batch_of(kind)] = true;
    variants.surfaces = variants.surfaces || !kind_is_solid(kind);
  }
  const int batch_count = has[BATCH_TRIANGLES] + has[BATCH_TETRAHEDRA] + has[BATCH_SPHERES];
  variants.tetrahedra = has[BATCH_TETRAHEDRA] && test != GRAZE_TEST_GJK;
  variants.spheres = has[BATCH_SPHERES];
  variants.others = has[BATCH_OTHERS] || batch_count > 1 || (has[BATCH_TETRAHEDRA] && test == GRAZE_TEST_GJK);
  return variants;
}

void queue_solid_measures(stage_queue *queue, const contact_variants *variants) {
  if (variants->tetrahedra) queue_stage(queue, STAGE_contact_tetrahedra);
  if (variants->spheres) queue_stage(queue, STAGE_contact_spheres);
  if (variants->others) queue_stage(queue, STAGE_contact_others);
}

/* Contacts that have points, which slots are for. */
static bool has_points(const device_contact_query *query, const contact_variants *variants) {
  return !query->only_pushes && (variants->surfaces || (variants->spheres && variants->others));
}

static graze_result size_contacts(device_state *state, size_t count, bool points) {
  const device_operations *device = &state->operations;
  graze_result result = size_buffer(state, BUFFER_CONTACT_TOTALS, sizeof(device_contact_totals));
  if (result == GRAZE_OK) result = size_buffer(state, BUFFER_CONTACTS, count * sizeof(graze_contact));
  if (result == GRAZE_OK) result = size_buffer(state, BUFFER_CONTACT_FIRST, (count + 1) * sizeof(uint32_t));
  if (result == GRAZE_OK) result = size_buffer(state, BUFFER_CONTACT_SLOTS, points ? count * SLOT_BYTES : 0);
  if (result == GRAZE_OK) result = device->reserve(device->context, count + 1, 0);
  return result;
}

static device_view view_of_contacts(const device_state *state, const device_contact_query *query) {
  const device_buffer *buffers = state->buffers;
  device_view view = device_scene_view(state);
  view.contact_count = (uint32_t)query->count;
  view.contact_pairs = query->on_device ? query->pairs : buffers[BUFFER_CONTACT_PAIRS].data;
  view.contacts = buffers[BUFFER_CONTACTS].data;
  view.contact_totals = buffers[BUFFER_CONTACT_TOTALS].data;
  view.contact_first = buffers[BUFFER_CONTACT_FIRST].data;
  view.contact_slots = buffers[BUFFER_CONTACT_SLOTS].data;
  view.only_pushes = query->only_pushes ? 1 : 0;
  view.test = query->test;
  return view;
}

/* Triangles are looked for in any case: a stage has to refuse what is not in the scene. */
static void queue_measures(stage_queue *queue, const contact_variants *variants) {
  const device_view *v = queue->view;
  queue_mark(queue, MARK_CONTACTS_BEGIN);
  queue_clear(queue, v->contact_totals, 0, sizeof *v->contact_totals);
  queue_clear(queue, v->contact_first, 0, ((size_t)v->contact_count + 1) * sizeof *v->contact_first);
  if (v->only_pushes != 0) queue_clear(queue, v->contacts, 0, (size_t)v->contact_count * sizeof *v->contacts);
  queue_stage(queue, STAGE_contact_triangles);
  queue_solid_measures(queue, variants);
  if (queue->result == GRAZE_OK)
    queue->result = queue->device->scan(queue->device->context, v->contact_first, (size_t)v->contact_count + 1);
}

static void queue_points(stage_queue *queue, bool overfull) {
  queue_stage(queue, STAGE_contact_join);
  if (overfull) queue_stage(queue, STAGE_contact_others);
  queue_mark(queue, MARK_CONTACTS_END);
}

static graze_result fetch_refused(device_state *state, const device_view *view, device_contact_answer *answer) {
  const device_operations *device = &state->operations;
  return device->download(device->context, &answer->refused_pair, view->contact_pairs + answer->refused,
                          sizeof answer->refused_pair);
}

static graze_result join_points(device_state *state, device_view *view, bool overfull, device_contact_answer *answer) {
  const device_operations *device = &state->operations;
  graze_result result = size_buffer(state, BUFFER_CONTACT_POINTS, (size_t)answer->point_count * 3 * sizeof(double));
  if (result != GRAZE_OK) return result;
  view->contact_points = state->buffers[BUFFER_CONTACT_POINTS].data;
  stage_queue queue = {device, view, GRAZE_OK};
  queue_points(&queue, overfull);
  device_contact_totals totals; /* for the wait alone: contacts are then there for every stream */
  result = queue.result;
  if (result == GRAZE_OK) result = device->download(device->context, &totals, view->contact_totals, sizeof totals);
  if (result != GRAZE_OK) return result;
  answer->device_contacts = view->contacts;
  answer->device_points = (const double(*)[3])view->contact_points;
  answer->milliseconds = device->milliseconds(device->context, MARK_CONTACTS_BEGIN, MARK_CONTACTS_END);
  return GRAZE_OK;
}

graze_result device_state_make_contacts(device_state *state, const device_contact_query *query,
                                        device_contact_answer *answer_out) {
  const device_operations *device = &state->operations;
  memset(answer_out, 0, sizeof *answer_out);
  answer_out->refused = SIZE_MAX;
  if (query->count == 0) return GRAZE_OK;
  if (query->count > MOST_CONTACTS) return GRAZE_TOO_LARGE;
  const contact_variants variants = contact_variants_of(state, query->test);
  graze_result result = size_contacts(state, query->count, has_points(query, &variants));
  if (result == GRAZE_OK && !query->on_device)
    result = upload_all(state, BUFFER_CONTACT_PAIRS, query->pairs, query->count * sizeof *query->pairs);
  if (result != GRAZE_OK) return result;
  device_view view = view_of_contacts(state, query);
  stage_queue queue = {device, &view, GRAZE_OK};
  queue_measures(&queue, &variants);
  device_contact_totals totals;
  result = queue.result;
  if (result == GRAZE_OK) result = device->download(device->context, &totals, view.contact_totals, sizeof totals);
  if (result != GRAZE_OK) return result;
  if (totals.refused != 0) {
    answer_out->refused = (size_t)~totals.refused;
    return fetch_refused(state, &view, answer_out);
  }
  answer_out->point_count = sum_slots(totals.points_low) + (sum_slots(totals.points_high) << 16);
  if (answer_out->point_count >= MEASURE_TOO_MANY) return GRAZE_OK;
  return join_points(state, &view, sum_slots(totals.overfull) > 0, answer_out);
}

graze_result device_state_fetch_contacts(device_state *state, const device_contact_answer *answer, size_t count,
                                         graze_contact *contacts_out, double (*points_out)[3]) {
  const device_operations *device = &state->operations;
  graze_result result = GRAZE_OK;
  if (count > 0)
    result = device->download(device->context, contacts_out, answer->device_contacts, count * sizeof *contacts_out);
  if (result == GRAZE_OK && answer->point_count > 0)
    result = device->download(device->context, points_out, answer->device_points,
                              (size_t)answer->point_count * sizeof *points_out);
  return result;
}
