/* A scene divided over several devices: each has a scene of the primitives that reach into its part of space.
 *
 * Each device owns a range of a space-filling curve. The device that owns the cell of the componentwise greatest of
 * both boxes' lower corners reports the pair: see division/division.h. No device holds primitives that do not reach
 * into its part. Copies go through host memory. */
#ifndef GRAZE_BACKEND_DEVICES_DEVICE_SHARES_H
#define GRAZE_BACKEND_DEVICES_DEVICE_SHARES_H

#include "distributed/portion_list.h"
#include "distributed/slab.h"
#include "division/division.h"
#include "scene/scene_data.h"

typedef struct device_share {
  int device;
  graze_scene *scene; /* on that device */
  slab slab;
  graze_pairs pairs; /* of the last query */
  uint64_t work_us;  /* time of updates and queries since the division was last considered */
  rank_failure failure;
} device_share;

typedef struct device_shares {
  memory *heap; /* for lasting data; counts the scenes of the shares, too */
  uint32_t count;
  device_share *shares;
  division parts;
  division_balance balance;
  bool filled;             /* the shares have the scene of the last update, as described by `sent` */
  sent_portions sent;      /* the portions that the shares have */
  double clearance;        /* boxes are grown by half of it: queries up to this clearance find all pairs */
  double asked;            /* the greatest clearance of a query since one used at least half of `clearance` */
  uint32_t narrow_updates; /* updates since then */
  uint64_t exclusions;     /* version of the exclusions that the shares have */
  uint64_t divide_us;      /* time of the last division and the filling after it */
  uint64_t waste_us;       /* time by which the slowest device exceeded the mean, summed since then */
  /* The time used for the division in place of the measured one; NULL: the measured one. */
  uint64_t (*work_us)(void *context, uint32_t share, uint64_t measured_us);
  void *work_context;
} device_shares;

/* Opens the devices, one of which may be listed several times. On failure sets a message, and closes all. */
graze_result device_shares_open(device_shares *all, graze_scene *scene, const int *devices, size_t count);
void device_shares_close(device_shares *all, const graze_scene *scene);

/* Reports the first failure of a share, with its device, as the scene's; GRAZE_OK if there is none. */
graze_result device_shares_check(const device_shares *all, const graze_scene *scene);

/* Accounts for the time of the last frame's queries. */
void device_shares_note_frame(device_shares *all);

/* Whether a new division is likely to cost less than the current one has wasted. */
bool device_shares_are_uneven(const device_shares *all);

/* Records the clearance of a query, which the shares cover. */
void device_shares_note_query(device_shares *all, double clearance);

/* Returns the clearance for the next update: the current one, or a smaller one if no query of many updates has used
 * half of it. */
double device_shares_next_clearance(device_shares *all);

/* Divides space if that is due, and uploads to each device the changes of its part of the scene, or all of it, for
 * queries with up to this clearance. After a failure the shares are not filled. */
graze_result device_shares_fill(device_shares *all, const graze_scene *scene, double clearance);

#endif
