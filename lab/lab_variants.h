/* The methods that papers describe and the library does not offer: other duplicate eliminations and cell hashes of the
 * grid, and clusters that lose pairs. */
#ifndef GRAZE_LAB_VARIANTS_H
#define GRAZE_LAB_VARIANTS_H

#include "bench/bench_call.h"

enum { LAB_DEDUPS = 3, LAB_HASHES = 4, LAB_LOSSY_CLUSTERS = 2 };

extern const bench_variant lab_clusters_thesis, lab_clusters_hard;

/* NULL stands for the library's own, which comes first. */
extern const bench_variant *const lab_dedups[LAB_DEDUPS];
extern const bench_variant *const lab_hashes[LAB_HASHES];
extern const bench_variant *const lab_sorted_hashes[LAB_HASHES];          /* with duplicate elimination by sorting */
extern const bench_variant *const lab_lossy_clusters[LAB_LOSSY_CLUSTERS]; /* thesis, hard */

#endif
