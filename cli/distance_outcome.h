/* The outcome of `graze distance`. */
#ifndef GRAZE_DISTANCE_OUTCOME_H
#define GRAZE_DISTANCE_OUTCOME_H

#include "backend_options.h"
#include "exclusion_list.h"
#include "mesh_file_list.h"
#include "output_file.h"

#include "graze/containment.h"
#include "graze/nearest.h"

typedef struct distance_options {
  mesh_file_list inputs; /* the files of the operands, including those in folders; or the scene file */
  char **files;          /* their paths */
  size_t file_count;
  bool each, all, separate, depths, allow_large, quiet;
  bool is_scene; /* the only file is a scene file */
  double within; /* infinite: not requested */
  const char *units, *poses, *json, *csv, *picture;
  object_moves moves;           /* owned */
  exclusion_sources exclusions; /* owned */
  backend_options scene;
} distance_options;

/* The rows and containments of a frame range from its first to the first of the next frame. */
typedef struct distance_frame {
  size_t first_row;
  size_t first_inside;
} distance_frame;

typedef struct distance_outcome {
  const distance_options *options;
  object_list *objects;
  bool has_frames;        /* false: one frame without a number */
  distance_frame *frames; /* owned, frame_count + 1 elements */
  size_t frame_count;
  graze_nearest *rows; /* of all frames; owned */
  size_t row_count;
  graze_containment *insides; /* likewise */
  size_t inside_count;
  size_t best; /* row of the least distance, the first of equals; row_count: none */
  double reading_ms, search_ms;
} distance_outcome;

/* Returns the frame of a row, from 0. */
size_t distance_outcome_frame_of(const distance_outcome *outcome, size_t row);
void distance_outcome_release(distance_outcome *outcome);

/* Returns "corner", "edge" or "face"; "inside" if primitives overlap. */
const char *distance_feature_text(const graze_feature *feature);

void distance_outcome_write_words(const distance_outcome *outcome, FILE *stream);
void distance_outcome_write_json(const distance_outcome *outcome, FILE *stream);
void distance_outcome_write_csv(const distance_outcome *outcome, FILE *stream);

/* Draws to the partial path of the file the frame with the least distance, in which the objects are placed: marks the
 * nearest primitives and the segments between them. Appends an object for each segment. False after a complaint. */
bool distance_outcome_draw(const distance_outcome *outcome, const graze_scene *scene, const output_file *file);

#endif
