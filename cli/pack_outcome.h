/* The outcome of `graze pack` and its output formats. */
#ifndef GRAZE_PACK_OUTCOME_H
#define GRAZE_PACK_OUTCOME_H

#include "backend_options.h"
#include "drawing_options.h"

#include "graze/packing.h"
#include "mesh_io/mesh.h"

typedef struct pack_options {
  const char *file; /* borrowed from the arguments, like */
  char **frames;    /* the frames of a deforming body of tetrahedra */
  size_t frame_count;
  const char *carried; /* file name of the spheres of frames, with a place for the number; NULL: not written */
  graze_packing_options limits;
  backend_options run; /* backend, device, number of threads */
  drawing_options drawing;
  bool allow_large, quiet;
  const char *output, *json, *picture, *report; /* NULL: not requested; for json "-": stdout */
} pack_options;

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

#endif
