/* Implements the emulated device; see host_operations.h. */
#include "host_operations.h"

#include "base/radix_sort.h"
#include "cuda/cuda_backend.h"
#include "cuda/stage_clusters.h"
#include "cuda/stage_configurations.h"
#include "cuda/stage_contact.h"
#include "cuda/stage_crowding.h"
#include "cuda/stage_distances.h"
#include "cuda/stage_entries.h"
#include "cuda/stage_exact.h"
#include "cuda/stage_filter.h"
#include "cuda/stage_focus.h"
#include "cuda/stage_gas.h"
#include "cuda/stage_order.h"
#include "cuda/stage_packing.h"
#include "cuda/stage_search.h"
#include "cuda/stage_tree.h"
#include "cuda/stage_tree_fit.h"
#include "cuda/stage_vertices.h"

#include <stdalign.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static host_device_settings settings;
/* Like host_device_counts; several devices of one scene count separately. */
static struct {
  _Atomic(size_t) operations, uploads, uploaded_bytes, replays, waits, before_wait, checks, unfinished, open_devices,
      bytes, recordings, allocations;
  const void *_Atomic first_wait;
} counts;
static _Atomic(size_t) lists_of[HOST_DEVICE_COUNT]; /* given back outside of all turns */
static _Atomic(size_t) stages_running, overlaps;

void host_device_configure(const host_device_settings *new_settings) {
  settings = *new_settings;
  counts.operations = counts.uploads = counts.uploaded_bytes = counts.replays = counts.waits = counts.before_wait =
      counts.checks = 0;
  counts.first_wait = NULL;
}

host_device_counts host_device_count(void) {
  host_device_counts now = {.operations = counts.operations,
                            .uploads = counts.uploads,
                            .uploaded_bytes = counts.uploaded_bytes,
                            .replays = counts.replays,
                            .waits = counts.waits,
                            .first_wait = counts.first_wait,
                            .before_wait = counts.before_wait,
                            .unfinished = counts.unfinished,
                            .open_devices = counts.open_devices,
                            .bytes = counts.bytes,
                            .recordings = counts.recordings,
                            .allocations = counts.allocations};
  for (int i = 0; i < HOST_DEVICE_COUNT; i++) now.lists += atomic_load(&lists_of[i]);
  now.overlaps = atomic_load(&overlaps);
  return now;
}

/* ---------------------------------------------------------------------------------------------- kept sequences */

typedef enum step_kind { STEP_CLEAR, STEP_RUN, STEP_SCAN, STEP_SORT } step_kind;

/* Bytes of the largest view. */
enum { VIEW_MOST = 2048 };

typedef struct step {
  step_kind kind;
  void *memory;
  const uint64_t *keys, *sum;
  int byte;
  size_t amount;
  uint32_t bits;
  device_stage stage;
  alignas(16) unsigned char view[VIEW_MOST];
  bool beside;
} step;

enum { MOST_STEPS = 64, BESIDE_STEPS = 8 };

typedef struct kept_sequence {
  unsigned char signature[SIGNATURE_MOST];
  size_t signature_bytes, step_count;
  step steps[MOST_STEPS];
} kept_sequence;

/* A copy of staging memory that is still on its way. */
typedef struct late_copy {
  void *to;
  const void *from;
  size_t bytes;
} late_copy;

enum { MOST_LATE = 4 };

typedef struct host_device {
  kept_sequence kept[SEQUENCE_COUNT];
  kept_sequence *recording, *replaying;
  bool beside;                /* what is queued now is */
  step waiting[BESIDE_STEPS]; /* what was, where it is to be done last */
  size_t waiting_count;
  int number;
  char error[128];
  late_copy late[MOST_LATE];
  size_t late_count;
} host_device;

/* ---------------------------------------------------------------------------------------------- steps */

