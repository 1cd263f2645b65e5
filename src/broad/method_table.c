/* The list of methods, the broad phases. A new method is one file and one row here. */
#include "broad/method.h"

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
