/* Boxes and levels of the triangles that a query has to look at.
 *
 * When an object takes part only in pairs with others, what lies outside the common parts of their boxes cannot be in a
 * pair and is left out here, before anything is built: two meshes that touch at a corner cost little more than reading
 * them. */
#include "broad/grid.h"
#include "scene/scene_internal.h"

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
  const scene_object *object;
  bool everything;      /* else only what meets the region */
  primitive_box region; /* in the frame */
  primitive_box *boxes;
  uint8_t *levels;
  bounds_lane *lanes;
} bounds_work;

static primitive_box triangle_box(const near_vertex *vertices, const uint32_t corner[3]) {
  const near_vertex a = vertices[corner[0]], b = vertices[corner[1]], c = vertices[corner[2]];
  const float low_a[3] = {a.x - a.error, a.y - a.error, a.z - a.error};
  const float low_b[3] = {b.x - b.error, b.y - b.error, b.z - b.error};
  const float low_c[3] = {c.x - c.error, c.y - c.error, c.z - c.error};
  const float high_a[3] = {a.x + a.error, a.y + a.error, a.z + a.error};
  const float high_b[3] = {b.x + b.error, b.y + b.error, b.z + b.error};
  const float high_c[3] = {c.x + c.error, c.y + c.error, c.z + c.error};
  primitive_box box;
  for (int axis = 0; axis < 3; axis++) {
    const float low = low_a[axis] < low_b[axis] ? low_a[axis] : low_b[axis];
    const float high = high_a[axis] > high_b[axis] ? high_a[axis] : high_b[axis];
    box.min[axis] = low < low_c[axis] ? low : low_c[axis];
    box.max[axis] = high > high_c[axis] ? high : high_c[axis];
  }
  return box;
}

static uint8_t box_level(const primitive_box *box) {
  const float x = box->max[0] - box->min[0], y = box->max[1] - box->min[1], z = box->max[2] - box->min[2];
  const float xy = x > y ? x : y;
  return grid_level_of(xy > z ? xy : z);
}

static void bounds_range(void *context, size_t first, size_t end, uint32_t worker) {
  const bounds_work *work = context;
  const graze_scene *scene = work->scene;
  const uint8_t *erased = work->object->erased.count > 0 ? work->object->erased.data : NULL;
  size_t *population = work->lanes[worker].population;
  for (size_t i = first; i < end; i++) {
    const size_t primitive = work->object->first_primitive + i;
    const primitive_box box = triangle_box(scene->near_vertices, scene->corners[primitive]);
    if ((erased != NULL && erased[i] != 0) || (!work->everything && !boxes_meet(&box, &work->region))) {
      work->levels[primitive] = LEVEL_NOT_SEARCHED;
      continue;
    }
    const uint8_t level = box_level(&box);
    work->boxes[primitive] = box;
    work->levels[primitive] = level;
    population[level]++;
  }
}

/* The box around the common parts of the object's box with those of all that it may meet; false when there are none. */
static bool common_region(const graze_scene *scene, const primitive_view *view, uint32_t index,
                          primitive_box *region_out) {
  const scene_object *objects = scene_objects(scene);
  bool any = false;
  for (uint32_t other = 0; other < scene->object_count; other++) {
    if (other == index || objects[other].triangles.count == 0 || !objects_meet(view, index, other) ||
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

static void bound_object(const graze_scene *scene, const primitive_view *view, uint32_t index, bounds_work *work) {
  work->object = &scene_objects(scene)[index];
  const size_t count = work->object->triangles.count;
  if (count == 0) return;
  work->everything = objects_meet(view, index, index) || (view->between && scene->object_count > REGION_OBJECTS);
  if (!work->everything && !common_region(scene, view, index, &work->region)) {
    memset(work->levels + work->object->first_primitive, LEVEL_NOT_SEARCHED, count);
    return;
  }
  workers_for(scene->workers, count, BOUNDS_GRAIN, bounds_range, work);
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
    for (uint32_t i = 0; i < scene->object_count; i++) bound_object(scene, view, i, &work);
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
