/* graze: all intersecting pairs of primitives of a scene, exact, complete and deterministic.
 *
 * A scene owns copies of everything it is given. The course of a frame is
 *
 *     set positions or poses  ->  graze_scene_update  ->  graze_scene_find_pairs  ->  graze_scene_make_contacts
 *
 * What a host may hand in (memory, tasks, workers, a backend), result codes and the message of a failure are in
 * graze/host.h.
 *
 * Every call that can fail returns a graze_result; graze_error_text then holds one message that names the object, the
 * primitive and the value. A call that failed has changed nothing, and the scene can go on being used.
 *
 * Structs can grow: each that a caller makes begins with its size, `struct_bytes`, so that programs and libraries of
 * different versions work together. Fields are only ever appended. graze_view, graze_object and graze_pair never
 * change. One rule states how such a struct begins:
 *
 *   - What a call reads, a definition, options or a query, begins with its default maker, graze_..._default(), which
 * sets the size. A zeroed one is refused; the message names the maker. Bytes that the library does not know must be
 * zero.
 *   - What a call fills, an answer, begins zeroed: {0}. It never looks like a real answer then, nor after a failure: a
 *     list has NULL for its pointers, and other answers have 0 for struct_bytes until a call fills them. A zeroed
 * answer has the fields of 0.3.0; to get fields that were appended later, set struct_bytes to its size first. For such
 * a field 0 means that the library did not write it.
 *
 * Lists belong to the caller. Calls grow them and fill them again for the next frame, and one call frees each. They may
 * outlive the scene.
 *
 * Exactness needs round-to-nearest and subnormal numbers. A host may have set other rounding, flushing to zero or
 * traps, on the threads that call and on those that run tasks: each call and each task sets what it needs where that
 * differs, and puts the host's mode back.
 *
 * Thread-safety: different scenes may be used by different threads at the same time. Calls that take a const
 * graze_scene may be made on one scene by any number of threads at once, each with lists of its own, while no call
 * changes it. On a device they take turns. Beside the message of each thread's last failure the library has no global
 * state; it prints nothing and never ends the process. */
#ifndef GRAZE_GRAZE_H
#define GRAZE_GRAZE_H

#include "graze/costs.h"
#include "graze/host.h"
#include "graze/methods.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------------ scene and objects */

/* What a scene is made with. Take graze_scene_def_default() and change what you want. */
typedef struct graze_scene_def {
  size_t struct_bytes;              /* sizeof(graze_scene_def), set by the default maker */
  uint32_t worker_count;            /* as in graze_workers_def, as are threading and tasks; ignored where `workers` is
                                       given, as those are */
  graze_threading threading;        /* who runs the workers */
  const graze_backend_def *backend; /* NULL: the processor */
  const graze_allocator *allocator; /* NULL: the C library's; copied */
  const graze_task_system *tasks;   /* NULL: the library's own; copied, what it points to must outlive the scene */
  graze_workers *workers;           /* NULL: the scene's own, whose threads start at the first work. Else kept by the
                                       scene until its end */
} graze_scene_def;

typedef struct graze_scene graze_scene;

/* A value id. Objects are numbered from 0 in the order of their making; the lowest number of a removed object is used
 * again first, and `generation`, which begins at 1, tells the old id from the new. So an id of zeros is no object, and
 * every call refuses it: GRAZE_NO_SUCH_OBJECT. */
typedef struct graze_object {
  uint32_t index;
  uint32_t generation;
} graze_object;

/* What the primitives of an object are: name, value, word for one, word for many.
 *   triangle     three corners
 *   polygon      three or more corners in a ring, concave and slightly bent ones too: by definition the union of the
 *                corner count less two triangles into which it is cut when it is added, by its corners' places then
 *   tetrahedron  by definition the convex hull of its four corners; inverted and flat ones are legal and counted
 *   polyhedron   a convex cell given by its faces: by definition the convex hull of its corners
 *   sphere       a closed ball: all points no farther from the center than the radius, the inside too; of radius 0 a
 *                point */
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

