/* The parcels of a rank's objects that parts have from the last frame; see sent_parcels.h. */
#include "distributed/sent_parcels.h"

void sent_parcels_init(sent_parcels *sent) {
  sent_objects_init(&sent->objects);
  sent_objects_init(&sent->next_objects);
  array_init(&sent->places, sizeof(parcel_place));
  array_init(&sent->next_places, sizeof(parcel_place));
}

void sent_parcels_release(sent_parcels *sent, memory *heap) {
  sent_objects_release(&sent->objects, heap);
  sent_objects_release(&sent->next_objects, heap);
  array_release(&sent->places, heap);
  array_release(&sent->next_places, heap);
}

void sent_parcels_forget(sent_parcels *sent) {
  sent->objects.states.count = sent->places.count = 0;
}

/* Compares the old places of one object with its new parcels; both are in the order of parts. */
static bool compare_object(sent_parcels *sent, memory *heap, parcel_list *list, const parcel_place *old,
                           size_t old_count, const parcel *parcels, size_t parcel_count) {
  for (size_t i = 0, k = 0; i < old_count || k < parcel_count;) {
    const bool is_new = i == old_count || (k < parcel_count && parcels[k].part <= old[i].part);
    if (!is_new) {
      if (!array_push(&list->drops, heap, &old[i++])) return false;
      continue;
    }
    if (i < old_count && old[i].part == parcels[k].part) i++;
    const parcel_place place = {parcels[k].object.index, parcels[k].part};
    if (!array_push(&sent->next_places, heap, &place)) return false;
    k++;
  }
  return true;
}

bool sent_parcels_compare(sent_parcels *sent, memory *heap, const graze_scene *scene, parcel_list *list) {
  const parcel_place *old = sent->places.data;
  const parcel *parcels = list->parcels.data;
  const size_t old_end = sent->places.count, parcel_end = list->parcels.count;
  sent->next_places.count = list->drops.count = 0;
  if (!sent_objects_note(&sent->next_objects, heap, scene)) return false;
  for (size_t i = 0, k = 0, old_next, parcel_next; i < old_end || k < parcel_end; i = old_next, k = parcel_next) {
    const bool old_first = i < old_end && (k == parcel_end || old[i].object <= parcels[k].object.index);
    const uint32_t object = old_first ? old[i].object : parcels[k].object.index;
    for (old_next = i; old_next < old_end && old[old_next].object == object;) old_next++;
    for (parcel_next = k; parcel_next < parcel_end && parcels[parcel_next].object.index == object;) parcel_next++;
    const bool stays = parcel_next == k && sent_objects_has(&sent->objects, scene, object);
    for (size_t n = i; stays && n < old_next; n++)
      if (!array_push(&sent->next_places, heap, &old[n])) return false;
    if (!stays && !compare_object(sent, heap, list, old + i, old_next - i, parcels + k, parcel_next - k)) return false;
  }
  return true;
}

void sent_parcels_commit(sent_parcels *sent) {
  const sent_parcels before = *sent;
  sent->objects = before.next_objects;
  sent->next_objects = before.objects;
  sent->places = before.next_places;
  sent->next_places = before.places;
}
