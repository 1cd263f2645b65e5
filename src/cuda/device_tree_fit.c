/* Trees of objects that deform, fitted on the device that has their positions.
 *
 * The host says which bodies have moved, and gets back where they lie and how large their boxes have become: 64 bytes a
 * body each way. Of those whose boxes have grown too large, leaves are then ordered anew and boxes fitted once more.
 *
 * Workload: some bodies a frame, or all; nothing where objects only move as rigid bodies. */
#include "cuda/device_memory.h"
#include "cuda/device_query.h"
#include "cuda/stage_tree_fit.h"

#include <string.h>

/* Of a Morton code, an axis: finer ones than leaves lie apart in any body of millions. */
enum { CODE_BITS_MOST = 14 };

static uint32_t bits_for(uint64_t count) {
  uint32_t bits = 0;
  while (bits < 63 && (UINT64_C(1) << bits) < count) bits++;
  return bits;
}

static uint32_t most_leaves(const tree_forest *forest) {
  uint32_t most = 1;
  for (size_t i = 0; i < forest->body_count; i++)
    most = forest->bodies[i].leaf_count > most ? forest->bodies[i].leaf_count : most;
  return most;
}

/* Whether any has one, of this kind or above. */
static bool has_tasks(const tree_forest *forest, uint8_t task) {
  for (size_t i = 0; i < forest->body_count; i++)
    if (forest->bodies[i].task >= task) return true;
  return false;
}

/* ---------------------------------------------------------------------------------------------- room */

static graze_result size_fitting(device_state *state, const tree_forest *forest) {
  const bool orders = has_tasks(forest, TREE_ORDER);
  const size_t leaves = orders ? forest->leaf_count : 0;
  graze_result result =
      size_spare(&state->memory, &state->buffers[BUFFER_TREE_FITTING], forest->body_count * sizeof(tree_fitting));
  if (result == GRAZE_OK)
    result = size_spare(&state->memory, &state->buffers[BUFFER_TREE_ARRIVED], forest->block_count * sizeof(uint32_t));
  if (result == GRAZE_OK)
    result = size_spare(&state->memory, &state->buffers[BUFFER_TREE_CODES], 2 * leaves * sizeof(uint64_t));
  if (result == GRAZE_OK)
    result = size_spare(&state->memory, &state->buffers[BUFFER_TREE_OLD_LEAVES], leaves * sizeof(uint32_t));
  const device_operations *device = &state->memory.operations;
  return result == GRAZE_OK && orders ? device->reserve(device->context, 0, leaves) : result;
}

/* Lists of an earlier query give way. */
static graze_result make_room(device_state *state, const tree_forest *forest) {
  const graze_result result = size_fitting(state, forest);
  return result == GRAZE_OUT_OF_MEMORY && release_spares(&state->memory) ? size_fitting(state, forest) : result;
}

static device_view view_of_fitting(const device_state *state, const tree_forest *forest) {
  const device_buffer *buffers = state->buffers;
  const uint32_t leaf_bits = bits_for(most_leaves(forest)), taken = leaf_bits + bits_for(forest->body_count);
  const uint32_t code_bits = taken < 64 ? (64 - taken) / 3 : 0;
  uint64_t *codes = buffers[BUFFER_TREE_CODES].data;
  device_view view = device_scene_view(state);
  view_trees(state, &view);
  view.trees.fitting = (device_fitting){.bodies = buffers[BUFFER_TREE_FITTING].data,
                                        .arrived = buffers[BUFFER_TREE_ARRIVED].data,
                                        .codes = codes,
                                        .sorted_codes = codes + forest->leaf_count,
                                        .old_leaves = buffers[BUFFER_TREE_OLD_LEAVES].data,
                                        .code_bits = code_bits < CODE_BITS_MOST ? code_bits : CODE_BITS_MOST,
                                        .leaf_bits = leaf_bits};
  return view;
}

/* ---------------------------------------------------------------------------------------------- stages */

static void queue_order_of_leaves(stage_queue *queue) {
  const device_trees *trees = &queue->view->trees;
  const device_fitting *fitting = &trees->fitting;
  const device_operations *device = queue->device;
  const uint32_t bits = 3 * fitting->code_bits + fitting->leaf_bits + bits_for(trees->body_count);
  queue_stage(queue, STAGE_tree_code);
  if (queue->result == GRAZE_OK)
    queue->result =
        device->sort(device->context, fitting->codes, fitting->sorted_codes, trees->leaf_count, bits > 0 ? bits : 1);
  queue_stage(queue, STAGE_tree_order);
}

static graze_result run_tasks(device_state *state, const tree_forest *forest, tree_fitting *fittings) {
  const device_operations *device = &state->memory.operations;
  const size_t bytes = forest->body_count * sizeof *fittings;
  graze_result result = upload(&state->memory, &state->buffers[BUFFER_TREE_FITTING], 0, fittings, bytes);
  if (result != GRAZE_OK) return result;
  const device_view view = view_of_fitting(state, forest);
  stage_queue queue = {device, &view, GRAZE_OK};
  queue_clear(&queue, view.trees.fitting.arrived, 0, forest->block_count * sizeof(uint32_t));
  queue_stage(&queue, STAGE_tree_bounds);
  queue_stage(&queue, STAGE_tree_space);
  if (has_tasks(forest, TREE_ORDER)) queue_order_of_leaves(&queue);
  queue_stage(&queue, STAGE_tree_fit);
  return queue.result == GRAZE_OK ? device->download(device->context, fittings, view.trees.fitting.bodies, bytes)
                                  : queue.result;
}

/* ---------------------------------------------------------------------------------------------- tasks */

static void list_tasks(const tree_forest *forest, tree_fitting *fittings_out) {
  memset(fittings_out, 0, forest->body_count * sizeof *fittings_out);
  for (size_t i = 0; i < forest->body_count; i++) fittings_out[i].task = forest->bodies[i].task;
}

static void take_measures(const device_state *state, tree_forest *forest, const tree_fitting *fittings) {
  for (uint32_t i = 0; i < forest->body_count; i++) {
    if (fittings[i].task == TREE_DONE) continue;
    const tree_measures measured = {fitting_box(&fittings[i]), 0x1p-24 * (double)fittings[i].area, fittings[i].small};
    tree_forest_take_measures(forest, i, &measured, &state->sources[forest->bodies[i].object]);
  }
}

graze_result device_state_fit_trees(device_state *state, tree_forest *forest) {
  graze_result result = GRAZE_OK;
  if (!has_tasks(forest, TREE_FIT)) return GRAZE_OK;
  tree_fitting *fittings = memory_allocate(state->memory.scratch, forest->body_count, sizeof *fittings);
  if (fittings == NULL) return GRAZE_OUT_OF_MEMORY;
  state->leaves_are_entries = false;
  /* Twice at most: what was ordered is as good as it gets. */
  while (result == GRAZE_OK && has_tasks(forest, TREE_FIT)) {
    list_tasks(forest, fittings);
    result = make_room(state, forest);
    if (result == GRAZE_OK) result = run_tasks(state, forest, fittings);
    if (result == GRAZE_OK) take_measures(state, forest, fittings);
  }
  /* Where leaves are being ordered and it fails, nobody knows which are where. */
  if (result != GRAZE_OK) state->trees_of = NULL;
  memory_release(state->memory.scratch, fittings, forest->body_count, sizeof *fittings);
  return result;
}
