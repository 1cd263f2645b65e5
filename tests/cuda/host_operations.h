/* A device emulated on the host. It replaces CUDA in a library compiled for the tests, so that all calls of a scene,
 * the frame and the bodies of the kernels run without a GPU.
 *
 * Every stage runs its indices in ascending, descending or shuffled order, because parallel kernels have no order
 * either. Sequences are recorded and replayed like a CUDA graph. */
#ifndef GRAZE_TESTS_HOST_OPERATIONS_H
#define GRAZE_TESTS_HOST_OPERATIONS_H

#include <stdbool.h>
#include <stddef.h>

enum { HOST_DEVICE_COUNT = 3 }; /* numbers of devices that can be opened */

typedef enum index_order { INDICES_FORWARD, INDICES_REVERSED, INDICES_SHUFFLED, INDEX_ORDER_COUNT } index_order;

struct grid_view;

/* For devices opened, and stages run, from now on. */
typedef struct host_device_settings {
  index_order order;
  size_t first_capacity;   /* of lists; 0: as a device would choose */
  size_t most_groups;      /* that pairs are counted by; 0: as a device would choose */
  size_t bulk_block;       /* of bulk copies; 0: as a device would choose */
  size_t fail_at;          /* number of the operation that fails, counted from 1; 0: none */
  size_t most_bytes;       /* that can be held at once; 0: any number */
  size_t claimed;          /* candidates that the next run reports instead of its own; 0: none */
  const void *lost_stream; /* that cannot be waited for; NULL: none */
  const void *unreadable;  /* memory that the device cannot read; NULL: none */
  long download_ms;        /* that each download takes at least, so that a caller is asked whether to stop after it */
  void (*search)(const struct grid_view *view); /* in place of the loop of the search; NULL: that */
  void (*downloaded)(void *host, size_t bytes); /* told of each download, to change what arrived; NULL: nobody */
  bool stays_lost;                              /* all operations after it fail too, as on a device that is lost */
} host_device_settings;

typedef struct host_device_counts {
  size_t operations, uploads, uploaded_bytes, replays; /* since the last host_device_configure, as the next three */
  size_t waits;                                        /* for streams of the host */
  const void *first_wait;                              /* the stream of the first of them, */
  size_t before_wait;                                  /* and the operations before it */
  size_t unfinished;                                   /* work that nobody has waited for yet */
  size_t open_devices, bytes;                          /* now */
  /* Since the start: recorded sequences, memory requests of scenes and of lists, and overlapping stages, which
   * serialised calls never cause. */
  size_t recordings, allocations, overlaps;
  size_t lists; /* blocks of callers' lists now, each given back to the device that it is on */
} host_device_counts;

void host_device_configure(const host_device_settings *settings);
host_device_counts host_device_count(void);

#endif
