/* How objects change between updates, for all modules that keep data about them. */
#ifndef GRAZE_BROAD_OBJECT_CHANGE_H
#define GRAZE_BROAD_OBJECT_CHANGE_H

#include <stdint.h>

/* The changes of an object since the reader's last update: bits, one element per object. */
typedef uint8_t object_change;
enum {
  CHANGED_POSE = 1,       /* moved rigidly: structures in the object's own coordinates remain valid */
  CHANGED_POSITIONS = 2,  /* vertices moved, and none were added or removed */
  CHANGED_ATTRIBUTES = 4, /* such as radii; always with CHANGED_POSITIONS, because shapes have changed */
  CHANGED_TOPOLOGY = 8,   /* primitives or vertices were added or removed, or the object itself */
  CHANGED_FILTER = 16,    /* category, mask, self or excluded objects */
  CHANGED_ALL = 31        /* also for new objects */
};

#endif
