/* graze: shapes. A shape owns positions and primitives, which any number of objects in any number of scenes can share.
 *
 *     graze_shape_def def = graze_shape_def_default();
 *     def.mesh = bolt;
 *     graze_shape_create(&def, &shape);
 *     for (size_t i = 0; i < count; i++) graze_scene_add_shape(scene, shape, NULL, &objects[i]);
 *     graze_shape_destroy(shape);
 *
 * Here `bolt` points to a graze_mesh_def. A scene needs memory and time for each shape, and a few hundred bytes for
 * each object. The method "tree" builds one tree per shape; "auto" selects it at once if most objects share shapes. The
 * backend cuda holds one copy of the positions, elements and tree of each shape. Other methods, and all methods of the
 * backend cuda, also need memory for each placed primitive. Placed primitives have 32-bit numbers: an update refuses a
 * scene with more. */
#ifndef GRAZE_SHAPE_H
#define GRAZE_SHAPE_H

#include "graze/graze.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct graze_shape graze_shape;

typedef struct graze_shape_def {
  size_t struct_bytes;
  const graze_mesh_def *mesh;       /* positions, elements, radii, and the name for messages; required */
  graze_kind kind;                  /* kind of the primitives; default GRAZE_KIND_TRIANGLE */
  uint32_t worker_count;            /* threads that build the tree if `workers` is NULL; default 1 */
  bool prepare_tree;                /* builds the tree now instead of in an update; default true */
  graze_workers *workers;           /* workers that build the tree; the shape keeps them alive; NULL: its own */
  const graze_allocator *allocator; /* NULL: the C library's; copied */
} graze_shape_def;

GRAZE_API void graze_shape_def_init(void *def, size_t bytes);
static inline graze_shape_def graze_shape_def_default(void) {
  graze_shape_def def;
  graze_shape_def_init(&def, sizeof def);
  return def;
}

/* Creates a shape. Several threads may create shapes at the same time, and use one shape in different scenes. */
GRAZE_API graze_result graze_shape_create(const graze_shape_def *def, graze_shape **shape_out);

/* Releases the handle. The shape exists until the last object that shares it is gone. NULL is allowed. */
GRAZE_API void graze_shape_destroy(graze_shape *shape);

/* Adds an object that places a shape. A NULL definition means the default. The first call that changes positions, radii
 * or primitives of the object (graze_object_set_positions and similar) gives it its own copy. Pose,
 * filter and exclusions always belong to the object. */
GRAZE_API graze_result graze_scene_add_shape(graze_scene *scene, graze_shape *shape, const graze_object_def *def,
                                             graze_object *object_out);

#ifdef __cplusplus
}
#endif

#endif
