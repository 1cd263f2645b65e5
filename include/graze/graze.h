/* graze: all intersecting pairs of primitives of a scene, exact, complete and deterministic.
 *
 * A scene copies everything it is given. Each frame:
 *
 *     set positions or poses  ->  graze_scene_update  ->  graze_scene_find_pairs  ->  graze_scene_make_contacts
 *
 * graze/host.h declares result codes, error messages, and what a host can provide: memory, tasks, workers, a backend.
 *
 * Errors: every call that can fail returns a graze_result. graze_error_text then returns a message that names the
 * object, the primitive and the value. A failed call changes nothing unless its comment states otherwise. The scene
 * always remains usable.
 *
 * Struct sizes: structs that the caller initializes begin with their size, `struct_bytes`, so that programs and
 * libraries of different versions work together. New fields are only appended. graze_view, graze_object and graze_pair
 * never change.
 *
 *   - Inputs (definitions, options, queries): initialize them with their default maker, graze_..._default(), which sets
 *     the size. A zeroed input is refused, and the message names the maker. Trailing bytes that the library does not
 *     know must be 0.
 *   - Outputs: initialize them with {0}. After a failure, the pointers of a list are NULL, and struct_bytes of any
 *     other output is 0. A zeroed output receives the fields of version 0.4.0. To receive fields that were appended
 *     later, set struct_bytes to the size first; such a field is 0 if the library did not write it.
 *
 * Lists belong to the caller. Calls grow them, and reuse their memory in the next frame. Each list type has a function
 * that frees it. Lists may outlive the scene. The layout of their elements never changes: what is added to an element
 * later is an array of its own, appended to the list.
 *
 * Floating point: exactness requires rounding to nearest and subnormal numbers. Each call, and each task, sets these
 * modes on its thread if they differ, and restores the host's modes before it returns.
 *
 * Thread safety: different threads may use different scenes at the same time. Any number of threads may make calls with
 * a const graze_scene on the same scene, each with its own lists, while no call changes the scene. On CUDA, concurrent
 * queries are serialized. The only global state is the error message of each thread. The library prints nothing and
 * never ends the process. */
#ifndef GRAZE_GRAZE_H
#define GRAZE_GRAZE_H

#include "graze/costs.h"
#include "graze/host.h"
#include "graze/methods.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------------ scene and objects */

/* Definition of a scene. Initialize it with graze_scene_def_default(). */
typedef struct graze_scene_def {
  size_t struct_bytes;   /* sizeof(graze_scene_def), set by the default maker */
  uint32_t worker_count; /* worker_count, threading and tasks are as in graze_workers_def, and ignored if `workers` is
                            given */
  graze_threading threading;        /* how the workers are run */
  const graze_backend_def *backend; /* NULL: the processor */
  const graze_allocator *allocator; /* NULL: the C library's; copied */
  const graze_task_system *tasks;   /* NULL: the library's own; copied, but its context must outlive the scene */
  graze_workers *workers; /* NULL: the scene's own, whose threads start on first use. Otherwise shared workers, which
                             the scene keeps alive */
} graze_scene_def;

typedef struct graze_scene graze_scene;

/* The id of an object, a plain value. Objects are numbered from 0 in the order of creation. The lowest number of a
 * removed object is reused first; `generation`, which starts at 1, distinguishes the ids. An id of zeros is never
 * valid: every call refuses it with GRAZE_NO_SUCH_OBJECT. */
typedef struct graze_object {
  uint32_t index;
  uint32_t generation;
} graze_object;

/* The ids of two objects. */
typedef struct graze_id_pair {
  graze_object a, b;
} graze_id_pair;

/* The kinds of primitives: name, value, singular, plural.
 *   triangle     three corners
 *   polygon      a ring of three or more corners; may be concave and slightly non-planar. By definition the union of
 *                the triangles into which it is cut when it is added, two fewer than its corners
 *   tetrahedron  by definition the convex hull of its four corners; inverted and flat ones are legal and counted
 *   polyhedron   a convex cell given by its faces; by definition the convex hull of its corners
 *   sphere       a closed ball: all points within the radius of the center; a point if the radius is 0 */
#define GRAZE_KIND_LIST(X)                                                                                             \
  X(TRIANGLE, 0, "triangle", "triangles")                                                                              \
  X(POLYGON, 1, "polygon", "polygons")                                                                                 \
  X(TETRAHEDRON, 2, "tetrahedron", "tetrahedra")                                                                       \
  X(POLYHEDRON, 3, "polyhedron", "polyhedra")                                                                          \
  X(SPHERE, 4, "sphere", "spheres")

