/* The inner loops of the broad phase, compiled once per vector width: culling boxes by a box, and sweeping a list with
 * one box or with several. All widths do the same comparisons and give the same lists in the same order. */
#ifndef GRAZE_BROAD_BOX_KERNELS_H
#define GRAZE_BROAD_BOX_KERNELS_H

#include "broad/box_list.h"

/* Boxes of a list that were met, each with the box of a block that has met it. */
typedef struct met_boxes {
  uint32_t *owners, *numbers; /* numbers of both: room for `enough`, for as many as the list has, and for SIMD_ROOM */
  size_t count;
  size_t enough; /* from so many on no further box of the block looks for more */
} met_boxes;

typedef struct box_kernels {
  /* Bit i of the result: whether box first + i of the six arrays meets `bound`; as many as the width has lanes. */
  uint32_t (*meet)(float *const boxes[6], size_t first, const float bound[6]);
  size_t width;
  /* Appends source[first, end) that meet `bound` to `target`, which has room for all of them. The numbers in the target
   * are those of the source. */
  void (*cull)(const box_list *source, size_t first, size_t end, const float bound[6], box_list *target);
  /* Writes the numbers of list[first, count) that meet `bound`, and room for as many plus SIMD_ROOM is at numbers_out;
   * returns how many. The list is closed by box_list_close. */
  size_t (*sweep)(const box_list *list, size_t first, const float bound[6], uint32_t *numbers_out);
  /* Boxes [first, end) of the block sweep the list one after the other, and append what they meet, until that is
   * enough; returns the first that has not. Where the block is the list, each meets those after it. */
  size_t (*sweep_block)(const box_list *list, const box_list *block, size_t first, size_t end, met_boxes *met);
  /* The same where the block is the list, but for boxes of primitives that have a corner in common: those are added to
   * *shared. Of box i the corners are corners[0][i] to corners[2][i], and there is room for SIMD_ROOM more. */
  size_t (*sweep_apart)(const box_list *list, uint32_t *const corners[3], size_t first, size_t end, met_boxes *met,
                        uint64_t *shared);
} box_kernels;

extern const box_kernels box_kernels_scalar, box_kernels_128, box_kernels_256;

#endif
