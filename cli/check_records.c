/* The outcome of a check as JSON, and its pairs or contacts as CSV. Scripts read these formats, so they are stable.
 *
 * Workload: up to millions of pairs; hence one line per pair, and digits without printf. */
#include "check_details.h"
#include "check_nearness.h"
#include "json_record.h"

#include "graze/names.h"

#include <inttypes.h>

static void write_objects(const object_list *objects, json_writer *json) {
  json_key(json, "objects");
  json_begin_array(json);
  for (size_t i = 0; i < objects->count; ++i) {
    const object_entry *entry = &objects->entries[i];
    json_break_line(json);
    json_begin_object(json);
    json_key(json, "name");
    json_string(json, entry->name);
    json_key(json, "file");
    json_string(json, entry->path != NULL ? entry->path : entry->file);
    json_key(json, "kind");
    json_string(json, graze_kind_text(entry->kind, 1));
    json_key(json, "vertices");
    json_unsigned(json, entry->vertex_count);
    json_key(json, "primitives");
    json_unsigned(json, entry->primitive_count);
    json_key(json, "skipped");
    json_unsigned(json, entry->skipped);
    json_key(json, "unknown_lines");
    json_unsigned(json, entry->unknown_lines);
    json_end_object(json);
  }
  json_end_array(json);
}

static void write_object_pairs(const pair_table *table, bool counts, json_writer *json) {
  json_key(json, "object_pairs");
  json_begin_array(json);
  for (size_t i = 0; i < table->count; ++i) {
    json_break_line(json);
    json_begin_array(json);
    json_unsigned(json, table->rows[i].object_a);
    json_unsigned(json, table->rows[i].object_b);
    if (counts) json_unsigned(json, table->rows[i].count);
    json_end_array(json);
  }
  json_end_array(json);
}

static void write_pairs(const graze_pairs *found, json_writer *json) {
  json_key(json, "pairs");
  json_begin_array(json);
  for (size_t i = 0; i < found->count; ++i) {
    const graze_pair *pair = &found->pairs[i];
    json_break_line(json);
    json_begin_array(json);
    json_unsigned(json, pair->object_a);
    json_unsigned(json, pair->primitive_a);
    json_unsigned(json, pair->object_b);
    json_unsigned(json, pair->primitive_b);
    json_end_array(json);
  }
  json_end_array(json);
}

static void write_vector(const char *key, const double vector[3], json_writer *json) {
  json_key(json, key);
  json_begin_array(json);
  for (int axis = 0; axis < 3; ++axis) json_double(json, vector[axis]);
  json_end_array(json);
}

static void write_wrenches(const graze_wrenches *found, json_writer *json) {
  json_key(json, "wrenches");
  json_begin_array(json);
  for (size_t i = 0; i < found->count; ++i) {
    const graze_wrench *wrench = &found->wrenches[i];
    json_break_line(json);
    json_begin_object(json);
    json_key(json, "object_a");
    json_unsigned(json, wrench->object_a);
    json_key(json, "object_b");
    json_unsigned(json, wrench->object_b);
    json_key(json, "pair_count");
    json_unsigned(json, wrench->pair_count);
    json_key(json, "volume");
    json_double(json, wrench->volume);
    write_vector("centroid", wrench->centroid, json);
    write_vector("force", wrench->force, json);
    write_vector("torque", wrench->torque, json);
    json_end_object(json);
  }
  json_end_array(json);
}

static void write_timings(const check_outcome *outcome, json_writer *json) {
  json_key(json, "timings_ms");
  json_begin_object(json);
  for (size_t i = 0; i < graze_enumeration_count(GRAZE_ENUMERATION_STAGE); ++i) {
    json_key(json, graze_enumeration_name(GRAZE_ENUMERATION_STAGE, (int)i));
    json_double(json, graze_timings_value(&outcome->timings, i));
  }
  json_key(json, "frame");
  json_double(json, outcome->frame_ms);
  json_key(json, "volumes");
  json_double(json, outcome->volumes_ms);
  json_key(json, "inside");
  json_double(json, outcome->inside_ms);
  json_key(json, "reading");
  json_double(json, outcome->reading_ms);
  json_end_object(json);
}

static void write_counters(const graze_counters *counters, json_writer *json) {
  json_key(json, "counters");
  json_begin_object(json);
  for (size_t i = 0; i < graze_enumeration_count(GRAZE_ENUMERATION_COUNTER); ++i) {
    json_key(json, graze_enumeration_name(GRAZE_ENUMERATION_COUNTER, (int)i));
    json_unsigned(json, graze_counters_value(counters, i));
  }
  json_end_object(json);
}

/* The search for objects reports no costs. */
static void write_ranks(const rank_costs *ranks, bool touching, json_writer *json) {
  json_key(json, "ranks");
  json_begin_object(json);
  json_key(json, "count");
  json_unsigned(json, ranks->count);
  if (touching) {
    json_end_object(json);
    return;
  }
  json_key(json, "held");
  json_unsigned(json, ranks->held);
  json_key(json, "greatest_held");
  json_unsigned(json, ranks->greatest_held);
  json_key(json, "ghosts");
  json_unsigned(json, ranks->ghosts);
  json_key(json, "sent_bytes");
  json_unsigned(json, ranks->sent_bytes);
  json_key(json, "work_ms");
  json_double(json, ranks->work_ms);
  json_key(json, "greatest_ms");
  json_double(json, ranks->greatest_ms);
  json_end_object(json);
}