typedef enum graze_kind {
#define GRAZE_KIND_ENUM(name, value, one, many) GRAZE_KIND_##name = value,
  GRAZE_KIND_LIST(GRAZE_KIND_ENUM)
#undef GRAZE_KIND_ENUM
} graze_kind;

/* Returns the singular (count 1) or plural name of a kind; never NULL. */
GRAZE_API const char *graze_kind_text(graze_kind kind, size_t count);

/* Returns whether primitives of this kind are solid. Two solids can share a volume; the other kinds are surfaces. */
GRAZE_API bool graze_kind_is_solid(graze_kind kind);

typedef enum graze_format {
  GRAZE_FORMAT_FLOAT3 = 1,
  GRAZE_FORMAT_DOUBLE3 = 2,
  GRAZE_FORMAT_UINT32_3 = 3,
  GRAZE_FORMAT_UINT32_4 = 4,
  GRAZE_FORMAT_UINT32 = 5,
  GRAZE_FORMAT_FLOAT = 6,
  GRAZE_FORMAT_DOUBLE = 7,
  GRAZE_FORMAT_INT32_3 = 8,
  GRAZE_FORMAT_INT32_4 = 9,
  GRAZE_FORMAT_INT32 = 10,
  GRAZE_FORMAT_INT64_3 = 11,
  GRAZE_FORMAT_INT64_4 = 12,
  GRAZE_FORMAT_INT64 = 13,
  GRAZE_FORMAT_UINT64_3 = 14,
  GRAZE_FORMAT_UINT64_4 = 15,
  GRAZE_FORMAT_UINT64 = 16
} graze_format;

/* A borrowed, strided array: element i starts at data + i * stride_bytes. It is read during the call only. Elements
 * need no alignment. With a negative stride, `data` still points to element 0, which is then the highest in memory, as
 * in NumPy. */
typedef struct graze_view {
  const void *data;
  size_t count;
  ptrdiff_t stride_bytes; /* 0: tightly packed. With two or more elements, the magnitude is at least the element size.
                             An array that wraps around the address space is refused */
  graze_format format;
} graze_view;

/* A strided array that a call writes. */
typedef struct graze_output_view {
  void *data;
  size_t count;
  ptrdiff_t stride_bytes;
  graze_format format;
} graze_output_view;

/* The placement of an object: x -> rotation * x + translation. Each coordinate is evaluated in double precision, as
 * ((r0 x + r1 y) + r2 z) + t. The exact tests use the rounded result. */
typedef struct graze_pose {
  double rotation[9]; /* row-major, orthonormal within 1e-6, with positive determinant */
  double translation[3];
} graze_pose;

static inline graze_pose graze_pose_identity(void) {
  const graze_pose pose = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};
  return pose;
}

/* Makes a pose from a quaternion (w, x, y, z), which need not have unit length. A zero or non-finite quaternion gives a
 * rotation of NaN, which every call refuses with GRAZE_NOT_A_ROTATION. */
GRAZE_API graze_pose graze_pose_from_quaternion(const double quaternion[4], const double translation[3]);

/* A mesh or soup of primitives of one kind. Their kind determines which views are read. All indices refer
 * to `positions`. Degenerate primitives are legal, and so are zero primitives or vertices. A view of
 * GRAZE_FORMAT_UINT32, _3 or _4, here and in other calls, may also have the int32, int64 or uint64 format of the same
 * width; GRAZE_FORMAT_UINT32 is copied fastest. An index that is negative or too large fails with
 * GRAZE_INDEX_OUT_OF_RANGE. */
