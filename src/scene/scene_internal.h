/* The scene from inside: what it owns. Shared by the files of src/scene alone. */
#ifndef GRAZE_SCENE_INTERNAL_H
#define GRAZE_SCENE_INTERNAL_H

#include "base/array.h"
#include "base/error_text.h"
#include "base/memory.h"
#include "base/number_heap.h"
#include "base/scratch_pool.h"
#include "base/turn_lock.h"
#include "base/view.h"
#include "base/workers.h"
#include "broad/axis_map.h"
#include "broad/method_state.h"
#include "broad/primitive_view.h"
#include "broad/vertex_normalisation.h"
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
} object_numbers;

/* What calls about many objects look at of each: few bytes, so that 10^5 of them are soon looked through. */
typedef struct object_slot {
  uint32_t generation; /* of the object that is or was last in this slot; 0: none was */
  bool alive;
  bool posed;                   /* the pose is not the identity */
  object_change changes;        /* since the method on the processor was told */
  object_change device_changes; /* since the device was told */
} object_slot;

typedef struct scene_object {
  char *name; /* NULL: none */
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

struct backend;
struct device_state;
struct graze_list_memory;
struct definition_kind;

/* What is newer than what. Every change of the scene, and every update, takes the next number: `changed` is the last
 * one given out. The other stamps are the number that `changed`, or `topology`, had when something was made; what was
 * made holds as long as the two are equal, and each of the questions below compares two of them.
 *
 *   question              is true                       where it is false
 *   scene_is_updated      updated == changed            queries are refused: the caller has to update
 *   scene_is_numbered     numbered == topology          an update numbers vertices and primitives anew
 *   scene_is_on_host      host == changed               a call that runs on the host first makes up for it:
 *                                                       scene_catch_up. Only so where a device ran the update.
 *   scene_is_rounded      rounded == changed            who reads rounded vertices first makes them: scene_round_up.
 *                                                       Only so where the method had no need of them.
 *   scene_device_knows    device == topology            an update uploads everything, not only what moved
 *
 *   call                                         stamps
 *   set_positions, set_pose, set_filter          changed: next
 *   add, remove, insert, erase, append           changed, topology: next
 *   set_backend                                  changed: next; the device that comes knows nothing by itself
 *   set_method                                   none: the next query opens the method, and rounds up if it must
 *   update: begins                               changed: next, so that one that fails leaves a scene to be updated
 *           has numbered                         numbered = topology
 *           has told the device                  device = topology, or STAMP_NEVER where that failed
 *           has made the host's part             host = changed, and rounded too where the method needs it
 *           has succeeded                        updated = changed
 *   a query                                      none; by scene_catch_up and scene_round_up host, rounded = changed */
typedef struct scene_stamps {
  uint64_t changed, topology;
  uint64_t updated, numbered, host, rounded, device;
  uint64_t unsuited; /* topology for which a method was found not to suit the scene: scene_method.c */
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
  method_state search_state; /* of the method that the processor searches by; see scene_method.h */
  const method *unsuited;    /* see scene_stamps */
  uint32_t rigid_updates;    /* how many updates, up to the last, have only posed objects; enough to know is enough */
  bool shows_rounded; /* methods and tests are shown rounded vertices, since the method was prepared: others that round
                         them later, for themselves, leave what queries see as it is */

  array objects;             /* scene_object */
  array slots;               /* object_slot: the rest of each that many are asked for at a time */
  array poses;               /* rigid_pose, likewise; the sources of posed objects point here */
  memory *pose_heap;         /* that they lie in: the backend's choice */
  size_t alive_count;        /* of objects */
  object_change device_news; /* all bits that device_changes of some object may have */
  number_heap free_slots;
  array by_number; /* numbered_object, by update; empty where pairs have the scene's own numbers */
  scene_stamps stamps;
  const struct backend *backend; /* that runs updates and queries */
  struct device_state *device;   /* its state; NULL: the processor has none */
  int device_number;

  /* Made by update. */
  normalising_transform normalisation;
  axis_map *map; /* NULL until a scene is badly spread */
  bool mapped;   /* vertices are in normalised coordinates of the map, not in the linear one */
  size_t vertex_count, primitive_count, object_count;
  primitive_header *headers;
  rounded_vertex *rounded_vertices; /* NULL until an update has needed them, as object_boxes; see scene_is_rounded */
  object_source *sources;           /* an object each, as are all that follow */
  object_rule *rules;
  primitive_box *object_boxes; /* of all vertices, in normalised coordinates; empty where there are none */
  bool has_orientation;        /* of some object the primitives may be inside out */
  bool has_solids;             /* some object may be of solids */
  uint64_t live_count, repeated_index, inverted_count, flat_count; /* of those that are not erased */

  double update_ms; /* of the last update */
};

/* Writes the message and returns the code. */
#define scene_fail(scene, ...) ((void)(scene), fail(__VA_ARGS__))
graze_result scene_fail_memory(const graze_scene *scene);
graze_result scene_fail_null(const char *what);

/* Whether the scene was updated after its last change. */
graze_result scene_check_updated(const graze_scene *scene);

/* Queries take a const scene: what they write of it is made for several threads. A scene is never defined const. */
static inline memory *scene_scratch(const graze_scene *scene) {
  return (memory *)(uintptr_t)&scene->scratch.heap;
}
static inline method_state *scene_search_state(const graze_scene *scene) {
  return (method_state *)(uintptr_t)&scene->search_state;
}

/* Calls of a scene on a device take turns, from here to the end of the turn. The processor's run at the same time. */
void scene_take_turn(const graze_scene *scene);
void scene_end_turn(const graze_scene *scene);

/* An object in words: its number, and its name where it has one. */
typedef struct object_label {
  char text[96];
} object_label;
object_label scene_label(uint32_t index, const char *name_or_null);

/* The object of an id; NULL with a message when it is gone or never was. */
scene_object *scene_find_object(const graze_scene *scene, graze_object id);

/* The same without a message. */
scene_object *scene_peek_object(const graze_scene *scene, graze_object id);

static inline bool scene_is_updated(const graze_scene *scene) {
  return scene->stamps.updated == scene->stamps.changed;
}
static inline bool scene_is_numbered(const graze_scene *scene) {
  return scene->stamps.numbered == scene->stamps.topology;
}
static inline bool scene_is_on_host(const graze_scene *scene) {
  return scene->stamps.host == scene->stamps.changed;
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

/* Checks a view: the pointer, the format, the stride, the count, and that it does not wrap. GRAZE_DOUBLE3 stands for
 * positions, float or double, and GRAZE_DOUBLE for radii likewise. */
graze_result scene_check_view(const graze_scene *scene, const graze_view *view, graze_format needed, const char *what);

/* Copies positions to `to` (floats or doubles) by all workers, all or none: checks the last before it writes the first.
 * Vertex numbers in the message start at `first`. */
graze_result scene_set_positions(graze_scene *scene, const object_label *label, const graze_view *view, size_t first,
                                 bool to_double, void *to);

/* What the measures of pairs look at: for hosts that are not behind. */
static inline measured_scene scene_measured(const graze_scene *scene, graze_test test, memory *heap) {
  return (measured_scene){scene->sources, scene->headers, test, heap};
}

/* Messages of contacts: a pair that does not meet or is not in the scene; more points than numbers. */
graze_result scene_fail_pair(const graze_scene *scene, const graze_pair *pair, size_t number);
graze_result scene_fail_points(const graze_scene *scene, uint64_t point_count);

/* A query over the defaults, in good order for the scene as it is. */
graze_result scene_read_query(const graze_scene *scene, const graze_query *given_or_null, graze_query *query_out);

/* Makes the memory of a caller's list, which says its size, where there is none yet. */
graze_result scene_open_list(const graze_scene *scene, const struct definition_kind *kind, const void *list,
                             struct graze_list_memory **opened);

/* What a call took and counted, with the update's part, into its list. */
void scene_record(const graze_scene *scene, const graze_timings *timings, const graze_counters *counters,
                  struct graze_list_memory *list);

/* The bytes that the scene holds now. */
void scene_count_memory(const graze_scene *scene, graze_counters *counters);

/* Contacts of a caller's pairs, by the scene's backend. */
/* The options over the defaults, in good order. */
graze_result scene_read_contact_options(const graze_scene *scene, const graze_contact_options *given_or_null,
                                        graze_contact_options *options_out);
graze_result scene_check_test(const graze_scene *scene, graze_test test); /* whether there is one of that number */

struct contact_request;
struct contact_answer;
graze_result scene_ask_contacts(const graze_scene *scene, const struct contact_request *request,
                                struct contact_answer *answer);

/* Radii of spheres (object_radii.c): checked and copied to `to`, floats or doubles, up to the first that is refused.
 * Numbers in the message start at `first`. */
graze_result scene_copy_radii(graze_scene *scene, const object_label *label, const graze_view *view, size_t first,
                              bool to_double, void *to);

/* Vertices behind those that are there. */
graze_result scene_append_positions(graze_scene *scene, uint32_t index, const graze_view *positions);

/* Elements of an object (object_elements.c): none yet, of a kind. Before anything that may fail, as
 * object_elements_release is for elements that were made so. */
void object_elements_init(object_elements *elements, graze_kind kind);

/* Whether the views of a definition that the kind reads are in good order. */
graze_result object_elements_check(graze_scene *scene, const graze_mesh_def *def, graze_kind kind);

/* Checks and copies all of a definition's that the kind reads; on failure what is there already is for
 * object_elements_release to give back. Positions must have been copied. */
graze_result object_elements_fill(graze_scene *scene, const object_label *label, const graze_mesh_def *def,
                                  scene_object *object);
void object_elements_release(object_elements *elements, memory *heap);

/* Copies elements of a kind with a fixed number of corners, whose indices must be below vertex_count. Numbers in the
 * message start at `first`. */
graze_result object_elements_copy(graze_scene *scene, const object_label *label, const graze_view *view,
                                  graze_kind kind, size_t first, size_t vertex_count, uint32_t *to);

/* Tells the last update's view where the object's positions and elements lie now. For calls that move them and may yet
 * be refused: the scene then goes on answering. */
void scene_point_source(graze_scene *scene, uint32_t index);

/* Takes poses over into memory of another heap; false, and they are where they were, when it has none. */
bool scene_move_poses(graze_scene *scene, memory *heap);

/* What an update makes on the host. */
graze_result scene_update_on_host(graze_scene *scene);

/* Makes on the host what an update on a device has made there alone, for calls that run on the host. Nothing is to do
 * for other scenes. Within a turn. */
graze_result scene_catch_up(const graze_scene *scene);

/* Chooses between the normalised cube and a map of each axis; sources must point at positions, and the cube be chosen.
 */
graze_result scene_choose_axis_map(graze_scene *scene, const vertex_bounds *bounds);
void scene_release_axis_map(graze_scene *scene);

/* What an update counts; the queries after it start from this. */
graze_counters scene_update_counters(const graze_scene *scene);

/* Something changes: the next query needs an update. */
void scene_touch(graze_scene *scene, bool topology);

/* An object changes, as the bits say: all who keep something of it will be told. */
void scene_change_object(graze_scene *scene, uint32_t index, object_change change);

/* Gives back what the object holds; its slot is for the caller to clear. */
void scene_object_release(graze_scene *scene, scene_object *object);

#endif
