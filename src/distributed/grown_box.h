/* Boxes of primitives, grown by half the clearance: those of two primitives within the clearance meet. */
#ifndef GRAZE_DISTRIBUTED_GROWN_BOX_H
#define GRAZE_DISTRIBUTED_GROWN_BOX_H

#include <math.h>

static inline double growth_of(double clearance) {
  return clearance > 0 ? nextafter(0.5 * clearance, HUGE_VAL) : 0;
}

/* Rounded outward: three least coordinates, then the three greatest. */
static inline void grow_box(double box[6], double growth) {
  for (int axis = 0; growth > 0 && axis < 3; axis++) {
    box[axis] = nextafter(box[axis] - growth, -HUGE_VAL);
    box[axis + 3] = nextafter(box[axis + 3] + growth, HUGE_VAL);
  }
}

#endif
