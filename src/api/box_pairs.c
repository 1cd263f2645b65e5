/* Boxes that meet; see box_pairs.h. */
#include "api/box_pairs.h"

enum { FEW_BOXES = 32 };

static graze_result compare_all(const exact_box *boxes, size_t count, const box_pairs_host *host, array *pairs) {
  for (uint32_t a = 0; a < count; a++)
    for (uint32_t b = a + 1; b < count; b++) {
      const index_pair pair = {a, b};
      if (exact_boxes_meet(&boxes[a], &boxes[b]) && !array_push(pairs, host->heap, &pair)) return GRAZE_OUT_OF_MEMORY;
    }
  return GRAZE_OK;
}

/* A box is represented by a triangle with the least corner once and the greatest corner twice. */
static graze_result add_boxes(graze_scene *scene, const exact_box *boxes, size_t count, uint32_t *triangles) {
  graze_mesh_def def = graze_mesh_def_default();
  graze_object object;
  for (size_t i = 0; i < count; i++) {
    triangles[3 * i] = (uint32_t)(2 * i);
    triangles[3 * i + 1] = triangles[3 * i + 2] = (uint32_t)(2 * i + 1);
  }
  def.positions = (graze_view){boxes, 2 * count, 0, GRAZE_FORMAT_DOUBLE3};
  def.triangles = (graze_view){triangles, count, 0, GRAZE_FORMAT_UINT32_3};
  const graze_result result = graze_scene_add_triangles(scene, &def, &object);
  return result == GRAZE_OK ? graze_scene_update(scene) : result;
}

static graze_result find_candidates(const graze_scene *scene, const box_pairs_host *host, array *pairs) {
  graze_query query = graze_query_default();
  graze_pairs found = {0};
  query.scope = GRAZE_SCOPE_WITHIN;
  query.candidates_only = true;
  query.should_stop = host->should_stop;
  query.stop_context = host->stop_context;
  graze_result result = graze_scene_find_pairs(scene, &query, &found);
  const size_t first = pairs->count;
  if (result == GRAZE_OK && !array_resize(pairs, host->heap, first + found.count)) result = GRAZE_OUT_OF_MEMORY;
  for (size_t i = 0; result == GRAZE_OK && i < found.count; i++)
    ARRAY_AS(index_pair, pairs)[first + i] = (index_pair){found.pairs[i].primitive_a, found.pairs[i].primitive_b};
  graze_pairs_free(&found);
  return result;
}

static graze_result find_by_scene(const exact_box *boxes, size_t count, const box_pairs_host *host, array *pairs) {
  graze_scene *scene;
  graze_scene_def def = graze_scene_def_default();
  def.allocator = host->allocator;
  def.workers = host->team;
  graze_result result = graze_scene_create(&def, &scene);
  if (result != GRAZE_OK) return result;
  uint32_t *triangles = memory_allocate(host->heap, 3 * count, sizeof *triangles);
  result = triangles != NULL ? add_boxes(scene, boxes, count, triangles) : GRAZE_OUT_OF_MEMORY;
  memory_release(host->heap, triangles, 3 * count, sizeof *triangles);
  if (result == GRAZE_OK) result = find_candidates(scene, host, pairs);
  graze_scene_destroy(scene);
  return result;
}

graze_result box_pairs_find(const exact_box *boxes, size_t count, const box_pairs_host *host, array *pairs_out) {
  return count <= FEW_BOXES ? compare_all(boxes, count, host, pairs_out) : find_by_scene(boxes, count, host, pairs_out);
}
