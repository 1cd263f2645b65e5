/* Numbers of vertices and primitives, sources of objects, volumes; see scene_numbers.h.
 *
 * Workload: one object of 10^7 primitives or 10^5 objects of ten. Numbers are assigned only after primitives or
 * vertices were added or removed, sources in every update. Every parallel region covers the whole scene. */
#include "scene/scene_numbers.h"

#include "base/first_touch.h"
#include "geometry/orientation.h"
#include "scene/object_numbers.h"
#include "scene/object_parts.h"
#include "scene/object_shape.h"
#include "scene/object_walk.h"
#include "scene/scene_failure.h"
#include "scene/scene_vertices.h"

enum { PRIMITIVE_GRAIN = 8192, OBJECT_GRAIN = 1024 };

/* ---------------------------------------------------------------------------------------------- arrays */

void scene_release_arrays(graze_scene *scene) {
  memory *heap = &scene->memory;
  memory_release(heap, scene->headers, scene->primitive_count, sizeof *scene->headers);
  memory_release(heap, scene->sources, scene->object_count, sizeof *scene->sources);
  memory_release(heap, scene->rules, scene->object_count, sizeof *scene->rules);
  rounded_scene_release(scene, heap, &scene->rounded);
  scene->headers = NULL;
  scene->sources = NULL;
  scene->rules = NULL;
  scene->vertex_count = scene->primitive_count = scene->object_count = 0;
}

/* Resizes the scene's arrays; their content is lost. When memory runs out, the recorded lengths match the arrays that
 * exist, and the next update, which still finds a changed topology, starts over. */
static graze_result size_arrays(graze_scene *scene, size_t vertex_count, size_t primitive_count, size_t object_count) {
  memory *heap = &scene->memory;
  scene_release_arrays(scene);
  scene->vertex_count = vertex_count;
  scene->primitive_count = primitive_count;
  scene->object_count = object_count;
  scene->sources = memory_allocate(heap, object_count, sizeof *scene->sources);
  scene->rules = memory_allocate(heap, object_count, sizeof *scene->rules);
  return scene->sources != NULL && scene->rules != NULL ? GRAZE_OK : scene_fail_memory(scene);
}

/* ---------------------------------------------------------------------------------------------- sources */

object_source scene_source_of(const graze_scene *scene, size_t index) {
  const scene_object *object = &scene_objects(scene)[index];
  return (object_source){.positions = object->device_positions == NULL ? object->positions.data : NULL,
                         .radii = object->radii.data,
                         .radii_are_double = object->radii.element_bytes == sizeof(double),
                         .pose = scene_slots(scene)[index].posed ? &scene_poses(scene)[index] : NULL,
                         .first_vertex = object->first_vertex,
                         .first_primitive = object->first_primitive,
                         .is_double = object->is_double,
                         .corner_count = kind_corner_count(object->elements.kind),
                         .kind = object->elements.kind,
                         .corners = object->elements.corners.data,
                         .corner_first = object->elements.corner_first.data,
                         .triangulation = object->elements.triangulation.data,
                         .triangulation_first = object->elements.triangulation_first.data,
                         .repeats = object->elements.repeats.data,
                         .erased = object->erased.count > 0 ? object->erased.data : NULL,
                         .primitive_count = (uint32_t)object->elements.count,
                         .shape = object->shape != NULL ? object->shape->id : 0,
                         .shape_forest = object->shape != NULL ? object->shape->forest : NULL};
}

void scene_point_source(graze_scene *scene, uint32_t index) {
  if (scene_is_numbered(scene)) scene->sources[index] = scene_source_of(scene, index);
}

static void point_range(void *context, size_t first, size_t end, uint32_t worker) {
  graze_scene *scene = context;
  (void)worker;
  for (size_t i = first; i < end; i++) {
    scene->sources[i] = scene_source_of(scene, i);
    scene->rules[i] = scene_objects(scene)[i].rule;
  }
}

