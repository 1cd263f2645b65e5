/* Two parts of a configuration that are tested against each other, by their places among the parts, and the column of
 * their answer. Compiled for a GPU too. */
#ifndef GRAZE_BROAD_CONFIGURATION_PAIR_H
#define GRAZE_BROAD_CONFIGURATION_PAIR_H

#include <stdint.h>

typedef struct configuration_pair {
  uint32_t a, b, column;
} configuration_pair;

#endif
