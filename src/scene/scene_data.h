/* The data of a scene: structs and accessors, no functions of other files. */
#ifndef GRAZE_SCENE_SCENE_DATA_H
#define GRAZE_SCENE_SCENE_DATA_H

#include "base/array.h"
#include "base/memory.h"
#include "base/number_heap.h"
#include "base/pair_set.h"
#include "base/scratch_pool.h"
#include "base/turn_lock.h"
#include "base/view.h"
#include "base/workers.h"
#include "broad/axis_map.h"
#include "broad/method_state.h"
#include "broad/part_vertices.h"
#include "broad/primitive_view.h"
#include "broad/vertex_normalization.h"
#include "graze/graze.h"
#include "narrow/pair_measure.h"

/* Numbers of primitives and vertices are 32 bits; the last ones are kept free as marks. */
#define SCENE_NUMBER_LIMIT VIEW_COUNT_LIMIT

/* The primitives of an object, by the numbers of its own vertices. */
typedef struct object_elements {
  graze_kind kind;
  size_t count;
  array corners; /* uint32_t as many as the kind has corners; where they vary uint32_t, element after element: the ring
                    of a polygon, the vertices of a polyhedron once each in ascending order */
  array corner_first;        /* polygons, polyhedra: uint32_t, count + 1 */
  array triangulation;       /* uint32_t[3]: the triangles of a polygon, or those of the faces of a polyhedron */
  array triangulation_first; /* polyhedra: uint32_t, count + 1 */
  array repeats;             /* polygons, polyhedra: uint8_t, whether a ring repeats a vertex */
} object_elements;

/* Numbers that an object was given for pairs; see graze_mesh_def. */
typedef struct object_numbers {
  bool given;
  uint32_t object, primitive, vertex;
  array primitives, vertices; /* uint32_t: one for each; empty: consecutive ones from the two above */
} object_numbers;

/* What calls about many objects look at of each: few bytes, so that 10^5 of them are soon looked through. */
typedef struct object_slot {
  uint32_t generation; /* of the object that is or was last in this slot; 0: none was */
  bool alive;
  bool posed;                   /* the pose is not the identity */
  object_change changes;        /* since the method was told */
  object_change device_changes; /* since the device was told */
} object_slot;

struct graze_shape;

typedef struct scene_object {
  struct graze_shape *shape; /* whose positions, radii and elements these are: not to be changed; NULL: its own */
  char *name;                /* NULL: none */
  size_t name_bytes;
  void *user_data;
  object_numbers numbers;
  bool is_double;               /* positions are triples of double, else of float */
  const void *device_positions; /* on the device, in place of `positions`; NULL: none */
  bool device_is_double;
  void *device_stream; /* after whose work they are read */
  array positions;     /* as given, before the pose */
  array radii;         /* of spheres, float or double, one a position; else empty */
  object_elements elements;
  array erased; /* uint8_t a primitive; empty while none is erased */
  size_t erased_count;
  object_rule rule;
  exact_box local_box; /* of the positions, before the pose; where no method needs rounded vertices */
  bool has_local_box;  /* no position has changed since it was made */
  /* Set by update. */
  uint32_t first_vertex, first_primitive;
  uint32_t public_object, public_primitive; /* numbers in pairs: of the object, and of its primitive 0 */
} scene_object;

/* Posed vertices, rounded into normalized coordinates. Arrays are NULL until they are needed. */
typedef struct rounded_scene {
  normalizing_transform normalization;
  axis_map *map; /* NULL until a scene is badly spread */
  bool mapped;   /* vertices are in normalized coordinates of the map, not in the linear one */
  rounded_vertex *vertices;
  primitive_box *object_boxes; /* of all vertices of each object; empty where there are none */
} rounded_scene;

/* The exclusions of one object. */
typedef struct object_partners {
  array slots;    /* uint32_t: all objects whose pairs with this one are excluded, and maybe others */
  uint32_t count; /* of those that are */
} object_partners;

/* Pairs of objects that no query asks for, by their slots; object_exclusions.h changes them. */
typedef struct excluded_objects {
  pair_set pairs;
  array partners;   /* object_partners, by slot, as far as some object has had exclusions */
  uint64_t version; /* it rises with every change; devices compare it with that of what they have */
} excluded_objects;

/* All primitives in the order of their numbers in pairs, where some object has a number for each primitive: pairs are
 * then sorted by ranks. Empty elsewhere: the scene's numbers are in that order. */
typedef struct primitive_ranks {
  array keys;       /* uint64_t, a rank each: the object's number in pairs above the primitive's */
  array primitives; /* uint32_t, a rank each: the scene's number */
  array ranks;      /* uint32_t, a primitive each, by the scene's number */
} primitive_ranks;

/* Objects that are parts of one; scene/object_parts.h makes it. */
typedef struct scene_parts {
  array vertices;            /* part_vertices, an object each; empty: every object is whole */
  pair_set excluded;         /* as in excluded_objects, by the objects that stand for all parts; only with parts */
  uint64_t excluded_version; /* of the exclusions that the set is made of; 0: none */
} scene_parts;

struct backend;

