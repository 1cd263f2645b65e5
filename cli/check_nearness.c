/* The outcome of a check with a clearance; see check_nearness.h.
 *
 * Workload: as many pairs as a query lists; one or two lines of text. */
#include "check_nearness.h"

#include "complaint.h"
#include "object_list.h"

#include "graze/inside/parts.h"

#include <math.h>
#include <stdlib.h>

/* ---------------------------------------------------------------------------------------------- searching */

/* An estimate of the number of near pairs.
 *
 * The boxes of two samples of primitives are compared, as many pairs of boxes as there are primitives: this costs less
 * than a hundredth of the search. Workload: 10^4 to 10^8 primitives. */

typedef struct pair_estimate {
  double least, most; /* pairs that are within the clearance for certain, and those that may be, by their boxes */
} pair_estimate;

enum { BOX_NUMBERS = 6 };

typedef struct chosen_primitive {
  double box[BOX_NUMBERS];
  size_t object, primitive;
} chosen_primitive;

typedef struct estimate_work {
  const graze_scene *scene;
  const object_list *objects;
  const graze_query *query;
  size_t count; /* of each sample */
  chosen_primitive *sample[2];
  uint64_t least, most;
} estimate_work;

static graze_object object_of(size_t object) {
  return (graze_object){(uint32_t)object, 1};
}

/* Primitives at equal steps through all objects; `place` in a step. */
static bool choose_sample(const estimate_work *work, double primitive_count, double place, chosen_primitive *sample) {
  const double step = primitive_count / (double)work->count;
  size_t object = 0;
  double first = 0.0;
  for (size_t i = 0; i < work->count; i++) {
    const double number = floor(((double)i + place) * step);
    while (number >= first + (double)work->objects->entries[object].primitive_count)
      first += (double)work->objects->entries[object++].primitive_count;
    chosen_primitive *one = &sample[i];
    one->object = object;
    one->primitive = (size_t)(number - first);
    if (graze_object_get_boxes(work->scene, object_of(object), one->primitive, 1, one->box) != GRAZE_OK) return false;
  }
  return true;
}

static bool may_pair(const estimate_work *work, const chosen_primitive *a, const chosen_primitive *b) {
  const unsigned scope = (unsigned)work->query->scope;
  if (a->object == b->object) return (scope & GRAZE_SCOPE_WITHIN) != 0 && a->primitive != b->primitive;
  return (scope & GRAZE_SCOPE_BETWEEN) != 0 &&
         !graze_scene_is_excluded(work->scene, object_of(a->object), object_of(b->object));
}

/* Counts boxes whose nearest points are near, and those whose farthest points are, so that the primitives must be. */
static void compare_boxes(estimate_work *work, const chosen_primitive *one, const chosen_primitive *other) {
  const double *a = one->box, *b = other->box, part = 1.0 / work->query->clearance;
  double near = 0.0, far = 0.0;
  for (int axis = 0; axis < 3; axis++) {
    const double above = part * (b[axis] - a[3 + axis]), below = part * (a[axis] - b[3 + axis]);
    const double gap = above > below ? above : below, reach = above < below ? above : below;
    near += gap > 0.0 ? gap * gap : 0.0;
    far += reach * reach;
  }
  if (!(near <= 1.0) || !may_pair(work, one, other)) return;
  work->most += 1;
  work->least += far <= 1.0;
}

/* The scene has the objects of the list. Ignores rings. False if boxes are not known, or out of memory. */
static bool pair_estimate_make(const graze_scene *scene, const object_list *objects, const graze_query *query,
                               pair_estimate *estimate_out) {
  const double all = (double)object_list_primitive_count(objects);
  estimate_work work = {.scene = scene, .objects = objects, .query = query, .count = (size_t)ceil(sqrt(all))};
  chosen_primitive *both = calloc(2 * work.count + 1, sizeof *both);
  work.sample[0] = both;
  work.sample[1] = both + work.count;
  const bool made = both != NULL && choose_sample(&work, all, 0.25, work.sample[0]) &&
                    choose_sample(&work, all, 0.75, work.sample[1]);
  for (size_t i = 0; made && i < work.count; i++)
    for (size_t j = 0; j < work.count; j++) compare_boxes(&work, &work.sample[0][i], &work.sample[1][j]);
  const double share = all / (double)work.count; /* each pair of the scene could be compared in two orders */
  *estimate_out = (pair_estimate){0.5 * share * share * (double)work.least, 0.5 * share * share * (double)work.most};
  free(both);
  return made && work.count > 0;
}

