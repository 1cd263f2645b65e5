/* The view of a query's stages in addition to the scene: query options, the entries that are searched, the lists that
 * stages append to, and counters.
 *
 * Primitives become entries; a method finds candidates among them; these pass the filters and the exact tests; pairs
 * are sorted. */
#ifndef GRAZE_CUDA_PAIR_VIEW_H
#define GRAZE_CUDA_PAIR_VIEW_H

#include "base/index_pair.h"
#include "broad/focus_box.h"
#include "broad/tree_layout.h"
#include "cuda/cell_box.h"
#include "cuda/scene_arrays.h"

/* ---------------------------------------------------------------------------------------------- lists */

/* Lists that stages append to. The counter of a list continues when the list is full, so that it gives the
 * sufficient capacity. */
typedef enum device_list {
  LIST_CANDIDATES, /* entries whose boxes meet */
  LIST_TRIANGLES,  /* pairs of triangles that the float filter left undecided */
  LIST_UNDECIDED,  /* the subset of LIST_TRIANGLES that needs exact signs */
  LIST_SOLIDS,     /* pairs of tetrahedra that no face certainly separates */
  LIST_TURNED,     /* the subset of LIST_SOLIDS that no edge of the second certainly intersects and no edge of the
                      first certainly separates */
  LIST_TETRAHEDRA, /* the subset of LIST_TURNED that no edge of the first certainly intersects */
  LIST_CLOSE,      /* the subset of LIST_TETRAHEDRA that needs exact signs */
  LIST_OTHERS,     /* candidates of all other kinds */
  LIST_PAIRS,      /* results, as keys */
  LIST_COUNT
} device_list;

/* Counters in addition to those of lists. */
typedef enum device_tally_name {
  TALLY_BOX_TESTS,
  TALLY_SPARED, /* boxes not compared because the box of their bundle did not meet: stage_search.h */
  TALLY_NEIGHBORS,
  TALLY_BY_NUMBER, /* candidates rejected by their vertex numbers alone */
  TALLY_ADJACENT,  /* neighbors passed from the float filter to the exact tiers */
  TALLY_DOUBLE,    /* decided by the double filter in a stage with exact tiers */
  TALLY_EXACT,
  TALLY_WIDE,
  TALLY_BATCHES,    /* of the search, taken by warps one at a time: cuda_search.cu */
  TALLY_DUPLICATES, /* pairs of boxes that another cluster reports */
  TALLY_SIDES,      /* sum of the longest side of each entry, in units: stage_clusters.h */
  TALLY_HUGE_X,     /* sums of the sides of huge entries along each axis */
  TALLY_HUGE_Y,
  TALLY_HUGE_Z,
  TALLY_MEMBERS, /* of clusters */
  TALLY_IN_ONE,  /* entries that are members of exactly one cluster, two, three, four */
  TALLY_IN_TWO,
  TALLY_IN_THREE,
  TALLY_IN_FOUR,
  TALLY_PIECES, /* of rows of overlaps */
  TALLY_HASH,   /* of the pairs: also a sum */
  TALLY_COUNT
} device_tally_name;

/* Zero at the start of a query. */
typedef struct device_totals {
  uint64_t list[LIST_COUNT];
  uint64_t tally[TALLY_COUNT][TALLY_SLOTS];
  uint64_t tree_entries[TREE_LEVELS + 1]; /* of each step of a descent */
  uint64_t longest_side;                  /* of all entries, if clusters are swept, in units: stage_clusters.h */
  uint64_t huge_limit;                    /* longer ones are huge; stages after cluster_count may read it */
  uint32_t level_mask[2];                 /* bit i: there are primitives at level i; per side, if there are two */
  uint32_t entry_count;
  uint32_t long_list; /* nonzero: a primitive has more partners than can be ranked */
} device_totals;

/* A primitive as searched by a method: its header and the lower corner of its box, in two loads of 16 bytes. The
 * search reads the rest of the box from cell_boxes. Entries are written to scattered addresses, and a GPU writes 32
 * bytes at once. */
typedef struct device_entry {
  primitive_header header;
  DEVICE_ALIGNED float min[3];
  uint32_t primitive;
} device_entry;

typedef struct list_view {
  device_totals *totals;
  device_entry *entries;        /* indexed by the elements of lists */
  index_pair *list[LIST_PAIRS]; /* entries, the lower primitive's first except in candidates */
  uint64_t capacity[LIST_COUNT];
  const uint32_t *ranks; /* as in scene_arrays; not NULL: keys and groups use ranks instead of primitive numbers */
  uint64_t *keys;        /* pairs in the order found, the lower primitive in the high bits */
  uint32_t
      *pair_first; /* one per group and the end: the number of pairs of its lower primitives, then their first index */
  uint32_t *pair_rank; /* one per pair: its place in its group, in the order found */
  uint32_t key_bits;   /* bits of a primitive's number in a pair's key */
  uint32_t group_bits; /* pairs are counted by their lower primitives, in groups of 2^group_bits */
  uint32_t sort_pairs; /* nonzero: some primitive may have very many partners */
} list_view;

/* The number of elements of a list that are valid. */
GEOMETRY_FUNCTION uint32_t device_list_length(const list_view *v, device_list list) {
  const uint64_t count = v->totals->list[list], capacity = v->capacity[list];
  return (uint32_t)(count < capacity ? count : capacity);
}

GEOMETRY_FUNCTION uint64_t tally_sum(const device_totals *totals, device_tally_name name) {
  return sum_slots(totals->tally[name]);
}