#define RUN_BODY(view_type, name, count, bound)                                                                        \
  case STAGE_##name:                                                                                                   \
    stage_##name(index, (const view_type *)view);                                                                      \
    break;

#define RUN_PAIR_BODY(view_type, name, count, bound)                                                                   \
  case STAGE_##name: {                                                                                                 \
    const view_type *v = view;                                                                                         \
    *device_tally_slot(&v->lists, TALLY_HASH, index) += stage_##name(index, v);                                        \
    break;                                                                                                             \
  }

static void run_index(device_stage stage, uint32_t index, const void *view) {
  switch (stage) {
    PLAIN_STAGE_LIST(RUN_BODY)
    ORDER_PAIR_STAGE_LIST(RUN_PAIR_BODY)
  case STAGE_COUNT:
    break;
  }
}

#define COUNT_OF_STAGE(view_type, name, count, bound)                                                                  \
  case STAGE_##name: {                                                                                                 \
    const view_type *v = view;                                                                                         \
    (void)v;                                                                                                           \
    return (uint32_t)(count);                                                                                          \
  }

static uint32_t index_count(device_stage stage, const void *view) {
  switch (stage) {
    DEVICE_STAGE_LIST(COUNT_OF_STAGE)
  case STAGE_COUNT:
    break;
  }
  return 0;
}

static void run_stage(device_stage stage, const void *v) {
  if (atomic_fetch_add(&stages_running, 1) > 0) atomic_fetch_add(&overlaps, 1);
  const bool replaced = stage == STAGE_search && settings.search != NULL;
  const uint32_t count = replaced ? 0 : index_count(stage, v);
  if (replaced) settings.search(v);
  const uint64_t stride = 2654435761u; /* prime, so that it has no factor in common with fewer indices */
  for (uint32_t i = 0; i < count; i++) {
    uint32_t index = i;
    if (settings.order == INDICES_REVERSED) index = count - 1 - i;
    if (settings.order == INDICES_SHUFFLED) index = (uint32_t)((i * stride + count / 3) % count);
    run_index(stage, index, v);
  }
  atomic_fetch_sub(&stages_running, 1);
}

static void scan_counts(uint32_t *numbers, size_t count) {
  uint32_t sum = 0;
  for (size_t i = 0; i < count; i++) {
    const uint32_t number = numbers[i];
    numbers[i] = sum;
    sum += number;
  }
}

static void sort_keys(const step *s) {
  uint64_t *scratch = malloc((s->amount + 1) * sizeof *scratch);
  if (scratch == NULL) abort();
  memcpy(s->memory, s->keys, s->amount * sizeof *s->keys);
  if (s->amount > 0) radix_sort_keys(s->memory, scratch, s->amount, s->bits);
  free(scratch);
}

static void do_step(const step *s) {
  switch (s->kind) {
  case STEP_CLEAR:
    memset(s->memory, s->byte, s->amount);
    break;
  case STEP_RUN:
    run_stage(s->stage, s->view);
    break;
  case STEP_SCAN:
    if (s->sum == NULL || *s->sum != 0) scan_counts(s->memory, s->amount);
    break;
  case STEP_SORT:
    sort_keys(s);
    break;
  }
}

/* A concurrent operation runs first, or waits for the next mark: both must be correct. */
static void begin_step(host_device *device, const step *s) {
  if (!s->beside || settings.order == INDICES_FORWARD) {
    do_step(s);
    return;
  }
  if (device->waiting_count == BESIDE_STEPS) abort();
  device->waiting[device->waiting_count++] = *s;
}

static void end_steps(host_device *device) {
  for (size_t i = 0; i < device->waiting_count; i++) do_step(&device->waiting[i]);
  device->waiting_count = 0;
}

/* ---------------------------------------------------------------------------------------------- the table */

