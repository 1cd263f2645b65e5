/* Counts pairs of primitives by pairs of objects.
 *
 * The list is sorted by object_a, so one counter per object_b suffices: the counters are written to rows whenever
 * object_a changes. Workload: millions of pairs of two objects, or a few pairs each of thousands of objects. */
#include "pair_table.h"

#include <stdlib.h>

static int by_objects(const void *left, const void *right) {
  const pair_row *a = left, *b = right;
  if (a->object_a != b->object_a) return a->object_a < b->object_a ? -1 : 1;
  return (a->object_b > b->object_b) - (a->object_b < b->object_b);
}

static int by_falling_count(const void *left, const void *right) {
  const pair_row *a = left, *b = right;
  if (a->count != b->count) return a->count > b->count ? -1 : 1;
  return by_objects(left, right);
}

static bool append_row(pair_table *table, pair_row row) {
  if (table->count == table->capacity) {
    const size_t capacity = table->capacity == 0 ? 16 : 2 * table->capacity;
    pair_row *rows = realloc(table->rows, capacity * sizeof *rows);
    if (rows == NULL) return false;
    table->rows = rows;
    table->capacity = capacity;
  }
  table->rows[table->count++] = row;
  return true;
}

/* `row_of[b]` is the row of (object_a, b) plus one if it is at least `first`. Values of earlier objects are below that
 * bound, so nothing has to be cleared. */
static bool count_pair(pair_table *table, size_t first, size_t *row_of, const graze_pair *pair) {
  const size_t row = row_of[pair->object_b];
  if (row > first) {
    table->rows[row - 1].count++;
    return true;
  }
  row_of[pair->object_b] = table->count + 1;
  return append_row(table, (pair_row){pair->object_a, pair->object_b, 1});
}

bool pair_table_count(const graze_pair *pairs, size_t pair_count, size_t object_count, pair_table *table_out) {
  *table_out = (pair_table){0};
  size_t *row_of = calloc(object_count + 1, sizeof *row_of);
  bool complete = row_of != NULL;
  size_t first = 0;
  for (size_t i = 0; complete && i < pair_count; i++) {
    if (i > 0 && pairs[i].object_a != pairs[i - 1].object_a) first = table_out->count;
    complete = count_pair(table_out, first, row_of, &pairs[i]);
    *(pairs[i].object_a == pairs[i].object_b ? &table_out->within : &table_out->between) += 1;
  }
  free(row_of);
  if (!complete) {
    pair_table_release(table_out);
    return false;
  }
  if (table_out->count > 0) qsort(table_out->rows, table_out->count, sizeof *table_out->rows, by_objects);
  return true;
}

bool pair_table_take(const graze_object_pair *pairs, size_t pair_count, pair_table *table_out) {
  *table_out = (pair_table){0};
  for (size_t i = 0; i < pair_count; i++) {
    if (!append_row(table_out, (pair_row){pairs[i].object_a, pairs[i].object_b, 1})) {
      pair_table_release(table_out);
      return false;
    }
    *(pairs[i].object_a == pairs[i].object_b ? &table_out->within : &table_out->between) += 1;
  }
  return true;
}

void pair_table_sort_by_count(pair_table *table) {
  if (table->count > 0) qsort(table->rows, table->count, sizeof *table->rows, by_falling_count);
}

void pair_table_release(pair_table *table) {
  free(table->rows);
  *table = (pair_table){0};
}
