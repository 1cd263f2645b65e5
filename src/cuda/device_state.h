/* A scene on a device: its memory there, and the stages of an update and of a query, written against the table of
 * device_operations.h. Plain C, the same for every device. */
#ifndef GRAZE_CUDA_DEVICE_STATE_H
#define GRAZE_CUDA_DEVICE_STATE_H

#include "base/array.h"
#include "base/stop_check.h"
#include "broad/object_change.h"
#include "broad/tree_forest.h"
#include "cuda/device_memory.h"
#include "cuda/device_view.h"
#include "cuda/upload_staging.h"

typedef enum device_buffer_name {
  BUFFER_OBJECTS,
  BUFFER_SOURCES,
  BUFFER_RULES,
  BUFFER_POSES,
  BUFFER_HEADERS,
  BUFFER_VERTEX_OBJECT,
  BUFFER_ERASED,
  BUFFER_ELEMENTS,
  BUFFER_GIVEN,
  BUFFER_EXTENT,
  BUFFER_NORMALISATION,
  BUFFER_MAP,
  BUFFER_FOCUS,
  BUFFER_SAMPLE,
  BUFFER_ROUNDED,
  BUFFER_TABLES, /* what a query begins with as zeros: marks, buckets, totals, pushes, pairs of each group */
  BUFFER_ENTRIES,
  BUFFER_CELL_BOXES,
  BUFFER_ENTRY_BOXES,
  BUFFER_BUNDLES,
  BUFFER_ENTRY_SOLIDS,
  BUFFER_TREE_BODIES,
  BUFFER_TREE_POSED,
  BUFFER_TREE_BLOCKS,
  BUFFER_TREE_SLABS,
  BUFFER_TREE_LEAVES,
  BUFFER_CLUSTERS,                              /* axes, then centres */
  BUFFER_FIRST_LIST,                            /* from here on all are spare */
  BUFFER_KEYS = BUFFER_FIRST_LIST + LIST_PAIRS, /* the list of pairs is its keys */
  BUFFER_RANKS,                                 /* and grouped keys; or sorted keys */
  BUFFER_PAIRS,
  BUFFER_TREE_FITTING, /* these four of an update alone */
  BUFFER_TREE_ARRIVED,
  BUFFER_TREE_CODES, /* and sorted codes */
  BUFFER_TREE_OLD_LEAVES,
  BUFFER_TREE_PAIRS,
  BUFFER_TREE_RELATED,
  BUFFER_TREE_ENTRIES,
  BUFFER_TREE_MORE_ENTRIES,
  BUFFER_CLUSTER_POINTS,
  BUFFER_CLUSTER_PULLS,
  BUFFER_CLUSTER_FIRST,
  BUFFER_CLUSTER_KEYS,
  BUFFER_CLUSTER_SORTED_KEYS,
  BUFFER_CLUSTER_ROWS,
  BUFFER_CLUSTER_ENDS,
  BUFFER_CLUSTER_PIECES,
  BUFFER_POSE_ROTATIONS,
  BUFFER_POSE_TRANSLATIONS,
  BUFFER_POSE_ANSWERS,
  BUFFER_CONTACT_PAIRS, /* those that the host gave */
  BUFFER_CONTACTS,
  BUFFER_CONTACT_TOTALS,
  BUFFER_CONTACT_OPEN,
  BUFFER_CONTACT_FIRST,
  BUFFER_CONTACT_SLOTS,
  BUFFER_CONTACT_POINTS,
  BUFFER_PUSH_RULE,
  BUFFER_PUSH_TERMS,
  BUFFER_PUSH_PLACES,
  BUFFER_MEASURED_OBJECT,
  BUFFER_MEASURED_HEADERS,
  BUFFER_GROWN_BOXES,
  BUFFER_K_OF,
  BUFFER_NEIGHBOURS_OF,
  BUFFER_DIAMETER_OF,
  BUFFER_SCRATCH,
  BUFFER_COUNT
} device_buffer_name;

/* What may change of an object while it has the same vertices and primitives, but for its pose. */
typedef struct object_news {
  uint32_t object;
  bool moved;                /* positions or radii differ from those of the last update */
  bool is_double, on_device; /* where positions are: the host's, or the device's */
  const void *positions;
  const void *radii; /* the host's; NULL: none */
  bool radii_are_double;
  size_t vertex_count;
  void *stream; /* of on_device: after whose work positions are read */
  object_rule rule;
} object_news;

/* One object as the scene has it; all arrays are the host's, but positions as the news say. */
typedef struct object_upload {
  object_news news;
  size_t primitive_count;
  object_source source;                                /* for its numbers and kind, and the host's arrays of elements */
  uint32_t public_object, public_primitive, by_number; /* as in device_object */
  size_t corner_count, corner_first_count, triangulation_count, triangulation_first_count,
      repeat_count;      /* lengths of those arrays */
  const uint8_t *erased; /* NULL: none */
  size_t erased_count;
} object_upload;

/* All objects; or, where nothing but positions, poses and rules differs from the last update, which succeeded, the news
 * of some in ascending order: those whose positions or rules differ, and any others. */