void scene_point_sources(graze_scene *scene) {
  workers_for(scene->workers, scene->object_count, OBJECT_GRAIN, point_range, scene);
}

/* ---------------------------------------------------------------------------------------------- numbers */

typedef struct number_work {
  const graze_scene *scene;
  _Atomic(uint64_t) live_count, repeated_index; /* sums: the order of their terms does not matter */
} number_work;

/* Counts the primitives that repeat a vertex and are not erased. Triangles, the most common kind, skip the lookup of
 * corner counts and offsets, which saves a third of the time. */
static uint64_t number_triangles(const object_source *source, const object_part *part, primitive_header *headers) {
  const uint32_t vertex = source->first_vertex, *corner = source->corners + 3 * part->first;
  uint64_t repeated = 0;
  for (size_t i = part->first; i < part->end; i++, corner += 3) {
    const uint32_t a = corner[0], b = corner[1], c = corner[2];
    headers[i] = (primitive_header){{vertex + a, vertex + b, vertex + c}, part->object};
    repeated += ((a == b) | (b == c) | (c == a)) & (source->erased == NULL || source->erased[i] == 0);
  }
  return repeated;
}

static uint64_t number_others(const object_source *source, const object_part *part, primitive_header *headers) {
  uint64_t repeated = 0;
  for (size_t i = part->first; i < part->end; i++) {
    const uint32_t primitive = source->first_primitive + (uint32_t)i;
    headers[i] = primitive_header_of(source, primitive, part->object);
    const bool there = source->erased == NULL || source->erased[i] == 0;
    repeated += there && primitive_repeats_vertex(source, primitive);
  }
  return repeated;
}

static uint64_t count_repeats(const object_source *source, const object_part *part) {
  uint64_t repeated = 0;
  for (size_t i = part->first; i < part->end; i++) {
    const bool there = source->erased == NULL || source->erased[i] == 0;
    repeated += there && primitive_repeats_vertex(source, source->first_primitive + (uint32_t)i);
  }
  return repeated;
}

static uint64_t write_headers(const graze_scene *scene, const object_source *source, const object_part *part) {
  primitive_header *headers = scene->headers + source->first_primitive;
  return source->corner_count == 3 ? number_triangles(source, part, headers) : number_others(source, part, headers);
}

static uint64_t count_live(const object_source *source, const object_part *part) {
  uint64_t count = part->end - part->first;
  for (size_t i = part->first; source->erased != NULL && i < part->end; i++) count -= source->erased[i] != 0;
  return count;
}

static void number_range(void *context, size_t first, size_t end, uint32_t worker) {
  number_work *work = context;
  (void)worker;
  uint64_t count = 0, repeated = 0;
  object_walk walk = object_walk_begin(work->scene, false, first, end);
  for (object_part part; object_walk_next(&walk, &part);) {
    const object_source source = work->scene->sources[part.object];
    if (work->scene->headers != NULL)
      repeated += write_headers(work->scene, &source, &part);
    else if (source.shape == 0)
      repeated += count_repeats(&source, &part);
    else if (part.first == 0)
      repeated += scene_objects(work->scene)[part.object].shape->repeated_index;
    count += count_live(&source, &part);
  }
  atomic_fetch_add(&work->live_count, count);
  atomic_fetch_add(&work->repeated_index, repeated);
}

static void header_range(void *context, size_t first, size_t end, uint32_t worker) {
  const graze_scene *scene = context;
  (void)worker;
  object_walk walk = object_walk_begin(scene, false, first, end);
  for (object_part part; object_walk_next(&walk, &part);) write_headers(scene, &scene->sources[part.object], &part);
}

static graze_result allocate_headers(graze_scene *scene) {
  const size_t bytes = sizeof *scene->headers;
  scene->headers = memory_allocate(&scene->memory, scene->primitive_count, bytes);
  if (scene->headers == NULL) return scene_fail_memory(scene);
  first_touch(scene->workers, scene->headers, scene->primitive_count * bytes);
  return GRAZE_OK;
}

