/* Walking folders. Workload: some ten thousand files at most; the order is that of strcmp, whatever the file system or
 * the locale. */
#include "mesh_file_list.h"

#include "complaint.h"

#include "mesh_io/mesh_file.h"
#include "mesh_io/mesh_format.h"
#include "mesh_io/mesh_name.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What text and binary meshes shrink by, roughly. */
enum { COMPRESSION = 4 };

static bool no_memory(void) {
  complain("out of memory");
  return false;
}

static char *joined(const char *folder, const char *name) {
  const size_t room = strlen(folder) + strlen(name) + 2;
  char *path = malloc(room);
  const bool slash = folder[0] != '\0' && folder[strlen(folder) - 1] == '/';
  if (path != NULL) snprintf(path, room, "%s%s%s", folder, slash ? "" : "/", name);
  return path;
}

/* Takes the path over. */
static bool append(mesh_file_list *files, char *path, uint64_t bytes) {
  if (files->count == files->capacity) {
    const size_t capacity = 2 * files->capacity + 16;
    mesh_file_entry *entries = realloc(files->entries, capacity * sizeof *entries);
    if (entries == NULL) {
      free(path);
      return no_memory();
    }
    files->entries = entries;
    files->capacity = capacity;
  }
  bool compressed;
  (void)mesh_format_of_name(path, &compressed);
  files->entries[files->count++] = (mesh_file_entry){path, compressed ? COMPRESSION * bytes : bytes};
  return true;
}

/* Tables are wanted where they hold spheres: the first bytes tell. */
static bool is_wanted(const char *name, const char *path) {
  bool compressed;
  const mesh_format format = mesh_format_of_name(name, &compressed);
  if (format == MESH_FORMAT_CSV) return mesh_file_is_sphere_table(path);
  const size_t length = strlen(name) - (compressed ? strlen(".gz") : 0);
  return format != MESH_FORMAT_UNKNOWN && !mesh_name_ends_in(name, length, ".node");
}

static bool add_folder(mesh_file_list *files, const char *folder);

static bool add_child(mesh_file_list *files, const char *folder, const char *name) {
  struct stat about;
  char *path = joined(folder, name);
  if (path == NULL) return no_memory();
  bool added = true;
  if (lstat(path, &about) == 0 && S_ISDIR(about.st_mode)) {
    added = add_folder(files, path);
  } else if (stat(path, &about) == 0 && S_ISREG(about.st_mode) && is_wanted(name, path)) {
    return append(files, path, (uint64_t)about.st_size);
  }
  free(path);
  return added;
}

static bool add_folder(mesh_file_list *files, const char *folder) {
  DIR *open = opendir(folder);
  if (open == NULL) {
    complain("%s: %s", folder, strerror(errno));
    return false;
  }
  bool added = true;
  for (struct dirent *child; added && (child = readdir(open)) != NULL;)
    if (child->d_name[0] != '.') added = add_child(files, folder, child->d_name);
  closedir(open);
  return added;
}

static int by_path(const void *a, const void *b) {
  return strcmp(((const mesh_file_entry *)a)->path, ((const mesh_file_entry *)b)->path);
}

bool mesh_file_list_add(mesh_file_list *files, const char *path) {
  struct stat about;
  const bool known = stat(path, &about) == 0;
  if (known && S_ISDIR(about.st_mode)) {
    const size_t first = files->count;
    if (!add_folder(files, path)) return false;
    if (files->count > first) qsort(files->entries + first, files->count - first, sizeof *files->entries, by_path);
    return true;
  }
  char *copy = strdup(path);
  return copy != NULL ? append(files, copy, known ? (uint64_t)about.st_size : 0) : no_memory();
}

void mesh_file_list_release(mesh_file_list *files) {
  for (size_t i = 0; i < files->count; ++i) free(files->entries[i].path);
  free(files->entries);
  *files = (mesh_file_list){0};
}
