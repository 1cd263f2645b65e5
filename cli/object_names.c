/* Names of objects. Workload: a few names on the command line, or files with about 10^6 of them for thousands of
 * objects, so names are sorted once and found by binary search. */
#include "object_names.h"

#include "close_match.h"
#include "complaint.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES_OF_OBJECT = 6, CANDIDATES_SHOWN = 8, CANDIDATE_BYTES = 2048 };

static int compare_names(const void *first, const void *second) {
  const object_name *a = first, *b = second;
  const int order = strcmp(a->text, b->text);
  if (order != 0) return order;
  if (a->has_no_ending != b->has_no_ending) return a->has_no_ending ? 1 : -1;
  return a->object < b->object ? -1 : a->object > b->object;
}

void object_names_release(object_names *names) {
  for (size_t i = 0; names->labels != NULL && i < names->objects->count; i++) free(names->labels[i]);
  for (size_t i = 0; names->stems != NULL && i < names->objects->count; i++) free(names->stems[i]);
  free(names->labels);
  free(names->stems);
  free(names->names);
  *names = (object_names){0};
}

static void add_name(object_names *names, const char *text, size_t object, bool has_no_ending) {
  names->names[names->count++] = (object_name){text, object, has_no_ending};
}

/* False when out of memory. */
static bool add_stem(object_names *names, const char *file, size_t object) {
  size_t length = strlen(file);
  if (length > 3 && strcmp(file + length - 3, ".gz") == 0) length -= 3;
  size_t end = length;
  while (end > 0 && file[end - 1] != '.') end--;
  if (end < 2) return true;
  names->stems[object] = strndup(file, end - 1);
  if (names->stems[object] != NULL) add_name(names, names->stems[object], object, true);
  return names->stems[object] != NULL;
}

static bool add_names(object_names *names, size_t object) {
  const object_entry *entry = &names->objects->entries[object];
  const char *folder_end = strrchr(entry->file, '/');
  const bool is_file = !names->objects->named;
  add_name(names, entry->file, object, false);
  if (folder_end != NULL && is_file) add_name(names, folder_end + 1, object, false);
  if (is_file && !add_stem(names, folder_end != NULL ? folder_end + 1 : entry->file, object)) return false;
  if (names->labels == NULL) return true;
  add_name(names, entry->name, object, false);
  add_name(names, names->labels[object], object, false);
  if (folder_end != NULL && is_file && strncmp(names->labels[object], entry->file, strlen(entry->file)) == 0)
    add_name(names, names->labels[object] + (folder_end + 1 - entry->file), object, false);
  return true;
}

static void drop_repetitions(object_names *names) {
  size_t kept = 0;
  for (size_t i = 0; i < names->count; i++)
    if (i == 0 || compare_names(&names->names[i], &names->names[kept - 1]) != 0) names->names[kept++] = names->names[i];
  names->count = kept;
}

static bool fill_names(const object_list *objects, object_names *names_out) {
  *names_out =
      (object_names){.objects = objects, .names = calloc(objects->count + 1, NAMES_OF_OBJECT * sizeof(object_name))};
  names_out->stems = calloc(objects->count + 1, sizeof(char *));
  if (names_out->names == NULL || names_out->stems == NULL) return false;
  if (objects->separate || objects->components) {
    names_out->labels = calloc(objects->count + 1, sizeof(char *));
    if (names_out->labels == NULL) return false;
    for (size_t i = 0; i < objects->count; i++)
      if ((names_out->labels[i] = object_list_label(objects, i)) == NULL) return false;
  }
  for (size_t i = 0; i < objects->count; i++)
    if (!add_names(names_out, i)) return false;
  qsort(names_out->names, names_out->count, sizeof *names_out->names, compare_names);
  drop_repetitions(names_out);
  return true;
}

bool object_names_make(const object_list *objects, object_names *names_out) {
  const bool made = fill_names(objects, names_out);
  if (!made) complain("out of memory");
  return made;
}

const char *object_names_label(const object_names *names, size_t object) {
  return names->labels != NULL ? names->labels[object] : names->objects->entries[object].file;
}

/* The first place of names with this text. */
static size_t first_with_text(const object_names *names, const char *text) {
  size_t first = 0, end = names->count;
  while (first < end) {
    const size_t middle = first + (end - first) / 2;
    if (strcmp(names->names[middle].text, text) < 0)
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

static void add_candidate(candidate_words *words, const object_names *names, size_t object) {
  if (words->shown++ >= CANDIDATES_SHOWN) return;
  const char *label = object_names_label(names, object);
  const size_t used = strlen(words->text);
  snprintf(words->text + used, sizeof words->text - used, "%s%zu (%.200s)", used > 0 ? ", " : "", object, label);
}

static void end_candidates(candidate_words *words) {
  const size_t used = strlen(words->text);
  if (words->shown > CANDIDATES_SHOWN)
    snprintf(words->text + used, sizeof words->text - used, " and %zu more", words->shown - CANDIDATES_SHOWN);
}

static bool refuse_unknown(const object_names *names, const char *place, const char *text) {
  candidate_words words = {"", 0};
  close_match match = {.wanted = text};
  for (size_t i = 0; i < names->objects->count; i++) add_candidate(&words, names, i);
  end_candidates(&words);
  for (size_t i = 0; names->objects->named && i < names->count; i++) close_match_offer(&match, names->names[i].text);
  if (match.best != NULL)
    return decline("%s: there is no object \"%s\"; did you mean \"%s\"? The objects are %s", place, text, match.best,
                   words.text);
  return decline("%s: there is no object \"%s\"; the objects are %s", place, text, words.text);
}

/* Whether the next name is the same and of the same sort. */
static bool is_repeated(const object_names *names, size_t i) {
  return i + 1 < names->count && strcmp(names->names[i + 1].text, names->names[i].text) == 0 &&
         names->names[i + 1].has_no_ending == names->names[i].has_no_ending;
}

static bool refuse_ambiguous(const object_names *names, const char *place, size_t first) {
  candidate_words words = {"", 0};
  add_candidate(&words, names, names->names[first].object);
  for (size_t i = first; is_repeated(names, i); i++) add_candidate(&words, names, names->names[i + 1].object);
  end_candidates(&words);
  return decline("%s: \"%s\" names several objects: %s; give the number", place, names->names[first].text, words.text);
}

bool object_names_find(const object_names *names, const char *place, const char *text, size_t *object_out) {
  if (text[0] != '\0' && strspn(text, "0123456789") == strlen(text)) {
    errno = 0;
    const uint64_t number = strtoull(text, NULL, 10);
    if (errno != 0 || number >= names->objects->count) return refuse_unknown(names, place, text);
    *object_out = (size_t)number;
    return true;
  }
  const size_t first = first_with_text(names, text);
  const bool found = first < names->count && strcmp(names->names[first].text, text) == 0;
  if (!found) return refuse_unknown(names, place, text);
  if (is_repeated(names, first)) return refuse_ambiguous(names, place, first);
  *object_out = names->names[first].object;
  return true;
}
