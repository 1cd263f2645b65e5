/* The search structure of the last query, as flat arrays for the page. */
#ifndef GRAZE_ENGINE_STRUCTURE_H
#define GRAZE_ENGINE_STRUCTURE_H

#include "viewer/engine/engine_objects.h"

#include "graze/inspect.h"

#define ENGINE_ALL_LEVELS UINT32_MAX

/* The first `shown` nodes of the structure. The next call replaces the arrays. */
typedef struct engine_structure {
  graze_structure structure;
  size_t shown;
  double *boxes;     /* 6 per node: least and greatest coordinates; for the grid those of the cell */
  uint32_t *levels;  /* of each node */
  uint32_t *objects; /* of tree nodes, whose boxes precede the pose; otherwise UINT32_MAX */
  uint32_t *members; /* number of primitives of each node */
} engine_structure;

/* Lists at most `limit` nodes of one level, or of all. Returns false after setting the message. */
bool engine_inspect(const engine_objects *all, const graze_query *query, uint32_t level, size_t limit,
                    engine_structure *structure);

void engine_structure_release(engine_structure *structure);

#endif
