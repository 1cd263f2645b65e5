/* Trees on a device: the host's forest there, room for a descent, its stages, and batches of poses.
 *
 * The host builds trees of objects that come or change their primitives, and the device is given all of them then; it
 * fits what moves later itself (device_tree_fit.c), and poses bodies. A descent is queued as one stage a level, with
 * nothing in between that waits for the host. */
#include "cuda/device_memory.h"
#include "cuda/device_query.h"

#include <string.h>

enum { LEAST_ENTRIES = 1 << 14, ENTRIES_A_PAIR = 32 };

/* The longest list whose threads can be numbered. */
#define MOST_ENTRIES ((uint64_t)UINT32_MAX / TREE_NODE_PAIRS - 1)

/* ---------------------------------------------------------------------------------------------- the forest */

/* Leaves by the scene's numbers of primitives. */
static graze_result upload_leaves(device_state *state, const tree_forest *forest, const object_source *sources) {
  uint32_t *numbers = memory_allocate(state->memory.scratch, forest->leaf_count, sizeof *numbers);
  if (numbers == NULL) return GRAZE_OUT_OF_MEMORY;
  for (size_t i = 0; i < forest->body_count; i++) {
    const tree_body *body = &forest->bodies[i];
    const uint32_t first = sources[body->object].first_primitive;
    for (uint32_t leaf = 0; leaf < body->leaf_count; leaf++)
      numbers[body->first_leaf + leaf] = first + forest->leaves[body->first_leaf + leaf];
  }
  const graze_result result =
      upload_all(&state->memory, &state->buffers[BUFFER_TREE_LEAVES], numbers, forest->leaf_count * sizeof *numbers);
  memory_release(state->memory.scratch, numbers, forest->leaf_count, sizeof *numbers);
  return result;
}

static uint32_t highest_top(const tree_forest *forest) {
  uint32_t top = 0;
  for (size_t i = 0; i < forest->body_count; i++) {
    const uint32_t own = tree_layout_of(forest->bodies[i].leaf_count).top;
    top = own > top ? own : top;
  }
  return top;
}

static graze_result upload_shapes(device_state *state, const tree_forest *forest, const object_source *sources) {
  const size_t blocks = forest->block_count;
  graze_result result = upload_all(&state->memory, &state->buffers[BUFFER_TREE_BODIES], forest->bodies,
                                   forest->body_count * sizeof *forest->bodies);
  if (result == GRAZE_OK)
    result =
        upload_all(&state->memory, &state->buffers[BUFFER_TREE_BLOCKS], forest->blocks, blocks * sizeof(tree_block));
  if (result == GRAZE_OK)
    result = upload_all(&state->memory, &state->buffers[BUFFER_TREE_SLABS], forest->slabs, blocks * sizeof(tree_slab));
  if (result == GRAZE_OK) result = upload_leaves(state, forest, sources);
  if (result == GRAZE_OK)
    result = size_buffer(&state->memory, &state->buffers[BUFFER_TREE_POSED], forest->body_count * sizeof(posed_space));
  return result;
}

graze_result device_state_take_trees(device_state *state, const tree_forest *forest, const object_source *sources) {
  state->leaves_are_entries = false;
  state->trees_of = NULL;
  graze_result result = upload_shapes(state, forest, sources);
  if (result == GRAZE_OUT_OF_MEMORY && release_spares(&state->memory)) result = upload_shapes(state, forest, sources);
  if (result != GRAZE_OK) return result;
  state->tree_body_count = forest->body_count;
  state->tree_leaf_count = forest->leaf_count;
  state->tree_block_count = forest->block_count;
  state->tree_top = highest_top(forest);
  state->trees_of = forest;
  return GRAZE_OK;
}

graze_result device_state_take_posed(device_state *state, const tree_forest *forest) {
  return upload_all(&state->memory, &state->buffers[BUFFER_TREE_POSED], forest->posed,
                    forest->body_count * sizeof *forest->posed);
}

graze_result device_state_pose_trees(device_state *state) {
  device_view view = device_scene_view(state);
  view_trees(state, &view);
  stage_queue queue = {&state->memory.operations, &view, GRAZE_OK};
  queue_stage(&queue, STAGE_tree_pose);
  return queue.result;
}

void view_trees(const device_state *state, device_view *view) {
  const device_buffer *buffers = state->buffers;
  view->trees = (device_trees){.bodies = buffers[BUFFER_TREE_BODIES].data,
                               .posed = buffers[BUFFER_TREE_POSED].data,
                               .blocks = buffers[BUFFER_TREE_BLOCKS].data,
                               .slabs = buffers[BUFFER_TREE_SLABS].data,
                               .leaves = buffers[BUFFER_TREE_LEAVES].data,
                               .body_count = (uint32_t)state->tree_body_count,
                               .leaf_count = (uint32_t)state->tree_leaf_count,
                               .block_count = (uint32_t)state->tree_block_count,
                               .are_entries = state->leaves_are_entries && view->slots == 0.0f ? 1 : 0,
                               .top = state->tree_top,
                               .pairs = buffers[BUFFER_TREE_PAIRS].data,
                               .pair_room = (uint32_t)state->tree_pair_room,
                               .related = buffers[BUFFER_TREE_RELATED].data,
                               .entries = {buffers[BUFFER_TREE_ENTRIES].data, buffers[BUFFER_TREE_MORE_ENTRIES].data},
                               .entry_room = state->tree_entry_room};
}

/* ---------------------------------------------------------------------------------------------- a descent */

/* The pairs of bodies, their number in front; room for some more than there are, so that the stages stay the same from
 * frame to frame. */
