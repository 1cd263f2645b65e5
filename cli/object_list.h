/* The objects of a check: the meshes of its files, in the order of the command line. */
#ifndef GRAZE_OBJECT_LIST_H
#define GRAZE_OBJECT_LIST_H

#include "option_values.h"
#include "placement.h"
#include "progress.h"
#include "shared_mesh.h"

/* The data of an object for reports. It outlives the mesh, whose arrays can be released early. */
typedef struct object_entry {
  const char *file; /* as given by the user; the name of an object of a scene file. Borrowed */
  const char *path; /* the mesh file of an object of a scene file; else NULL. Borrowed */
  char *name;       /* of the group or solid; owned */
  graze_kind kind;
  size_t vertex_count, primitive_count;
  uint64_t skipped, unknown_lines; /* of its file */
  shared_mesh *shared;             /* NULL: the object owns the mesh in the list. Borrowed */
  graze_pose pose; /* of an object that shares a mesh: to be applied to the positions of the mesh in the list */
} object_entry;

/* For columns of records: the file, of a scene that of the mesh; and the kind of primitives. */
bool object_entry_find_file(const void *entry, void *text_out);
bool object_entry_find_kind(const void *entry, void *text_out);

typedef struct object_list {
  object_entry *entries;
  mesh *meshes; /* parallel to the entries; those that share a mesh borrow its arrays */
  size_t count, capacity;
  bool separate;     /* objects are parts of files */
  bool weld;         /* vertices at the same place are merged */
  bool components;   /* objects are connected components of files, and their names contain that of the file */
  bool named;        /* the `file` of an entry is the name of an object of a scene file */
  bool allow_large;  /* read compressed files of any expanded size */
  bool only_regular; /* refuse pipes and devices */
} object_list;

/* Reads a file and appends its meshes. False after a complaint; earlier objects stay. */
bool object_list_read(object_list *objects, const char *file, progress *steps);

/* Appends copies of meshes. False after a complaint. */
bool object_list_copy(object_list *objects, const char *file, const mesh *meshes, size_t mesh_count);

/* Appends an object whose mesh is elsewhere; the one in the list is empty, but has these counts. False when out of
 * memory. */
bool object_list_note(object_list *objects, const char *file, graze_kind kind, size_t primitive_count,
                      size_t vertex_count);

/* Appends an object that shares a mesh, at the identity. `name` and `path` are borrowed. False after a complaint. */
bool object_list_share(object_list *objects, const char *name, const char *path, shared_mesh *shared);

/* Adds the object to a scene, with its pose. */
graze_result object_list_add_to(const object_list *objects, size_t object, graze_scene *scene,
                                graze_object *object_out);

/* Returns the positions of an object, with the pose of one that shares a mesh; release with free. NULL when out of
 * memory. */
double *object_list_placed_positions(const object_list *objects, size_t object);

/* Returns a vertex of an object, or the center of a sphere, likewise. */
void object_list_fetch_vertex(const object_list *objects, size_t object, size_t vertex, double position_out[3]);

/* Applies a placement to the positions of the object, and scales the radii of its spheres. The rounded positions are
 * tested and drawn. An object that shares a mesh continues to share it under rigid motions. False after a complaint
 * that begins with `words`: a coordinate leaves the range of double, or spheres would become ellipsoids. */
bool object_list_place(object_list *objects, size_t object, const placement *by, const char *words);

/* The same for --move and --rotate; also false after a complaint if there is no such object. */
bool object_list_shift(object_list *objects, const shift *by);
bool object_list_rotate(object_list *objects, const rotation *by);

/* All of them, rotations first. */
bool object_list_move(object_list *objects, const object_moves *moves);

uint64_t object_list_primitive_count(const object_list *objects);

/* The elements that were skipped while reading; those of the parts of a file count once. */
uint64_t object_list_skipped_count(const object_list *objects);

/* The singular and plural names of the primitives: by their kind, or general if kinds are mixed. */
typedef struct primitive_words {
  const char *one, *many;
} primitive_words;
primitive_words object_list_words(const object_list *objects);

/* The number of primitives as text: "24 tetrahedra". */
plain_words object_list_amount(const object_list *objects);

/* Whether there are nonempty objects of tetrahedra or polyhedra. */
size_t object_list_solid_count(const object_list *objects);

/* Write or return the label of the object: "FILE", "FILE[GROUP]" if files have parts, "FILE#0" if they are components.
 * The second returns NULL when out of memory; release it with free. */
void object_list_write_label(const object_list *objects, size_t object, FILE *stream);
char *object_list_label(const object_list *objects, size_t object);

/* Returns the columns of the label, counted in UTF-8 sequences. */
int object_list_label_width(const object_list *objects, size_t object);

/* Releases positions and elements, keeps the entries. */
void object_list_release_meshes(object_list *objects);
void object_list_release(object_list *objects);

#endif
