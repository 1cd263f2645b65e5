/* Enumerates ways, and reads and writes files of configurations. Sines and cosines are the portable ones, so a number
 * identifies the same way on every machine. */
#include "bench/configurations.h"

#include "models/portable_math.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RINGS = 11, AROUND = 24, LINE_BYTES = 1024 };

static const double reach = 1.5; /* of the diagonal */

const char *configuration_kind_name(configuration_kind kind) {
  return kind == CONFIGURATION_DISTANCE ? "distance" : "volume";
}

size_t configuration_targets(configuration_kind kind) {
  return kind == CONFIGURATION_DISTANCE ? CONFIGURATION_DISTANCES : CONFIGURATION_VOLUMES;
}

/* ---------------------------------------------------------------------------------------------- ways */

/* The number of angles of a full turn; a half turn has one more per step, because both ends count. */
static uint64_t steps_of(configuration_kind kind) {
  return kind == CONFIGURATION_DISTANCE ? AROUND : AROUND / 2;
}

static uint64_t rotations_of(configuration_kind kind) {
  const uint64_t steps = steps_of(kind);
  return steps * steps * (steps / 2 + 1);
}

static uint64_t places_of(configuration_method method) {
  return method == CONFIGURATION_SPHERE ? CONFIGURATION_DIRECTIONS
                                        : (uint64_t)CONFIGURATION_CELLS * CONFIGURATION_CELLS * CONFIGURATION_CELLS;
}

uint64_t configuration_ways(configuration_method method, configuration_kind kind) {
  return places_of(method) * rotations_of(kind);
}

/* Two poles, and rings of 24 between them. */
static void direction_at(uint64_t number, double direction_out[3]) {
  const bool pole = number < 2;
  const double height = pole ? 0.5 * (double)number : (double)(1 + (number - 2) / AROUND) / (2.0 * (RINGS + 1));
  const double around = pole ? 0.0 : (double)((number - 2) % AROUND) / AROUND;
  const double ring = sine_of_turns(height);
  direction_out[0] = ring * cosine_of_turns(around);
  direction_out[1] = ring * sine_of_turns(around);
  direction_out[2] = cosine_of_turns(height);
}

/* About z, then y, then z: a full, a half and a full turn. */
static void rotation_at(configuration_kind kind, uint64_t number, double rotation_out[9]) {
  const uint64_t steps = steps_of(kind);
  const double first = (double)(number % steps) / (double)steps,
               second = (double)(number / steps % steps) / (double)steps,
               tilt = (double)(number / (steps * steps)) / (double)steps;
  const double ca = cosine_of_turns(first), sa = sine_of_turns(first), cb = cosine_of_turns(tilt),
               sb = sine_of_turns(tilt), cc = cosine_of_turns(second), sc = sine_of_turns(second);
  const double values[9] = {ca * cb * cc - sa * sc,
                            -ca * cb * sc - sa * cc,
                            ca * sb,
                            sa * cb * cc + ca * sc,
                            -sa * cb * sc + ca * cc,
                            sa * sb,
                            -sb * cc,
                            sb * sc,
                            cb};
  memcpy(rotation_out, values, sizeof values);
}

static bool cell_at(uint64_t number, double diagonal, configuration_way *way) {
  const uint64_t cells = CONFIGURATION_CELLS;
  const uint64_t at[3] = {number % cells, number / cells % cells, number / (cells * cells)};
  double place[3], square = 0.0;
  for (int k = 0; k < 3; k++) {
    place[k] = reach * diagonal * (2.0 * ((double)at[k] + 0.5) / (double)cells - 1.0);
    square += place[k] * place[k];
  }
  way->begin = sqrt(square);
  if (!(way->begin > 0.0)) return false;
  for (int k = 0; k < 3; k++) way->direction[k] = place[k] / way->begin;
  return true;
}

bool configuration_way_at(configuration_method method, configuration_kind kind, uint64_t number, double diagonal,
                          configuration_way *way_out) {
  const uint64_t place = number % places_of(method);
  rotation_at(kind, number / places_of(method), way_out->rotation);
  if (method == CONFIGURATION_GRID) return cell_at(place, diagonal, way_out);
  direction_at(place, way_out->direction);
  way_out->begin = reach * diagonal;
  return true;
}

/* ---------------------------------------------------------------------------------------------- lists */

bool configuration_list_add(configuration_list *list, const configuration *item) {
  if (list->count == list->capacity) {
    const size_t capacity = 2 * list->capacity + 256;
    configuration *const grown = realloc(list->items, capacity * sizeof *grown);
    if (grown == NULL) return false;
    list->items = grown;
    list->capacity = capacity;
  }
  list->items[list->count++] = *item;
  return true;
}