/* The word for one or for many of a kind; never NULL. */
GRAZE_API const char *graze_kind_text(graze_kind kind, size_t count);

/* Whether primitives of the kind are filled, so that two of them share a volume; else they are surfaces. */
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

/* A borrowed, strided array: element i starts at data + i * stride_bytes. Read during the call only. Elements need no
 * alignment. Where the stride is negative `data` is still where element 0 starts, which then is the highest in memory,
 * as numpy has it for arrays that are reversed. */
typedef struct graze_view {
  const void *data;
  size_t count;
  ptrdiff_t stride_bytes; /* 0: tightly packed. Else, of two elements and more, no nearer to 0 than an element is large;
                             an array that would run around the end of the address space is refused */
  graze_format format;
} graze_view;

/* The same for what a call writes. */
typedef struct graze_output_view {
  void *data;
  size_t count;
  ptrdiff_t stride_bytes;
  graze_format format;
} graze_output_view;

/* Where an object is: x -> rotation * x + translation, evaluated in double precision as ((r0 x + r1 y) + r2 z) + t for
 * each coordinate. The rounded result is what the exact tests see. */
typedef struct graze_pose {
  double rotation[9]; /* row by row, orthonormal within 1e-6, with positive determinant */
  double translation[3];
} graze_pose;

static inline graze_pose graze_pose_identity(void) {
  const graze_pose pose = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};
  return pose;
}

/* The pose of a quaternion, in the order w, x, y, z. It need not be of unit length. Zero and a quaternion that is not
 * finite give a rotation of NaN: every call refuses that pose with GRAZE_NOT_A_ROTATION. */
GRAZE_API graze_pose graze_pose_from_quaternion(const double quaternion[4], const double translation[3]);

/* A mesh or soup of primitives of one kind: which views are read depends on the call that takes it. All indices are
 * into `positions`. Degenerate primitives are legal; so are zero primitives or vertices. Where a view of
 * GRAZE_FORMAT_UINT32, _3 or _4 is read, here and in other calls, the same integers of int32, int64 or uint64 are read
 * as well: GRAZE_FORMAT_UINT32 is the fastest to copy. A negative or too large index is GRAZE_INDEX_OUT_OF_RANGE. */
typedef struct graze_mesh_def {
  size_t struct_bytes;
  graze_view positions; /* GRAZE_FORMAT_FLOAT3 or GRAZE_FORMAT_DOUBLE3, finite */
  graze_view
      radii; /* add_spheres: GRAZE_FORMAT_FLOAT or GRAZE_FORMAT_DOUBLE, one for each position; finite, not negative */
  graze_view triangles;  /* add_triangles: GRAZE_FORMAT_UINT32_3 */
  graze_view tetrahedra; /* add_tetrahedra: GRAZE_FORMAT_UINT32_4 */
  graze_view corners; /* add_polygons, add_polyhedra: GRAZE_FORMAT_UINT32, the corners of the faces, face after face */
  graze_view
      face_sizes; /* add_polygons, add_polyhedra: GRAZE_FORMAT_UINT32, the number of corners of each face; 3 or more */
  graze_view cell_sizes; /* add_polyhedra: GRAZE_FORMAT_UINT32, the number of faces of each cell; 4 or more */
  /* In place of sizes, not with them: where the corners of each face, or the faces of each cell, begin, and the end.
   * GRAZE_FORMAT_UINT32, one more than there are faces or cells, ascending from 0 to the number of all corners or
   * faces. */
  graze_view face_starts;
  graze_view cell_starts;
  uint64_t category; /* bits of what this object is; default 1 */
  uint64_t mask;     /* bits of the categories it meets; default all. Two objects are tested against each other when
                        each one's category meets the other's mask */
  bool self;         /* whether pairs within the object are looked for by a query that asks for them; default true */
  /* Numbers that the object has in something larger of which the scene holds a part (a rank's share, a slab), where
   * global_numbers is true; default false. Pairs, contacts, wrenches and the hash then have `global_object` for the
   * object and `global_primitive` + i for its primitive i in place of the scene's numbers, and are ordered by them.
   * Objects may have the same global_object where their primitives' numbers differ; no two primitives may have both
   * numbers in common, of one object or of two, also with objects that have no global numbers: graze_scene_update
   * refuses that.
   * `global_vertex` is the number of vertex 0: kept for graze_object_get_info. Filters, scopes and vertices that
   * primitives share are those of the scene's own objects all the same: two slabs of one mesh are two objects, and
   * primitives along their border, whose common vertices each of them has, are pairs between the two. */
  bool global_numbers;
  uint32_t global_object, global_primitive, global_vertex;
  /* Where global_numbers is true, a number for each primitive or vertex, GRAZE_FORMAT_UINT32, in place of consecutive
   * ones from global_primitive or global_vertex: for spatial parts of a mesh. In any order. None: count 0. Such an
   * object takes no primitives, or vertices, in later. Numbers of vertices are kept for
   * graze_object_get_global_vertices; they may repeat. */
  graze_view global_primitives;
  graze_view global_vertices;
  const char *name; /* used in error messages; copied; NULL: none */
  void *user_data;  /* the caller's own: kept, never looked at; default NULL */
} graze_mesh_def;

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

