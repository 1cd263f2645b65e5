/* Finds the objects that a user names: by number, by the file with or without folders and ending, and, if files have
 * parts, by the part or by "FILE[PART]", as in the report. Objects of a scene file have their names. A name without
 * ending counts only if no object has it as its whole name. */
#ifndef GRAZE_OBJECT_NAMES_H
#define GRAZE_OBJECT_NAMES_H

#include "object_list.h"

typedef struct object_name {
  const char *text; /* borrowed */
  size_t object;
  bool has_no_ending; /* the file has one */
} object_name;

typedef struct object_names {
  const object_list *objects; /* borrowed */
  object_name *names;         /* by text, then those with endings, then by object; each once */
  size_t count;
  char **labels; /* "FILE[PART]" of each object; owned, NULL if files have no parts */
  char **stems;  /* the file without folders and ending; owned, NULL where there is no ending */
} object_names;

/* False after a complaint. Call object_names_release in any case. */
bool object_names_make(const object_list *objects, object_names *names_out);
void object_names_release(object_names *names);

/* Finds the object with this name. False after a complaint that begins with `place` if there is none or several. */
bool object_names_find(const object_names *names, const char *place, const char *text, size_t *object_out);

/* Returns the label of the object in the report. */
const char *object_names_label(const object_names *names, size_t object);

#endif
