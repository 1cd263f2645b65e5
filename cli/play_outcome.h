/* The outcome of `graze play`: the frames of a run, their totals, and the output formats. */
#ifndef GRAZE_PLAY_OUTCOME_H
#define GRAZE_PLAY_OUTCOME_H

#include "frame_scene.h"
#include "frame_searcher.h"
#include "output_file.h"
#include "page_record.h"
#include "play_meetings.h"
#include "play_options.h"

/* The results of a played frame. */
typedef struct frame_record {
  size_t frame;       /* from 1 */
  const char *method; /* the method that searched it; borrowed */
  const char *name;   /* of its file; NULL: none. Borrowed from the source */
  size_t object_count;
  uint64_t primitive_count, vertex_count;
  uint64_t skipped_count; /* elements of its files that were not read */
  uint64_t pair_count, within, between;
  /* Primitives in a pair: with a primitive of an object with a higher number, of a lower number, or of any. Of two
   * objects A and B, the first are the primitives of A that intersect B, the second those of B that intersect A. */
  uint64_t meets_later, meets_earlier, colliding;
  uint64_t hash;
  graze_timings timings;
  graze_counters counters;
  double reading_ms; /* time of the source: reading files, or moving a scene */
  double query_ms;   /* update and query, wall time */
} frame_record;

/* One method of a comparison; the first is the requested one. */
typedef struct method_run {
  graze_method_def method;
  frame_scene shown;
  graze_pairs pairs; /* of the frame played last */
  uint64_t hash;
  size_t frame_count, left_out; /* number of frames it played, and of those too large for it */
  double total_ms, slowest_ms;
  double last_ms; /* of the current frame, */
  bool searched;  /* and whether this method searched it */
} method_run;

typedef struct play_run {
  const play_options *options;
  frame_source source;
  const frame_searcher *searcher; /* NULL: the scenes of the methods */
  const frame_gap *gaps;
  size_t gap_count;
  frame_record *records;
  size_t count, capacity;
  frame_record *others; /* of a comparison: the other methods, frame by frame */
  size_t other_count, other_capacity;
  size_t *unplayed; /* frames that could not be read or searched, from 1 */
  size_t unplayed_count;
  exclusion_list exclusions; /* of the options and the source: object numbers in every frame */
  bool knows_exclusions;
  play_meetings meetings; /* by the first method */
  method_run *methods;
  size_t method_count;
  size_t refused_methods; /* missing in the backend */
  size_t disagreements;   /* frames and methods */
  object_list objects;    /* of the frame played last, */
  bool shows_last;        /* and whether its pairs are those of the first method */
  primitive_words words;  /* for primitives of the first frame */
  output_file picture;    /* its paths, if requested, */
  bool drawn;             /* and whether it is drawn to its partial path */
  page_record page;       /* of the played frames, if requested */
  bool interrupted;
} play_run;

/* Of the first method. */
static inline uint64_t play_run_hash(const play_run *run) {
  return run->methods[0].hash;
}

/* Totals and extremes of the records. */
typedef struct play_totals {
  uint64_t pairs, candidates;
  uint64_t skipped;
  size_t frames_with_pairs, frames_with_skipped;
  uint64_t least_pairs, most_pairs, least_primitives, most_primitives;
  graze_timings timings;
  double reading_ms, query_ms;
  const frame_record *slowest; /* NULL: no frame was played */
} play_totals;

play_totals play_run_totals(const play_run *run);

/* Text: a heading, a line per frame, and totals. */
void play_write_heading(const play_run *run, FILE *stream);
void play_write_line(const frame_record *record, FILE *stream);
void play_write_totals(const play_run *run, FILE *stream);

/* JSON and CSV. */
void play_write_csv_heading(const play_options *options, FILE *stream);
void play_write_csv_line(const play_options *options, const frame_record *record, FILE *stream);
void play_write_json(const play_run *run, FILE *stream);

/* The page of the viewer: a frame is added after its search by the first method; at the end the page is written. False
 * after a complaint. */
bool play_page_add(play_run *run, size_t frame);
bool play_page_write(play_run *run, FILE *stream);

/* Plots the milliseconds of each frame as SVG: the stages, or for a comparison the methods. False when out of
 * memory. */
bool play_write_plot(const play_run *run, FILE *stream);

#endif