/* Makes an empty scene; NULL for the definition means the default one. On failure *scene_out is NULL. */
GRAZE_API graze_result graze_scene_create(const graze_scene_def *def, graze_scene **scene_out);
GRAZE_API void graze_scene_destroy(graze_scene *scene); /* NULL is allowed */

GRAZE_API graze_result graze_scene_add_triangles(graze_scene *scene, const graze_mesh_def *def,
                                                 graze_object *object_out);
GRAZE_API graze_result graze_scene_add_polygons(graze_scene *scene, const graze_mesh_def *def,
                                                graze_object *object_out);
GRAZE_API graze_result graze_scene_add_tetrahedra(graze_scene *scene, const graze_mesh_def *def,
                                                  graze_object *object_out);

/* A cell that is not convex is GRAZE_NOT_CONVEX: a corner further outside of a face's plane than 1e-6 of the cell's
 * size, or faces that do not close. At most GRAZE_POLYHEDRON_CORNERS corners a cell. */
#define GRAZE_POLYHEDRON_CORNERS 64
GRAZE_API graze_result graze_scene_add_polyhedra(graze_scene *scene, const graze_mesh_def *def,
                                                 graze_object *object_out);

/* Sphere i has position i for its center and radius i; other views of indices are not read. */
GRAZE_API graze_result graze_scene_add_spheres(graze_scene *scene, const graze_mesh_def *def, graze_object *object_out);
GRAZE_API graze_result graze_scene_remove_object(graze_scene *scene, graze_object object);

/* Overwrites positions [first, first + positions.count) of the object, before its pose. Polygons keep the cut that they
 * were given; polyhedra stay the hulls of their corners, and whether they are still convex is not checked again. */
GRAZE_API graze_result graze_object_set_positions(graze_scene *scene, graze_object object, size_t first,
                                                  graze_view positions);

/* Overwrites radii [first, first + radii.count) of an object of spheres: GRAZE_FORMAT_FLOAT or GRAZE_FORMAT_DOUBLE. */
GRAZE_API graze_result graze_object_set_radii(graze_scene *scene, graze_object object, size_t first, graze_view radii);

/* Appends vertices and says where they begin. Spheres come with their radii: graze_object_insert_spheres. */
GRAZE_API graze_result graze_object_append_positions(graze_scene *scene, graze_object object, graze_view positions,
                                                     uint32_t *first_out);

