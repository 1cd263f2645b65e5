/* Numbers of vertices and primitives, sources of objects, volumes; see scene_numbers.h.
 *
 * Workload: one object of 10^7 primitives or 10^5 objects of ten. Numbers are assigned only after primitives or
 * vertices were added or removed, sources in every update. Every parallel region covers the whole scene. */
#include "scene/scene_numbers.h"

#include "base/workers.h"
#include "geometry/orientation.h"
#include "scene/object_exclusions.h"
#include "scene/object_numbers.h"
#include "scene/scene_failure.h"
#include "scene/scene_vertices.h"

#include <string.h>

/* ---------------------------------------------------------------------------------------------- parts of objects */

/* Workload: none, or all objects of a scene that holds slabs or shares of a larger one. Linear in the objects, and in
 * the exclusions if those have changed. */

void scene_release_parts(graze_scene *scene) {
  array_release(&scene->parts.vertices, &scene->memory);
  pair_set_release(&scene->parts.excluded, &scene->memory);
  scene->parts.excluded_version = 0;
}

/* Whether two consecutive rows of scene->by_number are parts of one object. Objects without primitives are not
 * parts. */
static bool are_parts_of_one(const graze_scene *scene, const numbered_object *before, const numbered_object *after) {
  if (before->count == 0 || after->count == 0 || before->object != after->object) return false;
  return scene_objects(scene)[before->slot].numbers.given && scene_objects(scene)[after->slot].numbers.given;
}

static graze_result fail_different(graze_scene *scene, const numbered_object *before, const numbered_object *after,
                                   const char *what) {
  const scene_object *objects = scene_objects(scene);
  return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "%s and %s are parts of global object %u, but differ in their %s",
                    scene_label(before->slot, objects[before->slot].name).text,
                    scene_label(after->slot, objects[after->slot].name).text, before->object, what);
}

/* Objects are ordered by their global numbers; one without a global number may be in between. */
static const numbered_object *next_part(const graze_scene *scene, size_t *i) {
  const numbered_object *rows = scene->by_number.data;
  while (*i < scene->by_number.count && (rows[*i].count == 0 || !scene_objects(scene)[rows[*i].slot].numbers.given))
    (*i)++;
  return *i < scene->by_number.count ? &rows[(*i)++] : NULL;
}

static graze_result mark_parts(graze_scene *scene, bool *some_out) {
  scene_object *objects = scene_objects(scene);
  size_t i = 0;
  const numbered_object *before = next_part(scene, &i);
  *some_out = false;
  for (const numbered_object *row; before != NULL && (row = next_part(scene, &i)) != NULL; before = row) {
    if (!are_parts_of_one(scene, before, row)) continue;
    scene_object *first = &objects[before->slot], *second = &objects[row->slot];
    if (first->elements.kind != second->elements.kind) return fail_different(scene, before, row, "kinds");
    if (first->rule.part_of == 0) first->rule.part_of = before->slot + 1;
    second->rule.part_of = first->rule.part_of;
    scene_point_exclusions(scene, before->slot);
    scene_point_exclusions(scene, row->slot);
    *some_out = true;
  }
  return GRAZE_OK;
}

static graze_result list_vertices(graze_scene *scene) {
  if (!array_resize(&scene->parts.vertices, &scene->memory, scene_object_slots(scene))) return scene_fail_memory(scene);
  for (size_t i = 0; i < scene_object_slots(scene); i++) {
    const object_numbers *numbers = &scene_objects(scene)[i].numbers;
    ARRAY_AS(part_vertices, &scene->parts.vertices)[i] = (part_vertices){numbers->vertices.data, numbers->vertex};
  }
  return GRAZE_OK;
}

/* Clears the parts. */
static void unmark_parts(graze_scene *scene) {
  for (size_t i = 0; i < scene_object_slots(scene); i++) {
    object_rule *rule = &scene_objects(scene)[i].rule;
    if (rule->part_of == 0) continue;
    rule->part_of = 0;
    scene_point_exclusions(scene, (uint32_t)i);
  }
}

graze_result scene_find_parts(graze_scene *scene) {
  /* The object that represents a whole may have changed, so modules with exclusions by these objects must fetch them
   * again. */
  if (scene_has_parts(scene)) scene->excluded.version++;
  scene_release_parts(scene);
  unmark_parts(scene);
  bool some = false;
  graze_result result = mark_parts(scene, &some);
  if (result == GRAZE_OK && some) result = list_vertices(scene);
  if (result == GRAZE_OK && some) scene->excluded.version++;
  return result;
}

