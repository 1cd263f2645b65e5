/* The outcome of a check as JSON, and its pairs or contacts as CSV. Scripts read these formats, so they are stable.
 *
 * Workload: up to millions of pairs; hence one line per pair, and digits without printf. */
#include "check_nearness.h"
#include "record_columns.h"

#include "graze/names.h"

#include <stdlib.h>

/* ---------------------------------------------------------------------------------------------- objects */

static const record_column object_columns[] = {COLUMN("name", object_entry, name),
                                               COLUMN_FOUND("file", COLUMN_TEXT, object_entry_find_file),
                                               COLUMN_FOUND("kind", COLUMN_TEXT, object_entry_find_kind),
                                               COLUMN("vertices", object_entry, vertex_count),
                                               COLUMN("primitives", object_entry, primitive_count),
                                               COLUMN("skipped", object_entry, skipped),
                                               COLUMN("unknown_lines", object_entry, unknown_lines),
                                               {0}};

static void write_object_pairs(const pair_table *table, bool counts, json_writer *json) {
  json_key_array(json, "object_pairs");
  for (size_t i = 0; i < table->count; i++) {
    json_break_line(json);
    json_begin_array(json);
    json_unsigned(json, table->rows[i].object_a);
    json_unsigned(json, table->rows[i].object_b);
    if (counts) json_unsigned(json, table->rows[i].count);
    json_end_array(json);
  }
  json_end_array(json);
}

static const record_column wrench_columns[] = {COLUMN("object_a", graze_wrench, object_a),
                                               COLUMN("object_b", graze_wrench, object_b),
                                               COLUMN("pair_count", graze_wrench, pair_count),
                                               COLUMN("volume", graze_wrench, volume),
                                               COLUMN("centroid", graze_wrench, centroid),
                                               COLUMN("gradient", graze_wrench, gradient),
                                               COLUMN("force", graze_wrench, force),
                                               COLUMN("torque", graze_wrench, torque),
                                               {0}};

/* ---------------------------------------------------------------------------------------------- pairs */

/* A pair and what is known about it. */
typedef struct pair_record {
  const check_outcome *outcome;
  char *const *labels; /* of all objects; NULL where memory ran out */
  const graze_pair *pair;
  const graze_distance *distance; /* NULL: not measured */
  const graze_contact *contact;   /* likewise */
} pair_record;

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

static void write_numbers(const pair_record *row, FILE *stream) {
  const uint32_t numbers[4] = {row->pair->object_a, row->pair->primitive_a, row->pair->object_b,
                               row->pair->primitive_b};
  for (size_t column = 0; column < 4; column++) {
    if (column > 0) fputc(',', stream);
    write_digits(stream, numbers[column]);
  }
}

static void write_numbers_json(const pair_record *row, json_writer *json) {
  json_begin_array(json);
  json_unsigned(json, row->pair->object_a);
  json_unsigned(json, row->pair->primitive_a);
  json_unsigned(json, row->pair->object_b);
  json_unsigned(json, row->pair->primitive_b);
  json_end_array(json);
}

static void write_distance(const pair_record *row, FILE *stream) {
  csv_write_reals(&row->distance->distance, 1, "", stream);
}

static void write_distance_json(const pair_record *row, json_writer *json) {
  json_double(json, row->distance->distance);
}

static void write_label(const pair_record *row, uint32_t object, FILE *stream) {
  if (row->labels != NULL && row->labels[object] != NULL) csv_write_text(row->labels[object], stream);
}

static void write_labels(const pair_record *row, FILE *stream) {
  write_label(row, row->pair->object_a, stream);
  fputc(',', stream);
  write_label(row, row->pair->object_b, stream);
}

static void write_point(const pair_record *row, FILE *stream) {
  if (row->contact != NULL)
    csv_write_reals(row->contact->centroid, 3, ",", stream);
  else
    fputs(",,", stream);
}

static void write_point_json(const pair_record *row, json_writer *json) {
  json_doubles(json, row->contact->centroid, 3);
}

static void write_nearest(const pair_record *row, FILE *stream) {
  csv_write_reals(row->distance->point_a, 3, ",", stream);
  fputc(',', stream);
  csv_write_reals(row->distance->point_b, 3, ",", stream);
}

static void write_nearest_json(const pair_record *row, json_writer *json) {
  json_begin_array(json);
  json_doubles(json, row->distance->point_a, 3);
  json_doubles(json, row->distance->point_b, 3);
  json_end_array(json);
}

