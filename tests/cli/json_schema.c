/* Checks a value against a schema, keyword by keyword. Workload: records of a few thousand values. */
#include "json_schema.h"

#include <math.h>
#include <regex.h>
#include <stdio.h>
#include <string.h>

typedef struct check {
  const json_document *schema, *text;
  char path[256];
  char *error;
  size_t error_bytes;
} check;

static bool fits(check *c, const json_value *rule, const json_value *value);

static bool refuse(check *c, const char *words, const char *detail) {
  snprintf(c->error, c->error_bytes, "%s: %s %s", c->path[0] == '\0' ? "the record" : c->path, words, detail);
  return false;
}

static const json_value *child(const json_document *document, size_t number) {
  return number == 0 ? NULL : &document->values[number];
}

static const json_value *member(const json_document *document, const json_value *object, const char *key) {
  for (const json_value *at = child(document, object->first); at != NULL; at = child(document, at->next))
    if (strcmp(at->key, key) == 0) return at;
  return NULL;
}

static bool has_type(const json_value *value, const char *type) {
  if (strcmp(type, "integer") == 0) return value->kind == JSON_NUMBER && floor(value->number) == value->number;
  static const char *const names[] = {"null", "boolean", "number", "string", "array", "object"};
  return strcmp(type, names[value->kind]) == 0;
}

static bool fits_type(check *c, const json_value *types, const json_value *value) {
  if (types->kind == JSON_STRING) return has_type(value, types->text) || refuse(c, "is not of the type", types->text);
  for (const json_value *at = child(c->schema, types->first); at != NULL; at = child(c->schema, at->next))
    if (has_type(value, at->text)) return true;
  return refuse(c, "is of none of the types", "");
}

static bool equal(const json_value *a, const json_value *b) {
  if (a->kind != b->kind) return false;
  return a->kind == JSON_STRING ? strcmp(a->text, b->text) == 0 : a->kind == JSON_NUMBER && a->number == b->number;
}

static bool fits_enum(check *c, const json_value *list, const json_value *value) {
  for (const json_value *at = child(c->schema, list->first); at != NULL; at = child(c->schema, at->next))
    if (equal(at, value)) return true;
  return refuse(c, "is none of the words of the list:", value->kind == JSON_STRING ? value->text : "");
}

static bool fits_pattern(check *c, const json_value *pattern, const json_value *value) {
  regex_t compiled;
  if (regcomp(&compiled, pattern->text, REG_EXTENDED | REG_NOSUB) != 0) return refuse(c, "bad pattern", pattern->text);
  const bool matches = value->kind == JSON_STRING && regexec(&compiled, value->text, 0, NULL, 0) == 0;
  regfree(&compiled);
  return matches || refuse(c, "does not match", pattern->text);
}

/* The rule of each member; where the schema is closed, none may be without one. */
static bool fits_members(check *c, const json_value *rule, const json_value *value) {
  const json_value *known = member(c->schema, rule, "properties");
  const json_value *others = member(c->schema, rule, "additionalProperties");
  const size_t length = strlen(c->path);
  if (others == NULL || others->kind != JSON_BOOLEAN || others->boolean)
    return refuse(c, "the schema is not closed", "");
  for (const json_value *at = child(c->text, value->first); at != NULL; at = child(c->text, at->next)) {
    const json_value *of_member = member(c->schema, known, at->key);
    if (of_member == NULL) return refuse(c, "the schema has no member", at->key);
    snprintf(c->path + length, sizeof c->path - length, ".%s", at->key);
    if (!fits(c, of_member, at)) return false;
    c->path[length] = '\0';
  }
  return true;
}

static bool fits_required(check *c, const json_value *list, const json_value *value) {
  for (const json_value *at = child(c->schema, list->first); at != NULL; at = child(c->schema, at->next))
    if (member(c->text, value, at->text) == NULL) return refuse(c, "lacks the member", at->text);
  return true;
}

static bool fits_items(check *c, const json_value *rule, const json_value *value) {
  const size_t length = strlen(c->path);
  size_t number = 0;
  for (const json_value *at = child(c->text, value->first); at != NULL; at = child(c->text, at->next)) {
    snprintf(c->path + length, sizeof c->path - length, "[%zu]", number++);
    if (!fits(c, rule, at)) return false;
    c->path[length] = '\0';
  }
  return true;
}

/* "#/$defs/NAME" */
static bool fits_reference(check *c, const json_value *reference, const json_value *value) {
  static const char opening[] = "#/$defs/";
  const json_value *defs = member(c->schema, &c->schema->values[0], "$defs");
  const json_value *rule = defs == NULL || strncmp(reference->text, opening, sizeof opening - 1) != 0
                               ? NULL
                               : member(c->schema, defs, reference->text + sizeof opening - 1);
  return rule == NULL ? refuse(c, "the schema lacks", reference->text) : fits(c, rule, value);
}

static bool fits_keyword(check *c, const json_value *rule, const json_value *keyword, const json_value *value) {
  const char *key = keyword->key;
  const bool object = value->kind == JSON_OBJECT, array = value->kind == JSON_ARRAY;
  static const char *const words[] = {"$schema", "title", "description", "$defs", "additionalProperties"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i)
    if (strcmp(key, words[i]) == 0) return true;
  if (strcmp(key, "type") == 0) return fits_type(c, keyword, value);
  if (strcmp(key, "enum") == 0) return fits_enum(c, keyword, value);
  if (strcmp(key, "const") == 0) return equal(keyword, value) || refuse(c, "is not the constant of the schema", "");
  if (strcmp(key, "pattern") == 0) return fits_pattern(c, keyword, value);
  if (strcmp(key, "minimum") == 0)
    return value->kind != JSON_NUMBER || value->number >= keyword->number || refuse(c, "is too small", "");
  if (strcmp(key, "properties") == 0) return !object || fits_members(c, rule, value);
  if (strcmp(key, "required") == 0) return !object || fits_required(c, keyword, value);
  if (strcmp(key, "items") == 0) return !array || fits_items(c, keyword, value);
  if (strcmp(key, "minItems") == 0)
    return !array || (double)value->count >= keyword->number || refuse(c, "has too few elements", "");
  if (strcmp(key, "maxItems") == 0)
    return !array || (double)value->count <= keyword->number || refuse(c, "has too many elements", "");
  if (strcmp(key, "$ref") == 0) return fits_reference(c, keyword, value);
  return refuse(c, "the schema has an unknown keyword", key);
}

static bool fits(check *c, const json_value *rule, const json_value *value) {
  for (const json_value *at = child(c->schema, rule->first); at != NULL; at = child(c->schema, at->next))
    if (!fits_keyword(c, rule, at, value)) return false;
  return true;
}

bool json_fits(const json_document *schema, const json_document *text, char *error, size_t error_bytes) {
  check c = {.schema = schema, .text = text, .error = error, .error_bytes = error_bytes};
  return fits(&c, &schema->values[0], &text->values[0]);
}