/* Counts an operation; false where it is one that is to fail. */
static bool proceed(host_device *device) {
  device->error[0] = '\0';
  const size_t operation = ++counts.operations;
  if (settings.fail_at == 0 || operation < settings.fail_at) return true;
  if (operation > settings.fail_at && !settings.stays_lost) return true;
  snprintf(device->error, sizeof device->error, "operation %zu of the device failed", operation);
  return false;
}

static void end_late_copies(host_device *device) {
  for (size_t i = 0; i < device->late_count; i++)
    memcpy(device->late[i].to, device->late[i].from, device->late[i].bytes);
  device->late_count = 0;
}

static graze_result host_allocate(void *context, size_t bytes, void **memory_out) {
  host_device *device = context;
  if (!proceed(context)) return settings.stays_lost ? GRAZE_DEVICE_FAILED : GRAZE_OUT_OF_MEMORY;
  const size_t used = counts.bytes;
  if (settings.most_bytes != 0 && bytes > settings.most_bytes - used) {
    snprintf(device->error, sizeof device->error, "out of memory: %zu bytes were asked for, %zu are free", bytes,
             settings.most_bytes - used);
    return GRAZE_OUT_OF_MEMORY;
  }
  *memory_out = aligned_alloc(MEMORY_ALIGNMENT, (bytes + MEMORY_ALIGNMENT - 1) / MEMORY_ALIGNMENT * MEMORY_ALIGNMENT);
  if (*memory_out == NULL) return GRAZE_OUT_OF_MEMORY;
  memset(*memory_out, 0xa5, bytes); /* nothing may rely on what fresh memory holds */
  counts.bytes += bytes;
  counts.allocations++;
  return GRAZE_OK;
}

static void host_release(void *context, void *block, size_t bytes) {
  end_late_copies(context);
  if (block != NULL) counts.bytes -= bytes;
  free(block);
}

/* Lists of callers are not the scene's: they are not in its account. */
static graze_result host_allocate_list(void *context, size_t bytes, void **memory_out) {
  const host_device *device = context;
  if (!proceed(context)) return GRAZE_OUT_OF_MEMORY;
  *memory_out = malloc(bytes);
  if (*memory_out == NULL) return GRAZE_OUT_OF_MEMORY;
  atomic_fetch_add(&lists_of[device->number], 1);
  counts.allocations++;
  return GRAZE_OK;
}

static void host_release_list(int device, void *block) {
  if (atomic_fetch_sub(&lists_of[device], 1) == 0) abort(); /* it is another device's */
  free(block);
}

static graze_result host_check_memory(void *context, const void *block, size_t bytes) {
  host_device *device = context;
  if (!proceed(device)) return GRAZE_DEVICE_FAILED;
  counts.checks++;
  if (bytes == 0 || block != settings.unreadable) return GRAZE_OK;
  snprintf(device->error, sizeof device->error, "they are not on the device");
  return GRAZE_INVALID_ARGUMENT;
}

/* At once, or as late as can be where indices run backward: both must do. */
static graze_result copy_staged(void *context, void *to, const void *from, size_t bytes) {
  host_device *device = context;
  if (!proceed(device)) return GRAZE_DEVICE_FAILED;
  counts.unfinished++;
  if (device->late_count == MOST_LATE) end_late_copies(device);
  device->late[device->late_count++] = (late_copy){to, from, bytes};
  if (settings.order != INDICES_REVERSED) end_late_copies(device);
  return GRAZE_OK;
}

static graze_result host_wait(void *context) {
  if (!proceed(context)) return GRAZE_DEVICE_FAILED;
  end_late_copies(context);
  counts.unfinished = 0;
  return GRAZE_OK;
}

static graze_result host_copy(void *context, void *to, const void *from, size_t bytes) {
  const graze_result result = host_wait(context);
  if (result == GRAZE_OK) memcpy(to, from, bytes);
  return result;
}

static graze_result host_upload(void *context, void *to, const void *from, size_t bytes) {
  const size_t unfinished = counts.unfinished;
  counts.uploads++;
  counts.uploaded_bytes += bytes;
  const graze_result result = host_copy(context, to, from, bytes);
  counts.unfinished = unfinished + 1;
  return result;
}

