/* The head of a JSON record. */
#include "json_record.h"

#include "graze/graze.h"

void json_begin_record(json_writer *json, const char *record) {
  json_begin_object(json);
  json_key(json, "graze");
  json_string(json, graze_version());
  json_key(json, "schema_version");
  json_unsigned(json, RECORD_SCHEMA_VERSION);
  json_key(json, "record");
  json_string(json, record);
}
