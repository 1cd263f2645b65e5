/* A mesh that is read once and placed by any number of objects, each with its own pose. */
#ifndef GRAZE_SHARED_MESH_H
#define GRAZE_SHARED_MESH_H

#include "models/mesh_object.h"

/* Zeroed: an empty mesh. */
typedef struct shared_mesh {
  mesh mesh;          /* owned */
  graze_shape *shape; /* of the mesh, after an object was added; owned */
} shared_mesh;

/* Adds an object to the scene. Scenes share the data of the mesh. `name` is for error messages. */
graze_result shared_mesh_add(shared_mesh *shared, graze_scene *scene, const char *name, const graze_pose *pose,
                             graze_object *object_out);

/* Releases only the mesh; objects can still be added if one was added before. */
void shared_mesh_release_mesh(shared_mesh *shared);
void shared_mesh_release(shared_mesh *shared);

#endif
