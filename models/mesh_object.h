/* A mesh of a file as an object of a scene: the one place that knows which call takes which kind of mesh. */
#ifndef GRAZE_MESH_OBJECT_H
#define GRAZE_MESH_OBJECT_H

#include "mesh_io/mesh.h"

#include "graze/graze.h"

/* What the primitives of the object are: triangles where every polygon of the mesh is one. */
graze_kind mesh_object_kind(const mesh *part);

/* How many primitives the object has; they are numbered as the mesh numbers its elements. */
size_t mesh_object_count(const mesh *part);

/* Adds the mesh to the scene, which keeps a copy. `name` is for error messages; NULL: none. The scene has a message
 * for every failure of its own, and none for GRAZE_OUT_OF_MEMORY in the making of lists of sizes. */
graze_result mesh_object_add(graze_scene *scene, const mesh *part, const char *name, graze_object *object_out);

#endif
