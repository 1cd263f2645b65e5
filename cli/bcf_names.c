/* Names of objects in BCF: report names without folders, and the ids used by other programs. */
#include "bcf_names.h"

#include "complaint.h"

#include <stdlib.h>
#include <string.h>

static const char *without_folders(const char *file) {
  const char *end = strrchr(file, '/');
  return end == NULL ? file : end + 1;
}

/* Some exporters write one file per element and name it by its IfcGuid. */
enum { IFC_GUID_LENGTH = 22 };

char *bcf_object_id(const object_list *objects, size_t object) {
  const object_entry *entry = &objects->entries[object];
  if (objects->separate && entry->name != NULL && entry->name[0] != '\0') return strdup(entry->name);
  if (objects->named || objects->separate || objects->components) return object_list_label(objects, object);
  const char *file = without_folders(entry->file);
  const size_t stem = strcspn(file, ".");
  return stem == IFC_GUID_LENGTH ? strndup(file, stem) : strdup(file);
}

char *bcf_object_label(const object_list *objects, size_t object) {
  char *label = object_list_label(objects, object);
  const char *file = objects->entries[object].file;
  if (label == NULL || objects->named) return label;
  char *shorter = strdup(label + (strncmp(label, file, strlen(file)) == 0 ? without_folders(file) - file : 0));
  free(label);
  return shorter;
}

const char *bcf_file_name(const object_list *objects, size_t object) {
  const object_entry *entry = &objects->entries[object];
  return without_folders(entry->path != NULL ? entry->path : entry->file);
}

char **bcf_object_labels_make(const object_list *objects) {
  char **labels = calloc(objects->count + 1, sizeof *labels);
  bool complete = labels != NULL;
  for (size_t i = 0; complete && i < objects->count; i++) complete = (labels[i] = bcf_object_label(objects, i)) != NULL;
  if (complete) return labels;
  complain("out of memory for the names of objects");
  bcf_object_labels_free(labels, objects->count);
  return NULL;
}

void bcf_object_labels_free(char **labels, size_t count) {
  for (size_t i = 0; labels != NULL && i < count; i++) free(labels[i]);
  free(labels);
}
