/* The parts of a query on a device that its two ways share: all at once (device_query.c), or in chunks of rows where
 * memory is short (device_chunks.c). */
#ifndef GRAZE_CUDA_DEVICE_QUERY_H
#define GRAZE_CUDA_DEVICE_QUERY_H

#include "cuda/device_frame.h"
#include "cuda/device_queue.h"

/* The longest list whose entries can be numbered. */
#define LONGEST_LIST ((uint64_t)UINT32_MAX - 1)

/* With the lists as they are now; all rows are searched. */
device_view view_of_query(const device_frame *frame, const frame_query *query);

/* Bytes of one entry; that of a pair is its key. */
size_t list_item_bytes(device_list list);

/* A quarter more than was needed, so that a scene that moves does not outgrow it at once. */
uint64_t room_for(uint64_t needed);

/* The grid; the filters and tests of the candidates there are; pairs in order. */
void queue_rows(stage_queue *queue);
void queue_tests(stage_queue *queue);
void queue_order(stage_queue *queue);

/* The times between the marks of a query. */
graze_timings timings_of(const device_operations *device);

#endif