/* Places the object. The next query needs an update. The identity keeps every bit. */
GRAZE_API graze_result graze_object_set_pose(graze_scene *scene, graze_object object, const graze_pose *pose);

/* As graze_object_set_pose for each of `count` objects: all of them or none. The message names the one that is refused.
 * Of several poses for one object the last counts. */
GRAZE_API graze_result graze_scene_set_poses(graze_scene *scene, const graze_object *objects, size_t count,
                                             const graze_pose *poses);

GRAZE_API graze_result graze_object_set_filter(graze_scene *scene, graze_object object, uint64_t category,
                                               uint64_t mask, bool self);

/* Excludes the pairs of two different objects from every query, until one of them is removed; false includes them
 * again. It is no error if it is so already. The next query needs an update. Constant time on average. */
GRAZE_API graze_result graze_scene_exclude(graze_scene *scene, graze_object a, graze_object b, bool excluded);

typedef struct graze_exclusion {
  graze_object a, b;
} graze_exclusion;

/* As graze_scene_exclude for each of `count` pairs: all of them or none. The message names the one that is refused. */
GRAZE_API graze_result graze_scene_exclude_pairs(graze_scene *scene, const graze_exclusion *pairs, size_t count,
                                                 bool excluded);
GRAZE_API graze_result graze_object_set_user_data(graze_scene *scene, graze_object object, void *user_data);

/* Appends triangles (GRAZE_FORMAT_UINT32_3) or tetrahedra (GRAZE_FORMAT_UINT32_4) to an object of that kind; their
 * numbers begin at *first_out. The numbers of other primitives never change. Objects of polygons and polyhedra take
 * their elements when they are made: GRAZE_UNSUPPORTED. */
GRAZE_API graze_result graze_object_insert(graze_scene *scene, graze_object object, graze_view elements,
                                           uint32_t *first_out);

/* Appends spheres to an object of them: centers, and a radius for each. Their numbers begin at *first_out. */
GRAZE_API graze_result graze_object_insert_spheres(graze_scene *scene, graze_object object, graze_view positions,
                                                   graze_view radii, uint32_t *first_out);

/* Takes primitives out. Their numbers stay unused, except that erased numbers at the end are given out again. Erasing a
 * number twice is GRAZE_INDEX_OUT_OF_RANGE, and then none is erased. */
GRAZE_API graze_result graze_object_erase(graze_scene *scene, graze_object object, const uint32_t *primitives,
                                          size_t count);

/* --------------------------------------------------------------------------------------------- asking about objects */

/* Calls of this section change nothing, need no update, and show every change at once. */

/* Whether the object is in the scene; false for NULL. */
GRAZE_API bool graze_object_is_valid(const graze_scene *scene, graze_object object);

/* Objects of the scene; 0 for NULL. */
GRAZE_API size_t graze_scene_object_count(const graze_scene *scene);

/* The object with the next higher number, an id of zeros past the last; after an id of zeros comes the first. The
 * previous one may have been removed since. All objects:
 *
 *     for (graze_object o = {0}; (o = graze_scene_next_object(scene, o)).generation != 0;) */
GRAZE_API graze_object graze_scene_next_object(const graze_scene *scene, graze_object previous);

/* Whether the pairs of two objects are excluded; false where one is not in the scene. The number of exclusions. */
GRAZE_API bool graze_scene_is_excluded(const graze_scene *scene, graze_object a, graze_object b);
GRAZE_API size_t graze_scene_exclusion_count(const graze_scene *scene);