GEOMETRY_FUNCTION uint64_t *device_tally_slot(const list_view *v, device_tally_name name, uint32_t index) {
  return &v->totals->tally[name][(index >> 5) % TALLY_SLOTS];
}

/* The view of the stages that sort pairs. */
typedef struct order_view {
  scene_arrays scene;
  list_view lists;
  uint64_t *grouped_keys; /* keys grouped by lower primitive */
  uint64_t *sorted_keys;  /* used if pairs are sorted instead of ranked */
  graze_pair *pairs;
} order_view;

/* ---------------------------------------------------------------------------------------------- query options */

/* Lanes that measure the named objects of a query; each processes several primitives. */
enum { FOCUS_LANES = 8192 };

/* The focus of a query, uploaded before it; all members after `query` are zero then. */
typedef struct device_focus {
  query_focus query;
  /* Written by the stage focus. */
  focus_box limits;               /* if the query is in a box */
  uint64_t low[2][3], high[2][3]; /* around the boxes of the primitives of each named object, as in device_extent */
} device_focus;

/* A query between two objects only keeps them separate in the grid, so that neither is compared with itself. */
typedef enum query_sides {
  SIDES_NONE,
  SIDES_OF_SCENE, /* objects 0 and 1 are the whole scene */
  SIDES_OF_FOCUS  /* the two objects named by the query */
} query_sides;

/* The checks that decide whether the query requests a pair of boxes that meet. */
typedef enum pair_rule {
  PAIRS_BY_OBJECTS,    /* filters, scope and the named objects */
  PAIRS_BUT_NEIGHBORS, /* only common corners: all pairs of triangles, or of tetrahedra, are requested */
  PAIRS_ALL            /* none */
} pair_rule;

typedef struct query_view {
  uint32_t between, within, skip_neighbors, candidates_only;
  device_focus *focus; /* NULL: the query is about everything */
  query_sides sides;
  pair_rule pair_rule;
  graze_test test;
  double clearance; /* as in primitive_view.h */
} query_view;

/* ---------------------------------------------------------------------------------------------- entries */

/* The full box of an entry. */
typedef struct entry_box {
  DEVICE_ALIGNED primitive_box box;
} entry_box;

/* The corners of a tetrahedron, numbered as in headers, in one load. */
typedef struct solid_corners {
  DEVICE_ALIGNED uint32_t vertex[4];
} solid_corners;

/* Data of an entry in addition to the entry itself. */
typedef struct entry_view {
  cell_box *cell_boxes;
  entry_box *entry_boxes;      /* if boxes are compared by coordinates; otherwise NULL */
  solid_corners *entry_solids; /* of tetrahedra; NULL if there are none */
  uint32_t reach_bits;         /* boxes are shorter than 2^reach_bits cells: 0 or 1 */
  uint32_t floor_level;        /* smaller primitives are raised to it, from slightly below: see device_update.h */
} entry_view;

/* The view of every stage between entries and pairs. */
typedef struct pair_view {
  scene_arrays scene;
  query_view query;
  entry_view entries;
  list_view lists;
} pair_view;

/* ---------------------------------------------------------------------------------------------- the methods "grid" and
 * "brute" */

/* Entries of a bundle, which has a common box if cells are crowded; see stage_search.h. */
enum { BUNDLE_ENTRIES = 16 };

typedef struct grid_view {
  pair_view pairs;
  uint32_t bucket_count;             /* a power of two; blocks of cells begin at these */
  uint32_t bucket_slots;             /* buckets in all */
  uint32_t marked_blocks;            /* a power of two: blocks with marks */
  uint32_t first_entry, entry_limit; /* the search visits entry_limit entries from first_entry on */
  uint32_t *bucket_start;            /* bucket_slots + 1: the number of entries of each, then their first index */
  uint64_t *marks;                   /* of each marked block: see device_cell.h */
  uint32_t *bucket_of;               /* one per primitive, like its rank in its bucket; until it is an entry */
  uint32_t *rank_of;
  primitive_box *clearance_boxes; /* one per primitive, for a query with a clearance; otherwise NULL */
  entry_box *bundle_boxes;        /* boxes of bundles; NULL if cells are not crowded */
} grid_view;

/* The number of entries that the search visits. */
GEOMETRY_FUNCTION uint32_t device_search_count(const grid_view *v) {
  const uint32_t entries = v->pairs.lists.totals->entry_count;
  const uint32_t left = entries > v->first_entry ? entries - v->first_entry : 0;
  return left < v->entry_limit ? left : v->entry_limit;
}

GEOMETRY_FUNCTION uint32_t device_bundle_count(const grid_view *v) {
  return (v->pairs.lists.totals->entry_count + BUNDLE_ENTRIES - 1u) / BUNDLE_ENTRIES;
}

typedef struct brute_view {
  pair_view pairs;
  uint64_t first_pair; /* of entries: the first one of this launch */
} brute_view;

/* The most pairs of entries that one launch of the reference compares. */
#define BRUTE_PAIRS (1u << 30)

/* The number of pairs that a launch compares, of all entries with all, in rows. */
GEOMETRY_FUNCTION uint32_t device_brute_count(const brute_view *v) {
  const uint64_t entries = v->pairs.lists.totals->entry_count, all = entries * entries;
  const uint64_t left = all > v->first_pair ? all - v->first_pair : 0;
  return (uint32_t)(left < BRUTE_PAIRS ? left : BRUTE_PAIRS);
}

#endif
