/* Collects the contents of a page.
 *
 * Workload: one frame of up to millions of primitives, or hundreds of frames of thousands. Elements, and positions of
 * objects that stand still, are equal in many frames and in objects that share a mesh: equal contents are stored once,
 * found by their hash. */
#include "page_record.h"

#include "bcf_names.h"
#include "record_columns.h"
#include "row_growth.h"

#include "graze/names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SECTION_ALIGNMENT = 8, TABLE_FIRST = 1024, TITLE_BYTES = 4096 };

/* ---------------------------------------------------------------------------------------------- sections */

static size_t bytes_of(const char *type, size_t count) {
  return count * (strcmp(type, "u8") == 0 ? 1 : strcmp(type, "f64") == 0 ? 8 : 4);
}

/* FNV-1a over eight bytes at a time; matches are compared. */
static uint64_t hash_of(const char *type, const void *data, size_t byte_count) {
  const uint64_t prime = UINT64_C(0x100000001b3);
  const uint8_t *bytes = data;
  uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ (uint64_t)(unsigned char)type[0] ^ (uint64_t)(unsigned char)type[1];
  size_t i = 0;
  for (; i + 8 <= byte_count; i += 8) {
    uint64_t word;
    memcpy(&word, bytes + i, sizeof word);
    hash = (hash ^ word) * prime;
    hash ^= hash >> 29;
  }
  for (; i < byte_count; i++) hash = (hash ^ bytes[i]) * prime;
  return hash ^ hash >> 32;
}

static bool fail(page_record *record) {
  record->failed = true;
  return false;
}

static bool reserve_bytes(page_record *record, size_t more) {
  return rows_reserve(&record->bytes, &record->byte_capacity, record->byte_count, more, 1) || fail(record);
}

static bool reserve_section(page_record *record) {
  if (!rows_reserve(&record->sections, &record->section_capacity, record->section_count, 1, sizeof *record->sections))
    return fail(record);
  if (2 * record->section_count < record->table_size) return true;
  const size_t size = record->table_size == 0 ? TABLE_FIRST : 2 * record->table_size;
  uint32_t *table = calloc(size, sizeof *table);
  if (table == NULL) return fail(record);
  for (size_t i = 0; i < record->section_count; i++) {
    size_t place = (size_t)record->sections[i].content_hash & (size - 1);
    while (table[place] != 0) place = (place + 1) & (size - 1);
    table[place] = (uint32_t)i + 1;
  }
  free(record->table);
  record->table = table;
  record->table_size = size;
  return true;
}

/* Returns the number of the section with this content; 0 when out of memory, with `failed` set. */
static size_t add_section(page_record *record, const char *type, const void *data, size_t count) {
  const size_t byte_count = bytes_of(type, count);
  const size_t padded = (byte_count + SECTION_ALIGNMENT - 1) / SECTION_ALIGNMENT * SECTION_ALIGNMENT;
  if (record->failed || !reserve_section(record)) return 0;
  const uint64_t hash = hash_of(type, data, byte_count);
  size_t place = (size_t)hash & (record->table_size - 1);
  for (; record->table[place] != 0; place = (place + 1) & (record->table_size - 1)) {
    const page_section *known = &record->sections[record->table[place] - 1];
    if (known->content_hash == hash && known->count == count && strcmp(known->type, type) == 0 &&
        (byte_count == 0 || memcmp(record->bytes + known->offset, data, byte_count) == 0))
      return record->table[place] - 1;
  }
  if (!reserve_bytes(record, padded)) return 0;
  record->table[place] = (uint32_t)record->section_count + 1;
  record->sections[record->section_count] = (page_section){type, record->byte_count, count, hash};
  if (byte_count > 0) memcpy(record->bytes + record->byte_count, data, byte_count);
  memset(record->bytes + record->byte_count + byte_count, 0, padded - byte_count);
  record->byte_count += padded;
  return record->section_count++;
}

static void write_section(page_record *record, const char *key, const char *type, const void *data, size_t count) {
  json_key(&record->json, key);
  json_unsigned(&record->json, add_section(record, type, data, count));
}

/* Allocates columns gathered from structs; at least one byte, so that NULL is a failure. */
static void *make_room(page_record *record, size_t count, size_t bytes) {
  void *room = record->failed ? NULL : malloc(count * bytes + 1);
  if (room == NULL) fail(record);
  return room;
}

