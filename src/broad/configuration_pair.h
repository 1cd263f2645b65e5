/* Pairs of parts of a configuration, and their results on a device. Compiled for a GPU too. */
#ifndef GRAZE_BROAD_CONFIGURATION_PAIR_H
#define GRAZE_BROAD_CONFIGURATION_PAIR_H

#include <stdint.h>

/* Two parts of a configuration to be tested against each other, by their places among the parts, and the column of
 * their answer. */
typedef struct configuration_pair {
  uint32_t a, b, column;
} configuration_pair;

/* What a search for the nearest primitives is for. */
typedef enum nearest_goal {
  NEAREST_FIRST,       /* the nearest; of those that touch the first */
  NEAREST_ANY_CONTACT, /* the nearest; any that touches ends the search */
  NEAREST_ANY_WITHIN   /* any within the bound ends the search */
} nearest_goal;

/* The nearest primitives among some pairs of a configuration. */
enum { NEAREST_NONE, NEAREST_FOUND, NEAREST_OPEN }; /* open: the host decides */

typedef struct configuration_nearest {
  double distance;
  uint32_t pair;  /* its index among the pairs given to the device */
  uint32_t a, b;  /* primitives of the pair's parts, by the scene's numbers */
  uint32_t state; /* NEAREST_... */
} configuration_nearest;

#endif
