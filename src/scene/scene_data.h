/* The data of a scene: structs and accessors, without functions of other files. */
#ifndef GRAZE_SCENE_SCENE_DATA_H
#define GRAZE_SCENE_SCENE_DATA_H

#include "base/array.h"
#include "base/call_lock.h"
#include "base/memory.h"
#include "base/number_heap.h"
#include "base/pair_set.h"
#include "base/scratch_pool.h"
#include "base/view.h"
#include "base/workers.h"
#include "broad/axis_map.h"
#include "broad/method_state.h"
#include "broad/part_vertices.h"
#include "broad/primitive_view.h"
#include "broad/vertex_normalization.h"
#include "graze/graze.h"
#include "narrow/pair_measure.h"

/* Numbers of primitives and vertices have 32 bits; the highest are reserved as marks. */
#define SCENE_NUMBER_LIMIT VIEW_COUNT_LIMIT

/* The primitives of an object, by its own vertex numbers. */
typedef struct object_elements {
  graze_kind kind;
  size_t count;
  array corners; /* uint32_t per corner of the kind; if their number varies, uint32_t per element in sequence: the ring
                    of a polygon, the distinct vertices of a polyhedron in ascending order */
  array corner_first;        /* polygons, polyhedra: uint32_t, count + 1 */
  array triangulation;       /* uint32_t[3]: the triangles of a polygon, or those of the faces of a polyhedron */
  array triangulation_first; /* polyhedra: uint32_t, count + 1 */
  array repeats;             /* polygons, polyhedra: uint8_t, whether a ring repeats a vertex */
} object_elements;

/* The numbers of an object in pairs; see graze_object_def. */
typedef struct object_numbers {
  bool given;
  uint32_t object, primitive, vertex;
  array primitives, vertices; /* uint32_t: one for each; empty: consecutive from the two above */
} object_numbers;

/* The data of an object that calls for many objects read: a few bytes, so that scanning 10^5 objects is fast. */
typedef struct object_slot {
  uint32_t generation; /* of the current or last object in this slot; 0: none so far */
  bool alive;
  bool posed;                   /* the pose is not the identity */
  object_change changes;        /* since the method's last update */
  object_change device_changes; /* since the device's last update */
  uint64_t changed;             /* the scene's stamp of its last change */
} object_slot;

struct graze_shape;

typedef struct scene_object {
  struct graze_shape *shape; /* the immutable owner of positions, radii and elements; NULL: the object owns them */
  char *name;                /* NULL: none */
  size_t name_bytes;
  void *user_data;
  object_numbers numbers;
  bool is_double;               /* positions are doubles, otherwise floats */
  const void *device_positions; /* on the device, instead of `positions`; NULL: none */
  bool device_is_double;
  void *device_stream; /* they are read after the work of this stream */
  array positions;     /* as given, before the pose */
  array radii;         /* of spheres, float or double, one per position; otherwise empty */
  object_elements elements;
  array removed; /* uint8_t per primitive; empty while none is removed */
  size_t removed_count;
  object_rule rule;
  exact_box local_box; /* of the positions, before the pose; used if no method needs rounded vertices */
  bool has_local_box;  /* local_box is current */
  /* Set by update. */
  uint32_t first_vertex, first_primitive;
  uint32_t public_object, public_primitive; /* numbers in pairs: of the object, and of its primitive 0 */
} scene_object;

/* Posed vertices, rounded to normalized coordinates. Arrays are NULL until they are needed. */
typedef struct rounded_scene {
  normalizing_transform normalization;
  axis_map *map; /* NULL until a scene is badly spread */
  bool mapped;   /* vertices are in coordinates of the map, not of the linear normalization */
  rounded_vertex *vertices;
  primitive_box *object_boxes; /* around all vertices of each object; empty if there are none */
} rounded_scene;

/* The exclusions of one object. */
typedef struct object_partners {
  array slots;    /* uint32_t: all objects whose pairs with this one are excluded, and possibly stale ones */
  uint32_t count; /* of the excluded ones */
} object_partners;

/* Pairs of objects that no query lists, by their slots; changed by object_exclusions.h. */
typedef struct excluded_objects {
  pair_set pairs;
  array partners;   /* object_partners, by slot, up to the last object that ever had exclusions */
  uint64_t version; /* incremented by every change; devices compare it with the version they have */
} excluded_objects;

/* All primitives in the order of their numbers in pairs, if some object has a number for each primitive: pairs are then
 * sorted by ranks. Otherwise empty: the scene's numbers have that order. */