typedef struct graze_mesh_def {
  size_t struct_bytes;
  graze_view positions; /* GRAZE_FORMAT_FLOAT3 or GRAZE_FORMAT_DOUBLE3, finite */
  graze_view radii;     /* spheres: GRAZE_FORMAT_FLOAT or GRAZE_FORMAT_DOUBLE, one per position; finite, not negative */
  graze_view triangles; /* triangles: GRAZE_FORMAT_UINT32_3 */
  graze_view tetrahedra; /* tetrahedra: GRAZE_FORMAT_UINT32_4 */
  graze_view corners;    /* polygons, polyhedra: GRAZE_FORMAT_UINT32, the corners of all faces, concatenated */
  graze_view face_sizes; /* polygons, polyhedra: GRAZE_FORMAT_UINT32, the corner count of each face, at least 3 */
  graze_view cell_sizes; /* polyhedra: GRAZE_FORMAT_UINT32, the face count of each cell, at least 4 */
  /* Alternatives to the sizes; set only one of the two. Offsets of the first corner of each face, or of the first face
   * of each cell, and the end. GRAZE_FORMAT_UINT32, one more element than faces or cells, ascending from 0 to the
   * number of corners or faces. */
  graze_view face_starts;
  graze_view cell_starts;
  const char *name; /* for error messages; copied; NULL: none */
} graze_mesh_def;

/* Definition of an object, whatever its mesh or shape. */
typedef struct graze_object_def {
  size_t struct_bytes;
  const char *name;  /* for error messages; copied; NULL: that of the mesh, or none for a shape */
  uint64_t category; /* bits of the categories the object belongs to; default 1 */
  uint64_t mask; /* bits of the categories it is tested against; default all. Two objects are tested if the category of
                    each shares a bit with the mask of the other */
  bool self;     /* whether queries find pairs within this object; default true */
  /* If true (default false), pairs, contacts, wrenches and the hash use these numbers instead of the scene's: object
   * global_object, primitive i global_primitive + i, vertex i global_vertex + i. For scenes that hold part of a larger
   * whole. No two primitives may have the same object and primitive number. Objects with the same global_object are
   * parts of one object; docs/reference/api.md has the rules, which graze_scene_update checks. */
  bool global_numbers;
  uint32_t global_object, global_primitive, global_vertex;
  /* If global_numbers is true: a number for each primitive or vertex, GRAZE_FORMAT_UINT32, in any order, instead of
   * consecutive numbers from global_primitive or global_vertex. Count 0: none. No primitives or vertices can be added
   * to such an object later. Objects that share a shape have none. */
  graze_view global_primitives;
  graze_view global_vertices;
  void *user_data;        /* stored, never dereferenced; default NULL */
  const graze_pose *pose; /* as in graze_object_set_pose; NULL: the identity; copied */
} graze_object_def;

GRAZE_API void graze_scene_def_init(void *def, size_t bytes);
static inline graze_scene_def graze_scene_def_default(void) {
  graze_scene_def def;
  graze_scene_def_init(&def, sizeof def);
  return def;
}

GRAZE_API void graze_mesh_def_init(void *def, size_t bytes);
static inline graze_mesh_def graze_mesh_def_default(void) {
  graze_mesh_def def;
  graze_mesh_def_init(&def, sizeof def);
  return def;
}

GRAZE_API void graze_object_def_init(void *def, size_t bytes);
static inline graze_object_def graze_object_def_default(void) {
  graze_object_def def;
  graze_object_def_init(&def, sizeof def);
  return def;
}

/* Creates an empty scene. A NULL definition means the default. On failure *scene_out is NULL. */
GRAZE_API graze_result graze_scene_create(const graze_scene_def *def, graze_scene **scene_out);
GRAZE_API void graze_scene_destroy(graze_scene *scene); /* NULL is allowed */

#define GRAZE_POLYHEDRON_CORNERS 64 /* maximum number of corners of a cell */

/* Adds an object with a copy of a mesh of primitives of this kind. A NULL object definition means the default.
 *   - A polyhedron is refused with GRAZE_NOT_CONVEX if a corner lies farther outside the plane of a face than 1e-6 of
 *     the cell's size, or if its faces do not form a closed surface. A cell has at most GRAZE_POLYHEDRON_CORNERS
 *     corners.
 *   - Sphere i has center positions[i] and radius radii[i].
 * graze_scene_add_shape (graze/shape.h) adds an object that shares its mesh with others. */
GRAZE_API graze_result graze_scene_add(graze_scene *scene, graze_kind kind, const graze_mesh_def *mesh,
                                       const graze_object_def *def, graze_object *object_out);
GRAZE_API graze_result graze_scene_remove_object(graze_scene *scene, graze_object object);

/* Overwrites positions [first, first + positions.count) of the object, in its own frame, before the pose. Polygons keep
 * their division into triangles. Polyhedra remain the hulls of their corners; their convexity is not checked again. */
