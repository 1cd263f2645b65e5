/* Checks whether a JSON text matches a JSON Schema, in the subset of draft 2020-12 that docs/schema uses. */
#ifndef GRAZE_JSON_SCHEMA_H
#define GRAZE_JSON_SCHEMA_H

#include "mesh_io/json_reader.h"

/* On failure writes one message with the path of the value. A keyword that is not known is a failure, too: nothing in a
 * schema goes without a check. */
bool json_fits(const json_document *schema, const json_document *text, char *error, size_t error_bytes);

#endif
