/* What a stage sees: one plain struct of arrays in the device's memory and their sizes. It owns nothing; kernels get it
 * by value, bodies by pointer. device_state.c fills it.
 *
 * A scene on the device: vertices are posed, measured and rounded into normalised coordinates as on the processor;
 * primitives go into entries, in the order of the buckets of a hash table of cells; each entry looks at the buckets of
 * the cells around it and of those above it; candidates pass the filters and the exact tests; pairs are put in order by
 * what they are. */
#ifndef GRAZE_CUDA_DEVICE_VIEW_H
#define GRAZE_CUDA_DEVICE_VIEW_H

#include "base/index_pair.h"
#include "broad/axis_map_choice.h"
#include "broad/focus_box.h"
#include "cuda/cell_box.h"
#include "cuda/device_clusters.h"
#include "cuda/device_trees.h"
#include "narrow/push_rule.h"

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

/* What is counted beside the lists. Warps add to one of several slots, so that they do not wait for each other. */
typedef enum device_tally_name {
  TALLY_BOX_TESTS,
  TALLY_SPARED, /* boxes that were not compared, as the box around their bundle was: stage_bundles.h */
  TALLY_NEIGHBOURS,
  TALLY_BY_NUMBER, /* candidates that are no pair by their vertex numbers alone */
  TALLY_ADJACENT,  /* neighbours that went from the float filter to the exact tiers */
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

enum { TALLY_SLOTS = 16 };

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
  uint32_t crowded;   /* not 0: a bucket has more entries than a byte can count */
} device_totals;

/* Zero at the beginning of an update. Bounds are kept as integers of the same order, the lower ones complemented, so
 * that all of them only ever rise from zero; zero itself stands for no vertex. */
typedef struct device_extent {
  uint64_t low[2][3], high[2][3]; /* of two objects, where there are two; elsewhere of all vertices, and of none */
  uint32_t not_finite;
  uint32_t arrived; /* lanes, or blocks of threads, that have measured their vertices */
  uint64_t inverted[TALLY_SLOTS], flat[TALLY_SLOTS];
  double sample_side[SAMPLE_FIRST]; /* the longest side of the box around three corners of a sampled primitive, posed */
  double sample[SAMPLE_MOST][3]; /* posed, of sampled primitives, for the choice of the normalised cube; not cleared */
} device_extent;

/* Zero before pairs are measured. */
typedef struct device_contact_totals {
  uint64_t refused;                  /* complement of the lowest pair that is none; zero: all are pairs */
  uint64_t points_low[TALLY_SLOTS];  /* of the numbers of points, the lower 16 bits ... */
  uint64_t points_high[TALLY_SLOTS]; /* ... and those above */
  uint64_t overfull[TALLY_SLOTS];    /* contacts with more points than a slot has room for */
  uint64_t open;                     /* pairs that need exact signs: the length of their list */
} device_contact_totals;

/* The numbers of one object. */
typedef struct device_object {
  uint32_t public_object, public_primitive; /* numbers in pairs: of the object, and of its primitive 0 */
  uint32_t primitive_count;
  uint32_t by_number; /* of place i: the slot of the object whose numbers in pairs come in place i among all objects' */
} device_object;

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
  PAIRS_BY_OBJECTS,     /* filters, scope and the objects that are named */
  PAIRS_BUT_NEIGHBOURS, /* nothing but common corners: all triangles, or all tetrahedra, are asked for */
  PAIRS_ALL             /* nothing */
} pair_rule;

/* A primitive in the order of buckets: what it is, and the lower corner of its box, in two loads of 16 bytes. The
 * search has the rest of the box from cell_boxes. Entries are written to places all over memory, and 32 bytes are what
 * a GPU writes at once. */
typedef struct device_entry {
  primitive_header header;
  DEVICE_ALIGNED float min[3];
  uint32_t primitive;
} device_entry;

/* The whole of its box. */
typedef struct entry_box {
  DEVICE_ALIGNED primitive_box box;
} entry_box;

/* So many entries side by side have a box around them, where cells are crowded: see stage_bundles.h. */
enum { BUNDLE_ENTRIES = 16 };

/* Corners, at most, of triangles and tetrahedra, whose k is measured without scratch. */
enum { FEW_CORNERS = 4 };

/* The k-free measure of one object, whose primitives then are all that there is: numbered from 0, as on the processor.
 * Pairs of LIST_TRIANGLES, LIST_TETRAHEDRA or LIST_OTHERS, by the kind, are those that share no corner, and those of
 * LIST_UNDECIDED need a distance; both hold primitives and not entries. */
