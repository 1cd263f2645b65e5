/* Names of objects in BCF archives, for `graze check --bcf` and for the page of a check. */
#ifndef GRAZE_BCF_NAMES_H
#define GRAZE_BCF_NAMES_H

#include "object_list.h"

/* Returns the name in the report, without folders. NULL when out of memory; release with free. */
char *bcf_object_label(const object_list *objects, size_t object);

/* Returns the id in the authoring program: the IfcGuid if the file is named by one, else the object's own name. As
 * above. */
char *bcf_object_id(const object_list *objects, size_t object);

/* Returns the file of the object, without folders; borrowed. */
const char *bcf_file_name(const object_list *objects, size_t object);

/* The labels of all objects, which enter the ids of regions: these do not change if objects or folders are added. NULL
 * after a complaint. */
char **bcf_object_labels_make(const object_list *objects);
void bcf_object_labels_free(char **labels, size_t count);

#endif
