/* Walks over ranges of the scene's vertices or primitives, split at object boundaries. One parallel region serves all
 * objects, however many and however small.
 *
 * A walk begins with a binary search for the object of the range's first number and continues from object to object. It
 * skips objects without vertices or primitives. */
#ifndef GRAZE_SCENE_OBJECT_WALK_H
#define GRAZE_SCENE_OBJECT_WALK_H

#include "scene/object_numbers.h"

/* The part of an object in a range, by the object's own numbers; never empty. */
typedef struct object_part {
  uint32_t object;
  size_t first, end;
  bool whole; /* the part is the whole object */
} object_part;

typedef struct object_walk {
  const object_source *sources;
  const numbered_object
      *order;               /* for primitives: the objects in the order of their numbers; NULL: in the order of slots */
  size_t object_count, all; /* vertices, or primitives, of the scene */
  size_t next, end;         /* the rest of the range */
  size_t object;            /* no earlier object has numbers from `next` on */
  bool by_vertex;
} object_walk;

/* The slot of the object at this position. */
static inline size_t walk_slot(const object_walk *walk, size_t place) {
  return walk->order != NULL ? walk->order[place].slot : place;
}

/* The scene's number of the object's first vertex or primitive; beyond the last object, their total. */
static inline size_t walk_first(const object_walk *walk, size_t object) {
  if (object == walk->object_count) return walk->all;
  return walk->by_vertex ? walk->sources[object].first_vertex : walk->sources[walk_slot(walk, object)].first_primitive;
}

static inline object_walk object_walk_begin(const graze_scene *scene, bool by_vertex, size_t first, size_t end) {
  object_walk walk = {.sources = scene->sources,
                      .order = by_vertex || scene->by_number.count == 0 ? NULL : scene->by_number.data,
                      .object_count = scene->object_count,
                      .all = by_vertex ? scene->vertex_count : scene->primitive_count,
                      .next = first,
                      .end = end,
                      .by_vertex = by_vertex};
  /* the last object that begins at or before the range contains its first number */
  size_t count = scene->object_count;
  while (count > 1) {
    const size_t half = count / 2;
    if (walk_first(&walk, walk.object + half) <= first) walk.object += half;
    count -= half;
  }
  return walk;
}

/* False at the end of the range. */
static inline bool object_walk_next(object_walk *walk, object_part *part_out) {
  while (walk->next < walk->end) {
    const size_t object = walk->object;
    const size_t begin = walk_first(walk, object), finish = walk_first(walk, object + 1);
    const size_t first = walk->next, end = finish < walk->end ? finish : walk->end;
    if (finish <= walk->end) walk->object++;
    walk->next = end;
    if (first == end) continue;
    *part_out =
        (object_part){(uint32_t)walk_slot(walk, object), first - begin, end - begin, first == begin && end == finish};
    return true;
  }
  return false;
}

#endif