typedef struct scene_upload {
  const object_upload *objects; /* NULL: there are news */
  const object_news *news;
  size_t object_count, vertex_count, primitive_count, news_count;
  const primitive_header *headers;
  const rigid_pose *poses; /* an object each, in the memory's pinned_heap; as they are until the update ends */
  object_change *changes;  /* of object i at i times the stride; CHANGED_POSE alone is looked at, and cleared */
  const bool *posed;       /* likewise: its pose is not the identity */
  size_t slot_stride;
  bool poses_differ; /* false: no object has that bit */
  workers *workers;
} scene_upload;

typedef struct device_query {
  bool between, within, skip_neighbours, candidates_only;
  graze_test test;
  query_focus focus;
  stop_check *stop;            /* asked between launches; NULL: nothing stops it */
  bool by_brute;               /* every pair of boxes is tested: the reference */
  bool by_trees;               /* the trees that the device was given are descended, else the grid is built */
  bool by_clusters;            /* those that the device was given are swept, */
  cluster_range clusters;      /* as far as they are of this range: all, or a part of the work of several devices */
  const body_pair *tree_pairs; /* bodies that may meet, and those with themselves */
  size_t tree_pair_count;
  uint64_t tree_searched; /* leaves of these bodies */
  /* What pairs push is asked for, in place of the pairs; NULL: those are. Public numbers are the scene's own. */
  const push_rule *push_rule;
  device_push *pushes_out; /* a place for every two objects, the lower one's number times the number of objects */
} device_query;

/* Poses of one body of the trees against another. */
typedef struct device_pose_query {
  const double *rotations, *translations;
  size_t count;
  uint32_t still, moving; /* bodies */
  uint32_t still_object, moving_object;
  graze_test test;
  bool counts;
} device_pose_query;

/* What a query found out. */
typedef struct device_answer {
  size_t pair_count;
  const graze_pair *device_pairs; /* sorted, on the device, until the next update, query or measure; unless pushes were
                                     asked for */
  uint64_t hash;                  /* of all of them, where they are there */
  graze_counters counters;        /* those that a query fills */
  graze_timings timings;
} device_answer;

/* Where contacts go: memory of a caller's list, asked for when it is known how much of it is needed. What was in it may
 * be lost. */
typedef struct contact_target {
  void *context;
  bool on_device;
  graze_result (*take_contacts)(void *context, size_t count, graze_contact **contacts_out);
  graze_result (*take_points)(void *context, size_t count, double (**points_out)[3], size_t *room_out);
} contact_target;

/* Pairs to be measured. */
typedef struct device_contact_query {
  const graze_pair *pairs;
  size_t count;
  const contact_target *target;
  bool on_device;   /* where the pairs are */
  bool only_pushes; /* of solids of different objects: other pairs, and those that do not meet, get no kind */
  graze_test test;
} device_contact_query;

/* What they share. Where a pair is refused, or there are more points than can be numbered, nothing more is known. */
typedef struct device_contact_answer {
  size_t refused; /* the lowest pair that does not meet or is not in the scene; SIZE_MAX: none */
  graze_pair refused_pair;
  uint64_t point_count;
  graze_contact *contacts; /* as the target gave them */
  double (*points)[3];
  double milliseconds; /* of the stages, by the device's clock */
} device_contact_answer;

/* An object whose k is asked for; the arrays are the host's and filled, a primitive each. */
typedef struct device_measure_request {
  uint32_t object;
  size_t primitive_count;
  uint32_t most_corners; /* of a primitive */
  uint32_t *k_of, *neighbours_of;
  double *diameter_of;
} device_measure_request;

typedef struct device_measure_answer {
  uint32_t levels; /* bit i: some primitive lies at level i of the processor's grid */
  graze_counters counters;
  graze_timings timings;
} device_measure_answer;

/* Where an object's positions lie, and behind them its radii. */
typedef struct given_place {
  size_t offset; /* in BUFFER_GIVEN; where what the next has begins there, if there are none */
  size_t radii;  /* where those begin */
  void *stream;  /* as in object_news */
  bool on_device;
} given_place;