/* What an object is. Zero-initialise it. */
typedef struct graze_object_info {
  size_t struct_bytes;
  graze_kind kind;
  graze_format
      format; /* GRAZE_FORMAT_FLOAT3 or GRAZE_FORMAT_DOUBLE3: how positions are kept, so that copying loses nothing */
  size_t vertex_count;
  size_t primitive_count; /* erased ones included: numbers of primitives are below this */
  size_t live_count;      /* erased ones left out */
  graze_pose pose;        /* as it was set; else the identity */
  uint64_t category, mask;
  bool self;
  bool global_numbers; /* as in graze_mesh_def, as are the three numbers; those are 0 where this is false, and that of
                          primitives or vertices where each has its own */
  uint32_t global_object, global_primitive, global_vertex;
  const char *name; /* borrowed until the object is removed; NULL: none */
  void *user_data;
} graze_object_info;

/* Fills as much of the struct as its struct_bytes says. In constant time. */
GRAZE_API graze_result graze_object_get_info(const graze_scene *scene, graze_object object,
                                             graze_object_info *info_out);

/* The caller's own pointer; NULL also where there is no such object. */
GRAZE_API void *graze_object_user_data(const graze_scene *scene, graze_object object);

/* Copies positions [first, first + positions.count) of the object, as they were given, before its pose:
 * GRAZE_FORMAT_FLOAT3, rounded to nearest, or GRAZE_FORMAT_DOUBLE3. A coordinate that a float cannot hold is
 * GRAZE_NOT_FINITE. GRAZE_UNSUPPORTED where the device alone has the positions. Nothing is written on failure. */
GRAZE_API graze_result graze_object_get_positions(const graze_scene *scene, graze_object object, size_t first,
                                                  graze_output_view positions);

/* The same after its pose: in doubles, the very coordinates that the exact tests see. */
GRAZE_API graze_result graze_object_get_posed_positions(const graze_scene *scene, graze_object object, size_t first,
                                                        graze_output_view positions);

/* Copies radii [first, first + radii.count) of an object of spheres: GRAZE_FORMAT_FLOAT, rounded to nearest, or
 * GRAZE_FORMAT_DOUBLE. As graze_object_get_positions otherwise. */
GRAZE_API graze_result graze_object_get_radii(const graze_scene *scene, graze_object object, size_t first,
                                              graze_output_view radii);

/* Copies the global numbers of primitives, or vertices, [first, first + count) of the object: the object's own numbers
 * where it has no global ones. */
GRAZE_API graze_result graze_object_get_global_primitives(const graze_scene *scene, graze_object object, size_t first,
                                                          size_t count, uint32_t *numbers_out);
GRAZE_API graze_result graze_object_get_global_vertices(const graze_scene *scene, graze_object object, size_t first,
                                                        size_t count, uint32_t *numbers_out);

/* The least box around all vertices of the object after its pose, in exact coordinates: linear in their number. That of
 * spheres holds center - radius and center + radius, rounded outward, at most to infinity. From infinity to minus
 * infinity where there is none. Refused as the copying of positions is, and where a coordinate is not
 * finite after the pose. */
GRAZE_API graze_result graze_object_get_box(const graze_scene *scene, graze_object object, double min_out[3],
                                            double max_out[3]);

/* The object and its own primitive that are meant by two numbers of a pair, as of the last update, which must be the
 * last change; either output may be NULL. */
GRAZE_API graze_result graze_scene_find_primitive(const graze_scene *scene, uint32_t object_number,
                                                  uint32_t primitive_number, graze_object *object_out,
                                                  uint32_t *primitive_out);

/* ------------------------------------------------------------------------------------------------ methods */

/* How the scene is searched from now on; graze/methods.h has the methods and their options. */
GRAZE_API graze_result graze_scene_set_method(graze_scene *scene, const graze_method_def *def);

/* The method by which queries of an updated scene are searched, and in *reason_out, where that is not NULL, one phrase
 * that says why. "auto" takes brute for a handful of primitives, tree where updates have only posed objects of some
 * size for a while, and else the grid; on a device it always takes the grid. Both texts stay for ever. "auto", and why,
 * where the scene is not updated; NULL for NULL. */
GRAZE_API const char *graze_scene_method(const graze_scene *scene, const char **reason_out);

