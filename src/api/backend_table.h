/* The table of backends. */
#ifndef GRAZE_API_BACKEND_TABLE_H
#define GRAZE_API_BACKEND_TABLE_H

#include "backend/backend.h"

/* Backends in the order of the list; NULL past the end or for an unknown name. */
const backend *backend_at(size_t index);
const backend *backend_named(const char *name);

/* Reads the definition over the defaults, checks it, and finds its row. */
graze_result backend_read(const graze_backend_def *given_or_null, graze_backend_def *def_out, const backend **row_out);

#endif
