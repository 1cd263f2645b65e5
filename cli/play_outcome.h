/* What `graze play` has to tell: the frames of a run, their sums, and the forms in which they are told. */
#ifndef GRAZE_PLAY_OUTCOME_H
#define GRAZE_PLAY_OUTCOME_H

#include "frame_scene.h"
#include "frame_source.h"
#include "output_file.h"
#include "page_record.h"
#include "play_meetings.h"
#include "play_options.h"

/* What is known of a frame once it was played. */
typedef struct frame_record {
  size_t frame;       /* from 1 on */
  const char *method; /* that searched it; borrowed */
  const char *name;   /* of its file; NULL: it has none. Borrowed from the source */
  size_t object_count;
  uint64_t primitive_count, vertex_count;
  uint64_t pair_count, within, between;
  /* Primitives that are in a pair: with one of an object of a higher number, of a lower number, with any. Of two
   * objects, the first are those of A that meet B, the second those of B that meet A. */
  uint64_t meets_later, meets_earlier, colliding;
  uint64_t hash;
  graze_timings timings;
  graze_counters counters;
  double reading_ms; /* what the source took: reading files, or moving a scene */
  double query_ms;   /* update and query, by the clock */
} frame_record;

/* One method of a comparison; the first is the one that was asked for. */
typedef struct method_run {
  graze_method_def method;
  frame_scene shown;
  graze_pairs pairs; /* of the frame played last */
  uint64_t hash;
  size_t frame_count, left_out; /* frames it played, frames that were too large for it */
  double total_ms, slowest_ms;
  double last_ms; /* of the frame that is being played, */
  bool searched;  /* and whether it was searched by this method */
} method_run;

typedef struct play_run {
  const play_options *options;
  frame_source source;
  const frame_gap *gaps;
  size_t gap_count;
  frame_record *records;
  size_t count, capacity;
  frame_record *others; /* of a comparison: those of the other methods, frame after frame */
  size_t other_count, other_capacity;
  size_t *unplayed; /* frames that could not be read or searched, from 1 on */
  size_t unplayed_count;
  exclusion_list exclusions; /* of the options and the source: numbers in every frame */
  bool knows_exclusions;
  play_meetings meetings; /* by the first method */
  method_run *methods;
  size_t method_count;
  size_t refused_methods; /* that the backend lacks */
  size_t disagreements;   /* frames and methods */
  object_list objects;    /* of the frame played last, */
  bool shows_last;        /* and whether the pairs of the first method are its pairs */
  primitive_words words;  /* for primitives of the first frame */
  output_file picture;    /* planned where one is asked for, */
  bool drawn;             /* and drawn to its partial path */
  page_record page;       /* of the frames that were played, where one is asked for */
  bool interrupted;
} play_run;

/* Of the first method. */
static inline uint64_t play_run_hash(const play_run *run) {
  return run->methods[0].hash;
}

/* Sums and extremes of the records. */
typedef struct play_totals {
  uint64_t pairs, candidates;
  size_t frames_with_pairs;
  uint64_t least_pairs, most_pairs, least_primitives, most_primitives;
  graze_timings timings;
  double reading_ms, query_ms;
  const frame_record *slowest; /* NULL: no frame was played */
} play_totals;

play_totals play_run_totals(const play_run *run);

/* For people: a heading, a line a frame, and what all come to. */
void play_write_heading(const play_run *run, FILE *stream);
void play_write_line(const frame_record *record, FILE *stream);
void play_write_totals(const play_run *run, FILE *stream);

/* For programs. */
void play_write_csv_heading(const play_options *options, FILE *stream);
void play_write_csv_line(const play_options *options, const frame_record *record, FILE *stream);
void play_write_json(const play_run *run, FILE *stream);

/* The page of the viewer: a frame that the first method has just searched is put into it, and at the end it is
 * written. False after a complaint. */
bool play_page_add(play_run *run, size_t frame);
bool play_page_write(play_run *run, FILE *stream);

/* Milliseconds over frames as SVG: those of the stages, or of a comparison those of the methods. False when memory is
 * out. */
bool play_write_plot(const play_run *run, FILE *stream);

#endif
