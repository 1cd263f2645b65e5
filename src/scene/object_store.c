/* Objects: making, finding, removing, and the checked copying of positions. */
#include "scene/object_numbers.h"
#include "scene/scene_internal.h"

#include "base/first_touch.h"
#include "base/float_environment.h"
#include "base/view.h"
#include "scene/definitions.h"

#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

graze_result scene_check_view(const graze_scene *scene, const graze_view *view, graze_format needed, const char *what) {
  (void)scene;
  return view_check(view, needed, what);
}

object_label scene_label(uint32_t index, const char *name_or_null) {
  object_label label;
  if (name_or_null != NULL)
    snprintf(label.text, sizeof label.text, "object %u (%.64s)", index, name_or_null);
  else
    snprintf(label.text, sizeof label.text, "object %u", index);
  return label;
}

static graze_result fail_coordinate(graze_scene *scene, const object_label *label, size_t vertex, int axis,
                                    double value) {
  return scene_fail(scene, GRAZE_NOT_FINITE, "%s: coordinate %c of vertex %zu is %g", label->text, "xyz"[axis], vertex,
                    value);
}

/* Positions on their way into an object, by all workers: a mesh is copied as fast as it is read. */
enum { COPY_GRAIN = 16384 };

typedef struct position_copy {
  const graze_view *view;
  bool to_double, plain; /* plain: of the same numbers and without gaps */
  void *to;
  atomic_bool not_finite; /* only ever set: the order of its writers does not matter */
} position_copy;

static position_copy position_copy_of(const graze_view *view, bool to_double, void *to) {
  position_copy copy = {.view = view, .to_double = to_double, .to = to};
  copy.plain = to_double == (view->format == GRAZE_DOUBLE3) && view_stride(view) == (ptrdiff_t)view_element_bytes(view);
  atomic_init(&copy.not_finite, false);
  return copy;
}

/* Without a way out of the loops, which is how most calls go through them anyway: vectors of numbers are compared. */
static bool floats_are_finite(const float *numbers, size_t count) {
  int finite = 1;
  for (size_t i = 0; i < count; i++) finite &= fabsf(numbers[i]) <= FLT_MAX;
  return finite != 0;
}

static bool doubles_are_finite(const double *numbers, size_t count) {
  int finite = 1;
  for (size_t i = 0; i < count; i++) finite &= fabs(numbers[i]) <= DBL_MAX;
  return finite != 0;
}

static bool places_are_finite(const graze_view *view, size_t first, size_t end) {
  const unsigned char *from = view_at(view, first);
  const ptrdiff_t stride = view_stride(view);
  int finite = 1;
  for (size_t i = first; i < end; i++, from += stride) {
    double value[3];
    view_read_place(from, view->format == GRAZE_DOUBLE3, value);
    finite &= (fabs(value[0]) <= DBL_MAX) & (fabs(value[1]) <= DBL_MAX) & (fabs(value[2]) <= DBL_MAX);
  }
  return finite != 0;
}

static void check_range(void *context, size_t first, size_t end, uint32_t worker) {
  position_copy *copy = context;
  const void *from = view_at(copy->view, first);
  (void)worker;
  const bool aligned = (uintptr_t)from % (copy->to_double ? sizeof(double) : sizeof(float)) == 0;
  const bool finite = !copy->plain || !aligned ? places_are_finite(copy->view, first, end)
                      : copy->to_double        ? doubles_are_finite(from, 3 * (end - first))
                                               : floats_are_finite(from, 3 * (end - first));
  if (!finite) atomic_store(&copy->not_finite, true);
}

static void copy_range(void *context, size_t first, size_t end, uint32_t worker) {
  const position_copy *copy = context;
  const unsigned char *from = view_at(copy->view, first);
  const ptrdiff_t stride = view_stride(copy->view);
  const bool is_double = copy->view->format == GRAZE_DOUBLE3;
  (void)worker;
  if (copy->plain) {
    const size_t bytes = view_element_bytes(copy->view);
    unsigned char *to = (unsigned char *)copy->to + first * bytes;
    if (to != from) memcpy(to, from, (end - first) * bytes); /* what a device brought is there already */
    return;
  }
  for (size_t i = first; i < end; i++, from += stride) {
    double value[3];
    view_read_place(from, is_double, value);
    for (int axis = 0; axis < 3; axis++) {
      if (copy->to_double)
        ((double *)copy->to)[3 * i + (size_t)axis] = value[axis];
      else
        ((float *)copy->to)[3 * i + (size_t)axis] = (float)value[axis];
    }
  }
}

static graze_result fail_positions(graze_scene *scene, const object_label *label, const graze_view *view,
                                   size_t first) {
  for (size_t i = 0; i < view->count; i++) {
    double value[3];
    view_read_place(view_at(view, i), view->format == GRAZE_DOUBLE3, value);
    for (int axis = 0; axis < 3; axis++)
      if (!isfinite(value[axis])) return fail_coordinate(scene, label, first + i, axis, value[axis]);
  }
  return GRAZE_OK;
}

