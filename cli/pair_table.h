/* How many pairs of primitives each pair of objects has. */
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
  uint64_t within, between; /* pairs of primitives of one object, of two */
} pair_table;

/* Counts a sorted list; false when memory is out, with the table empty. Linear in pairs, but for sorting the rows of
 * each object. */
bool pair_table_count(const graze_pair *pairs, size_t pair_count, size_t object_count, pair_table *table_out);

/* The same of a list of objects that touch: each row has one, and so do within and between count rows. */
bool pair_table_take(const graze_object_pair *pairs, size_t pair_count, pair_table *table_out);

/* Orders rows by falling count; rows of equal count keep the order of their objects. */
void pair_table_sort_by_count(pair_table *table);

void pair_table_release(pair_table *table);

#endif