/* Whether the distances of pairs were measured. */
static bool has_distances(const check_outcome *outcome) {
  return check_outcome_is_near(outcome) && outcome->ranks.count == 0;
}

void check_outcome_write_json(const check_outcome *outcome, FILE *stream) {
  json_writer json = {.stream = stream};
  const bool touching = outcome->options->touching;
  char hash[24];
  snprintf(hash, sizeof hash, "%016" PRIx64, outcome->hash);
  json_begin_record(&json, "check");
  json_break_line(&json);
  write_objects(outcome->objects, &json);
  json_break_line(&json);
  json_key(&json, touching ? "object_pair_count" : "pair_count");
  json_unsigned(&json, outcome->count);
  json_key(&json, "hash");
  json_string(&json, hash);
  json_key(&json, "limit_reached");
  json_boolean(&json, outcome->limit_reached);
  json_key(&json, "excluded_object_pairs");
  json_unsigned(&json, outcome->excluded_count);
  json_key(&json, "neighbors");
  json_string(&json,
              graze_enumeration_name(GRAZE_ENUMERATION_NEIGHBORS, (int)outcome->options->search.query.neighbors));
  json_key(&json, "candidates_only");
  json_boolean(&json, outcome->options->search.query.candidates_only);
  check_nearness_write_clearance(outcome, &json);
  json_break_line(&json);
  write_object_pairs(&outcome->table, !touching, &json);
  json_break_line(&json);
  if (!touching) {
    write_pairs(&outcome->pairs, &json);
    json_break_line(&json);
    if (outcome->ranks.count == 0) check_details_write_json(outcome, &json);
  }
  if (outcome->ranks.count > 0) {
    write_ranks(&outcome->ranks, touching, &json);
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
    write_wrenches(&outcome->wrenches, &json);
    json_break_line(&json);
  }
  write_timings(outcome, &json);
  json_break_line(&json);
  write_counters(&outcome->counters, &json);
  json_end_object(&json);
  fputc('\n', stream);
}

#define PAIR_COLUMNS "object_a,primitive_a,object_b,primitive_b"

static void write_pair_columns(const graze_pair *pair, FILE *stream) {
  const uint32_t numbers[4] = {pair->object_a, pair->primitive_a, pair->object_b, pair->primitive_b};
  for (size_t column = 0; column < 4; ++column) {
    if (column > 0) fputc(',', stream);
    write_digits(stream, numbers[column]);
  }
}

/* With --solid, a last column distinguishes pairs from objects inside others, which have no primitives. */
static void end_line(bool solid, FILE *stream) {
  fputs(solid ? ",intersects\n" : "\n", stream);
}

static void write_objects_csv(const graze_object_pairs *touching, bool solid, FILE *stream) {
  for (size_t i = 0; i < touching->count; ++i) {
    write_digits(stream, touching->pairs[i].object_a);
    fputc(',', stream);
    write_digits(stream, touching->pairs[i].object_b);
    end_line(solid, stream);
  }
}

void check_outcome_write_csv(const check_outcome *outcome, FILE *stream) {
  const bool touching = outcome->options->touching, solid = outcome->options->solid;
  fputs(touching ? "object_a,object_b" : PAIR_COLUMNS, stream);
  if (has_distances(outcome)) fputs(",distance", stream);
  if (outcome->options->details) check_details_write_header(outcome, stream);
  fputs(solid ? ",relation\n" : "\n", stream);
  if (touching) write_objects_csv(&outcome->touching, solid, stream);
  if (outcome->options->details) {
    check_details_write_csv(outcome, stream, write_pair_columns);
    return;
  }
  for (size_t i = 0; i < outcome->pairs.count; ++i) {
    write_pair_columns(&outcome->pairs.pairs[i], stream);
    if (has_distances(outcome)) fprintf(stream, ",%.17g", outcome->distances.distances[i].distance);
    end_line(solid, stream);
  }
  if (solid) check_outcome_write_inside_csv(outcome, stream);
}

static const char *contact_word(graze_contact_kind kind) {
  switch (kind) {
  case GRAZE_CONTACT_KIND_POINT:
    return "point";
  case GRAZE_CONTACT_KIND_SEGMENT:
    return "segment";
  case GRAZE_CONTACT_KIND_POLYGON:
    return "polygon";
  case GRAZE_CONTACT_KIND_VOLUME:
    return "volume";
  case GRAZE_CONTACT_KIND_PARTS:
    break;
  }
  return "parts";
}

/* Seventeen digits read back as the same double. */
void check_outcome_write_contacts(const check_outcome *outcome, FILE *stream) {
  fputs(PAIR_COLUMNS ",kind,depth,normal_x,normal_y,normal_z,volume,centroid_x,centroid_y,centroid_z,points\n", stream);
  for (size_t i = 0; i < outcome->contacts.count; ++i) {
    const graze_contact *contact = &outcome->contacts.contacts[i];
    const double *normal = contact->normal, *centroid = contact->centroid;
    write_pair_columns(&contact->pair, stream);
    fprintf(stream, ",%s,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%" PRIu32 "\n", contact_word(contact->kind),
            contact->depth, normal[0], normal[1], normal[2], contact->volume, centroid[0], centroid[1], centroid[2],
            contact->point_count);
  }
}
