/* Tables generated from the lists of the headers, so that a new entry needs no other change. */
#include "api/enumeration_table.h"

#define COUNT_OF(rows) (sizeof(rows) / sizeof(rows)[0])

#define ROW_OF_NAME(upper, number, words) {words, NULL, number},
#define ROW_OF_RESULT(upper, number, words) {#upper, words, number},
#define ROW_OF_KIND(upper, number, one, many) {one, NULL, number},
#define ROW_OF_WORDS(name, words) {#name, words, 0}, /* its number is its position */

static const name_row results[] = {GRAZE_RESULT_LIST(ROW_OF_RESULT)};
static const name_row kinds[] = {GRAZE_KIND_LIST(ROW_OF_KIND)};
static const name_row threadings[] = {GRAZE_THREADING_LIST(ROW_OF_NAME)};
static const name_row simds[] = {GRAZE_SIMD_LIST(ROW_OF_NAME)};
static const name_row tree_builders[] = {GRAZE_TREE_BUILDER_LIST(ROW_OF_NAME)};
static const name_row tree_updates[] = {GRAZE_TREE_UPDATE_LIST(ROW_OF_NAME)};
static const name_row sphere_builders[] = {GRAZE_SPHERE_BUILDER_LIST(ROW_OF_NAME)};
static const name_row axes[] = {GRAZE_AXIS_LIST(ROW_OF_NAME)};
static const name_row distances[] = {GRAZE_METRIC_LIST(ROW_OF_NAME)};
static const name_row scopes[] = {GRAZE_SCOPE_LIST(ROW_OF_NAME)};
static const name_row neighbor_rules[] = {GRAZE_NEIGHBORS_LIST(ROW_OF_NAME)};
static const name_row tests[] = {GRAZE_TEST_LIST(ROW_OF_NAME)};
static const name_row forces[] = {GRAZE_FORCE_LIST(ROW_OF_NAME)};
static const name_row clashes[] = {GRAZE_CLASH_LIST(ROW_OF_NAME)};
static const name_row stages[] = {GRAZE_STAGE_LIST(ROW_OF_WORDS)};
static const name_row counters[] = {GRAZE_COUNTER_LIST(ROW_OF_WORDS)};

#define TABLE(rows)                                                                                                    \
  { rows, COUNT_OF(rows) }
static const struct {
  const name_row *rows;
  size_t count;
} tables[] = {[GRAZE_ENUMERATION_RESULT] = TABLE(results),
              [GRAZE_ENUMERATION_KIND] = TABLE(kinds),
              [GRAZE_ENUMERATION_THREADING] = TABLE(threadings),
              [GRAZE_ENUMERATION_SIMD] = TABLE(simds),
              [GRAZE_ENUMERATION_TREE_BUILDER] = TABLE(tree_builders),
              [GRAZE_ENUMERATION_TREE_UPDATE] = TABLE(tree_updates),
              [GRAZE_ENUMERATION_SPHERE_BUILDER] = TABLE(sphere_builders),
              [GRAZE_ENUMERATION_AXIS] = TABLE(axes),
              [GRAZE_ENUMERATION_METRIC] = TABLE(distances),
              [GRAZE_ENUMERATION_SCOPE] = TABLE(scopes),
              [GRAZE_ENUMERATION_NEIGHBORS] = TABLE(neighbor_rules),
              [GRAZE_ENUMERATION_TEST] = TABLE(tests),
              [GRAZE_ENUMERATION_FORCE] = TABLE(forces),
              [GRAZE_ENUMERATION_STAGE] = TABLE(stages),
              [GRAZE_ENUMERATION_COUNTER] = TABLE(counters),
              [GRAZE_ENUMERATION_CLASH] = TABLE(clashes)};

bool enumeration_row(graze_enumeration what, size_t entry, name_row *row_out) {
  if ((size_t)what >= COUNT_OF(tables) || entry >= tables[what].count) return false;
  *row_out = tables[what].rows[entry];
  if (what == GRAZE_ENUMERATION_STAGE || what == GRAZE_ENUMERATION_COUNTER) row_out->value = (int)entry;
  return true;
}
