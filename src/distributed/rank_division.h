/* When the curve is divided anew, and by what weights. All ranks decide alike, from numbers that they all have. */
#ifndef GRAZE_DISTRIBUTED_RANK_DIVISION_H
#define GRAZE_DISTRIBUTED_RANK_DIVISION_H

#include "distributed/division.h"
#include "distributed/rank_failure.h"

/* The work of one frame, of all ranks. */
typedef struct rank_work {
  uint64_t sum_us, greatest_us;     /* time of updates and queries */
  uint64_t sum_held, greatest_held; /* primitives of slabs */
} rank_work;

/* Hysteresis: a division stays until the greatest load is UNEVEN_PERCENT of the mean in UNEVEN_FRAMES frames in a row,
 * and then for twice as many frames as the time before, where the last one helped nothing. */
enum { UNEVEN_PERCENT = 115, UNEVEN_FRAMES = 2, LEAST_US = 1000, LEAST_HELD = 1024, LONGEST_WAIT = 64 };

typedef struct rank_balance {
  bool divided;
  uint32_t uneven;      /* frames in a row */
  uint32_t wait, pause; /* frames until the next division may come; how long the next pause is */
  uint64_t divisions;   /* so far */
} rank_balance;

/* After a frame. */
void rank_balance_note(rank_balance *balance, const rank_work *work, uint32_t rank_count);

/* Whether the curve is to be divided before the next frame. */
bool rank_balance_is_due(const rank_balance *balance);

/* Lays the grid over all primitives of all ranks, and divides it: by their number the first time, else by the time that
 * each took in the part where it was: own_us is this rank's. Called by all ranks; a failure is that of all. */
graze_result rank_divide(division *parts, rank_balance *balance, const transport *net, memory *heap,
                         const graze_scene *scene, uint64_t own_us, rank_failure *failure);

#endif