/* What is newer than what. Every change of the scene, and every update, takes the next number: `changed` is the last
 * one given out. The other stamps are the number that `changed`, or `topology`, had when something was made; what was
 * made holds as long as the two are equal, and each of the questions below compares two of them.
 *
 *   question              is true                       where it is false
 *   scene_is_updated      updated == changed            queries are refused: the caller has to update
 *   scene_is_numbered     numbered == topology          an update numbers vertices and primitives anew
 *   scene_is_rounded      rounded == changed            who reads rounded vertices first makes them: scene_round_up.
 *                                                       Only so where the method had no need of them.
 *   scene_device_knows    device == topology            an update uploads everything, not only what moved
 *
 *   call                                         stamps
 *   set_positions, set_pose, set_filter, exclude changed: next
 *   add, remove, insert, erase, append           changed, topology: next
 *   set_backend                                  changed: next; the device that comes knows nothing by itself
 *   set_method                                   none: the next query opens the method, and rounds up if it must
 *   update: begins                               changed: next, so that one that fails leaves a scene to be updated
 *           has numbered                         numbered = topology
 *           has told the device                  device = topology, or STAMP_NEVER where that failed
 *           has rounded vertices                 rounded = changed
 *           has succeeded                        updated = changed
 *   a query                                      none */
typedef struct scene_stamps {
  uint64_t changed, topology;
  uint64_t updated, numbered, rounded, device;
} scene_stamps;

#define STAMP_NEVER UINT64_MAX

struct graze_scene {
  memory memory;        /* what lasts; counts all. Blocks may be the workers' */
  graze_allocator host; /* of the definition: for what is not to be the workers', as lists, which may outlive them */
  scratch_pool scratch; /* what a call gives back at its end */
  turn_lock turn;       /* of calls that a backend runs one at a time */
  workers *workers;
  const method *method;        /* NULL: auto */
  graze_method_def method_def; /* as it was set, without its name */
  graze_simd simd;

  array objects;             /* scene_object */
  array slots;               /* object_slot: the rest of each that many are asked for at a time */
  array poses;               /* rigid_pose, likewise; the sources of posed objects point here */
  memory *pose_heap;         /* that they lie in: the backend's choice */
  size_t alive_count;        /* of objects */
  object_change device_news; /* all bits that device_changes of some object may have */
  number_heap free_slots;
  excluded_objects excluded;
  array by_number; /* numbered_object, by update; empty where pairs have the scene's own numbers */
  primitive_ranks ranked;
  scene_parts parts;
  scene_stamps stamps;
  const struct backend *backend; /* that runs updates and queries */
  void *backend_state;           /* the backend's own */

  /* Made by update. */
  rounded_scene rounded; /* see scene_is_rounded */
  size_t vertex_count, primitive_count, object_count;
  size_t shared_count;       /* objects that share a shape */
  primitive_header *headers; /* NULL where objects share shapes, until scene_make_headers */
  object_source *sources;    /* an object each, as are all that follow */
  object_rule *rules;
  bool has_orientation;                                            /* of some object the primitives may be inside out */
  bool has_solids;                                                 /* some object may be of solids */
  uint64_t live_count, repeated_index, inverted_count, flat_count; /* of those that are not erased */

  double update_ms; /* of the last update */
};

/* Queries take a const scene: what they write of it is made for several threads. A scene is never defined const. */
static inline memory *scene_scratch(const graze_scene *scene) {
  return (memory *)(uintptr_t)&scene->scratch.heap;
}

static inline bool scene_is_updated(const graze_scene *scene) {
  return scene->stamps.updated == scene->stamps.changed;
}
static inline bool scene_is_numbered(const graze_scene *scene) {
  return scene->stamps.numbered == scene->stamps.topology;
}
static inline bool scene_is_rounded(const graze_scene *scene) {
  return scene->stamps.rounded == scene->stamps.changed;
}
static inline bool scene_device_knows(const graze_scene *scene) {
  return scene->stamps.device == scene->stamps.topology;
}

static inline scene_object *scene_objects(const graze_scene *scene) {
  return scene->objects.data;
}
static inline size_t scene_object_slots(const graze_scene *scene) {
  return scene->objects.count;
}
static inline object_slot *scene_slots(const graze_scene *scene) {
  return scene->slots.data;
}
static inline rigid_pose *scene_poses(const graze_scene *scene) {
  return scene->poses.data;
}

static inline bool scene_has_parts(const graze_scene *scene) {
  return scene->parts.vertices.count > 0;
}

/* As in primitive_view; of an updated scene. */
static inline pair_slots scene_excluded(const graze_scene *scene) {
  return pair_set_slots(scene_has_parts(scene) ? &scene->parts.excluded : &scene->excluded.pairs);
}

/* As whole_of_object. */
static inline uint32_t scene_whole_of(const graze_scene *scene, uint32_t object) {
  const uint32_t part_of = scene_objects(scene)[object].rule.part_of;
  return part_of != 0 ? part_of - 1 : object;
}

/* The object of a primitive of an updated scene. */
static inline uint32_t scene_owner(const graze_scene *scene, uint32_t primitive) {
  return owner_of_primitive(scene->headers, scene->sources, scene->object_count, primitive);
}

/* What the measures of pairs look at: for hosts that are not behind. */
static inline measured_scene scene_measured(const graze_scene *scene, graze_test test, memory *heap) {
  return (measured_scene){.sources = scene->sources,
                          .headers = scene->headers,
                          .object_count = scene->object_count,
                          .test = test,
                          .heap = heap};
}

#endif
