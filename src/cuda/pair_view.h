/* What the stages of a query see beside the scene: what is asked, the entries that are searched, the lists that stages
 * append to, and what is counted.
 *
 * Primitives go into entries; a method finds candidates among them; these pass the filters and the exact tests; pairs
 * are put in order by what they are. */
#ifndef GRAZE_CUDA_PAIR_VIEW_H
#define GRAZE_CUDA_PAIR_VIEW_H

#include "base/index_pair.h"
#include "broad/focus_box.h"
#include "broad/tree_layout.h"
#include "cuda/cell_box.h"
#include "cuda/scene_arrays.h"

/* ---------------------------------------------------------------------------------------------- lists */

/* Lists that stages append to. The counter of a list runs on when the list is full, so that it says what room would
 * have been enough. */
typedef enum device_list {
  LIST_CANDIDATES, /* entries whose boxes meet */
  LIST_TRIANGLES,  /* pairs of triangles that the float filter left over */
  LIST_UNDECIDED,  /* those of them that need exact signs */
  LIST_SOLIDS,     /* pairs of tetrahedra that no face certainly separates */
  LIST_TURNED,     /* those of them that no edge of the second joins, and none of the first parts, for certain */
  LIST_TETRAHEDRA, /* those of them that no edge of the first certainly joins */
  LIST_CLOSE,      /* those of them that need exact signs */
  LIST_OTHERS,     /* candidates of all other kinds */
  LIST_PAIRS,      /* what was found, as keys */
  LIST_COUNT
} device_list;

/* What is counted beside the lists. */
typedef enum device_tally_name {
  TALLY_BOX_TESTS,
  TALLY_SPARED, /* boxes that were not compared, as the box around their bundle was: stage_bundles.h */
  TALLY_NEIGHBORS,
  TALLY_BY_NUMBER, /* candidates that are no pair by their vertex numbers alone */
  TALLY_ADJACENT,  /* neighbors that went from the float filter to the exact tiers */
  TALLY_DOUBLE,    /* decided by the double filter in a stage that has exact tiers too */
  TALLY_EXACT,
  TALLY_WIDE,
  TALLY_TURNS,      /* of the search, that warps have taken one by one: cuda_search.cu */
  TALLY_DUPLICATES, /* pairs of boxes that another cluster names */
  TALLY_SIDES,      /* the longest of each entry, in units: stage_huge.h */
  TALLY_HUGE_X,     /* of huge entries the sides along each axis */
  TALLY_HUGE_Y,
  TALLY_HUGE_Z,
  TALLY_MEMBERS, /* of clusters */
  TALLY_IN_ONE,  /* entries that are members of exactly one cluster, two, three, four */
  TALLY_IN_TWO,
  TALLY_IN_THREE,
  TALLY_IN_FOUR,
  TALLY_PIECES, /* of rows of overlaps */
  TALLY_HASH,   /* of the pairs: a sum as well */
  TALLY_COUNT
} device_tally_name;

/* Zero at the beginning of a query. */
typedef struct device_totals {
  uint64_t list[LIST_COUNT];
  uint64_t tally[TALLY_COUNT][TALLY_SLOTS];
  uint64_t tree_entries[TREE_LEVELS + 1]; /* of each step of a descent */
  uint64_t longest_side;                  /* of all entries, where clusters are swept, in units: stage_huge.h */
  uint64_t huge_limit;                    /* longer ones are huge; the stages behind cluster_count may read it */
  uint32_t level_mask[2];                 /* bit i: some primitive is at level i; of each side, where there are two */
  uint32_t entry_count;
  uint32_t long_list; /* not 0: a primitive has more partners than are ranked */
} device_totals;

/* A primitive as a method searches it: what it is, and the lower corner of its box, in two loads of 16 bytes. The
 * search has the rest of the box from cell_boxes. Entries are written to places all over memory, and 32 bytes are what
 * a GPU writes at once. */