static graze_result upload_pairs(device_state *state, const device_query *query) {
  const size_t count = query->tree_pair_count;
  const body_pair number = {(uint32_t)count, 0};
  if (count > state->tree_pair_room || state->tree_pair_room == 0) state->tree_pair_room = count + count / 4 + 64;
  graze_result result =
      size_spare(&state->memory, &state->buffers[BUFFER_TREE_PAIRS], (1 + state->tree_pair_room) * sizeof(body_pair));
  if (result == GRAZE_OK)
    result =
        size_spare(&state->memory, &state->buffers[BUFFER_TREE_RELATED], state->tree_pair_room * sizeof(related_trees));
  if (result == GRAZE_OK)
    result = upload(&state->memory, &state->buffers[BUFFER_TREE_PAIRS], 0, &number, sizeof number);
  return result == GRAZE_OK ? upload(&state->memory, &state->buffers[BUFFER_TREE_PAIRS], sizeof number,
                                     query->tree_pairs, count * sizeof(body_pair))
                            : result;
}

graze_result size_descent(device_state *state, const device_query *query) {
  if (query->tree_pair_count > MOST_ENTRIES) return GRAZE_TOO_LARGE;
  graze_result result = upload_pairs(state, query);
  const uint64_t least = ENTRIES_A_PAIR * (uint64_t)query->tree_pair_count + LEAST_ENTRIES;
  if (state->tree_entry_room == 0) {
    state->tree_entry_room =
        state->memory.operations.first_capacity != 0 ? state->memory.operations.first_capacity : least;
    if (state->tree_entry_room > MOST_ENTRIES) state->tree_entry_room = MOST_ENTRIES;
  }
  const size_t bytes = (size_t)state->tree_entry_room * sizeof(tree_entry);
  if (result == GRAZE_OK) result = size_spare(&state->memory, &state->buffers[BUFFER_TREE_ENTRIES], bytes);
  if (result == GRAZE_OK) result = size_spare(&state->memory, &state->buffers[BUFFER_TREE_MORE_ENTRIES], bytes);
  return result;
}

bool enlarge_descent(device_state *state, const device_totals *totals) {
  uint64_t most = 0;
  for (int i = 0; i <= TREE_LEVELS; i++) most = totals->tree_entries[i] > most ? totals->tree_entries[i] : most;
  if (most <= state->tree_entry_room) return false;
  state->tree_entry_room = room_for(most);
  return true;
}

bool descent_is_too_long(const device_state *state) {
  return state->tree_entry_room > MOST_ENTRIES;
}

void queue_leaves(stage_queue *queue) {
  const device_view *v = queue->view;
  queue_mark(queue, MARK_BEGIN);
  queue_mark(queue, MARK_BOXES);
  if (v->trees.are_entries == 0) queue_stage(queue, STAGE_tree_leaf);
  queue_mark(queue, MARK_BUILT);
}

void queue_descent(stage_queue *queue) {
  const device_view *whole = queue->view;
  device_view stepped = *whole;
  queue_stage(queue, STAGE_tree_relate);
  for (uint32_t step = 0; step <= whole->trees.top; step++) {
    stepped.trees.step = step;
    queue->view = &stepped;
    queue_stage(queue, STAGE_tree_descend);
  }
  queue->view = whole;
}

/* ---------------------------------------------------------------------------------------------- poses */

static graze_result upload_poses(device_state *state, const device_pose_query *query) {
  const size_t count = query->count;
  graze_result result = upload_spare(&state->memory, &state->buffers[BUFFER_POSE_ROTATIONS], query->rotations,
                                     9 * count * sizeof(double));
  if (result == GRAZE_OK)
    result = upload_spare(&state->memory, &state->buffers[BUFFER_POSE_TRANSLATIONS], query->translations,
                          3 * count * sizeof(double));
  if (result == GRAZE_OK)
    result = size_spare(&state->memory, &state->buffers[BUFFER_POSE_ANSWERS], (count + 1) * sizeof(uint64_t));
  return result;
}

static graze_result run_poses(device_state *state, const device_pose_query *query, uint64_t *answers_out,
                              size_t *refused_out) {
  const device_operations *device = &state->memory.operations;
  const device_buffer *buffers = state->buffers;
  uint64_t *answers = buffers[BUFFER_POSE_ANSWERS].data, refused = 0;
  device_view view = device_scene_view(state);
  view_trees(state, &view);
  view.test = query->test;
  view.poses = (device_poses){.rotations = buffers[BUFFER_POSE_ROTATIONS].data,
                              .translations = buffers[BUFFER_POSE_TRANSLATIONS].data,
                              .count = (uint32_t)query->count,
                              .still = query->still,
                              .moving = query->moving,
                              .still_object = query->still_object,
                              .moving_object = query->moving_object,
                              .counts = query->counts ? 1 : 0,
                              .answers = answers + 1,
                              .refused = answers};
  stage_queue queue = {device, &view, GRAZE_OK};
  queue_clear(&queue, answers, 0, sizeof *answers);
  queue_stage(&queue, STAGE_pose_answer);
  graze_result result = queue.result;
  if (result == GRAZE_OK)
    result = device->download(device->context, answers_out, answers + 1, query->count * sizeof *answers);
  if (result == GRAZE_OK) result = device->download(device->context, &refused, answers, sizeof refused);
  *refused_out = refused != 0 ? (size_t)~refused : query->count;
  return result;
}

graze_result device_state_test_poses(device_state *state, const device_pose_query *query, uint64_t *answers_out,
                                     size_t *refused_out) {
  graze_result result = upload_poses(state, query);
  if (result == GRAZE_OUT_OF_MEMORY && release_spares(&state->memory)) result = upload_poses(state, query);
  return result == GRAZE_OK ? run_poses(state, query, answers_out, refused_out) : result;
}