typedef struct device_measure {
  const primitive_header *given_headers; /* as the scene has them */
  primitive_header *headers;             /* of object 0 */
  primitive_box *boxes;           /* grown: entries take them in place of those around vertices; NULL in a query */
  uint32_t *k_of, *neighbours_of; /* a primitive each, as is the diameter of its ball */
  double *diameter_of;
  uint32_t *levels; /* bit i: some primitive lies at level i of the processor's grid */
  double *scratch;  /* of each lane, of polygons and polyhedra; else NULL */
  uint32_t lane_scratch, lanes;
} device_measure;

/* What the pairs of two objects push: bits of the largest magnitudes, and sums as in push_sum. */
typedef struct device_push {
  uint64_t largest[PUSH_QUANTITIES];
  uint64_t limbs[PUSH_TERMS][SUM_LIMBS];
  uint64_t count;
} device_push;

#define PUSH_NONE UINT32_MAX

/* The corners of a tetrahedron, numbered as in headers, in one load. */
typedef struct solid_corners {
  DEVICE_ALIGNED uint32_t vertex[4];
} solid_corners;

typedef struct device_view {
  uint32_t vertex_count, vertex_lanes, primitive_count, object_count;
  uint32_t bucket_count;  /* a power of two, that blocks of cells begin at */
  uint32_t bucket_slots;  /* buckets in all */
  uint32_t marked_blocks; /* a power of two: blocks that there are marks for */
  uint32_t reach_bits;    /* boxes are shorter than 2^reach_bits cells: 0 or 1 */
  uint32_t floor_level;   /* of a query: smaller primitives are lifted to it, from a little below: see device_floor.h */
  uint32_t key_bits;      /* of a primitive's number in a pair's key */
  uint32_t group_bits;    /* pairs are counted by their lower primitives, 2^group_bits of them together */
  uint32_t group_count;
  /* What the scene is. */
  const device_object *objects;
  const object_source *sources;
  const object_rule *rules;
  const primitive_header *headers;
  const uint32_t *vertex_object;
  const uint8_t *erased;           /* a primitive each; NULL: none is erased */
  const uint32_t *sample_vertices; /* three of each sampled primitive */
  uint32_t sample_count;
  float slots; /* as in primitive_view.h */
  /* Made by an update. */
  device_extent *extent;
  normalising_transform *normalisation;
  axis_map *map; /* in place of the normalised cube where slots is not 0; else NULL */
  rounded_vertex *rounded_vertices;
  void *next_counts; /* totals and what lies behind them, cleared for the next query; NULL: nobody knows where */
  uint64_t next_count_bytes;
  /* Made by a query. */
  device_totals *totals;
  uint32_t *bucket_start;  /* bucket_slots + 1: where the entries of each begin */
  uint32_t *bucket_counts; /* before that, a byte each, four to a word; NULL: bucket_start has the counts first */
  uint64_t *marks;         /* of each marked block: see device_cell.h */
  uint32_t *bucket_of;     /* a primitive each, as is its rank among those of its bucket; until it is an entry */
  uint32_t *rank_of;
  device_entry *entries;
  cell_box *cell_boxes;         /* of entries */
  entry_box *entry_boxes;       /* where every pair of boxes is compared, or clusters are swept; else NULL */
  entry_box *bundle_boxes;      /* around entries side by side; NULL where cells are not crowded */
  solid_corners *entry_solids;  /* of tetrahedra; NULL where there are none */
  index_pair *list[LIST_COUNT]; /* entries, the lower primitive's first but for candidates; none for pairs */
  uint64_t list_capacity[LIST_COUNT];
  uint64_t *keys;         /* pairs as they were found: the lower primitive above the other */
  uint32_t *pair_first;   /* group_count + 1: how many pairs a group has the lower one of, then where they begin */
  uint32_t *pair_rank;    /* a pair each: its place among those of its group, as they were found */
  uint64_t *grouped_keys; /* the keys of each group together */
  uint64_t *sorted_keys;  /* where pairs are sorted and not ranked */
  graze_pair *pairs;
  /* Made of pairs. */
  uint32_t contact_count;
  uint32_t only_pushes; /* of solids of different objects; other pairs, and those that do not meet, are passed over */
  const graze_pair *contact_pairs;
  graze_contact *contacts;
  device_contact_totals *contact_totals;
  uint32_t *contact_open;      /* pairs that need exact signs */
  uint32_t *contact_first;     /* numbers of points, and 0; then where they begin, and the end; NULL: none has points */
  double (*contact_slots)[3];  /* MEASURE_POINTS a contact */
  double (*contact_points)[3]; /* all of them; NULL while their places are not known */
  uint64_t point_room;         /* of contact_points: those beyond it are not written */
  uint32_t points_before;      /* of contacts that were made before these */
  /* Made of pairs as they were found, in place of contacts. */
  push_terms *push_terms;     /* what each pair adds to the sums of its objects; NULL: contacts are made */
  uint32_t *push_places;      /* the place of each pair's objects among the pushes; PUSH_NONE: it pushes nothing */
  device_push *pushes;        /* object_count squared, the lower object's number times object_count */
  const push_rule *push_rule; /* in memory of the device: another stiffness or point is the same sequence */
  /* What the query asks for. */
  uint32_t between, within, skip_neighbours, only_triangles, only_tetrahedra, has_tetrahedra, candidates_only;
  uint32_t searched_by; /* 0 the grid, 1 trees, 2 every pair, 3 clusters: a sequence that is kept is of one */
  device_focus *focus;  /* NULL: it is about everything */
  query_sides sides;
  pair_rule pair_rule;
  uint32_t sort_pairs;               /* not 0: some primitive may have very many partners */
  uint64_t first_pair;               /* of entries, that the reference looks at from there on */
  uint32_t first_entry, entry_limit; /* the search looks at so many entries from there on */
  graze_test test;
  device_measure measure;
  device_trees trees;
  device_clusters clusters;
  device_poses poses;
} device_view;

