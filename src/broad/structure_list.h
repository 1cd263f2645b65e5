/* Nodes and members of a search structure, as listed by a method for graze_scene_inspect.
 *
 * Workload: once for a picture; up to a few million nodes, written by one thread directly to the caller's list. */
#ifndef GRAZE_BROAD_STRUCTURE_LIST_H
#define GRAZE_BROAD_STRUCTURE_LIST_H

#include "base/answer_list.h"
#include "broad/primitive_view.h"
#include "geometry/exact_box.h"
#include "graze/inspect.h"

/* Blocks of the caller's list. */
enum { BLOCK_STRUCTURE_NODES = 0, BLOCK_STRUCTURE_MEMBERS = 1, BLOCK_STRUCTURE_LEVELS = 2 };

enum { STRUCTURE_LEVELS = 32 }; /* those of the grid; no other structure has more */

typedef struct structure_list {
  graze_list_memory *memory;
  const graze_inspect_options *options;
  graze_structure_node *nodes; /* `object` is the scene's number, or UINT32_MAX */
  size_t node_count;
  graze_structure_member *members; /* `primitive` is the scene's number; `object` is not set. NULL: not requested */
  size_t member_count;
  uint64_t level_counts[STRUCTURE_LEVELS];
  size_t level_count;
} structure_list;

/* Counts nodes of a level, whether it is listed or not. */
void structure_list_count(structure_list *list, uint32_t level, size_t count);

static inline bool structure_list_has_level(const structure_list *list, uint32_t level) {
  return level >= list->options->lowest_level && level <= list->options->highest_level;
}

/* Allocates memory for all nodes and members before the first is added; false when out of memory. */
bool structure_list_reserve(structure_list *list, size_t node_count, size_t member_count);

/* Appends a node without members and children, whose cell is its box. */
graze_structure_node *structure_list_add(structure_list *list, uint32_t level, const exact_box *box);

/* Appends members, scene numbers of primitives, to the list and to its last node. */
void structure_list_add_members(structure_list *list, const uint32_t *primitives, size_t count);

/* origin + value / scale, clamped to the range of double. The scale is a power of two. */
double unscaled(double origin, double value, double scale);

/* Converts a box from normalized coordinates to those of the scene. */
exact_box box_in_scene(const primitive_view *view, const double min[3], const double max[3]);

#endif
