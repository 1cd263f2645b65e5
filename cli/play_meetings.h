/* Records which objects intersect during a run.
 *
 * Workload: hundreds of objects that intersect a few others each; at most 10^5 pairs. */
#ifndef GRAZE_PLAY_MEETINGS_H
#define GRAZE_PLAY_MEETINGS_H

#include "object_list.h"

/* Two objects, or one twice for pairs within it. */
typedef struct play_meeting {
  uint32_t object_a, object_b;
  char *name_a, *name_b; /* of the frame in which they first intersect; owned */
  size_t first_frame;    /* from 1 */
  size_t frame_count;    /* in which they intersect */
  uint64_t pair_count;   /* of primitives, over all frames */
} play_meeting;

/* Sorted by (object_a, object_b). Zeroed: none. */
typedef struct play_meetings {
  play_meeting *rows;
  size_t count;
} play_meetings;

/* Adds the pairs of a frame. False when out of memory; earlier rows stay. */
bool play_meetings_take(play_meetings *meetings, const object_list *objects, const graze_pairs *pairs, size_t frame);
void play_meetings_release(play_meetings *meetings);

#endif
