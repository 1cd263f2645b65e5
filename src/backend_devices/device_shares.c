/* A scene divided over several devices; see device_shares.h.
 *
 * Workload: two to a few dozen shares. Filling them reads all primitives three times on the host, writes each to the
 * parts that it reaches, and uploads the parts. A frame without changes does nothing. */
#include "backend_devices/device_shares.h"

#include "base/timer.h"
#include "distributed/portion_list.h"
#include "distributed/rank_division.h"
#include "scene/scene_failure.h"

#include <string.h>

/* ---------------------------------------------------------------------------------------------- opening */

/* Memory of the shares' scenes counts as memory of the scene. */
static void *allocate_counted(void *context, size_t bytes, size_t alignment) {
  (void)alignment; /* the library requests MEMORY_ALIGNMENT, which memory_allocate provides */
  return memory_allocate(context, bytes, 1);
}

static void release_counted(void *context, void *block, size_t bytes) {
  memory_release(context, block, bytes, 1);
}

static graze_result open_share(device_share *share, graze_scene *scene, uint32_t part) {
  graze_allocator counted = graze_allocator_default();
  counted.context = &scene->memory;
  counted.allocate = allocate_counted;
  counted.release = release_counted;
  graze_backend_def backend_def = graze_backend_def_default();
  backend_def.name = "cuda";
  backend_def.devices = &share->device;
  backend_def.device_count = 1;
  graze_scene_def def = graze_scene_def_default();
  def.backend = &backend_def;
  def.allocator = &counted;
  def.workers = scene->workers;
  const graze_result result = scene->create_scene(&def, &share->scene);
  if (result == GRAZE_OK) slab_init(&share->slab, share->scene, part);
  return rank_failure_note(&share->failure, result);
}

graze_result device_shares_open(device_shares *all, graze_scene *scene, const int *devices, size_t count) {
  *all = (device_shares){.heap = &scene->memory, .count = (uint32_t)count};
  const bool has_parts = division_create(&all->parts, all->heap, all->count);
  all->shares = memory_allocate(all->heap, count, sizeof *all->shares);
  if (!has_parts || all->shares == NULL) {
    all->count = 0;
    memory_release(all->heap, all->shares, count, sizeof *all->shares);
    division_destroy(&all->parts, all->heap);
    return scene_fail_memory(scene);
  }
  sent_portions_init(&all->sent);
  for (uint32_t i = 0; i < all->count; i++) all->shares[i] = (device_share){.device = devices[i]};
  graze_result result = GRAZE_OK;
  for (uint32_t i = 0; result == GRAZE_OK && i < all->count; i++) result = open_share(&all->shares[i], scene, i);
  if (result == GRAZE_OK) return GRAZE_OK;
  device_shares_check(all, scene);
  device_shares_close(all, scene);
  return result;
}

void device_shares_close(device_shares *all, const graze_scene *scene) {
  for (uint32_t i = 0; i < all->count; i++) {
    device_share *share = &all->shares[i];
    graze_pairs_free(&share->pairs);
    slab_release(&share->slab, all->heap);
    scene->destroy_scene(share->scene);
  }
  sent_portions_release(&all->sent, all->heap);
  memory_release(all->heap, all->shares, all->count, sizeof *all->shares);
  division_destroy(&all->parts, all->heap);
}

graze_result device_shares_check(const device_shares *all, const graze_scene *scene) {
  for (uint32_t i = 0; i < all->count; i++) {
    const device_share *share = &all->shares[i];
    if (share->failure.result == GRAZE_STOPPED) return GRAZE_STOPPED;
    if (share->failure.result != GRAZE_OK)
      return scene_fail(scene, share->failure.result, "device %d, %u of %u: %s", share->device, i + 1, all->count,
                        share->failure.text);
  }
  return GRAZE_OK;
}

/* ---------------------------------------------------------------------------------------------- the division */

