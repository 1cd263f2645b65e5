/* Adds objects from definitions that were read. */
#ifndef GRAZE_API_OBJECT_ADD_H
#define GRAZE_API_OBJECT_ADD_H

#include "scene/object_elements.h"

/* Adds an object. Its elements come from the mesh, whose views were checked, or from `cut`. */
graze_result scene_add_mesh(graze_scene *scene, graze_kind kind, const graze_mesh_def *mesh,
                            const graze_object_def *given_or_null, const cut_elements *cut_or_null,
                            graze_object *object_out);

#endif
