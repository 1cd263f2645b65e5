/* Creation and destruction of shapes. The data of a shape belong to an object in a private scene, the carrier, which
 * also builds the tree. */
#include "api/definitions.h"
#include "backend_cpu/cpu_state.h"
#include "base/float_environment.h"
#include "graze/shape.h"
#include "methods/method_table.h"
#include "scene/scene_failure.h"
#include "scene/scene_numbers.h"
#include "scene/scene_vertices.h"

static void destroy(graze_shape *shape) {
  const graze_allocator host = shape->carrier->host;
  graze_scene_destroy(shape->carrier);
  memory last;
  memory_init(&last, &host);
  atomic_store(&last.bytes_now, sizeof *shape);
  memory_release(&last, shape, 1, sizeof *shape);
}

static graze_result add_mesh(graze_scene *carrier, const graze_shape_def *def) {
  graze_object_def object = graze_object_def_default();
  if (def->mesh == NULL) return fail(GRAZE_INVALID_ARGUMENT, "the mesh of the shape is NULL");
  if (def->mesh->struct_bytes == sizeof *def->mesh && def->mesh->name == NULL) object.name = "shape";
  return graze_scene_add(carrier, def->kind, def->mesh, &object, NULL);
}

/* Computes the box of all positions, which every posed object needs. */
static void measure_box(graze_scene *carrier) {
  scene_object *object = scene_objects(carrier);
  const object_source *source = &carrier->sources[0];
  double position[3];
  if (object->positions.count == 0) return;
  read_position(source->positions, source->is_double, 0, position);
  object->local_box = exact_box_at(position);
  for (size_t i = 1; i < object->positions.count; i++) {
    read_position(source->positions, source->is_double, i, position);
    exact_box_include(&object->local_box, position);
  }
  object->has_local_box = true;
}

/* Builds the tree. If trees are unsuitable for the mesh, the shape has none, and each scene detects this as without a
 * shape. */
static graze_result prepare_tree(graze_shape *shape) {
  graze_scene *carrier = shape->carrier;
  graze_method_def chosen = graze_method_def_default();
  chosen.name = method_tree.name;
  graze_result result = graze_scene_set_method(carrier, &chosen);
  if (result == GRAZE_OK) result = graze_scene_update(carrier);
  if (result != GRAZE_OK) return result;
  const method_state *state = &cpu_state_of(carrier)->search;
  if (state->row == &method_tree) shape->forest = state->own;
  rounded_scene_release(carrier, &carrier->memory, &carrier->rounded);
  return GRAZE_OK;
}

static graze_result fill_shape(graze_shape *shape, const graze_shape_def *def) {
  graze_scene *carrier = shape->carrier;
  graze_result result = add_mesh(carrier, def);
  if (result == GRAZE_OK) result = scene_number(carrier);
  if (result != GRAZE_OK) return result;
  measure_box(carrier);
  shape->repeated_index = carrier->repeated_index;
  if (def->prepare_tree && carrier->live_count > 0) result = prepare_tree(shape);
  /* Objects need neither the headers nor the scratch of the carrier. */
  memory_release(&carrier->memory, carrier->headers, carrier->primitive_count, sizeof *carrier->headers);
  carrier->headers = NULL;
  graze_scene_trim(carrier);
  return result;
}

static graze_result make_shape(const graze_shape_def *def, const graze_allocator *allocator, graze_shape **shape_out) {
  static _Atomic(uint64_t) last_id;
  graze_scene_def scene = graze_scene_def_default();
  scene.worker_count = def->worker_count;
  scene.workers = def->workers;
  scene.allocator = def->allocator;
  memory first;
  memory_init(&first, allocator);
  graze_shape *shape = memory_allocate(&first, 1, sizeof *shape);
  if (shape == NULL) return fail(GRAZE_OUT_OF_MEMORY, "out of memory: cannot create a shape");
  *shape = (graze_shape){.id = atomic_fetch_add(&last_id, 1) + 1, .destroy = destroy};
  atomic_init(&shape->users, 1);
  graze_result result = graze_scene_create(&scene, &shape->carrier);
  if (result != GRAZE_OK) {
    memory_release(&first, shape, 1, sizeof *shape);
    return result;
  }
  result = fill_shape(shape, def);
  if (result == GRAZE_OK)
    *shape_out = shape;
  else
    shape_release(shape);
  return result;
}

graze_result graze_shape_create(const graze_shape_def *given, graze_shape **shape_out) {
  GUARD_FLOAT_ENVIRONMENT();
  if (shape_out == NULL) return scene_fail_null("output for the shape");
  *shape_out = NULL;
  graze_shape_def def;
  graze_allocator allocator;
  graze_result result = definition_read(&shape_definition, given, false, &def);
  if (result == GRAZE_OK) result = memory_read_allocator(def.allocator, &allocator);
  return result == GRAZE_OK ? make_shape(&def, &allocator, shape_out) : result;
}

void graze_shape_destroy(graze_shape *shape) {
  GUARD_FLOAT_ENVIRONMENT();
  shape_release(shape);
}
