/* The data of the stages that measure pairs, for contacts or wrenches. See stage_contact.h. */
#ifndef GRAZE_CUDA_CONTACT_VIEW_H
#define GRAZE_CUDA_CONTACT_VIEW_H

#include "cuda/scene_arrays.h"
#include "narrow/pair_measure.h"

/* Zero before pairs are measured. */
typedef struct device_contact_totals {
  uint64_t refused;                  /* complement of the lowest invalid pair; zero: all are valid */
  uint64_t points_low[TALLY_SLOTS];  /* of the numbers of points, the lower 16 bits ... */
  uint64_t points_high[TALLY_SLOTS]; /* ... and those above */
  uint64_t overfull[TALLY_SLOTS];    /* contacts with more points than a slot holds */
  uint64_t open;                     /* pairs that need exact signs: the length of their list */
} device_contact_totals;

/* The wrench of two objects: highest exponents and sums as in wrench_sum. */
typedef struct device_wrench {
  uint64_t highest[WRENCH_QUANTITIES];
  uint64_t limbs[WRENCH_TERMS][SUM_LIMBS];
  uint64_t count;
} device_wrench;

#define WRENCH_NONE UINT32_MAX

/* Pairs in the order in which they were found, and their wrenches. */
typedef struct wrench_view {
  wrench_terms *terms;     /* terms of each pair; NULL: contacts are computed */
  uint32_t *places;        /* index of each pair's objects in the sums; WRENCH_NONE: the pair exerts no force */
  device_wrench *sums;     /* object_count squared, the lower object's number times object_count */
  const wrench_rule *rule; /* in device memory, so that the point can change without a new sequence */
  const uint64_t *keys;    /* of the pairs */
  const uint64_t *found;   /* number of keys */
  uint64_t capacity;       /* of keys */
  uint32_t key_bits;
} wrench_view;

typedef struct contact_view {
  scene_arrays scene;
  graze_test test;
  uint32_t count;
  uint32_t wrenches_only; /* only solids of different objects; other pairs, and those that do not meet, are skipped */
  uint32_t points_before; /* number of points of earlier contacts */
  const graze_pair *pairs;
  graze_contact *contacts;
  device_contact_totals *totals;
  uint32_t *open;          /* pairs that need exact signs */
  uint32_t *first;         /* numbers of points, and 0; then their offsets and the end; NULL: none has points */
  double (*slots)[3];      /* MEASURE_POINTS per contact */
  double (*points)[3];     /* all of them; NULL until their offsets are known */
  uint64_t point_capacity; /* points beyond it are not written */
  wrench_view wrenches;    /* instead of contacts */
} contact_view;

/* The number of pairs to measure: those given, or those found. */
GEOMETRY_FUNCTION uint32_t device_contact_count(const contact_view *v) {
  if (v->wrenches.terms == NULL) return v->count;
  const uint64_t count = *v->wrenches.found, capacity = v->wrenches.capacity;
  return (uint32_t)(count < capacity ? count : capacity);
}

GEOMETRY_FUNCTION uint64_t device_contact_bound(const contact_view *v) {
  return v->wrenches.terms != NULL ? v->wrenches.capacity : v->count;
}

/* The number of pairs that need exact signs. */
GEOMETRY_FUNCTION uint32_t device_open_count(const contact_view *v) {
  return (uint32_t)v->totals->open;
}

#endif
