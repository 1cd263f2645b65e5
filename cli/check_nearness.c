/* The outcome of a check with a clearance; see check_nearness.h.
 *
 * Workload: as many pairs as a query lists; one or two lines of text. */
#include "check_nearness.h"

graze_result check_nearness_measure(const graze_scene *scene, check_outcome *outcome) {
  const check_options *options = outcome->options;
  const bool is_reported = !options->quiet || options->json != NULL || options->csv != NULL || options->report != NULL;
  if (!check_outcome_is_near(outcome) || options->touching || !is_reported) return GRAZE_OK;
  return graze_scene_make_distances(scene, outcome->pairs.pairs, outcome->pairs.count, &outcome->distances);
}

/* ---------------------------------------------------------------------------------------------- words */

static void write_length(const check_outcome *outcome, double length, FILE *stream) {
  fprintf(stream, "%.6g", length);
  if (outcome->options->units != NULL) fprintf(stream, " %s", outcome->options->units);
}

static size_t intersecting_count(const graze_distances *distances) {
  size_t count = 0;
  for (size_t i = 0; i < distances->count; ++i) count += graze_distances_at(distances, i)->distance == 0.0;
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
  const graze_distance *least = graze_distances_at(distances, distances->nearest);
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
  const double distance = graze_distances_at(&outcome->distances, pair)->distance;
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
  for (size_t i = 0; i < outcome->distances.count; ++i) {
    const graze_distance *at = graze_distances_at(&outcome->distances, i);
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

/* ---------------------------------------------------------------------------------------------- JSON */

void check_nearness_write_clearance(const check_outcome *outcome, json_writer *json) {
  if (!check_outcome_is_near(outcome)) return;
  json_key(json, "clearance");
  json_double(json, outcome->options->search.query.clearance);
  if (outcome->options->units == NULL) return;
  json_key(json, "units");
  json_string(json, outcome->options->units);
}

static void write_point(const double point[3], json_writer *json) {
  json_begin_array(json);
  for (int axis = 0; axis < 3; ++axis) json_double(json, point[axis]);
  json_end_array(json);
}

void check_nearness_write_json(const check_outcome *outcome, json_writer *json) {
  const graze_distances *distances = &outcome->distances;
  json_key(json, "pair_distances");
  json_begin_array(json);
  for (size_t i = 0; i < distances->count; ++i) {
    json_break_line(json);
    json_double(json, graze_distances_at(distances, i)->distance);
  }
  json_end_array(json);
  json_break_line(json);
  json_key(json, "pair_nearest_points");
  json_begin_array(json);
  for (size_t i = 0; i < distances->count; ++i) {
    const graze_distance *at = graze_distances_at(distances, i);
    json_break_line(json);
    json_begin_array(json);
    write_point(at->point_a, json);
    write_point(at->point_b, json);
    json_end_array(json);
  }
  json_end_array(json);
  json_break_line(json);
}
