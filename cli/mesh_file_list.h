/* The mesh files that a command line means: files by name, folders with all that lies in them. */
#ifndef GRAZE_MESH_FILE_LIST_H
#define GRAZE_MESH_FILE_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct mesh_file_entry {
  char *path;
  char *trouble;  /* why it cannot be read, where that is known already; owned; NULL: it may be read */
  uint64_t bytes; /* about how large it is when decompressed: a guess, to share out work */
} mesh_file_entry;

/* Zeroed: no files. */
typedef struct mesh_file_list {
  mesh_file_entry *entries;
  size_t count, capacity;
  bool keeps_trouble; /* what a folder has and cannot be read becomes an entry with its trouble, and is no error */
} mesh_file_list;

/* Appends a file as it is, whatever its name; of a folder, and the folders in it, all files with the ending of a mesh,
 * in the natural order of their paths: part2 before part10. Of TetGen's two files the one with the elements is taken,
 * of tables (.csv) those of spheres. Links to folders and names that begin with a dot are left out. An entry of a
 * folder with the ending of a mesh that is a broken link, or neither a file nor a folder, is an error. False after a
 * complaint. */
bool mesh_file_list_add(mesh_file_list *files, const char *path);

/* The same for a path that a pattern found: it must be a file or a folder. */
bool mesh_file_list_add_found(mesh_file_list *files, const char *path);

/* The same for each of several; a folder without a mesh file is an error. */
bool mesh_file_list_add_all(mesh_file_list *files, char *const *paths, size_t path_count);

void mesh_file_list_release(mesh_file_list *files);

#endif
