/* Reading exclusions. An object is named by its number, its file as it was written or without folders, and, where files
 * have parts, by its part or by "FILE[PART]", as the report names it; a component by "FILE#0".
 *
 * Workload: a few pairs on the command line, or a file of some 10^6 for thousands of objects; so names are sorted once,
 * and each is found by halving. */
#include "exclusion_list.h"

#include "complaint.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES_OF_OBJECT = 4, PLACE_BYTES = 512, CANDIDATES_SHOWN = 8, CANDIDATE_BYTES = 2048 };

typedef struct object_name {
  const char *text;
  size_t object;
} object_name;

typedef struct name_index {
  const object_list *objects;
  object_name *names; /* by text, then by object; each once */
  size_t count;
  char **labels; /* "FILE[PART]" or "FILE#0" of each object; owned, NULL where files have no parts */
} name_index;

/* ---------------------------------------------------------------------------------------------- names */

static int compare_names(const void *first, const void *second) {
  const object_name *a = first, *b = second;
  const int order = strcmp(a->text, b->text);
  if (order != 0) return order;
  return a->object < b->object ? -1 : a->object > b->object;
}

static void release_index(name_index *index) {
  for (size_t i = 0; index->labels != NULL && i < index->objects->count; ++i) free(index->labels[i]);
  free(index->labels);
  free(index->names);
}

static void add_name(name_index *index, const char *text, size_t object) {
  index->names[index->count++] = (object_name){text, object};
}

static void add_names(name_index *index, size_t object) {
  const object_entry *entry = &index->objects->entries[object];
  const char *folder_end = strrchr(entry->file, '/');
  add_name(index, entry->file, object);
  if (folder_end != NULL) add_name(index, folder_end + 1, object);
  if (index->labels == NULL) return;
  add_name(index, entry->name, object);
  add_name(index, index->labels[object], object);
}

static void drop_repetitions(name_index *index) {
  size_t kept = 0;
  for (size_t i = 0; i < index->count; ++i)
    if (i == 0 || compare_names(&index->names[i], &index->names[kept - 1]) != 0) index->names[kept++] = index->names[i];
  index->count = kept;
}

/* False when out of memory. */
static bool make_index(const object_list *objects, name_index *index_out) {
  *index_out =
      (name_index){.objects = objects, .names = calloc(objects->count + 1, NAMES_OF_OBJECT * sizeof(object_name))};
  if (index_out->names == NULL) return false;
  if (objects->separate || objects->components) {
    index_out->labels = calloc(objects->count + 1, sizeof(char *));
    if (index_out->labels == NULL) return false;
    for (size_t i = 0; i < objects->count; ++i)
      if ((index_out->labels[i] = object_list_label(objects, i)) == NULL) return false;
  }
  for (size_t i = 0; i < objects->count; ++i) add_names(index_out, i);
  qsort(index_out->names, index_out->count, sizeof *index_out->names, compare_names);
  drop_repetitions(index_out);
  return true;
}

/* Where names with this text begin, or would. */
static size_t first_with_text(const name_index *index, const char *text) {
  size_t first = 0, end = index->count;
  while (first < end) {
    const size_t middle = first + (end - first) / 2;
    if (strcmp(index->names[middle].text, text) < 0)
      first = middle + 1;
    else
      end = middle;
  }
  return first;
}

/* ---------------------------------------------------------------------------------------------- complaints */

/* "0 (a.obj), 2 (b.obj) and 3 more". */
typedef struct candidate_words {
  char text[CANDIDATE_BYTES];
  size_t shown;
} candidate_words;

static void add_candidate(candidate_words *words, const name_index *index, size_t object) {
  if (words->shown++ >= CANDIDATES_SHOWN) return;
  const char *label = index->labels != NULL ? index->labels[object] : index->objects->entries[object].file;
  const size_t used = strlen(words->text);
  snprintf(words->text + used, sizeof words->text - used, "%s%zu (%.200s)", used > 0 ? ", " : "", object, label);
}

static void end_candidates(candidate_words *words) {
  const size_t used = strlen(words->text);
  if (words->shown > CANDIDATES_SHOWN)
    snprintf(words->text + used, sizeof words->text - used, " and %zu more", words->shown - CANDIDATES_SHOWN);
}

static bool refuse_unknown(const name_index *index, const char *place, const char *text) {
  candidate_words words = {"", 0};
  for (size_t i = 0; i < index->objects->count; ++i) add_candidate(&words, index, i);
  end_candidates(&words);
  complain("%s: there is no object \"%s\"; the objects are %s", place, text, words.text);
  return false;
}

static bool refuse_ambiguous(const name_index *index, const char *place, size_t first) {
  candidate_words words = {"", 0};
  const char *text = index->names[first].text;
  for (size_t i = first; i < index->count && strcmp(index->names[i].text, text) == 0; ++i)
    add_candidate(&words, index, index->names[i].object);
  end_candidates(&words);
  complain("%s: \"%s\" names several objects: %s; take the number", place, text, words.text);
  return false;
}

