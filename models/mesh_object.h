/* Adds a mesh of a file to a scene as an object: the only place that maps kinds of meshes to calls. */
#ifndef GRAZE_MESH_OBJECT_H
#define GRAZE_MESH_OBJECT_H

#include "mesh_io/mesh.h"

#include "graze/graze.h"
#include "graze/shape.h"

/* The kind of the primitives of the object: triangles if every polygon of the mesh is one. They are numbered as the
 * elements of the mesh (mesh_element_count). */
graze_kind mesh_object_kind(const mesh *part);

/* How positions are passed: unchanged, or rounded to the nearest float. */
typedef enum mesh_precision { MESH_AS_DOUBLE, MESH_AS_FLOAT } mesh_precision;

/* Adds the mesh to the scene, which keeps a copy. `def` provides the name, pose and filter of the object; its views are
 * ignored. The scene has a message for its own failures, but none for GRAZE_OUT_OF_MEMORY while floats and lists of
 * sizes are made. */
graze_result mesh_object_add_as(graze_scene *scene, const mesh *part, const graze_object_def *def,
                                mesh_precision precision, graze_object *object_out);

/* The same in double precision with the defaults. `name` is for error messages; NULL: none. */
graze_result mesh_object_add(graze_scene *scene, const mesh *part, const char *name, graze_object *object_out);

/* Makes a shape of the mesh, in double precision. Scenes build its tree when needed, because not all methods use
 * one. */
graze_result mesh_object_make_shape(const mesh *part, const char *name, graze_shape **shape_out);

#endif
