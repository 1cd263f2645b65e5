/* Writes records by their columns.
 *
 * Workload: tens to thousands of rows of about twenty values. Lists of millions of pairs have their own writers. */
#include "record_columns.h"

#include "graze/names.h"

#include <inttypes.h>
#include <string.h>

enum { TIME_DIGITS = 4 };

typedef union column_value {
  uint32_t u32;
  uint64_t u64;
  bool flag;
  const char *text;
  double reals[3];
  column_series series;
} column_value;

static double series_at(const column_series *series, size_t i) {
  return *(const double *)(const void *)((const char *)series->first + i * series->stride);
}

/* False if the row has no such value. */
static bool find_value(const record_column *column, const void *row, column_value *value_out) {
  static const size_t bytes[] = {[COLUMN_U32] = sizeof(uint32_t),      [COLUMN_U64] = sizeof(uint64_t),
                                 [COLUMN_BOOL] = sizeof(bool),         [COLUMN_FLAG32] = sizeof(uint32_t),
                                 [COLUMN_FLAG64] = sizeof(uint64_t),   [COLUMN_TEXT] = sizeof(const char *),
                                 [COLUMN_HASH] = sizeof(uint64_t),     [COLUMN_REAL] = sizeof(double),
                                 [COLUMN_SHORT] = sizeof(double),      [COLUMN_TIME] = sizeof(double),
                                 [COLUMN_VECTOR] = 3 * sizeof(double), [COLUMN_SERIES] = sizeof(column_series)};
  if (column->find != NULL) {
    if (!column->find(row, value_out)) return false;
  } else {
    memcpy(value_out, (const char *)row + column->offset, bytes[column->kind]);
  }
  if (column->kind == COLUMN_FLAG32) value_out->flag = value_out->u32 != 0;
  if (column->kind == COLUMN_FLAG64) value_out->flag = value_out->u64 != 0;
  return column->kind != COLUMN_TEXT || value_out->text != NULL;
}

static bool is_wanted(const record_column *column, unsigned wanted) {
  return (column->needs & ~wanted) == 0;
}

/* ---------------------------------------------------------------------------------------------- JSON */

static void write_member(const record_column *column, const column_value *value, json_writer *json) {
  json_key(json, column->name);
  switch (column->kind) {
  case COLUMN_U32:
    json_unsigned(json, value->u32);
    break;
  case COLUMN_U64:
    json_unsigned(json, value->u64);
    break;
  case COLUMN_BOOL:
  case COLUMN_FLAG32:
  case COLUMN_FLAG64:
    json_boolean(json, value->flag);
    break;
  case COLUMN_TEXT:
    json_string(json, value->text);
    break;
  case COLUMN_HASH:
    json_hash(json, value->u64);
    break;
  case COLUMN_REAL:
  case COLUMN_SHORT:
    json_double(json, value->reals[0]);
    break;
  case COLUMN_TIME:
    json_decimal(json, value->reals[0], TIME_DIGITS);
    break;
  case COLUMN_VECTOR:
    json_doubles(json, value->reals, 3);
    break;
  case COLUMN_SERIES:
    json_begin_array(json);
    for (size_t i = 0; i < value->series.count; i++) json_decimal(json, series_at(&value->series, i), TIME_DIGITS);
    json_end_array(json);
    break;
  }
}

void columns_write_members(const record_column *columns, unsigned wanted, const void *row, json_writer *json) {
  column_value value;
  for (const record_column *column = columns; column->name != NULL; column++)
    if (is_wanted(column, wanted | COLUMN_JSON) && find_value(column, row, &value)) write_member(column, &value, json);
}

void columns_write_object(const record_column *columns, unsigned wanted, const void *row, json_writer *json) {
  json_break_line(json);
  json_begin_object(json);
  columns_write_members(columns, wanted, row, json);
  json_end_object(json);
}

json_writer record_begin(const char *record, FILE *stream) {
  json_writer json = {.stream = stream};
  json_begin_object(&json);
  json_key(&json, "graze");
  json_string(&json, graze_version());
  json_key(&json, "schema_version");
  json_unsigned(&json, RECORD_SCHEMA_VERSION);
  json_key(&json, "record");
  json_string(&json, record);
  return json;
}

