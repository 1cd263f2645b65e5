/* The outcome of `graze pack` and its output formats. */
#ifndef GRAZE_PACK_OUTCOME_H
#define GRAZE_PACK_OUTCOME_H

#include "pack_options.h"

#include "mesh_io/mesh.h"

/* The spheres carried to a frame. */
typedef struct carried_frame {
  const char *file; /* borrowed from the options */
  uint64_t gone;    /* spheres of radius 0 */
  double volume;    /* of all spheres */
} carried_frame;

typedef struct pack_outcome {
  const pack_options *options;
  const mesh *body;       /* the filled surface */
  const mesh *tetrahedra; /* the body of that surface; NULL: there is only a surface */
  graze_packing packing;
  carried_frame *frames; /* space for options->frame_count of them, */
  size_t carried_count;  /* and their number */
  bool interrupted;      /* the packing, or the frames, were interrupted */
  double reading_ms;
} pack_outcome;

/* Writes the count, the fill rate and the gaps, as text. Everything is certified; otherwise there is no outcome. */
void pack_outcome_write_words(const pack_outcome *outcome, FILE *stream);

/* Writes one JSON object. */
void pack_outcome_write_json(const pack_outcome *outcome, FILE *stream);

/* Writes a page with the body and the spheres; false after a complaint. */
bool pack_outcome_write_page(const pack_outcome *outcome, const mesh *spheres, FILE *stream);

#endif