/* "x y z;x y z;x y z"; for a sphere "x y z radius". */
static void write_primitive(const object_list *objects, size_t object, size_t element, FILE *stream) {
  const mesh *part = &objects->meshes[object];
  const size_t count = corner_count_of(part, element);
  for (size_t k = 0; k < count; k++) {
    double corner[3];
    if (k > 0) fputc(';', stream);
    fetch_corner(objects, object, element, k, corner);
    csv_write_reals(corner, 3, " ", stream);
  }
  if (part->kind == MESH_SPHERES) fprintf(stream, " %.17g", part->radii[element]);
}

static void write_corners(const pair_record *row, FILE *stream) {
  write_primitive(row->outcome->objects, row->pair->object_a, row->pair->primitive_a, stream);
  fputc(',', stream);
  write_primitive(row->outcome->objects, row->pair->object_b, row->pair->primitive_b, stream);
}

static void write_primitive_json(const object_list *objects, size_t object, size_t element, json_writer *json) {
  const mesh *part = &objects->meshes[object];
  const size_t count = corner_count_of(part, element);
  json_begin_array(json);
  for (size_t k = 0; k < count; k++) {
    double numbers[4];
    fetch_corner(objects, object, element, k, numbers);
    if (part->kind == MESH_SPHERES) numbers[3] = part->radii[element];
    json_doubles(json, numbers, part->kind == MESH_SPHERES ? 4 : 3);
  }
  json_end_array(json);
}

static void write_corners_json(const pair_record *row, json_writer *json) {
  json_begin_array(json);
  write_primitive_json(row->outcome->objects, row->pair->object_a, row->pair->primitive_a, json);
  write_primitive_json(row->outcome->objects, row->pair->object_b, row->pair->primitive_b, json);
  json_end_array(json);
}

/* Distinguishes pairs from objects inside others, which have no primitives. */
static void write_relation(const pair_record *row, FILE *stream) {
  (void)row;
  fputs("intersects", stream);
}

enum { ALL_PAIRS = 0, DISTANCES = 1, DETAILS = 2, POINTS = 4, NEAREST_POINTS = 8, RELATIONS = 16 };

/* What a check writes about each pair: columns of CSV, and members of JSON, each an array of all pairs. */
static const struct {
  const char *names, *member; /* NULL: only in CSV */
  int needs;                  /* ALL_PAIRS: always */
  void (*write)(const pair_record *row, FILE *stream);
  void (*write_json)(const pair_record *row, json_writer *json);
} pair_columns[] = {
    {"object_a,primitive_a,object_b,primitive_b", "pairs", ALL_PAIRS, write_numbers, write_numbers_json},
    {"distance", "pair_distances", DISTANCES, write_distance, write_distance_json},
    {"name_a,name_b", NULL, DETAILS, write_labels, NULL},
    {"point_x,point_y,point_z", "pair_points", POINTS, write_point, write_point_json},
    {"point_a_x,point_a_y,point_a_z,point_b_x,point_b_y,point_b_z", "pair_nearest_points", NEAREST_POINTS,
     write_nearest, write_nearest_json},
    {"corners_a,corners_b", "pair_corners", DETAILS, write_corners, write_corners_json},
    {"relation", NULL, RELATIONS, write_relation, NULL},
};
enum { PAIR_COLUMNS = sizeof pair_columns / sizeof pair_columns[0] };

static pair_record pair_at(const check_outcome *outcome, char *const *labels, size_t number) {
  return (pair_record){.outcome = outcome,
                       .labels = labels,
                       .pair = &outcome->pairs.pairs[number],
                       .distance = number < outcome->distances.count ? &outcome->distances.distances[number] : NULL,
                       .contact = number < outcome->contacts.count ? &outcome->contacts.contacts[number] : NULL};
}

/* Whether the distances of pairs were measured. */
static bool has_distances(const check_outcome *outcome) {
  return check_outcome_is_near(outcome) && outcome->ranks.count == 0;
}

/* Ranks measure neither points nor distances. */
static void write_pairs_json(const check_outcome *outcome, json_writer *json) {
  const bool near = has_distances(outcome), by_ranks = outcome->ranks.count > 0;
  const bool candidates = outcome->options->search.query.candidates_only;
  const int known = (near ? DISTANCES | NEAREST_POINTS : 0) | (outcome->options->details && !by_ranks ? DETAILS : 0) |
                    (near || candidates || by_ranks ? 0 : POINTS);
  for (size_t column = 0; column < PAIR_COLUMNS; column++) {
    if (pair_columns[column].member == NULL || (pair_columns[column].needs & ~known) != 0) continue;
    json_key_array(json, pair_columns[column].member);
    for (size_t i = 0; i < outcome->pairs.count; i++) {
      const pair_record row = pair_at(outcome, NULL, i);
      json_break_line(json);
      pair_columns[column].write_json(&row, json);
    }
    json_end_array(json);
    json_break_line(json);
  }
}

