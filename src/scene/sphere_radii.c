/* Radii of spheres; see sphere_radii.h. */
#include "scene/sphere_radii.h"

#include "scene/scene_failure.h"

#include <math.h>

/* Reports the first invalid radius. */
graze_result scene_check_radii(graze_scene *scene, const object_label *label, const graze_view *view, size_t first) {
  for (size_t i = 0; i < view->count; i++) {
    const double radius = view_read_number(view, i);
    if (!isfinite(radius))
      return scene_fail(scene, GRAZE_NOT_FINITE, "%s: the radius of sphere %zu is %g", label->text, first + i, radius);
    if (radius < 0.0)
      return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "%s: the radius of sphere %zu is %g; it must be 0 or more",
                        label->text, first + i, radius);
  }
  return GRAZE_OK;
}

graze_result scene_copy_radii(graze_scene *scene, const object_label *label, const graze_view *view, size_t first,
                              bool to_double, void *to) {
  const graze_result result = scene_check_radii(scene, label, view, first);
  for (size_t i = 0; i < view->count && result == GRAZE_OK; i++) {
    const double radius = fabs(view_read_number(view, i)); /* -0 becomes 0 */
    if (to_double)
      ((double *)to)[i] = radius;
    else
      ((float *)to)[i] = (float)radius;
  }
  return result;
}
