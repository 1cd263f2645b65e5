/* The table of methods: each on the processor and on a device. */
#ifndef GRAZE_METHODS_METHOD_TABLE_H
#define GRAZE_METHODS_METHOD_TABLE_H

#include "broad/method.h"

/* The rows: method_grid and so on. */
#define METHOD_ROW(name) extern const method method_##name;
METHOD_LIST(METHOD_ROW)
#undef METHOD_ROW

/* The table, in the order in which methods are listed; NULL past the end or for an unknown name. */
const method *method_at(size_t index);
const method *method_named(const char *name);

#endif
