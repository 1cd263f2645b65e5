/* Counts elements that a reader skips, or reduces to their corners, for the note of the mesh. */
#ifndef GRAZE_SKIPPED_ELEMENTS_H
#define GRAZE_SKIPPED_ELEMENTS_H

#include "mesh_io/element_shape.h"
#include "mesh_io/mesh_reading.h"

/* Zeroed: none. */
typedef struct skipped_elements {
  uint64_t skipped[ELEMENT_SHAPES];
  uint64_t higher_order[ELEMENT_SHAPES]; /* elements of higher order, reduced to their corners */
} skipped_elements;

uint64_t skipped_elements_count(const skipped_elements *elements); /* without those reduced to their corners */

/* Appends a message to *note (NULL: none so far) if any were counted; `kind` is that of the mesh. False, with *note
 * unchanged, when out of memory. */
bool skipped_elements_tell(const skipped_elements *elements, mesh_kind kind, const mesh_reading *reading, char **note);

#endif
