/* The number of pairs of primitives of each pair of objects. */
#ifndef GRAZE_PAIR_TABLE_H
#define GRAZE_PAIR_TABLE_H

#include "graze/graze.h"

typedef struct pair_row {
  uint32_t object_a, object_b; /* equal: pairs within the object */
  uint64_t count;
} pair_row;

/* Rows with at least one pair, sorted by (object_a, object_b). */
typedef struct pair_table {
  pair_row *rows;
  size_t count, capacity;
  uint64_t within, between; /* pairs within one object, and between two */
} pair_table;

/* Counts a sorted list; false when out of memory, with the table empty. Linear in pairs, except for sorting the rows of
 * each object. */
bool pair_table_count(const graze_pair *pairs, size_t pair_count, size_t object_count, pair_table *table_out);

/* The same for a list of touching objects: each row has one pair, and within and between count rows. */
bool pair_table_take(const graze_object_pair *pairs, size_t pair_count, pair_table *table_out);

/* Sorts rows by descending count; rows of equal count keep the order of their objects. */
void pair_table_sort_by_count(pair_table *table);

void pair_table_release(pair_table *table);

#endif
