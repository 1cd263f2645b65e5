/* What `graze check` found, and the forms in which it tells it. */
#ifndef GRAZE_CHECK_OUTCOME_H
#define GRAZE_CHECK_OUTCOME_H

#include "check_options.h"
#include "object_list.h"
#include "output_file.h"
#include "pair_table.h"

#include "graze/containment.h"
#include "graze/distances.h"
#include "graze/regions.h"

/* Clashes of more pairs are counted when they are asked for: it takes about a microsecond a pair. */
enum { CLASH_PAIRS = 1000000 };

typedef struct check_outcome {
  const check_options *options;
  const object_list *objects;
  graze_pairs pairs;           /* freed with the outcome, as are */
  graze_object_pairs touching; /* in place of pairs where objects alone are asked for; */
  graze_wrenches wrenches;     /* of objects of solids that meet, as far as somebody is told; */
  graze_contacts contacts;     /* of the pairs, where a file is asked for that has them or a point of each pair */
  graze_distances distances;   /* of the pairs, where a clearance is asked for and somebody is told */
  graze_regions regions;       /* of the pairs, where has_regions */
  bool has_regions;
  graze_containments containments; /* where has_containments; freed with the outcome */
  bool has_containments;
  pair_table table;
  size_t count;          /* of what was asked for: pairs of primitives, or of objects */
  uint64_t hash;         /* likewise */
  bool limit_reached;    /* likewise */
  size_t excluded_count; /* pairs of objects that were left out */
  graze_timings timings;
  graze_counters counters;
  const char *method, *reason; /* that searched, and why it did */
  double reading_ms;           /* files */
  double frame_ms;             /* update and query, by the clock */
  double volumes_ms;           /* the sums of the wrenches */
  double inside_ms;            /* the search for objects inside others */
} check_outcome;

/* Whether the exit status is 1. */
bool check_outcome_found_something(const check_outcome *outcome);

/* Looks for objects inside others, where somebody is told; the table of pairs is made. */
graze_result check_find_containments(const graze_scene *scene, check_outcome *outcome);

/* EXIT_CODE_TROUBLE, after complaints that name each, where surfaces of the updated scene are not closed. */
exit_code check_surfaces_closed(const graze_scene *scene, const object_list *objects);

/* The verdict, then counts, first pairs, hash and times, for people. */
void check_outcome_write_words(check_outcome *outcome, FILE *stream);

/* Which method searched, and what its parts cost. */
void check_outcome_explain(const check_outcome *outcome, FILE *stream);

/* Objects inside others: what they add to the verdict, lines for people, a JSON member, rows of CSV. */
struct json_writer;
void check_outcome_write_inside_verdict(const check_outcome *outcome, FILE *stream);
void check_outcome_write_inside(const check_outcome *outcome, const console *screen);
void check_outcome_write_inside_json(const check_outcome *outcome, struct json_writer *json);
void check_outcome_write_inside_csv(const check_outcome *outcome, FILE *stream);

/* One JSON object; one line a pair of primitives or of objects. */
void check_outcome_write_json(const check_outcome *outcome, FILE *stream);

/* A header, then one line a pair of primitives or of objects. */
void check_outcome_write_csv(const check_outcome *outcome, FILE *stream);

/* A header, then one line a contact. */
void check_outcome_write_contacts(const check_outcome *outcome, FILE *stream);

/* Whether there are clashes of several pairs, which say more than the pairs do. */
bool check_outcome_has_clashes(const check_outcome *outcome);

/* Regions: a few lines for people; a line each as CSV, or one JSON object; and the same as members of another one. */
void check_outcome_write_clashes(const check_outcome *outcome, const console *screen);
void check_outcome_write_regions(const check_outcome *outcome, FILE *stream);
void check_outcome_write_regions_json(const check_outcome *outcome, bool with_pairs, struct json_writer *json);

/* The curves of regions, as OBJ or PLY. */
void check_outcome_write_curves(const check_outcome *outcome, FILE *stream);

/* All faces, those of primitives in a listed pair set apart, as OBJ or PLY; false after a complaint. */
bool check_outcome_write_faces(const check_outcome *outcome, FILE *stream);

/* The page of the viewer; false after a complaint. */
bool check_outcome_write_page(const check_outcome *outcome, FILE *stream);

/* Draws the scene with the primitives of all listed pairs marked; false after a complaint. */
bool check_outcome_draw(const check_outcome *outcome, const graze_scene *scene, const output_file *file);

#endif
