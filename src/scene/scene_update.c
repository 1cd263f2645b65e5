/* Update: poses applied, numbers given, the normalisation chosen, vertices rounded.
 *
 * Workload: all vertices once a frame; triangles only when some came or went. */
#include "base/float_environment.h"
#include "scene/device_backend.h"
#include "scene/object_numbers.h"
#include "scene/scene_internal.h"
#include "scene/scene_method.h"

#include "base/four_floats.h"
#include "base/timer.h"
#include "geometry/orientation.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { VERTEX_GRAIN = 8192 };

static vertex_bounds empty_bounds(void) {
  return (vertex_bounds){{DBL_MAX, DBL_MAX, DBL_MAX}, {-DBL_MAX, -DBL_MAX, -DBL_MAX}, true};
}

static void include_position(vertex_bounds *bounds, const double position[3]) {
  for (int axis = 0; axis < 3; axis++) {
    bounds->low[axis] = position[axis] < bounds->low[axis] ? position[axis] : bounds->low[axis];
    bounds->high[axis] = position[axis] > bounds->high[axis] ? position[axis] : bounds->high[axis];
  }
}

static void include_bounds(vertex_bounds *bounds, const vertex_bounds *more) {
  bounds->finite = bounds->finite && more->finite;
  if (more->low[0] > more->high[0]) return; /* of a worker that had nothing to do */
  include_position(bounds, more->low);
  include_position(bounds, more->high);
}

static void read_position(const void *positions, bool is_double, size_t vertex, double position_out[3]) {
  for (int axis = 0; axis < 3; axis++)
    position_out[axis] = is_double ? ((const double *)positions)[3 * vertex + axis]
                                   : (double)((const float *)positions)[3 * vertex + axis];
}

/* ---------------------------------------------------------------------------------------------- poses and bounds */

typedef struct pose_work {
  scene_object *object;
  vertex_bounds *bounds; /* a worker each: least and greatest do not depend on the order */
} pose_work;

static void pose_range(void *context, size_t first, size_t end, uint32_t worker) {
  const pose_work *work = context;
  const scene_object *object = work->object;
  vertex_bounds bounds = work->bounds[worker];
  for (size_t i = first; i < end; i++) {
    double position[3];
    read_position(object->positions.data, object->is_double, i, position);
    if (object->posed) {
      double *world = object->world + 3 * i;
      pose_position(object->rotation, object->translation, position, world);
      memcpy(position, world, sizeof position);
      bounds.finite = bounds.finite && position_is_finite(position);
    }
    include_position(&bounds, position);
  }
  work->bounds[worker] = bounds;
}

static graze_result fail_posed(graze_scene *scene, uint32_t index, const scene_object *object) {
  for (size_t i = 0; i < object->positions.count; i++)
    for (int axis = 0; axis < 3; axis++)
      if (!isfinite(object->world[3 * i + axis]))
        return scene_fail(scene, GRAZE_NOT_FINITE, "%s: coordinate %c of vertex %zu is %g after the pose",
                          scene_label(index, object->name).text, "xyz"[axis], i, object -> world[3 * i + axis]);
  return GRAZE_OK;
}

static graze_result pose_object(graze_scene *scene, uint32_t index, scene_object *object, vertex_bounds *bounds_out) {
  const size_t count = object->positions.count;
  memory *heap = &scene->memory;
  if (object->posed != (object->world != NULL) || object->world_count != count) {
    memory_release(heap, object->world, object->world_count, 3 * sizeof(double));
    object->world = object->posed ? memory_allocate(heap, count, 3 * sizeof(double)) : NULL;
    object->world_count = count;
    if (object->posed && object->world == NULL) return scene_fail_memory(scene);
  }
  const uint32_t worker_count = workers_count(scene->workers);
  pose_work work = {object, memory_allocate(&scene->scratch.heap, worker_count, sizeof(vertex_bounds))};
  if (work.bounds == NULL) return scene_fail_memory(scene);
  for (uint32_t i = 0; i < worker_count; i++) work.bounds[i] = empty_bounds();
  workers_for(scene->workers, count, VERTEX_GRAIN, pose_range, &work);
  *bounds_out = empty_bounds();
  for (uint32_t i = 0; i < worker_count; i++) include_bounds(bounds_out, &work.bounds[i]);
  memory_release(&scene->scratch.heap, work.bounds, worker_count, sizeof(vertex_bounds));
  return bounds_out->finite ? GRAZE_OK : fail_posed(scene, index, object);
}