graze_result scene_set_positions(graze_scene *scene, const object_label *label, const graze_view *view, size_t first,
                                 bool to_double, void *to) {
  position_copy copy = position_copy_of(view, to_double, to);
  workers_for(scene->workers, view->count, COPY_GRAIN, check_range, &copy);
  if (atomic_load(&copy.not_finite)) return fail_positions(scene, label, view, first);
  workers_for(scene->workers, view->count, COPY_GRAIN, copy_range, &copy);
  return GRAZE_OK;
}

/* Copied and checked in one pass: what is not finite never comes to be an object's. */
static void fill_range(void *context, size_t first, size_t end, uint32_t worker) {
  copy_range(context, first, end, worker);
  check_range(context, first, end, worker);
}

static graze_result fill_positions(graze_scene *scene, const object_label *label, const graze_view *view,
                                   scene_object *object) {
  array *positions = &object->positions;
  if (!array_resize(positions, &scene->memory, view->count)) return scene_fail_memory(scene);
  first_touch(scene->workers, positions->data, view->count * positions->element_bytes);
  position_copy copy = position_copy_of(view, object->is_double, positions->data);
  workers_for(scene->workers, view->count, COPY_GRAIN, fill_range, &copy);
  return atomic_load(&copy.not_finite) ? fail_positions(scene, label, view, 0) : GRAZE_OK;
}

void scene_object_release(graze_scene *scene, scene_object *object) {
  if (object->positions.element_bytes == 0) return; /* a slot that is empty */
  memory *heap = &scene->memory;
  memory_release(heap, object->name, object->name_bytes, 1);
  array_release(&object->positions, heap);
  array_release(&object->radii, heap);
  object_elements_release(&object->elements, heap);
  array_release(&object->erased, heap);
  *object = (scene_object){0};
}

scene_object *scene_peek_object(const graze_scene *scene, graze_object id) {
  if (id.index >= scene_object_slots(scene)) return NULL;
  const object_slot *slot = &scene_slots(scene)[id.index];
  return slot->alive && slot->generation == id.generation ? &scene_objects(scene)[id.index] : NULL;
}

scene_object *scene_find_object(const graze_scene *scene, graze_object id) {
  scene_object *object = scene_peek_object(scene, id);
  if (object != NULL) return object;
  if (id.generation == 0)
    scene_fail(scene, GRAZE_NO_SUCH_OBJECT,
               "an id of generation 0, as one of zeros, is no object (%u): take the id from the call that adds it",
               id.index);
  else if (id.index < scene_object_slots(scene))
    scene_fail(scene, GRAZE_NO_SUCH_OBJECT, "object %u of generation %u is not in the scene", id.index, id.generation);
  else
    scene_fail(scene, GRAZE_NO_SUCH_OBJECT, "there is no object %u; the scene has made %zu", id.index,
               scene_object_slots(scene));
  return NULL;
}

/* The last update's view is told where poses are now: the call that has moved them may yet be refused, and the scene
 * then goes on answering. */
static void point_at_poses(graze_scene *scene) {
  if (!scene_is_updated(scene)) return;
  for (size_t i = 0; i < scene->object_count; i++)
    if (scene->sources[i].pose != NULL) scene->sources[i].pose = &scene_poses(scene)[i];
}

/* Room for as many poses as objects. */
static bool reserve_poses(graze_scene *scene) {
  const size_t before = scene->poses.capacity;
  if (!array_reserve(&scene->poses, scene->pose_heap, scene->objects.capacity)) return false;
  if (scene->poses.capacity != before) point_at_poses(scene);
  return true;
}

bool scene_move_poses(graze_scene *scene, memory *heap) {
  array moved;
  array_init(&moved, sizeof(rigid_pose));
  if (!array_reserve(&moved, heap, scene->poses.capacity)) return false;
  if (scene->poses.count > 0) memcpy(moved.data, scene->poses.data, scene->poses.count * sizeof(rigid_pose));
  moved.count = scene->poses.count;
  array_release(&scene->poses, scene->pose_heap);
  scene->poses = moved;
  scene->pose_heap = heap;
  point_at_poses(scene);
  return true;
}

/* The lowest free slot, or one more at the end; SIZE_MAX when out of memory. It stays free until keep_slot. */
static size_t find_slot(graze_scene *scene) {
  if (scene->free_slots.count > 0) return scene->free_slots.numbers[0];
  const scene_object fresh = {0};
  const size_t slot = scene_object_slots(scene);
  if (!array_push(&scene->objects, &scene->memory, &fresh)) return SIZE_MAX;
  scene->objects.count = slot;
  if (!array_reserve(&scene->slots, &scene->memory, scene->objects.capacity) || !reserve_poses(scene)) return SIZE_MAX;
  /* So that no object's removal can fail. */
  return number_heap_reserve(&scene->free_slots, &scene->memory, scene->objects.capacity) ? slot : SIZE_MAX;
}

/* 0 is no object's generation, also after all the others have been. */
static uint32_t next_generation(uint32_t last) {
  return last != UINT32_MAX ? last + 1 : 1;
}

