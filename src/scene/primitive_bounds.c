/* Boxes and levels of the primitives that a query has to look at.
 *
 * When an object takes part only in pairs with others, what lies outside the common parts of their boxes cannot be in a
 * pair and is left out here, before anything is built: two meshes that touch at a corner cost little more than reading
 * them. */
#include "base/four_floats.h"
#include "broad/grid.h"
#include "scene/scene_internal.h"
#include "scene/shared_space.h"

#include <float.h>
#include <string.h>

enum {
  BOUNDS_GRAIN = 8192,
  REGION_OBJECTS = 1024 /* with more objects the quadratic search for common parts would cost more than it saves */
};

typedef struct bounds_lane {
  _Alignas(MEMORY_ALIGNMENT) size_t population[GRID_LEVEL_COUNT];
} bounds_lane;

typedef struct bounds_work {
  const graze_scene *scene;
  primitive_box *boxes;
  uint8_t *levels;
  bounds_lane *lanes;
} bounds_work;

/* The box and its longest side. */
static inline primitive_box box_of(const rounded_vertex *vertices, corner_list corners, float *longest_side_out) {
  four_floats low = four_floats_fill(FLT_MAX), high = four_floats_fill(-FLT_MAX);
  for (uint32_t i = 0; i < corners.count; i++) {
    const four_floats vertex = four_floats_load(&vertices[corners.vertices[i]].x);
    const four_floats error = four_floats_fill_last(vertex);
    low = four_floats_smaller(low, four_floats_subtract(vertex, error));
    high = four_floats_larger(high, four_floats_add(vertex, error));
  }
  float min[4], max[4], side[4];
  four_floats_store(min, low);
  four_floats_store(max, high);
  four_floats_store(side, four_floats_subtract(high, low));
  const float longer = side[0] > side[1] ? side[0] : side[1];
  *longest_side_out = longer > side[2] ? longer : side[2];
  return (primitive_box){{min[0], min[1], min[2]}, {max[0], max[1], max[2]}};
}

static void bounds_range(void *context, size_t first, size_t end, uint32_t worker) {
  const bounds_work *work = context;
  const graze_scene *scene = work->scene;
  size_t *population = work->lanes[worker].population;
  for (size_t i = first; i < end; i++) {
    if (work->levels[i] == LEVEL_NOT_SEARCHED) continue;
    float longest_side;
    const primitive_header *header = &scene->headers[i];
    const object_source *source = &scene->sources[header->object];
    work->boxes[i] =
        headers_have_all_corners(source)
            ? box_of(scene->rounded_vertices, (corner_list){header->corner, 3}, &longest_side)
            : box_of(scene->rounded_vertices + source->first_vertex, corners_of(source, (uint32_t)i), &longest_side);
    const uint8_t level = grid_level_of(longest_side);
    work->levels[i] = level;
    population[level]++;
  }
}

/* ---------------------------------------------------------------------------------------------- what is searched */

/* The box around the common parts of the object's box with those of all that it may meet; false when there are none. */
static bool common_region(const graze_scene *scene, const primitive_view *view, uint32_t index,
                          primitive_box *region_out) {
  const scene_object *objects = scene_objects(scene);
  bool any = false;
  for (uint32_t other = 0; other < scene->object_count; other++) {
    if (other == index || objects[other].elements.count == 0 || !objects_meet(view, index, other) ||
        !boxes_meet(&objects[index].box, &objects[other].box))
      continue;
    for (int axis = 0; axis < 3; axis++) {
      const float low = fmaxf(objects[index].box.min[axis], objects[other].box.min[axis]);
      const float high = fminf(objects[index].box.max[axis], objects[other].box.max[axis]);
      region_out->min[axis] = any ? fminf(region_out->min[axis], low) : low;
      region_out->max[axis] = any ? fmaxf(region_out->max[axis], high) : high;
    }
    any = true;
  }
  return any;
}

static void select_object(const graze_scene *scene, uint32_t index, bool takes_part, uint8_t *levels) {
  const scene_object *object = &scene_objects(scene)[index];
  const size_t count = object->elements.count;
  memset(levels + object->first_primitive, takes_part ? 0 : LEVEL_NOT_SEARCHED, count);
  const uint8_t *erased = object->erased.data;
  for (size_t i = 0; i < object->erased.count; i++)
    if (erased[i] != 0) levels[object->first_primitive + i] = LEVEL_NOT_SEARCHED;
}

/* Sets the level of every primitive to LEVEL_NOT_SEARCHED or to something else. */
static void select_primitives(const graze_scene *scene, const primitive_view *view, memory *heap, uint8_t *levels) {
  primitive_box region, all = {{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};
  bool only_between = scene->object_count <= REGION_OBJECTS;
  for (uint32_t i = 0; i < scene->object_count; i++) {
    if (scene_objects(scene)[i].elements.count == 0) continue;
    const bool within = objects_meet(view, i, i) || scene->object_count > REGION_OBJECTS;
    const bool between = !within && common_region(scene, view, i, &region);
    select_object(scene, i, within || between, levels);
    only_between = only_between && !within;
    for (int axis = 0; axis < 3 && between; axis++) {
      all.min[axis] = fminf(all.min[axis], region.min[axis]);
      all.max[axis] = fmaxf(all.max[axis], region.max[axis]);
    }
  }
  if (only_between && all.min[0] <= all.max[0]) shared_space_thin_out(scene, &all, heap, levels);
}

bool primitive_bounds_make(const graze_scene *scene, primitive_view *view, memory *heap, primitive_bounds *bounds_out) {
  const size_t count = scene->primitive_count;
  const uint32_t worker_count = workers_count(scene->workers);
  bounds_work work = {.scene = scene,
                      .boxes = memory_allocate(heap, count, sizeof(primitive_box)),
                      .levels = memory_allocate(heap, count, sizeof(uint8_t)),
                      .lanes = memory_allocate(heap, worker_count, sizeof(bounds_lane))};
  *bounds_out = (primitive_bounds){work.boxes, work.levels, count};
  const bool made = work.boxes != NULL && work.levels != NULL && work.lanes != NULL;
  if (made) {
    memset(work.lanes, 0, worker_count * sizeof *work.lanes);
    select_primitives(scene, view, heap, work.levels);
    workers_for(scene->workers, count, BOUNDS_GRAIN, bounds_range, &work);
    for (uint32_t i = 0; i < worker_count; i++)
      for (int level = 0; level < GRID_LEVEL_COUNT; level++)
        view->level_population[level] += work.lanes[i].population[level];
    view->boxes = work.boxes;
    view->levels = work.levels;
  } else {
    primitive_bounds_release(bounds_out, heap);
  }
  memory_release(heap, work.lanes, worker_count, sizeof *work.lanes);
  return made;
}

void primitive_bounds_release(primitive_bounds *bounds, memory *heap) {
  memory_release(heap, bounds->boxes, bounds->count, sizeof *bounds->boxes);
  memory_release(heap, bounds->levels, bounds->count, sizeof *bounds->levels);
  *bounds = (primitive_bounds){0};
}