/* ---------------------------------------------------------------------------------------------- every update */

static graze_result check_filters(graze_scene *scene) {
  size_t i = 0;
  const numbered_object *before = next_part(scene, &i);
  for (const numbered_object *row; before != NULL && (row = next_part(scene, &i)) != NULL; before = row) {
    if (!are_parts_of_one(scene, before, row)) continue;
    const object_rule *a = &scene_objects(scene)[before->slot].rule, *b = &scene_objects(scene)[row->slot].rule;
    if (a->category != b->category || a->mask != b->mask) return fail_different(scene, before, row, "filters");
    if (a->self != b->self) return fail_different(scene, before, row, "flags `self`");
  }
  return GRAZE_OK;
}

/* Collects the exclusions by the objects that represent all their parts. */
static graze_result name_exclusions(graze_scene *scene) {
  const pair_slots given = pair_set_slots(&scene->excluded.pairs);
  scene_parts *parts = &scene->parts;
  pair_set_release(&parts->excluded, &scene->memory);
  parts->excluded_version = 0;
  for (uint64_t i = 0; i < given.count; i++) {
    if (given.keys[i] == 0) continue;
    const index_pair pair = pair_slots_pair(given.keys[i]);
    const uint32_t a = scene_whole_of(scene, pair.a), b = scene_whole_of(scene, pair.b);
    if (!pair_set_add(&parts->excluded, &scene->memory, index_pair_in_order(a, b))) return scene_fail_memory(scene);
  }
  parts->excluded_version = scene->excluded.version;
  return GRAZE_OK;
}

graze_result scene_check_parts(graze_scene *scene) {
  const graze_result result = check_filters(scene);
  if (result != GRAZE_OK || scene->parts.excluded_version == scene->excluded.version) return result;
  return name_exclusions(scene);
}

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
                         .removed = object->removed.count > 0 ? object->removed.data : NULL,
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

/* Counts the primitives that repeat a vertex and are not removed. Triangles, the most common kind, skip the lookup of
 * corner counts and offsets, which saves a third of the time. */
static uint64_t number_triangles(const object_source *source, const object_range *range, primitive_header *headers) {
  const uint32_t vertex = source->first_vertex, *corner = source->corners + 3 * range->first;
  uint64_t repeated = 0;
  for (size_t i = range->first; i < range->end; i++, corner += 3) {
    const uint32_t a = corner[0], b = corner[1], c = corner[2];
    headers[i] = (primitive_header){{vertex + a, vertex + b, vertex + c}, range->object};
    repeated += ((a == b) | (b == c) | (c == a)) & !element_is_removed(source, i);
  }
  return repeated;
}

static uint64_t number_others(const object_source *source, const object_range *range, primitive_header *headers) {
  uint64_t repeated = 0;
  for (size_t i = range->first; i < range->end; i++) {
    const uint32_t primitive = source->first_primitive + (uint32_t)i;
    headers[i] = primitive_header_of(source, primitive, range->object);
    repeated += !element_is_removed(source, i) && primitive_repeats_vertex(source, primitive);
  }
  return repeated;
}

static uint64_t count_repeats(const object_source *source, const object_range *range) {
  uint64_t repeated = 0;
  for (size_t i = range->first; i < range->end; i++) {
    repeated +=
        !element_is_removed(source, i) && primitive_repeats_vertex(source, source->first_primitive + (uint32_t)i);
  }
  return repeated;
}

static uint64_t write_headers(const graze_scene *scene, const object_source *source, const object_range *range) {
  primitive_header *headers = scene->headers + source->first_primitive;
  return source->corner_count == 3 ? number_triangles(source, range, headers) : number_others(source, range, headers);
}

static uint64_t count_live(const object_source *source, const object_range *range) {
  uint64_t count = range->end - range->first;
  for (size_t i = range->first; source->removed != NULL && i < range->end; i++) count -= source->removed[i] != 0;
  return count;
}

