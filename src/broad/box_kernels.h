/* The two inner loops of the grid, compiled once per vector width: culling boxes by a box, and sweeping a list with one
 * box. All widths do the same comparisons and give the same lists in the same order. */
#ifndef GRAZE_BROAD_BOX_KERNELS_H
#define GRAZE_BROAD_BOX_KERNELS_H

#include "broad/box_rows.h"
#include "graze/graze.h"

/* One box against a list: which of the others count. */
typedef struct sweep_rule {
  float bound[6];
  uint32_t corner[3];
  uint32_t object;
  bool same_object, other_object; /* whether boxes of the same and of other objects are asked for */
  bool skip_neighbours;           /* boxes that share a corner are not */
} sweep_rule;

typedef struct box_kernels {
  /* Appends source[first, end) that meet `bound` to `target`, which has room for all of them. */
  void (*cull)(const box_rows *source, size_t first, size_t end, const float bound[6], box_rows *target);
  /* Writes the ids of list[first, count) that meet the rule, and room for as many plus SIMD_ROOM is at ids_out; returns
   * their number. *neighbours_out grows by the number of those left out because they share a corner. */
  size_t (*sweep)(const box_rows *list, size_t first, const sweep_rule *rule, uint32_t *ids_out,
                  uint64_t *neighbours_out);
} box_kernels;

extern const box_kernels box_kernels_scalar, box_kernels_128, box_kernels_256;

#endif
