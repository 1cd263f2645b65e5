/* Trees of objects that deform, refitted on the device that has their positions.
 *
 * The host lists the bodies that have moved, and receives their bounds and the growth of their boxes: 64 bytes per body
 * in each direction. If the boxes of a body have grown too much, its leaves are reordered and its boxes fitted again.
 *
 * Workload: some bodies per frame, or all; none if objects only move as rigid bodies. */
#include "cuda/device_tree_fit.h"

#include "cuda/device_queue.h"
#include "cuda/stage_tree_fit.h"

#include <string.h>

TREE_FIT_STAGE_LIST(QUEUED_STAGE)

/* Bits of a Morton code per axis: finer than the spacing of leaves in any body of millions. */
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

/* Whether any body has a task of at least this kind. */
static bool has_tasks(const tree_forest *forest, uint8_t task) {
  for (size_t i = 0; i < forest->body_count; i++)
    if (forest->bodies[i].task >= task) return true;
  return false;
}

/* The state of one update. */
typedef struct fit_run {
  device_tree_fit *own;
  const device_scene *scene;
  device_forest *trees;
  tree_forest *forest; /* the host's */
} fit_run;

/* ---------------------------------------------------------------------------------------------- memory */

static graze_result size_fitting(const fit_run *run) {
  device_memory *held = run->scene->memory;
  const tree_forest *forest = run->forest;
  const bool orders = has_tasks(forest, TREE_ORDER);
  const size_t leaves = orders ? run->trees->leaf_count : 0;
  graze_result result = size_spare(held, &run->own->fittings, forest->body_count * sizeof(tree_fitting));
  if (result == GRAZE_OK) result = size_spare(held, &run->own->arrived, forest->block_count * sizeof(uint32_t));
  if (result == GRAZE_OK) result = size_spare(held, &run->own->codes, 2 * leaves * sizeof(uint64_t));
  if (result == GRAZE_OK) result = size_spare(held, &run->own->old_leaves, leaves * sizeof(uint32_t));
  const device_operations *device = &held->operations;
  return result == GRAZE_OK && orders ? device->reserve(device->context, 0, leaves) : result;
}

/* Releases the lists of an earlier query if memory is short. */
static graze_result make_room(const fit_run *run) {
  const graze_result result = size_fitting(run);
  return result == GRAZE_OUT_OF_MEMORY && release_spares(run->scene->memory) ? size_fitting(run) : result;
}

static tree_fit_view view_of_fitting(const fit_run *run) {
  const tree_forest *forest = run->forest;
  const uint32_t leaf_bits = bits_for(most_leaves(forest)), taken = leaf_bits + bits_for(forest->body_count);
  const uint32_t code_bits = taken < 64 ? (64 - taken) / 3 : 0;
  uint64_t *codes = run->own->codes.data;
  return (tree_fit_view){.scene = device_scene_view(run->scene),
                         .forest = device_forest_view(run->trees),
                         .fittings = run->own->fittings.data,
                         .arrived = run->own->arrived.data,
                         .codes = codes,
                         .sorted_codes = codes + run->trees->leaf_count,
                         .old_leaves = run->own->old_leaves.data,
                         .code_bits = code_bits < CODE_BITS_MOST ? code_bits : CODE_BITS_MOST,
                         .leaf_bits = leaf_bits};
}

/* ---------------------------------------------------------------------------------------------- stages */

static void queue_order_of_leaves(stage_queue *queue, const tree_fit_view *v) {
  const uint32_t bits = 3 * v->code_bits + v->leaf_bits + bits_for(v->forest.body_count);
  queue_stage(queue, tree_code, v);
  queue_sort(queue, v->codes, v->sorted_codes, v->forest.leaf_count, bits > 0 ? bits : 1);
  queue_stage(queue, tree_order, v);
}

static graze_result run_tasks(const fit_run *run, tree_fitting *fittings) {
  device_memory *held = run->scene->memory;
  const device_operations *device = &held->operations;
  const size_t bytes = run->forest->body_count * sizeof *fittings;
  graze_result result = upload(held, &run->own->fittings, 0, fittings, bytes);
  if (result != GRAZE_OK) return result;
  const tree_fit_view view = view_of_fitting(run);
  stage_queue queue = {device, GRAZE_OK};
  queue_clear(&queue, view.arrived, 0, run->forest->block_count * sizeof(uint32_t));
  queue_stage(&queue, tree_bounds, &view);
  queue_stage(&queue, tree_space, &view);
  if (has_tasks(run->forest, TREE_ORDER)) queue_order_of_leaves(&queue, &view);
  queue_stage(&queue, tree_fit, &view);
  return queue.result == GRAZE_OK ? device->download(device->context, fittings, view.fittings, bytes) : queue.result;
}

graze_result device_tree_fit_pose(const device_scene *scene, const device_forest *trees) {
  const tree_fit_view view = {.scene = device_scene_view(scene), .forest = device_forest_view(trees)};
  stage_queue queue = {&scene->memory->operations, GRAZE_OK};
  queue_stage(&queue, tree_pose, &view);
  return queue.result;
}

/* ---------------------------------------------------------------------------------------------- tasks */

static void list_tasks(const tree_forest *forest, tree_fitting *fittings_out) {
  memset(fittings_out, 0, forest->body_count * sizeof *fittings_out);
  for (size_t i = 0; i < forest->body_count; i++) fittings_out[i].task = forest->bodies[i].task;
}

static void take_measures(const fit_run *run, const tree_fitting *fittings) {
  tree_forest *forest = run->forest;
  for (uint32_t i = 0; i < forest->body_count; i++) {
    if (fittings[i].task == TREE_DONE) continue;
    const tree_measures measured = {fitting_box(&fittings[i]), 0x1p-24 * (double)fittings[i].area, fittings[i].small};
    tree_forest_take_measures(forest, i, &measured, &run->scene->tables.sources[forest->bodies[i].object]);
  }
}

bool device_tree_fit_is_due(const tree_forest *forest) {
  return has_tasks(forest, TREE_FIT);
}

graze_result device_tree_fit_run(device_tree_fit *own, const device_scene *scene, device_forest *trees,
                                 tree_forest *forest) {
  const fit_run run = {own, scene, trees, forest};
  memory *scratch = scene->memory->scratch;
  graze_result result = GRAZE_OK;
  if (!has_tasks(forest, TREE_FIT)) return GRAZE_OK;
  tree_fitting *fittings = memory_allocate(scratch, forest->body_count, sizeof *fittings);
  if (fittings == NULL) return GRAZE_OUT_OF_MEMORY;
  /* At most twice: reordering again does not improve the boxes. */
  while (result == GRAZE_OK && has_tasks(forest, TREE_FIT)) {
    list_tasks(forest, fittings);
    result = make_room(&run);
    if (result == GRAZE_OK) result = run_tasks(&run, fittings);
    if (result == GRAZE_OK) take_measures(&run, fittings);
  }
  /* If reordering fails, the order of leaves is unknown. */
  if (result != GRAZE_OK) trees->of = NULL;
  memory_release(scratch, fittings, forest->body_count, sizeof *fittings);
  return result;
}

void device_tree_fit_release(device_tree_fit *own, device_memory *held) {
  release_buffer(held, &own->fittings);
  release_buffer(held, &own->arrived);
  release_buffer(held, &own->codes);
  release_buffer(held, &own->old_leaves);
}
