/* What `graze pack` found, and the forms in which it tells it. */
#ifndef GRAZE_PACK_OUTCOME_H
#define GRAZE_PACK_OUTCOME_H

#include "pack_options.h"

#include "mesh_io/mesh.h"

typedef struct pack_outcome {
  const pack_options *options;
  const mesh *body;
  graze_packing packing;
  double reading_ms;
} pack_outcome;

/* The count, the fill rate, what is left free and whether it is certified, for people. */
void pack_outcome_write_words(const pack_outcome *outcome, FILE *stream);

/* One JSON object. */
void pack_outcome_write_json(const pack_outcome *outcome, FILE *stream);

#endif
