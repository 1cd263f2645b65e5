/* Sphere packings and neural gas on a device; see device_spheres.h. */
#include "cuda/device_spheres.h"

#include "cuda/device_memory.h"
#include "cuda/device_operations.h"
#include "cuda/stage_gas.h"
#include "cuda/stage_packing.h"

#include <string.h>

PACKING_STAGE_LIST(QUEUED_STAGE)

/* Jobs per launch: larger numbers are split, so that memory is bounded and the stop callback is called. */
enum { JOBS_MOST = 1 << 20 };

typedef struct device_packing {
  stages_def def;
  device_memory memory;
  device_buffer mesh_boxes, mesh_items, sphere_boxes, sphere_items, jobs, inside;
  packing_space space;
} device_packing;

/* Grows a buffer that increases from call to call to one and a half times the size. */
static graze_result make_room(device_packing *packing, device_buffer *buffer, size_t bytes) {
  if (buffer->data != NULL && bytes <= buffer->bytes) return GRAZE_OK;
  return size_buffer(&packing->memory, buffer, bytes + bytes / 2);
}

/* Copies the host's tree to the device, with its arrays. */
static graze_result take_tree(device_packing *packing, const obstacle_tree *tree, device_buffer *boxes,
                              device_buffer *items, obstacle_tree *tree_out) {
  device_memory *held = &packing->memory;
  const size_t box_bytes = 12 * (size_t)tree->leaf_count * sizeof *tree->boxes;
  const size_t item_bytes = (size_t)tree->count * tree->numbers * sizeof *tree->items;
  graze_result result = make_room(packing, boxes, box_bytes);
  if (result == GRAZE_OK) result = make_room(packing, items, item_bytes);
  if (result == GRAZE_OK && tree->count > 0) result = upload(held, boxes, 0, tree->boxes, box_bytes);
  if (result == GRAZE_OK) result = upload(held, items, 0, tree->items, item_bytes);
  if (result != GRAZE_OK) return result;
  *tree_out = *tree;
  tree_out->boxes = boxes->data;
  tree_out->items = items->data;
  return GRAZE_OK;
}

static graze_result take_mesh(void *context, const obstacle_tree *mesh) {
  device_packing *packing = context;
  return take_tree(packing, mesh, &packing->mesh_boxes, &packing->mesh_items, &packing->space.mesh);
}

static graze_result take_spheres(void *context, const obstacle_tree *spheres) {
  device_packing *packing = context;
  return take_tree(packing, spheres, &packing->sphere_boxes, &packing->sphere_items, &packing->space.spheres);
}

static graze_result run_some(device_packing *packing, prototype_job *jobs, size_t count) {
  const device_operations *device = &packing->memory.operations;
  const size_t bytes = count * sizeof *jobs;
  graze_result result = make_room(packing, &packing->jobs, bytes);
  if (result == GRAZE_OK) result = make_room(packing, &packing->inside, count * sizeof(uint32_t));
  if (result == GRAZE_OK) result = upload(&packing->memory, &packing->jobs, 0, jobs, bytes);
  if (result != GRAZE_OK) return result;
  const packing_view view = {packing->space, packing->jobs.data, packing->inside.data, (uint32_t)count};
  stage_queue queue = {device, GRAZE_OK};
  queue_stage(&queue, packing_inside, &view);
  queue_stage(&queue, packing_job, &view);
  return queue.result == GRAZE_OK ? device->download(device->context, jobs, view.jobs, bytes) : queue.result;
}

static graze_result run_packing(void *context, prototype_job *jobs, size_t count) {
  device_packing *packing = context;
  const size_t given = packing->memory.operations.first_capacity, most = given != 0 ? given : JOBS_MOST;
  graze_result result = GRAZE_OK;
  for (size_t first = 0; result == GRAZE_OK && first < count; first += most) {
    if (stop_is_requested(packing->def.stop)) return GRAZE_STOPPED;
    const size_t left = count - first;
    result = run_some(packing, jobs + first, left < most ? left : most);
  }
  return result;
}

static const char *packing_error(void *context) {
  const device_operations *device = &((device_packing *)context)->memory.operations;
  return device->error(device->context);
}