/* Labels of all objects; NULL where memory ran out. */
static char **make_labels(const object_list *objects) {
  char **labels = calloc(objects->count + 1, sizeof *labels);
  for (size_t i = 0; labels != NULL && i < objects->count; i++) labels[i] = object_list_label(objects, i);
  return labels;
}

static void write_pair_lines(const check_outcome *outcome, int known, char *const *labels, FILE *stream) {
  for (size_t i = 0; i < outcome->pairs.count; i++) {
    const pair_record row = pair_at(outcome, labels, i);
    for (size_t column = 0; column < PAIR_COLUMNS; column++) {
      if ((pair_columns[column].needs & ~known) != 0) continue;
      if (column > 0) fputc(',', stream);
      pair_columns[column].write(&row, stream);
    }
    fputc('\n', stream);
  }
}

static void write_pairs_csv(const check_outcome *outcome, FILE *stream) {
  const bool near = check_outcome_is_near(outcome), details = outcome->options->details;
  const int known = (has_distances(outcome) ? DISTANCES : 0) | (outcome->options->solid ? RELATIONS : 0) |
                    (details ? DETAILS | (near ? NEAREST_POINTS : POINTS) : 0);
  for (size_t column = 0; column < PAIR_COLUMNS; column++)
    if ((pair_columns[column].needs & ~known) == 0)
      fprintf(stream, "%s%s", column > 0 ? "," : "", pair_columns[column].names);
  fputc('\n', stream);
  char **labels = details ? make_labels(outcome->objects) : NULL;
  write_pair_lines(outcome, known, labels, stream);
  for (size_t i = 0; labels != NULL && i < outcome->objects->count; i++) free(labels[i]);
  free(labels);
}

static void write_objects_csv(const graze_object_pairs *touching, bool solid, FILE *stream) {
  fputs(solid ? "object_a,object_b,relation\n" : "object_a,object_b\n", stream);
  for (size_t i = 0; i < touching->count; i++) {
    write_digits(stream, touching->pairs[i].object_a);
    fputc(',', stream);
    write_digits(stream, touching->pairs[i].object_b);
    fputs(solid ? ",intersects\n" : "\n", stream);
  }
}

void check_outcome_write_csv(const check_outcome *outcome, FILE *stream) {
  if (outcome->options->touching)
    write_objects_csv(&outcome->touching, outcome->options->solid, stream);
  else
    write_pairs_csv(outcome, stream);
  if (outcome->options->solid) check_outcome_write_inside_csv(outcome, stream);
}

/* ---------------------------------------------------------------------------------------------- contacts */

static bool find_contact_kind(const void *row, void *value_out) {
  static const char *const words[] = {[GRAZE_CONTACT_KIND_POINT] = "point",
                                      [GRAZE_CONTACT_KIND_SEGMENT] = "segment",
                                      [GRAZE_CONTACT_KIND_POLYGON] = "polygon",
                                      [GRAZE_CONTACT_KIND_VOLUME] = "volume",
                                      [GRAZE_CONTACT_KIND_PARTS] = "parts"};
  *(const char **)value_out = words[((const graze_contact *)row)->kind];
  return true;
}

static const record_column contact_columns[] = {COLUMN("object_a", graze_contact, pair.object_a),
                                                COLUMN("primitive_a", graze_contact, pair.primitive_a),
                                                COLUMN("object_b", graze_contact, pair.object_b),
                                                COLUMN("primitive_b", graze_contact, pair.primitive_b),
                                                COLUMN_FOUND("kind", COLUMN_TEXT, find_contact_kind),
                                                COLUMN("depth", graze_contact, depth),
                                                COLUMN("normal", graze_contact, normal),
                                                COLUMN("volume", graze_contact, volume),
                                                COLUMN("centroid", graze_contact, centroid),
                                                COLUMN("points", graze_contact, point_count),
                                                {0}};

void check_outcome_write_contacts(const check_outcome *outcome, FILE *stream) {
  columns_write_header(contact_columns, 0, stream);
  fputc('\n', stream);
  for (size_t i = 0; i < outcome->contacts.count; i++) {
    columns_write_cells(contact_columns, 0, 0, &outcome->contacts.contacts[i], stream);
    fputc('\n', stream);
  }
}

/* ---------------------------------------------------------------------------------------------- the record */