/* ---------------------------------------------------------------------------------------------- normalisation */

typedef struct round_work {
  const void *positions;
  bool is_double;
  const normalising_transform *normalisation;
  const axis_map *map;              /* in place of the normalised cube; NULL: none */
  rounded_vertex *rounded_vertices; /* the object's part */
  primitive_box *boxes;             /* a worker each */
} round_work;

static primitive_box empty_box(void) {
  return (primitive_box){{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};
}

/* Compiled for each kind of input, so that the loop has no decisions but those of its data. */
static inline void round_loop(const round_work *work, size_t first, size_t end, bool is_double, bool moves, bool mapped,
                              primitive_box *box) {
  four_floats low = four_floats_fill(FLT_MAX), high = four_floats_fill(-FLT_MAX);
  axis_place place = {{NULL, NULL, NULL}};
  if (mapped) place = axis_place_first(work->map);
  for (size_t i = first; i < end; i++) {
    double position[3];
    read_position(work->positions, is_double, i, position);
    work->rounded_vertices[i] =
        mapped ? mapped_vertex_of(position, work->map, &place) : round_vertex(position, work->normalisation, moves);
    const four_floats vertex = four_floats_load(&work->rounded_vertices[i].x);
    const four_floats error = four_floats_fill_last(vertex);
    low = four_floats_smaller(low, four_floats_subtract(vertex, error));
    high = four_floats_larger(high, four_floats_add(vertex, error));
  }
  float min[4], max[4];
  four_floats_store(min, low);
  four_floats_store(max, high);
  for (int axis = 0; axis < 3; axis++) {
    box->min[axis] = fminf(box->min[axis], min[axis]);
    box->max[axis] = fmaxf(box->max[axis], max[axis]);
  }
}

static void round_range(void *context, size_t first, size_t end, uint32_t worker) {
  const round_work *work = context;
  const bool moves = normalisation_moves(work->normalisation);
  primitive_box *box = &work->boxes[worker];
  if (work->map != NULL)
    round_loop(work, first, end, work->is_double, false, true, box);
  else if (work->is_double)
    moves ? round_loop(work, first, end, true, true, false, box)
          : round_loop(work, first, end, true, false, false, box);
  else
    moves ? round_loop(work, first, end, false, true, false, box)
          : round_loop(work, first, end, false, false, false, box);
}

static graze_result round_object(graze_scene *scene, scene_object *object) {
  const size_t count = object->positions.count;
  const uint32_t worker_count = workers_count(scene->workers);
  round_work work = {.positions = object->posed ? (const void *)object->world : object->positions.data,
                     .is_double = object->posed || object->is_double,
                     .normalisation = &scene->normalisation,
                     .map = scene->mapped ? scene->map : NULL,
                     .rounded_vertices = scene->rounded_vertices + object->first_vertex,
                     .boxes = memory_allocate(&scene->scratch.heap, worker_count, sizeof(primitive_box))};
  if (work.boxes == NULL) return scene_fail_memory(scene);
  for (uint32_t i = 0; i < worker_count; i++) work.boxes[i] = empty_box();
  workers_for(scene->workers, count, VERTEX_GRAIN, round_range, &work);
  object->box = empty_box();
  for (uint32_t i = 0; i < worker_count; i++)
    for (int axis = 0; axis < 3; axis++) {
      object->box.min[axis] = fminf(object->box.min[axis], work.boxes[i].min[axis]);
      object->box.max[axis] = fmaxf(object->box.max[axis], work.boxes[i].max[axis]);
    }
  memory_release(&scene->scratch.heap, work.boxes, worker_count, sizeof(primitive_box));
  return GRAZE_OK;
}

/* ---------------------------------------------------------------------------------------------- numbers */

/* Gives the scene's arrays their lengths; their content is lost. When memory runs out the lengths hold all the same,
 * for those that are there, and the next update, finding the topology changed still, starts afresh. */
static graze_result size_arrays(graze_scene *scene, size_t vertex_count, size_t primitive_count, size_t object_count) {
  memory *heap = &scene->memory;
  memory_release(heap, scene->headers, scene->primitive_count, sizeof *scene->headers);
  memory_release(heap, scene->rounded_vertices, scene->vertex_count, sizeof *scene->rounded_vertices);
  memory_release(heap, scene->sources, scene->object_count, sizeof *scene->sources);
  memory_release(heap, scene->rules, scene->object_count, sizeof *scene->rules);
  memory_release(heap, scene->object_boxes, scene->object_count, sizeof *scene->object_boxes);
  scene->vertex_count = vertex_count;
  scene->primitive_count = primitive_count;
  scene->object_count = object_count;
  scene->headers = memory_allocate(heap, primitive_count, sizeof *scene->headers);
  scene->rounded_vertices = memory_allocate(heap, vertex_count, sizeof *scene->rounded_vertices);
  scene->sources = memory_allocate(heap, object_count, sizeof *scene->sources);
  scene->rules = memory_allocate(heap, object_count, sizeof *scene->rules);
  scene->object_boxes = memory_allocate(heap, object_count, sizeof *scene->object_boxes);
  if (scene->headers == NULL || scene->rounded_vertices == NULL || scene->sources == NULL || scene->rules == NULL ||
      scene->object_boxes == NULL)
    return scene_fail_memory(scene);
  return GRAZE_OK;
}

static object_source source_of(const scene_object *object) {
  return (object_source){.positions = object->posed ? (const void *)object->world : object->positions.data,
                         .first_vertex = object->first_vertex,
                         .first_primitive = object->first_primitive,
                         .is_double = object->posed || object->is_double,
                         .corner_count = kind_corner_count(object->elements.kind),
                         .kind = object->elements.kind,
                         .corners = object->elements.corners.data,
                         .corner_first = object->elements.corner_first.data,
                         .triangulation = object->elements.triangulation.data,
                         .triangulation_first = object->elements.triangulation_first.data,
                         .repeats = object->elements.repeats.data,
                         .erased = object->erased.count > 0 ? object->erased.data : NULL,
                         .primitive_count = (uint32_t)object->elements.count};
}

typedef struct number_work {
  const graze_scene *scene;
  const scene_object *object;
  object_source source;
  uint32_t index;
  _Atomic(uint64_t) live_count, repeated_index; /* sums: the order of their terms does not matter */
} number_work;

static void number_range(void *context, size_t first, size_t end, uint32_t worker) {
  number_work *work = context;
  (void)worker;
  const uint8_t *erased = work->object->erased.count > 0 ? work->object->erased.data : NULL;
  const uint32_t first_primitive = work->object->first_primitive;
  uint64_t count = 0, repeated = 0;
  for (size_t i = first; i < end; i++) {
    const uint32_t primitive = first_primitive + (uint32_t)i;
    work->scene->headers[primitive] = primitive_header_of(&work->source, primitive, work->index);
    const bool there = erased == NULL || erased[i] == 0;
    count += there;
    repeated += there && primitive_repeats_vertex(&work->source, primitive);
  }
  atomic_fetch_add(&work->live_count, count);
  atomic_fetch_add(&work->repeated_index, repeated);
}

static graze_result number_scene(graze_scene *scene) {
  size_t vertex_count = 0, primitive_count = 0;
  const size_t object_count = scene_object_slots(scene);
  for (size_t i = 0; i < object_count; i++) {
    scene_object *object = &scene_objects(scene)[i];
    object->first_vertex = (uint32_t)vertex_count;
    object->first_primitive = (uint32_t)primitive_count;
    vertex_count += object->positions.count;
    primitive_count += object->elements.count;
    if (vertex_count > SCENE_NUMBER_LIMIT || primitive_count > SCENE_NUMBER_LIMIT)
      return scene_fail(scene, GRAZE_TOO_LARGE, "the scene has more than %zu vertices or primitives",
                        SCENE_NUMBER_LIMIT);
  }
  graze_result result = scene_choose_numbers(scene);
  if (result == GRAZE_OK) result = size_arrays(scene, vertex_count, primitive_count, object_count);
  if (result != GRAZE_OK) return result;
  scene->live_count = scene->repeated_index = 0;
  for (size_t i = 0; i < object_count; i++) {
    const scene_object *object = &scene_objects(scene)[i];
    number_work work = {.scene = scene, .object = object, .source = source_of(object), .index = (uint32_t)i};
    workers_for(scene->workers, object->elements.count, VERTEX_GRAIN, number_range, &work);
    scene->live_count += atomic_load(&work.live_count);
    scene->repeated_index += atomic_load(&work.repeated_index);
  }
  return GRAZE_OK;
}

void scene_point_source(graze_scene *scene, uint32_t index) {
  if (scene->updated) scene->sources[index] = source_of(&scene_objects(scene)[index]);
}

static void point_sources(graze_scene *scene) {
  for (size_t i = 0; i < scene->object_count; i++) {
    scene->sources[i] = source_of(&scene_objects(scene)[i]);
    scene->rules[i] = scene_objects(scene)[i].rule;
    scene->object_boxes[i] = scene_objects(scene)[i].box;
  }
}

/* ---------------------------------------------------------------------------------------------- volumes */

typedef struct volume_work {
  const graze_scene *scene;
  const scene_object *object;
  object_source source;
  _Atomic(uint64_t) inverted, flat; /* sums: the order of their terms does not matter */
} volume_work;

static void volume_range(void *context, size_t first, size_t end, uint32_t worker) {
  volume_work *work = context;
  const uint8_t *erased = work->object->erased.count > 0 ? work->object->erased.data : NULL;
  uint64_t inverted = 0, flat = 0;
  (void)worker;
  for (size_t i = first; i < end; i++) {
    if (erased != NULL && erased[i] != 0) continue;
    const uint32_t *corner = corners_of(&work->source, work->source.first_primitive + (uint32_t)i).vertices;
    double p[12];
    orientation_tally tally = {0};
    for (int k = 0; k < 4; k++) fetch_vertex(&work->source, corner[k], p + 3 * k);
    const int sign = orientation_3d(p, p + 3, p + 6, p + 9, &tally);
    inverted += sign < 0;
    flat += sign == 0;
  }
  atomic_fetch_add(&work->inverted, inverted);
  atomic_fetch_add(&work->flat, flat);
}

/* Tetrahedra that are turned inside out or have no volume: legal, and worth knowing. */
static void count_volumes(graze_scene *scene) {
  scene->inverted_count = scene->flat_count = 0;
  for (size_t i = 0; i < scene->object_count; i++) {
    const scene_object *object = &scene_objects(scene)[i];
    if (!kind_has_orientation(object->elements.kind)) continue;
    volume_work work = {.scene = scene, .object = object, .source = scene->sources[i]};
    workers_for(scene->workers, object->elements.count, VERTEX_GRAIN, volume_range, &work);
    scene->inverted_count += atomic_load(&work.inverted);
    scene->flat_count += atomic_load(&work.flat);
  }
}

graze_counters scene_update_counters(const graze_scene *scene) {
  return (graze_counters){.primitives = scene->live_count,
                          .repeated_index = scene->repeated_index,
                          .inverted = scene->inverted_count,
                          .flat = scene->flat_count};
}

graze_result scene_update_on_host(graze_scene *scene) {
  graze_result result = GRAZE_OK;
  vertex_bounds bounds = empty_bounds();
  for (size_t i = 0; i < scene->object_count && result == GRAZE_OK; i++) {
    vertex_bounds object_bounds = empty_bounds();
    scene_object *object = &scene_objects(scene)[i];
    if (object->positions.count == 0) continue;
    result = pose_object(scene, (uint32_t)i, object, &object_bounds);
    include_bounds(&bounds, &object_bounds);
  }
  if (result != GRAZE_OK) return result;
  if (bounds.low[0] > bounds.high[0]) bounds = (vertex_bounds){{0, 0, 0}, {0, 0, 0}, true};
  scene->normalisation = choose_normalisation(&bounds);
  result = scene_choose_axis_map(scene, &bounds);
  for (size_t i = 0; i < scene->object_count && result == GRAZE_OK; i++)
    if (scene_objects(scene)[i].positions.count > 0) result = round_object(scene, &scene_objects(scene)[i]);
  if (result != GRAZE_OK) return result;
  point_sources(scene);
  count_volumes(scene);
  return scene_prepare_method(scene);
}

graze_result scene_catch_up(const graze_scene *scene_in) {
  if (!scene_in->host_behind) return GRAZE_OK;
  graze_scene *scene = (graze_scene *)(uintptr_t)scene_in; /* within a turn: nobody else looks at it */
  graze_result result = scene_device_check_host(scene);
  if (result == GRAZE_OK) result = scene_update_on_host(scene);
  scene->host_behind = result != GRAZE_OK;
  return result;
}

static graze_result update(graze_scene *scene, double *milliseconds_out) {
  if (scene->topology_changed) {
    const graze_result result = number_scene(scene);
    if (result != GRAZE_OK) return result;
    scene->device_stale = true;
  }
  scene->topology_changed = false;
  return scene->backend->update(scene, milliseconds_out);
}

graze_result graze_scene_update(graze_scene *scene) {
  GUARD_FLOAT_ENVIRONMENT();
  if (scene == NULL) return scene_fail_null("scene");
  scene_touch(scene, false);
  const graze_result result = update(scene, &scene->update_ms);
  scene->updated = result == GRAZE_OK;
  return result;
}
