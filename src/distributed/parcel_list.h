/* Which primitives of a scene go to which part of a division: a parcel for each object and part. */
#ifndef GRAZE_DISTRIBUTED_PARCEL_LIST_H
#define GRAZE_DISTRIBUTED_PARCEL_LIST_H

#include "base/array.h"
#include "distributed/division.h"
#include "distributed/rank_failure.h"

typedef struct parcel {
  graze_object object;
  uint32_t part;
  size_t first, count; /* of the lists */
  size_t bytes;        /* of the part that graze_object_write_parts writes */
} parcel;

typedef struct parcel_list {
  array parcels;    /* parcel, by object and then by part */
  array primitives; /* uint32_t: the object's own numbers */
  array keys;       /* uint64_t: the cell of the lower corner of each one's grown box */
} parcel_list;

enum { PARCELS_OF_ALL = UINT32_MAX };

void parcel_list_init(parcel_list *list);
void parcel_list_release(parcel_list *list, memory *heap);

/* Goes through all primitives of the scene. Boxes grow by half the clearance on each side, and a little more. Only the
 * parcels of `part` where that is not PARCELS_OF_ALL. */
graze_result parcel_list_collect(parcel_list *list, memory *heap, const graze_scene *scene, const division *parts,
                                 double clearance, uint32_t part, rank_failure *failure);

/* What a parcel takes among others: a size, a count, a key for each primitive, the part. */
size_t parcel_bytes(const parcel *one);

/* Adds the bytes of the parcels of each part to part_bytes[part]. */
void parcel_list_sum_bytes(const parcel_list *list, uint64_t *part_bytes);

/* Writes the parcels of each part in their order to blocks[part], which has room for the sum of their bytes. Parts
 * without parcels may have NULL. */
graze_result parcel_list_write(const parcel_list *list, memory *heap, const graze_scene *scene, uint32_t part_count,
                               void *const *blocks, rank_failure *failure);

#endif