enum { ONLY_OBJECTS = COLUMN_OTHER, ONLY_PAIRS = 2 * COLUMN_OTHER, NEAR = 4 * COLUMN_OTHER };

COLUMN_FINDER(find_neighbors, const char *, check_outcome,
              graze_enumeration_name(GRAZE_ENUMERATION_NEIGHBORS, (int)row->options->search.query.neighbors))
COLUMN_FINDER(find_candidates_only, bool, check_outcome, row->options->search.query.candidates_only)
COLUMN_FINDER(find_clearance, double, check_outcome, row->options->search.query.clearance)
COLUMN_FINDER(find_units, const char *, check_outcome, row->options->units)

static const record_column outcome_columns[] = {COLUMN_IN(ONLY_OBJECTS, "object_pair_count", check_outcome, count),
                                                COLUMN_IN(ONLY_PAIRS, "pair_count", check_outcome, count),
                                                COLUMN_AS(0, "hash", COLUMN_HASH, check_outcome, hash),
                                                COLUMN("limit_reached", check_outcome, limit_reached),
                                                COLUMN("excluded_object_pairs", check_outcome, excluded_count),
                                                COLUMN_FOUND("neighbors", COLUMN_TEXT, find_neighbors),
                                                COLUMN_FOUND("candidates_only", COLUMN_BOOL, find_candidates_only),
                                                COLUMN_FOUND_IN(NEAR, "clearance", COLUMN_REAL, find_clearance),
                                                COLUMN_FOUND_IN(NEAR, "units", COLUMN_TEXT, find_units),
                                                {0}};

static const record_column time_columns[] = {COLUMN("frame", check_outcome, frame_ms),
                                             COLUMN("volumes", check_outcome, volumes_ms),
                                             COLUMN("inside", check_outcome, inside_ms),
                                             COLUMN("reading", check_outcome, reading_ms),
                                             {0}};

/* The search for objects reports no costs. */
static const record_column rank_columns[] = {COLUMN("count", rank_costs, count),
                                             COLUMN_IN(ONLY_PAIRS, "held", rank_costs, held),
                                             COLUMN_IN(ONLY_PAIRS, "greatest_held", rank_costs, greatest_held),
                                             COLUMN_IN(ONLY_PAIRS, "ghosts", rank_costs, ghosts),
                                             COLUMN_IN(ONLY_PAIRS, "sent_bytes", rank_costs, sent_bytes),
                                             COLUMN_IN(ONLY_PAIRS, "work_ms", rank_costs, work_ms),
                                             COLUMN_IN(ONLY_PAIRS, "greatest_ms", rank_costs, greatest_ms),
                                             {0}};

void check_outcome_write_json(const check_outcome *outcome, FILE *stream) {
  const bool touching = outcome->options->touching;
  const unsigned wanted = (touching ? ONLY_OBJECTS : ONLY_PAIRS) | (check_outcome_is_near(outcome) ? NEAR : 0u);
  json_writer json = record_begin("check", stream);
  json_break_line(&json);
  json_key_array(&json, "objects");
  for (size_t i = 0; i < outcome->objects->count; i++)
    columns_write_object(object_columns, 0, &outcome->objects->entries[i], &json);
  json_end_array(&json);
  json_break_line(&json);
  columns_write_members(outcome_columns, wanted, outcome, &json);
  json_break_line(&json);
  write_object_pairs(&outcome->table, !touching, &json);
  json_break_line(&json);
  if (!touching) write_pairs_json(outcome, &json);
  if (outcome->ranks.count > 0) {
    json_key_object(&json, "ranks");
    columns_write_members(rank_columns, wanted, &outcome->ranks, &json);
    json_end_object(&json);
    json_break_line(&json);
  }
  if (outcome->has_regions) {
    check_outcome_write_regions_json(outcome, false, &json);
    json_break_line(&json);
  }
  if (outcome->has_containments) {
    check_outcome_write_inside_json(outcome, &json);
    json_break_line(&json);
  }
  if (outcome->wrenches.count > 0) {
    json_key_array(&json, "wrenches");
    for (size_t i = 0; i < outcome->wrenches.count; i++)
      columns_write_object(wrench_columns, 0, &outcome->wrenches.wrenches[i], &json);
    json_end_array(&json);
    json_break_line(&json);
  }
  record_begin_timings(&outcome->timings, &json);
  columns_write_members(time_columns, 0, outcome, &json);
  json_end_object(&json);
  json_break_line(&json);
  record_write_counters(&outcome->counters, &json);
  record_end(&json);
}
