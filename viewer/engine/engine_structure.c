/* Copies search structures to flat arrays. Workload: once after each query while the page shows them, 10,000 boxes. */
#include "viewer/engine/engine_structure.h"

#include <stdlib.h>
#include <string.h>

void engine_structure_release(engine_structure *structure) {
  graze_structure_free(&structure->structure);
  free(structure->boxes);
  free(structure->levels);
  free(structure->objects);
  free(structure->members);
  *structure = (engine_structure){0};
}

static bool make_arrays(engine_structure *structure) {
  const size_t count = structure->shown + 1;
  structure->boxes = malloc(6 * count * sizeof *structure->boxes);
  structure->levels = malloc(count * sizeof *structure->levels);
  structure->objects = malloc(count * sizeof *structure->objects);
  structure->members = malloc(count * sizeof *structure->members);
  if (structure->boxes != NULL && structure->levels != NULL && structure->objects != NULL && structure->members != NULL)
    return true;
  return engine_fail("out of memory for a structure of %zu boxes", structure->shown);
}

bool engine_inspect(const engine_objects *all, const graze_query *query, uint32_t level, size_t limit,
                    engine_structure *structure) {
  graze_inspect_options options = graze_inspect_options_default();
  engine_structure_release(structure);
  options.members = false;
  if (level != ENGINE_ALL_LEVELS) options.lowest_level = options.highest_level = level;
  if (!engine_refused(graze_scene_inspect(all->scene, query, &options, &structure->structure))) return false;
  structure->shown = structure->structure.count < limit ? structure->structure.count : limit;
  if (!make_arrays(structure)) return false;
  for (size_t i = 0; i < structure->shown; ++i) {
    const graze_structure_node *const node = &structure->structure.nodes[i];
    memcpy(structure->boxes + 6 * i, node->cell_min, sizeof node->cell_min);
    memcpy(structure->boxes + 6 * i + 3, node->cell_max, sizeof node->cell_max);
    structure->levels[i] = node->level;
    structure->objects[i] = node->object;
    structure->members[i] = (uint32_t)node->member_count;
  }
  return true;
}