/* Has updates and queries run by another backend from now on; NULL: the processor. The scene needs an update then; its
 * objects, ids, method and filters stay; pairs on a device are gone. Where the scene runs there already, its stream
 * changes and nothing else happens. Refused, with a message and nothing changed, as graze_scene_create would be, and
 * for an option of the method that the backend lacks.
 *
 * After a failure of a device this is how to go on on the processor; its memory is let go, also where it is lost.
 * Positions that only the device has (graze_object_set_device_positions) are fetched and are the object's own from then
 * on; where they cannot be fetched any more the message names the object, and graze_object_set_positions of all of
 * them helps. */
GRAZE_API graze_result graze_scene_set_backend(graze_scene *scene, const graze_backend_def *def);

/* ------------------------------------------------------------------------------------------------ a frame */

/* Which pairs a query is after; bits.
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

/* What becomes of primitives of one object that share a vertex index.
 *   skip    they are never a pair
 *   beyond  they are a pair when they meet beyond what they share: with one common vertex, when the opposite edge of
 *           one meets the other; with two, when they are coplanar and overlap; with three, never. Triangles that repeat
 *           an index take no part within their object. Polygons are a pair when one of the triangles of one and one of
 *           the other's are. GRAZE_UNSUPPORTED where solids (tetrahedra, polyhedra or spheres) are asked for pairs
 *           within */
#define GRAZE_NEIGHBORS_LIST(X)                                                                                        \
  X(SKIP, 0, "skip")                                                                                                   \
  X(BEYOND, 1, "beyond")

typedef enum graze_neighbors {
#define GRAZE_NEIGHBORS_ENUM(name, value, words) GRAZE_NEIGHBORS_##name = value,
  GRAZE_NEIGHBORS_LIST(GRAZE_NEIGHBORS_ENUM)
#undef GRAZE_NEIGHBORS_ENUM
} graze_neighbors;

/* How pairs of a tetrahedron or polyhedron with anything but a sphere are decided; other pairs have one test.
 *   sat  separating planes by exact signs; contacts have the least translation over the normals of faces and the
 *        products of edges
 *   gjk  by the distance of Gilbert, Johnson and Keerthi, whose answer counts where exact signs confirm it, and by sat
 *        elsewhere: the same pairs; contacts have depth and normal by expanding polytopes */
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
  bool candidates_only;      /* pairs whose boxes meet (in exact arithmetic), without the test of the primitives */
  /* What the query is about: 0 everything; 1 pairs with at least one primitive of about_a; 2 pairs of one primitive of
   * about_a and one of about_b, which may be the same object. The cost is that of what lies around these objects. */
  uint32_t about_count;
  graze_object about_a, about_b;
  /* Pairs in a closed box of space: the boxes of both primitives, in exact coordinates, meet it. Its coordinates may be
   * infinite. The cost is that of what lies in it. */
  bool in_box;
  double box_min[3], box_max[3];
  size_t pair_limit; /* 0: none. Else the first pair_limit pairs in sorted order: it bounds memory, not time, as all
                        pairs are found. stop_after bounds both */
  size_t stop_after; /* 0: all pairs are found. Else the call ends when it has found that many: any of them, sorted. Not
                        with a pair_limit */
  /* Stops the call: asked at least every 10 ms while it works, on any of its threads, on one at a time. When it
   * answers true the result is GRAZE_STOPPED and the list is empty. NULL: nothing stops it. */
  bool (*should_stop)(void *stop_context);
  void *stop_context;
  /* Lists the pairs whose distance is at most the clearance, in units of the positions; default 0: pairs that
   * intersect. It must be finite and not negative. The decision is exact: a pair at exactly this distance is listed.
   * With candidates_only, lists the pairs whose boxes are at most the clearance apart along every axis. The box of a
   * query `in_box` does not grow. */
  double clearance;
  /* Within an object, a pair that does not intersect is listed only if its primitives are more than this many rings
   * apart along the mesh. Primitives that share a vertex are one ring apart, those that share a neighbor two, and so
   * on. Default 1, at most 64. 0 and 1 are equivalent, because neighbors have distance 0. Pairs that intersect are
   * listed as without a clearance; see `neighbors`. */
  size_t clearance_rings;
} graze_query;

