/* The regions of a check: a few lines of text, CSV and JSON. Scripts read the latter two, so their formats are stable.
 *
 * Workload: about ten regions; at most 10^5, of which the text shows the largest. */
#include "check_outcome.h"
#include "record_columns.h"

#include "graze/names.h"

#include <inttypes.h>
#include <stdlib.h>

enum { REGIONS_SHOWN = 12 };

/* ---------------------------------------------------------------------------------------------- words */

/* The regions with most pairs, the first of equals. */
static size_t choose_largest(const graze_regions *regions, size_t chosen_out[REGIONS_SHOWN]) {
  size_t count = 0;
  for (size_t i = 0; i < regions->count; i++) {
    const size_t pair_count = regions->regions[i].pair_count;
    size_t place = count;
    while (place > 0 && regions->regions[chosen_out[place - 1]].pair_count < pair_count) place--;
    if (place == REGIONS_SHOWN) continue;
    if (count < REGIONS_SHOWN) count++;
    for (size_t j = count - 1; j > place; j--) chosen_out[j] = chosen_out[j - 1];
    chosen_out[place] = i;
  }
  return count;
}

static void write_objects(const check_outcome *outcome, const graze_region *region, FILE *stream) {
  if (outcome->objects->count == 1) return;
  fprintf(stream, "  object %" PRIu32 " and ", region->object_a);
  if (region->object_a == region->object_b)
    fputs("itself", stream);
  else
    fprintf(stream, "object %" PRIu32, region->object_b);
}

static void write_clash(const check_outcome *outcome, const graze_region *region, FILE *stream) {
  const double *low = region->box_min, *high = region->box_max;
  fprintf(stream, "  %15s  %-9s", counted(region->pair_count, "pair").text,
          graze_enumeration_name(GRAZE_ENUMERATION_CLASH, (int)region->clash));
  write_objects(outcome, region, stream);
  fprintf(stream, "  within %.4g..%.4g, %.4g..%.4g, %.4g..%.4g\n", low[0], high[0], low[1], high[1], low[2], high[2]);
}

bool check_outcome_has_clashes(const check_outcome *outcome) {
  return outcome->has_regions && outcome->regions.count < outcome->regions.pair_count;
}

void check_outcome_write_clashes(const check_outcome *outcome, const console *screen) {
  const graze_regions *regions = &outcome->regions;
  size_t chosen[REGIONS_SHOWN];
  if (!check_outcome_has_clashes(outcome)) return;
  const size_t shown = choose_largest(regions, chosen);
  fputc('\n', screen->stream);
  console_begin(screen, TINT_HEADING);
  fputs(regions->count > 1 ? "Clashes, most pairs first" : "Clash", screen->stream);
  console_end(screen);
  fputc('\n', screen->stream);
  for (size_t i = 0; i < shown; i++) write_clash(outcome, &regions->regions[chosen[i]], screen->stream);
  if (shown < regions->count)
    fprintf(screen->stream, "  and %s more%s\n", grouped_number(regions->count - shown).text,
            outcome->options->regions != NULL ? "" : "; --regions FILE lists them");
}

/* ---------------------------------------------------------------------------------------------- records */

/* A region with its deepest point and its objects. */
typedef struct region_record {
  graze_region region;
  size_t number;
  const char *clash;
  graze_region_point point;
  graze_region_objects objects;
  char *name_a, *name_b; /* only for CSV */
} region_record;

#define CLASH_COLUMN(name, value, words) COLUMN(words, region_record, region.clash_counts[value]),

/* Only CSV numbers the lines, and has one point of each region; JSON has arrays of points, and of objects. */
static const record_column region_columns[] = {COLUMN_IN(COLUMN_CSV, "region", region_record, number),
                                               COLUMN("object_a", region_record, region.object_a),
                                               COLUMN("object_b", region_record, region.object_b),
                                               COLUMN("clash", region_record, clash),
                                               COLUMN("pairs", region_record, region.pair_count),
                                               GRAZE_CLASH_LIST(CLASH_COLUMN)
                                                   COLUMN_AS(0, "id", COLUMN_HASH, region_record, region.id),
                                               COLUMN("min", region_record, region.box_min),
                                               COLUMN("max", region_record, region.box_max),
                                               COLUMN("depth", region_record, region.depth),
                                               COLUMN_IN(COLUMN_CSV, "point", region_record, point.position),
                                               COLUMN_IN(COLUMN_CSV, "normal", region_record, point.normal),
                                               COLUMN_IN(COLUMN_CSV, "object_depth", region_record, objects.depth),
                                               COLUMN_IN(COLUMN_CSV, "object_normal", region_record, objects.normal),
                                               COLUMN_IN(COLUMN_CSV, "name_a", region_record, name_a),
                                               COLUMN_IN(COLUMN_CSV, "name_b", region_record, name_b),
                                               {0}};

