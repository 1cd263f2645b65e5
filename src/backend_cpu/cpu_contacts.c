/* Contacts on the processor: the intersection of two primitives, and the least translation that separates them.
 *
 * Points are written to slots of a fixed size, one per contact, and compacted afterwards. Pairs with polygons, whose
 * intersection may have any number of points, are counted first and written at the end. */
#include "backend_cpu/cpu_contacts.h"

#include "backend/backend.h"
#include "base/timer.h"
#include "narrow/primitive_pair.h"
#include "scene/object_numbers.h"
#include "scene/scene_failure.h"

#include <string.h>

enum { CONTACT_GRAIN = 256 };

typedef struct contact_work {
  const graze_scene *scene;
  memory *heap; /* for scratch */
  graze_test test;
  const graze_pair *pairs;
  graze_contact *contacts;
  double (*slots)[3];        /* MEASURE_POINTS per contact */
  double (*points)[3];       /* all points; first_point of each contact is known when this is filled */
  _Atomic(size_t) first_bad; /* the lowest invalid pair; the minimum does not depend on the order */
} contact_work;

static void refuse(contact_work *work, size_t pair) {
  size_t seen = atomic_load(&work->first_bad);
  while (pair < seen && !atomic_compare_exchange_weak(&work->first_bad, &seen, pair)) {
  }
}

static void contact_range(void *context, size_t first, size_t end, uint32_t worker) {
  contact_work *work = context;
  const measured_scene measured = scene_measured(work->scene, work->test, work->heap);
  (void)worker;
  for (size_t i = first; i < end; i++) {
    index_pair numbers;
    work->contacts[i] = (graze_contact){.pair = work->pairs[i]};
    if (!scene_pair_numbers(work->scene, &work->pairs[i], &numbers) ||
        !pair_measure(&measured, numbers, &work->contacts[i], work->slots + MEASURE_POINTS * i, MEASURE_POINTS))
      refuse(work, i);
  }
}

static void parts_range(void *context, size_t first, size_t end, uint32_t worker) {
  const contact_work *work = context;
  const measured_scene measured = scene_measured(work->scene, work->test, work->heap);
  (void)worker;
  for (size_t i = first; i < end; i++) {
    graze_contact *contact = &work->contacts[i];
    index_pair numbers;
    if (contact->point_count <= MEASURE_POINTS || !scene_pair_numbers(work->scene, &contact->pair, &numbers)) continue;
    const uint32_t first_point = contact->first_point;
    pair_measure(&measured, numbers, contact, work->points + first_point, contact->point_count);
    contact->first_point = first_point;
  }
}

/* Compacts the points and sets the first point of each contact. If all contacts are volumes, there are no points and
 * no memory for them. */
static void join_points(const contact_work *work, size_t count) {
  size_t point_count = 0;
  for (size_t i = 0; i < count; i++) {
    graze_contact *contact = &work->contacts[i];
    contact->first_point = (uint32_t)point_count;
    if (contact->point_count > 0 && contact->point_count <= MEASURE_POINTS)
      memcpy(work->points + point_count, work->slots + MEASURE_POINTS * i, contact->point_count * sizeof *work->points);
    point_count += contact->point_count;
  }
}

static size_t count_points(const contact_work *work, size_t count) {
  size_t point_count = 0;
  for (size_t i = 0; i < count; i++) point_count += work->contacts[i].point_count;
  return point_count;
}

static graze_result fill_points(const graze_scene *scene, contact_work *work, const contact_request *request,
                                contact_answer *answer) {
  const size_t bad = atomic_load(&work->first_bad);
  if (bad < request->count) return scene_fail_pair(scene, &work->pairs[bad], bad);
  answer->point_count = count_points(work, request->count);
  if (answer->point_count >= MEASURE_TOO_MANY) return scene_fail_points(scene, answer->point_count);
  work->points = answer_list_reserve(request->list, BLOCK_POINTS, answer->point_count, sizeof *work->points);
  if (work->points == NULL) return scene_fail_memory(scene);
  join_points(work, request->count);
  workers_for(scene->workers, request->count, CONTACT_GRAIN, parts_range, work);
  answer->points = work->points;
  return GRAZE_OK;
}

/* ---------------------------------------------------------------------------------------------- wrenches */

static bool adds_wrench(const graze_scene *scene, const graze_pair *pair, index_pair numbers) {
  return pair->object_a != pair->object_b && kinds_share_volume(scene->sources[scene_owner(scene, numbers.a)].kind,
                                                                scene->sources[scene_owner(scene, numbers.b)].kind);
}

static void push_range(void *context, size_t first, size_t end, uint32_t worker) {
  contact_work *work = context;
  measured_scene measured = scene_measured(work->scene, work->test, NULL);
  measured.keeps_unit = true;
  (void)worker;
  for (size_t i = first; i < end; i++) {
    const graze_pair *pair = &work->pairs[i];
    index_pair numbers;
    work->contacts[i] = (graze_contact){.pair = *pair};
    if (!scene_pair_numbers(work->scene, pair, &numbers))
      refuse(work, i);
    else if (adds_wrench(work->scene, pair, numbers))
      pair_measure_solids(&measured, numbers, &work->contacts[i]);
  }
}

static graze_result make_wrench_contacts(const graze_scene *scene, contact_work *work, size_t count) {
  workers_for(scene->workers, count, CONTACT_GRAIN, push_range, work);
  const size_t bad = atomic_load(&work->first_bad);
  return bad < count ? scene_fail_pair(scene, &work->pairs[bad], bad) : GRAZE_OK;
}

/* ---------------------------------------------------------------------------------------------- contacts and
 * wrenches */

static graze_result make_contacts(const graze_scene *scene, contact_work *work, const contact_request *request,
                                  contact_answer *answer) {
  const size_t slot_bytes = MEASURE_POINTS * 3 * sizeof(double);
  work->slots = memory_allocate(work->heap, request->count, slot_bytes);
  if (work->slots == NULL) return scene_fail_memory(scene);
  workers_for(scene->workers, request->count, CONTACT_GRAIN, contact_range, work);
  const graze_result result = fill_points(scene, work, request, answer);
  memory_release(work->heap, work->slots, request->count, slot_bytes);
  return result;
}

graze_result cpu_contacts(const graze_scene *scene, const contact_request *request, contact_answer *answer) {
  const double begin = timer_now_ms();
  contact_work work = {.scene = scene,
                       .heap = scene_scratch(scene),
                       .test = request->test,
                       .pairs = request->pairs,
                       .contacts =
                           answer_list_reserve(request->list, BLOCK_CONTACTS, request->count, sizeof(graze_contact))};
  atomic_init(&work.first_bad, SIZE_MAX);
  if (work.contacts == NULL) return scene_fail_memory(scene);
  const graze_result result = request->wrenches_only ? make_wrench_contacts(scene, &work, request->count)
                                                     : make_contacts(scene, &work, request, answer);
  answer->contacts = work.contacts;
  answer->milliseconds = timer_now_ms() - begin;
  return result;
}
