/* Objects: making, finding, removing, and the checked copying of what a caller hands in. */
#include "scene/scene_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static size_t format_bytes(graze_format format) {
  return format == GRAZE_DOUBLE3  ? 3 * sizeof(double)
         : format == GRAZE_FLOAT3 ? 3 * sizeof(float)
                                  : 3 * sizeof(uint32_t);
}

static size_t view_stride(const graze_view *view) {
  return view->stride_bytes != 0 ? view->stride_bytes : format_bytes(view->format);
}

graze_result scene_check_view(graze_scene *scene, const graze_view *view, bool positions, const char *what) {
  if (view->count == 0) return GRAZE_OK;
  const bool fits =
      positions ? view->format == GRAZE_FLOAT3 || view->format == GRAZE_DOUBLE3 : view->format == GRAZE_UINT32_3;
  if (!fits)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "%s have format %d; %s is needed", what, (int)view->format,
                      positions ? "GRAZE_FLOAT3 or GRAZE_DOUBLE3" : "GRAZE_UINT32_3");
  if (view->data == NULL) return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "%s are %zu at NULL", what, view->count);
  if (view_stride(view) < format_bytes(view->format))
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "%s have a stride of %zu bytes; an element has %zu", what,
                      view->stride_bytes, format_bytes(view->format));
  if (view->count > SCENE_NUMBER_LIMIT)
    return scene_fail(scene, GRAZE_TOO_LARGE, "%s are %zu; at most %zu can be numbered", what, view->count,
                      SCENE_NUMBER_LIMIT);
  return GRAZE_OK;
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

graze_result scene_copy_positions(graze_scene *scene, const object_label *label, const graze_view *view, size_t first,
                                  bool to_double, void *to) {
  const unsigned char *from = view->data;
  const size_t stride = view_stride(view);
  for (size_t i = 0; i < view->count; i++, from += stride) {
    double value[3];
    if (view->format == GRAZE_DOUBLE3) {
      memcpy(value, from, sizeof value);
    } else {
      float narrow[3];
      memcpy(narrow, from, sizeof narrow);
      for (int axis = 0; axis < 3; axis++) value[axis] = (double)narrow[axis];
    }
    for (int axis = 0; axis < 3; axis++) {
      if (!isfinite(value[axis])) return fail_coordinate(scene, label, first + i, axis, value[axis]);
      if (to_double)
        ((double *)to)[3 * i + axis] = value[axis];
      else
        ((float *)to)[3 * i + axis] = (float)value[axis];
    }
  }
  return GRAZE_OK;
}

graze_result scene_copy_triangles(graze_scene *scene, const object_label *label, const graze_view *view, size_t first,
                                  size_t vertex_count, uint32_t *to) {
  const unsigned char *from = view->data;
  const size_t stride = view_stride(view);
  for (size_t i = 0; i < view->count; i++, from += stride) {
    uint32_t *corner = to + 3 * i;
    memcpy(corner, from, 3 * sizeof *corner);
    for (int k = 0; k < 3; k++)
      if (corner[k] >= vertex_count)
        return scene_fail(scene, GRAZE_INDEX_OUT_OF_RANGE,
                          "%s: triangle %zu refers to vertex %u; the object has %zu vertices", label->text, first + i,
                          corner[k], vertex_count);
  }
  return GRAZE_OK;
}

void scene_object_release(graze_scene *scene, scene_object *object) {
  if (object->triangles.element_bytes == 0) return; /* a slot that is empty */
  memory *heap = &scene->memory;
  memory_release(heap, object->name, object->name_bytes, 1);
  array_release(&object->positions, heap);
  array_release(&object->triangles, heap);
  array_release(&object->erased, heap);
  memory_release(heap, object->world, object->world_count, 3 * sizeof(double));
  const uint32_t generation = object->generation;
  *object = (scene_object){.generation = generation};
}