typedef struct device_state {
  device_memory memory;
  device_buffer buffers[BUFFER_COUNT];
  /* What was uploaded last, to tell what is new; an object each. */
  object_source *sources;
  object_rule *rules;
  given_place *given; /* and the end */
  size_t object_count;
  size_t on_device_count; /* objects whose positions are elsewhere on the device */
  size_t special_rules;   /* objects whose filter keeps any pairs back */
  staging_block staging;
  bool uploaded; /* false: everything is new */
  bool has_erased, only_triangles, only_tetrahedra;
  bool has_batch[BATCH_COUNT], has_surfaces; /* kinds of objects that have primitives */
  bool sorts_pairs;                          /* a query has found a primitive with more partners than are ranked */
  bool counts_by_words;                      /* and a bucket with more entries than a byte counts */
  bool bundles_entries;                      /* the last one about everything has found cells crowded */
  size_t vertex_count, primitive_count;
  uint64_t capacity[LIST_COUNT];
  size_t tables_of;      /* so many primitives BUFFER_TABLES is laid out for */
  size_t count_bytes;    /* of totals, pushes and pairs of each group, that the last query began with; 0: none did */
  bool counts_are_clear; /* so many bytes of them are zero, */
  bool grid_is_clear;    /* and so are the tables of the grid */
  device_extent extent;
  size_t sample_count;
  axis_map map;            /* chosen last, and kept from frame to frame while it fits */
  uint32_t slot_bits;      /* of the map that vertices are rounded into; 0: none, they are in the normalised cube */
  uint32_t floor_level;    /* of the last update: see device_floor.h */
  bool leaves_are_entries; /* the last query left them there, and neither they nor what a filter reads has changed */
  const void *trees_of;    /* the forest whose trees are here, whole; NULL: nobody's */
  size_t tree_body_count, tree_leaf_count, tree_block_count, tree_pair_room;
  uint64_t tree_entry_room;
  uint32_t tree_top;      /* the highest level of all trees */
  uint32_t cluster_count; /* that the device was given; 0: none, or not all of them */
  uint32_t clusters_used; /* one where primitives were found to be members of too many */
  graze_distance cluster_distance;
  push_rule push_rule;     /* that the device has, where it has its buffer */
  size_t contacts_at_once; /* that there was memory for when it was short; 0: it was not */
  uint32_t short_calls;    /* for contacts since then */
  uint64_t member_room, piece_room;
  search_notes cluster_notes; /* of the last search, as on the processor */
} device_state;

/* Takes the operations over: device_state_release closes them. */
void device_state_init(device_state *state, memory *heap, memory *scratch, const device_operations *operations);
void device_state_release(device_state *state);

/* The sizes of the grid of so many primitives. */
void view_grid(size_t primitive_count, device_view *view);

/* The groups of so many primitives by which pairs are counted. */
void view_groups(const device_state *state, size_t primitive_count, device_view *view);

/* Of the tables of the grid of all primitives, behind which lies what a query counts. */
size_t grid_table_bytes(const device_state *state);

/* Where in the tables of such a grid buckets are counted, and where its marks begin. */
size_t bucket_counts_place(const device_view *grid);
size_t marks_place(const device_view *grid);

/* The view of what an update made; a query adds its own. */
device_view device_scene_view(const device_state *state);

/* Whether news can be taken in where everything lies; else the scene is uploaded as a whole. */
bool device_state_has_place(const device_state *state, const object_news *news, size_t count);

/* Uploads what is new and makes everything up to the rounded vertices. *finite_out: false where a posed coordinate, or
 * one that was given on the device, is not finite; then no query may follow. */
graze_result device_state_update(device_state *state, const scene_upload *scene, bool *finite_out,
                                 double *milliseconds_out);

/* All pairs, sorted, on the device. GRAZE_STOPPED where the query was stopped. */
graze_result device_state_find(device_state *state, const device_query *query, device_answer *answer_out);

/* Takes in the trees of a forest as the host has them; sources are the host's. */
graze_result device_state_take_trees(device_state *state, const tree_forest *forest, const object_source *sources);

/* Does the tasks that bodies of the forest have for a device, whose trees it is; and tells what it measured. What fails
 * leaves tasks as they are. device_tree_fit.c */
graze_result device_state_fit_trees(device_state *state, tree_forest *forest);

/* Poses all bodies, which are of the scene's objects; or takes their poses from the host. */
graze_result device_state_pose_trees(device_state *state);
graze_result device_state_take_posed(device_state *state, const tree_forest *forest);

/* Middles of `count` primitives, evenly spread over their numbers; infinite where one is erased. After an update. */
graze_result device_state_sample_points(device_state *state, uint32_t count, float (*points_out)[3]);

/* Takes in centres of clusters, at least one, and an axis for each. After a failure the device has none. */
graze_result device_state_take_clusters(device_state *state, const cluster_centres *centres, const sweep_axis *axes);

/* How centres that the device has move on with the scene. */
typedef struct device_learning {
  uint32_t point_count;
  fuzzy_rule rule;
  bool turns_axes; /* principal ones; else they stay */
} device_learning;

/* Moves centres and axes, of which there are some, to the points of the last update. Nothing waits for it. */
graze_result device_state_move_clusters(device_state *state, const device_learning *learning);

/* A number of pairs, or 1 or 0, for each pose; *refused_out is the first that cannot be, or the count. */
graze_result device_state_test_poses(device_state *state, const device_pose_query *query, uint64_t *answers_out,
                                     size_t *refused_out);

/* The first `count` of them. */
graze_result device_state_fetch(device_state *state, const device_answer *answer, size_t count, graze_pair *pairs_out);

/* Copies positions that a caller has on the device, after what its stream has to do now. */
graze_result device_state_fetch_positions(device_state *state, const void *device_positions, void *stream, size_t bytes,
                                          void *positions_out);

/* Contacts of pairs, and their points, in memory of the query's target. */
graze_result device_state_make_contacts(device_state *state, const device_contact_query *query,
                                        device_contact_answer *answer_out);

/* The k-free measure of one object: device_crowding.c. */
graze_result device_state_measure(device_state *state, const device_measure_request *measure,
                                  device_measure_answer *measured_out);

#endif
