/* Objects inside closed surfaces.
 *
 * A connected component of an object that does not touch a surface is on one side of it. So for each surface, one point
 * of each component in its box suffices; all are counted in one pass over its triangles. Whether the surface is closed
 * is checked last, only if it winds around some point: that is rare, and the most expensive step.
 *
 * Workload: 2 to 10^5 objects, few of which have boxes that meet. */
#ifndef GRAZE_ANALYSIS_NESTED_OBJECTS_H
#define GRAZE_ANALYSIS_NESTED_OBJECTS_H

#include "base/array.h"
#include "base/stop_check.h"
#include "base/workers.h"
#include "broad/primitive_view.h"
#include "geometry/exact_box.h"

typedef struct nesting_entry {
  const object_source *source;
  size_t vertex_count;
} nesting_entry;

/* One object inside another, both by their entries. */
typedef struct nested_pair {
  uint32_t inner, outer;
  uint32_t inside_count; /* primitives that are inside; never 0 */
} nested_pair;

typedef struct nesting_search {
  const nesting_entry *entries;
  const exact_box *boxes; /* of the posed vertices of each entry */
  size_t entry_count;
  const uint64_t *keys; /* candidates: outer << 32 | inner, by their entries, sorted; they do not touch */
  size_t key_count;
  memory *heap;
  workers *team;
  stop_check *stop; /* NULL: nothing stops it */
  array found;      /* nested_pair: output, by outer object */
  uint32_t refused; /* output: the entry with too many triangles */
} nesting_search;

/* GRAZE_OUT_OF_MEMORY, GRAZE_STOPPED, and GRAZE_TOO_LARGE for a surface whose edges cannot be numbered; sets no
 * message. */
graze_result nested_objects_find(nesting_search *search);

#endif