/* ---------------------------------------------------------------------------------------------- objects */

/* Numbers that are exact as floats are stored in half the space. */
static bool are_floats(const double *numbers, size_t count) {
  for (size_t i = 0; i < count; i++)
    if ((double)(float)numbers[i] != numbers[i]) return false;
  return true;
}

static void write_reals(page_record *record, const char *key, const double *numbers, size_t count) {
  if (record->precision == PAGE_EXACT && !are_floats(numbers, count)) {
    write_section(record, key, "f64", numbers, count);
    return;
  }
  float *rounded = make_room(record, count, sizeof *rounded);
  if (rounded == NULL) return;
  for (size_t i = 0; i < count; i++) rounded[i] = (float)numbers[i];
  write_section(record, key, "f32", rounded, count);
  free(rounded);
}

static void write_elements(page_record *record, const mesh *m) {
  switch (m->kind) {
  case MESH_POLYGONS:
    write_section(record, "triangles", "u32", m->triangles, 3 * m->triangle_count);
    if (m->polygon_first == NULL) return;
    write_section(record, "polygon_first", "u32", m->polygon_first, m->polygon_count + 1);
    write_section(record, "corners", "u32", m->corners, m->polygon_first[m->polygon_count]);
    return;
  case MESH_TETRAHEDRA:
    write_section(record, "tetrahedra", "u32", m->tetrahedra, 4 * m->tetrahedron_count);
    return;
  case MESH_POLYHEDRA:
    write_section(record, "cell_first", "u32", m->cell_first, m->cell_count + 1);
    write_section(record, "face_first", "u32", m->face_first, m->face_count + 1);
    write_section(record, "face_corners", "u32", m->face_corners,
                  m->face_first == NULL ? 0 : m->face_first[m->face_count]);
    return;
  case MESH_SPHERES:
    write_reals(record, "radii", m->radii, m->vertex_count);
    return;
  }
}

static void write_pose(page_record *record, const graze_pose *pose) {
  json_key_array(&record->json, "pose");
  for (int row = 0; row < 3; row++) {
    for (int column = 0; column < 3; column++) json_double(&record->json, pose->rotation[3 * row + column]);
    json_double(&record->json, pose->translation[row]);
  }
  json_end_array(&record->json);
}

/* Adds a text and releases it; false if it is NULL, when out of memory. */
static bool write_owned(json_writer *json, const char *key, char *text) {
  json_key(json, key);
  json_string(json, text == NULL ? "" : text);
  free(text);
  return text != NULL;
}

static bool write_object(page_record *record, const object_list *objects, size_t number) {
  const object_entry *entry = &objects->entries[number];
  const mesh *m = &objects->meshes[number];
  json_writer *json = &record->json;
  json_begin_object(json);
  const bool named = write_owned(json, "label", object_list_label(objects, number)) &&
                     write_owned(json, "bcf_label", bcf_object_label(objects, number)) &&
                     write_owned(json, "bcf_id", bcf_object_id(objects, number));
  if (!named) return fail(record);
  json_key(json, "file");
  json_string(json, bcf_file_name(objects, number));
  json_key(json, "kind");
  json_string(json, graze_kind_text(entry->kind, 1));
  json_key(json, "primitives");
  json_unsigned(json, entry->primitive_count);
  write_reals(record, "positions", m->positions, 3 * m->vertex_count);
  write_elements(record, m);
  if (entry->shared != NULL) write_pose(record, &entry->pose);
  json_end_object(json);
  return true;
}

/* The center of the box of all corners: drawing is relative to it. */
static void find_center(page_record *record, const object_list *objects) {
  double low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
  bool any = false;
  for (size_t i = 0; i < objects->count; i++) {
    for (size_t vertex = 0; vertex < objects->entries[i].vertex_count; vertex++) {
      double position[3];
      object_list_fetch_vertex(objects, i, vertex, position);
      for (int axis = 0; axis < 3; axis++) {
        if (!any || position[axis] < low[axis]) low[axis] = position[axis];
        if (!any || position[axis] > high[axis]) high[axis] = position[axis];
      }
      any = true;
    }
  }
  for (int axis = 0; axis < 3; axis++) record->center[axis] = low[axis] / 2 + high[axis] / 2;
}

