/* How every JSON record of the tool begins: versions, and which record it is. */
#ifndef GRAZE_JSON_RECORD_H
#define GRAZE_JSON_RECORD_H

#include "json_writer.h"

/* The version of the schemas in docs/schema. It grows when a member is removed or renamed, or has another type or
 * meaning. A new member leaves it as it is, but needs its place in the schema: docs/reference/records.md. */
enum { RECORD_SCHEMA_VERSION = 1 };

/* Begins the object and writes the members "graze", "schema_version" and "record"; docs/schema/RECORD.json is its
 * schema. */
void json_begin_record(json_writer *json, const char *record);

#endif
