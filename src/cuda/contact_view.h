/* What the stages see that measure pairs: for contacts, or for what pairs push. See stage_contact.h and stage_push.h.
 */
#ifndef GRAZE_CUDA_CONTACT_VIEW_H
#define GRAZE_CUDA_CONTACT_VIEW_H

#include "cuda/scene_arrays.h"
#include "narrow/push_rule.h"

/* Zero before pairs are measured. */
typedef struct device_contact_totals {
  uint64_t refused;                  /* complement of the lowest pair that is none; zero: all are pairs */
  uint64_t points_low[TALLY_SLOTS];  /* of the numbers of points, the lower 16 bits ... */
  uint64_t points_high[TALLY_SLOTS]; /* ... and those above */
  uint64_t overfull[TALLY_SLOTS];    /* contacts with more points than a slot has room for */
  uint64_t open;                     /* pairs that need exact signs: the length of their list */
} device_contact_totals;

/* What the pairs of two objects push: highest exponents and sums as in push_sum. */
typedef struct device_push {
  uint64_t highest[PUSH_QUANTITIES];
  uint64_t limbs[PUSH_TERMS][SUM_LIMBS];
  uint64_t count;
} device_push;

#define PUSH_NONE UINT32_MAX

/* Pairs as they were found, and what they push. */
typedef struct push_view {
  push_terms *terms;     /* what each pair adds to the sums of its objects; NULL: contacts are made */
  uint32_t *places;      /* the place of each pair's objects among the sums; PUSH_NONE: it pushes nothing */
  device_push *sums;     /* object_count squared, the lower object's number times object_count */
  const push_rule *rule; /* in memory of the device: another stiffness or point is the same sequence */
  const uint64_t *keys;  /* of the pairs */
  const uint64_t *found; /* how many keys there are; */
  uint64_t room;         /* so many at most are there */
  uint32_t key_bits;
} push_view;

typedef struct contact_view {
  scene_arrays scene;
  graze_test test;
  uint32_t count;
  uint32_t only_pushes;   /* of solids of different objects; other pairs, and those that do not meet, are passed over */
  uint32_t points_before; /* of contacts that were made before these */
  const graze_pair *pairs;
  graze_contact *contacts;
  device_contact_totals *totals;
  uint32_t *open;      /* pairs that need exact signs */
  uint32_t *first;     /* numbers of points, and 0; then where they begin, and the end; NULL: none has points */
  double (*slots)[3];  /* MEASURE_POINTS a contact */
  double (*points)[3]; /* all of them; NULL while their places are not known */
  uint64_t point_room; /* of points: those beyond it are not written */
  push_view pushes;    /* in place of contacts */
} contact_view;

/* How many pairs are measured: those that were given, or those that were found. */
GEOMETRY_FUNCTION uint32_t device_contact_count(const contact_view *v) {
  if (v->pushes.terms == NULL) return v->count;
  const uint64_t count = *v->pushes.found, room = v->pushes.room;
  return (uint32_t)(count < room ? count : room);
}

GEOMETRY_FUNCTION uint64_t device_contact_bound(const contact_view *v) {
  return v->pushes.terms != NULL ? v->pushes.room : v->count;
}

/* How many of them need exact signs. */
GEOMETRY_FUNCTION uint32_t device_open_count(const contact_view *v) {
  return (uint32_t)v->totals->open;
}

#endif
