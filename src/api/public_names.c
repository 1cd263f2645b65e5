/* The names of the public lists: of graze/names.h, and the words that graze.h has functions for. Tables are made from
 * the lists of the headers, so that a new entry is named by itself. */
#include "graze/names.h"
#include "methods/method_table.h"

typedef struct name_row {
  const char *name;
  int value;
} name_row;

typedef struct word_row {
  const char *name, *description;
  size_t offset; /* of its number in graze_timings or graze_counters */
} word_row;

#define COUNT_OF(rows) (sizeof(rows) / sizeof(rows)[0])

/* ---------------------------------------------------------------------------------------------- enumerations */

#define ROW_OF_NAME(upper, number, words) {words, number},
#define ROW_OF_RESULT(upper, number, words) {#upper, number},
#define ROW_OF_KIND(upper, number, one, many) {one, number},

/* The three functions of a list of rows. */
#define NAMED_LIST(list, ...)                                                                                          \
  static const name_row list##_rows[] = {__VA_ARGS__};                                                                 \
  size_t graze_##list##_count(void) {                                                                                  \
    return COUNT_OF(list##_rows);                                                                                      \
  }                                                                                                                    \
  const char *graze_##list##_name(size_t number) {                                                                     \
    return number < COUNT_OF(list##_rows) ? list##_rows[number].name : NULL;                                           \
  }                                                                                                                    \
  int graze_##list##_value(size_t number) {                                                                            \
    return number < COUNT_OF(list##_rows) ? list##_rows[number].value : -1;                                            \
  }

NAMED_LIST(result, GRAZE_RESULT_LIST(ROW_OF_RESULT))
NAMED_LIST(kind, GRAZE_KIND_LIST(ROW_OF_KIND))
NAMED_LIST(threading, GRAZE_THREADING_LIST(ROW_OF_NAME))
NAMED_LIST(simd, GRAZE_SIMD_LIST(ROW_OF_NAME))
NAMED_LIST(tree_builder, GRAZE_TREE_BUILDER_LIST(ROW_OF_NAME))
NAMED_LIST(tree_update, GRAZE_TREE_UPDATE_LIST(ROW_OF_NAME))
NAMED_LIST(sphere_builder, GRAZE_SPHERE_BUILDER_LIST(ROW_OF_NAME))
NAMED_LIST(axis, GRAZE_AXIS_LIST(ROW_OF_NAME))
NAMED_LIST(distance, GRAZE_DISTANCE_LIST(ROW_OF_NAME))
NAMED_LIST(scope, GRAZE_SCOPE_LIST(ROW_OF_NAME))
NAMED_LIST(neighbours, GRAZE_NEIGHBOURS_LIST(ROW_OF_NAME))
NAMED_LIST(test, GRAZE_TEST_LIST(ROW_OF_NAME))
NAMED_LIST(force, GRAZE_FORCE_LIST(ROW_OF_NAME))
NAMED_LIST(clash, GRAZE_CLASH_LIST(ROW_OF_NAME))

const char *graze_result_text(graze_result result) {
  switch (result) {
#define RESULT_CASE(name, value, words)                                                                                \
  case GRAZE_##name:                                                                                                   \
    return words;
    GRAZE_RESULT_LIST(RESULT_CASE)
#undef RESULT_CASE
  }
  return "unknown result";
}

const char *graze_result_description(size_t number) {
  return number < COUNT_OF(result_rows) ? graze_result_text((graze_result)result_rows[number].value) : NULL;
}

/* ---------------------------------------------------------------------------------------------- stages, counters */

#define ROW_OF_STAGE(name, words) {#name, words, offsetof(graze_timings, name##_ms)},
#define ROW_OF_COUNTER(name, words) {#name, words, offsetof(graze_counters, name)},

#define DESCRIBED_LIST(list, ...)                                                                                      \
  static const word_row list##_rows[] = {__VA_ARGS__};                                                                 \
  size_t graze_##list##_count(void) {                                                                                  \
    return COUNT_OF(list##_rows);                                                                                      \
  }                                                                                                                    \
  const char *graze_##list##_name(size_t number) {                                                                     \
    return number < COUNT_OF(list##_rows) ? list##_rows[number].name : NULL;                                           \
  }                                                                                                                    \
  const char *graze_##list##_description(size_t number) {                                                              \
    return number < COUNT_OF(list##_rows) ? list##_rows[number].description : NULL;                                    \
  }

DESCRIBED_LIST(stage, GRAZE_STAGE_LIST(ROW_OF_STAGE))
DESCRIBED_LIST(counter, GRAZE_COUNTER_LIST(ROW_OF_COUNTER))

double graze_timings_value(const graze_timings *timings, size_t stage) {
  if (timings == NULL || stage >= COUNT_OF(stage_rows) ||
      timings->struct_bytes < stage_rows[stage].offset + sizeof(double))
    return 0.0;
  return *(const double *)(const void *)((const char *)timings + stage_rows[stage].offset);
}

uint64_t graze_counters_value(const graze_counters *counters, size_t counter) {
  if (counters == NULL || counter >= COUNT_OF(counter_rows) ||
      counters->struct_bytes < counter_rows[counter].offset + sizeof(uint64_t))
    return 0;
  return *(const uint64_t *)(const void *)((const char *)counters + counter_rows[counter].offset);
}

/* ---------------------------------------------------------------------------------------------- methods */

size_t graze_method_count(void) {
  size_t count = 0;
  while (method_at(count) != NULL) count++;
  return count;
}

const char *graze_method_name(size_t index) {
  const method *m = method_at(index);
  return m != NULL ? m->name : NULL;
}

const char *graze_method_description(size_t index) {
  const method *m = method_at(index);
  return m != NULL ? m->description : NULL;
}
