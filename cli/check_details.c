/* The places of the pairs of a check: a point of each, and the corners of its primitives.
 *
 * Workload: as many rows as there are pairs. */
#include "check_details.h"

#include "check_nearness.h"

#include "csv_text.h"

#include <stdlib.h>

/* Seventeen digits read back as the same double. */
static void write_numbers(const double *numbers, size_t count, const char *between, FILE *stream) {
  for (size_t i = 0; i < count; ++i) fprintf(stream, "%s%.17g", i > 0 ? between : "", numbers[i]);
}

static size_t corner_count_of(const mesh *part, size_t element) {
  size_t count;
  (void)mesh_element_corners(part, element, &count);
  return count;
}

/* With the pose of the object in the scene. */
static void fetch_corner(const object_list *objects, size_t object, size_t element, size_t corner,
                         double corner_out[3]) {
  size_t count;
  const uint32_t *corners = mesh_element_corners(&objects->meshes[object], element, &count);
  object_list_fetch_vertex(objects, object, corners == NULL ? element : corners[corner], corner_out);
}

/* ---------------------------------------------------------------------------------------------- CSV */

/* "x y z;x y z;x y z"; for a sphere "x y z radius". */
static void write_cell(const object_list *objects, size_t object, size_t element, FILE *stream) {
  const mesh *part = &objects->meshes[object];
  const size_t count = corner_count_of(part, element);
  for (size_t k = 0; k < count; ++k) {
    double corner[3];
    if (k > 0) fputc(';', stream);
    fetch_corner(objects, object, element, k, corner);
    write_numbers(corner, 3, " ", stream);
  }
  if (part->kind == MESH_SPHERES) fprintf(stream, " %.17g", part->radii[element]);
}

/* Labels of all objects; NULL where memory ran out. */
static char **make_labels(const object_list *objects) {
  char **labels = calloc(objects->count + 1, sizeof *labels);
  for (size_t i = 0; labels != NULL && i < objects->count; ++i) labels[i] = object_list_label(objects, i);
  return labels;
}

static void write_label(char *const *labels, uint32_t object, FILE *stream) {
  fputc(',', stream);
  if (labels != NULL && labels[object] != NULL) csv_write_text(labels[object], stream);
}

void check_details_write_header(const check_outcome *outcome, FILE *stream) {
  fputs(check_outcome_is_near(outcome) ? ",name_a,name_b,point_a_x,point_a_y,point_a_z,point_b_x,point_b_y,point_b_z"
                                       : ",name_a,name_b,point_x,point_y,point_z",
        stream);
  fputs(",corners_a,corners_b", stream);
}

void check_details_write_csv(const check_outcome *outcome, FILE *stream,
                             void (*write_columns)(const graze_pair *pair, FILE *stream)) {
  const object_list *objects = outcome->objects;
  char **labels = make_labels(objects);
  for (size_t i = 0; i < outcome->pairs.count; ++i) {
    const graze_pair *pair = &outcome->pairs.pairs[i];
    write_columns(pair, stream);
    const graze_distance *distance = check_outcome_is_near(outcome) ? &outcome->distances.distances[i] : NULL;
    if (distance != NULL) fprintf(stream, ",%.17g", distance->distance);
    write_label(labels, pair->object_a, stream);
    write_label(labels, pair->object_b, stream);
    fputc(',', stream);
    if (distance != NULL) {
      write_numbers(distance->point_a, 3, ",", stream);
      fputc(',', stream);
      write_numbers(distance->point_b, 3, ",", stream);
    } else if (outcome->contacts.count > 0)
      write_numbers(outcome->contacts.contacts[i].centroid, 3, ",", stream);
    else
      fputs(",,", stream);
    fputc(',', stream);
    write_cell(objects, pair->object_a, pair->primitive_a, stream);
    fputc(',', stream);
    write_cell(objects, pair->object_b, pair->primitive_b, stream);
    fputc('\n', stream);
  }
  for (size_t i = 0; labels != NULL && i < objects->count; ++i) free(labels[i]);
  free(labels);
}

/* ---------------------------------------------------------------------------------------------- JSON */

static void write_corners(const object_list *objects, size_t object, size_t element, json_writer *json) {
  const mesh *part = &objects->meshes[object];
  const size_t count = corner_count_of(part, element);
  json_begin_array(json);
  for (size_t k = 0; k < count; ++k) {
    double corner[3];
    fetch_corner(objects, object, element, k, corner);
    json_begin_array(json);
    for (int axis = 0; axis < 3; ++axis) json_double(json, corner[axis]);
    if (part->kind == MESH_SPHERES) json_double(json, part->radii[element]);
    json_end_array(json);
  }
  json_end_array(json);
}

static void write_points(const graze_contacts *contacts, json_writer *json) {
  json_key(json, "pair_points");
  json_begin_array(json);
  for (size_t i = 0; i < contacts->count; ++i) {
    const double *centroid = contacts->contacts[i].centroid;
    json_break_line(json);
    json_begin_array(json);
    for (int axis = 0; axis < 3; ++axis) json_double(json, centroid[axis]);
    json_end_array(json);
  }
  json_end_array(json);
}

void check_details_write_json(const check_outcome *outcome, json_writer *json) {
  if (check_outcome_is_near(outcome)) {
    check_nearness_write_json(outcome, json);
  } else if (!outcome->options->search.query.candidates_only) {
    write_points(&outcome->contacts, json);
    json_break_line(json);
  }
  if (!outcome->options->details) return;
  json_key(json, "pair_corners");
  json_begin_array(json);
  for (size_t i = 0; i < outcome->pairs.count; ++i) {
    const graze_pair *pair = &outcome->pairs.pairs[i];
    json_break_line(json);
    json_begin_array(json);
    write_corners(outcome->objects, pair->object_a, pair->primitive_a, json);
    write_corners(outcome->objects, pair->object_b, pair->primitive_b, json);
    json_end_array(json);
  }
  json_end_array(json);
  json_break_line(json);
}