typedef struct primitive_ranks {
  array keys; /* uint64_t per rank: the object's number in pairs in the high half, the primitive's in the low half */
  array primitives; /* uint32_t per rank: the scene's number */
  array ranks;      /* uint32_t per primitive, by the scene's number */
} primitive_ranks;

/* Objects that are parts of one, built by scene/scene_numbers.h. */
typedef struct scene_parts {
  array vertices;            /* part_vertices per object; empty: every object is whole */
  pair_set excluded;         /* as in excluded_objects, by the objects that represent all parts; only with parts */
  uint64_t excluded_version; /* of the exclusions that the set was built from; 0: none */
} scene_parts;

struct backend;

/* Version stamps: what is current. Every change and every update of the scene takes the next number; `changed` is the
 * last one taken. The other stamps are the value of `changed`, or of `topology`, when something was computed. It is
 * current as long as the two are equal:
 *
 *   function              is true if               otherwise
 *   scene_is_updated      updated == changed       queries are refused: the caller must update
 *   scene_is_numbered     numbered == topology     an update renumbers vertices and primitives
 *   scene_is_rounded      rounded == changed       the first reader of rounded vertices computes them: scene_round_up.
 *                                                  Happens only if the method did not need them.
 *   scene_device_knows    device == topology       an update uploads everything, not only changes
 *
 *   call                                           effect on the stamps
 *   set_positions, set_pose, set_filter, exclude   changed: next
 *   add, remove, insert, append                    changed, topology: next
 *   set_backend                                    changed: next; the new device has no data yet
 *   set_method                                     none: the next query opens the method, and rounds vertices if needed
 *   update: at its begin                           changed: next, so that after a failure the scene is not updated
 *           after numbering                        numbered = topology
 *           after the upload                       device = topology, or STAMP_NEVER after a failure
 *           after rounding vertices                rounded = changed
 *           after success                          updated = changed
 *   a query                                        none */
typedef struct scene_stamps {
  uint64_t changed, topology;
  uint64_t updated, numbered, rounded, device;
} scene_stamps;

#define STAMP_NEVER UINT64_MAX

struct graze_scene {
  memory memory;         /* for lasting data; counts all. Blocks may belong to the workers */
  graze_allocator host;  /* of the definition: for memory that may outlive the workers, such as lists */
  scratch_pool scratch;  /* for memory released at the end of a call */
  call_lock device_lock; /* serializes the calls of a device */
  workers *workers;
  const method *method;        /* NULL: auto */
  graze_method_def method_def; /* as set, without its name */
  graze_simd simd;

  array objects;                     /* scene_object */
  array slots;                       /* object_slot: the data of each object that calls for many objects read */
  array poses;                       /* rigid_pose, likewise; the sources of posed objects point here */
  memory *pose_heap;                 /* the memory of poses, chosen by the backend */
  size_t alive_count;                /* of objects */
  object_change device_change_union; /* all bits that device_changes of some object may have */
  number_heap free_slots;
  excluded_objects excluded;
  array by_number; /* numbered_object, built by update; empty if pairs have the scene's own numbers */
  primitive_ranks ranked;
  scene_parts parts;
  scene_stamps stamps;
  const struct backend *backend; /* runs updates and queries */
  void *backend_state;           /* the backend's own */
  /* For a backend that divides the scene: creation and destruction of the scenes of the parts. */
  graze_result (*create_scene)(const graze_scene_def *def, graze_scene **scene_out);
  void (*destroy_scene)(graze_scene *scene);

  /* Made by update. */
  rounded_scene rounded; /* see scene_is_rounded */
  size_t vertex_count, primitive_count, object_count;
  size_t shared_count;       /* number of objects that share a shape */
  primitive_header *headers; /* NULL if objects share shapes, until scene_make_headers */
  object_source *sources;    /* one per object, like all that follow */
  object_rule *rules;
  bool has_orientation; /* some object has primitives that can be inverted */
  uint16_t unsupported; /* bits of kind_support that the kind of some object lacks */
  uint64_t live_count, repeated_index, inverted_count, flat_count; /* of primitives that are not removed */

  double update_ms; /* of the last update */
};

/* Queries take a const scene: the members that they write are safe for several threads. No scene is defined
 * const. */
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

/* As in primitive_view, for an updated scene. */
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

/* The input of pair measures. Data on the host must be current. */
static inline measured_scene scene_measured(const graze_scene *scene, graze_test test, memory *heap) {
  return (measured_scene){.sources = scene->sources,
                          .headers = scene->headers,
                          .object_count = scene->object_count,
                          .test = test,
                          .heap = heap};
}

#endif
