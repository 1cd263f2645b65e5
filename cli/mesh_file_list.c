/* Walks folders. Workload: at most tens of thousands of files; the order is natural_order, independent of the file
 * system and locale. */
#include "mesh_file_list.h"

#include "complaint.h"
#include "frame_name.h"
#include "row_growth.h"

#include "mesh_io/mesh_file.h"
#include "mesh_io/mesh_format.h"
#include "mesh_io/mesh_name.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The approximate compression ratios of text and binary meshes. */
enum { COMPRESSION = 4, TROUBLE_BYTES = 256 };

static char *joined_path(const char *folder, const char *name) {
  const size_t room = strlen(folder) + strlen(name) + 2;
  char *path = malloc(room);
  const bool slash = folder[0] != '\0' && folder[strlen(folder) - 1] == '/';
  if (path != NULL) snprintf(path, room, "%s%s%s", folder, slash ? "" : "/", name);
  return path;
}

/* Takes ownership of the path. */
static bool append_file(mesh_file_list *files, char *path, uint64_t bytes) {
  if (!rows_reserve(&files->entries, &files->capacity, files->count, 1, sizeof *files->entries)) {
    free(path);
    return decline("out of memory");
  }
  bool compressed;
  (void)mesh_format_of_name(path, &compressed);
  files->entries[files->count++] = (mesh_file_entry){.path = path, .bytes = compressed ? COMPRESSION * bytes : bytes};
  return true;
}

/* An unreadable folder entry: an error, or an entry with its message. */
static bool refuse(mesh_file_list *files, const char *path, const char *reason) {
  if (!files->keeps_trouble) return decline("%s: %s", path, reason);
  char *copy = strdup(path), *trouble = strdup(reason);
  if (copy == NULL || trouble == NULL) {
    free(copy);
    free(trouble);
    return decline("out of memory");
  }
  if (!append_file(files, copy, 0)) {
    free(trouble);
    return false;
  }
  files->entries[files->count - 1].trouble = trouble;
  return true;
}

static bool has_name_of_mesh(const char *name, const mesh_format **format_out) {
  bool compressed;
  *format_out = mesh_format_of_name(name, &compressed);
  const size_t length = strlen(name) - (compressed ? strlen(".gz") : 0);
  return *format_out != NULL && !mesh_name_ends_in(name, length, ".node");
}

/* Entries that were found, not named, are opened only if they are files: a pipe would wait for a writer. Returns NULL
 * for a file or a folder, else the error, in `room` or in a constant text. */
static const char *trouble_of_found(const char *path, struct stat *about_out, char *room, size_t room_bytes) {
  if (stat(path, about_out) != 0) {
    const int error = errno;
    struct stat link;
    const bool broken = lstat(path, &link) == 0 && S_ISLNK(link.st_mode);
    snprintf(room, room_bytes, "%s%s", broken ? "a broken link: " : "", strerror(error));
    return room;
  }
  return S_ISREG(about_out->st_mode) || S_ISDIR(about_out->st_mode) ? NULL : "not a regular file";
}

/* Tables count if their first bytes show spheres. An unreadable table is reported when it is read. */
static bool is_wanted(const char *path, const mesh_format *format) {
  return strcmp(format->ending, ".csv") != 0 || mesh_file_is_sphere_table(path) || access(path, R_OK) != 0;
}

static bool add_folder(mesh_file_list *files, const char *folder);

static bool add_child(mesh_file_list *files, const char *folder, const char *name) {
  struct stat about;
  char *path = joined_path(folder, name);
  if (path == NULL) return decline("out of memory");
  const mesh_format *format;
  bool added = true;
  if (lstat(path, &about) == 0 && S_ISDIR(about.st_mode)) {
    added = add_folder(files, path);
  } else if (has_name_of_mesh(name, &format)) {
    char room[TROUBLE_BYTES];
    const char *trouble = trouble_of_found(path, &about, room, sizeof room);
    if (trouble == NULL && S_ISREG(about.st_mode) && is_wanted(path, format))
      return append_file(files, path, (uint64_t)about.st_size);
    added = trouble == NULL || refuse(files, path, trouble);
  }
  free(path);
  return added;
}

static bool add_folder(mesh_file_list *files, const char *folder) {
  DIR *open = opendir(folder);
  if (open == NULL) return refuse(files, folder, strerror(errno));
  bool added = true;
  for (struct dirent *child; added && (child = readdir(open)) != NULL;)
    if (child->d_name[0] != '.') added = add_child(files, folder, child->d_name);
  closedir(open);
  return added;
}

static int by_path(const void *a, const void *b) {
  return natural_order(((const mesh_file_entry *)a)->path, ((const mesh_file_entry *)b)->path);
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
  return copy != NULL ? append_file(files, copy, known ? (uint64_t)about.st_size : 0) : decline("out of memory");
}

bool mesh_file_list_add_found(mesh_file_list *files, const char *path) {
  struct stat about;
  char room[TROUBLE_BYTES];
  const char *trouble = trouble_of_found(path, &about, room, sizeof room);
  return trouble != NULL ? refuse(files, path, trouble) : mesh_file_list_add(files, path);
}

bool mesh_file_list_add_all(mesh_file_list *files, char *const *paths, size_t path_count) {
  for (size_t i = 0; i < path_count; i++) {
    const size_t before = files->count;
    if (!mesh_file_list_add(files, paths[i])) return false;
    if (files->count > before) continue;
    return decline("there is no mesh file in %s", paths[i]);
  }
  return true;
}

char **mesh_file_list_paths(const mesh_file_list *files) {
  char **paths = calloc(files->count + 1, sizeof *paths);
  if (paths == NULL) complain("out of memory");
  for (size_t i = 0; paths != NULL && i < files->count; i++) paths[i] = files->entries[i].path;
  return paths;
}

void mesh_file_list_release(mesh_file_list *files) {
  for (size_t i = 0; i < files->count; i++) {
    free(files->entries[i].path);
    free(files->entries[i].trouble);
  }
  free(files->entries);
  *files = (mesh_file_list){0};
}