void configuration_list_free(configuration_list *list) {
  free(list->items);
  *list = (configuration_list){0};
}

/* ---------------------------------------------------------------------------------------------- files */

static const char first_line[] = "graze configurations 1\n";

static void write_item(const configuration *item, FILE *stream) {
  fprintf(stream, "%s %" PRIu32 " %" PRIu64, configuration_kind_name(item->kind), item->percent, item->number);
  for (int i = 0; i < 9; i++) fprintf(stream, " %.17g", item->pose.rotation[i]);
  for (int i = 0; i < 3; i++) fprintf(stream, " %.17g", item->pose.translation[i]);
  fputc('\n', stream);
}

bool configurations_write(const char *path, const configuration_heading *heading, const configuration_list *list,
                          char *error, size_t error_bytes) {
  FILE *const stream = fopen(path, "w");
  if (stream != NULL) {
    fputs(first_line, stream);
    fprintf(stream, "body %s triangles %zu diagonal %.17g\n", heading->body, heading->triangles, heading->diagonal);
    for (size_t i = 0; i < list->count; i++) write_item(&list->items[i], stream);
  }
  const bool written = stream != NULL && ferror(stream) == 0;
  if (stream != NULL && fclose(stream) == 0 && written) return true;
  snprintf(error, error_bytes, "%s: %s", path, strerror(errno));
  return false;
}

/* Parses a number and the blank before it. */
static bool take_number(char **at, double *number_out) {
  if (**at != ' ') return false;
  char *end = NULL;
  *number_out = strtod(*at + 1, &end);
  if (end == *at + 1 || !isfinite(*number_out)) return false;
  *at = end;
  return true;
}

static bool read_item(char *line, configuration *item) {
  double percent, number;
  char *at = line + strcspn(line, " ");
  const size_t length = (size_t)(at - line);
  const bool distance = length == 8 && strncmp(line, "distance", 8) == 0;
  if (!distance && (length != 6 || strncmp(line, "volume", 6) != 0)) return false;
  *item = (configuration){.kind = distance ? CONFIGURATION_DISTANCE : CONFIGURATION_VOLUME};
  if (!take_number(&at, &percent) || !take_number(&at, &number)) return false;
  if (percent < 0.0 || percent >= (double)configuration_targets(item->kind) || percent != floor(percent)) return false;
  if (number < 0.0 || number > 0x1p53 || number != floor(number)) return false;
  item->percent = (uint32_t)percent;
  item->number = (uint64_t)number;
  for (int i = 0; i < 9; i++)
    if (!take_number(&at, &item->pose.rotation[i])) return false;
  for (int i = 0; i < 3; i++)
    if (!take_number(&at, &item->pose.translation[i])) return false;
  return *at == '\n' && at[1] == '\0';
}

static bool heading_fits(const char *line, const configuration_heading *heading) {
  configuration_heading read = {{0}, 0, 0.0};
  if (sscanf(line, "body %63s triangles %zu diagonal %lf", read.body, &read.triangles, &read.diagonal) != 3)
    return false;
  return strcmp(read.body, heading->body) == 0 && read.triangles == heading->triangles &&
         read.diagonal == heading->diagonal;
}

static bool read_lines(FILE *stream, const char *path, const configuration_heading *heading, configuration_list *list,
                       char *error, size_t error_bytes) {
  char line[LINE_BYTES];
  for (size_t number = 1; fgets(line, sizeof line, stream) != NULL; number++) {
    configuration item;
    const bool good = number == 1   ? strcmp(line, first_line) == 0
                      : number == 2 ? heading_fits(line, heading)
                                    : read_item(line, &item);
    if (!good) {
      snprintf(error, error_bytes, "%s:%zu: %s", path, number,
               number == 1   ? "this is not a file of configurations"
               : number == 2 ? "these configurations belong to another body"
                             : "this is not a configuration");
      return false;
    }
    if (number > 2 && !configuration_list_add(list, &item)) {
      snprintf(error, error_bytes, "out of memory");
      return false;
    }
  }
  if (list->count == 0) snprintf(error, error_bytes, "%s: the file has no configurations", path);
  return list->count > 0;
}

bool configurations_read(const char *path, const configuration_heading *heading, configuration_list *list_out,
                         char *error, size_t error_bytes) {
  *list_out = (configuration_list){0};
  FILE *const stream = fopen(path, "r");
  if (stream == NULL) {
    snprintf(error, error_bytes, "%s: %s", path, strerror(errno));
    return false;
  }
  const bool good = read_lines(stream, path, heading, list_out, error, error_bytes);
  fclose(stream);
  if (!good) configuration_list_free(list_out);
  return good;
}