static void close_packing(void *context) {
  device_packing *packing = context;
  device_memory_close(&packing->memory);
  memory_release(packing->def.heap, packing, 1, sizeof *packing);
}

graze_result device_packing_open(const stages_def *def, const device_operations *operations,
                                 packer_stages *stages_out) {
  device_packing *packing = memory_allocate(def->heap, 1, sizeof *packing);
  if (packing == NULL) {
    operations->close(operations->context);
    return GRAZE_OUT_OF_MEMORY;
  }
  memset(packing, 0, sizeof *packing);
  packing->def = *def;
  device_memory_open(&packing->memory, def->heap, def->heap, operations);
  *stages_out = (packer_stages){packing, take_mesh, take_spheres, run_packing, packing_error, close_packing};
  return GRAZE_OK;
}

/* ---------------------------------------------------------------------------------------------- neural gas */

GAS_STAGE_LIST(QUEUED_STAGE)

typedef struct device_gas {
  device_memory memory;
  device_buffer nodes, prototypes, balls, node_of, runs;
} device_gas;

static uint32_t block_count(const gas_level *level) {
  return level->item_count / GAS_BLOCK + (level->item_count % GAS_BLOCK != 0);
}

static graze_result upload_level(device_gas *gas, const gas_level *level) {
  device_memory *held = &gas->memory;
  const size_t nodes = level->node_count, items = level->item_count;
  graze_result result = upload_all(held, &gas->nodes, level->nodes, nodes * sizeof *level->nodes);
  if (result == GRAZE_OK)
    result = upload_all(held, &gas->prototypes, level->prototypes, nodes * sizeof *level->prototypes);
  if (result == GRAZE_OK) result = upload_all(held, &gas->balls, level->balls, items * sizeof *level->balls);
  if (result == GRAZE_OK) result = upload_all(held, &gas->node_of, level->node_of, items * sizeof(uint32_t));
  if (result == GRAZE_OK) result = size_buffer(held, &gas->runs, (nodes + block_count(level)) * sizeof(gas_sum));
  return result;
}

static graze_result run_gas(void *context, const gas_level *level) {
  device_gas *gas = context;
  const device_operations *device = &gas->memory.operations;
  const graze_result result = upload_level(gas, level);
  if (result != GRAZE_OK) return result;
  gas_view view = {.nodes = gas->nodes.data,
                   .prototypes = gas->prototypes.data,
                   .balls = gas->balls.data,
                   .node_of = gas->node_of.data,
                   .runs = gas->runs.data,
                   .node_count = level->node_count,
                   .item_count = level->item_count,
                   .block_count = block_count(level),
                   .magnification = level->magnification};
  stage_queue queue = {device, GRAZE_OK};
  for (uint32_t step = 0; step < level->step_count && queue.result == GRAZE_OK; step++) {
    gas_shares(step, level->step_count, view.share);
    queue_stage(&queue, gas_sum, &view);
    queue_stage(&queue, gas_move, &view);
  }
  if (queue.result != GRAZE_OK) return queue.result;
  return device->download(device->context, level->prototypes, view.prototypes,
                          level->node_count * sizeof *level->prototypes);
}

static const char *gas_error(void *context) {
  const device_operations *device = &((device_gas *)context)->memory.operations;
  return device->error(device->context);
}

static void close_gas(void *context) {
  device_gas *gas = context;
  memory *heap = gas->memory.heap;
  device_memory_close(&gas->memory);
  memory_release(heap, gas, 1, sizeof *gas);
}

graze_result device_gas_open(memory *heap, const device_operations *operations, gas_stages *stages_out) {
  device_gas *gas = memory_allocate(heap, 1, sizeof *gas);
  if (gas == NULL) {
    operations->close(operations->context);
    return GRAZE_OUT_OF_MEMORY;
  }
  memset(gas, 0, sizeof *gas);
  device_memory_open(&gas->memory, heap, heap, operations);
  *stages_out = (gas_stages){gas, run_gas, gas_error, close_gas};
  return GRAZE_OK;
}
