/* Radii of spheres: checked and copied. */
#ifndef GRAZE_SCENE_SPHERE_RADII_H
#define GRAZE_SCENE_SPHERE_RADII_H

#include "base/view.h"
#include "scene/scene_failure.h"

/* Reports the first invalid radius. Numbers in the message start at `first`. */
graze_result scene_check_radii(graze_scene *scene, const object_label *label, const graze_view *view, size_t first);

/* Checks the radii and copies them to `to`, floats or doubles. */
graze_result scene_copy_radii(graze_scene *scene, const object_label *label, const graze_view *view, size_t first,
                              bool to_double, void *to);

#endif