/* Numbers of objects and primitives: the scene's, or those that the objects were given (global_numbers). */
typedef struct graze_pair {
  uint32_t object_a, primitive_a, object_b, primitive_b; /* (object_a, primitive_a) < (object_b, primitive_b) */
} graze_pair;

GRAZE_API void graze_query_init(void *query, size_t bytes);
static inline graze_query graze_query_default(void) {
  graze_query query;
  graze_query_init(&query, sizeof query);
  return query;
}

struct graze_list_memory; /* what a list owns; the library's */

/* A list of pairs, sorted by (object_a, primitive_a, object_b, primitive_b). Zero-initialise it. */
typedef struct graze_pairs {
  size_t struct_bytes;
  const graze_pair *pairs;
  size_t count;
  uint64_t hash;                  /* graze_pairs_hash of the list */
  uint64_t limit_reached;         /* 1: there are more pairs than the limit; else 0 */
  const graze_timings *timings;   /* of the call that filled the list, and of the update before it; as are */
  const graze_counters *counters; /* the counters. NULL before the first */
  struct graze_list_memory *memory;
} graze_pairs;

/* Frees what the list owns, by the allocator of the scene that filled it, which may be gone; the list is then as a new
 * one. NULL is allowed. */
GRAZE_API void graze_pairs_free(graze_pairs *pairs);

/* Takes in all changes: applies poses, checks, and measures. Cost is linear in vertices and primitives. */
GRAZE_API graze_result graze_scene_update(graze_scene *scene);

/* Finds all pairs that the query asks for; NULL means the default query. The methods "grid" and "brute" build what they
 * need here, for this query; "tree" and "clusters" read what the last update has made. On failure the list is empty. */
GRAZE_API graze_result graze_scene_find_pairs(const graze_scene *scene, const graze_query *query, graze_pairs *pairs);

/* Stops at the first pair. Whether one is found is exact; which one it is depends on the method and, where that keeps
 * something from frame to frame, on earlier updates; never on threads.
 * `pair`, where it is not NULL, is a list as above, of one pair or none. */
GRAZE_API graze_result graze_scene_any_pair(const graze_scene *scene, const graze_query *query, bool *found_out,
                                            graze_pairs *pair);

/* Two objects that touch, by the numbers that pairs have: object_a < object_b, or the same twice where pairs within it
 * are found (also where several objects have the same global_object). */
typedef struct graze_object_pair {
  uint32_t object_a, object_b;
} graze_object_pair;

/* Which objects touch, each two of them once, sorted by (object_a, object_b). Zero-initialise it. */
typedef struct graze_object_pairs {
  size_t struct_bytes;
  const graze_object_pair *pairs;
  size_t count;
  uint64_t hash;          /* graze_pairs_hash of the same list with 0 for each primitive */
  uint64_t limit_reached; /* 1: there are more than the pair_limit; else 0 */
  const graze_timings *timings;
  const graze_counters *counters; /* `pairs` counts what is listed */
  struct graze_list_memory *memory;
} graze_object_pairs;

GRAZE_API void graze_object_pairs_free(graze_object_pairs *object_pairs); /* as graze_pairs_free */

/* Finds which objects touch: every two of which graze_scene_find_pairs would list a pair for the query, and each object
 * of which it would list one within. The method tree goes on to the next two as soon as it has found a pair of two
 * objects. The methods grid and clusters skip crowded primitives whose objects are known to touch all objects around
 * them. Devices and brute find all pairs first. pair_limit and stop_after count pairs of objects. */
