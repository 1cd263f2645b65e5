/* The outcome of `graze check` and its output formats. */
#ifndef GRAZE_CHECK_OUTCOME_H
#define GRAZE_CHECK_OUTCOME_H

#include "check_options.h"
#include "object_list.h"
#include "output_file.h"
#include "pair_table.h"

#include "graze/containment.h"
#include "graze/distances.h"
#include "graze/regions.h"

/* Clashes of more pairs are counted only on request: it takes about a microsecond per pair. */
enum { CLASH_PAIRS = 1000000 };

/* What the ranks of graze-mpi held, sent and did, in all and on the rank with the most. */
typedef struct rank_costs {
  uint64_t count; /* of ranks; 0: the check ran in one process */
  uint64_t held, greatest_held, ghosts, sent_bytes;
  double work_ms, greatest_ms;
} rank_costs;

typedef struct check_outcome {
  const check_options *options;
  const object_list *objects;
  graze_pairs pairs;           /* freed with the outcome, like */
  graze_object_pairs touching; /* instead of pairs if only objects are requested; */
  graze_wrenches wrenches;     /* of intersecting objects of solids, if printed or written; */
  graze_contacts contacts;     /* of the pairs, if an output needs them or a point of each pair */
  graze_distances distances;   /* of the pairs, if a clearance is requested and the result is printed or written */
  graze_regions regions;       /* of the pairs, if has_regions */
  bool has_regions;
  graze_containments containments; /* if has_containments; freed with the outcome */
  bool has_containments;
  pair_table table;
  size_t count;          /* what was requested: pairs of primitives, or of objects */
  uint64_t hash;         /* likewise */
  bool limit_reached;    /* likewise */
  size_t excluded_count; /* excluded pairs of objects */
  rank_costs ranks;      /* their check measures neither points nor distances of pairs */
  graze_timings timings;
  graze_counters counters;
  const char *method, *reason; /* the method that searched, and why */
  double reading_ms;           /* reading files */
  double frame_ms;             /* update and query, wall time */
  double volumes_ms;           /* the sum of the wrenches */
  double inside_ms;            /* the search for objects inside others */
} check_outcome;

/* Whether the exit status is 1. */
bool check_outcome_found_something(const check_outcome *outcome);

/* Finds objects inside others if the result is printed or written; call after the table of pairs is made. */
graze_result check_find_containments(const graze_scene *scene, check_outcome *outcome);

/* EXIT_CODE_TROUBLE, after a complaint for each, if surfaces of the updated scene are not closed. */
exit_code check_surfaces_closed(const graze_scene *scene, const object_list *objects);

/* Writes the verdict, then counts, first pairs, hash and times, as text. */
void check_outcome_write_words(check_outcome *outcome, FILE *stream);

/* Objects inside others: their part of the verdict, lines of text, a JSON member, rows of CSV. */
struct json_writer;
void check_outcome_write_inside_verdict(const check_outcome *outcome, FILE *stream);
void check_outcome_write_inside(const check_outcome *outcome, const console *screen);
void check_outcome_write_inside_json(const check_outcome *outcome, struct json_writer *json);
void check_outcome_write_inside_csv(const check_outcome *outcome, FILE *stream);

/* Writes one JSON object, one line per pair of primitives or of objects. */
void check_outcome_write_json(const check_outcome *outcome, FILE *stream);

/* Writes a header, then one line per pair of primitives or of objects. */
void check_outcome_write_csv(const check_outcome *outcome, FILE *stream);

/* Writes a header, then one line per contact. */
void check_outcome_write_contacts(const check_outcome *outcome, FILE *stream);

/* Whether there are clashes of several pairs, which are more informative than the pairs. */
bool check_outcome_has_clashes(const check_outcome *outcome);

/* Regions: a few lines of text; one line each as CSV, or one JSON object; and the same as members of another object. */
void check_outcome_write_clashes(const check_outcome *outcome, const console *screen);
void check_outcome_write_regions(const check_outcome *outcome, FILE *stream);
void check_outcome_write_regions_json(const check_outcome *outcome, bool with_pairs, struct json_writer *json);

/* Writes the curves of regions, as OBJ or PLY. */
void check_outcome_write_curves(const check_outcome *outcome, FILE *stream);

/* Writes all faces, marking those of primitives in a listed pair, as OBJ or PLY; false after a complaint. */
bool check_outcome_write_faces(const check_outcome *outcome, FILE *stream);

#endif