void record_end(json_writer *json) {
  json_end_object(json);
  fputc('\n', json->stream);
}

void record_begin_timings(const graze_timings *timings, json_writer *json) {
  json_key_object(json, "timings_ms");
  for (size_t i = 0; i < graze_enumeration_count(GRAZE_ENUMERATION_STAGE); i++) {
    json_key(json, graze_enumeration_name(GRAZE_ENUMERATION_STAGE, (int)i));
    json_double(json, graze_timings_value(timings, i));
  }
}

void record_write_counters(const graze_counters *counters, json_writer *json) {
  json_key_object(json, "counters");
  for (size_t i = 0; i < graze_enumeration_count(GRAZE_ENUMERATION_COUNTER); i++) {
    json_key(json, graze_enumeration_name(GRAZE_ENUMERATION_COUNTER, (int)i));
    json_unsigned(json, graze_counters_value(counters, i));
  }
  json_end_object(json);
}

/* ---------------------------------------------------------------------------------------------- CSV */

void csv_write_text(const char *text, FILE *stream) {
  if (strpbrk(text, ",\"\r\n") == NULL) {
    fputs(text, stream);
    return;
  }
  fputc('"', stream);
  for (; *text != '\0'; text++) {
    if (*text == '"') fputc('"', stream);
    fputc(*text, stream);
  }
  fputc('"', stream);
}

void csv_write_reals(const double *numbers, size_t count, const char *between, FILE *stream) {
  for (size_t i = 0; i < count; i++) fprintf(stream, "%s%.17g", i > 0 ? between : "", numbers[i]);
}

static void write_cell(const record_column *column, const column_value *value, FILE *stream) {
  switch (column->kind) {
  case COLUMN_U32:
    write_digits(stream, value->u32);
    break;
  case COLUMN_U64:
    write_digits(stream, value->u64);
    break;
  case COLUMN_BOOL:
  case COLUMN_FLAG32:
  case COLUMN_FLAG64:
    fputs(value->flag ? "yes" : "no", stream);
    break;
  case COLUMN_TEXT:
    csv_write_text(value->text, stream);
    break;
  case COLUMN_HASH:
    fprintf(stream, "%016" PRIx64, value->u64);
    break;
  case COLUMN_REAL:
    csv_write_reals(value->reals, 1, "", stream);
    break;
  case COLUMN_SHORT:
    fprintf(stream, "%.6g", value->reals[0]);
    break;
  case COLUMN_TIME:
    fprintf(stream, "%.*f", TIME_DIGITS, value->reals[0]);
    break;
  case COLUMN_VECTOR:
    csv_write_reals(value->reals, 3, ",", stream);
    break;
  case COLUMN_SERIES:
    for (size_t i = 0; i < value->series.count; i++)
      fprintf(stream, "%s%.*f", i > 0 ? " " : "", TIME_DIGITS, series_at(&value->series, i));
    break;
  }
}

void columns_write_header(const record_column *columns, unsigned wanted, FILE *stream) {
  const char *between = "";
  for (const record_column *column = columns; column->name != NULL; column++) {
    if (!is_wanted(column, wanted | COLUMN_CSV)) continue;
    const char *name = column->name;
    if (column->kind == COLUMN_VECTOR)
      fprintf(stream, "%s%s_x,%s_y,%s_z", between, name, name, name);
    else
      fprintf(stream, "%s%s", between, name);
    between = ",";
  }
}

void columns_write_cells(const record_column *columns, unsigned wanted, unsigned known, const void *row, FILE *stream) {
  const char *between = "";
  column_value value;
  for (const record_column *column = columns; column->name != NULL; column++) {
    if (!is_wanted(column, wanted | COLUMN_CSV)) continue;
    fputs(between, stream);
    if (is_wanted(column, known | COLUMN_CSV) && find_value(column, row, &value))
      write_cell(column, &value, stream);
    else if (column->kind == COLUMN_VECTOR)
      fputs(",,", stream);
    between = ",";
  }
}
