/* The list of methods, the broad phases. A new method needs its files, a row in method_rows.c and a name here. */
#include "methods/method_table.h"

#include <string.h>

static const method *const table[] = {&method_grid, &method_tree, &method_clusters, &method_brute};
enum { METHOD_COUNT = sizeof table / sizeof table[0] };

const method *method_at(size_t index) {
  return index < METHOD_COUNT ? table[index] : NULL;
}

const method *method_named(const char *name) {
  for (size_t i = 0; i < METHOD_COUNT; i++)
    if (strcmp(table[i]->name, name) == 0) return table[i];
  return NULL;
}
