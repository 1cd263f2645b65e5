/* The k-free measure of an object on the processor. */
#include "backend_cpu/cpu_crowding.h"

#include "backend_cpu/cpu_method.h"
#include "methods/method_table.h"
#include "scene/scene_failure.h"
#include "scene/scene_vertices.h"

/* With fewer primitives than this, brute force is faster than building a grid. */
enum { CROWDING_BRUTE_PRIMITIVES = 32 };

static graze_result measure_by(const graze_scene *scene, uint32_t index, const rounded_scene *rounded,
                               const primitive_header *headers, const crowding_counts *counts,
                               crowding_outcome *outcome_out) {
  const scene_object *object = &scene_objects(scene)[index];
  const size_t count = object->elements.count;
  const method *chosen = cpu_method_for(scene, count, CROWDING_BRUTE_PRIMITIVES);
  /* The boxes are larger than the primitives', so a method that builds its own boxes cannot be used. */
  if ((chosen->traits & METHOD_NEEDS_BOXES) == 0) chosen = &method_grid;
  const crowding_query query = {.source = scene->sources[index],
                                .headers = headers,
                                .rounded_vertices = rounded->vertices,
                                .removed = object->removed.count > 0 ? object->removed.data : NULL,
                                .count = count,
                                .scale = rounded->normalization.scale,
                                .map = rounded->mapped ? rounded->map : NULL,
                                .normalization = &rounded->normalization,
                                .method = chosen,
                                .options = {&scene->method_def},
                                .simd = scene->simd,
                                .memory = scene_scratch(scene),
                                .workers = scene->workers};
  return crowding_measure(&query, counts, outcome_out) ? GRAZE_OK : scene_fail_memory(scene);
}

/* If objects share shapes, the scene may have no headers: those of the object are built for the call. */
static graze_result measure_object(const graze_scene *scene, uint32_t index, const rounded_scene *rounded,
                                   const crowding_counts *counts, crowding_outcome *outcome_out) {
  const scene_object *object = &scene_objects(scene)[index];
  const size_t count = object->elements.count;
  if (scene->headers != NULL)
    return measure_by(scene, index, rounded, scene->headers + object->first_primitive, counts, outcome_out);
  memory *heap = scene_scratch(scene);
  primitive_header *headers = memory_allocate(heap, count, sizeof *headers);
  if (headers == NULL) return scene_fail_memory(scene);
  for (uint32_t i = 0; i < count; i++)
    headers[i] = primitive_header_of(&scene->sources[index], object->first_primitive + i, index);
  const graze_result result = measure_by(scene, index, rounded, headers, counts, outcome_out);
  memory_release(heap, headers, count, sizeof *headers);
  return result;
}

graze_result cpu_measure(const graze_scene *scene, uint32_t index, const crowding_counts *counts,
                         crowding_outcome *outcome_out) {
  if (scene_is_rounded(scene)) return measure_object(scene, index, &scene->rounded, counts, outcome_out);
  /* The scene's method needs no rounded vertices, so they are computed for this call. */
  memory *heap = scene_scratch(scene);
  rounded_scene rounded = {0};
  graze_result result = scene_round(scene, heap, &rounded);
  if (result == GRAZE_OK) result = measure_object(scene, index, &rounded, counts, outcome_out);
  rounded_scene_release(scene, heap, &rounded);
  return result;
}
