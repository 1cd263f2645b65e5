/* Reads exclusions. Workload: a few pairs on the command line, or a file of about 10^6 for thousands of objects. */
#include "exclusion_list.h"

#include "backend_options.h"
#include "complaint.h"
#include "object_names.h"
#include "row_growth.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLACE_BYTES = 512 };

static bool append_pair(exclusion_list *list, size_t a, size_t b) {
  if (!rows_reserve(&list->pairs, &list->capacity, list->count, 1, sizeof *list->pairs))
    return decline("out of memory");
  list->pairs[list->count][0] = a;
  list->pairs[list->count++][1] = b;
  return true;
}

/* Trims blanks at both ends; writes into the text. */
static char *trimmed(char *text) {
  while (*text == ' ' || *text == '\t') text++;
  size_t length = strlen(text);
  while (length > 0 && strchr(" \t\r\n", text[length - 1]) != NULL) length--;
  text[length] = '\0';
  return text;
}

/* Splits "A,B" in place. */
static bool read_pair(const object_names *names, const char *place, char *text, exclusion_list *list) {
  char *comma = strchr(text, ',');
  if (comma == NULL || strchr(comma + 1, ',') != NULL)
    return decline("%s: takes A,B (two objects by number or name), not \"%s\"%s", place, text,
                   comma != NULL ? "; refer to an object whose name has a comma by its number" : "");
  *comma = '\0';
  size_t a, b;
  if (!object_names_find(names, place, trimmed(text), &a) || !object_names_find(names, place, trimmed(comma + 1), &b))
    return false;
  if (a == b)
    return decline("%s: object %zu (%.200s) cannot be excluded from itself", place, a, object_names_label(names, a));
  return append_pair(list, a, b);
}

static bool read_text(const object_names *names, const char *text, exclusion_list *list) {
  char place[PLACE_BYTES], *copy = strdup(text);
  snprintf(place, sizeof place, "--exclude %s", text);
  if (copy == NULL) complain("out of memory");
  const bool done = copy != NULL && read_pair(names, place, copy, list);
  free(copy);
  return done;
}

/* One pair per line. Empty lines are skipped, as is text after a # at the beginning of a line or after a blank. */
static bool read_line(const object_names *names, const char *place, char *line, exclusion_list *list) {
  for (char *mark = strchr(line, '#'); mark != NULL; mark = strchr(mark + 1, '#')) {
    if (mark != line && mark[-1] != ' ' && mark[-1] != '\t') continue;
    *mark = '\0';
    break;
  }
  char *pair = trimmed(line);
  return *pair == '\0' || read_pair(names, place, pair, list);
}

static bool read_file(const object_names *names, const char *path, exclusion_list *list) {
  FILE *stream = fopen(path, "rb");
  if (stream == NULL) return decline("%s: %s", path, strerror(errno));
  char *line = NULL;
  size_t line_capacity = 0, number = 0;
  bool good = true;
  for (ssize_t length; good && (length = getline(&line, &line_capacity, stream)) >= 0;) {
    char place[PLACE_BYTES];
    snprintf(place, sizeof place, "%s, line %zu", path, ++number);
    good = strlen(line) == (size_t)length;
    if (good)
      good = read_line(names, place, line, list);
    else
      complain("%s: the line contains a zero byte; is this a list of pairs?", place);
  }
  if (good && ferror(stream)) {
    complain("%s: %s", path, strerror(errno));
    good = false;
  }
  free(line);
  fclose(stream);
  return good;
}

bool option_read_exclusion(const command_option *option, char *value, void *member) {
  exclusion_sources *sources = member;
  exclusion_source *items = realloc(sources->items, (sources->count + 1) * sizeof *items);
  if (items == NULL) return decline("out of memory");
  sources->items = items;
  items[sources->count++] = (exclusion_source){value, strcmp(option->name, "exclude-file") == 0};
  return true;
}

bool exclusion_list_read(const exclusion_sources *sources, const object_list *objects, exclusion_list *list_out) {
  *list_out = (exclusion_list){0};
  if (sources->count == 0) return true;
  object_names names;
  bool good = object_names_make(objects, &names);
  for (size_t i = 0; good && i < sources->count; i++) {
    const exclusion_source *source = &sources->items[i];
    good = source->is_file ? read_file(&names, source->text, list_out) : read_text(&names, source->text, list_out);
  }
  object_names_release(&names);
  return good;
}

bool exclusion_list_append(exclusion_list *list, const size_t (*pairs)[2], size_t count) {
  bool good = true;
  for (size_t i = 0; good && i < count; i++) good = append_pair(list, pairs[i][0], pairs[i][1]);
  return good;
}

void exclusion_list_release(exclusion_list *list) {
  free(list->pairs);
  *list = (exclusion_list){0};
}

bool exclusion_list_apply(const exclusion_list *list, graze_scene *scene) {
  graze_id_pair *pairs = calloc(list->count + 1, sizeof *pairs);
  if (pairs == NULL) return decline("out of memory");
  for (size_t i = 0; i < list->count; i++)
    pairs[i] = (graze_id_pair){{(uint32_t)list->pairs[i][0], 1}, {(uint32_t)list->pairs[i][1], 1}};
  const graze_result result = graze_scene_exclude_pairs(scene, pairs, list->count, true);
  if (result != GRAZE_OK) complain("%s", library_message(result));
  free(pairs);
  return result == GRAZE_OK;
}

bool exclude_objects(const exclusion_sources *sources, const object_list *objects, const size_t (*more)[2],
                     size_t more_count, graze_scene *scene) {
  exclusion_list list;
  const bool done = exclusion_list_read(sources, objects, &list) && exclusion_list_append(&list, more, more_count) &&
                    exclusion_list_apply(&list, scene);
  exclusion_list_release(&list);
  return done;
}
