/* The mesh files of a command line: named files, and folders with their contents. */
#ifndef GRAZE_MESH_FILE_LIST_H
#define GRAZE_MESH_FILE_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct mesh_file_entry {
  char *path;
  char *trouble;  /* the error, if it is known to be unreadable; owned; else NULL */
  uint64_t bytes; /* estimated size after decompression, for scheduling */
} mesh_file_entry;

/* Zeroed: no files. */
typedef struct mesh_file_list {
  mesh_file_entry *entries;
  size_t count, capacity;
  bool keeps_trouble; /* unreadable entries of a folder become entries with a message instead of errors */
} mesh_file_list;

/* Appends a named file with any ending; of a folder and its subfolders, all files with the ending of a mesh, in natural
 * order of their paths: part2 before part10. Of the two TetGen files, the one with the elements is listed; tables
 * (.csv) count if they contain spheres. Links to folders and names that begin with a dot are skipped. A folder entry
 * with the ending of a mesh that is a broken link, or neither a file nor a folder, is an error. False after a
 * complaint. */
bool mesh_file_list_add(mesh_file_list *files, const char *path);

/* The same for a path found by a pattern: it must be a file or a folder. */
bool mesh_file_list_add_found(mesh_file_list *files, const char *path);

/* The same for several operands; a folder without a mesh file is an error. */
bool mesh_file_list_add_all(mesh_file_list *files, char *const *paths, size_t path_count);

/* The paths of all entries, borrowed; NULL after a complaint. Release the array with free. */
char **mesh_file_list_paths(const mesh_file_list *files);

void mesh_file_list_release(mesh_file_list *files);

#endif
