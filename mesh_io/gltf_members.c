/* Typed members. JSON numbers are doubles, so whole numbers are exact up to 2^53, above any file size. */
#include "mesh_io/gltf_members.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

gltf_place_name gltf_name_place(const gltf_place *place) {
  gltf_place_name name;
  if (place->inner) {
    snprintf(name.text, sizeof name.text, "%s[%zu].%s[%zu]", place->list, place->index, place->inner,
             place->inner_index);
  } else {
    snprintf(name.text, sizeof name.text, "%s[%zu]", place->list, place->index);
  }
  return name;
}

mesh_quote gltf_quote(const json_value *value) {
  mesh_quote quote;
  switch (value->kind) {
  case JSON_NUMBER:
    return mesh_quote_number(value->number);
  case JSON_STRING:
    quote = mesh_quote_text(value->text, strnlen(value->text, 36));
    memmove(quote.text + 1, quote.text, strlen(quote.text) + 1);
    quote.text[0] = '"';
    memcpy(quote.text + strlen(quote.text), "\"", 2);
    return quote;
  case JSON_BOOLEAN:
    return mesh_quote_word(value->boolean ? "true" : "false");
  case JSON_ARRAY:
    snprintf(quote.text, sizeof quote.text, "an array of %zu", value->count);
    return quote;
  case JSON_OBJECT:
    return mesh_quote_text("an object", strlen("an object"));
  case JSON_NULL:
    break;
  }
  return mesh_quote_word("null");
}

bool gltf_fail(const gltf_text *text, const gltf_place *place, const char *format, ...) {
  char words[400];
  va_list values;
  va_start(values, format);
  vsnprintf(words, sizeof words, format, values);
  va_end(values);
  return mesh_fail(text->reading, "%s%s", gltf_name_place(place).text, words);
}

bool gltf_list_read(const gltf_text *text, const char *name, gltf_list *list_out) {
  const json_document *document = &text->document;
  *list_out = (gltf_list){.name = name};
  const json_value *array = json_find_any(document, &document->values[0], name);
  if (!array) return true;
  if (array->kind != JSON_ARRAY) {
    return mesh_fail(text->reading, "%s is %s, not an array", name, gltf_quote(array).text);
  }
  if (array->count == 0) return true;
  void *block = NULL;
  if (!mesh_resize(&text->reading->memory, &block, array->count, sizeof(size_t))) {
    return mesh_fail(text->reading, "out of memory for %zu %s", array->count, name);
  }
  list_out->values = block;
  for (size_t i = array->first; i != 0; i = document->values[i].next) {
    if (document->values[i].kind != JSON_OBJECT) {
      return mesh_fail(text->reading, "%s[%zu] is %s, not an object", name, list_out->count,
                       gltf_quote(&document->values[i]).text);
    }
    list_out->values[list_out->count++] = i;
  }
  return true;
}

gltf_place gltf_list_place(const gltf_text *text, const gltf_list *list, size_t index) {
  return (gltf_place){.value = &text->document.values[list->values[index]], .list = list->name, .index = index};
}

const json_value *gltf_member(const gltf_text *text, const gltf_place *place, const char *key) {
  return json_find_any(&text->document, place->value, key);
}

const json_value *gltf_extension(const gltf_text *text, const gltf_place *place, const char *name) {
  const json_value *extensions = gltf_member(text, place, "extensions");
  return extensions ? json_find_any(&text->document, extensions, name) : NULL;
}

static bool is_whole(const json_value *value, uint64_t most) {
  return value->kind == JSON_NUMBER && value->number >= 0 && value->number <= 9007199254740992.0 &&
         value->number == floor(value->number) && (uint64_t)value->number <= most;
}

bool gltf_take_whole(const gltf_text *text, const gltf_place *place, const char *key, uint64_t fallback, uint64_t most,
                     uint64_t *value_out) {
  const json_value *value = gltf_member(text, place, key);
  *value_out = fallback;
  if (!value) return fallback != GLTF_NEEDED || gltf_fail(text, place, " has no \"%s\"", key);
  if (!is_whole(value, most)) {
    return gltf_fail(text, place, ".%s is %s, not a whole number from 0 to %llu", key, gltf_quote(value).text,
                     (unsigned long long)most);
  }
  *value_out = (uint64_t)value->number;
  return true;
}

bool gltf_read_reference(const gltf_text *text, const gltf_place *place, const char *key, const json_value *value,
                         const gltf_list *list, uint64_t *value_out) {
  if (!is_whole(value, UINT64_MAX) || value->number >= (double)list->count) {
    return gltf_fail(text, place, ".%s refers to %s %s, but there are %zu", key, list->name, gltf_quote(value).text,
                     list->count);
  }
  *value_out = (uint64_t)value->number;
  return true;
}

bool gltf_take_reference(const gltf_text *text, const gltf_place *place, const char *key, uint64_t fallback,
                         const gltf_list *list, uint64_t *value_out) {
  const json_value *value = gltf_member(text, place, key);
  *value_out = fallback;
  if (!value) return fallback != GLTF_NEEDED || gltf_fail(text, place, " has no \"%s\"", key);
  return gltf_read_reference(text, place, key, value, list, value_out);
}

bool gltf_take_numbers(const gltf_text *text, const gltf_place *place, const char *key, size_t count,
                       double *values_out, bool *present_out) {
  const json_value *array = gltf_member(text, place, key);
  *present_out = array != NULL;
  if (!array) return true;
  if (array->kind != JSON_ARRAY || array->count != count) {
    return gltf_fail(text, place, ".%s is %s, not an array of %zu numbers", key, gltf_quote(array).text, count);
  }
  size_t place_in_array = 0;
  for (size_t i = array->first; i != 0; i = text->document.values[i].next, place_in_array++) {
    const json_value *value = &text->document.values[i];
    if (value->kind != JSON_NUMBER) {
      return gltf_fail(text, place, ".%s[%zu] is %s, not a number", key, place_in_array, gltf_quote(value).text);
    }
    values_out[place_in_array] = value->number;
  }
  return true;
}
