/* The head of every JSON record of the tool: versions and the name of the record. */
#ifndef GRAZE_JSON_RECORD_H
#define GRAZE_JSON_RECORD_H

#include "json_writer.h"

/* The version of the schemas in docs/schema. It increases when a member is removed or renamed, or changes its type or
 * meaning. A new member does not change it, but must be added to the schema: docs/reference/records.md. */
enum { RECORD_SCHEMA_VERSION = 1 };

/* Begins the object and writes the members "graze", "schema_version" and "record". Its schema is
 * docs/schema/RECORD.json. */
void json_begin_record(json_writer *json, const char *record);

#endif
