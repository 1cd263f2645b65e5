/* graze_sphere_tree_create: the only call of sphere trees that uses backends. */
#include "api/backend_table.h"
#include "base/error_text.h"
#include "base/float_environment.h"
#include "spheres/sphere_calls.h"

/* Opens the stages of the definition's backend; none if the workers do the computation. */
static graze_result open_gas(const graze_sphere_tree_def *def, memory *heap, gas_stages *gas_out) {
  graze_backend_def backend_def;
  const backend *row;
  graze_allocator allocator;
  graze_result result = backend_read(def->backend, &backend_def, &row);
  if (result == GRAZE_OK) result = memory_read_allocator(def->allocator, &allocator);
  if (result != GRAZE_OK || row->open_gas == NULL) return result;
  if (def->builder != GRAZE_SPHERE_BUILDER_NEURAL_GAS)
    return fail(GRAZE_UNSUPPORTED, "only the sphere tree builder neural_gas runs on a device");
  memory_init(heap, &allocator);
  return row->open_gas(&backend_def, heap, gas_out);
}

graze_result graze_sphere_tree_create(const graze_sphere_tree_def *given, graze_sphere_tree **tree_out) {
  GUARD_FLOAT_ENVIRONMENT();
  if (tree_out == NULL) return fail(GRAZE_INVALID_ARGUMENT, "the output for the tree is NULL");
  *tree_out = NULL;
  graze_sphere_tree_def def;
  memory heap;
  gas_stages gas = {0};
  graze_result result = sphere_tree_read(given, &def);
  if (result == GRAZE_OK) result = open_gas(&def, &heap, &gas);
  if (result == GRAZE_OK) result = sphere_tree_make(&def, gas.run != NULL ? &gas : NULL, tree_out);
  if (gas.close != NULL) gas.close(gas.context);
  return result;
}
