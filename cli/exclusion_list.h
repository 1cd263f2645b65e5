/* The excluded pairs of objects, from --exclude and --exclude-file, by number or name. */
#ifndef GRAZE_EXCLUSION_LIST_H
#define GRAZE_EXCLUSION_LIST_H

#include "object_list.h"
#include "option_values.h"

/* A source of pairs: "A,B", or a file with one such pair per line. */
typedef struct exclusion_source {
  const char *text; /* borrowed */
  bool is_file;
} exclusion_source;

/* The values of --exclude and --exclude-file, in the order given. */
typedef struct exclusion_sources {
  exclusion_source *items; /* release with free */
  size_t count;
} exclusion_sources;

/* Appends to an exclusion_sources. */
option_reader option_read_exclusion;

/* Object numbers, two per pair. */
typedef struct exclusion_list {
  size_t (*pairs)[2]; /* owned */
  size_t count, capacity;
} exclusion_list;

/* Finds the objects named by the sources. False after a complaint. Call exclusion_list_release in any case. */
bool exclusion_list_read(const exclusion_sources *sources, const object_list *objects, exclusion_list *list_out);

/* Appends pairs of numbers. False after a complaint. */
bool exclusion_list_append(exclusion_list *list, const size_t (*pairs)[2], size_t count);
void exclusion_list_release(exclusion_list *list);

/* Excludes the pairs in a scene whose objects have the numbers of the list, and the first generation. False after a
 * complaint. */
bool exclusion_list_apply(const exclusion_list *list, graze_scene *scene);

/* Excludes the pairs of the sources and `more` pairs of numbers; false after a complaint. */
bool exclude_objects(const exclusion_sources *sources, const object_list *objects, const size_t (*more)[2],
                     size_t more_count, graze_scene *scene);

#endif
