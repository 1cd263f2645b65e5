/* Contacts of pairs: the common part, and the least translation that parts the two. */
#include "base/timer.h"
#include "geometry/triangle_overlap.h"
#include "geometry/triangle_penetration.h"
#include "scene/scene_internal.h"

#include <string.h>

enum { CONTACT_GRAIN = 256, CONTACT_POINTS = 6 };

static bool primitive_number(const graze_scene *scene, uint32_t object, uint32_t primitive, uint32_t *number_out) {
  if (object >= scene->object_count) return false;
  const scene_object *o = &scene_objects(scene)[object];
  if (!o->alive || primitive >= o->triangles.count) return false;
  if (o->erased.count > 0 && ARRAY_AS(uint8_t, &o->erased)[primitive] != 0) return false;
  *number_out = o->first_primitive + primitive;
  return true;
}

typedef struct contact_work {
  const graze_scene *scene;
  primitive_view view;
  const graze_pair *pairs;
  graze_contact *contacts;
  double (*points)[3];       /* CONTACT_POINTS a contact */
  _Atomic(size_t) first_bad; /* lowest pair that is none; the least wins whatever the order */
} contact_work;

static void refuse(contact_work *work, size_t pair) {
  size_t seen = atomic_load(&work->first_bad);
  while (pair < seen && !atomic_compare_exchange_weak(&work->first_bad, &seen, pair)) {
  }
}

static bool make_contact(const contact_work *work, size_t at) {
  const graze_pair pair = work->pairs[at];
  uint32_t a, b;
  if (!primitive_number(work->scene, pair.object_a, pair.primitive_a, &a) ||
      !primitive_number(work->scene, pair.object_b, pair.primitive_b, &b))
    return false;
  double p[9], q[9];
  fetch_triangle(&work->view, &work->view.tags[a], p);
  fetch_triangle(&work->view, &work->view.tags[b], q);
  orientation_tally tally = {0};
  graze_contact contact = {.pair = pair};
  contact.point_count = triangle_pair_overlap(p, q, work->points + CONTACT_POINTS * at, &tally);
  if (contact.point_count == 0) return false;
  contact.kind = contact.point_count == 1   ? GRAZE_CONTACT_POINT
                 : contact.point_count == 2 ? GRAZE_CONTACT_SEGMENT
                                            : GRAZE_CONTACT_POLYGON;
  triangle_pair_penetration(p, q, contact.normal, &contact.depth, &tally);
  work->contacts[at] = contact;
  return true;
}

static void contact_range(void *context, size_t first, size_t end, uint32_t worker) {
  contact_work *work = context;
  (void)worker;
  for (size_t i = first; i < end; i++)
    if (!make_contact(work, i)) refuse(work, i);
}

/* Moves the points together; each contact learns where its own begin. */
static void join_points(graze_scene *scene, const contact_work *work, size_t count) {
  double(*points)[3] = scene->contact_points.data;
  size_t point_count = 0;
  for (size_t i = 0; i < count; i++) {
    graze_contact *contact = &work->contacts[i];
    contact->first_point = (uint32_t)point_count;
    memcpy(points + point_count, work->points + CONTACT_POINTS * i, contact->point_count * sizeof *points);
    point_count += contact->point_count;
  }
  scene->contact_points.count = point_count;
}

static size_t count_points(const contact_work *work, size_t count) {
  size_t point_count = 0;
  for (size_t i = 0; i < count; i++) point_count += work->contacts[i].point_count;
  return point_count;
}

static graze_result make_contacts(graze_scene *scene, contact_work *work, size_t count) {
  workers_for(scene->workers, count, CONTACT_GRAIN, contact_range, work);
  const size_t bad = atomic_load(&work->first_bad);
  if (bad < count) {
    const graze_pair *pair = &work->pairs[bad];
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT,
                      "pair %zu (object %u triangle %u, object %u triangle %u) does not meet or is not in the scene",
                      bad, pair->object_a, pair->primitive_a, pair->object_b, pair->primitive_b);
  }
  const size_t point_count = count_points(work, count);
  if (point_count > UINT32_MAX)
    return scene_fail(scene, GRAZE_TOO_LARGE, "%zu contact points cannot be numbered: ask for fewer pairs",
                      point_count);
  if (!array_resize(&scene->contact_points, &scene->memory, point_count)) return scene_fail_memory(scene);
  join_points(scene, work, count);
  return GRAZE_OK;
}

graze_result graze_scene_make_contacts(graze_scene *scene, const graze_pair *pairs, size_t count,
                                       graze_contacts *contacts_out) {
  if (scene == NULL || contacts_out == NULL) return GRAZE_INVALID_ARGUMENT;
  *contacts_out = (graze_contacts){0};
  if (count > 0 && pairs == NULL) return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "%zu pairs are at NULL", count);
  if (!scene->updated)
    return scene_fail(scene, GRAZE_NOT_UPDATED, "the scene was changed after its last update: call graze_scene_update");
  const double begin = timer_now_ms();
  scene->contacts.count = 0;
  scene->contact_points.count = 0;
  if (!array_resize(&scene->contacts, &scene->memory, count)) return scene_fail_memory(scene);
  contact_work work = {.scene = scene,
                       .view = {.tags = scene->tags, .sources = scene->sources},
                       .pairs = pairs,
                       .contacts = scene->contacts.data,
                       .points = memory_allocate(&scene->memory, count, CONTACT_POINTS * 3 * sizeof(double))};
  atomic_init(&work.first_bad, SIZE_MAX);
  const graze_result result = work.points != NULL ? make_contacts(scene, &work, count) : scene_fail_memory(scene);
  memory_release(&scene->memory, work.points, count, CONTACT_POINTS * 3 * sizeof(double));
  if (result != GRAZE_OK) {
    scene->contacts.count = 0;
    return result;
  }
  scene->timings.contacts_ms = timer_now_ms() - begin;
  *contacts_out = (graze_contacts){scene->contacts.data, count, (const double(*)[3])scene->contact_points.data,
                                   scene->contact_points.count};
  return GRAZE_OK;
}