/* 0 if so few primitives have no more pairs than may be listed, or if boxes are not known. */
static pair_estimate estimate_pairs(const graze_scene *scene, const check_outcome *outcome) {
  const double count = (double)object_list_primitive_count(outcome->objects);
  pair_estimate estimate = {0};
  if (0.5 * count * (count - 1.0) > NEAR_PAIRS_MOST &&
      pair_estimate_make(scene, outcome->objects, &outcome->options->search.query, &estimate))
    return estimate;
  return (pair_estimate){0};
}

static double middle_of(const pair_estimate *estimate) {
  return 0.5 * (estimate->least + estimate->most);
}

static void begin_search(const check_outcome *outcome, const pair_estimate *estimate, progress *steps) {
  enum { WORDS_BYTES = 128 };
  const uint64_t count = object_list_primitive_count(outcome->objects), pairs = (uint64_t)middle_of(estimate);
  char words[WORDS_BYTES];
  snprintf(words, sizeof words, "%s%s%s", object_list_amount(outcome->objects).text, pairs > 0 ? " for about " : "",
           pairs > 0 ? counted(pairs, "pair").text : "");
  progress_working(steps, "searching", count > pairs ? count : pairs, words);
}

static void complain_of_pairs(const check_outcome *outcome, const pair_estimate *estimate) {
  const double count = middle_of(estimate);
  const char *many = object_list_words(outcome->objects).many, *units = outcome->options->units;
  complain("%s %s of %s are within %.6g%s%s, and at most %s are listed; choose a smaller --clearance, in the units of "
           "the files, or list the first N by --limit N",
           count > NEAR_PAIRS_MOST ? "about" : "more than",
           counted(count > NEAR_PAIRS_MOST ? (uint64_t)count : NEAR_PAIRS_MOST, "pair").text, many,
           outcome->options->search.query.clearance, units == NULL ? "" : " ", units == NULL ? "" : units,
           grouped_number(NEAR_PAIRS_MOST).text);
}

/* The search ends at the first pair too many, even if the estimate is wrong. With rings, some pairs of an object do not
 * count. */
graze_result check_nearness_find(const graze_scene *scene, check_outcome *outcome, progress *steps, bool *refused_out) {
  graze_query query = outcome->options->search.query;
  const bool has_limit = query.pair_limit != 0;
  const pair_estimate estimate = estimate_pairs(scene, outcome);
  graze_result result = GRAZE_STOPPED;
  *refused_out = !has_limit && query.clearance_rings <= 1 && estimate.least > 2.0 * NEAR_PAIRS_MOST;
  if (!*refused_out) {
    begin_search(outcome, &estimate, steps);
    if (!has_limit) query.stop_after = (size_t)NEAR_PAIRS_MOST + 1;
    result = graze_scene_find_pairs(scene, &query, &outcome->pairs);
    *refused_out = result == GRAZE_OK && !has_limit && outcome->pairs.count > NEAR_PAIRS_MOST;
  }
  if (!*refused_out) return result;
  progress_done(steps, "refused");
  complain_of_pairs(outcome, &estimate);
  return GRAZE_STOPPED;
}

/* The time that a sample of the pairs takes, for all of them. */
static double estimate_measuring(const graze_scene *scene, const graze_pairs *pairs) {
  enum { SAMPLE = 4096 };
  graze_pair *sample = malloc(SAMPLE * sizeof *sample);
  graze_distances distances = {0};
  const double start = clock_milliseconds();
  for (size_t i = 0; sample != NULL && i < SAMPLE; i++) sample[i] = pairs->pairs[pairs->count / SAMPLE * i];
  if (sample != NULL) (void)graze_scene_make_distances(scene, sample, SAMPLE, &distances);
  graze_distances_free(&distances);
  free(sample);
  return (clock_milliseconds() - start) * ((double)pairs->count / SAMPLE);
}

