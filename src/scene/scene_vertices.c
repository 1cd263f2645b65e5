/* Poses, bounds, the normalization and rounding; see scene_vertices.h.
 *
 * Workload: all vertices twice an update, of one object or of 10^5. They are posed both times and never stored: three
 * multiplications and sums an axis cost less than 24 bytes written and read. Every parallel region covers all vertices,
 * split into tasks of at most VERTEX_GRAIN by number. */
#include "scene/scene_vertices.h"

#include "base/workers.h"
#include "broad/axis_map_choice.h"
#include "broad/primitive_box.h"
#include "scene/object_numbers.h"
#include "scene/scene_data.h"
#include "scene/scene_failure.h"

#include <float.h>
#include <math.h>

/* ---------------------------------------------------------------------------------------------- axis maps */

/* The piecewise linear map of coordinates of a badly spread scene, chosen by each update. */

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

/* Chooses between the normalized cube and a map of each axis. Sources must point at positions, and the cube must be
 * set. */
static graze_result scene_choose_axis_map(const graze_scene *scene, const vertex_bounds *bounds, memory *heap,
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

enum { VERTEX_GRAIN = 8192, OBJECT_GRAIN = 1024 };

typedef struct vertex_range {
  size_t first, end;
} vertex_range;

static uint32_t task_count(const graze_scene *scene) {
  const size_t grain = workers_grain(scene->vertex_count, VERTEX_GRAIN);
  return (uint32_t)((scene->vertex_count + grain - 1) / grain);
}

static vertex_range range_of_task(const graze_scene *scene, uint32_t task) {
  const size_t grain = workers_grain(scene->vertex_count, VERTEX_GRAIN);
  const size_t first = (size_t)task * grain, left = scene->vertex_count - first;
  return (vertex_range){first, first + (left < grain ? left : grain)};
}

/* As fetch_vertex; compiled for each type of input, so that loops branch only on data. */
static inline void pose_vertex(const object_source *source, bool is_double, bool posed, size_t vertex,
                               double position_out[3]) {
  double own[3];
  read_position(source->positions, is_double, vertex, own);
  if (posed)
    pose_position(source->pose, own, position_out);
  else
    for (int axis = 0; axis < 3; axis++) position_out[axis] = own[axis];
}

/* ---------------------------------------------------------------------------------------------- bounds */

static const vertex_bounds empty_bounds = {{DBL_MAX, DBL_MAX, DBL_MAX}, {-DBL_MAX, -DBL_MAX, -DBL_MAX}, true};

static inline void include_position(vertex_bounds *bounds, const double position[3]) {
  for (int axis = 0; axis < 3; axis++) {
    bounds->low[axis] = position[axis] < bounds->low[axis] ? position[axis] : bounds->low[axis];
    bounds->high[axis] = position[axis] > bounds->high[axis] ? position[axis] : bounds->high[axis];
  }
}

typedef struct bounds_work {
  const graze_scene *scene;
  vertex_bounds *bounds; /* a task each */
} bounds_work;

static inline void bounds_loop(const object_source *source, const object_range *range, bool is_double, bool posed,
                               vertex_bounds *bounds_out) {
  vertex_bounds bounds = *bounds_out;
  for (size_t i = range->first; i < range->end; i++) {
    double position[3];
    pose_vertex(source, is_double, posed, i, position);
    if (posed) bounds.finite = bounds.finite && position_is_finite(position);
    include_position(&bounds, position);
  }
  *bounds_out = bounds;
}

static void bounds_of_balls(const object_source *source, const object_range *range, vertex_bounds *bounds) {
  for (size_t i = range->first; i < range->end; i++) {
    double center[3], low[3], high[3];
    fetch_vertex(source, (uint32_t)i, center);
    bounds->finite = bounds->finite && position_is_finite(center);
    bound_ball(center, radius_at(source, (uint32_t)i), low, high);
    include_position(bounds, low);
    include_position(bounds, high);
  }
}

static void bounds_task(void *context, uint32_t task, uint32_t worker) {
  const bounds_work *work = context;
  (void)worker;
  const vertex_range own = range_of_task(work->scene, task);
  vertex_bounds bounds = empty_bounds;
  object_walk walk = object_walk_begin(work->scene, true, own.first, own.end);
  for (object_range range; object_walk_next(&walk, &range);) {
    const object_source source = work->scene->sources[range.object];
    if (source.radii != NULL)
      bounds_of_balls(&source, &range, &bounds);
    else if (source.pose != NULL)
      source.is_double ? bounds_loop(&source, &range, true, true, &bounds)
                       : bounds_loop(&source, &range, false, true, &bounds);
    else
      source.is_double ? bounds_loop(&source, &range, true, false, &bounds)
                       : bounds_loop(&source, &range, false, false, &bounds);
  }
  work->bounds[task] = bounds;
}

/* Reports the first coordinate of an object that is not finite; GRAZE_OK if all are finite. */
static graze_result check_object(const graze_scene *scene, uint32_t index) {
  const scene_object *object = &scene_objects(scene)[index];
  if (!scene_slots(scene)[index].posed) return GRAZE_OK; /* they were checked when they were set */
  for (size_t i = 0; i < object->positions.count; i++) {
    double position[3];
    fetch_vertex(&scene->sources[index], (uint32_t)i, position);
    for (int axis = 0; axis < 3; axis++)
      if (!isfinite(position[axis]))
        return scene_fail(scene, GRAZE_NOT_FINITE, "%s: coordinate %c of vertex %zu is %g after the pose",
                          scene_label(index, object->name).text, "xyz"[axis], i, position[axis]);
  }
  return GRAZE_OK;
}

static graze_result check_objects(const graze_scene *scene) {
  graze_result result = GRAZE_OK;
  for (uint32_t i = 0; i < scene->object_count && result == GRAZE_OK; i++) result = check_object(scene, i);
  return result;
}

static graze_result measure_bounds(const graze_scene *scene, vertex_bounds *bounds_out) {
  const uint32_t count = task_count(scene);
  memory *heap = scene_scratch(scene);
  const bounds_work work = {scene, memory_allocate(heap, count, sizeof(vertex_bounds))};
  if (work.bounds == NULL) return scene_fail_memory(scene);
  workers_run_by_shares(scene->workers, bounds_task, (void *)(uintptr_t)&work, count);
  vertex_bounds bounds = empty_bounds;
  for (uint32_t i = 0; i < count; i++) {
    bounds.finite = bounds.finite && work.bounds[i].finite;
    include_position(&bounds, work.bounds[i].low);
    include_position(&bounds, work.bounds[i].high);
  }
  memory_release(heap, work.bounds, count, sizeof(vertex_bounds));
  if (!bounds.finite) return check_objects(scene);
  *bounds_out = count > 0 ? bounds : (vertex_bounds){{0, 0, 0}, {0, 0, 0}, true};
  return GRAZE_OK;
}

/* ---------------------------------------------------------------------------------------------- rounding */

/* Boxes of objects that a task covers partly: at most the first and the last. */
typedef struct task_edges {
  uint32_t count;
  uint32_t object[2];
  primitive_box box[2];
} task_edges;

typedef struct round_work {
  const graze_scene *scene;
  rounded_scene *rounded;
  const axis_map *map; /* instead of the normalized cube; NULL: none */
  bool moves;
  task_edges *edges; /* a task each */
} round_work;

static const primitive_box empty_box = {{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};

static inline primitive_box round_loop(const round_work *work, const object_source *source, const object_range *range,
                                       bool is_double, bool posed, bool moves, bool mapped) {
  growing_box box = growing_box_empty();
  const normalizing_transform *normalization = &work->rounded->normalization;
  rounded_vertex *rounded_vertices = work->rounded->vertices + source->first_vertex;
  axis_place place = {{NULL, NULL, NULL}};
  if (mapped) place = axis_place_first(work->map);
  for (size_t i = range->first; i < range->end; i++) {
    double position[3];
    pose_vertex(source, is_double, posed, i, position);
    rounded_vertices[i] =
        mapped ? mapped_vertex_of(position, work->map, &place) : round_vertex(position, normalization, moves);
    growing_box_include(&box, &rounded_vertices[i]);
  }
  return growing_box_end(&box);
}

static primitive_box round_balls(const round_work *work, const object_source *source, const object_range *range) {
  primitive_box box = empty_box;
  for (size_t i = range->first; i < range->end; i++) {
    double center[3];
    fetch_vertex(source, (uint32_t)i, center);
    const double radius = radius_at(source, (uint32_t)i);
    const rounded_vertex ball = work->map != NULL
                                    ? mapped_ball_of(center, radius, work->map)
                                    : round_ball(center, radius, &work->rounded->normalization, work->moves);
    const float middle[3] = {ball.x, ball.y, ball.z};
    work->rounded->vertices[source->first_vertex + i] = ball;
    for (int axis = 0; axis < 3; axis++) {
      box.min[axis] = fminf(box.min[axis], middle[axis] - ball.error);
      box.max[axis] = fmaxf(box.max[axis], middle[axis] + ball.error);
    }
  }
  return box;
}

static inline primitive_box round_range(const round_work *work, const object_source *source, const object_range *range,
                                        bool posed, bool moves) {
  return source->is_double ? round_loop(work, source, range, true, posed, moves, false)
                           : round_loop(work, source, range, false, posed, moves, false);
}

static void round_task(void *context, uint32_t task, uint32_t worker) {
  const round_work *work = context;
  (void)worker;
  const vertex_range own = range_of_task(work->scene, task);
  task_edges *edges = &work->edges[task];
  edges->count = 0;
  object_walk walk = object_walk_begin(work->scene, true, own.first, own.end);
  for (object_range range; object_walk_next(&walk, &range);) {
    const object_source source = work->scene->sources[range.object];
    primitive_box box;
    if (source.radii != NULL)
      box = round_balls(work, &source, &range);
    else if (work->map != NULL)
      box = round_loop(work, &source, &range, source.is_double, source.pose != NULL, false, true);
    else if (source.pose != NULL)
      box = work->moves ? round_range(work, &source, &range, true, true)
                        : round_range(work, &source, &range, true, false);
    else
      box = work->moves ? round_range(work, &source, &range, false, true)
                        : round_range(work, &source, &range, false, false);
    if (range.whole) {
      work->rounded->object_boxes[range.object] = box;
    } else {
      edges->object[edges->count] = range.object;
      edges->box[edges->count++] = box;
    }
  }
}

static void empty_boxes(void *context, size_t first, size_t end, uint32_t worker) {
  const rounded_scene *rounded = context;
  (void)worker;
  for (size_t i = first; i < end; i++) rounded->object_boxes[i] = empty_box;
}

static void join_edges(rounded_scene *rounded, const task_edges *edges) {
  for (uint32_t i = 0; i < edges->count; i++) {
    primitive_box *box = &rounded->object_boxes[edges->object[i]];
    for (int axis = 0; axis < 3; axis++) {
      box->min[axis] = fminf(box->min[axis], edges->box[i].min[axis]);
      box->max[axis] = fmaxf(box->max[axis], edges->box[i].max[axis]);
    }
  }
}

static graze_result round_vertices(const graze_scene *scene, rounded_scene *rounded) {
  const uint32_t count = task_count(scene);
  memory *heap = scene_scratch(scene);
  const round_work work = {scene, rounded, rounded->mapped ? rounded->map : NULL,
                           normalization_moves(&rounded->normalization),
                           memory_allocate(heap, count, sizeof(task_edges))};
  if (work.edges == NULL) return scene_fail_memory(scene);
  workers_for(scene->workers, scene->object_count, OBJECT_GRAIN, empty_boxes, rounded);
  workers_run_by_shares(scene->workers, round_task, (void *)(uintptr_t)&work, count);
  for (uint32_t i = 0; i < count; i++) join_edges(rounded, &work.edges[i]);
  memory_release(heap, work.edges, count, sizeof(task_edges));
  return GRAZE_OK;
}

static graze_result make_room(const graze_scene *scene, memory *heap, rounded_scene *rounded) {
  if (rounded->vertices == NULL) {
    const size_t bytes = sizeof *rounded->vertices;
    rounded->vertices = memory_allocate(heap, scene->vertex_count, bytes);
    if (rounded->vertices != NULL) first_touch(scene->workers, rounded->vertices, scene->vertex_count * bytes);
  }
  if (rounded->object_boxes == NULL)
    rounded->object_boxes = memory_allocate(heap, scene->object_count, sizeof *rounded->object_boxes);
  return rounded->vertices != NULL && rounded->object_boxes != NULL ? GRAZE_OK : scene_fail_memory(scene);
}

graze_result scene_round(const graze_scene *scene, memory *heap, rounded_scene *rounded) {
  vertex_bounds bounds;
  graze_result result = make_room(scene, heap, rounded);
  if (result == GRAZE_OK) result = measure_bounds(scene, &bounds);
  if (result != GRAZE_OK) return result;
  rounded->normalization = choose_normalization(&bounds);
  result = scene_choose_axis_map(scene, &bounds, heap, rounded);
  return result == GRAZE_OK ? round_vertices(scene, rounded) : result;
}

graze_result scene_round_up(graze_scene *scene) {
  if (scene_is_rounded(scene)) return GRAZE_OK;
  const graze_result result = scene_round(scene, &scene->memory, &scene->rounded);
  if (result == GRAZE_OK) scene->stamps.rounded = scene->stamps.changed;
  return result;
}

void rounded_scene_release(const graze_scene *scene, memory *heap, rounded_scene *rounded) {
  memory_release(heap, rounded->vertices, scene->vertex_count, sizeof *rounded->vertices);
  memory_release(heap, rounded->object_boxes, scene->object_count, sizeof *rounded->object_boxes);
  memory_release(heap, rounded->map, 1, sizeof *rounded->map);
  *rounded = (rounded_scene){0};
}

/* ---------------------------------------------------------------------------------------------- checks of poses */

typedef struct pose_work {
  graze_scene *scene;
  _Atomic(bool) suspect; /* a corner of a box is not finite; never cleared */
} pose_work;

static bool corners_are_finite(const rigid_pose *pose, const exact_box *box) {
  bool finite = true;
  for (int corner = 0; corner < 8; corner++) {
    double own[3], position[3];
    for (int axis = 0; axis < 3; axis++) own[axis] = (corner >> axis & 1) != 0 ? box->max[axis] : box->min[axis];
    pose_position(pose, own, position);
    finite = finite && position_is_finite(position);
  }
  return finite;
}

/* In tasks of whole objects: a large deformed object is one task, which takes no longer than its copy did. */
static void pose_range(void *context, size_t first, size_t end, uint32_t worker) {
  pose_work *work = context;
  (void)worker;
  for (size_t i = first; i < end; i++) {
    scene_object *object = &scene_objects(work->scene)[i];
    const object_source *source = &work->scene->sources[i];
    if (!scene_slots(work->scene)[i].posed || object->positions.count == 0) continue;
    if (!object->has_local_box) {
      double position[3];
      read_position(source->positions, source->is_double, 0, position);
      object->local_box = exact_box_at(position);
      for (size_t vertex = 1; vertex < object->positions.count; vertex++) {
        read_position(source->positions, source->is_double, vertex, position);
        exact_box_include(&object->local_box, position);
      }
      object->has_local_box = true;
    }
    if (!corners_are_finite(&scene_poses(work->scene)[i], &object->local_box)) atomic_store(&work->suspect, true);
  }
}

graze_result scene_check_poses(graze_scene *scene) {
  pose_work work = {.scene = scene};
  workers_for(scene->workers, scene->object_count, OBJECT_GRAIN, pose_range, &work);
  return atomic_load(&work.suspect) ? check_objects(scene) : GRAZE_OK;
}

/* ---------------------------------------------------------------------------------------------- the view */

/* The view of a scene that methods receive.
 *
 * Workload: once per query and per update, linear in the objects. */

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
