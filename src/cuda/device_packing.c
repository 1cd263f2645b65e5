/* Sphere packings on a device; see device_packing.h. */
#include "cuda/device_packing.h"

#include "cuda/device_memory.h"
#include "cuda/device_queue.h"
#include "cuda/packing_view.h"

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

static graze_result run(void *context, prototype_job *jobs, size_t count) {
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

static const char *error(void *context) {
  const device_operations *device = &((device_packing *)context)->memory.operations;
  return device->error(device->context);
}

static void close_stages(void *context) {
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
  *stages_out = (packer_stages){packing, take_mesh, take_spheres, run, error, close_stages};
  return GRAZE_OK;
}
