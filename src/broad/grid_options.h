/* The options of the method "grid"; zeroed they are the defaults. */
#ifndef GRAZE_BROAD_GRID_OPTIONS_H
#define GRAZE_BROAD_GRID_OPTIONS_H

#include "graze/graze.h"

typedef struct grid_options {
  graze_hash hash;
  graze_dedup dedup;
} grid_options;

#endif
