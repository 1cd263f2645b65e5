/* Methods from papers that are not in the library: the replicated grid with its duplicate eliminations and cell hashes,
 * clusters that lose pairs, and trees that are entered below their roots. */
#ifndef GRAZE_LAB_VARIANTS_H
#define GRAZE_LAB_VARIANTS_H

#include "bench/bench_call.h"

enum { LAB_DEDUPS = 3, LAB_HASHES = 4, LAB_LOSSY_CLUSTERS = 2 };

extern const bench_variant lab_grid_sort, lab_grid_map, lab_clusters_thesis, lab_clusters_hard, lab_tree_entrance;

extern const bench_variant *const lab_dedups[LAB_DEDUPS]; /* NULL, the first, stands for the library's grid */
extern const bench_variant *const lab_hashes[LAB_HASHES]; /* of the replicated grid, as lab_hash numbers them */
extern const bench_variant *const lab_lossy_clusters[LAB_LOSSY_CLUSTERS]; /* thesis, hard */

#endif