/* Returns the object's generation. */
static uint32_t keep_slot(graze_scene *scene, size_t slot, const scene_object *object) {
  static const rigid_pose identity = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};
  if (slot == scene_object_slots(scene)) {
    scene_slots(scene)[slot] = (object_slot){0};
    scene->objects.count = scene->slots.count = scene->poses.count = slot + 1;
  } else {
    number_heap_drop_lowest(&scene->free_slots);
  }
  scene_objects(scene)[slot] = *object;
  scene_poses(scene)[slot] = identity;
  object_slot *kept = &scene_slots(scene)[slot];
  *kept = (object_slot){.generation = next_generation(kept->generation), .alive = true};
  return kept->generation;
}

static graze_result fill_object(graze_scene *scene, const graze_mesh_def *def, graze_kind kind, uint32_t index,
                                scene_object *object) {
  memory *heap = &scene->memory;
  const object_label label = scene_label(index, def->name);
  object->is_double = def->positions.format == GRAZE_DOUBLE3;
  array_init(&object->positions, 3 * (object->is_double ? sizeof(double) : sizeof(float)));
  array_init(&object->radii, def->radii.format == GRAZE_DOUBLE ? sizeof(double) : sizeof(float));
  array_init(&object->erased, sizeof(uint8_t));
  object_elements_init(&object->elements, kind);
  object->rule = (object_rule){def->category, def->mask, def->self};
  object->user_data = def->user_data;
  if (def->global_numbers)
    object->numbers = (object_numbers){true, def->global_object, def->global_primitive, def->global_vertex};
  graze_result result = fill_positions(scene, &label, &def->positions, object);
  if (result == GRAZE_OK) result = object_elements_fill(scene, &label, def, object);
  if (result == GRAZE_OK) result = object_numbers_check(scene, &label, object);
  if (result == GRAZE_OK && def->name != NULL) {
    object->name_bytes = strlen(def->name) + 1;
    object->name = memory_allocate(heap, object->name_bytes, 1);
    if (object->name == NULL) return scene_fail_memory(scene);
    memcpy(object->name, def->name, object->name_bytes);
  }
  return result;
}

/* What a call of a kind reads, in good order. */
static graze_result check_views(graze_scene *scene, const graze_mesh_def *def, graze_kind kind) {
  const graze_result result = scene_check_view(scene, &def->positions, GRAZE_DOUBLE3, "positions");
  return result == GRAZE_OK ? object_elements_check(scene, def, kind) : result;
}

static graze_result add_object(graze_scene *scene, const graze_mesh_def *def_in, graze_kind kind,
                               graze_object *object_out) {
  GUARD_FLOAT_ENVIRONMENT();
  if (scene == NULL) return scene_fail_null("scene");
  graze_mesh_def def;
  graze_result result = definition_read(&mesh_definition, def_in, false, &def);
  if (result == GRAZE_OK) result = check_views(scene, &def, kind);
  if (result != GRAZE_OK) return result;
  const size_t slot = find_slot(scene);
  if (slot == SIZE_MAX) return scene_fail_memory(scene);
  scene_object made = {0};
  result = fill_object(scene, &def, kind, (uint32_t)slot, &made);
  if (result != GRAZE_OK) {
    scene_object_release(scene, &made);
    return result;
  }
  const uint32_t generation = keep_slot(scene, slot, &made);
  scene->alive_count++;
  scene_change_object(scene, (uint32_t)slot, CHANGED_ALL);
  if (object_out != NULL) *object_out = (graze_object){(uint32_t)slot, generation};
  return GRAZE_OK;
}

graze_result graze_scene_add_triangles(graze_scene *scene, const graze_mesh_def *def, graze_object *object_out) {
  return add_object(scene, def, GRAZE_KIND_TRIANGLE, object_out);
}

graze_result graze_scene_add_polygons(graze_scene *scene, const graze_mesh_def *def, graze_object *object_out) {
  return add_object(scene, def, GRAZE_KIND_POLYGON, object_out);
}

graze_result graze_scene_add_tetrahedra(graze_scene *scene, const graze_mesh_def *def, graze_object *object_out) {
  return add_object(scene, def, GRAZE_KIND_TETRAHEDRON, object_out);
}

graze_result graze_scene_add_polyhedra(graze_scene *scene, const graze_mesh_def *def, graze_object *object_out) {
  return add_object(scene, def, GRAZE_KIND_POLYHEDRON, object_out);
}

graze_result graze_scene_add_spheres(graze_scene *scene, const graze_mesh_def *def, graze_object *object_out) {
  return add_object(scene, def, GRAZE_KIND_SPHERE, object_out);
}

graze_result graze_scene_remove_object(graze_scene *scene, graze_object id) {
  if (scene == NULL) return scene_fail_null("scene");
  scene_object *object = scene_find_object(scene, id);
  if (object == NULL) return GRAZE_NO_SUCH_OBJECT;
  scene_object_release(scene, object);
  scene_slots(scene)[id.index] = (object_slot){.generation = id.generation};
  scene->alive_count--;
  number_heap_add(&scene->free_slots, id.index);
  scene_change_object(scene, id.index, CHANGED_ALL);
  return GRAZE_OK;
}