GRAZE_API graze_result graze_object_set_positions(graze_scene *scene, graze_object object, size_t first,
                                                  graze_view positions);

/* Overwrites radii [first, first + radii.count) of an object of spheres: GRAZE_FORMAT_FLOAT or GRAZE_FORMAT_DOUBLE. */
GRAZE_API graze_result graze_object_set_radii(graze_scene *scene, graze_object object, size_t first, graze_view radii);

/* Appends vertices; the first has index *first_out. For spheres use graze_object_append_spheres. */
GRAZE_API graze_result graze_object_append_positions(graze_scene *scene, graze_object object, graze_view positions,
                                                     uint32_t *first_out);

/* Sets the pose of the object. The next query needs an update. The identity leaves every bit of the positions
 * unchanged. */
GRAZE_API graze_result graze_object_set_pose(graze_scene *scene, graze_object object, const graze_pose *pose);

/* Sets the poses of `count` objects, all or none. The error message states the index of the refused entry. If an object
 * is listed more than once, the last pose applies. */
GRAZE_API graze_result graze_scene_set_poses(graze_scene *scene, const graze_object *objects, size_t count,
                                             const graze_pose *poses);

GRAZE_API graze_result graze_object_set_filter(graze_scene *scene, graze_object object, uint64_t category,
                                               uint64_t mask, bool self);

/* Excludes the pairs between two different objects from every query until one of them is removed, or includes them
 * again (false). An exclusion of a part (global_object) applies to all parts of its object. Repeating a call is not an
 * error. The next query needs an update. Takes constant time on average. */
GRAZE_API graze_result graze_scene_exclude(graze_scene *scene, graze_object a, graze_object b, bool excluded);

/* Excludes or includes `count` pairs of objects, all or none. The error message states the index of the refused
 * entry. */
GRAZE_API graze_result graze_scene_exclude_pairs(graze_scene *scene, const graze_id_pair *pairs, size_t count,
                                                 bool excluded);
GRAZE_API graze_result graze_object_set_user_data(graze_scene *scene, graze_object object, void *user_data);

/* Appends triangles (GRAZE_FORMAT_UINT32_3) or tetrahedra (GRAZE_FORMAT_UINT32_4) to an object of that kind. Their
 * numbers begin at *first_out. The numbers of other primitives never change. Objects of polygons and polyhedra cannot
 * grow: GRAZE_UNSUPPORTED. */
GRAZE_API graze_result graze_object_append_primitives(graze_scene *scene, graze_object object, graze_view elements,
                                                      uint32_t *first_out);

/* Appends spheres, centers and one radius per center, to an object of spheres. Their numbers begin at *first_out. */
GRAZE_API graze_result graze_object_append_spheres(graze_scene *scene, graze_object object, graze_view positions,
                                                   graze_view radii, uint32_t *first_out);

/* Removes primitives. Their numbers remain unused, but removed numbers at the end are reused. If a number is listed
 * twice or is already removed, the result is GRAZE_INDEX_OUT_OF_RANGE and nothing is removed. */
GRAZE_API graze_result graze_object_remove_primitives(graze_scene *scene, graze_object object,
                                                      const uint32_t *primitives, size_t count);

/* ------------------------------------------------------------------------------------------------ object properties */

/* The calls of this section change nothing, need no update, and reflect every change at once. */

/* Returns whether the object is in the scene; false for NULL. */
GRAZE_API bool graze_object_is_valid(const graze_scene *scene, graze_object object);

/* Returns the number of objects in the scene; 0 for NULL. */
GRAZE_API size_t graze_scene_object_count(const graze_scene *scene);

/* Returns the object with the next higher number, the first one for an id of zeros, or an id of zeros after the last.
 * `previous` may have been removed. To visit all objects:
 *
 *     for (graze_object o = {0}; (o = graze_scene_next_object(scene, o)).generation != 0;) */
GRAZE_API graze_object graze_scene_next_object(const graze_scene *scene, graze_object previous);

/* Return whether pairs between two objects are excluded (false if one is not in the scene), and the number of
 * exclusions. */
GRAZE_API bool graze_scene_is_excluded(const graze_scene *scene, graze_object a, graze_object b);
GRAZE_API size_t graze_scene_exclusion_count(const graze_scene *scene);

