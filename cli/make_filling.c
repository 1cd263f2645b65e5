/* Reads a file as one mesh, ignoring groups, so that a surface of several parts is closed as a whole. */
#include "make_filling.h"

#include "mesh_io/mesh_file.h"
#include "models/lattice_fill.h"

#include <stdio.h>
#include <stdlib.h>

enum { FILL_MESSAGE_BYTES = 512 };

bool make_filling(const char *path, bool allow_large, uint64_t target, mesh **meshes_out, size_t *mesh_count_out,
                  char *error, size_t error_bytes) {
  *meshes_out = NULL;
  *mesh_count_out = 0;
  const mesh_read_options how = {.allow_large = allow_large};
  mesh *surfaces;
  size_t surface_count;
  if (!mesh_file_read(path, &how, &surfaces, &surface_count, error, error_bytes)) return false;
  char message[FILL_MESSAGE_BYTES] = "there is no surface to fill: the file is empty";
  mesh *filled = calloc(1, sizeof *filled);
  const bool is_filled =
      filled != NULL && surface_count == 1 && lattice_fill(&surfaces[0], target, filled, message, sizeof message);
  mesh_list_free(surfaces, surface_count);
  if (!is_filled) {
    snprintf(error, error_bytes, "%s: %s", path, filled == NULL ? "out of memory" : message);
    free(filled);
    return false;
  }
  *meshes_out = filled;
  *mesh_count_out = 1;
  return true;
}
