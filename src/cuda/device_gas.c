/* Neural gas on a device; see device_gas.h. */
#include "cuda/device_gas.h"

#include "cuda/device_memory.h"
#include "cuda/device_queue.h"

#include <string.h>

typedef struct device_gas {
  memory *heap;
  device_state state; /* its buffers of neural gas, and its operations */
} device_gas;

static uint32_t block_count(const gas_level *level) {
  return level->item_count / GAS_BLOCK + (level->item_count % GAS_BLOCK != 0);
}

static graze_result upload_level(device_state *state, const gas_level *level) {
  const size_t nodes = level->node_count, items = level->item_count;
  graze_result result = upload_all(state, BUFFER_GAS_NODES, level->nodes, nodes * sizeof *level->nodes);
  if (result == GRAZE_OK)
    result = upload_all(state, BUFFER_GAS_PROTOTYPES, level->prototypes, nodes * sizeof *level->prototypes);
  if (result == GRAZE_OK) result = upload_all(state, BUFFER_GAS_BALLS, level->balls, items * sizeof *level->balls);
  if (result == GRAZE_OK) result = upload_all(state, BUFFER_GAS_NODE_OF, level->node_of, items * sizeof(uint32_t));
  if (result == GRAZE_OK) result = size_buffer(state, BUFFER_GAS_RUNS, (nodes + block_count(level)) * sizeof(gas_sum));
  return result;
}

static device_view view_of(const device_state *state, const gas_level *level) {
  const device_buffer *buffers = state->buffers;
  device_view view;
  memset(&view, 0, sizeof view);
  view.gas.nodes = buffers[BUFFER_GAS_NODES].data;
  view.gas.prototypes = buffers[BUFFER_GAS_PROTOTYPES].data;
  view.gas.balls = buffers[BUFFER_GAS_BALLS].data;
  view.gas.node_of = buffers[BUFFER_GAS_NODE_OF].data;
  view.gas.runs = buffers[BUFFER_GAS_RUNS].data;
  view.gas.node_count = level->node_count;
  view.gas.item_count = level->item_count;
  view.gas.block_count = block_count(level);
  view.gas.magnification = level->magnification;
  return view;
}

static graze_result run(void *context, const gas_level *level) {
  device_state *state = &((device_gas *)context)->state;
  const device_operations *device = &state->operations;
  const graze_result result = upload_level(state, level);
  if (result != GRAZE_OK) return result;
  device_view view = view_of(state, level);
  stage_queue queue = {device, &view, GRAZE_OK};
  for (uint32_t step = 0; step < level->step_count && queue.result == GRAZE_OK; step++) {
    gas_shares(step, level->step_count, view.gas.share);
    queue_stage(&queue, STAGE_gas_sum);
    queue_stage(&queue, STAGE_gas_move);
  }
  if (queue.result != GRAZE_OK) return queue.result;
  return device->download(device->context, level->prototypes, view.gas.prototypes,
                          level->node_count * sizeof *level->prototypes);
}

static const char *error(void *context) {
  const device_operations *device = &((device_gas *)context)->state.operations;
  return device->error(device->context);
}

static void close_stages(void *context) {
  device_gas *gas = context;
  device_state_release(&gas->state);
  memory_release(gas->heap, gas, 1, sizeof *gas);
}

graze_result device_gas_open(memory *heap, const device_operations *operations, gas_stages *stages_out) {
  device_gas *gas = memory_allocate(heap, 1, sizeof *gas);
  if (gas == NULL) {
    operations->close(operations->context);
    return GRAZE_OUT_OF_MEMORY;
  }
  memset(gas, 0, sizeof *gas);
  gas->heap = heap;
  device_state_init(&gas->state, heap, heap, operations);
  *stages_out = (gas_stages){gas, run, error, close_stages};
  return GRAZE_OK;
}
