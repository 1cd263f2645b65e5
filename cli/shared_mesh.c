/* Meshes that objects share. */
#include "shared_mesh.h"

graze_result shared_mesh_add(shared_mesh *shared, graze_scene *scene, const char *name, const graze_pose *pose,
                             graze_object *object_out) {
  graze_object_def def = graze_object_def_default();
  graze_result result = GRAZE_OK;
  def.name = name;
  def.pose = pose;
  if (shared->shape == NULL) result = mesh_object_make_shape(&shared->mesh, name, &shared->shape);
  return result == GRAZE_OK ? graze_scene_add_shape(scene, shared->shape, &def, object_out) : result;
}

void shared_mesh_release_mesh(shared_mesh *shared) {
  mesh_free(&shared->mesh);
}

void shared_mesh_release(shared_mesh *shared) {
  shared_mesh_release_mesh(shared);
  graze_shape_destroy(shared->shape);
  shared->shape = NULL;
}
