/* A question to the engine and its answer, ready to be copied by the page. */
#ifndef GRAZE_ENGINE_QUERY_H
#define GRAZE_ENGINE_QUERY_H

#include "viewer/engine/engine_objects.h"

#include "graze/containment.h"
#include "graze/regions.h"

/* What is made beside pairs; bits, known to engine_module.ts. */
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
  bool own_scope, own_neighbors; /* else as `graze check` has them */
  unsigned parts;
} engine_question;

/* Numbers of a region, a double each: objects a and b, clash, first pair, pair count, first curve, curve count, box, a
 * point of its deepest contact, normal, depth. */
enum { ENGINE_REGION_NUMBERS = 20, ENGINE_CONTACT_NUMBERS = 7 };

/* Lists are filled again by the next question; those of an answer that failed are empty. */
typedef struct engine_answer {
  graze_query query; /* as it was asked */
  graze_pairs pairs;
  graze_regions regions;
  graze_contacts contacts;
  graze_wrenches wrenches;
  graze_containments containments;
  double milliseconds;    /* update and search for pairs */
  double *region_numbers; /* ENGINE_REGION_NUMBERS a region */
  uint64_t *region_ids;
  double *contact_numbers; /* ENGINE_CONTACT_NUMBERS a pair */
  double curve_origin[3];
  float *curve_points;    /* of all curves, relative to the origin */
  uint32_t *curve_starts; /* one more than there are curves */
  uint32_t *curve_regions;
  uint8_t *curve_closed;
} engine_answer;

/* False after a message. */
bool engine_ask(const engine_objects *all, const engine_question *question, engine_answer *answer);

void engine_answer_release(engine_answer *answer);

#endif
