/* Assigns the primitives of a scene to the parts of a division: one portion per object and part. */
#ifndef GRAZE_DISTRIBUTED_PORTION_LIST_H
#define GRAZE_DISTRIBUTED_PORTION_LIST_H

#include "base/array.h"
#include "distributed/rank_failure.h"
#include "division/division.h"
#include "graze/inside/parts.h"

#include <math.h>
#include <stdbool.h>

/* Boxes of primitives, widened by half the clearance: those of two primitives within the clearance meet. */

static inline double box_margin(double clearance) {
  return clearance > 0 ? nextafter(0.5 * clearance, HUGE_VAL) : 0;
}

/* Rounded outward: three least coordinates, then the three greatest. */
static inline void widen_box(double box[6], double margin) {
  for (int axis = 0; margin > 0 && axis < 3; axis++) {
    box[axis] = nextafter(box[axis] - margin, -HUGE_VAL);
    box[axis + 3] = nextafter(box[axis + 3] + margin, HUGE_VAL);
  }
}

/* The state of a rank's objects in its last frame, to detect changed ones. */
typedef struct sent_objects {
  array states; /* sent_state, by the object's index in the scene */
} sent_objects;

void sent_objects_init(sent_objects *sent);
void sent_objects_release(sent_objects *sent, memory *heap);

/* Notes the current state of all objects of the scene, in place of the last one. False when out of memory. */
bool sent_objects_note(sent_objects *sent, memory *heap, const graze_scene *scene);

/* Whether the object with this index is the noted one, unchanged. */
bool sent_objects_has(const sent_objects *sent, const graze_scene *scene, uint32_t index);

typedef struct portion {
  graze_object object;
  uint32_t part;
  size_t first, count; /* of the lists */
  size_t bytes;        /* of the data that graze_object_write_parts writes */
} portion;

typedef struct portion_place {
  uint32_t object, part; /* the object's index */
} portion_place;

typedef struct portion_list {
  array portions;   /* portion, by object and then by part */
  array primitives; /* uint32_t: the object's own numbers */
  array drops;      /* portion_place: what a part has from the previous frame and must drop */
} portion_list;

enum { PORTIONS_OF_ALL = UINT32_MAX };

void portion_list_init(portion_list *list);
void portion_list_release(portion_list *list, memory *heap);

/* Collects the portions of all primitives of the scene. Boxes are widened by half the clearance on each side, and
 * slightly more. Only the portions of `part`, unless it is PORTIONS_OF_ALL; if `sent` is given, only of changed
 * objects.
 */
graze_result portion_list_collect(portion_list *list, memory *heap, const graze_scene *scene, const division *parts,
                                  double clearance, uint32_t part, const sent_objects *sent_or_null,
                                  rank_failure *failure);

/* Measures the portions of one object, which start at `first_portion`. */
graze_result portion_list_measure(portion_list *list, memory *heap, const graze_scene *scene, size_t first_portion,
                                  rank_failure *failure);

/* The size of a portion in a block, including its header. */
size_t portion_bytes(const portion *one);

/* The number of primitives in portions of parts other than this one. */
uint64_t portion_list_count_others(const portion_list *list, uint32_t part);

/* Adds the bytes of the portions and drops of each part to part_bytes[part]. */
void portion_list_sum_bytes(const portion_list *list, uint64_t *part_bytes);

/* Writes the portions of each part, then its drops, in order to blocks[part], whose size must be the sum of their
 * bytes. Parts without portions may have NULL. */
graze_result portion_list_write(const portion_list *list, memory *heap, const graze_scene *scene, uint32_t part_count,
                                void *const *blocks, rank_failure *failure);

/* The portions of a rank's objects that parts have from the last frame. Portions of unchanged objects are not sent
 * again, and those that a part no longer needs are dropped.
 *
 * Workload: once a frame, linear in the objects and in the portions, not in the primitives. */

typedef struct sent_portions {
  sent_objects objects, next_objects;
  array places, next_places; /* portion_place, ascending */
} sent_portions;

void sent_portions_init(sent_portions *sent);
void sent_portions_release(sent_portions *sent, memory *heap);

/* Resets the state: nothing was sent. */
void sent_portions_forget(sent_portions *sent);

/* Adds the drops to the list, which was collected without the noted objects that have not changed. False when out of
 * memory. */
bool sent_portions_compare(sent_portions *sent, memory *heap, const graze_scene *scene, portion_list *list);

/* Records that the portions compared last were sent. */
void sent_portions_commit(sent_portions *sent);

#endif