/* Properties of an object. Zero-initialize it. */
typedef struct graze_object_info {
  size_t struct_bytes;
  graze_kind kind;
  graze_format format; /* format of the stored positions, GRAZE_FORMAT_FLOAT3 or GRAZE_FORMAT_DOUBLE3: a copy in this
                          format is lossless */
  size_t vertex_count;
  size_t primitive_count; /* including removed primitives; primitive numbers are below this */
  size_t live_count;      /* without removed primitives */
  graze_pose pose;        /* as set; by default the identity */
  uint64_t category, mask;
  bool self;
  bool global_numbers; /* this and the three numbers are as in graze_mesh_def. The numbers are 0 if it is false, or if
                          each primitive or vertex has its own number */
  uint32_t global_object, global_primitive, global_vertex;
  const char *name; /* borrowed until the object is removed; NULL: none */
  void *user_data;
} graze_object_info;

/* Fills the first struct_bytes bytes of the struct. Takes constant time. */
GRAZE_API graze_result graze_object_get_info(const graze_scene *scene, graze_object object,
                                             graze_object_info *info_out);

/* Returns the user_data pointer; NULL if there is no such object. */
GRAZE_API void *graze_object_user_data(const graze_scene *scene, graze_object object);

/* Copies positions [first, first + positions.count) of the object, in its own frame, before the pose, as
 * GRAZE_FORMAT_FLOAT3 (rounded to nearest) or GRAZE_FORMAT_DOUBLE3. Returns GRAZE_NOT_FINITE if a coordinate exceeds
 * the range of float, and GRAZE_UNSUPPORTED if only the device has the positions. Nothing is written on failure. */
GRAZE_API graze_result graze_object_get_positions(const graze_scene *scene, graze_object object, size_t first,
                                                  graze_output_view positions);

/* Copies positions after the pose. As doubles, they are exactly the coordinates that the exact tests use. */
GRAZE_API graze_result graze_object_get_posed_positions(const graze_scene *scene, graze_object object, size_t first,
                                                        graze_output_view positions);

/* Copies radii [first, first + radii.count) of an object of spheres, as GRAZE_FORMAT_FLOAT (rounded to nearest) or
 * GRAZE_FORMAT_DOUBLE. Failures are those of graze_object_get_positions. */
GRAZE_API graze_result graze_object_get_radii(const graze_scene *scene, graze_object object, size_t first,
                                              graze_output_view radii);

/* Copies the global numbers of primitives or vertices [first, first + count) of the object, or its own numbers if it
 * has no global numbers. */
GRAZE_API graze_result graze_object_get_global_primitives(const graze_scene *scene, graze_object object, size_t first,
                                                          size_t count, uint32_t *numbers_out);
GRAZE_API graze_result graze_object_get_global_vertices(const graze_scene *scene, graze_object object, size_t first,
                                                        size_t count, uint32_t *numbers_out);

/* Computes the bounding box of all vertices of the object after its pose, in exact coordinates. Linear in the number of
 * vertices. For spheres it bounds center - radius and center + radius, rounded outward, possibly to infinity. With no
 * vertices, the box extends from infinity to minus infinity. Fails as graze_object_get_posed_positions does, and if a
 * coordinate is not finite after the pose. */
GRAZE_API graze_result graze_object_get_box(const graze_scene *scene, graze_object object, double min_out[3],
                                            double max_out[3]);

/* Maps the two numbers of a primitive in a pair to the object and its own primitive number, as of the last update. The
 * scene must not have changed since. Either output may be NULL. */
GRAZE_API graze_result graze_scene_find_primitive(const graze_scene *scene, uint32_t object_number,
                                                  uint32_t primitive_number, graze_object *object_out,
                                                  uint32_t *primitive_out);

/* ------------------------------------------------------------------------------------------------ methods */

/* Sets the method of later queries. graze/methods.h declares the methods and their options. */
GRAZE_API graze_result graze_scene_set_method(graze_scene *scene, const graze_method_def *def);

/* Returns the method that queries of an updated scene use, and in *reason_out, if not NULL, a phrase with the reason.
 * "auto" selects "brute" for a handful of primitives, "tree" if recent updates have changed only poses and the objects
 * are not tiny, or if most objects share shapes, and otherwise "grid"; on a device it always selects "grid". If the
 * scene is not updated, returns "auto". Returns NULL for NULL. Both texts are static. */
GRAZE_API const char *graze_scene_method(const graze_scene *scene, const char **reason_out);

