/* The table of methods: each on the processor and on a device. */
#ifndef GRAZE_METHODS_METHOD_TABLE_H
#define GRAZE_METHODS_METHOD_TABLE_H

#include "broad/method.h"

/* The rows. */
extern const method method_brute;
extern const method method_grid;
extern const method method_tree;
extern const method method_clusters;

/* The table, in the order in which methods are listed; NULL past the end or for an unknown name. */
const method *method_at(size_t index);
const method *method_named(const char *name);

#endif