static void write_objects(page_record *record, const object_list *objects) {
  json_key_array(&record->json, "objects");
  for (size_t i = 0; i < objects->count && write_object(record, objects, i); i++) continue;
  json_end_array(&record->json);
}

/* ---------------------------------------------------------------------------------------------- what was found */

/* Columns object_a, primitive_a, object_b, primitive_b, one row per pair. */
static void write_pairs(page_record *record, const graze_pair *pairs, size_t count) {
  uint32_t *rows = make_room(record, 4 * count, sizeof *rows);
  if (rows == NULL) return;
  for (size_t i = 0; i < count; i++) {
    const uint32_t row[4] = {pairs[i].object_a, pairs[i].primitive_a, pairs[i].object_b, pairs[i].primitive_b};
    memcpy(rows + 4 * i, row, sizeof row);
  }
  write_section(record, "pairs", "u32", rows, 4 * count);
  free(rows);
}

enum { REGION_NUMBERS = 7, REGION_REALS = 13 };

static void write_region_rows(page_record *record, const graze_regions *regions) {
  uint32_t *numbers = make_room(record, REGION_NUMBERS * regions->count, sizeof *numbers);
  double *reals = make_room(record, REGION_REALS * regions->count, sizeof *reals);
  uint32_t *ids = make_room(record, 2 * regions->count, sizeof *ids);
  for (size_t i = 0; !record->failed && i < regions->count; i++) {
    const graze_region *region = &regions->regions[i];
    const uint32_t row[REGION_NUMBERS] = {region->object_a,
                                          region->object_b,
                                          (uint32_t)region->clash,
                                          (uint32_t)region->first_pair,
                                          (uint32_t)region->pair_count,
                                          (uint32_t)region->first_curve,
                                          (uint32_t)region->curve_count};
    memcpy(numbers + REGION_NUMBERS * i, row, sizeof row);
    double *real = reals + REGION_REALS * i;
    memset(real, 0, REGION_REALS * sizeof *real);
    memcpy(real, region->box_min, sizeof region->box_min);
    memcpy(real + 3, region->box_max, sizeof region->box_max);
    real[6] = region->depth;
    if (region->point_count > 0) {
      const graze_region_point *point = &regions->points[region->first_point];
      memcpy(real + 7, point->position, sizeof point->position);
      memcpy(real + 10, point->normal, sizeof point->normal);
    }
    ids[2 * i] = (uint32_t)region->id;
    ids[2 * i + 1] = (uint32_t)(region->id >> 32);
  }
  if (!record->failed) {
    write_section(record, "region_numbers", "u32", numbers, REGION_NUMBERS * regions->count);
    write_section(record, "region_reals", "f64", reals, REGION_REALS * regions->count);
    write_section(record, "region_ids", "u32", ids, 2 * regions->count);
  }
  free(numbers);
  free(reals);
  free(ids);
}

enum { CURVE_NUMBERS = 4, OBJECT_PAIR_REALS = 4 };

/* Points are relative to the center, with the precision of drawing. */
static void write_curves(page_record *record, const graze_regions *regions) {
  uint32_t *numbers = make_room(record, CURVE_NUMBERS * regions->curve_count, sizeof *numbers);
  float *points = make_room(record, 3 * regions->vertex_count, sizeof *points);
  for (size_t i = 0; !record->failed && i < regions->curve_count; i++) {
    const graze_curve *curve = &regions->curves[i];
    const uint32_t row[CURVE_NUMBERS] = {(uint32_t)curve->kind, curve->closed, (uint32_t)curve->first_vertex,
                                         (uint32_t)curve->vertex_count};
    memcpy(numbers + CURVE_NUMBERS * i, row, sizeof row);
  }
  for (size_t i = 0; !record->failed && i < regions->vertex_count; i++)
    for (size_t axis = 0; axis < 3; axis++)
      points[3 * i + axis] = (float)(regions->vertices[i].position[axis] - record->center[axis]);
  if (!record->failed) {
    write_section(record, "curve_numbers", "u32", numbers, CURVE_NUMBERS * regions->curve_count);
    write_section(record, "curve_points", "f32", points, 3 * regions->vertex_count);
  }
  free(numbers);
  free(points);
}

