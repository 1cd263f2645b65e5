/* How objects change between updates, for all modules that keep data about them. */
#ifndef GRAZE_BROAD_OBJECT_CHANGE_H
#define GRAZE_BROAD_OBJECT_CHANGE_H

#include <stdint.h>

/* How an object has changed since somebody was last told: bits, one number an object. */
typedef uint8_t object_change;
enum {
  CHANGED_POSE = 1,       /* moved rigidly: what was built in the object's own coordinates still holds */
  CHANGED_POSITIONS = 2,  /* vertices moved, and none came or went */
  CHANGED_ATTRIBUTES = 4, /* such as radii; with them CHANGED_POSITIONS, as shapes have changed */
  CHANGED_TOPOLOGY = 8,   /* primitives or vertices came or went; the object itself may have */
  CHANGED_FILTER = 16,    /* category, mask, self or which objects are excluded */
  CHANGED_ALL = 31        /* also for objects that were never seen */
};

#endif
