/* graze: shapes. A shape owns positions and primitives; any number of objects, in any number of scenes, share it.
 *
 *     graze_shape_def def = graze_shape_def_default();
 *     def.mesh = bolt;
 *     graze_shape_create(&def, &shape);
 *     for (size_t i = 0; i < count; i++) graze_scene_add_object(scene, shape, NULL, &objects[i]);
 *     graze_shape_destroy(shape);
 *
 * where `bolt` points to a graze_mesh_def. A scene needs memory and time for each shape, and some hundred bytes for
 * each object. The method "tree", which "auto" takes at once where most objects share shapes, has one tree for each
 * shape. The backend cuda holds one copy of the positions, the elements and the tree of each shape. Other methods, and
 * all methods of the backend cuda, also need memory for each primitive that is placed. Primitives are numbered by 32
 * bits wherever they are placed: an update refuses a scene with more. */
#ifndef GRAZE_SHAPE_H
#define GRAZE_SHAPE_H

#include "graze/graze.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct graze_shape graze_shape;

typedef struct graze_shape_def {
  size_t struct_bytes;
  const graze_mesh_def *mesh;       /* positions, elements, radii, and the name for messages are read; required */
  graze_kind kind;                  /* of the primitives; default GRAZE_KIND_TRIANGLE */
  uint32_t worker_count;            /* threads that build the tree where `workers` is NULL; default 1 */
  bool prepare_tree;                /* builds the tree now, so that no update has to; default true */
  graze_workers *workers;           /* that build the tree; kept until the shape ends; NULL: its own */
  const graze_allocator *allocator; /* NULL: the C library's; copied */
} graze_shape_def;

GRAZE_API void graze_shape_def_init(void *def, size_t bytes);
static inline graze_shape_def graze_shape_def_default(void) {
  graze_shape_def def;
  graze_shape_def_init(&def, sizeof def);
  return def;
}

/* What an object has of its own beside its shape; fields but the pose as in graze_mesh_def. */
typedef struct graze_object_def {
  size_t struct_bytes;
  const char *name;
  uint64_t category, mask;
  void *user_data;
  bool self;
  bool global_numbers;
  uint32_t global_object, global_primitive, global_vertex;
  const graze_pose *pose; /* where the object is placed, as in graze_object_set_pose; NULL: the identity; copied */
} graze_object_def;

GRAZE_API void graze_object_def_init(void *def, size_t bytes);
static inline graze_object_def graze_object_def_default(void) {
  graze_object_def def;
  graze_object_def_init(&def, sizeof def);
  return def;
}

/* Shapes may be made on several threads at the same time, and used by scenes of several threads. */
GRAZE_API graze_result graze_shape_create(const graze_shape_def *def, graze_shape **shape_out);

/* Ends the handle. The shape itself stays until the last object that shares it is gone. NULL is allowed. */
GRAZE_API void graze_shape_destroy(graze_shape *shape);

/* Places a shape in the scene as a new object; NULL for the definition means the default one. The first call that
 * changes positions, radii or primitives of the object gives it a copy of its own: graze_object_set_positions, insert,
 * erase, and the like. Its pose, filter and exclusions are its own anyway. */
GRAZE_API graze_result graze_scene_add_object(graze_scene *scene, graze_shape *shape, const graze_object_def *def,
                                              graze_object *object_out);

#ifdef __cplusplus
}
#endif

#endif