static graze_result host_upload_staged(void *context, void *to, const void *from, size_t bytes) {
  counts.uploads++;
  counts.uploaded_bytes += bytes;
  return copy_staged(context, to, from, bytes);
}

static graze_result host_download(void *context, void *to, const void *from, size_t bytes) {
  const struct timespec pause = {.tv_nsec = settings.download_ms * 1000000};
  if (settings.download_ms > 0) nanosleep(&pause, NULL);
  const graze_result result = host_copy(context, to, from, bytes);
  if (result == GRAZE_OK && settings.claimed != 0 && bytes == sizeof(device_totals)) {
    ((device_totals *)to)->list[LIST_CANDIDATES] = settings.claimed;
    settings.claimed = 0;
  }
  if (result == GRAZE_OK && settings.downloaded != NULL) settings.downloaded(to, bytes);
  return result;
}

static graze_result queue_step(host_device *device, const step *given) {
  if (!proceed(device)) return GRAZE_DEVICE_FAILED;
  end_late_copies(device);
  counts.unfinished++;
  step s = *given;
  s.beside = device->beside;
  if (device->recording != NULL) {
    if (device->recording->step_count == MOST_STEPS) abort();
    device->recording->steps[device->recording->step_count++] = s;
  }
  begin_step(device, &s);
  return GRAZE_OK;
}

/* Only inside of a sequence. */
static graze_result host_beside(void *context, bool begins) {
  host_device *device = context;
  if (device->recording == NULL || device->beside == begins) abort();
  if (!proceed(device)) return GRAZE_DEVICE_FAILED;
  device->beside = begins;
  return GRAZE_OK;
}

static graze_result host_clear(void *context, void *block, int byte, size_t bytes) {
  const step s = {.kind = STEP_CLEAR, .memory = block, .byte = byte, .amount = bytes};
  return queue_step(context, &s);
}

static graze_result host_wait_for(void *context, void *stream) {
  host_device *device = context;
  if (counts.waits++ == 0) {
    counts.first_wait = stream;
    counts.before_wait = counts.operations - counts.checks; /* which queue nothing */
  }
  if (!proceed(device)) return GRAZE_DEVICE_FAILED;
  if (stream == NULL || stream != settings.lost_stream) return GRAZE_OK;
  snprintf(device->error, sizeof device->error, "waiting for the caller's stream: there is none");
  return GRAZE_DEVICE_FAILED;
}

static graze_result host_run(void *context, device_stage stage, size_t bound, const void *view, size_t view_bytes) {
  step s = {.kind = STEP_RUN, .stage = stage};
  if (view_bytes > sizeof s.view || index_count(stage, view) > bound) abort();
  memcpy(s.view, view, view_bytes);
  return queue_step(context, &s);
}

static graze_result host_reserve(void *context, size_t scan_count, size_t sort_count) {
  (void)scan_count;
  (void)sort_count;
  return proceed(context) ? GRAZE_OK : GRAZE_OUT_OF_MEMORY;
}

static graze_result host_scan(void *context, uint32_t *numbers, size_t count, const uint64_t *sum_or_null) {
  const step s = {.kind = STEP_SCAN, .memory = numbers, .sum = sum_or_null, .amount = count};
  return queue_step(context, &s);
}

static graze_result host_sort(void *context, const uint64_t *keys, uint64_t *sorted_out, size_t count, uint32_t bits) {
  const step s = {.kind = STEP_SORT, .memory = sorted_out, .keys = keys, .amount = count, .bits = bits};
  return queue_step(context, &s);
}