void device_shares_note_frame(device_shares *all) {
  division_work work = {0};
  for (uint32_t i = 0; i < all->count; i++) {
    const uint64_t us = all->shares[i].work_us, held = all->shares[i].slab.held_count;
    work.sum_us += us;
    work.sum_held += held;
    if (us > work.greatest_us) work.greatest_us = us;
    if (held > work.greatest_held) work.greatest_held = held;
  }
  if (work.sum_us == 0) return; /* no query since the last update */
  all->waste_us += work.greatest_us - work.sum_us / all->count;
  balance_note(&all->balance, &work, all->count);
}

/* The ski rental rule: divides again when the accumulated waste equals the cost of a division (Karlin et al.,
 * "Competitive snoopy caching", 1988). */
bool device_shares_are_uneven(const device_shares *all) {
  return balance_is_due(&all->balance) && all->waste_us >= all->divide_us;
}

void device_shares_note_query(device_shares *all, double clearance) {
  if (2 * clearance >= all->clearance) {
    all->asked = 0;
    all->narrow_updates = 0;
  } else if (clearance > all->asked) {
    all->asked = clearance;
  }
}

double device_shares_next_clearance(device_shares *all) {
  enum { NARROW_UPDATES = 8 }; /* filling the shares takes a few times as long as an update after a change */
  return all->clearance > 0 && ++all->narrow_updates > NARROW_UPDATES ? all->asked : all->clearance;
}

static graze_result divide_scene(device_shares *all, const graze_scene *scene, rank_failure *failure) {
  const transport alone = transport_alone();
  memory *heap = scene_scratch(scene);
  uint64_t *times = memory_allocate(heap, all->count, sizeof *times);
  if (times == NULL) return rank_failure_say_memory(failure);
  for (uint32_t i = 0; i < all->count; i++) times[i] = all->shares[i].work_us;
  const graze_result result =
      rank_divide(&all->parts, &all->balance, &alone, heap, scene, (division_times){times, 0, all->count}, failure);
  memory_release(heap, times, all->count, sizeof *times);
  return result;
}

/* ---------------------------------------------------------------------------------------------- filling */

/* The data for the shares, in host memory. */
typedef struct filling {
  device_shares *all;
  const graze_scene *scene;
  memory *heap;
  portion_list list;       /* allocated like the records of sent portions */
  transport_block *blocks; /* one per share */
  bool refill_all;         /* refills the shares completely; otherwise applies only the changes */
  array exclusions;        /* graze_object_pair, by the numbers in pairs */
  rank_failure failure;    /* a failure on the host */
} filling;

static void release_block(filling *work, uint32_t i) {
  memory_release(work->heap, work->blocks[i].bytes, work->blocks[i].size, 1);
  work->blocks[i] = (transport_block){0};
}

static graze_result make_blocks(filling *work) {
  const uint32_t count = work->all->count;
  memory *heap = work->heap;
  uint64_t *sizes = memory_allocate(heap, count, sizeof *sizes);
  void **places = memory_allocate(heap, count, sizeof *places);
  bool has_room = sizes != NULL && places != NULL;
  if (has_room) {
    memset(sizes, 0, count * sizeof *sizes);
    portion_list_sum_bytes(&work->list, sizes);
  }
  for (uint32_t i = 0; has_room && i < count; i++) {
    work->blocks[i] = (transport_block){memory_allocate(heap, sizes[i], 1), sizes[i]};
    places[i] = work->blocks[i].bytes;
    has_room = places[i] != NULL;
  }
  const graze_result result = has_room
                                  ? portion_list_write(&work->list, heap, work->scene, count, places, &work->failure)
                                  : rank_failure_say_memory(&work->failure);
  memory_release(heap, sizes, count, sizeof *sizes);
  memory_release(heap, places, count, sizeof *places);
  return result;
}

/* Parts of one object may be in any share, so exclusions use the numbers that the parts have in common. */
static graze_result list_exclusions(filling *work) {
  const pair_slots excluded = pair_set_slots(&work->scene->excluded.pairs);
  const scene_object *objects = scene_objects(work->scene);
  for (uint64_t i = 0; i < excluded.count; i++) {
    if (excluded.keys[i] == 0) continue;
    const index_pair slots = pair_slots_pair(excluded.keys[i]);
    const graze_object_pair pair = {objects[slots.a].public_object, objects[slots.b].public_object};
    if (!array_push(&work->exclusions, work->heap, &pair)) return rank_failure_say_memory(&work->failure);
  }
  return GRAZE_OK;
}

