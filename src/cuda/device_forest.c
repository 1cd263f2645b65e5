/* Trees on a device; see device_forest.h.
 *
 * The host builds the trees of objects that are added or whose primitives change; all trees are then uploaded. */
#include "cuda/device_forest.h"

static size_t count_leaves(const tree_forest *forest) {
  size_t count = 0;
  for (size_t i = 0; i < forest->body_count; i++) count += forest->bodies[i].leaf_count;
  return count;
}

static graze_result upload_bodies(device_forest *own, device_memory *held, const tree_forest *forest) {
  const size_t count = forest->body_count;
  tree_body *bodies = memory_allocate(held->scratch, count, sizeof *bodies);
  if (bodies == NULL) return GRAZE_OUT_OF_MEMORY;
  uint32_t leaf = 0, block = 0;
  for (size_t i = 0; i < count; i++) {
    bodies[i] = forest->bodies[i];
    bodies[i].first_leaf = leaf;
    bodies[i].blocks_before = block;
    leaf += bodies[i].leaf_count;
    if (bodies[i].owner == i) block += tree_block_count(bodies[i].leaf_count);
  }
  const graze_result result = upload_all(held, &own->bodies, bodies, count * sizeof *bodies);
  memory_release(held->scratch, bodies, count, sizeof *bodies);
  return result;
}

/* Uploads leaves, by the scene's numbers of primitives, body by body. */
static graze_result upload_leaves(device_forest *own, device_memory *held, const tree_forest *forest,
                                  const object_source *sources) {
  const size_t count = count_leaves(forest);
  uint32_t *numbers = memory_allocate(held->scratch, count, sizeof *numbers);
  if (numbers == NULL) return GRAZE_OUT_OF_MEMORY;
  size_t at = 0;
  for (size_t i = 0; i < forest->body_count; i++) {
    const tree_body *body = &forest->bodies[i];
    const uint32_t first = sources[body->object].first_primitive, *leaves = forest->leaves + body->first_leaf;
    for (uint32_t leaf = 0; leaf < body->leaf_count; leaf++) numbers[at++] = first + leaves[leaf];
  }
  const graze_result result = upload_all(held, &own->leaves, numbers, count * sizeof *numbers);
  memory_release(held->scratch, numbers, count, sizeof *numbers);
  return result;
}

static uint32_t highest_top(const tree_forest *forest) {
  uint32_t top = 0;
  for (size_t i = 0; i < forest->body_count; i++) {
    const uint32_t level = tree_layout_of(forest->bodies[i].leaf_count).top;
    top = level > top ? level : top;
  }
  return top;
}

static graze_result upload_shapes(device_forest *own, device_memory *held, const tree_forest *forest,
                                  const object_source *sources) {
  const size_t blocks = forest->block_count;
  graze_result result = upload_bodies(own, held, forest);
  if (result == GRAZE_OK) result = upload_all(held, &own->blocks, forest->blocks, blocks * sizeof(tree_block));
  if (result == GRAZE_OK) result = upload_all(held, &own->slabs, forest->slabs, blocks * sizeof(tree_slab));
  if (result == GRAZE_OK) result = upload_leaves(own, held, forest, sources);
  if (result == GRAZE_OK) result = size_buffer(held, &own->posed, forest->body_count * sizeof(posed_space));
  return result;
}

graze_result device_forest_take(device_forest *own, device_memory *held, const tree_forest *forest,
                                const object_source *sources) {
  own->of = NULL;
  graze_result result = upload_shapes(own, held, forest, sources);
  if (result == GRAZE_OUT_OF_MEMORY && release_spares(held)) result = upload_shapes(own, held, forest, sources);
  if (result != GRAZE_OK) return result;
  own->body_count = forest->body_count;
  own->leaf_count = count_leaves(forest);
  own->block_count = forest->block_count;
  own->top = highest_top(forest);
  own->of = forest;
  return GRAZE_OK;
}

graze_result device_forest_take_posed(device_forest *own, device_memory *held, const tree_forest *forest) {
  return upload_all(held, &own->posed, forest->posed, forest->body_count * sizeof *forest->posed);
}

forest_view device_forest_view(const device_forest *own) {
  return (forest_view){.bodies = own->bodies.data,
                       .posed = own->posed.data,
                       .blocks = own->blocks.data,
                       .slabs = own->slabs.data,
                       .leaves = own->leaves.data,
                       .body_count = (uint32_t)own->body_count,
                       .leaf_count = (uint32_t)own->leaf_count,
                       .block_count = (uint32_t)own->block_count};
}

void device_forest_release(device_forest *own, device_memory *held) {
  release_buffer(held, &own->bodies);
  release_buffer(held, &own->posed);
  release_buffer(held, &own->blocks);
  release_buffer(held, &own->slabs);
  release_buffer(held, &own->leaves);
  own->of = NULL;
}
