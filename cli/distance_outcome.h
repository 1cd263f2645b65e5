/* What `graze distance` was asked and what it found, for those who tell of it. */
#ifndef GRAZE_DISTANCE_OUTCOME_H
#define GRAZE_DISTANCE_OUTCOME_H

#include "backend_options.h"
#include "object_list.h"
#include "output_file.h"

#include "graze/nearest.h"

typedef struct distance_options {
  char **files; /* borrowed from the arguments */
  size_t file_count;
  bool each, all, separate, allow_large, quiet;
  double within; /* infinite: not asked for */
  const char *units, *json, *csv, *picture;
  shift *shifts;
  size_t shift_count;
  rotation *rotations;
  size_t rotation_count;
  backend_options scene;
} distance_options;

typedef struct distance_outcome {
  const distance_options *options;
  object_list *objects;
  graze_nearests nearests;
  double reading_ms, search_ms;
} distance_outcome;

void distance_outcome_write_words(const distance_outcome *outcome, FILE *stream);
void distance_outcome_write_json(const distance_outcome *outcome, FILE *stream);
void distance_outcome_write_csv(const distance_outcome *outcome, FILE *stream);

/* Draws to the partial path of the file: the nearest primitives and the ways between them marked. Appends an object for
 * each way. False after a complaint. */
bool distance_outcome_draw(const distance_outcome *outcome, const graze_scene *scene, const output_file *file);

#endif
