/* Defines each variant as a method outside the library's table. */
#include "lab/lab_variants.h"

#include "api/method_calls.h"
#include "lab/entrance_tree.h"
#include "lab/lossy_clusters.h"
#include "lab/replicated_grid.h"

#define VARIANT(row)                                                                                                   \
  static graze_result set_##row(graze_scene *scene, const graze_method_def *def) {                                     \
    return scene_set_method_row(scene, &method_##row, def);                                                            \
  }

VARIANT(grid_sort)
VARIANT(grid_map)
VARIANT(sort_djb2)
VARIANT(sort_fnv1a)
VARIANT(sort_primes)
VARIANT(clusters_thesis)
VARIANT(clusters_hard)
VARIANT(tree_entrance)

const bench_variant lab_grid_sort = {.name = "grid-sort", .set = set_grid_sort};
const bench_variant lab_grid_map = {.name = "grid-map", .set = set_grid_map};
static const bench_variant sort_djb2 = {.name = "grid-sort-djb2", .set = set_sort_djb2};
static const bench_variant sort_fnv1a = {.name = "grid-sort-fnv1a", .set = set_sort_fnv1a};
static const bench_variant sort_primes = {.name = "grid-sort-primes", .set = set_sort_primes};
const bench_variant lab_clusters_thesis = {.name = "clusters-thesis", .set = set_clusters_thesis};
const bench_variant lab_clusters_hard = {.name = "clusters-hard", .set = set_clusters_hard};
const bench_variant lab_tree_entrance = {.name = "tree-entrance", .set = set_tree_entrance};

const bench_variant *const lab_dedups[LAB_DEDUPS] = {NULL, &lab_grid_sort, &lab_grid_map};
const bench_variant *const lab_hashes[LAB_HASHES] = {&lab_grid_sort, &sort_djb2, &sort_fnv1a, &sort_primes};
const bench_variant *const lab_lossy_clusters[LAB_LOSSY_CLUSTERS] = {&lab_clusters_thesis, &lab_clusters_hard};
