/* What `graze pack` found, and the forms in which it tells it. */
#ifndef GRAZE_PACK_OUTCOME_H
#define GRAZE_PACK_OUTCOME_H

#include "pack_options.h"

#include "mesh_io/mesh.h"

/* Spheres that the body has carried to a frame. */
typedef struct carried_frame {
  const char *file; /* borrowed from the options */
  uint64_t gone;    /* spheres of radius 0 */
  double volume;    /* of all spheres */
} carried_frame;

typedef struct pack_outcome {
  const pack_options *options;
  const mesh *body;       /* the surface that is filled */
  const mesh *tetrahedra; /* that it is of; NULL: it is no more than a surface */
  graze_packing packing;
  carried_frame *frames; /* room for options->frame_count of them, */
  size_t carried_count;  /* and how many there are */
  bool interrupted;      /* the packing, or the frames, ended before their time */
  double reading_ms;
} pack_outcome;

/* The count, the fill rate, and what is left free, for people. All of it is certified: else there is no outcome. */
void pack_outcome_write_words(const pack_outcome *outcome, FILE *stream);

/* One JSON object. */
void pack_outcome_write_json(const pack_outcome *outcome, FILE *stream);

#endif
