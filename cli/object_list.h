/* The objects that `graze check` looks at: the meshes of its files, in the order of the command line. */
#ifndef GRAZE_OBJECT_LIST_H
#define GRAZE_OBJECT_LIST_H

#include "option_values.h"
#include "placement.h"
#include "progress.h"
#include "shared_mesh.h"

/* What the report needs to know of an object; it outlives the mesh, whose arrays can be released early. */
typedef struct object_entry {
  const char *file; /* as the user wrote it; of a scene file: the name of the object. Borrowed */
  const char *path; /* of a scene file: the file of the mesh; else NULL. Borrowed */
  char *name;       /* of the group or solid; owned */
  graze_kind kind;
  size_t vertex_count, primitive_count;
  uint64_t unknown_lines; /* of its file */
  shared_mesh *shared;    /* NULL: the mesh in the list is the object's own. Borrowed */
  graze_pose pose;        /* where it shares one: to be applied to the positions of the mesh in the list */
} object_entry;

typedef struct object_list {
  object_entry *entries;
  mesh *meshes; /* beside the entries; of those that share one, its arrays, which are borrowed */
  size_t count, capacity;
  bool separate;    /* whether objects are parts of files */
  bool weld;        /* whether vertices at the same place are one */
  bool components;  /* whether objects are connected components of files, with names that hold that of the file */
  bool named;       /* the `file` of an entry is the name of an object of a scene file */
  bool allow_large; /* read compressed files however large they become */
} object_list;

/* Reads a file and appends its meshes. False after a complaint; what was read before stays. */
bool object_list_read(object_list *objects, const char *file, progress *steps);

/* Appends copies of meshes. False after a complaint. */
bool object_list_copy(object_list *objects, const char *file, const mesh *meshes, size_t mesh_count);

/* Appends an object that shares a mesh, at the identity. `name` and `path` are borrowed. False after a complaint. */
bool object_list_share(object_list *objects, const char *name, const char *path, shared_mesh *shared);

/* Adds the object to a scene, with its pose. */
graze_result object_list_add_to(const object_list *objects, size_t object, graze_scene *scene,
                                graze_object *object_out);

/* The positions of an object with the pose of one that shares a mesh, to be released by free. NULL: memory is out. */
double *object_list_placed_positions(const object_list *objects, size_t object);

/* A vertex of an object, or the center of a sphere, likewise. */
void object_list_fetch_vertex(const object_list *objects, size_t object, size_t vertex, double position_out[3]);

/* Places the positions of the object, and scales the radii of its spheres. The rounded positions are what is tested and
 * drawn. An object that shares a mesh goes on to do so as long as it is placed by rigid motions. False after a
 * complaint that begins with `words`: a coordinate leaves the range of double, or spheres would become ellipsoids. */
bool object_list_place(object_list *objects, size_t object, const placement *by, const char *words);

/* The same for --move and --rotate; false after a complaint also where there is no such object. */
bool object_list_shift(object_list *objects, const shift *by);
bool object_list_rotate(object_list *objects, const rotation *by);

uint64_t object_list_primitive_count(const object_list *objects);

/* What one and many of the primitives are called: by their kind, or plainly where kinds are mixed. */
typedef struct primitive_words {
  const char *one, *many;
} primitive_words;
primitive_words object_list_words(const object_list *objects);

/* How many primitives there are, in these words: "24 tetrahedra". */
plain_words object_list_amount(const object_list *objects);

/* Objects of tetrahedra or polyhedra that are not empty. */
size_t object_list_solid_count(const object_list *objects);

/* How people call the object: "FILE", or "FILE[GROUP]" where files have parts, or "FILE#0" where they are components.
 * The second is NULL when memory is out; release it by free. */
void object_list_write_label(const object_list *objects, size_t object, FILE *stream);
char *object_list_label(const object_list *objects, size_t object);

/* Columns that the label takes, counted in UTF-8 sequences. */
int object_list_label_width(const object_list *objects, size_t object);

/* Releases positions and elements, keeps the entries. */
void object_list_release_meshes(object_list *objects);
void object_list_release(object_list *objects);

#endif