graze_result check_nearness_measure(const graze_scene *scene, check_outcome *outcome, progress *steps) {
  enum { MANY_PAIRS = 1000000, WORDS_BYTES = 128 };
  const check_options *options = outcome->options;
  const graze_pairs *pairs = &outcome->pairs;
  const bool is_reported = !options->quiet || options->json != NULL || options->csv != NULL || options->report != NULL;
  if (!check_outcome_is_near(outcome) || options->touching || !is_reported) return GRAZE_OK;
  if (pairs->count >= MANY_PAIRS && !steps->silent) {
    char words[WORDS_BYTES];
    snprintf(words, sizeof words, "%s, about %s", counted(pairs->count, "distance").text,
             spelled_duration(estimate_measuring(scene, pairs)).text);
    progress_working(steps, "measuring", pairs->count, words);
  }
  const graze_result result = graze_scene_make_distances(scene, pairs->pairs, pairs->count, &outcome->distances);
  progress_done(steps, result == GRAZE_OK ? "done" : "failed");
  return result;
}

/* ---------------------------------------------------------------------------------------------- words */

static void write_length(const check_outcome *outcome, double length, FILE *stream) {
  fprintf(stream, "%.6g", length);
  if (outcome->options->units != NULL) fprintf(stream, " %s", outcome->options->units);
}

static size_t intersecting_count(const graze_distances *distances) {
  size_t count = 0;
  for (size_t i = 0; i < distances->count; i++) count += distances->distances[i].distance == 0.0;
  return count;
}

static void write_objects(const check_outcome *outcome, const graze_pair *pair, FILE *stream) {
  if (outcome->objects->count < 2) return;
  fputs(pair->object_a == pair->object_b ? " within " : " between ", stream);
  object_list_write_label(outcome->objects, pair->object_a, stream);
  if (pair->object_a == pair->object_b) return;
  fputs(" and ", stream);
  object_list_write_label(outcome->objects, pair->object_b, stream);
}

void check_nearness_write_verdict(const check_outcome *outcome, FILE *stream) {
  const graze_distances *distances = &outcome->distances;
  const char *many = outcome->options->touching ? "objects" : object_list_words(outcome->objects).many;
  if (outcome->count == 0) {
    fprintf(stream, "No two %s are within ", many);
    write_length(outcome, outcome->options->search.query.clearance, stream);
    fputs(" of each other", stream);
    return;
  }
  fprintf(stream, "%s%s of %s within ", outcome->limit_reached ? "More than " : "",
          counted(outcome->count, "pair").text, many);
  write_length(outcome, outcome->options->search.query.clearance, stream);
  if (distances->count == 0) return;
  const graze_distance *least = &distances->distances[distances->nearest];
  const size_t intersecting = intersecting_count(distances);
  if (intersecting > 0) {
    fprintf(stream, "; %s %s, the first", grouped_number(intersecting).text,
            intersecting == 1 ? "intersects" : "intersect");
  } else {
    fputs("; nearest ", stream);
    write_length(outcome, least->distance, stream);
  }
  write_objects(outcome, &least->pair, stream);
}

void check_nearness_write_apart(const check_outcome *outcome, size_t pair, FILE *stream) {
  if (pair >= outcome->distances.count) return;
  const double distance = outcome->distances.distances[pair].distance;
  fputs(", ", stream);
  if (distance == 0.0) {
    fputs("intersecting", stream);
    return;
  }
  write_length(outcome, distance, stream);
  fputs(" apart", stream);
}

/* There are few rows, and each scans the pairs. Text only. */
void check_nearness_write_nearest(const check_outcome *outcome, uint32_t object_a, uint32_t object_b, FILE *stream) {
  const graze_distance *least = NULL;
  for (size_t i = 0; i < outcome->distances.count; i++) {
    const graze_distance *at = &outcome->distances.distances[i];
    const bool is_theirs = at->pair.object_a == object_a && at->pair.object_b == object_b;
    if (is_theirs && (least == NULL || at->distance < least->distance)) least = at;
  }
  if (least == NULL) return;
  if (least->distance == 0.0) {
    fputs("  intersecting", stream);
    return;
  }
  fputs("  nearest ", stream);
  write_length(outcome, least->distance, stream);
}
