/* The numbers of objects and primitives in pairs: the scene's own, or those given by the caller because the scene is
 * part of a larger one.
 *
 * Pairs are found and sorted by the scene's numbers of primitives. To list them in the order of the given numbers, an
 * update assigns the scene's numbers in that order, object by object. This is impossible if an object has a number for
 * each primitive; then every primitive has a rank, and found pairs are identified and sorted by ranks. */
#ifndef GRAZE_SCENE_OBJECT_NUMBERS_H
#define GRAZE_SCENE_OBJECT_NUMBERS_H

#include "scene/scene_failure.h"

/* A row of scene->by_number: one per slot, ascending by (object, primitive), those without primitives at the end. */
typedef struct numbered_object {
  uint32_t object, primitive; /* the numbers in pairs: of the object, and of its primitive 0 */
  uint32_t count;             /* of primitives */
  uint32_t slot;
} numbered_object;

/* The number of an object without primitives in that table: no pair can have it. */
#define NUMBER_OF_NONE UINT32_MAX

/* Copies the numbers of a definition, after its positions and elements. Refuses numbers that are out of range. */
graze_result object_numbers_fill(graze_scene *scene, const object_label *label, const graze_object_def *def,
                                 scene_object *object);
void object_numbers_release(object_numbers *numbers, memory *heap);

/* Refuses adding primitives or vertices to an object that has a number for each. */
graze_result object_numbers_check_growth(const graze_scene *scene, const object_label *label,
                                         const scene_object *object, bool primitives, bool vertices);

/* Writes the global numbers of primitives or vertices [first, first + count); the object's own numbers if it has
 * none. */
void object_numbers_copy(const scene_object *object, bool of_vertices, size_t first, size_t count,
                         uint32_t *numbers_out);

/* The arrays of scene->ranked. */
void primitive_ranks_init(primitive_ranks *ranked);
void primitive_ranks_release(primitive_ranks *ranked, memory *heap);

/* One rank per primitive, by the scene's number; NULL: pairs are sorted by those numbers. */
static inline const uint32_t *scene_ranks(const graze_scene *scene) {
  return scene->ranked.ranks.count > 0 ? scene->ranked.ranks.data : NULL;
}

/* Called by update when primitives are numbered slot by slot: chooses the numbers for pairs, and renumbers primitives
 * if these are not the scene's own. */
graze_result scene_choose_numbers(graze_scene *scene);

/* Finds the slot, and the primitive's own number there, of these numbers in a pair; false if there is none, or it is
 * removed. */
bool scene_find_numbers(const graze_scene *scene, uint32_t object, uint32_t primitive, uint32_t *slot_out,
                        uint32_t *own_out);

/* Finds the scene's numbers of a pair's primitives; false if there is none, or one is removed. */
bool scene_pair_numbers(const graze_scene *scene, const graze_pair *pair, index_pair *numbers_out);

/* A cache for the inverse, for a sequence of primitives: most are of the same object as the last one, which needs no
 * lookup. Zero-initialize it. */
typedef struct public_number {
  uint32_t first, count;      /* the scene's numbers of the primitives of an object */
  uint32_t object, primitive; /* the numbers in pairs: of the object, and of its primitive 0 */
} public_number;

static inline void public_number_of(const graze_scene *scene, uint32_t primitive, public_number *last) {
  if (primitive - last->first < last->count) return;
  const scene_object *object = &scene_objects(scene)[scene_owner(scene, primitive)];
  *last = (public_number){object->first_primitive, (uint32_t)object->elements.count, object->public_object,
                          object->public_primitive};
}

/* Converts ranks if there are any, else the scene's numbers. */
static inline graze_pair scene_public_pair(const graze_scene *scene, index_pair pair, public_number last[2]) {
  if (scene->ranked.keys.count > 0) {
    const uint64_t a = ARRAY_AS(uint64_t, &scene->ranked.keys)[pair.a],
                   b = ARRAY_AS(uint64_t, &scene->ranked.keys)[pair.b];
    return (graze_pair){(uint32_t)(a >> 32), (uint32_t)a, (uint32_t)(b >> 32), (uint32_t)b};
  }
  public_number_of(scene, pair.a, &last[0]);
  public_number_of(scene, pair.b, &last[1]);
  return (graze_pair){last[0].object, pair.a - last[0].first + last[0].primitive, last[1].object,
                      pair.b - last[1].first + last[1].primitive};
}

/* Walks over ranges of the scene's vertices or primitives, split at object boundaries. One parallel region serves all
 * objects, however many and however small.
 *
 * A walk begins with a binary search for the object of the range's first number and continues from object to object. It
 * skips objects without vertices or primitives. */

/* The elements of one object in a range of those of all objects, by its own numbers; never empty. */
typedef struct object_range {
  uint32_t object;
  size_t first, end;
  bool whole; /* all of the object */
} object_range;

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
static inline bool object_walk_next(object_walk *walk, object_range *range_out) {
  while (walk->next < walk->end) {
    const size_t object = walk->object;
    const size_t begin = walk_first(walk, object), finish = walk_first(walk, object + 1);
    const size_t first = walk->next, end = finish < walk->end ? finish : walk->end;
    if (finish <= walk->end) walk->object++;
    walk->next = end;
    if (first == end) continue;
    *range_out =
        (object_range){(uint32_t)walk_slot(walk, object), first - begin, end - begin, first == begin && end == finish};
    return true;
  }
  return false;
}

#endif