graze_result scene_make_headers(graze_scene *scene) {
  if (scene->headers != NULL) return GRAZE_OK;
  const graze_result result = allocate_headers(scene);
  if (result == GRAZE_OK) workers_for(scene->workers, scene->primitive_count, PRIMITIVE_GRAIN, header_range, scene);
  return result;
}

graze_result scene_number(graze_scene *scene) {
  size_t vertex_count = 0, primitive_count = 0;
  const size_t object_count = scene_object_slots(scene);
  scene->has_orientation = scene->has_solids = false;
  scene->shared_count = 0;
  for (size_t i = 0; i < object_count; i++) {
    scene_object *object = &scene_objects(scene)[i];
    object->first_vertex = (uint32_t)vertex_count;
    object->first_primitive = (uint32_t)primitive_count;
    vertex_count += object->positions.count;
    primitive_count += object->elements.count;
    scene->shared_count += object->shape != NULL;
    scene->has_orientation = scene->has_orientation || kind_has_orientation(object->elements.kind);
    scene->has_solids = scene->has_solids || kind_is_solid(object->elements.kind);
    if (vertex_count > SCENE_NUMBER_LIMIT || primitive_count > SCENE_NUMBER_LIMIT)
      return scene_fail(scene, GRAZE_TOO_LARGE,
                        "the scene has more than %zu vertices or primitives; each placement of a shape counts",
                        SCENE_NUMBER_LIMIT);
  }
  graze_result result = scene_choose_numbers(scene);
  if (result == GRAZE_OK) result = scene_find_parts(scene);
  if (result == GRAZE_OK) result = size_arrays(scene, vertex_count, primitive_count, object_count);
  if (result == GRAZE_OK && (scene->shared_count == 0 || scene->by_number.count > 0)) result = allocate_headers(scene);
  if (result != GRAZE_OK) return result;
  scene_point_sources(scene);
  number_work work = {.scene = scene};
  workers_for(scene->workers, primitive_count, PRIMITIVE_GRAIN, number_range, &work);
  scene->live_count = atomic_load(&work.live_count);
  scene->repeated_index = atomic_load(&work.repeated_index);
  scene->stamps.numbered = scene->stamps.topology;
  return GRAZE_OK;
}

/* ---------------------------------------------------------------------------------------------- volumes */

typedef struct volume_work {
  const graze_scene *scene;
  _Atomic(uint64_t) inverted, flat; /* sums: the order of their terms does not matter */
} volume_work;

static void volume_range(void *context, size_t first, size_t end, uint32_t worker) {
  volume_work *work = context;
  uint64_t inverted = 0, flat = 0;
  (void)worker;
  object_walk walk = object_walk_begin(work->scene, false, first, end);
  for (object_part part; object_walk_next(&walk, &part);) {
    const object_source source = work->scene->sources[part.object];
    if (!kind_has_orientation(source.kind)) continue;
    for (size_t i = part.first; i < part.end; i++) {
      if (source.erased != NULL && source.erased[i] != 0) continue;
      const uint32_t *corner = corners_of(&source, source.first_primitive + (uint32_t)i).vertices;
      double p[12];
      orientation_tally tally = {0};
      for (int k = 0; k < 4; k++) fetch_vertex(&source, corner[k], p + 3 * k);
      const int sign = orientation_3d(p, p + 3, p + 6, p + 9, &tally);
      inverted += sign < 0;
      flat += sign == 0;
    }
  }
  atomic_fetch_add(&work->inverted, inverted);
  atomic_fetch_add(&work->flat, flat);
}

void scene_count_volumes(graze_scene *scene) {
  scene->inverted_count = scene->flat_count = 0;
  if (!scene->has_orientation) return;
  volume_work work = {.scene = scene};
  workers_for(scene->workers, scene->primitive_count, PRIMITIVE_GRAIN, volume_range, &work);
  scene->inverted_count = atomic_load(&work.inverted);
  scene->flat_count = atomic_load(&work.flat);
}
