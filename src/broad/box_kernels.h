/* The inner loops of the broad phase, compiled once per vector width: culling boxes by a box, and sweeping a list with
 * one box or with several. All widths do the same comparisons and give the same lists in the same order. */
#ifndef GRAZE_BROAD_BOX_KERNELS_H
#define GRAZE_BROAD_BOX_KERNELS_H

#include "broad/box_list.h"

/* Boxes of a list that meet boxes of a block, each with the box that it meets. */
typedef struct met_boxes {
  uint32_t *owners,
      *numbers; /* pairs of numbers; the capacity is `enough`, plus the length of the list, plus SIMD_ROOM */
  size_t count;
  size_t enough; /* no further box of the block is swept after this many */
} met_boxes;

typedef struct box_kernels {
  /* Bit i of the result: whether box first + i of the six arrays meets `bound`; one bit per lane. */
  uint32_t (*meet)(float *const boxes[6], size_t first, const float bound[6]);
  size_t width;
  /* Appends the boxes of source[first, end) that meet `bound` to `target`, which has capacity for all of them. The
   * numbers in the target are those of the source. */
  void (*cull)(const box_list *source, size_t first, size_t end, const float bound[6], box_list *target);
  /* Writes the numbers of the boxes in list[first, count) that meet `bound`, and returns their count. numbers_out
   * has capacity for all of the range plus SIMD_ROOM. The list is closed by box_list_close. */
  size_t (*sweep)(const box_list *list, size_t first, const float bound[6], uint32_t *numbers_out);
  /* Boxes [first, end) of the block sweep the list in sequence and append the boxes that they meet, until there are
   * `enough`; returns the first box that has not swept. If the block is the list, each box is compared with those
   * after it. */
  size_t (*sweep_block)(const box_list *list, const box_list *block, size_t first, size_t end, met_boxes *met);
  /* The same if the block is the list, except for boxes of primitives with a common corner: those are added to
   * *shared. The corners of box i are corners[0][i] to corners[2][i], with space for SIMD_ROOM more. */
  size_t (*sweep_apart)(const box_list *list, uint32_t *const corners[3], size_t first, size_t end, met_boxes *met,
                        uint64_t *shared);
} box_kernels;

extern const box_kernels box_kernels_scalar, box_kernels_128, box_kernels_256;

#endif
