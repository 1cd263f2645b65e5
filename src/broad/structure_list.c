/* Lists of a search structure; see structure_list.h. */
#include "broad/structure_list.h"

#include <string.h>

void structure_list_count(structure_list *list, uint32_t level, size_t count) {
  list->level_counts[level] += count;
  if (count > 0 && level >= list->level_count) list->level_count = level + 1;
}

bool structure_list_reserve(structure_list *list, size_t node_count, size_t member_count) {
  list->nodes = answer_list_reserve(list->memory, BLOCK_STRUCTURE_NODES, node_count, sizeof *list->nodes);
  if (list->nodes == NULL || !list->options->members) return list->nodes != NULL;
  list->members = answer_list_reserve(list->memory, BLOCK_STRUCTURE_MEMBERS, member_count, sizeof *list->members);
  return list->members != NULL;
}

graze_structure_node *structure_list_add(structure_list *list, uint32_t level, const exact_box *box) {
  graze_structure_node *node = &list->nodes[list->node_count++];
  *node = (graze_structure_node){.first_member = list->member_count, .level = level, .object = UINT32_MAX};
  memcpy(node->min, box->min, sizeof node->min);
  memcpy(node->max, box->max, sizeof node->max);
  memcpy(node->cell_min, box->min, sizeof node->cell_min);
  memcpy(node->cell_max, box->max, sizeof node->cell_max);
  return node;
}

void structure_list_add_members(structure_list *list, const uint32_t *primitives, size_t count) {
  list->nodes[list->node_count - 1].member_count += count;
  if (list->members != NULL)
    for (size_t i = 0; i < count; i++) list->members[list->member_count + i].primitive = primitives[i];
  list->member_count += count;
}