/* ---------------------------------------------------------------------------------------------- pairs */

static bool find_object(const name_index *index, const char *place, const char *text, size_t *object_out) {
  if (text[0] != '\0' && strspn(text, "0123456789") == strlen(text)) {
    errno = 0;
    const uint64_t number = strtoull(text, NULL, 10);
    if (errno != 0 || number >= index->objects->count) return refuse_unknown(index, place, text);
    *object_out = (size_t)number;
    return true;
  }
  const size_t first = first_with_text(index, text);
  const bool found = first < index->count && strcmp(index->names[first].text, text) == 0;
  if (!found) return refuse_unknown(index, place, text);
  if (first + 1 < index->count && strcmp(index->names[first + 1].text, text) == 0)
    return refuse_ambiguous(index, place, first);
  *object_out = index->names[first].object;
  return true;
}

static bool append(exclusion_list *list, size_t a, size_t b) {
  if (list->count == list->capacity) {
    const size_t capacity = 2 * list->capacity + 16;
    size_t(*pairs)[2] = realloc(list->pairs, capacity * sizeof *pairs);
    if (pairs == NULL) {
      complain("out of memory");
      return false;
    }
    list->pairs = pairs;
    list->capacity = capacity;
  }
  list->pairs[list->count][0] = a;
  list->pairs[list->count++][1] = b;
  return true;
}

/* Without blanks at either end; writes into the text. */
static char *trimmed(char *text) {
  while (*text == ' ' || *text == '\t') ++text;
  size_t length = strlen(text);
  while (length > 0 && strchr(" \t\r\n", text[length - 1]) != NULL) --length;
  text[length] = '\0';
  return text;
}

/* "A,B"; the text is cut in two. */
static bool read_pair(const name_index *index, const char *place, char *text, exclusion_list *list) {
  char *comma = strchr(text, ',');
  if (comma == NULL || strchr(comma + 1, ',') != NULL) {
    complain("%s: takes A,B (two objects by number or name), not \"%s\"%s", place, text,
             comma != NULL ? "; an object whose name has a comma goes by its number" : "");
    return false;
  }
  *comma = '\0';
  size_t a, b;
  if (!find_object(index, place, trimmed(text), &a) || !find_object(index, place, trimmed(comma + 1), &b)) return false;
  if (a == b) {
    candidate_words words = {"", 0};
    add_candidate(&words, index, a);
    complain("%s: object %s cannot be excluded from itself", place, words.text);
    return false;
  }
  return append(list, a, b);
}

static bool read_text(const name_index *index, const char *text, exclusion_list *list) {
  char place[PLACE_BYTES], *copy = strdup(text);
  snprintf(place, sizeof place, "--exclude %s", text);
  if (copy == NULL) complain("out of memory");
  const bool done = copy != NULL && read_pair(index, place, copy, list);
  free(copy);
  return done;
}

/* A pair a line. Empty lines, and what follows a # at the beginning of a line or after a blank, are passed over. */
static bool read_line(const name_index *index, const char *place, char *line, exclusion_list *list) {
  for (char *mark = strchr(line, '#'); mark != NULL; mark = strchr(mark + 1, '#')) {
    if (mark != line && mark[-1] != ' ' && mark[-1] != '\t') continue;
    *mark = '\0';
    break;
  }
  char *pair = trimmed(line);
  return *pair == '\0' || read_pair(index, place, pair, list);
}

static bool read_file(const name_index *index, const char *path, exclusion_list *list) {
  FILE *stream = fopen(path, "rb");
  if (stream == NULL) {
    complain("%s: %s", path, strerror(errno));
    return false;
  }
  char *line = NULL;
  size_t line_room = 0, number = 0;
  bool good = true;
  for (ssize_t length; good && (length = getline(&line, &line_room, stream)) >= 0;) {
    char place[PLACE_BYTES];
    snprintf(place, sizeof place, "%s, line %zu", path, ++number);
    good = strlen(line) == (size_t)length;
    if (good)
      good = read_line(index, place, line, list);
    else
      complain("%s: the line has a byte 0; is this a list of pairs?", place);
  }
  if (good && ferror(stream)) {
    complain("%s: %s", path, strerror(errno));
    good = false;
  }
  free(line);
  fclose(stream);
  return good;
}

bool exclusion_list_read(const exclusion_source *sources, size_t source_count, const object_list *objects,
                         exclusion_list *list_out) {
  *list_out = (exclusion_list){0};
  if (source_count == 0) return true;
  name_index index;
  bool good = make_index(objects, &index);
  if (!good) complain("out of memory");
  for (size_t i = 0; good && i < source_count; ++i)
    good = sources[i].is_file ? read_file(&index, sources[i].text, list_out)
                              : read_text(&index, sources[i].text, list_out);
  release_index(&index);
  return good;
}

void exclusion_list_release(exclusion_list *list) {
  free(list->pairs);
  *list = (exclusion_list){0};
}
