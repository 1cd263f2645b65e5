/* The objects of the engine: the scene, and the name, file, note and display mesh of each object. */
#ifndef GRAZE_ENGINE_OBJECTS_H
#define GRAZE_ENGINE_OBJECTS_H

#include "viewer/engine/display_mesh.h"

#include "graze/graze.h"

/* The memory of the engine is enough for a file of this size, its mesh and a search: about five million triangles. */
enum { ENGINE_FILE_BYTES_MAX = 256 << 20 };

typedef struct engine_object {
  graze_object id;
  char *name, *file, *note; /* owned; the note may be NULL */
  char *label;              /* owned: the name in ids of regions, that of `graze check`, without folders */
  graze_kind kind;
  size_t vertex_count, primitive_count;
  display_mesh display; /* empty once the page has copied it */
} engine_object;

typedef struct engine_objects {
  graze_scene *scene;
  engine_object *objects;
  size_t count, capacity;
  size_t file_count; /* files that were read; a mesh without a file counts as one */
} engine_objects;

/* Creates an empty scene with the method "auto". */
graze_result engine_objects_start(engine_objects *all);
void engine_objects_end(engine_objects *all);

/* Reads a file and appends its meshes: all of them or none. */
bool engine_objects_read(engine_objects *all, const void *bytes, size_t size, const char *name, bool separate);

/* Appends one mesh and releases it, also on failure. It is labeled by its file, by both names if it is one of several
 * meshes, or by its name if it has no file. */
bool engine_objects_take(engine_objects *all, mesh *part, const char *file, bool separate);

/* Removes all objects with a number of at least `count`; `file_count` files remain. */
void engine_objects_cut(engine_objects *all, size_t count, size_t file_count);

/* Returns the number of non-empty objects of tetrahedra or polyhedra. */
size_t engine_objects_solid_count(const engine_objects *all);

/* Returns the message of the last failure, from the library or from the engine. */
const char *engine_message(void);
bool engine_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
bool engine_refused(graze_result result); /* true for GRAZE_OK; otherwise stores the library's message */

#endif