/* Selects the backend of later updates and queries; NULL: the processor. The scene then needs an update. Its objects,
 * ids, method and filters remain; pairs on a device are lost. If the scene already uses that device, only the stream
 * changes. Fails, without any change, where graze_scene_create would, and if the backend lacks an option of the method.
 *
 * After a device failure, use this call to continue on the processor. It frees the device memory, even if the device is
 * lost. Positions that only the device has (graze_object_set_device_positions) are downloaded. If that fails, the
 * message names the object; set all its positions with graze_object_set_positions. */
GRAZE_API graze_result graze_scene_set_backend(graze_scene *scene, const graze_backend_def *def);

/* ------------------------------------------------------------------------------------------------ a frame */

/* The pairs that a query finds; bits.
 *   between  pairs of primitives of two different objects
 *   within   pairs of primitives of one object */
#define GRAZE_SCOPE_LIST(X)                                                                                            \
  X(BETWEEN, 1, "between")                                                                                             \
  X(WITHIN, 2, "within")                                                                                               \
  X(BOTH, 3, "both")

typedef enum graze_scope {
#define GRAZE_SCOPE_ENUM(name, value, words) GRAZE_SCOPE_##name = value,
  GRAZE_SCOPE_LIST(GRAZE_SCOPE_ENUM)
#undef GRAZE_SCOPE_ENUM
} graze_scope;

/* The treatment of pairs of primitives of one object that share a vertex index.
 *   skip    they are never listed
 *   beyond  they are listed if they intersect beyond what they share: with one common vertex, if the opposite edge of
 *           one meets the other; with two, if they are coplanar and overlap; with three, never. Triangles that repeat
 *           an index are skipped within their object. Two polygons are listed if a triangle of one and a triangle of
 *           the other are. GRAZE_UNSUPPORTED for pairs within solids (tetrahedra, polyhedra, spheres) */
#define GRAZE_NEIGHBORS_LIST(X)                                                                                        \
  X(SKIP, 0, "skip")                                                                                                   \
  X(BEYOND, 1, "beyond")

typedef enum graze_neighbors {
#define GRAZE_NEIGHBORS_ENUM(name, value, words) GRAZE_NEIGHBORS_##name = value,
  GRAZE_NEIGHBORS_LIST(GRAZE_NEIGHBORS_ENUM)
#undef GRAZE_NEIGHBORS_ENUM
} graze_neighbors;

/* How pairs that include a tetrahedron or polyhedron, but no sphere, are tested. Both tests find the same pairs.
 *   sat  separating planes with exact signs; contacts have the least translation over the face normals and the cross
 *        products of edges
 *   gjk  the distance algorithm of Gilbert, Johnson and Keerthi, confirmed by exact signs, with sat as the fallback;
 *        contacts have depth and normal from the expanding polytope algorithm */
#define GRAZE_TEST_LIST(X)                                                                                             \
  X(SAT, 0, "sat")                                                                                                     \
  X(GJK, 1, "gjk")

typedef enum graze_test {
#define GRAZE_TEST_ENUM(name, value, words) GRAZE_TEST_##name = value,
  GRAZE_TEST_LIST(GRAZE_TEST_ENUM)
#undef GRAZE_TEST_ENUM
} graze_test;

typedef struct graze_query {
  size_t struct_bytes;
  graze_scope scope;         /* default GRAZE_SCOPE_BOTH */
  graze_neighbors neighbors; /* default GRAZE_NEIGHBORS_SKIP */
  graze_test test;           /* default GRAZE_TEST_SAT */
  bool candidates_only; /* lists pairs whose boxes intersect (in exact arithmetic), without testing the primitives */
  /* Restricts the query to objects. 0: all; 1: pairs with at least one primitive of about_a; 2: pairs of a primitive of
   * about_a and one of about_b, which may be the same object. The cost depends on what lies near these objects. */
  uint32_t about_count;
  graze_object about_a, about_b;
  /* Restricts the query to a closed box, which the exact boxes of both primitives must intersect. Its coordinates may
   * be infinite. The cost depends on what lies in the box. */
  bool in_box;
  double box_min[3], box_max[3];
  size_t pair_limit; /* 0: none. Otherwise only the first pair_limit pairs in sorted order are listed. This bounds
                        memory, not time, because all pairs are found; stop_after bounds both */
  size_t stop_after; /* 0: all pairs are found. Otherwise the call returns as soon as it has found that many, sorted;
                        which ones is unspecified. Cannot be combined with pair_limit */
  /* Cancels the call by returning true. The result is then GRAZE_STOPPED, and the list is empty. Called at least every
   * 10 ms, from any of the call's threads, one at a time. NULL: no cancellation. */
  bool (*should_stop)(void *stop_context);
  void *stop_context;
  /* Lists the pairs whose distance is at most the clearance, in units of the positions; default 0: pairs that
   * intersect. It must be finite and not negative. The decision is exact: a pair at exactly this distance is listed.
   * With candidates_only, lists the pairs whose boxes are at most the clearance apart along every axis. The clearance
   * does not enlarge the box of `in_box`. */
  double clearance;
  /* Within an object, a pair that does not intersect is listed only if its primitives are more than this many rings
   * apart along the mesh. Primitives that share a vertex are one ring apart, those that share a neighbor two, and so
   * on. Default 1, at most 64. 0 and 1 are equivalent, because neighbors have distance 0. Intersecting pairs are listed
   * as without a clearance; see `neighbors`. */
  size_t clearance_rings;
} graze_query;

