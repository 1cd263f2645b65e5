/* The piecewise linear map of coordinates of a badly spread scene, chosen by each update. */
#include "scene/scene_axis_map.h"

#include "broad/axis_map_choice.h"
#include "scene/scene_data.h"
#include "scene/scene_failure.h"

static void read_samples(const graze_scene *scene, axis_map_work *work, size_t first, size_t end) {
  for (size_t i = first; i < end; i++) {
    const uint32_t primitive = (uint32_t)axis_sample_primitive(scene->primitive_count, i),
                   object = scene_owner(scene, primitive);
    const primitive_header header = primitive_header_of(&scene->sources[object], primitive, object);
    const sampled_corner corner = axis_sample_corner(&header, i);
    const object_source *source = &scene->sources[corner.object];
    fetch_vertex(source, corner.vertex - source->first_vertex, work->sample[i]);
  }
}

graze_result scene_choose_axis_map(const graze_scene *scene, const vertex_bounds *bounds, memory *heap,
                                   rounded_scene *rounded) {
  memory *scratch = scene_scratch(scene);
  const size_t count = axis_sample_count(scene->primitive_count);
  graze_result result = GRAZE_OK;
  rounded->mapped = false;
  if (count == 0) return GRAZE_OK;
  axis_map_work *work = memory_allocate(scratch, 1, sizeof *work);
  if (work == NULL) return scene_fail_memory(scene);
  const size_t first_count = axis_first_samples(count);
  read_samples(scene, work, 0, first_count);
  const bool crowded = axis_sample_is_crowded(work, first_count, &rounded->normalization);
  if (crowded) read_samples(scene, work, first_count, count);
  if (crowded && axis_map_choose(work, count, &rounded->normalization, bounds)) {
    if (rounded->map == NULL) rounded->map = memory_allocate(heap, 1, sizeof *rounded->map);
    rounded->mapped = rounded->map != NULL;
    if (rounded->mapped) *rounded->map = work->map;
    if (!rounded->mapped) result = scene_fail_memory(scene);
  }
  memory_release(scratch, work, 1, sizeof *work);
  return result;
}