/* How many entries of a list there are to work on. */
GEOMETRY_FUNCTION uint32_t device_list_length(const device_view *v, device_list list) {
  const uint64_t count = v->totals->list[list], capacity = v->list_capacity[list];
  return (uint32_t)(count < capacity ? count : capacity);
}

/* Whether an update finds the bounds of two objects: there are no others. */
GEOMETRY_FUNCTION bool objects_are_measured_apart(const device_view *v) {
  return v->object_count == 2;
}

/* How many pairs are measured: those that were given, or those that were found. */
GEOMETRY_FUNCTION uint32_t device_contact_count(const device_view *v) {
  return v->push_terms != NULL ? device_list_length(v, LIST_PAIRS) : v->contact_count;
}

GEOMETRY_FUNCTION uint64_t device_contact_bound(const device_view *v) {
  return v->push_terms != NULL ? v->list_capacity[LIST_PAIRS] : v->contact_count;
}

/* How many of them need exact signs. */
GEOMETRY_FUNCTION uint32_t device_open_count(const device_view *v) {
  return (uint32_t)v->contact_totals->open;
}

/* How many entries the search takes. */
GEOMETRY_FUNCTION uint32_t device_search_count(const device_view *v) {
  const uint32_t entries = v->totals->entry_count, left = entries > v->first_entry ? entries - v->first_entry : 0;
  return left < v->entry_limit ? left : v->entry_limit;
}

GEOMETRY_FUNCTION uint32_t device_bundle_count(const device_view *v) {
  return (v->totals->entry_count + BUNDLE_ENTRIES - 1u) / BUNDLE_ENTRIES;
}

/* Pairs of entries that one launch of the reference looks at, at most. */
#define BRUTE_PAIRS (1u << 30)

/* How many it looks at: of all entries with all, in rows. */
GEOMETRY_FUNCTION uint32_t device_brute_count(const device_view *v) {
  const uint64_t all = (uint64_t)v->totals->entry_count * v->totals->entry_count;
  const uint64_t left = all > v->first_pair ? all - v->first_pair : 0;
  return (uint32_t)(left < BRUTE_PAIRS ? left : BRUTE_PAIRS);
}

/* The list of pairs that share no corner in a measure of k. */
GEOMETRY_FUNCTION device_list device_apart_list(graze_kind kind) {
  const kind_batch batch = kind_batch_of(kind);
  if (batch == BATCH_TRIANGLES) return LIST_TRIANGLES;
  return batch == BATCH_TETRAHEDRA ? LIST_TETRAHEDRA : LIST_OTHERS;
}

GEOMETRY_FUNCTION uint64_t sum_slots(const uint64_t slots[TALLY_SLOTS]) {
  uint64_t sum = 0;
  for (int i = 0; i < TALLY_SLOTS; i++) sum += slots[i];
  return sum;
}

GEOMETRY_FUNCTION uint64_t tally_sum(const device_totals *totals, device_tally_name name) {
  return sum_slots(totals->tally[name]);
}

GEOMETRY_FUNCTION uint64_t *device_tally_slot(const device_view *v, device_tally_name name, uint32_t index) {
  return &v->totals->tally[name][(index >> 5) % TALLY_SLOTS];
}

#endif
