/* The names of the public lists; see graze/names.h. */
#include "api/backend_table.h"
#include "api/enumeration_table.h"
#include "methods/method_table.h"

#include <string.h>

#define COUNT_OF(rows) (sizeof(rows) / sizeof(rows)[0])

static bool row_at(graze_enumeration what, size_t entry, name_row *row_out) {
  const method *m = what == GRAZE_ENUMERATION_METHOD ? method_at(entry) : NULL;
  const backend *b = what == GRAZE_ENUMERATION_BACKEND ? backend_at(entry) : NULL;
  if (m != NULL)
    *row_out = (name_row){m->name, m->description, (int)entry};
  else if (b != NULL)
    *row_out = (name_row){b->name, b->description, (int)entry};
  else
    return enumeration_row(what, entry, row_out);
  return true;
}

/* ---------------------------------------------------------------------------------------------- the calls */

size_t graze_enumeration_count(graze_enumeration what) {
  name_row row;
  size_t count = 0;
  while (row_at(what, count, &row)) count++;
  return count;
}

int graze_enumeration_value(graze_enumeration what, size_t entry) {
  name_row row;
  return row_at(what, entry, &row) ? row.value : -1;
}

static name_row row_of(graze_enumeration what, int value) {
  name_row row;
  for (size_t entry = 0; row_at(what, entry, &row); entry++)
    if (row.value == value) return row;
  return (name_row){NULL, NULL, -1};
}

const char *graze_enumeration_name(graze_enumeration what, int value) {
  return row_of(what, value).name;
}

const char *graze_enumeration_description(graze_enumeration what, int value) {
  return row_of(what, value).description;
}

bool graze_enumeration_find(graze_enumeration what, const char *name, int *value_out) {
  name_row row;
  for (size_t entry = 0; name != NULL && row_at(what, entry, &row); entry++) {
    if (strcmp(row.name, name) != 0) continue;
    if (value_out != NULL) *value_out = row.value;
    return true;
  }
  return false;
}

const char *graze_result_text(graze_result result) {
  const char *words = row_of(GRAZE_ENUMERATION_RESULT, (int)result).description;
  return words != NULL ? words : "unknown result";
}

/* ---------------------------------------------------------------------------------------------- stages, counters */

#define OFFSET_OF_STAGE(name, words) offsetof(graze_timings, name##_ms),
#define OFFSET_OF_COUNTER(name, words) offsetof(graze_counters, name),
static const size_t stage_offsets[] = {GRAZE_STAGE_LIST(OFFSET_OF_STAGE)};
static const size_t counter_offsets[] = {GRAZE_COUNTER_LIST(OFFSET_OF_COUNTER)};

double graze_timings_value(const graze_timings *timings, size_t stage) {
  if (timings == NULL || stage >= COUNT_OF(stage_offsets) ||
      timings->struct_bytes < stage_offsets[stage] + sizeof(double))
    return 0.0;
  return *(const double *)(const void *)((const char *)timings + stage_offsets[stage]);
}

uint64_t graze_counters_value(const graze_counters *counters_of, size_t counter) {
  if (counters_of == NULL || counter >= COUNT_OF(counter_offsets) ||
      counters_of->struct_bytes < counter_offsets[counter] + sizeof(uint64_t))
    return 0;
  return *(const uint64_t *)(const void *)((const char *)counters_of + counter_offsets[counter]);
}