static void number_range(void *context, size_t first, size_t end, uint32_t worker) {
  number_work *work = context;
  (void)worker;
  uint64_t count = 0, repeated = 0;
  object_walk walk = object_walk_begin(work->scene, false, first, end);
  for (object_range range; object_walk_next(&walk, &range);) {
    const object_source source = work->scene->sources[range.object];
    if (work->scene->headers != NULL)
      repeated += write_headers(work->scene, &source, &range);
    else if (source.shape == 0)
      repeated += count_repeats(&source, &range);
    else if (range.first == 0)
      repeated += scene_objects(work->scene)[range.object].shape->repeated_index;
    count += count_live(&source, &range);
  }
  atomic_fetch_add(&work->live_count, count);
  atomic_fetch_add(&work->repeated_index, repeated);
}

static void header_range(void *context, size_t first, size_t end, uint32_t worker) {
  const graze_scene *scene = context;
  (void)worker;
  object_walk walk = object_walk_begin(scene, false, first, end);
  for (object_range range; object_walk_next(&walk, &range);)
    write_headers(scene, &scene->sources[range.object], &range);
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
  scene->has_orientation = false;
  scene->unsupported = 0;
  scene->shared_count = 0;
  for (size_t i = 0; i < object_count; i++) {
    scene_object *object = &scene_objects(scene)[i];
    object->first_vertex = (uint32_t)vertex_count;
    object->first_primitive = (uint32_t)primitive_count;
    vertex_count += object->positions.count;
    primitive_count += object->elements.count;
    scene->shared_count += object->shape != NULL;
    scene->has_orientation = scene->has_orientation || kind_has_orientation(object->elements.kind);
    scene->unsupported = (uint16_t)(scene->unsupported | (SUPPORTS_ALL & ~kind_row_of(object->elements.kind).support));
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
  for (object_range range; object_walk_next(&walk, &range);) {
    const object_source source = work->scene->sources[range.object];
    if (!kind_has_orientation(source.kind)) continue;
    for (size_t i = range.first; i < range.end; i++) {
      if (element_is_removed(&source, i)) continue;
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

/* ---------------------------------------------------------------------------------------------- shapes */

void shape_retain(graze_shape *shape) {
  atomic_fetch_add(&shape->users, 1);
}

void shape_release(graze_shape *shape) {
  if (shape != NULL && atomic_fetch_sub(&shape->users, 1) == 1) shape->destroy(shape);
}

void object_share(scene_object *object, graze_shape *shape) {
  const scene_object *from = shape_object(shape);
  shape_retain(shape);
  object->shape = shape;
  object->is_double = from->is_double;
  object->positions = from->positions;
  object->radii = from->radii;
  object->elements = from->elements;
  object->local_box = from->local_box;
  object->has_local_box = from->has_local_box;
}

/* ---------------------------------------------------------------------------------------------- copies */

enum { SHARED_ARRAYS = 7 };

static void list_arrays(scene_object *object, array *arrays_out[SHARED_ARRAYS]) {
  object_elements *elements = &object->elements;
  array *const arrays[SHARED_ARRAYS] = {&object->positions,       &object->radii,
                                        &elements->corners,       &elements->corner_first,
                                        &elements->triangulation, &elements->triangulation_first,
                                        &elements->repeats};
  memcpy(arrays_out, arrays, sizeof arrays);
}

graze_result object_unshare(graze_scene *scene, uint32_t index) {
  scene_object *object = &scene_objects(scene)[index];
  if (object->shape == NULL) return GRAZE_OK;
  scene_object own = *object;
  array *arrays[SHARED_ARRAYS];
  list_arrays(&own, arrays);
  bool ready = true;
  for (int i = 0; i < SHARED_ARRAYS; i++) {
    const array from = *arrays[i];
    array_init(arrays[i], from.element_bytes);
    ready = ready && array_resize(arrays[i], &scene->memory, from.count);
    if (ready && from.count > 0) memcpy(arrays[i]->data, from.data, from.count * from.element_bytes);
  }
  if (!ready) {
    for (int i = 0; i < SHARED_ARRAYS; i++) array_release(arrays[i], &scene->memory);
    return scene_fail_memory(scene);
  }
  graze_shape *shape = object->shape;
  own.shape = NULL;
  *object = own;
  scene_point_source(scene, index);
  shape_release(shape);
  /* methods that shared its tree build one for it */
  scene_slots(scene)[index].changes |= CHANGED_TOPOLOGY;
  scene_slots(scene)[index].device_changes |= CHANGED_TOPOLOGY;
  scene->device_change_union |= CHANGED_TOPOLOGY;
  return GRAZE_OK;
}
