/* What the files of device_memory.h ask of a device: memory, copies, stages, a scan, a sort. One table for CUDA, one of
 * plain loops in the tests.
 *
 * Operations are queued and done in their order; only `download` and `wait` wait for what comes before them. A failure
 * is a result code, and `error` then has the message. */
#ifndef GRAZE_CUDA_DEVICE_OPERATIONS_H
#define GRAZE_CUDA_DEVICE_OPERATIONS_H

#include "cuda/device_stages.h"
#include "graze/graze.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Moments of a frame between which time is taken. */
typedef enum device_mark {
  MARK_UPDATE_BEGIN,
  MARK_UPDATE_END,
  MARK_MEASURE_BEGIN,
  MARK_BEGIN,
  MARK_BOXES,
  MARK_BUILT,
  MARK_SEARCHED,
  MARK_TESTED,
  MARK_ORDERED,
  MARK_CONTACTS_BEGIN,
  MARK_CONTACTS_END,
  MARK_COUNT
} device_mark;

/* Sequences of operations that come again frame after frame. */
typedef enum device_sequence {
  SEQUENCE_UPDATE,
  SEQUENCE_QUERY,
  SEQUENCE_FOCUS, /* a query about objects or in a box, so that it can take turns with one about everything */
  SEQUENCE_PUSH,  /* one for what pairs push, likewise */
  SEQUENCE_MEASURE,
  SEQUENCE_COUNT
} device_sequence;

enum { SIGNATURE_MOST = 4096 };

typedef struct device_operations {
  void *context;
  size_t first_capacity; /* of lists, before anything is known; 0: by the number of primitives */
  size_t most_groups;    /* of lower primitives, that pairs are counted by; 0: as many as a sum is short over */
  size_t bulk_block;     /* bytes of the blocks that bulk copies go through; 0: as many as pay */
  size_t vertex_lanes;   /* most threads that measure the vertices; each then takes several */

  graze_result (*allocate)(void *context, size_t bytes, void **memory_out);
  void (*release)(void *context, void *block, size_t bytes); /* NULL is allowed; a lost device too */
  /* Memory of a caller's list, which may outlive the context: given back by the device's number alone. */
  int device;
  graze_result (*allocate_list)(void *context, size_t bytes, void **memory_out);
  void (*release_list)(int device, void *block);
  graze_result (*copy)(void *context, void *to, const void *from,
                       size_t bytes); /* from device to device, done on return */
  /* Whether the device can read a caller's memory; GRAZE_INVALID_ARGUMENT where it cannot. */
  graze_result (*check_memory)(void *context, const void *block, size_t bytes);
  /* Returns when `from` has been read: the caller may change it or give it back, whatever memory it is. */
  graze_result (*upload)(void *context, void *to, const void *from, size_t bytes);
  /* Memory of the host that the device reads and writes without the host's help. What lies there is uploaded some time
   * before the next download or wait returns, and stays as it is until then. */
  graze_result (*allocate_staging)(void *context, size_t bytes, void **memory_out);
  void (*release_staging)(void *context, void *block, size_t bytes); /* NULL is allowed; a lost device too */
  graze_result (*upload_staged)(void *context, void *to, const void *from, size_t bytes);
  /* Into such memory, some time before `wait` returns, by which all that was queued before it is done. */
  graze_result (*download_staged)(void *context, void *to, const void *from, size_t bytes);
  graze_result (*wait)(void *context);
  graze_result (*download)(void *context, void *to, const void *from, size_t bytes);
  graze_result (*clear)(void *context, void *block, int byte, size_t bytes);

  /* What is queued from now on comes after the work that a stream of the caller's has now. */
  graze_result (*wait_for)(void *context, void *stream);

  /* Runs the body of the stage for every index. `bound` is at least their number. The view is that of the stage's row,
   * and is copied. */
  graze_result (*run)(void *context, device_stage stage, size_t bound, const void *view, size_t view_bytes);

  /* Room for the two below, asked for before they are. */
  graze_result (*reserve)(void *context, size_t scan_count, size_t sort_count);
  /* Each count becomes the sum of those before it. Where the device knows the sum of all, and it is zero, they may stay
   * as they are. */
  graze_result (*scan)(void *context, uint32_t *counts, size_t count, const uint64_t *sum_or_null);
  /* By the low `bits` bits. */
  graze_result (*sort)(void *context, const uint64_t *keys, uint64_t *sorted_out, size_t count, uint32_t bits);

  /* What is queued between `begin` and `end` may be kept and done again: it must follow from the signature alone, of at
   * most SIGNATURE_MOST bytes. True: it was kept, for the same signature; the caller then queues nothing, and `end`
   * does it all. */
  bool (*begin)(void *context, device_sequence sequence, const void *signature, size_t signature_bytes);
  graze_result (*end)(void *context);
  /* Inside of a sequence: what is queued from `true` to `false` is done beside what comes after it, in whatever order,
   * when all before it has been done, and ends before the next mark. */
  graze_result (*beside)(void *context, bool begins);
  /* Kernels, clearings and copies of the sequence as it is kept; 0: none is. */
  size_t (*launches)(void *context, device_sequence sequence);

  graze_result (*mark)(void *context, device_mark mark);
  /* After a download that came after both. */
  double (*milliseconds)(void *context, device_mark from, device_mark to);

  const char *(*error)(void *context);
  void (*close)(void *context);
} device_operations;

#endif
