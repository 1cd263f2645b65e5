/* Each variant sets one or two fields of the method's definition. */
#include "lab/lab_variants.h"

static graze_result set_grid(graze_scene *scene, const graze_method_def *method, graze_dedup dedup, graze_hash hash) {
  graze_method_def changed = *method;
  changed.dedup = dedup;
  changed.hash = hash;
  return graze_scene_set_method(scene, &changed);
}

static graze_result set_clusters(graze_scene *scene, const graze_method_def *method, graze_assign assign) {
  graze_method_def changed = *method;
  changed.assign = assign;
  return graze_scene_set_method(scene, &changed);
}

#define GRID_VARIANT(variant, words, dedup, hash)                                                                      \
  static graze_result set_##variant(graze_scene *scene, const graze_method_def *method) {                              \
    return set_grid(scene, method, dedup, hash);                                                                       \
  }                                                                                                                    \
  static const bench_variant variant = {words, set_##variant};
#define CLUSTERS_VARIANT(variant, words, assign)                                                                       \
  static graze_result set_##variant(graze_scene *scene, const graze_method_def *method) {                              \
    return set_clusters(scene, method, assign);                                                                        \
  }                                                                                                                    \
  const bench_variant lab_##variant = {words, set_##variant};

GRID_VARIANT(grid_sort, "grid-sort", GRAZE_DEDUP_SORT, GRAZE_HASH_MORTON)
GRID_VARIANT(grid_map, "grid-map", GRAZE_DEDUP_MAP, GRAZE_HASH_MORTON)
GRID_VARIANT(grid_djb2, "grid-djb2", GRAZE_DEDUP_OWNER, GRAZE_HASH_DJB2)
GRID_VARIANT(grid_fnv1a, "grid-fnv1a", GRAZE_DEDUP_OWNER, GRAZE_HASH_FNV1A)
GRID_VARIANT(grid_primes, "grid-primes", GRAZE_DEDUP_OWNER, GRAZE_HASH_PRIMES)
GRID_VARIANT(sort_djb2, "grid-sort-djb2", GRAZE_DEDUP_SORT, GRAZE_HASH_DJB2)
GRID_VARIANT(sort_fnv1a, "grid-sort-fnv1a", GRAZE_DEDUP_SORT, GRAZE_HASH_FNV1A)
GRID_VARIANT(sort_primes, "grid-sort-primes", GRAZE_DEDUP_SORT, GRAZE_HASH_PRIMES)
CLUSTERS_VARIANT(clusters_thesis, "clusters-thesis", GRAZE_ASSIGN_THESIS)
CLUSTERS_VARIANT(clusters_hard, "clusters-hard", GRAZE_ASSIGN_HARD)

const bench_variant *const lab_dedups[LAB_DEDUPS] = {NULL, &grid_sort, &grid_map};
const bench_variant *const lab_hashes[LAB_HASHES] = {NULL, &grid_djb2, &grid_fnv1a, &grid_primes};
const bench_variant *const lab_sorted_hashes[LAB_HASHES] = {&grid_sort, &sort_djb2, &sort_fnv1a, &sort_primes};
const bench_variant *const lab_lossy_clusters[LAB_LOSSY_CLUSTERS] = {&lab_clusters_thesis, &lab_clusters_hard};