static void write_object_pairs(page_record *record, const graze_regions *regions) {
  uint32_t *numbers = make_room(record, 2 * regions->object_pair_count, sizeof *numbers);
  double *reals = make_room(record, OBJECT_PAIR_REALS * regions->object_pair_count, sizeof *reals);
  for (size_t i = 0; !record->failed && i < regions->object_pair_count; i++) {
    const graze_region_objects *objects = &regions->objects[i];
    numbers[2 * i] = objects->object_a;
    numbers[2 * i + 1] = objects->object_b;
    reals[OBJECT_PAIR_REALS * i] = objects->depth;
    memcpy(reals + OBJECT_PAIR_REALS * i + 1, objects->normal, sizeof objects->normal);
  }
  if (!record->failed) {
    write_section(record, "object_pairs", "u32", numbers, 2 * regions->object_pair_count);
    write_section(record, "object_pair_reals", "f64", reals, OBJECT_PAIR_REALS * regions->object_pair_count);
  }
  free(numbers);
  free(reals);
}

enum { DISTANCE_REALS = 7 };

static void write_distances(page_record *record, const graze_distances *distances) {
  double *reals = make_room(record, DISTANCE_REALS * distances->count, sizeof *reals);
  if (reals == NULL) return;
  for (size_t i = 0; i < distances->count; i++) {
    const graze_distance *distance = &distances->distances[i];
    reals[DISTANCE_REALS * i] = distance->distance;
    memcpy(reals + DISTANCE_REALS * i + 1, distance->point_a, sizeof distance->point_a);
    memcpy(reals + DISTANCE_REALS * i + 4, distance->point_b, sizeof distance->point_b);
  }
  write_section(record, "distances", "f64", reals, DISTANCE_REALS * distances->count);
  free(reals);
}

static void write_volumes(page_record *record, const graze_wrenches *wrenches) {
  json_writer *json = &record->json;
  json_key_array(json, "volumes");
  for (size_t i = 0; i < wrenches->count; i++) {
    const graze_wrench *wrench = &wrenches->wrenches[i];
    json_begin_array(json);
    json_unsigned(json, wrench->object_a);
    json_unsigned(json, wrench->object_b);
    json_double(json, wrench->volume);
    json_end_array(json);
  }
  json_end_array(json);
}

static void write_containments(json_writer *json, const graze_containments *found) {
  json_key_array(json, "containments");
  for (size_t i = 0; i < found->count; i++) {
    const graze_containment *containment = &found->containments[i];
    json_begin_array(json);
    json_unsigned(json, containment->inner);
    json_unsigned(json, containment->outer);
    json_unsigned(json, containment->inside_count);
    json_unsigned(json, containment->primitive_count);
    json_end_array(json);
  }
  json_end_array(json);
}

static void write_costs(json_writer *json, const page_frame *frame) {
  json_key_object(json, "timings_ms");
  for (size_t i = 0; i < graze_enumeration_count(GRAZE_ENUMERATION_STAGE); i++) {
    json_key(json, graze_enumeration_name(GRAZE_ENUMERATION_STAGE, (int)i));
    json_decimal(json, graze_timings_value(frame->timings, i), 4);
  }
  json_end_object(json);
  json_key(json, "frame_ms");
  json_decimal(json, frame->frame_ms, 4);
  record_write_counters(frame->counters, json);
}

/* ---------------------------------------------------------------------------------------------- the record */

static void write_text(json_writer *json, const char *key, const char *text_or_null) {
  if (text_or_null == NULL) return;
  json_key(json, key);
  json_string(json, text_or_null);
}

/* Options of the query that the live engine ignores. */
static void write_ignored(json_writer *json, const page_heading *heading) {
  const graze_query *query = heading->query;
  json_key_array(json, "live_ignores");
  if (heading->excludes) json_string(json, "--exclude");
  if (query->candidates_only) json_string(json, "--candidates");
  if (query->clearance_rings > 1) json_string(json, "--rings");
  if (query->pair_limit > 0) json_string(json, "--limit");
  json_end_array(json);
}

static void write_query(json_writer *json, const graze_query *query) {
  write_text(json, "neighbors", graze_enumeration_name(GRAZE_ENUMERATION_NEIGHBORS, (int)query->neighbors));
  json_key(json, "scope");
  json_unsigned(json, (uint64_t)query->scope);
  json_key(json, "candidates_only");
  json_boolean(json, query->candidates_only);
  json_key(json, "clearance");
  json_double(json, query->clearance);
}

