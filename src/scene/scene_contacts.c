/* Contacts of pairs: what the two share, and the least translation that separates them.
 *
 * Points go into slots of a fixed size, a contact each, and are moved together afterwards; pairs with polygons, whose
 * common part may have any number of points, are counted first and filled in place at the end. */
#include "base/float_environment.h"
#include "base/timer.h"
#include "scene/scene_device.h"
#include "scene/scene_internal.h"

#include <inttypes.h>
#include <string.h>

enum { CONTACT_GRAIN = 256 };

bool scene_primitive_number(const graze_scene *scene, uint32_t object, uint32_t primitive, uint32_t *number_out) {
  if (object >= scene->object_count) return false;
  const scene_object *o = &scene_objects(scene)[object];
  if (!o->alive || primitive >= o->elements.count) return false;
  if (o->erased.count > 0 && ARRAY_AS(uint8_t, &o->erased)[primitive] != 0) return false;
  *number_out = o->first_primitive + primitive;
  return true;
}

typedef struct contact_work {
  const graze_scene *scene;
  memory *heap; /* for scratch */
  const graze_pair *pairs;
  graze_contact *contacts;
  double (*slots)[3];        /* MEASURE_POINTS a contact */
  double (*points)[3];       /* all points; first_point of each contact is known when this is filled */
  _Atomic(size_t) first_bad; /* lowest pair that is none; the least wins whatever the order */
} contact_work;

static void refuse(contact_work *work, size_t pair) {
  size_t seen = atomic_load(&work->first_bad);
  while (pair < seen && !atomic_compare_exchange_weak(&work->first_bad, &seen, pair)) {
  }
}

static bool primitives_of(const graze_scene *scene, const graze_pair *pair, index_pair *numbers_out) {
  return scene_primitive_number(scene, pair->object_a, pair->primitive_a, &numbers_out->a) &&
         scene_primitive_number(scene, pair->object_b, pair->primitive_b, &numbers_out->b);
}

static void contact_range(void *context, size_t first, size_t end, uint32_t worker) {
  contact_work *work = context;
  const measured_scene measured = scene_measured(work->scene, work->heap);
  (void)worker;
  for (size_t i = first; i < end; i++) {
    index_pair numbers;
    work->contacts[i] = (graze_contact){.pair = work->pairs[i]};
    if (!primitives_of(work->scene, &work->pairs[i], &numbers) ||
        !pair_measure(&measured, numbers, &work->contacts[i], work->slots + MEASURE_POINTS * i, MEASURE_POINTS))
      refuse(work, i);
  }
}

static void parts_range(void *context, size_t first, size_t end, uint32_t worker) {
  const contact_work *work = context;
  const measured_scene measured = scene_measured(work->scene, work->heap);
  (void)worker;
  for (size_t i = first; i < end; i++) {
    graze_contact *contact = &work->contacts[i];
    index_pair numbers;
    if (contact->point_count <= MEASURE_POINTS || !primitives_of(work->scene, &contact->pair, &numbers)) continue;
    const uint32_t first_point = contact->first_point;
    pair_measure(&measured, numbers, contact, work->points + first_point, contact->point_count);
    contact->first_point = first_point;
  }
}

/* Moves the points together; each contact learns where its own begin. Where all contacts are volumes there are no
 * points, and nowhere to move them. */
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

graze_result scene_fail_pair(graze_scene *scene, const graze_pair *pair, size_t number) {
  return scene_fail(scene, GRAZE_INVALID_ARGUMENT,
                    "pair %zu (object %u primitive %u, object %u primitive %u) does not meet or is not in the scene",
                    number, pair->object_a, pair->primitive_a, pair->object_b, pair->primitive_b);
}

graze_result scene_fail_points(graze_scene *scene, uint64_t point_count) {
  return scene_fail(scene, GRAZE_TOO_LARGE,
                    "%" PRIu64 " contact points or more cannot be numbered: ask for fewer pairs", point_count);
}

static graze_result make_contacts(graze_scene *scene, contact_work *work, size_t count) {
  workers_for(scene->workers, count, CONTACT_GRAIN, contact_range, work);
  const size_t bad = atomic_load(&work->first_bad);
  if (bad < count) return scene_fail_pair(scene, &work->pairs[bad], bad);
  const size_t point_count = count_points(work, count);
  if (point_count >= MEASURE_TOO_MANY) return scene_fail_points(scene, point_count);
  if (!array_resize(&scene->contact_points, &scene->memory, point_count)) return scene_fail_memory(scene);
  work->points = scene->contact_points.data;
  join_points(work, count);
  workers_for(scene->workers, count, CONTACT_GRAIN, parts_range, work);
  return GRAZE_OK;
}

static graze_result make_on_host(graze_scene *scene, const graze_pair *pairs, size_t count) {
  const double begin = timer_now_ms();
  if (!array_resize(&scene->contacts, &scene->memory, count)) return scene_fail_memory(scene);
  contact_work work = {.scene = scene,
                       .heap = &scene->memory,
                       .pairs = pairs,
                       .contacts = scene->contacts.data,
                       .slots = memory_allocate(&scene->scratch.heap, count, MEASURE_POINTS * 3 * sizeof(double))};
  atomic_init(&work.first_bad, SIZE_MAX);
  const graze_result result = work.slots != NULL ? make_contacts(scene, &work, count) : scene_fail_memory(scene);
  memory_release(&scene->scratch.heap, work.slots, count, MEASURE_POINTS * 3 * sizeof(double));
  if (result == GRAZE_OK) scene->timings.contacts_ms = timer_now_ms() - begin;
  return result;
}

graze_result graze_scene_make_contacts(graze_scene *scene, const graze_pair *pairs, size_t count,
                                       graze_contacts *contacts_out) {
  GUARD_FLOAT_ENVIRONMENT();
  if (scene == NULL || contacts_out == NULL) return GRAZE_INVALID_ARGUMENT;
  *contacts_out = (graze_contacts){0};
  if (count > 0 && pairs == NULL) return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "%zu pairs are at NULL", count);
  if (!scene->updated)
    return scene_fail(scene, GRAZE_NOT_UPDATED, "the scene was changed after its last update: call graze_scene_update");
  scene->contacts.count = 0;
  scene->contact_points.count = 0;
  const graze_result result =
      scene->device != NULL ? scene_device_make_contacts(scene, pairs, count) : make_on_host(scene, pairs, count);
  if (result != GRAZE_OK) {
    scene->contacts.count = 0;
    return result;
  }
  *contacts_out = (graze_contacts){scene->contacts.data, count, (const double(*)[3])scene->contact_points.data,
                                   scene->contact_points.count};
  return GRAZE_OK;
}
