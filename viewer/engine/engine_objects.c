/* Adds meshes to the scene as `graze check` does: one object for each mesh of a file, in double precision, with the
 * identity pose. Workload: a few files of up to a few million primitives, rarely; a mesh is released as soon as the
 * scene has copied it. */
#include "viewer/engine/engine_objects.h"

#include "mesh_io/mesh_file.h"
#include "models/mesh_object.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_BYTES = 4096 };

static char message[MESSAGE_BYTES];

const char *engine_message(void) {
  return message;
}

bool engine_fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  return false;
}

bool engine_refused(graze_result result) {
  return result == GRAZE_OK || engine_fail("%s", graze_error_text());
}

graze_result engine_objects_start(engine_objects *all) {
  graze_scene_def def = graze_scene_def_default();
  def.threading = GRAZE_THREADING_SERIAL;
  *all = (engine_objects){.scene = NULL};
  return graze_scene_create(&def, &all->scene);
}

static void release_object(engine_object *object) {
  free(object->name);
  free(object->file);
  free(object->note);
  free(object->label);
  display_mesh_release(&object->display);
}

void engine_objects_end(engine_objects *all) {
  for (size_t i = 0; i < all->count; ++i) release_object(&all->objects[i]);
  free(all->objects);
  graze_scene_destroy(all->scene);
  *all = (engine_objects){.scene = NULL};
}

void engine_objects_cut(engine_objects *all, size_t count, size_t file_count) {
  while (all->count > count) {
    engine_object *const last = &all->objects[--all->count];
    (void)graze_scene_remove_object(all->scene, last->id);
    release_object(last);
  }
  all->file_count = file_count;
}

static bool reserve(engine_objects *all) {
  if (all->count < all->capacity) return true;
  const size_t capacity = 2 * all->capacity + 4;
  engine_object *const objects = realloc(all->objects, capacity * sizeof *objects);
  if (objects == NULL) return false;
  all->objects = objects;
  all->capacity = capacity;
  return true;
}

static char *label_of(const mesh *part, const char *file, bool separate) {
  const char *const folder_end = strrchr(file, '/');
  const char *const own = folder_end != NULL ? folder_end + 1 : file;
  if (file[0] == '\0' || !separate) return strdup(file[0] == '\0' ? part->name : own);
  const size_t bytes = strlen(own) + strlen(part->name) + 3;
  char *const label = malloc(bytes);
  if (label != NULL) snprintf(label, bytes, "%s[%s]", own, part->name);
  return label;
}

/* The library's messages identify an object by its file, as in `graze check`. */
static bool add(engine_objects *all, mesh *part, const char *file, bool separate) {
  engine_object object = {.kind = mesh_object_kind(part),
                          .name = strdup(part->name),
                          .file = strdup(file),
                          .label = label_of(part, file, separate),
                          .vertex_count = part->vertex_count,
                          .primitive_count = mesh_element_count(part)};
  object.note = part->note;
  part->note = NULL;
  bool added = false;
  if (object.name == NULL || object.file == NULL || object.label == NULL || !reserve(all) ||
      !display_mesh_make(part, &object.display)) {
    engine_fail("%s: out of memory for an object of %zu vertices", file, part->vertex_count);
  } else {
    const graze_result result = mesh_object_add(all->scene, part, file[0] != '\0' ? file : part->name, &object.id);
    /* mesh_object_add sets no message if it cannot allocate the arrays that it passes to the library. */
    added = result == GRAZE_OUT_OF_MEMORY
                ? engine_fail("%s: out of memory for an object of %zu primitives", file, object.primitive_count)
                : engine_refused(result);
  }
  if (added)
    all->objects[all->count++] = object;
  else
    release_object(&object);
  return added;
}

bool engine_objects_take(engine_objects *all, mesh *part, const char *file, bool separate) {
  const bool added = add(all, part, file, separate);
  mesh_free(part);
  return added;
}

bool engine_objects_read(engine_objects *all, const void *bytes, size_t size, const char *name, bool separate) {
  const mesh_read_options how = {.separate = separate, .byte_limit = ENGINE_FILE_BYTES_MAX};
  const size_t count = all->count, file_count = all->file_count;
  mesh *meshes = NULL;
  size_t mesh_count = 0;
  if (!mesh_bytes_read(bytes, size, name, &how, &meshes, &mesh_count, message, sizeof message)) return false;
  bool added = true;
  for (size_t i = 0; added && i < mesh_count; ++i) added = engine_objects_take(all, &meshes[i], name, separate);
  mesh_list_free(meshes, mesh_count);
  engine_objects_cut(all, added ? all->count : count, added ? file_count + 1 : file_count);
  return added;
}

size_t engine_objects_solid_count(const engine_objects *all) {
  size_t count = 0;
  for (size_t i = 0; i < all->count; ++i)
    count += graze_kind_is_solid(all->objects[i].kind) && all->objects[i].primitive_count > 0;
  return count;
}
