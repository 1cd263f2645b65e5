/* The view of a scene that methods receive; see scene_view.h.
 *
 * Workload: once per query and per update, linear in the objects. */
#include "scene/scene_view.h"

primitive_view scene_view(const graze_scene *scene) {
  const rounded_scene *rounded = &scene->rounded;
  const bool is_rounded = scene_is_rounded(scene);
  primitive_view view = {.primitive_count = scene->primitive_count,
                         .vertex_count = scene->vertex_count,
                         .headers = scene->headers,
                         .rounded_vertices = is_rounded ? rounded->vertices : NULL,
                         .normalization = &rounded->normalization,
                         .slots = rounded->mapped ? axis_map_slots(rounded->map) : 0.0f,
                         .map = rounded->mapped ? rounded->map : NULL,
                         .sources = scene->sources,
                         .rules = scene->rules,
                         .excluded = scene_excluded(scene),
                         .parts = scene_has_parts(scene) ? scene->parts.vertices.data : NULL,
                         .object_boxes = is_rounded ? rounded->object_boxes : NULL,
                         .object_count = scene->object_count,
                         .between = true,
                         .within = true,
                         .only_triangles = true};
  for (size_t i = 0; i < scene->object_count; i++) {
    const object_rule *rule = &scene->rules[i];
    view.rules_differ =
        view.rules_differ || rule->category != 1 || (rule->mask & 1) == 0 || rule->excludes || rule->part_of != 0;
    view.only_triangles = view.only_triangles && kind_batch_of(scene->sources[i].kind) == BATCH_TRIANGLES;
  }
  return view;
}
