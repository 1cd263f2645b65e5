/* The calls that free lists of callers. */
#include "api/definitions.h"
#include "base/answer_list.h"

/* Resets a list to a new one. */
#define FREE_LIST(type, name)                                                                                          \
  void type##_free(type *list) {                                                                                       \
    if (list == NULL) return;                                                                                          \
    answer_list_free(list->memory);                                                                                    \
    answer_list_write(&name##_definition, list, &(type){.struct_bytes = 0});                                           \
  }

FREE_LIST(graze_pairs, pairs)
FREE_LIST(graze_object_pairs, object_pairs)
FREE_LIST(graze_contacts, contacts)
FREE_LIST(graze_distances, distances)
FREE_LIST(graze_wrenches, wrenches)
FREE_LIST(graze_regions, regions)
FREE_LIST(graze_containments, containments)
FREE_LIST(graze_nearests, nearests)
FREE_LIST(graze_structure, structure)
FREE_LIST(graze_crowding, crowding)
FREE_LIST(graze_packing, packing)
FREE_LIST(graze_carried, carried)
FREE_LIST(graze_device_pairs, device_pairs)
FREE_LIST(graze_device_contacts, device_contacts)