static void write_title(json_writer *json, const page_heading *heading) {
  char title[TITLE_BYTES];
  const bool several = heading->more_files > 0;
  snprintf(title, sizeof title, "%s and %zu more", heading->title, heading->more_files);
  write_text(json, "title", several ? title : heading->title);
}

bool page_record_begin(page_record *record, const page_heading *heading, page_precision precision) {
  *record = (page_record){.precision = precision};
  record->stream = open_memstream(&record->text, &record->text_bytes);
  if (record->stream == NULL) return fail(record);
  json_writer *json = &record->json;
  *json = record_begin("page", record->stream);
  write_text(json, "command", heading->command);
  write_title(json, heading);
  write_text(json, "method", heading->method);
  write_text(json, "units", heading->units);
  write_text(json, "up", heading->up);
  if (heading->query != NULL) {
    write_query(json, heading->query);
    write_ignored(json, heading);
  }
  json_key(json, "solid");
  json_boolean(json, heading->solid);
  if (heading->write_result != NULL) {
    json_key(json, "result");
    heading->write_result(heading->outcome, json_value_stream(json));
  }
  json_key(json, "rounded");
  json_boolean(json, precision == PAGE_ROUNDED);
  json_key_array(json, "clash_words");
  for (int i = 0; i < GRAZE_CLASH_KINDS; i++) json_string(json, graze_enumeration_name(GRAZE_ENUMERATION_CLASH, i));
  json_end_array(json);
  json_key_array(json, "frames");
  return true;
}

static void write_answer(json_writer *json, const page_frame *frame) {
  json_key(json, "hash");
  json_hash(json, frame->pairs->hash);
  json_key(json, "limit_reached");
  json_boolean(json, frame->pairs->limit_reached != 0);
  write_costs(json, frame);
}

static void write_crowding(page_record *record, const graze_crowding *crowding) {
  write_section(record, "k", "u32", crowding->k_of, crowding->count);
  write_section(record, "k_neighbors", "u32", crowding->neighbors_of, crowding->count);
}

/* Pairs of regions are in the order of the regions; the page sorts them again for its output. */
bool page_record_add(page_record *record, const page_frame *frame) {
  json_writer *json = &record->json;
  if (record->failed) return false;
  if (record->frame_count++ == 0) find_center(record, frame->objects);
  json_begin_object(json);
  write_text(json, "name", frame->name);
  write_objects(record, frame->objects);
  if (frame->pairs != NULL) write_answer(json, frame);
  if (frame->crowding != NULL) write_crowding(record, frame->crowding);
  if (frame->regions == NULL && frame->pairs != NULL) {
    write_pairs(record, frame->pairs->pairs, frame->pairs->count);
  } else if (frame->regions != NULL) {
    write_pairs(record, frame->regions->pairs, frame->regions->pair_count);
    write_section(record, "clashes", "u8", frame->regions->clashes, frame->regions->pair_count);
    write_region_rows(record, frame->regions);
    write_curves(record, frame->regions);
    write_object_pairs(record, frame->regions);
  }
  if (frame->distances != NULL) write_distances(record, frame->distances);
  if (frame->wrenches != NULL && frame->wrenches->count > 0) write_volumes(record, frame->wrenches);
  if (frame->containments != NULL) write_containments(json, frame->containments);
  json_end_object(json);
  return !record->failed;
}

bool page_record_end(page_record *record) {
  json_writer *json = &record->json;
  if (record->failed) return false;
  json_end_array(json);
  json_key_array(json, "center");
  for (int axis = 0; axis < 3; axis++) json_double(json, record->center[axis]);
  json_end_array(json);
  json_key_array(json, "sections");
  for (size_t i = 0; i < record->section_count; i++) {
    json_begin_array(json);
    json_string(json, record->sections[i].type);
    json_unsigned(json, record->sections[i].offset);
    json_unsigned(json, record->sections[i].count);
    json_end_array(json);
  }
  json_end_array(json);
  json_end_object(json);
  const bool written = fclose(record->stream) == 0;
  record->stream = NULL;
  return written || fail(record);
}

void page_record_release(page_record *record) {
  if (record->stream != NULL) fclose(record->stream);
  free(record->text);
  free(record->bytes);
  free(record->sections);
  free(record->table);
  *record = (page_record){0};
}
