/* Assigns the primitives of a scene to the parts of a division: one parcel per object and part. */
#ifndef GRAZE_DISTRIBUTED_PARCEL_LIST_H
#define GRAZE_DISTRIBUTED_PARCEL_LIST_H

#include "base/array.h"
#include "distributed/rank_failure.h"
#include "distributed/sent_objects.h"
#include "division/division.h"

typedef struct parcel {
  graze_object object;
  uint32_t part;
  size_t first, count; /* of the lists */
  size_t bytes;        /* of the data that graze_object_write_parts writes */
} parcel;

typedef struct parcel_place {
  uint32_t object, part; /* the object's index */
} parcel_place;

typedef struct parcel_list {
  array parcels;    /* parcel, by object and then by part */
  array primitives; /* uint32_t: the object's own numbers */
  array drops;      /* parcel_place: what a part has from the previous frame and must drop */
} parcel_list;

enum { PARCELS_OF_ALL = UINT32_MAX };

void parcel_list_init(parcel_list *list);
void parcel_list_release(parcel_list *list, memory *heap);

/* Collects the parcels of all primitives of the scene. Boxes are grown by half the clearance on each side, and slightly
 * more. Only the parcels of `part`, unless it is PARCELS_OF_ALL; if `sent` is given, only of changed objects. */
graze_result parcel_list_collect(parcel_list *list, memory *heap, const graze_scene *scene, const division *parts,
                                 double clearance, uint32_t part, const sent_objects *sent_or_null,
                                 rank_failure *failure);

/* Measures the parcels of one object, which start at `first_parcel`. */
graze_result parcel_list_measure(parcel_list *list, memory *heap, const graze_scene *scene, size_t first_parcel,
                                 rank_failure *failure);

/* The size of a parcel in a block, including its header. */
size_t parcel_bytes(const parcel *one);

/* The number of primitives in parcels of parts other than this one. */
uint64_t parcel_list_count_others(const parcel_list *list, uint32_t part);

/* Adds the bytes of the parcels and drops of each part to part_bytes[part]. */
void parcel_list_sum_bytes(const parcel_list *list, uint64_t *part_bytes);

/* Writes the parcels of each part, then its drops, in order to blocks[part], whose size must be the sum of their bytes.
 * Parts without parcels may have NULL. */
graze_result parcel_list_write(const parcel_list *list, memory *heap, const graze_scene *scene, uint32_t part_count,
                               void *const *blocks, rank_failure *failure);

#endif
