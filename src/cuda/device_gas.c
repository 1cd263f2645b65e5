/* Neural gas on a device; see device_gas.h. */
#include "cuda/device_gas.h"

#include "cuda/device_memory.h"
#include "cuda/device_queue.h"
#include "cuda/gas_view.h"

#include <string.h>

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

static graze_result run(void *context, const gas_level *level) {
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

static const char *error(void *context) {
  const device_operations *device = &((device_gas *)context)->memory.operations;
  return device->error(device->context);
}

static void close_stages(void *context) {
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
  *stages_out = (gas_stages){gas, run, error, close_stages};
  return GRAZE_OK;
}