static void fill_share(void *context, uint32_t index, uint32_t worker) {
  filling *work = context;
  device_share *share = &work->all->shares[index];
  rank_failure *failure = &share->failure;
  const transport_block *block = &work->blocks[index];
  (void)worker;
  *failure = (rank_failure){0};
  graze_result result = work->refill_all ? slab_clear(&share->slab, failure) : GRAZE_OK;
  if (result == GRAZE_OK) result = slab_take(&share->slab, work->all->heap, 0, block->bytes, block->size, failure);
  release_block(work, index);
  if (result == GRAZE_OK)
    result = slab_exclude(&share->slab, work->heap, work->exclusions.data, work->exclusions.count, failure);
  if (result == GRAZE_OK) rank_failure_note(failure, graze_scene_update(share->scene));
}

static graze_result prepare_filling(filling *work, bool divides) {
  device_shares *all = work->all;
  graze_result result = GRAZE_OK;
  if (divides) result = divide_scene(all, work->scene, &work->failure);
  if (work->refill_all) sent_portions_forget(&all->sent);
  if (result == GRAZE_OK)
    result = portion_list_collect(&work->list, all->heap, work->scene, &all->parts, all->clearance, PORTIONS_OF_ALL,
                                  &all->sent.objects, &work->failure);
  if (result == GRAZE_OK && !sent_portions_compare(&all->sent, all->heap, work->scene, &work->list))
    result = rank_failure_say_memory(&work->failure);
  if (result == GRAZE_OK) result = list_exclusions(work);
  if (result == GRAZE_OK) result = make_blocks(work);
  return result;
}

static graze_result fill_shares(filling *work, bool divides) {
  const graze_result result = prepare_filling(work, divides);
  if (result != GRAZE_OK) return scene_fail(work->scene, result, "%s", work->failure.text);
  portion_list_release(&work->list, work->all->heap);
  workers_run(work->scene->workers, fill_share, work, work->all->count);
  return device_shares_check(work->all, work->scene);
}

static graze_result fill_blocks(filling *work, bool divides) {
  const uint32_t count = work->all->count;
  portion_list_init(&work->list);
  array_init(&work->exclusions, sizeof(graze_object_pair));
  work->blocks = memory_allocate(work->heap, count, sizeof *work->blocks);
  if (work->blocks == NULL) return scene_fail_memory(work->scene);
  memset(work->blocks, 0, count * sizeof *work->blocks);
  const graze_result result = fill_shares(work, divides);
  for (uint32_t i = 0; i < count; i++) release_block(work, i);
  memory_release(work->heap, work->blocks, count, sizeof *work->blocks);
  array_release(&work->exclusions, work->heap);
  portion_list_release(&work->list, work->all->heap);
  return result;
}

/* After a change of exclusions the shares are refilled completely, because some exclusions may have ended. */
graze_result device_shares_fill(device_shares *all, const graze_scene *scene, double clearance) {
  const double begin = timer_now_ms();
  const bool divides = balance_is_due(&all->balance);
  const bool refill_all =
      !all->filled || divides || clearance != all->clearance || all->exclusions != scene->excluded.version;
  filling work = {.all = all, .scene = scene, .heap = scene_scratch(scene), .refill_all = refill_all};
  all->filled = false;
  if (clearance != all->clearance) {
    all->asked = 0;
    all->narrow_updates = 0;
  }
  all->clearance = clearance;
  const graze_result result = fill_blocks(&work, divides);
  if (result != GRAZE_OK) return result;
  all->filled = true;
  all->exclusions = scene->excluded.version;
  sent_portions_commit(&all->sent);
  if (divides) {
    all->waste_us = 0;
    all->divide_us = (uint64_t)((timer_now_ms() - begin) * 1e3);
  }
  for (uint32_t i = 0; i < all->count; i++) all->shares[i].work_us = 0;
  return GRAZE_OK;
}