/* A pair. Its numbers are those of the scene, or the global numbers of the objects (global_numbers). */
typedef struct graze_pair {
  uint32_t object_a, primitive_a, object_b, primitive_b; /* (object_a, primitive_a) < (object_b, primitive_b) */
} graze_pair;

/* The corner, edge or face of a primitive that a nearest point lies on. A diagonal of a face of more than three corners
 * is an edge. The corner of a sphere is its center; the point lies on its surface. */
typedef struct graze_feature {
  uint32_t vertex_count; /* 1: corner, 2: edge, 3: face; 0: none, because the primitives intersect */
  uint32_t vertices[3];  /* of the object; unused entries are 0 */
} graze_feature;

GRAZE_API void graze_query_init(void *query, size_t bytes);
static inline graze_query graze_query_default(void) {
  graze_query query;
  graze_query_init(&query, sizeof query);
  return query;
}

struct graze_list_memory; /* opaque: memory that a list owns */

/* A list of pairs, sorted by (object_a, primitive_a, object_b, primitive_b). Zero-initialize it. */
typedef struct graze_pairs {
  size_t struct_bytes;
  const graze_pair *pairs;
  size_t count;
  uint64_t hash;                  /* graze_pairs_hash of the list */
  bool limit_reached;             /* more pairs exist than the limit */
  const graze_timings *timings;   /* of this call and the update before it; NULL before the first call */
  const graze_counters *counters; /* like timings */
  struct graze_list_memory *memory;
} graze_pairs;

/* Frees the memory of the list, with the allocator of the scene that filled it, and zeroes the list. The scene may be
 * gone. NULL is allowed. */
GRAZE_API void graze_pairs_free(graze_pairs *pairs);

/* Applies all changes: evaluates poses, checks the input and computes bounds. Linear in vertices and primitives. */
GRAZE_API graze_result graze_scene_update(graze_scene *scene);

/* Finds all pairs that the query selects. A NULL query means the default. The methods "grid" and "brute" build their
 * search structure in this call; "tree" uses the trees of the last update, "clusters" its centers. On failure the list
 * is empty. */
GRAZE_API graze_result graze_scene_find_pairs(const graze_scene *scene, const graze_query *query, graze_pairs *pairs);

/* Determines whether there is a pair, and stops at the first one. *found_out is exact. Which pair is found depends on
 * the method and, for methods that keep state between frames, on earlier updates; never on threads. `pair`, if not
 * NULL, receives that pair or none. */
GRAZE_API graze_result graze_scene_any_pair(const graze_scene *scene, const graze_query *query, bool *found_out,
                                            graze_pairs *pair);

/* Two objects that touch, with the numbers that pairs use: object_a < object_b. The two numbers are equal for pairs
 * within one object. Objects with the same global_object are one. */
typedef struct graze_object_pair {
  uint32_t object_a, object_b;
} graze_object_pair;

/* The pairs of objects that touch, each listed once, sorted by (object_a, object_b). Zero-initialize it. */
typedef struct graze_object_pairs {
  size_t struct_bytes;
  const graze_object_pair *pairs;
  size_t count;
  uint64_t hash;      /* graze_pairs_hash of the same list with 0 for each primitive */
  bool limit_reached; /* more exist than the pair_limit */
  const graze_timings *timings;
  const graze_counters *counters; /* its `pairs` is the number of listed object pairs */
  struct graze_list_memory *memory;
} graze_object_pairs;

