/* A query to the engine and its answer as flat arrays for the page. */
#ifndef GRAZE_ENGINE_QUERY_H
#define GRAZE_ENGINE_QUERY_H

#include "viewer/engine/engine_objects.h"

#include "graze/containment.h"
#include "graze/regions.h"

/* Optional results besides pairs, as bits; engine_module.ts uses the same values. */
enum {
  ENGINE_REGIONS = 1,
  ENGINE_DEPTHS = 2,
  ENGINE_CURVES = 4,
  ENGINE_CONTACTS = 8,
  ENGINE_VOLUMES = 16,
  ENGINE_CONTAINMENTS = 32
};

typedef struct engine_question {
  graze_query query;
  bool own_scope, own_neighbors; /* if false, the default of `graze check` */
  unsigned parts;
  size_t depth_limit; /* without ENGINE_DEPTHS, up to this many pairs have depths of regions, but not of objects */
} engine_question;

/* The doubles of a region: objects a and b, clash, first pair, pair count, first curve, curve count, box, a point of
 * its deepest contact, normal, depth. */
enum { ENGINE_REGION_NUMBERS = 20, ENGINE_CONTACT_NUMBERS = 7 };

/* The next query replaces the lists. After a failure they are empty. */
typedef struct engine_answer {
  graze_query query; /* the query that was run */
  graze_pairs pairs;
  graze_regions regions;
  graze_contacts contacts;
  graze_wrenches wrenches;
  graze_containments containments;
  double milliseconds;    /* update and pair search */
  double *region_numbers; /* ENGINE_REGION_NUMBERS per region */
  uint64_t *region_ids;
  double *contact_numbers; /* ENGINE_CONTACT_NUMBERS per pair */
  double curve_origin[3];
  float *curve_points;    /* of all curves, relative to the origin */
  uint32_t *curve_starts; /* number of curves plus one */
  uint32_t *curve_regions;
  uint8_t *curve_closed;
} engine_answer;

/* Returns false after setting the message. */
bool engine_ask(const engine_objects *all, const engine_question *question, engine_answer *answer);

void engine_answer_release(engine_answer *answer);

#endif
