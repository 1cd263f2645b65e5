/* A mesh of a file as an object of a scene: the one place that knows which call takes which kind of mesh. */
#ifndef GRAZE_MESH_OBJECT_H
#define GRAZE_MESH_OBJECT_H

#include "mesh_io/mesh.h"

#include "graze/graze.h"
#include "graze/shape.h"

/* What the primitives of the object are: triangles where every polygon of the mesh is one. They are numbered as the
 * mesh numbers its elements (mesh_element_count). */
graze_kind mesh_object_kind(const mesh *part);

/* How positions are handed over: as they are, or each rounded to the nearest float. */
typedef enum mesh_precision { MESH_AS_DOUBLE, MESH_AS_FLOAT } mesh_precision;

/* Adds the mesh to the scene, which keeps a copy. `def` has the name, pose and filter of the object; its views are not
 * looked at. The scene has a message for every failure of its own, and none for GRAZE_OUT_OF_MEMORY in the making of
 * floats and lists of sizes. */
graze_result mesh_object_add_as(graze_scene *scene, const mesh *part, const graze_mesh_def *def,
                                mesh_precision precision, graze_object *object_out);

/* The same in double precision with the defaults. `name` is for error messages; NULL: none. */
graze_result mesh_object_add(graze_scene *scene, const mesh *part, const char *name, graze_object *object_out);

/* A shape of the mesh, in double precision. Its tree is left to the scenes: not all methods need one. */
graze_result mesh_object_make_shape(const mesh *part, const char *name, graze_shape **shape_out);

#endif
