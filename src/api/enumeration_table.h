/* The rows of the public enumerations. Methods and backends have tables of their own. */
#ifndef GRAZE_API_ENUMERATION_TABLE_H
#define GRAZE_API_ENUMERATION_TABLE_H

#include "graze/names.h"

typedef struct name_row {
  const char *name, *description; /* description may be NULL */
  int value;
} name_row;

/* False past the end, and for methods and backends. */
bool enumeration_row(graze_enumeration what, size_t entry, name_row *row_out);

#endif
