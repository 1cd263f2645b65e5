/* The regions of a check: a few lines of text, CSV and JSON. Scripts read the latter two, so their formats are stable.
 *
 * Workload: about ten regions; at most 10^5, of which the text shows the largest. */
#include "check_outcome.h"
#include "csv_text.h"
#include "json_record.h"

#include "graze/names.h"

#include <inttypes.h>
#include <stdlib.h>

enum { REGIONS_SHOWN = 12 };

/* ---------------------------------------------------------------------------------------------- words */

/* The regions with most pairs, the first of equals. */
static size_t choose_largest(const graze_regions *regions, size_t chosen_out[REGIONS_SHOWN]) {
  size_t count = 0;
  for (size_t i = 0; i < regions->count; ++i) {
    const size_t pair_count = regions->regions[i].pair_count;
    size_t place = count;
    while (place > 0 && regions->regions[chosen_out[place - 1]].pair_count < pair_count) --place;
    if (place == REGIONS_SHOWN) continue;
    if (count < REGIONS_SHOWN) ++count;
    for (size_t j = count - 1; j > place; --j) chosen_out[j] = chosen_out[j - 1];
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
  for (size_t i = 0; i < shown; ++i) write_clash(outcome, &regions->regions[chosen[i]], screen->stream);
  if (shown < regions->count)
    fprintf(screen->stream, "  and %s more%s\n", grouped_number(regions->count - shown).text,
            outcome->options->regions != NULL ? "" : "; --regions FILE lists them");
}

/* ---------------------------------------------------------------------------------------------- CSV */

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

static void write_doubles(const double *values, size_t count, FILE *stream) {
  for (size_t i = 0; i < count; ++i) fprintf(stream, ",%.17g", values[i]);
}

static void write_name(const object_list *objects, uint32_t object, FILE *stream) {
  char *label = object_list_label(objects, object);
  fputc(',', stream);
  if (label != NULL) csv_write_text(label, stream);
  free(label);
}

/* Seventeen digits read back as the same double. The point is that of the deepest contact. */
static void write_csv(const graze_regions *regions, const object_list *named, FILE *stream) {
  fputs("region,object_a,object_b,clash,pairs,touching,crossing,coplanar,duplicate,id,min_x,min_y,min_z,max_x,max_y,"
        "max_z,"
        "depth,point_x,point_y,point_z,normal_x,normal_y,normal_z,"
        "object_depth,object_normal_x,object_normal_y,object_normal_z,name_a,name_b\n",
        stream);
  for (size_t i = 0; i < regions->count; ++i) {
    const graze_region *region = &regions->regions[i];
    const graze_region_point *point = &regions->points[region->first_point];
    const graze_region_objects *objects = objects_of(regions, i);
    fprintf(stream, "%zu,%" PRIu32 ",%" PRIu32 ",%s,%zu", i, region->object_a, region->object_b,
            graze_enumeration_name(GRAZE_ENUMERATION_CLASH, (int)region->clash), region->pair_count);
    for (int j = 0; j < GRAZE_CLASH_KINDS; ++j) fprintf(stream, ",%zu", region->clash_counts[j]);
    fprintf(stream, ",%016" PRIx64, region->id);
    write_doubles(region->box_min, 3, stream);
    write_doubles(region->box_max, 3, stream);
    write_doubles(&region->depth, 1, stream);
    write_doubles(point->position, 3, stream);
    write_doubles(point->normal, 3, stream);
    write_doubles(&objects->depth, 1, stream);
    write_doubles(objects->normal, 3, stream);
    write_name(named, region->object_a, stream);
    write_name(named, region->object_b, stream);
    fputc('\n', stream);
  }
}

/* ---------------------------------------------------------------------------------------------- JSON */

static void write_vector(const char *key, const double vector[3], json_writer *json) {
  json_key(json, key);
  json_begin_array(json);
  for (int axis = 0; axis < 3; ++axis) json_double(json, vector[axis]);
  json_end_array(json);
}

static void write_number(const char *key, uint64_t number, json_writer *json) {
  json_key(json, key);
  json_unsigned(json, number);
}

static void write_points(const graze_regions *regions, const graze_region *region, json_writer *json) {
  json_key(json, "points");
  json_begin_array(json);
  for (size_t i = 0; i < region->point_count; ++i) {
    const graze_region_point *point = &regions->points[region->first_point + i];
    json_begin_object(json);
    write_vector("position", point->position, json);
    write_vector("normal", point->normal, json);
    json_key(json, "depth");
    json_double(json, point->depth);
    json_end_object(json);
  }
  json_end_array(json);
}

static void write_pairs(const graze_regions *regions, const graze_region *region, json_writer *json) {
  json_key(json, "pair_list");
  json_begin_array(json);
  for (size_t i = region->first_pair; i < region->first_pair + region->pair_count; ++i) {
    json_begin_array(json);
    json_unsigned(json, regions->pairs[i].primitive_a);
    json_unsigned(json, regions->pairs[i].primitive_b);
    json_string(json, graze_enumeration_name(GRAZE_ENUMERATION_CLASH, regions->clashes[i]));
    json_end_array(json);
  }
  json_end_array(json);
}

static void write_region(const graze_regions *regions, size_t number, bool with_pairs, json_writer *json) {
  const graze_region *region = &regions->regions[number];
  char id[24];
  snprintf(id, sizeof id, "%016" PRIx64, region->id);
  json_begin_object(json);
  write_number("object_a", region->object_a, json);
  write_number("object_b", region->object_b, json);
  json_key(json, "clash");
  json_string(json, graze_enumeration_name(GRAZE_ENUMERATION_CLASH, (int)region->clash));
  write_number("pairs", region->pair_count, json);
  for (size_t i = 0; i < GRAZE_CLASH_KINDS; ++i)
    write_number(graze_enumeration_name(GRAZE_ENUMERATION_CLASH, (int)i), region->clash_counts[i], json);
  json_key(json, "id");
  json_string(json, id);
  write_vector("min", region->box_min, json);
  write_vector("max", region->box_max, json);
  json_key(json, "depth");
  json_double(json, region->depth);
  write_points(regions, region, json);
  if (with_pairs) write_pairs(regions, region, json);
  json_end_object(json);
}

static void write_object_depths(const graze_regions *regions, json_writer *json) {
  json_key(json, "region_objects");
  json_begin_array(json);
  for (size_t i = 0; i < regions->object_pair_count; ++i) {
    const graze_region_objects *objects = &regions->objects[i];
    json_break_line(json);
    json_begin_object(json);
    write_number("object_a", objects->object_a, json);
    write_number("object_b", objects->object_b, json);
    write_number("regions", objects->region_count, json);
    write_number("pairs", objects->pair_count, json);
    json_key(json, "depth");
    json_double(json, objects->depth);
    write_vector("normal", objects->normal, json);
    json_end_object(json);
  }
  json_end_array(json);
}

void check_outcome_write_regions_json(const check_outcome *outcome, bool with_pairs, json_writer *json) {
  const graze_regions *regions = &outcome->regions;
  write_number("region_count", regions->count, json);
  json_key(json, "regions");
  json_begin_array(json);
  for (size_t i = 0; i < regions->count; ++i) {
    json_break_line(json);
    write_region(regions, i, with_pairs, json);
  }
  json_end_array(json);
  json_break_line(json);
  write_object_depths(regions, json);
}

void check_outcome_write_regions(const check_outcome *outcome, FILE *stream) {
  if (!regions_are_json(outcome->options)) {
    write_csv(&outcome->regions, outcome->objects, stream);
    return;
  }
  json_writer json = {.stream = stream};
  json_begin_record(&json, "regions");
  json_break_line(&json);
  write_number("pair_count", outcome->regions.pair_count, &json);
  check_outcome_write_regions_json(outcome, true, &json);
  json_end_object(&json);
  fputc('\n', stream);
}
