/* clearance_rings on a device; see device_rings.h. A second query without a clearance finds the pairs that intersect,
 * so the host needs no coordinates. The rule is that of candidate_test.c.
 *
 * Workload: the pairs of a query with a clearance, in sequence. */
#include "backend_cuda/device_rings.h"

#include "base/pair_set.h"
#include "narrow/mesh_rings.h"
#include "scene/object_numbers.h"
#include "scene/scene_numbers.h"
#include "scene/scene_vertices.h"

bool query_thins_rings(const graze_query *query) {
  return query->clearance > 0.0 && query->clearance_rings > 1 && (query->scope & GRAZE_SCOPE_WITHIN) != 0 &&
         !query->candidates_only;
}

graze_query query_of_meeting_pairs(const graze_query *query) {
  graze_query plain = *query;
  plain.clearance = 0.0;
  plain.scope = GRAZE_SCOPE_WITHIN;
  return plain;
}

static bool collect(const graze_scene *scene, const graze_pair *pairs, size_t count, memory *heap, pair_set *set) {
  if (!pair_set_reserve(set, heap, count)) return false;
  for (size_t i = 0; i < count; i++) {
    index_pair numbers;
    if (scene_pair_numbers(scene, &pairs[i], &numbers) &&
        !pair_set_add(set, heap, index_pair_in_order(numbers.a, numbers.b)))
      return false;
  }
  return true;
}

static bool is_left_out(const graze_scene *scene, const mesh_rings *rings, const pair_set *meeting,
                        const graze_pair *pair) {
  index_pair numbers;
  if (!scene_pair_numbers(scene, pair, &numbers)) return false;
  const uint32_t object = scene_owner(scene, numbers.a);
  if (object != scene_owner(scene, numbers.b)) return false;
  if (share_corner(&rings->view->sources[object], numbers.a, numbers.b)) return false;
  return mesh_rings_reach(rings, 0, object, numbers.a, numbers.b) &&
         !pair_set_has(meeting, index_pair_in_order(numbers.a, numbers.b));
}

/* The scene's sources may not be those of the device's last update. */
static object_source *sources_of(const graze_scene *scene, memory *heap) {
  object_source *sources = memory_allocate(heap, scene->object_count, sizeof *sources);
  for (size_t i = 0; sources != NULL && i < scene->object_count; i++) sources[i] = scene_source_of(scene, i);
  return sources;
}

bool device_thin_rings(const graze_scene *scene, const graze_query *query, const graze_pair *meeting,
                       size_t meeting_count, graze_pair *pairs, size_t *count) {
  memory *heap = scene_scratch(scene);
  object_source *sources = sources_of(scene, heap);
  primitive_view view = scene_view(scene);
  view.sources = sources;
  pair_set set = {0};
  mesh_rings rings = {0};
  const bool made = sources != NULL && collect(scene, meeting, meeting_count, heap, &set) &&
                    mesh_rings_make(&rings, &view, query->clearance_rings, 1, heap);
  size_t kept = 0;
  for (size_t i = 0; made && i < *count; i++)
    if (!is_left_out(scene, &rings, &set, &pairs[i])) pairs[kept++] = pairs[i];
  *count = kept;
  mesh_rings_release(&rings, heap);
  pair_set_release(&set, heap);
  memory_release(heap, sources, scene->object_count, sizeof *sources);
  return made;
}