static const record_column point_columns[] = {COLUMN("position", graze_region_point, position),
                                              COLUMN("normal", graze_region_point, normal),
                                              COLUMN("depth", graze_region_point, depth),
                                              {0}};

static const record_column object_columns[] = {COLUMN("object_a", graze_region_objects, object_a),
                                               COLUMN("object_b", graze_region_objects, object_b),
                                               COLUMN("regions", graze_region_objects, region_count),
                                               COLUMN("pairs", graze_region_objects, pair_count),
                                               COLUMN("depth", graze_region_objects, depth),
                                               COLUMN("normal", graze_region_objects, normal),
                                               {0}};

static const graze_region_objects *objects_of(const graze_regions *regions, size_t region) {
  size_t low = 0, high = regions->object_pair_count;
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    if (regions->objects[middle].first_region <= region)
      low = middle;
    else
      high = middle;
  }
  return &regions->objects[low];
}

static region_record record_of(const graze_regions *regions, size_t number) {
  const graze_region *region = &regions->regions[number];
  return (region_record){.region = *region,
                         .number = number,
                         .clash = graze_enumeration_name(GRAZE_ENUMERATION_CLASH, (int)region->clash)};
}

static void write_csv(const graze_regions *regions, const object_list *named, FILE *stream) {
  columns_write_header(region_columns, 0, stream);
  fputc('\n', stream);
  for (size_t i = 0; i < regions->count; i++) {
    region_record row = record_of(regions, i);
    row.point = regions->points[row.region.first_point];
    row.objects = *objects_of(regions, i);
    row.name_a = object_list_label(named, row.region.object_a);
    row.name_b = object_list_label(named, row.region.object_b);
    columns_write_cells(region_columns, 0, 0, &row, stream);
    fputc('\n', stream);
    free(row.name_a);
    free(row.name_b);
  }
}

static void write_points(const graze_regions *regions, const graze_region *region, json_writer *json) {
  json_key_array(json, "points");
  for (size_t i = 0; i < region->point_count; i++) {
    json_begin_object(json);
    columns_write_members(point_columns, 0, &regions->points[region->first_point + i], json);
    json_end_object(json);
  }
  json_end_array(json);
}

static void write_pairs(const graze_regions *regions, const graze_region *region, json_writer *json) {
  json_key_array(json, "pair_list");
  for (size_t i = region->first_pair; i < region->first_pair + region->pair_count; i++) {
    json_begin_array(json);
    json_unsigned(json, regions->pairs[i].primitive_a);
    json_unsigned(json, regions->pairs[i].primitive_b);
    json_string(json, graze_enumeration_name(GRAZE_ENUMERATION_CLASH, regions->clashes[i]));
    json_end_array(json);
  }
  json_end_array(json);
}

void check_outcome_write_regions_json(const check_outcome *outcome, bool with_pairs, json_writer *json) {
  const graze_regions *regions = &outcome->regions;
  json_key(json, "region_count");
  json_unsigned(json, regions->count);
  json_key_array(json, "regions");
  for (size_t i = 0; i < regions->count; i++) {
    const region_record row = record_of(regions, i);
    json_break_line(json);
    json_begin_object(json);
    columns_write_members(region_columns, 0, &row, json);
    write_points(regions, &row.region, json);
    if (with_pairs) write_pairs(regions, &row.region, json);
    json_end_object(json);
  }
  json_end_array(json);
  json_break_line(json);
  json_key_array(json, "region_objects");
  for (size_t i = 0; i < regions->object_pair_count; i++)
    columns_write_object(object_columns, 0, &regions->objects[i], json);
  json_end_array(json);
}

void check_outcome_write_regions(const check_outcome *outcome, FILE *stream) {
  if (!regions_are_json(outcome->options)) {
    write_csv(&outcome->regions, outcome->objects, stream);
    return;
  }
  json_writer json = record_begin("regions", stream);
  json_break_line(&json);
  json_key(&json, "pair_count");
  json_unsigned(&json, outcome->regions.pair_count);
  check_outcome_write_regions_json(outcome, true, &json);
  record_end(&json);
}
