/* graze: the search structure of a query, read-only: cells of the grid, nodes of trees, or clusters.
 *
 *     graze_structure structure = {0};
 *     graze_scene_inspect(scene, NULL, NULL, &structure);
 *     for (size_t i = 0; i < structure.count; i++) draw_box(structure.nodes[i].min, structure.nodes[i].max);
 *     graze_structure_free(&structure);
 *
 * For debugging, teaching and pictures. The structure is the one that graze_scene_find_pairs uses for the same query.
 * The grid and the clusters exist only during a query, so the call builds them again. This adds no cost to queries.
 *
 *   grid      a node is an occupied cell. `level` determines its size: each level has cells twice as large as the
 *             level below. A primitive is a member of one cell, that of the lower corner of its box. It may reach over
 *             the upper borders of the cell, but not beyond the next cell
 *   tree      a node belongs to one object. Leaves have level 0 and one primitive; other nodes have up to four children
 *             one level below. Objects that share a shape have separate nodes
 *   clusters  a node of level 0 is a cluster. A primitive may be a member of several. The node of level 1, if there is
 *             one, holds the primitives that are too large for the clusters. Clusters without members are left out
 *   brute     has no structure */
#ifndef GRAZE_INSPECT_H
#define GRAZE_INSPECT_H

#include "graze/graze.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A primitive of a node, with the numbers that pairs use. */
typedef struct graze_structure_member {
  uint32_t object, primitive;
} graze_structure_member;

/* A cell, a node of a tree, or a cluster. Boxes of trees are in the coordinates of the object before its pose, all
 * others in the coordinates of the scene. */
typedef struct graze_structure_node {
  double min[3], max[3];           /* a box that contains the boxes of all members; with a clearance, grown by half of
                                      it, except for trees */
  double cell_min[3], cell_max[3]; /* grid: the cell; otherwise as min and max */
  size_t first_member;             /* its members are members[first_member] and those that follow */
  size_t member_count;
  size_t first_child; /* its children are nodes[first_child] and those that follow; 0 if there are none */
  size_t child_count; /* 0 for leaves, cells and clusters, and if the level below is left out */
  uint32_t level;
  uint32_t object; /* trees: the object's number in pairs; otherwise UINT32_MAX */
} graze_structure_node;

/* Nodes, sorted by object and then from the highest level down. Within a level, the order is spatial. Zero-initialize
 * it. */
typedef struct graze_structure {
  size_t struct_bytes;
  const char *method; /* the method that the query uses, as graze_scene_method returns it; static */
  const graze_structure_node *nodes;
  size_t count;
  const graze_structure_member *members; /* those of trees are listed once, in the order of the leaves */
  size_t member_count;
  const uint64_t *level_counts; /* nodes of each level, including those that the options leave out */
  size_t level_count;
  const graze_timings *timings;   /* of building the structure; 0 for trees, which an update builds */
  const graze_counters *counters; /* like timings */
  struct graze_list_memory *memory;
} graze_structure;

GRAZE_API void graze_structure_free(graze_structure *structure); /* as graze_pairs_free */

typedef struct graze_inspect_options {
  size_t struct_bytes;
  bool members; /* false: no member is listed, and `members` is NULL; default true. Nodes keep their counts */
  size_t lowest_level, highest_level; /* nodes of other levels are left out; default 0 and SIZE_MAX */
} graze_inspect_options;

GRAZE_API void graze_inspect_options_init(void *options, size_t bytes);
static inline graze_inspect_options graze_inspect_options_default(void) {
  graze_inspect_options options;
  graze_inspect_options_init(&options, sizeof options);
  return options;
}

/* Lists the structure that the query uses in an updated scene. A NULL query or NULL options mean the defaults. The
 * primitives listed are those that the query searches; a tree has all primitives of its object. Costs as much as
 * building the structure, and 136 bytes for each node. GRAZE_UNSUPPORTED on CUDA. On failure the list is empty. */
GRAZE_API graze_result graze_scene_inspect(const graze_scene *scene, const graze_query *query,
                                           const graze_inspect_options *options, graze_structure *structure);

#ifdef __cplusplus
}
#endif

#endif