scene_object *scene_find_object(graze_scene *scene, graze_object id) {
  if (id.index < scene_object_slots(scene)) {
    scene_object *object = &scene_objects(scene)[id.index];
    if (object->alive && object->generation == id.generation) return object;
    scene_fail(scene, GRAZE_NO_SUCH_OBJECT, "object %u of generation %u is not in the scene", id.index, id.generation);
    return NULL;
  }
  scene_fail(scene, GRAZE_NO_SUCH_OBJECT, "there is no object %u; the scene has made %zu", id.index,
             scene_object_slots(scene));
  return NULL;
}

/* The lowest free slot, or a new one at the end; SIZE_MAX when out of memory. */
static size_t take_slot(graze_scene *scene) {
  const size_t slots = scene_object_slots(scene);
  for (size_t i = 0; i < slots; i++)
    if (!scene_objects(scene)[i].alive) return i;
  const scene_object fresh = {.generation = 0};
  return array_push(&scene->objects, &scene->memory, &fresh) ? slots : SIZE_MAX;
}

static graze_result fill_object(graze_scene *scene, const graze_mesh_def *def, uint32_t index, scene_object *object) {
  memory *heap = &scene->memory;
  const object_label label = scene_label(index, def->name);
  object->is_double = def->positions.format == GRAZE_DOUBLE3;
  array_init(&object->positions, 3 * (object->is_double ? sizeof(double) : sizeof(float)));
  array_init(&object->triangles, 3 * sizeof(uint32_t));
  array_init(&object->erased, sizeof(uint8_t));
  object->rule = (object_rule){def->category, def->mask, def->self};
  if (!array_resize(&object->positions, heap, def->positions.count) ||
      !array_resize(&object->triangles, heap, def->triangles.count))
    return scene_fail_memory(scene);
  graze_result result =
      scene_copy_positions(scene, &label, &def->positions, 0, object->is_double, object->positions.data);
  if (result == GRAZE_OK)
    result = scene_copy_triangles(scene, &label, &def->triangles, 0, def->positions.count, object->triangles.data);
  if (result == GRAZE_OK && def->name != NULL) {
    object->name_bytes = strlen(def->name) + 1;
    object->name = memory_allocate(heap, object->name_bytes, 1);
    if (object->name == NULL) return scene_fail_memory(scene);
    memcpy(object->name, def->name, object->name_bytes);
  }
  return result;
}

graze_result graze_scene_add_triangles(graze_scene *scene, const graze_mesh_def *def_in, graze_object *object_out) {
  if (scene == NULL || def_in == NULL) return GRAZE_INVALID_ARGUMENT;
  if (def_in->struct_bytes == 0)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT,
                      "struct_bytes of the mesh is 0: begin with graze_mesh_def_default()");
  graze_mesh_def def = graze_mesh_def_default();
  SCENE_READ_DEF(def, def_in);
  graze_result result = scene_check_view(scene, &def.positions, true, "positions");
  if (result == GRAZE_OK) result = scene_check_view(scene, &def.triangles, false, "triangles");
  if (result != GRAZE_OK) return result;
  const size_t slot = take_slot(scene);
  if (slot == SIZE_MAX) return scene_fail_memory(scene);
  scene_object made = {.generation = scene_objects(scene)[slot].generation};
  result = fill_object(scene, &def, (uint32_t)slot, &made);
  if (result != GRAZE_OK) {
    scene_object_release(scene, &made);
    return result;
  }
  made.alive = true;
  scene_objects(scene)[slot] = made;
  scene_touch(scene, true);
  if (object_out != NULL) *object_out = (graze_object){(uint32_t)slot, made.generation};
  return GRAZE_OK;
}

graze_result graze_scene_remove_object(graze_scene *scene, graze_object id) {
  if (scene == NULL) return GRAZE_INVALID_ARGUMENT;
  scene_object *object = scene_find_object(scene, id);
  if (object == NULL) return GRAZE_NO_SUCH_OBJECT;
  scene_object_release(scene, object);
  object->generation++;
  scene_touch(scene, true);
  return GRAZE_OK;
}