static bool host_begin(void *context, device_sequence sequence, const void *signature, size_t signature_bytes) {
  host_device *device = context;
  kept_sequence *kept = &device->kept[sequence];
  device->error[0] = '\0';
  if (signature_bytes > sizeof kept->signature) abort();
  const bool known = kept->signature_bytes == signature_bytes && kept->step_count > 0 &&
                     memcmp(kept->signature, signature, signature_bytes) == 0;
  if (known) {
    device->replaying = kept;
    return true;
  }
  memcpy(kept->signature, signature, signature_bytes);
  kept->signature_bytes = signature_bytes;
  kept->step_count = 0;
  device->recording = kept;
  counts.recordings++;
  return false;
}

static graze_result host_end(void *context) {
  host_device *device = context;
  end_late_copies(device);
  const kept_sequence *replaying = device->replaying;
  kept_sequence *recorded = device->recording;
  device->recording = device->replaying = NULL;
  device->beside = false; /* also where queueing failed */
  end_steps(device);
  if (device->error[0] != '\0' || !proceed(device)) {
    if (recorded != NULL) recorded->step_count = 0;
    return GRAZE_DEVICE_FAILED;
  }
  if (replaying == NULL) return GRAZE_OK;
  counts.replays++;
  counts.unfinished++;
  for (size_t i = 0; i < replaying->step_count; i++) begin_step(device, &replaying->steps[i]);
  end_steps(device);
  return GRAZE_OK;
}

static size_t host_launches(void *context, device_sequence sequence) {
  return ((const host_device *)context)->kept[sequence].step_count;
}

static graze_result host_mark(void *context, device_mark mark) {
  (void)mark;
  end_steps(context);
  return GRAZE_OK;
}

static double host_milliseconds(void *context, device_mark from, device_mark to) {
  (void)context;
  return to > from ? 0.0 : -1.0;
}

static const char *host_error(void *context) {
  return ((const host_device *)context)->error;
}

static void host_close(void *context) {
  counts.open_devices--;
  free(context);
}

graze_result cuda_backend_open(int device, device_operations *operations_out, char *error_out, size_t error_bytes) {
  if (device < 0 || device >= HOST_DEVICE_COUNT) {
    snprintf(error_out, error_bytes, "there is no device number %d", device);
    return GRAZE_NO_DEVICE;
  }
  host_device *opened = calloc(1, sizeof *opened);
  if (opened == NULL) return GRAZE_OUT_OF_MEMORY;
  opened->number = device;
  counts.open_devices++;
  *operations_out = (device_operations){.context = opened,
                                        .first_capacity = settings.first_capacity,
                                        .most_groups = settings.most_groups,
                                        .bulk_block = settings.bulk_block,
                                        .vertex_lanes = 7,
                                        .allocate = host_allocate,
                                        .release = host_release,
                                        .device = device,
                                        .allocate_list = host_allocate_list,
                                        .release_list = host_release_list,
                                        .copy = host_copy,
                                        .check_memory = host_check_memory,
                                        .upload = host_upload,
                                        .allocate_staging = host_allocate,
                                        .release_staging = host_release,
                                        .upload_staged = host_upload_staged,
                                        .download_staged = copy_staged,
                                        .wait = host_wait,
                                        .download = host_download,
                                        .clear = host_clear,
                                        .wait_for = host_wait_for,
                                        .run = host_run,
                                        .reserve = host_reserve,
                                        .scan = host_scan,
                                        .sort = host_sort,
                                        .begin = host_begin,
                                        .end = host_end,
                                        .beside = host_beside,
                                        .launches = host_launches,
                                        .mark = host_mark,
                                        .milliseconds = host_milliseconds,
                                        .error = host_error,
                                        .close = host_close};
  return GRAZE_OK;
}

graze_result cuda_backend_describe(int device, char *words_out, size_t words_bytes) {
  if (device < 0 || device >= HOST_DEVICE_COUNT) return GRAZE_NO_DEVICE;
  snprintf(words_out, words_bytes, "loops on the host");
  return GRAZE_OK;
}