typedef struct device_entry {
  primitive_header header;
  DEVICE_ALIGNED float min[3];
  uint32_t primitive;
} device_entry;

typedef struct list_view {
  device_totals *totals;
  device_entry *entries;        /* that lists have the numbers of */
  index_pair *list[LIST_PAIRS]; /* entries, the lower primitive's first but for candidates */
  uint64_t capacity[LIST_COUNT];
  const uint32_t *ranks; /* as in scene_arrays; not NULL: keys and groups are of ranks in place of primitives */
  uint64_t *keys;        /* pairs as they were found: the lower primitive above the other */
  uint32_t *pair_first;  /* a group each and the end: how many pairs it has the lower one of, then where they begin */
  uint32_t *pair_rank;   /* a pair each: its place among those of its group, as they were found */
  uint32_t key_bits;     /* of a primitive's number in a pair's key */
  uint32_t group_bits;   /* pairs are counted by their lower primitives, 2^group_bits of them together */
  uint32_t sort_pairs;   /* not 0: some primitive may have very many partners */
} list_view;

/* How many entries of a list there are to work on. */
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

/* What the stages see that put pairs in order. */
typedef struct order_view {
  scene_arrays scene;
  list_view lists;
  uint64_t *grouped_keys; /* the keys of each group together */
  uint64_t *sorted_keys;  /* where pairs are sorted and not ranked */
  graze_pair *pairs;
} order_view;

/* ---------------------------------------------------------------------------------------------- what is asked */

/* Lanes that measure the named objects of a query; each takes several primitives. */
enum { FOCUS_LANES = 8192 };

/* What a query is about, uploaded before it; all behind `asked` is zero then. */
typedef struct device_focus {
  query_focus asked;
  /* Made by the stage focus. */
  focus_box limits;               /* where it is in a box */
  uint64_t low[2][3], high[2][3]; /* around the boxes of the primitives of each named object, as in device_extent */
} device_focus;

/* A query between two objects alone keeps them apart in the grid, so that neither meets itself there. */
typedef enum query_sides {
  SIDES_NONE,
  SIDES_OF_SCENE, /* objects 0 and 1 are all that there are */
  SIDES_OF_FOCUS  /* the two that the query names */
} query_sides;

/* What has to be looked at to tell whether the query asks for a pair of boxes that meet. */
typedef enum pair_rule {
  PAIRS_BY_OBJECTS,    /* filters, scope and the objects that are named */
  PAIRS_BUT_NEIGHBORS, /* nothing but common corners: all triangles, or all tetrahedra, are asked for */
  PAIRS_ALL            /* nothing */
} pair_rule;

typedef struct query_view {
  uint32_t between, within, skip_neighbors, candidates_only;
  device_focus *focus; /* NULL: it is about everything */
  query_sides sides;
  pair_rule pair_rule;
  graze_test test;
  double clearance; /* as in primitive_view.h */
} query_view;

/* ---------------------------------------------------------------------------------------------- entries */

/* The whole of an entry's box. */
typedef struct entry_box {
  DEVICE_ALIGNED primitive_box box;
} entry_box;

/* The corners of a tetrahedron, numbered as in headers, in one load. */
typedef struct solid_corners {
  DEVICE_ALIGNED uint32_t vertex[4];
} solid_corners;

/* What is known of an entry beside what it is. */
typedef struct entry_view {
  cell_box *cell_boxes;
  entry_box *entry_boxes;      /* where boxes are compared where they are in space; else NULL */
  solid_corners *entry_solids; /* of tetrahedra; NULL where there are none */
  uint32_t reach_bits;         /* boxes are shorter than 2^reach_bits cells: 0 or 1 */
  uint32_t floor_level;        /* smaller primitives are lifted to it, from a little below: see device_floor.h */
} entry_view;

/* What every stage between entries and pairs may see. */
typedef struct pair_view {
  scene_arrays scene;
  query_view query;
  entry_view entries;
  list_view lists;
} pair_view;

#endif