GRAZE_API graze_result graze_scene_find_object_pairs(const graze_scene *scene, const graze_query *query,
                                                     graze_object_pairs *object_pairs);

/* Gives back the memory that the scene keeps for its next frame. Objects, update and method stay. A scene keeps scratch
 * memory as large as the most that its calls have needed at once and some hundredths more, so that frames like the ones
 * before allocate nothing; it never shrinks by itself. After a trim the next frame allocates what it needs, and the one
 * after that keeps scratch again: worth it when the frames to come are smaller, or far away. Where the scene's workers
 * keep memory it goes to them: see graze_workers_trim. NULL is allowed. */
GRAZE_API void graze_scene_trim(graze_scene *scene);

/* The 64-bit hash of a list: the sum over its pairs, modulo 2^64, of fmix64(fmix64(a) + b * 0x9e3779b97f4a7c15), with
 * a = object_a << 32 | primitive_a and b likewise, and fmix64 the finalizer of MurmurHash3 (Appleby, 2008): x becomes
 * (x ^ x >> 33) * 0xff51afd7ed558ccd, then (x ^ x >> 33) * 0xc4ceb9fe1a85ec53, then x ^ x >> 33. An empty list has 0.
 *
 * It tells which pairs there are and not in which order. So the hashes of parts add up to that of the whole, whoever
 * made them: threads, devices, machines. */
GRAZE_API uint64_t graze_pairs_hash(const graze_pair *pairs, size_t count);

/* ------------------------------------------------------------------------------------------------ crowding: k-free */

/* How crowded an object is. A primitive's k is one more than the number of other primitives of its object that are not
 * smaller than it (by the diameter d of the smallest enclosing ball) and come within d / 4 of it. The object's k is the
 * largest. Two objects of n primitives together have at most bound_factor * n * k intersecting pairs:
 * docs/theory/k_free.md. Zero-initialise it. */
typedef struct graze_crowding {
  size_t struct_bytes;
  graze_kind kind;
  uint32_t k;
  size_t primitive_count;                   /* those erased left out */
  double mean, deviation;                   /* of the primitives' k */
  double neighbor_mean, neighbor_deviation; /* of the part of k that shares a vertex with the primitive */
  double smallest, largest;                 /* diameters of the smallest enclosing balls; points left out */
  double height;                            /* log2 of their ratio */
  uint32_t levels;                          /* occupied levels of the grid */
  uint32_t bound_factor;                    /* by the kind: holds by proof */
  uint64_t paper_factor;                    /* 3, 7, 4 or 21, as published */
  const uint32_t *k_of;                     /* a primitive each, by number; 0 for those erased */
  const uint32_t *neighbors_of;             /* likewise: how many of k_of share a vertex with it */
  const double *diameter_of;                /* likewise */
  size_t count;                             /* of these arrays */
  const graze_timings *timings;             /* of stages that it has in common with a query, */
  const graze_counters *counters;           /* and numbers */
  struct graze_list_memory *memory;
} graze_crowding;

GRAZE_API void graze_crowding_free(graze_crowding *crowding); /* as graze_pairs_free */

/* On a CUDA device the same numbers come out, to the bit, and positions may be there. */
GRAZE_API graze_result graze_scene_measure_crowding(const graze_scene *scene, graze_object object,
                                                    graze_crowding *crowding);

/* ------------------------------------------------------------------------------------------------ what a frame cost */

/* What the last update took and counted, and the memory that the scene holds now; answers carry their own. The caller's
 * struct begins zeroed. GRAZE_INVALID_ARGUMENT for NULL and for a size that cannot be. */
GRAZE_API graze_result graze_scene_get_timings(const graze_scene *scene, graze_timings *timings);
GRAZE_API graze_result graze_scene_get_counters(const graze_scene *scene, graze_counters *counters);

#ifdef __cplusplus
}
#endif

#include "graze/contacts.h"

#endif