GRAZE_API void graze_object_pairs_free(graze_object_pairs *object_pairs); /* as graze_pairs_free */

/* Lists each pair of objects that has at least one pair of primitives for the query, and each object with a pair within
 * it. The method "tree" stops testing two objects as soon as it finds a pair. The methods "grid" and "clusters" skip
 * crowded primitives once their objects are known to touch all objects around them. "brute" and devices find all pairs
 * first. pair_limit and stop_after count object pairs. */
GRAZE_API graze_result graze_scene_find_object_pairs(const graze_scene *scene, const graze_query *query,
                                                     graze_object_pairs *object_pairs);

/* Frees the memory that the scene keeps for later frames. Objects, update and method remain. A scene keeps scratch
 * memory of slightly more than the largest use so far, so that similar frames allocate nothing; it never shrinks on its
 * own. Useful before smaller frames or a long pause: the next two frames allocate again. If the scene uses shared
 * workers that keep memory, the memory goes to them; see graze_workers_trim. NULL is allowed. */
GRAZE_API void graze_scene_trim(graze_scene *scene);

/* The 64-bit hash of a list: the sum over its pairs, modulo 2^64, of
 *
 *     fmix64(fmix64(a) + b * 0x9e3779b97f4a7c15)
 *
 * where a is object_a << 32 | primitive_a, b likewise, and fmix64 is the finalizer of MurmurHash3 (Appleby, 2008):
 *
 *     x = (x ^ x >> 33) * 0xff51afd7ed558ccd;
 *     x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53;
 *     x = x ^ x >> 33;
 *
 * An empty list has hash 0.
 *
 * The hash depends on the set of pairs, not on their order. The hashes of disjoint parts add up to the hash of the
 * whole, even across threads, devices and machines. */
GRAZE_API uint64_t graze_pairs_hash(const graze_pair *pairs, size_t count);

/* ------------------------------------------------------------------------------------------------ crowding: k-free */

/* The crowding of an object. The k of a primitive is one more than the number of other primitives of its object that
 * are at least as large (by the diameter d of the smallest enclosing ball) and come within d / 4 of it. The k of the
 * object is the largest. Two objects of n primitives together have at most bound_factor * n * k intersecting pairs; see
 * docs/theory/k_free.md. Zero-initialize it. */
typedef struct graze_crowding {
  size_t struct_bytes;
  graze_kind kind;
  uint32_t k;
  size_t primitive_count;                   /* without removed primitives */
  double mean, deviation;                   /* of k over the primitives */
  double neighbor_mean, neighbor_deviation; /* of the part of k that shares a vertex with the primitive */
  double smallest, largest;                 /* diameters of the smallest enclosing balls, excluding points */
  double height;                            /* log2(largest / smallest) */
  uint32_t levels;                          /* occupied levels of the grid */
  uint32_t bound_factor;                    /* proven for the kind */
  const uint32_t *k_of;                     /* k of each primitive; 0 for removed ones */
  const uint32_t *neighbors_of;             /* how many of k_of share a vertex with it */
  const double *diameter_of;                /* diameter of each primitive */
  size_t count;                             /* the length of these arrays */
  const graze_timings *timings;             /* of the stages shared with queries */
  const graze_counters *counters;           /* like timings */
  struct graze_list_memory *memory;
} graze_crowding;

GRAZE_API void graze_crowding_free(graze_crowding *crowding); /* as graze_pairs_free */

/* Measures the crowding of an object. A CUDA device returns the same numbers, bit for bit, even for positions on the
 * device. */
GRAZE_API graze_result graze_scene_measure_crowding(const graze_scene *scene, graze_object object,
                                                    graze_crowding *crowding);

/* ------------------------------------------------------------------------------------------------ costs of a frame */

/* Returns the timings and counters of the last update, with the current memory of the scene. Lists have their own
 * timings and counters. Zero-initialize the output. GRAZE_INVALID_ARGUMENT for NULL and for an impossible
 * struct_bytes. */
GRAZE_API graze_result graze_scene_get_timings(const graze_scene *scene, graze_timings *timings);
GRAZE_API graze_result graze_scene_get_counters(const graze_scene *scene, graze_counters *counters);

#ifdef __cplusplus
}
#endif

#include "graze/contacts.h"

#endif
